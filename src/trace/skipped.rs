//! What a reader left out, so that it can be shown.

use std::collections::BTreeMap;

/// What a reader left out or had to put right. Shown in the header: nothing is lost silently.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Lines read in all.
    pub lines: u64,
    /// Lines that are not what the format allows, with the first few places.
    pub bad_lines: u64,
    /// Line number (from 1), byte offset and reason of the first bad lines; at most 100.
    pub bad: Vec<(u64, u64, String)>,
    /// Records of unknown types, by type.
    pub unknown_types: BTreeMap<String, u64>,
    /// Fields that are not known, by name.
    pub unknown_fields: BTreeMap<String, u64>,
    /// Repeats of one message that were merged.
    pub merged: u64,
    /// Copies of a line that were dropped.
    pub copies: u64,
    /// Results that belong to no call.
    pub orphans: u64,
    /// Calls whose id another call of the file has too, or that have none.
    pub duplicate_ids: u64,
    /// Calls without a result.
    pub open_calls: u64,
    /// Sub-agents that could not be linked to a call.
    pub unlinked: u64,
    /// Replies that no model gave: the harness wrote them itself, for example after an API error.
    pub synthetic: u64,
    /// Spans that end before they start; their times count as unknown.
    pub negative: u64,
    /// What else had to be put right or cannot be known, in words, with how often.
    pub notes: BTreeMap<String, u64>,
    /// True where the file ends in the middle of a line: pending, not an error.
    pub torn_tail: bool,
    /// True where a compressed file ends early.
    pub cut_stream: bool,
}

impl Skipped {
    const MOST_PLACES: usize = 100;
    const MOST_NAMES: usize = 1_000;

    /// Counts a line that is not what the format allows; keeps the first places.
    pub fn bad_line(&mut self, number: u64, offset: u64, reason: impl Into<String>) {
        self.bad_lines += 1;
        if self.bad.len() < Self::MOST_PLACES {
            self.bad.push((number, offset, reason.into()));
        }
    }

    /// Counts a record of a type that is not known.
    pub fn unknown_type(&mut self, name: &str) {
        count(&mut self.unknown_types, name);
    }

    /// Counts something that a reader had to put right, or cannot know.
    pub fn note(&mut self, words: &str) {
        count(&mut self.notes, words);
    }

    /// Counts a field that is not known.
    pub fn unknown_field(&mut self, name: &str) {
        count(&mut self.unknown_fields, name);
    }
}

/// Adds one under `name`. Long names are cut and very many go under one: a hostile file must not
/// fill the memory with them.
fn count(names: &mut BTreeMap<String, u64>, name: &str) {
    let name = cut(name, 100);
    let full = names.len() >= Skipped::MOST_NAMES && !names.contains_key(&*name);
    let name = if full { "(others)" } else { &name };
    *names.entry(name.to_owned()).or_insert(0) += 1;
}

/// `text`, or where it is longer than `most` bytes its beginning and `…`.
pub(crate) fn cut(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)]).into()
}
