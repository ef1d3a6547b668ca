//! How a call ended, by what its event says.

use crate::model::Outcome;

/// What the type of a tool's error says.
pub(super) fn of_error(kind: &str) -> Outcome {
    match kind {
        "timeout" => Outcome::TimedOut,
        "approval" => Outcome::Denied,
        "parsing" => Outcome::BadArgs,
        "cancelled" => Outcome::Cancelled,
        // A file that is not there, a limit that was reached, ...: the tool ran and failed.
        _ => Outcome::Failed,
    }
}
