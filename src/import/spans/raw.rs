//! A piece of JSON: from the file itself, or from a text inside one of its strings.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::import::place::At;
use crate::trace::{BodyRef, json};

/// One JSON value as it stands.
#[derive(Clone, Debug)]
pub(in crate::import) struct Raw<'a> {
    /// The text of the file that it was cut out of; `None` where it was unpacked or put together.
    at: Option<At<'a>>,
    text: Cow<'a, str>,
}

/// A value that is kept: where it lies, or what it is.
#[derive(Clone, Debug, Default)]
pub(in crate::import) enum Piece {
    /// There is none.
    #[default]
    None,
    /// It can be read from the file.
    File(BodyRef),
    /// It cannot be read from the file as it stands.
    Text(Box<str>),
}

impl<'a> Raw<'a> {
    /// `text`, which was cut out of the text of `at`.
    pub(in crate::import) const fn of(at: Option<At<'a>>, text: &'a str) -> Self {
        Self {
            at,
            text: Cow::Borrowed(text),
        }
    }

    pub(in crate::import) const fn owned(text: String) -> Self {
        Self {
            at: None,
            text: Cow::Owned(text),
        }
    }

    pub(in crate::import) fn value(
        at: Option<At<'a>>,
        value: Option<&'a RawValue>,
    ) -> Option<Self> {
        value.map(|value| Self::of(at, value.get()))
    }

    pub(in crate::import) fn text(&self) -> &str {
        &self.text
    }

    /// The string behind it; empty for anything else.
    pub(in crate::import) fn word(&self) -> Cow<'_, str> {
        json::string(&self.text).unwrap_or_default()
    }

    /// The text that it stands for: of a string what is in it, else the value itself.
    pub(in crate::import) fn plain(&self) -> Cow<'_, str> {
        json::string(&self.text).unwrap_or(Cow::Borrowed(&self.text))
    }

    pub(in crate::import) fn piece(&self) -> Piece {
        match (&self.at, &self.text) {
            (Some(at), Cow::Borrowed(text)) => Piece::File(at.body(text)),
            _ => Piece::Text(self.text.as_ref().into()),
        }
    }

    /// A part of it.
    pub(in crate::import) fn part<'s>(&'s self, text: &'s str) -> Raw<'s> {
        match self.text {
            Cow::Borrowed(_) => Raw::of(self.at, text),
            Cow::Owned(_) => Raw::of(None, text),
        }
    }
}
