//! A call's stand-in: what happens in place of the real tool.

use serde::{Deserialize, Serialize};

use crate::time::Nanos;

/// How a stand-in ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandInOutcome {
    /// It answers.
    #[default]
    Ok,
    /// It fails with its answer as the error text.
    Failed,
    /// Its body panics.
    Panic,
    /// It never ends; one that ignores cancellation lands at its time.
    Hang,
    /// It fails and nothing is left to try.
    Fatal,
}

/// What happens in place of the real tool, as a scenario writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StandIn {
    /// How long it takes, in milliseconds; fractions are allowed.
    pub ms: f64,
    /// How it ends.
    pub outcome: StandInOutcome,
    /// The answer, or the error's text.
    pub answer: String,
    /// True where being told to stop does not stop it.
    pub ignores_cancel: bool,
}

impl StandIn {
    /// How long it takes.
    #[must_use]
    pub fn takes(&self) -> Nanos {
        Nanos::from_millis_f64(self.ms)
    }
}
