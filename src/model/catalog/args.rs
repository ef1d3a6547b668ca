//! One value out of a call's arguments, without reading the rest.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::object;

/// Why an argument gives no key value. It is said in words with the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Miss {
    /// The arguments are no JSON object.
    NoObject,
    /// The arguments are cut off or no JSON.
    Broken,
    /// The value.
    Value(&'static str),
}

/// The fields of a call's arguments that some key expression starts from.
pub(super) struct Args<'s, 'a>(Result<Vec<(&'s str, &'a RawValue)>, Miss>);

impl<'s, 'a> Args<'s, 'a> {
    /// Where no name is wanted the arguments are not looked at.
    pub(super) fn read(text: &'a str, wanted: impl Iterator<Item = &'s str> + Clone) -> Self {
        if wanted.clone().next().is_none() {
            return Self(Ok(Vec::new()));
        }
        let keep = |name: &[u8]| wanted.clone().find(|want| want.as_bytes() == name);
        Self(read(text, keep))
    }

    /// The value at `path` as the text of a key: a string decoded, a number as it is written.
    pub(super) fn value(&self, path: &[String]) -> Result<Cow<'a, str>, Miss> {
        let fields = self.0.as_ref().map_err(|miss| *miss)?;
        let (first, rest) = path.split_first().ok_or(Miss::Value("missing"))?;
        let mut raw = only(fields.iter().filter(|(name, _)| name == first))?;
        for name in rest {
            if !raw.get().starts_with('{') {
                return Err(Miss::Value("missing"));
            }
            let fields = read(raw.get(), |field| (field == name.as_bytes()).then_some(()))?;
            raw = only(fields.iter())?;
        }
        leaf(raw)
    }
}

fn read<T>(text: &str, keep: impl FnMut(&[u8]) -> Option<T>) -> Result<Vec<(T, &RawValue)>, Miss> {
    object::fields(text, keep).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => Miss::NoObject,
        _ => Miss::Broken,
    })
}

/// Readers differ in which of two equal names they take, so neither is.
fn only<'f, 'a: 'f, T: 'f>(
    mut fields: impl Iterator<Item = &'f (T, &'a RawValue)>,
) -> Result<&'a RawValue, Miss> {
    match (fields.next(), fields.next()) {
        (Some(&(_, raw)), None) => Ok(raw),
        (None, _) => Err(Miss::Value("missing")),
        (Some(_), Some(_)) => Err(Miss::Value("given twice")),
    }
}

fn leaf(raw: &RawValue) -> Result<Cow<'_, str>, Miss> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'"') => {
            let inner = &text[1..text.len() - 1];
            if !inner.contains('\\') {
                return Ok(Cow::Borrowed(inner));
            }
            let decoded = serde_json::from_str(text);
            decoded
                .map(Cow::Owned)
                .map_err(|_| Miss::Value("not valid Unicode"))
        }
        Some(b'n') => Err(Miss::Value("null")),
        Some(b't' | b'f') => Err(Miss::Value("true or false")),
        Some(b'[') => Err(Miss::Value("a list")),
        Some(b'{') => Err(Miss::Value("an object")),
        _ => Ok(Cow::Borrowed(text)),
    }
}
