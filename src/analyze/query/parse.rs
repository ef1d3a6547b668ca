//! From a line of text to a query.

use super::error::QueryError;
use super::term::{Limit, Query, Term, What};
use crate::model::Outcome;
use crate::time::Nanos;

type Parsed<T> = Result<T, QueryError>;

/// The filters with a value behind a colon.
const FILTERS: [&str; 9] = [
    "tool", "key", "outcome", "error", "id", "thread", "turn", "args", "answer",
];

fn error<T>(at: usize, what: impl Into<String>) -> Parsed<T> {
    let what = what.into();
    Err(QueryError { at, what })
}

/// A piece of the line between spaces.
#[derive(Default)]
struct Piece {
    /// Where it starts, in characters.
    at: usize,
    /// Its text without quotes.
    text: String,
    /// How many characters of `text` stand before the first quote.
    bare: Option<usize>,
}

impl Piece {
    /// The part in which signs and colons mean something.
    fn bare(&self) -> &str {
        let end = self
            .bare
            .and_then(|n| self.text.char_indices().nth(n))
            .map_or(self.text.len(), |(at, _)| at);
        &self.text[..end]
    }
}

pub(super) fn parse(line: &str) -> Parsed<Query> {
    let terms = pieces(line)?
        .into_iter()
        .map(term)
        .collect::<Parsed<Vec<_>>>()?;
    if terms.is_empty() {
        return error(0, "nothing to search for");
    }
    Ok(Query { terms })
}

fn pieces(line: &str) -> Parsed<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open: Option<Piece> = None;
    let mut quote = None;
    for (at, c) in line.chars().enumerate() {
        if quote.is_none() && c.is_whitespace() {
            pieces.extend(open.take());
            continue;
        }
        let piece = open.get_or_insert_with(|| Piece {
            at,
            ..Piece::default()
        });
        if c == '"' {
            piece.bare.get_or_insert(piece.text.chars().count());
            quote = if quote.is_some() { None } else { Some(at) };
        } else {
            piece.text.push(c);
        }
    }
    if let Some(at) = quote {
        return error(at, "this quote has no end");
    }
    pieces.extend(open);
    Ok(pieces)
}

fn term(mut piece: Piece) -> Parsed<Term> {
    let not = piece.bare().starts_with('-');
    if not {
        piece.text.remove(0);
        piece.bare = piece.bare.map(|n| n.saturating_sub(1));
        piece.at += 1;
    }
    if piece.text.is_empty() {
        let what = if not {
            "`-` needs a word or a filter right behind it"
        } else {
            "these quotes hold nothing"
        };
        return error(piece.at.saturating_sub(usize::from(not)), what);
    }
    let what = what(&piece)?;
    Ok(Term { not, what })
}

fn what(piece: &Piece) -> Parsed<What> {
    let text = piece.text.to_lowercase();
    let quoted = piece.bare.is_some();
    match text.as_str() {
        _ if quoted => {}
        "hazard" | "hazards" => return Ok(What::Hazard),
        "several" => return Ok(What::Several),
        "failed" => return Ok(What::Failed),
        _ if text.starts_with(['<', '>']) => return Ok(What::Ran(limit(&text, piece.at)?)),
        _ => {
            if let Some(rest) = text
                .strip_prefix("wait")
                .filter(|r| r.starts_with(['<', '>']))
            {
                return Ok(What::Waited(limit(rest, piece.at + "wait".len())?));
            }
        }
    }
    let Some((name, _)) = piece.bare().split_once(':') else {
        return Ok(What::Word(text));
    };
    let name = name.to_lowercase();
    let value = text[text.find(':').map_or(0, |at| at + 1)..].to_owned();
    filter(&name, value, text, piece.at)
}

fn filter(name: &str, value: String, whole: String, at: usize) -> Parsed<What> {
    let value_at = at + name.chars().count() + 1;
    if FILTERS.contains(&name) && value.is_empty() {
        return error(value_at, format!("`{name}:` needs a value right behind it"));
    }
    Ok(match name {
        "tool" => What::Tool(value),
        "key" => What::Key(value),
        "error" => What::Error(value),
        "id" => What::Id(value),
        "thread" => What::Thread(value),
        "args" => What::Args(value),
        "answer" => What::Answer(value),
        "outcome" => outcome(&value, value_at)?,
        "turn" => turns(&value, value_at)?,
        // A key or an address has a colon too; only what is nearly a filter is a mistake.
        _ => match FILTERS.iter().find(|known| nearly(known, name)) {
            Some(known) => {
                return error(
                    at,
                    format!("no filter `{name}:`; `{known}:` is one, and quotes make it a word"),
                );
            }
            None => What::Word(whole),
        },
    })
}

/// True where one letter more, less or other makes the words the same.
fn nearly(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || b.len() < 3 {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = |v: &'_ [char]| v.get(1..).unwrap_or_default().to_vec();
    tail(a) == tail(b) || tail(a) == b || a == tail(b)
}

fn outcome(value: &str, at: usize) -> Parsed<What> {
    let word = value.replace(['-', ' '], "_");
    if word == "failed" {
        return Ok(What::Failed);
    }
    match word.parse::<Outcome>() {
        Ok(outcome) => Ok(What::Outcome(outcome)),
        Err(()) => {
            let known: Vec<&str> = Outcome::ALL.iter().map(|o| o.word()).collect();
            error(
                at,
                format!("no outcome `{value}`; there are {}", known.join(", ")),
            )
        }
    }
}

fn turns(value: &str, at: usize) -> Parsed<What> {
    let number = |text: &str, at: usize, open: u32| match text {
        "" => Ok(open),
        _ => text.parse().or_else(|_| {
            error(
                at,
                format!("`{text}` is no turn; use turn:12 or turn:12..20"),
            )
        }),
    };
    let Some((from, to)) = value.split_once("..") else {
        let turn = number(value, at, 0)?;
        return Ok(What::Turn(turn, turn));
    };
    let to_at = at + from.chars().count() + 2;
    let (first, last) = (number(from, at, 0)?, number(to, to_at, u32::MAX)?);
    if first > last {
        return error(at, format!("turn {first} is after turn {last}"));
    }
    Ok(What::Turn(first, last))
}

/// `>2s`, `<=10ms`.
fn limit(text: &str, at: usize) -> Parsed<Limit> {
    let less = text.starts_with('<');
    let rest = &text[1..];
    let or_equal = rest.starts_with('=');
    let time = rest.strip_prefix('=').unwrap_or(rest);
    let than = time_of(time, at + 1 + usize::from(or_equal))?;
    Ok(Limit {
        less,
        or_equal,
        than,
    })
}

fn time_of(text: &str, at: usize) -> Parsed<Nanos> {
    let digits = text.len()
        - text
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
            .len();
    let (number, unit) = text.split_at(digits);
    let Ok(number) = number.parse::<f64>() else {
        return error(at, "a time is expected here, such as >2s or <10ms");
    };
    let ms = match unit {
        "ns" => 1e-6,
        "us" | "µs" | "μs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "m" | "min" => 60e3,
        "h" => 3_600e3,
        "" => {
            return error(
                at + digits,
                "a time needs its unit: ns, us, ms, s, min or h",
            );
        }
        _ => {
            return error(
                at + digits,
                format!("no unit `{unit}`; there are ns, us, ms, s, min and h"),
            );
        }
    };
    Ok(Nanos::from_millis_f64(number * ms))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn one(line: &str) -> What {
        let mut query = parse(line).unwrap();
        assert_eq!(query.terms.len(), 1, "{line}");
        query.terms.remove(0).what
    }

    fn wrong(line: &str) -> (usize, String) {
        let error = parse(line).unwrap_err();
        (error.at, error.what)
    }

    #[test]
    fn words_and_filters_are_told_apart() {
        for (line, what) in [
            ("Grep", What::Word("grep".into())),
            ("\"two Words\"", What::Word("two words".into())),
            ("\"failed\"", What::Word("failed".into())),
            ("file:src/a.rs", What::Word("file:src/a.rs".into())),
            ("http://x:1", What::Word("http://x:1".into())),
            ("\"tool:x\"", What::Word("tool:x".into())),
            ("tool:Bash", What::Tool("bash".into())),
            ("tool:\"a b\"", What::Tool("a b".into())),
            ("key:src/", What::Key("src/".into())),
            ("key:file:src/", What::Key("file:src/".into())),
            ("failed", What::Failed),
            ("outcome:failed", What::Failed),
            ("outcome:timed-out", What::Outcome(Outcome::TimedOut)),
            ("hazard", What::Hazard),
            ("several", What::Several),
            ("turn:12..20", What::Turn(12, 20)),
            ("turn:12", What::Turn(12, 12)),
            ("turn:12..", What::Turn(12, u32::MAX)),
            ("turn:..3", What::Turn(0, 3)),
            ("tols:Bash", What::Word("tols:bash".into())),
            ("args:rm", What::Args("rm".into())),
            ("waiting", What::Word("waiting".into())),
        ] {
            assert_eq!(one(line), what, "{line}");
        }
    }

    #[test]
    fn times_have_a_side_and_a_unit() {
        let limit = |less, or_equal, ms| Limit {
            less,
            or_equal,
            than: Nanos::from_millis(ms),
        };
        assert_eq!(one(">2s"), What::Ran(limit(false, false, 2_000)));
        assert_eq!(
            one("<=1.5ms").clone(),
            What::Ran(Limit {
                than: Nanos(1_500_000),
                ..limit(true, true, 0)
            })
        );
        assert_eq!(one("wait>1min"), What::Waited(limit(false, false, 60_000)));
    }

    #[test]
    fn a_minus_turns_a_term_around() {
        let query = parse("-tool:Bash -\"a b\" x").unwrap();
        let nots: Vec<bool> = query.terms.iter().map(|t| t.not).collect();
        assert_eq!(nots, [true, true, false]);
        assert_eq!(query.terms[1].what, What::Word("a b".into()));
        assert_eq!(
            one("\"-x\""),
            What::Word("-x".into()),
            "quoted it is a word"
        );
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (line, at, what) in [
            ("", 0, "nothing to search"),
            ("   ", 0, "nothing to search"),
            ("tool:Bash >2", 12, "unit"),
            ("a <x", 3, "a time is expected"),
            (">", 1, "a time is expected"),
            (">2d", 2, "no unit `d`"),
            ("wait>5", 6, "unit"),
            ("é \"abc", 2, "no end"),
            ("a -", 2, "right behind"),
            ("\"\"", 0, "hold nothing"),
            ("tool:", 5, "needs a value"),
            ("outcome:broken", 8, "no outcome `broken`"),
            ("turn:12..x", 9, "no turn"),
            ("turn:20..12", 5, "after"),
            ("x keys:src", 2, "no filter `keys:`; `key:`"),
        ] {
            let (found, said) = wrong(line);
            assert_eq!(found, at, "{line}: {said}");
            assert!(said.contains(what), "{line}: {said}");
        }
        assert_eq!(
            parse("tol:Bash").unwrap_err().to_string(),
            "column 1: no filter `tol:`; `tool:` is one, and quotes make it a word"
        );
    }
}
