//! Two schedules on one clock.

use super::dispatch::scrolled;
use super::play;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Clock, Model, Overlay, Race, moments, rival};
use crate::tui::report::Drawn;

/// Starts a race of the drawn schedule.
pub(super) fn open(model: &mut Model) {
    let first = model.schedule().map(|schedule| schedule.drawn);
    let second = first
        .zip(model.report.as_ref())
        .and_then(|(first, report)| rival(report, first));
    let race = first.zip(second).map(|(first, second)| Race {
        first,
        second,
        clock: Clock::started(),
        top: 0,
    });
    let race = race.filter(|race| {
        let runners = model.runners(race);
        runners.is_some_and(|(first, second)| Race::end(first, second).0 > 0)
    });
    match race {
        Some(race) => model.overlay = Some(Overlay::Race(race)),
        None => model.notice = Some("Nothing to race: this turn has no times.".to_owned()),
    }
}

/// A key while a race is open. A replay that runs has its own clock.
pub(super) fn act(model: &mut Model, action: Action) {
    let Some(Overlay::Race(mut race)) = model.overlay else {
        return;
    };
    let calls = model.calls().len();
    let rows = model.panels().map_or(0, |panels| {
        layout::race_parts(layout::overlay(&panels), calls).lanes
    });
    if let Some(top) = scrolled(race.top, calls, rows.into(), action) {
        race.top = top;
    } else if model.replays.running.is_none() {
        match action {
            Action::Race => {
                model.overlay = None;
                return;
            }
            Action::NextPolicy => change(model, &mut race, 1),
            Action::PreviousPolicy => change(model, &mut race, -1),
            _ => turn_clock(model, &mut race, action),
        }
    }
    model.overlay = Some(Overlay::Race(race));
}

fn turn_clock(model: &mut Model, race: &mut Race, action: Action) {
    if let Some(speed) = play::speed(action) {
        model.player.speed = speed;
    }
    if let Some((first, second)) = model.runners(race) {
        let times = || {
            let mut times = moments(first);
            times.extend(moments(second));
            times
        };
        play::turn_clock(&mut race.clock, action, Race::end(first, second), times);
    }
}

/// Races the first against another one, from the beginning.
fn change(model: &Model, race: &mut Race, step: isize) {
    let Some(report) = &model.report else { return };
    let others = report.schedules.iter().map(|schedule| schedule.drawn);
    let others: Vec<Drawn> = others.filter(|drawn| *drawn != race.first).collect();
    let at = others.iter().position(|drawn| *drawn == race.second);
    let len = others.len().max(1).cast_signed();
    let to = (at.unwrap_or(0).cast_signed() + step).rem_euclid(len);
    if let Some(second) = others.get(to.cast_unsigned()) {
        race.second = *second;
        race.clock = Clock::started();
    }
}
