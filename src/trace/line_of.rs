//! Lines for what is known, and back.

use super::line::{Call, Run};
use super::run::Meta;
use super::words::{self, Json, Slots, Text};
use crate::model::{CallRequest, Effects, KeyTable};

impl<'a> Run<'a> {
    /// The line for what is known of a run.
    #[must_use]
    pub fn of(meta: &'a Meta) -> Self {
        Self {
            format: "turnlane".into(),
            version: 1,
            id: meta.id.as_str().into(),
            at: meta.at.as_str().into(),
            policy: meta.policy.as_str().into(),
            slots: Slots::of(&meta.slots),
            on_failure: meta.on_failure.as_str().into(),
            deadline_ms: meta.deadline.and_then(words::millis),
            model: meta.model.as_str().into(),
            task: meta.task.as_str().into(),
            source: meta.source.as_str().into(),
            folder: meta.folder.as_str().into(),
        }
    }

    /// What the line says of the run.
    #[must_use]
    pub fn meta(&self) -> Meta {
        Meta {
            id: self.id.to_string(),
            at: self.at.to_string(),
            policy: self.policy.to_string(),
            slots: self.slots.as_ref().map_or_else(String::new, Slots::text),
            on_failure: self.on_failure.to_string(),
            deadline: self.deadline_ms.as_ref().and_then(words::nanos),
            model: self.model.to_string(),
            task: self.task.to_string(),
            source: self.source.to_string(),
            folder: self.folder.to_string(),
        }
    }
}

impl<'a> Call<'a> {
    /// The line of a call of `main`; the caller sets thread, times, stage and approval.
    #[must_use]
    pub fn of(
        turn: u32,
        call: u32,
        request: &'a CallRequest,
        effects: &Effects,
        keys: &'a KeyTable,
    ) -> Self {
        let texts = |ids: &[_]| ids.iter().map(|id| Text::from(keys.text(*id))).collect();
        Self {
            turn,
            call,
            id: request.id.as_str().into(),
            tool: request.tool.as_str().into(),
            args: Json(&request.args),
            reads: (!effects.reads.is_empty()).then(|| texts(&effects.reads)),
            writes: (!effects.writes.is_empty()).then(|| texts(&effects.writes)),
            opaque: Some(effects.opaque),
            is_final: effects.is_final,
            source: Some(effects.source),
            depends_on: request.depends_on.clone(),
            ..Self::default()
        }
    }
}
