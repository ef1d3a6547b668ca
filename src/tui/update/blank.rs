//! Hiding payloads from others' eyes, and showing them again.

use std::sync::Arc;

use super::{compare, detail};
use crate::trace::Run;
use crate::tui::model::{Facts, Model};
use crate::tui::msg::Cmd;

/// Blanks all payloads on the screen, or shows them again. The screen gets a run that has none:
/// whatever draws from it cannot show one.
pub(super) fn toggle(model: &mut Model) -> Vec<Cmd> {
    let said = if model.run.blank {
        model.unveil();
        "Payloads are shown."
    } else {
        model.find.copying = None;
        model.veil();
        "Payloads are blanked; X shows them again."
    };
    model.notice = Some(said.to_owned());
    compare::compose(model);
    detail::load(model).into_iter().collect()
}

/// Asks for the verdict on a blanked run: the sentences on the whole one name keys.
pub(super) fn judge(model: &mut Model) -> Option<Cmd> {
    if !model.run.blank || !model.is_unjudged() || model.find.judging {
        return None;
    }
    model.find.judging = true;
    Some(Cmd::JudgeAgain(Box::new(model.options.clone())))
}

/// Takes in what was found of a run: that of the blanked run for the screen, that of the whole
/// one for later. Of any other run it comes too late.
pub(super) fn judged(model: &mut Model, run: &Arc<Run>, facts: Facts) {
    if facts.blank {
        model.find.judging = false;
        if Arc::ptr_eq(run, &model.run) {
            model.facts = facts;
        }
    } else if Arc::ptr_eq(run, &model.what_if.assumptions.run) {
        model.judged(facts);
    }
}
