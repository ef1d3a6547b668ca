//! Reads a typed value and reports the fields that its type does not have: a newer writer's
//! fields are ignored, and counted.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

/// One JSON value as a `T`; `unknown` hears the name of every field, also of nested structs, that
/// is not among the type's own. `kind` is known everywhere.
pub(crate) fn parse<'de, T: Deserialize<'de>>(
    text: &'de str,
    unknown: &mut dyn FnMut(&str),
) -> serde_json::Result<T> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Noting {
        inner: &mut parser,
        unknown,
    })?;
    parser.end()?;
    Ok(value)
}

struct Noting<'u, D> {
    inner: D,
    unknown: &'u mut dyn FnMut(&str),
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Noting<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(NotingVisitor {
            inner: visitor,
            fields,
            unknown: self.unknown,
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_option(NotingVisitor {
            inner: visitor,
            fields: &[],
            unknown: self.unknown,
        })
    }

    // A raw value asks for itself under this name and must meet the parser, not this wrapper.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map enum identifier
    }
}

struct NotingVisitor<'u, V> {
    inner: V,
    fields: &'static [&'static str],
    unknown: &'u mut dyn FnMut(&str),
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NotingVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Noting {
            inner,
            unknown: self.unknown,
        })
    }

    fn visit_map<M: MapAccess<'de>>(self, inner: M) -> Result<V::Value, M::Error> {
        self.inner.visit_map(NotingMap {
            inner,
            fields: self.fields,
            unknown: self.unknown,
        })
    }
}

struct NotingMap<'u, M> {
    inner: M,
    fields: &'static [&'static str],
    unknown: &'u mut dyn FnMut(&str),
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for NotingMap<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        while let Some(name) = self.inner.next_key::<std::borrow::Cow<'de, str>>()? {
            if let Some(known) = self.fields.iter().find(|known| **known == name) {
                return seed
                    .deserialize(BorrowedStrDeserializer::new(known))
                    .map(Some);
            }
            if name != "kind" {
                (self.unknown)(&name);
            }
            self.inner.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, M::Error> {
        self.inner.next_value_seed(NotingSeed {
            inner: seed,
            unknown: self.unknown,
        })
    }
}

struct NotingSeed<'u, S> {
    inner: S,
    unknown: &'u mut dyn FnMut(&str),
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for NotingSeed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Noting {
            inner,
            unknown: self.unknown,
        })
    }
}
