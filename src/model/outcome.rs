//! How a call ended.

use std::fmt;
use std::str::FromStr;

/// How a call ended, or that it did not. States, never zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The tool answered.
    Ok,
    /// The tool answered with an error.
    Failed,
    /// The tool's body panicked; its neighbours did not notice.
    Panicked,
    /// Its slice ran out and it acknowledged the cancellation, or it only reads.
    TimedOut,
    /// Its slice ran out and nobody knows whether it wrote.
    Indeterminate,
    /// The store refused a write made against an old revision.
    Conflict,
    /// A person or a rule said no.
    Denied,
    /// The catalog holds no such tool.
    UnknownTool,
    /// The arguments are not what the tool takes.
    BadArgs,
    /// Stopped, or never started, because the turn was cancelled or a sibling failed.
    Cancelled,
    /// Never started: an earlier call ended the turn.
    NotRun,
    /// A recorded start without an end.
    Unfinished,
}

impl Outcome {
    /// Every outcome, in the order of the declaration.
    pub const ALL: [Self; 12] = [
        Self::Ok,
        Self::Failed,
        Self::Panicked,
        Self::TimedOut,
        Self::Indeterminate,
        Self::Conflict,
        Self::Denied,
        Self::UnknownTool,
        Self::BadArgs,
        Self::Cancelled,
        Self::NotRun,
        Self::Unfinished,
    ];

    /// The word used in files and on screens.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::TimedOut => "timed_out",
            Self::Indeterminate => "indeterminate",
            Self::Conflict => "conflict",
            Self::Denied => "denied",
            Self::UnknownTool => "unknown_tool",
            Self::BadArgs => "bad_args",
            Self::Cancelled => "cancelled",
            Self::NotRun => "not_run",
            Self::Unfinished => "unfinished",
        }
    }

    /// True for the outcomes that a failure rule reacts to. `cancelled` and `not_run` are
    /// consequences, not failures.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Self::Failed
                | Self::Panicked
                | Self::TimedOut
                | Self::Indeterminate
                | Self::Conflict
                | Self::Denied
                | Self::UnknownTool
                | Self::BadArgs
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Outcome {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|o| o.word() == text).ok_or(())
    }
}
