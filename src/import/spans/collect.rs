//! Spans as they come in from a reader.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::facts::Facts;
use super::names::Slot;
use super::points::{Point, point};
use super::raw::Piece;
use super::span::{Ids, Key, Kind, Span};
use super::wanted::{row, wanted};
use crate::import::draft::Draft;
use crate::import::value::hash;
use crate::trace::{BodyRef, Call, Sym, json};

/// The spans of a file, or of one part of it that stands alone.
#[derive(Debug)]
pub(in crate::import) struct Spans {
    pub(super) ids: Ids,
    pub(super) rows: Vec<Span>,
    /// Spans that are the start or the end of something.
    pub(super) points: HashMap<Key, Point>,
}

/// Values that cannot be read from the file as they stand: they are in memory, behind a file of
/// their own.
#[derive(Debug)]
pub(in crate::import) struct Extras {
    file: Option<u32>,
    bytes: Vec<u8>,
}

impl Extras {
    pub(in crate::import) const fn new() -> Self {
        Self {
            file: None,
            bytes: Vec::new(),
        }
    }

    /// Keeps a value, whatever kind of piece it is.
    pub(super) fn keep(&mut self, draft: &mut Draft, path: &Path, piece: &Piece) -> BodyRef {
        match piece {
            Piece::None => BodyRef::default(),
            Piece::File(body) => *body,
            Piece::Text(text) => {
                let file = *self.file.get_or_insert_with(|| draft.file(path, None));
                // A body at offset 0 would be taken for a side file.
                if self.bytes.is_empty() {
                    self.bytes.push(b'\n');
                }
                let offset = self.bytes.len() as u64;
                self.bytes.extend_from_slice(text.as_bytes());
                BodyRef {
                    file,
                    offset,
                    len: text.len() as u64,
                }
            }
        }
    }

    /// Hands everything that was kept to the run.
    pub(in crate::import) fn finish(self, draft: &mut Draft) {
        if let Some(file) = self.file {
            draft.hold(file, Arc::new(self.bytes));
        }
    }
}

impl Spans {
    pub(in crate::import) fn new() -> Self {
        Self {
            ids: Ids::new(),
            rows: Vec::new(),
            points: HashMap::new(),
        }
    }

    /// The key of a span in a trace.
    pub(in crate::import) fn key(&mut self, trace: &str, id: &str) -> Key {
        (self.ids.number(trace), self.ids.number(id))
    }

    /// True where nothing in it is a reply or a call.
    pub(in crate::import) fn has_no_calls(&self) -> bool {
        let mut rows = self.rows.iter();
        !rows.any(|row| matches!(row.kind, Kind::Model | Kind::Tool))
    }

    /// Adds a span. `parent` is the key that the file gives, whether it is in the file or not.
    pub(in crate::import) fn add(
        &mut self,
        draft: &mut Draft,
        (key, parent): (Key, Option<Key>),
        facts: &Facts<'_>,
    ) {
        let kind = facts.kind();
        let outcome = facts.outcome();
        let title = facts.title(kind);
        let mut span = Span {
            key,
            parent,
            kind,
            start: facts.start,
            end: facts.end,
            timing: facts.timing,
            own: facts.own,
            outcome,
            error: facts.error(outcome),
            name: draft.name(&title),
            nameless: facts.get(Slot::Tool).is_none(),
            call_id: Sym::default(),
            call: Call::default(),
            args: Piece::None,
            answer: Piece::None,
            answer_bytes: 0,
            wanted: Vec::new(),
            line_offset: facts.line_offset,
            origin: self.origin(key, &facts.origin),
        };
        match kind {
            Kind::Tool => tool(draft, facts, &title, &mut span),
            Kind::Model => span.wanted = wanted(draft, facts),
            Kind::Agent | Kind::Apart | Kind::Unlinked | Kind::Other => {}
        }
        if key.1 != 0
            && let Some(point) = point(&facts.name)
        {
            self.points.insert(key, point);
        }
        self.rows.push(span);
    }

    fn origin(&self, (trace, id): Key, said: &str) -> u64 {
        if !said.is_empty() {
            return hash(&("event", said));
        }
        match (self.ids.text(trace), self.ids.text(id)) {
            ("", _) | (_, "") => 0,
            key => hash(&("span", key)),
        }
    }
}

fn tool(draft: &mut Draft, facts: &Facts<'_>, title: &str, span: &mut Span) {
    let id = facts.word(Slot::CallId);
    let args = facts.args();
    let row = row(draft, title, args.as_ref(), facts.line_offset);
    span.call = row;
    span.call_id = draft.name(&id);
    span.args = args.map_or(Piece::None, |args| args.piece());
    if let Some(answer) = facts.get(Slot::Answer) {
        let text = answer.text();
        span.answer_bytes = json::string_len(text).unwrap_or(text.len() as u64);
        span.answer = answer.piece();
    }
}
