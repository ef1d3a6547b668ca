//! The time that a tool takes besides its work in the database.

use tokio_util::sync::CancellationToken;

use crate::run::ToolError;
use crate::time::Nanos;

/// The time that passes between what a call reads and what it writes or answers, as it does when
/// a network or a person's decision lies between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// How long.
    pub time: Nanos,
    /// True for a request that goes on whatever it is told: it lands late.
    pub ignores_cancel: bool,
}

impl Latency {
    /// A latency that a cancel ends.
    #[must_use]
    pub const fn of(time: Nanos) -> Self {
        Self {
            time,
            ignores_cancel: false,
        }
    }

    /// Lets the time pass.
    pub(super) async fn pass(self, cancel: &CancellationToken) -> Result<(), ToolError> {
        let passes = tokio::time::sleep(self.time.into());
        if self.ignores_cancel {
            passes.await;
            return Ok(());
        }
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ToolError::Cancelled),
            () = passes => Ok(()),
        }
    }
}
