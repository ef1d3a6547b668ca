//! Spans that are points: an event for the start and one for the end of the same thing, each with
//! a span of its own that ends when all was written.

use std::collections::{BTreeMap, HashMap};

use super::collect::Spans;
use super::raw::Piece;
use super::span::{Kind, Span};
use crate::import::draft::Draft;
use crate::import::value::earlier;
use crate::model::{Outcome, Timing};

/// The words for an end, and whether it is a good one.
const ENDS: [(&str, bool); 3] = [("success", true), ("finish", true), ("error", false)];

/// What a point is about, and whether it is the start of it, a good end or a bad one.
pub(super) type Point = (String, Option<bool>);

/// `tool.search.start-12`: what it is about, and whether it starts or how it ends.
pub(super) fn point(name: &str) -> Option<Point> {
    let (stem, number) = match name.rsplit_once('-') {
        Some((stem, number)) if number.bytes().all(|b| b.is_ascii_digit()) => (stem, number),
        _ => (name, ""),
    };
    let (about, word) = stem.rsplit_once('.')?;
    let end = match word {
        "start" => None,
        word => Some(ENDS.iter().find(|(end, _)| *end == word)?.1),
    };
    Some((format!("{about}-{number}"), end))
}

#[derive(Debug, Default)]
struct Pair {
    start: Option<usize>,
    ends: Vec<(usize, bool)>,
}

/// Makes one span of the points of each thing. A start without an end is open: the end of its own
/// span says when it was written.
pub(super) fn join(spans: &mut Spans, draft: &mut Draft) {
    let mut pairs: BTreeMap<(u32, String), Pair> = BTreeMap::new();
    for (at, span) in spans.rows.iter().enumerate() {
        if !matches!(span.kind, Kind::Model | Kind::Tool) {
            continue;
        }
        let Some((about, end)) = spans.points.get(&span.key) else {
            continue;
        };
        let pair = pairs.entry((span.key.0, about.clone())).or_default();
        match end {
            None => pair.start = pair.start.or(Some(at)),
            Some(good) => pair.ends.push((at, *good)),
        }
    }
    if !pairs
        .values()
        .any(|pair| pair.start.is_some() && !pair.ends.is_empty())
    {
        return;
    }
    let mut gone = vec![false; spans.rows.len()];
    let mut moved = HashMap::new();
    for ((_, about), pair) in pairs {
        let Some(start) = pair.start else {
            continue;
        };
        let mut whole = spans.rows[start].clone();
        close(&mut whole, &pair, &spans.rows);
        if whole.kind == Kind::Tool && whole.nameless {
            let short = about.rsplit_once('-').map_or(&*about, |(stem, _)| stem);
            let name = draft.name(short.strip_prefix("tool.").unwrap_or(short));
            whole.name = name;
            whole.call.tool = name;
        }
        for (end, _) in pair.ends {
            gone[end] = true;
            moved.insert(spans.rows[end].key, whole.key);
        }
        spans.rows[start] = whole;
    }
    let mut gone = gone.into_iter();
    spans.rows.retain(|_| !gone.next().unwrap_or(false));
    // What hung below the end of a thing hangs below the thing.
    for span in &mut spans.rows {
        if let Some(parent) = span.parent.and_then(|parent| moved.get(&parent)) {
            span.parent = Some(*parent).filter(|parent| *parent != span.key);
        }
    }
}

/// Gives a start the earliest of its ends, and what they know.
fn close(whole: &mut Span, pair: &Pair, rows: &[Span]) {
    let ends = || pair.ends.iter().map(|(at, good)| (&rows[*at], *good));
    whole.end = ends().fold(None, |end, (span, _)| earlier(end, span.start));
    whole.timing = Timing::Events;
    whole.outcome = match whole.end {
        None => Outcome::Unfinished,
        Some(_) if ends().any(|(_, good)| !good) => Outcome::Failed,
        Some(_) => Outcome::Ok,
    };
    for (end, _) in ends() {
        if matches!(whole.args, Piece::None) && !matches!(end.args, Piece::None) {
            whole.args = end.args.clone();
            whole.call = end.call;
        }
        if matches!(whole.answer, Piece::None) {
            whole.answer = end.answer.clone();
            whole.answer_bytes = end.answer_bytes;
        }
        if whole.error.is_empty() {
            whole.error.clone_from(&end.error);
        }
        if whole.wanted.is_empty() {
            whole.wanted.clone_from(&end.wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_says_what_it_is_about_and_which_end_it_is() {
        for (name, found) in [
            ("tool.search.start-12", Some(("tool.search-12", None))),
            (
                "tool.search.success-12",
                Some(("tool.search-12", Some(true))),
            ),
            ("chat.error", Some(("chat-", Some(false)))),
            ("chat.update-3", None),
            ("start", None),
        ] {
            let found = found.map(|(about, end)| (about.to_owned(), end));
            assert_eq!(point(name), found, "{name}");
        }
    }
}
