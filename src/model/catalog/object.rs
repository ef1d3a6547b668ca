//! JSON objects read field by field: nothing is built for what nobody asked for, so depth, size
//! and broken escapes in other fields cost nothing.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of the object `text` that `keep` names, in the order of the text; a field that
/// stands twice is there twice. All of the text is checked: an error where it is not one whole
/// JSON object. Names are bytes, because a JSON string may hold half a surrogate pair.
pub(super) fn fields<T>(
    text: &str,
    keep: impl FnMut(&[u8]) -> Option<T>,
) -> serde_json::Result<Vec<(T, &RawValue)>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let found = reader.deserialize_map(Fields(keep))?;
    reader.end()?;
    Ok(found)
}

struct Fields<F>(F);

impl<'de, T, F: FnMut(&[u8]) -> Option<T>> Visitor<'de> for Fields<F> {
    type Value = Vec<(T, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(name) = map.next_key_seed(Name(&mut self.0))? {
            match name {
                Some(name) => found.push((name, map.next_value()?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

struct Name<'f, F>(&'f mut F);

impl<'de, T, F: FnMut(&[u8]) -> Option<T>> DeserializeSeed<'de> for Name<'_, F> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Option<T>, D::Error> {
        reader.deserialize_bytes(self)
    }
}

impl<T, F: FnMut(&[u8]) -> Option<T>> Visitor<'_> for Name<'_, F> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<T>, E> {
        Ok((self.0)(name))
    }
}
