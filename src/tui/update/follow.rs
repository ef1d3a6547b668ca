//! Following a file that grows.

use super::{assumptions, detail};
use crate::trace::BodyRef;
use crate::tui::model::{Model, Overlay};
use crate::tui::msg::{Cmd, FollowNews};

/// Follows the file, or no longer.
pub(super) fn toggle(model: &mut Model) -> Cmd {
    if model.follow.on {
        model.notice = Some("The file is not followed any longer.".to_owned());
        (model.follow.on, model.follow.now) = (false, None);
        return Cmd::Unfollow;
    }
    model.follow.on = true;
    model.follow.id += 1;
    Cmd::Follow(model.follow.id)
}

/// Another run takes the place of the one that is followed.
pub(super) fn leave(model: &mut Model) -> Vec<Cmd> {
    let mut commands = Vec::new();
    commands.extend(model.follow.on.then_some(Cmd::Unfollow));
    commands.extend(model.replays.running.take().map(|_| Cmd::StopReplay));
    commands
}

/// Takes in what has become of the file. News of a file that is followed no longer are none.
pub(super) fn news(model: &mut Model, id: u32, news: FollowNews) -> Vec<Cmd> {
    let mut commands = Vec::new();
    if !model.follow.on || model.follow.id != id {
        return commands;
    }
    match news {
        FollowNews::Grown { run, facts, now } => {
            model.follow.now = now;
            if run.meta.id != model.run.meta.id {
                model.replays.done.clear();
            }
            let before = answer(model);
            commands.extend(assumptions::grown(model, run, *facts));
            let is_open = matches!(model.overlay, Some(Overlay::Detail(_)));
            if is_open && answer(model) != before {
                commands.extend(detail::open(model));
            }
        }
        FollowNews::Ended(reason) => {
            (model.follow.on, model.follow.now) = (false, None);
            model.notice = Some(reason);
        }
    }
    commands
}

/// Where the answer of the selected call lies: it comes while its call is being looked at.
fn answer(model: &Model) -> Option<BodyRef> {
    model.calls().get(model.call).map(|call| call.answer)
}

/// Quits; a run that goes on in this program is asked about first.
pub(super) fn quit(model: &mut Model) -> Vec<Cmd> {
    let goes_on = model.follow.own && model.run.ended.is_none();
    if goes_on && !model.follow.asked {
        model.follow.asked = true;
        model.notice = Some(
            "The run is still going on. Quit again to cancel it: every call gets its answer."
                .to_owned(),
        );
        return Vec::new();
    }
    vec![Cmd::Quit]
}
