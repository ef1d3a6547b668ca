//! Reads tickets: `id;opened;waiting;plan;subject`, one line each.

use std::fmt;

use crate::ticket::{Plan, Ticket};

/// A line that is no ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Its number, from 1.
    pub line: usize,
    /// The field that is wrong.
    pub field: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} is missing or wrong", self.line, self.field)
    }
}

impl std::error::Error for ParseError {}

/// Reads all tickets of a text. Empty lines and lines that begin with `#` are passed over.
pub fn parse(text: &str) -> Result<Vec<Ticket>, ParseError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(i, line)| ticket(line).map_err(|field| ParseError { line: i + 1, field }))
        .collect()
}

fn ticket(line: &str) -> Result<Ticket, &'static str> {
    // The subject comes last, so that it may hold a semicolon.
    let mut fields = line.splitn(5, ';').map(str::trim);
    let mut next = |name| fields.next().filter(|f| !f.is_empty()).ok_or(name);
    Ok(Ticket {
        id: number(next("id")?, "id")?,
        opened: number(next("opened")?, "opened")?,
        waiting: number(next("waiting")?, "waiting")?,
        plan: Plan::named(next("plan")?).ok_or("plan")?,
        subject: next("subject")?.to_owned(),
    })
}

fn number(text: &str, field: &'static str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_may_hold_a_semicolon() {
        let tickets = parse("7;60;0;team;Invoice; wrong name").unwrap();
        assert_eq!(tickets[0].subject, "Invoice; wrong name");
    }

    #[test]
    fn comments_and_empty_lines_are_passed_over() {
        assert_eq!(parse("# id;opened\n\n  \n"), Ok(Vec::new()));
    }

    #[test]
    fn an_error_names_the_line_and_the_field() {
        let error = parse("1;0;0;free;Hello\n2;soon;0;free;Hello").unwrap_err();
        assert_eq!(error.to_string(), "line 2: opened is missing or wrong");
    }
}
