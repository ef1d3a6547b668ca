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

#[cfg(test)]
mod tests {
    use super::pretty;

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
