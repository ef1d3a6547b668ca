//! A tool that does nothing but take a given time and end as it was told to.

use std::collections::HashMap;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Deserialize;

use crate::model::CallKey;
use crate::run::{Answer, CallContext, Tool, ToolError};
use crate::time::Nanos;

/// How a stand-in ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scripted {
    /// It answers.
    #[default]
    Ok,
    /// It answers with an error.
    Failed,
    /// Its body panics. The process's panic hook is not run: the panic is part of the script
    /// and must not print over a screen.
    Panic,
    /// It never ends. With `ignores_cancel` it lands, `ok`, when its time is over.
    Hang,
    /// It reports that nothing is left to try.
    Fatal,
}

/// What stands in for one call's tool: the `stand_in` object of a scenario.
///
/// 1. It ends `time` after its start, on tokio's clock; that clock has a granularity of 1 ms and
///    rounds up.
/// 2. A cancel ends it at once, unless `ignores_cancel`.
/// 3. With `ignores_cancel` it also survives its abort and lands late.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Fields")]
pub struct StandIn {
    /// How long it takes; `ms` in a scenario, which may be fractional.
    pub time: Nanos,
    /// How it ends.
    pub outcome: Scripted,
    /// The answer, or the text of the error or panic.
    pub answer: String,
    /// True for work that goes on whatever it is told, as a request to another machine does.
    pub ignores_cancel: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    ms: Option<f64>,
    #[serde(default)]
    outcome: Scripted,
    #[serde(default)]
    answer: String,
    #[serde(default)]
    ignores_cancel: bool,
}

impl TryFrom<Fields> for StandIn {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let time = match fields.ms {
            Some(ms) if ms.is_finite() && ms >= 0.0 => Nanos::from_millis_f64(ms),
            Some(ms) => return Err(format!("`ms` is {ms}: give milliseconds from 0")),
            // A time that was left out is not known, and must not pass for zero.
            None if fields.outcome == Scripted::Hang && !fields.ignores_cancel => Nanos::ZERO,
            None => return Err("missing field `ms`: give milliseconds from 0".to_owned()),
        };
        Ok(Self {
            time,
            outcome: fields.outcome,
            answer: fields.answer,
            ignores_cancel: fields.ignores_cancel,
        })
    }
}

impl StandIn {
    /// One that answers `answer` after `time`.
    #[must_use]
    pub fn ok(time: Nanos, answer: impl Into<String>) -> Self {
        Self {
            time,
            answer: answer.into(),
            ..Self::default()
        }
    }

    async fn run(self, context: CallContext) -> Result<Answer, ToolError> {
        let body = self.body();
        if self.ignores_cancel {
            return body.await;
        }
        if context.cancel.is_cancelled() {
            return Err(ToolError::Cancelled);
        }
        tokio::select! {
            biased;
            ended = body => ended,
            () = context.cancel.cancelled() => Err(ToolError::Cancelled),
        }
    }

    async fn body(&self) -> Result<Answer, ToolError> {
        if self.outcome == Scripted::Hang && !self.ignores_cancel {
            return std::future::pending().await;
        }
        tokio::time::sleep(Duration::from(self.time)).await;
        let text = self.answer.clone();
        match self.outcome {
            Scripted::Ok | Scripted::Hang => Ok(Answer::text(text)),
            Scripted::Failed => Err(ToolError::Failed(text)),
            Scripted::Fatal => Err(ToolError::Fatal(text)),
            Scripted::Panic => std::panic::resume_unwind(Box::new(text)),
        }
    }
}

/// The stand-ins of a whole scenario: one tool object, one [`StandIn`] a call.
#[derive(Clone, Debug, Default)]
pub struct StandIns {
    calls: HashMap<CallKey, StandIn>,
}

impl StandIns {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what stands in for a call; the one it replaces, if there was one.
    pub fn insert(&mut self, key: CallKey, stand_in: StandIn) -> Option<StandIn> {
        self.calls.insert(key, stand_in)
    }

    /// What stands in for a call.
    #[must_use]
    pub fn get(&self, key: CallKey) -> Option<&StandIn> {
        self.calls.get(&key)
    }
}

impl FromIterator<(CallKey, StandIn)> for StandIns {
    fn from_iter<I: IntoIterator<Item = (CallKey, StandIn)>>(calls: I) -> Self {
        Self {
            calls: calls.into_iter().collect(),
        }
    }
}

impl Tool for StandIns {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        match self.get(context.key).cloned() {
            Some(stand_in) => stand_in.run(context).boxed(),
            None => {
                let CallKey {
                    thread,
                    turn,
                    index,
                } = context.key;
                let text = format!(
                    "no stand-in for call {index} of turn {turn} in thread {}: give the call a `stand_in`",
                    thread.0
                );
                futures::future::ready(Err(ToolError::Failed(text))).boxed()
            }
        }
    }

    fn survives_abort(&self, context: &CallContext) -> bool {
        self.get(context.key).is_some_and(|s| s.ignores_cancel)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(json: &str) -> Result<StandIn, String> {
        serde_json::from_str(json).map_err(|e| e.to_string())
    }

    #[test]
    fn a_scenarios_object_reads_as_it_is_written() {
        let full = r#"{"ms":100,"outcome":"ok","answer":"done","ignores_cancel":false}"#;
        assert_eq!(
            read(full).unwrap(),
            StandIn::ok(Nanos::from_millis(100), "done")
        );
        assert_eq!(read(r#"{"ms":2.5}"#).unwrap().time, Nanos(2_500_000));
        let hang = read(r#"{"outcome":"hang"}"#).unwrap();
        assert_eq!(hang.outcome, Scripted::Hang);
    }

    #[test]
    fn a_time_that_is_missing_or_none_is_refused() {
        for json in [
            "{}",
            r#"{"outcome":"fatal"}"#,
            r#"{"outcome":"hang","ignores_cancel":true}"#,
            r#"{"ms":-1}"#,
            r#"{"ms":null}"#,
        ] {
            assert!(read(json).unwrap_err().contains("`ms`"), "{json}");
        }
        assert!(
            read(r#"{"ms":1,"mss":2}"#)
                .unwrap_err()
                .contains("unknown field `mss`")
        );
        assert!(read(r#"{"ms":1,"outcome":"late"}"#).is_err());
    }
}
