//! How single values stand in a line: words for enums, keys and names as texts, arguments as the
//! JSON that they are.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::json;
use super::line::MAIN;
use crate::time::Nanos;

/// A string of a line. Half a surrogate pair in it becomes U+FFFD instead of costing the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        lossy(from).map(Self)
    }
}

/// One JSON value as text; empty for none.
///
/// Written, line breaks between its tokens become spaces, and text that is no JSON (arguments cut
/// off by the model) becomes a JSON string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<'a>(pub &'a str);

impl Json<'_> {
    /// True where there is no value.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !json::is_value(self.0) {
            return to.serialize_str(self.0);
        }
        // Inside strings JSON has no raw line breaks, so these are all between tokens.
        let flat = if self.0.contains(['\n', '\r']) {
            Cow::Owned(self.0.replace(['\n', '\r'], " "))
        } else {
            Cow::Borrowed(self.0)
        };
        match serde_json::from_str::<&RawValue>(&flat) {
            Ok(raw) => raw.serialize(to),
            Err(_) => to.serialize_str(self.0),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(from)?.get();
        Ok(Self(if raw == "null" { "" } else { raw }))
    }
}

/// A limit: a number or a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Slots {
    /// So many at once.
    Number(u64),
    /// `unlimited`.
    Word(String),
}

impl Slots {
    pub(crate) fn of(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(number) => Some(Self::Number(number)),
            Err(_) => (!text.is_empty()).then(|| Self::Word(text.to_owned())),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Word(word) => word.clone(),
        }
    }
}

pub(crate) fn lossy<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Cow<'a, str>, D::Error> {
    let raw = <&RawValue>::deserialize(from)?.get();
    if raw == "null" {
        return Ok(Cow::Borrowed(""));
    }
    json::string(raw).ok_or_else(|| D::Error::custom("a string is expected here"))
}

pub(crate) fn thread<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Cow<'a, str>, D::Error> {
    let name = lossy(from)?;
    Ok(if name.is_empty() { main_name() } else { name })
}

pub(crate) const fn main_name<'a>() -> Cow<'a, str> {
    Cow::Borrowed(MAIN)
}

#[expect(clippy::ptr_arg, reason = "serde hands over the field")]
pub(crate) fn main(thread: &Cow<'_, str>) -> bool {
    thread.is_empty() || thread == MAIN
}

#[expect(clippy::ptr_arg, reason = "serde hands over the field")]
pub(crate) fn empty(text: &Cow<'_, str>) -> bool {
    text.is_empty()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over the field"
)]
pub(crate) const fn no(flag: &bool) -> bool {
    !*flag
}

/// A duration in milliseconds: whole where it is whole.
pub(crate) fn millis(duration: Nanos) -> Option<serde_json::Number> {
    if duration.0.is_multiple_of(1_000_000) {
        return Some((duration.0 / 1_000_000).into());
    }
    serde_json::Number::from_f64(duration.as_secs_f64() * 1e3)
}

pub(crate) fn nanos(millis: &serde_json::Number) -> Option<Nanos> {
    match millis.as_u64() {
        Some(whole) => Some(Nanos::from_millis(whole)),
        None => millis.as_f64().map(Nanos::from_millis_f64),
    }
}

pub(crate) mod outcome {
    use super::{Deserializer, Serializer, lossy};
    use crate::model::Outcome;
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer>(value: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.word())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let word = lossy(from)?;
        word.parse()
            .map_err(|()| D::Error::custom(format!("unknown outcome {word:?}")))
    }
}

pub(crate) mod timing {
    use super::{Deserializer, Serializer, lossy};
    use crate::model::Timing;
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer>(value: &Timing, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.word())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timing, D::Error> {
        let word = lossy(from)?;
        word.parse()
            .map_err(|()| D::Error::custom(format!("unknown timing {word:?}")))
    }
}

pub(crate) mod maybe_timing {
    use super::{Deserializer, Serializer, timing};
    use crate::model::Timing;

    #[expect(clippy::ref_option, reason = "serde hands over the field")]
    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Timing>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => timing::serialize(value, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Timing>, D::Error> {
        timing::deserialize(from).map(Some)
    }
}

pub(crate) mod source {
    use super::{Deserializer, Serializer, lossy};
    use crate::model::Source;

    #[expect(clippy::ref_option, reason = "serde hands over the field")]
    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Source>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.serialize_str(value.word()),
            None => to.serialize_none(),
        }
    }

    /// A word of a later version counts as not declared: the keys stand beside it.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Source>, D::Error> {
        let word = lossy(from)?;
        Ok(Source::ALL.into_iter().find(|source| source.word() == word))
    }
}
