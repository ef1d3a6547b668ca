//! A file of JSON values: one document, however it is laid out, or one value a line.

use std::io;
use std::path::Path;

use super::document::Document;
use super::draft::Draft;
use super::lines::read_lines;
use super::place::At;
use crate::trace::input::Input;
use crate::trace::json;

/// Gives every value of a file to `take`; its error says why a value is none of the format.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn read_values(
    draft: &mut Draft,
    path: &Path,
    mut input: Input,
    mut take: impl FnMut(&mut Draft, At<'_>) -> serde_json::Result<()>,
) -> io::Result<()> {
    let by_line = is_by_line(&mut input)?;
    input.restart()?;
    if by_line {
        return read_lines(draft, path, input, take);
    }
    let document = Document::read(draft, path, input)?;
    let at = document.at();
    if let Err(error) = take(draft, at) {
        draft.skipped().bad_line(1, at.offset, error.to_string());
    }
    Ok(())
}

/// True where the first line is a whole value, or the second one behind a broken first.
fn is_by_line(input: &mut Input) -> io::Result<bool> {
    let mut first = true;
    while let Some(line) = input.next_line()? {
        let text = std::str::from_utf8(line.bytes).unwrap_or_default().trim();
        if text.is_empty() && !line.bytes.is_empty() && !line.too_long {
            continue;
        }
        if !text.is_empty() && json::is_value(text) {
            return Ok(first || text.starts_with('{'));
        }
        // A document that is laid out over lines begins with a bracket alone.
        if !first || text.len() < 10 {
            return Ok(false);
        }
        first = false;
    }
    Ok(false)
}

/// The values in `at`: the elements of a list, or the one value that it is.
pub(super) fn each_in<'a>(at: At<'a>) -> serde_json::Result<Vec<&'a str>> {
    let text = at.text.trim();
    if text.starts_with('[') {
        let items = json::items(text)?;
        return Ok(items.into_iter().map(|item| item.get()).collect());
    }
    Ok(vec![text])
}
