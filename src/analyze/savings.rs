//! What overlap saves, next to the model's own time.

use crate::model::Timing;
use crate::time::Nanos;

/// Whether a figure was computed or observed. A difference with a predicted side is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Figure {
    /// From a recording or a replay.
    Measured,
    /// From virtual time.
    Predicted,
}

impl Figure {
    /// The word used in files and on screens.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Predicted => "predicted",
        }
    }
}

/// How much shorter one makespan is than another, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Savings {
    /// Nanoseconds saved; negative where it takes longer.
    pub saved: i64,
    /// The whole turn: model latency and the makespan compared with. `None` without a latency.
    pub whole: Option<Nanos>,
    /// The weaker timing of the two sides.
    pub timing: Timing,
}

impl Savings {
    /// What `makespan` saves against `base`, in a turn with this model latency.
    #[must_use]
    pub fn new(base: Nanos, makespan: Nanos, model: Option<Nanos>, timing: Timing) -> Self {
        let signed = |n: Nanos| i64::try_from(n.0).unwrap_or(i64::MAX);
        Self {
            saved: signed(base) - signed(makespan),
            whole: model.map(|m| m + base),
            timing,
        }
    }

    /// The share of the whole turn, 0 to 1; `None` without a model latency.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn share(&self) -> Option<f64> {
        let whole = self.whole?;
        Some(if whole.0 == 0 {
            0.0
        } else {
            self.saved as f64 / whole.0 as f64
        })
    }

    /// The amount without its sign.
    #[must_use]
    pub const fn amount(&self) -> Nanos {
        Nanos(self.saved.unsigned_abs())
    }
}

/// A share as a person reads it: `61%`, `0.8%`, and never a bare `0%` for something.
#[must_use]
pub fn percent_of(share: f64) -> String {
    let percent = share.abs() * 100.0;
    if percent == 0.0 {
        "0%".to_owned()
    } else if percent < 0.05 {
        "<0.1%".to_owned()
    } else if percent < 9.95 {
        format!("{percent:.1}%")
    } else {
        format!("{percent:.0}%")
    }
}
