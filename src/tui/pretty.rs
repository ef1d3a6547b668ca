//! JSON with line breaks, without changing a character of it. Works on a value that was cut off.

const INDENT: &str = "  ";

/// The text with line breaks and indentation between the tokens where it looks like JSON;
/// anything else comes back as it is.
pub(super) fn pretty(text: &str) -> String {
    let trimmed = text.trim_start();
    if !trimmed.starts_with(['{', '[']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0usize;
    let mut rest = trimmed.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => copy_string(&mut rest, &mut out),
            '{' | '[' => {
                out.push(c);
                skip_space(&mut rest);
                if let Some(close) = rest.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(depth, &mut out);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(depth, &mut out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(depth, &mut out);
            }
            ':' => out.push_str(": "),
            // A line after the value means several values: JSON lines.
            '\n' if depth == 0 => out.push('\n'),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Copies the rest of a string, its closing quote included.
fn copy_string(rest: &mut Chars<'_>, out: &mut String) {
    out.push('"');
    while let Some(c) = rest.next() {
        out.push(c);
        match c {
            '"' => return,
            '\\' => out.extend(rest.next()),
            _ => {}
        }
    }
}

fn skip_space(rest: &mut Chars<'_>) {
    while rest.next_if(char::is_ascii_whitespace).is_some() {}
}

fn new_line(depth: usize, out: &mut String) {
    out.push('\n');
    // Deeper than a screen is wide helps nobody.
    out.extend(std::iter::repeat_n(INDENT, depth.min(20)));
}

/// For every line of a pretty text the line that ends the block it starts, where it starts one.
pub(super) fn blocks(pretty: &str) -> Vec<Option<usize>> {
    let mut ends = Vec::new();
    let mut open = Vec::new();
    for (at, line) in pretty.lines().enumerate() {
        ends.push(None);
        if line.trim_start().starts_with(['}', ']'])
            && let Some(start) = open.pop()
        {
            let start: usize = start;
            ends[start] = Some(at);
        }
        if line.ends_with(['{', '[']) {
            open.push(at);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::{blocks, pretty};

    #[test]
    fn a_block_goes_from_its_bracket_to_the_one_that_closes_it() {
        let text = pretty(r#"{"a":[1,{"b":2}],"c":"x {","d":{}}"#);
        let found: Vec<_> = blocks(&text).into_iter().enumerate().collect();
        let found: Vec<_> = found
            .into_iter()
            .filter_map(|(at, end)| Some((at, end?)))
            .collect();
        assert_eq!(found, [(0, 9), (1, 6), (3, 5)], "{text}");
        assert_eq!(
            blocks("]\n{\n["),
            [None, None, None],
            "what has no end does not fold"
        );
    }

    #[test]
    fn json_gets_lines_and_keeps_every_character() {
        assert_eq!(
            pretty(r#" {"a":[1, 2],"b":{},"c":"x,{\"y\"}"}"#),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": \"x,{\\\"y\\\"}\"\n}"
        );
    }

    #[test]
    fn a_value_that_was_cut_off_is_laid_out_as_far_as_it_goes() {
        assert_eq!(pretty(r#"{"a":"b"#), "{\n  \"a\": \"b");
        assert_eq!(pretty("]]"), "]]");
        assert_eq!(pretty("[]]]"), "[]\n]\n]");
    }

    #[test]
    fn text_that_is_no_json_stays_as_it_is() {
        assert_eq!(pretty("fn main() {}\n"), "fn main() {}\n");
    }
}
