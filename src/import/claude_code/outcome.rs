//! How a call ended, by what its error result says. Every error result looks the same but for its
//! text: a rule table reads it, and what no rule knows has failed.

use crate::model::Outcome;

/// Where a rule's words stand in an error text.
#[derive(Clone, Copy, Debug)]
enum At {
    /// At its very beginning.
    Start,
    /// At the beginning of one of its lines.
    Line,
    /// Anywhere in its first line.
    FirstLine,
}

/// Wraps what the harness itself says instead of a tool.
const TAG: &str = "<tool_use_error>";

/// The first rule that fits decides.
const RULES: [(At, &str, Outcome); 17] = {
    use At::{FirstLine, Line, Start};
    use Outcome::{BadArgs, Cancelled, Denied, TimedOut, UnknownTool};
    [
        (
            Start,
            "The user doesn't want to proceed with this tool use",
            Denied,
        ),
        (Start, "The user doesn't want to take this action", Denied),
        (Start, "Permission to use ", Denied),
        (Start, "Permission for this action has been denied", Denied),
        (Start, "Claude requested permissions to ", Denied),
        (Start, "This command requires approval", Denied),
        (FirstLine, "blocked by hook", Denied),
        (FirstLine, "hook blocked", Denied),
        (FirstLine, "denied this tool", Denied),
        (Start, "Sibling tool call errored", Cancelled),
        (Start, "Cancelled: parallel tool call", Cancelled),
        (Line, "[Request interrupted by user", Cancelled),
        (Start, "Error: No such tool available", UnknownTool),
        (Start, "No such tool available", UnknownTool),
        (Line, "Command timed out after ", TimedOut),
        (Line, "Error: Command timed out after ", TimedOut),
        (Start, "InputValidationError", BadArgs),
    ]
};

/// What the text of an error result says.
pub(super) fn of_error(text: &str) -> Outcome {
    let text = text.trim_start();
    let (text, tagged) = match text.strip_prefix(TAG) {
        Some(inside) => (inside.trim_start(), true),
        None => (text, false),
    };
    let fits = |(at, words, _): &&(At, &str, Outcome)| match at {
        At::Start => text.starts_with(words),
        At::Line => text.lines().any(|line| line.starts_with(words)),
        At::FirstLine => text.lines().next().is_some_and(|line| line.contains(words)),
    };
    match RULES.iter().find(fits) {
        Some((_, _, outcome)) => *outcome,
        // The harness refused the arguments: the tool itself never ran.
        None if tagged => Outcome::BadArgs,
        None => Outcome::Failed,
    }
}

/// True where no body ran, so that there is no start.
pub(super) const fn never_ran(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Denied | Outcome::BadArgs | Outcome::UnknownTool
    )
}
