//! Playing the drawn schedule.

use std::collections::BTreeSet;

use crate::time::Nanos;
use crate::tui::keymap::Action;
use crate::tui::model::{Clock, Model, Overlay, Race, Speed, moments};

/// A speed that a key asks for.
pub(super) const fn speed(action: Action) -> Option<Speed> {
    match action {
        Action::SpeedReal => Some(Speed::Real),
        Action::SpeedTen => Some(Speed::Ten),
        Action::SpeedHundred => Some(Speed::Hundred),
        Action::SpeedFit => Some(Speed::Fit),
        _ => None,
    }
}

/// What a key does to a clock; false where it is for something else.
pub(super) fn turn_clock(
    clock: &mut Clock,
    action: Action,
    end: Nanos,
    times: impl FnOnce() -> BTreeSet<Nanos>,
) -> bool {
    match action {
        Action::Play => clock.toggle(end),
        Action::StepBack => clock.step(&times(), false),
        Action::StepOn => clock.step(&times(), true),
        Action::PanLeft => clock.scrub(end, false),
        Action::PanRight => clock.scrub(end, true),
        _ => return false,
    }
    true
}

/// Plays, where the action is one of playing or scrubs what is played.
pub(super) fn act(model: &mut Model, action: Action) -> bool {
    let scrubs = matches!(action, Action::PanLeft | Action::PanRight) && !model.run_view.shown;
    let plays = matches!(action, Action::Play | Action::StepBack | Action::StepOn);
    if let Some(speed) = speed(action) {
        model.player.speed = speed;
        if model.player.clock.is_none() {
            model.notice = Some(format!("Space plays what is drawn {}.", speed.words()));
        }
        return true;
    }
    if !(plays || scrubs && model.player.clock.is_some()) {
        return false;
    }
    let Some(end) = model.play_end() else {
        model.notice = Some("Nothing to play: this turn has no times.".to_owned());
        return true;
    };
    // What is played is a turn: it has to be on the screen.
    model.run_view.shown = false;
    let times = model.schedule().map(moments).unwrap_or_default();
    // Stepping back from the whole turn begins at its end.
    let beginning = Clock {
        at: if action == Action::StepBack {
            end
        } else {
            Nanos::ZERO
        },
        runs: false,
    };
    let mut clock = model.player.clock.unwrap_or(beginning);
    turn_clock(&mut clock, action, end, || times);
    model.player.clock = Some(clock);
    reveal(model);
    true
}

/// Time goes by.
pub(super) fn tick(model: &mut Model, passed: Nanos) {
    let speed = model.player.speed;
    if let Some(now) = &mut model.follow.now {
        *now += passed;
    }
    if let Some(running) = &mut model.replays.running {
        running.elapsed += passed;
    }
    if let Some(mut clock) = model.player.clock {
        clock.pass(passed, speed, model.play_end().unwrap_or_default());
        model.player.clock = Some(clock);
        reveal(model);
    }
    if let Some(Overlay::Race(mut race)) = model.overlay {
        let runners = model.runners(&race);
        let end = runners.map_or(Nanos::ZERO, |(first, second)| Race::end(first, second));
        race.clock.pass(passed, speed, end);
        model.overlay = Some(Overlay::Race(race));
    }
}

/// Another schedule is drawn: the clock stays where it is, as far as that one goes.
pub(super) fn redrawn(model: &mut Model) {
    let end = model.play_end();
    model.player.clock = model.player.clock.zip(end).map(|(clock, end)| Clock {
        at: clock.at.min(end),
        ..clock
    });
}

/// Where a part of the turn is on the screen, the clock stays in it.
fn reveal(model: &mut Model) {
    if let (Some(zoom), Some(clock)) = (model.zoom, model.player.clock) {
        model.zoom = Some(zoom.reveal(clock.at));
    }
}
