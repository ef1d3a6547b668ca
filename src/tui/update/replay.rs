//! Replaying the selected turn with stand-ins.

use crate::analyze::{TurnCase, WhatIfOptions, what_if_turn};
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::tui::model::{Clock, Measured, Model, Overlay, Race, Replaying};
use crate::tui::msg::{Cmd, ReplayNews, ReplayRequest};
use crate::tui::report::Drawn;

/// A replay that takes longer than this is asked about first.
const LONG: Nanos = Nanos::from_millis(30_000);

/// Starts a replay under the drawn policy, or says why there is none.
pub(super) fn start(model: &mut Model) -> Option<Cmd> {
    match request(model) {
        Ok(request) => Some(begin(model, request)),
        Err(reason) => {
            model.notice = Some(reason);
            None
        }
    }
}

/// What is to be run; or what the user has to know or do first.
fn request(model: &mut Model) -> Result<Replaying, String> {
    let asked = model.replays.asked.take();
    let turn = model.turns().get(model.turn).map(|turn| *turn as usize);
    let record = turn.and_then(|turn| model.run.turns.get(turn));
    let (Some(turn), Some(record)) = (turn, record) else {
        return Err("There is no turn to replay.".to_owned());
    };
    let case = TurnCase::of(&model.run, record);
    let calls = case.calls.len();
    match case.unknown_calls() {
        _ if calls == 0 => return Err("This reply asks for no calls to replay.".to_owned()),
        0 => {}
        unknown => {
            return Err(format!(
                "Turn {} cannot be replayed: {unknown} of its {calls} calls have no known duration.",
                case.number
            ));
        }
    }
    let policy = policy(model)?;
    let options = WhatIfOptions {
        policies: vec![policy],
        ..model.options.clone()
    };
    let result = what_if_turn(&case, &model.run.keys, &options);
    let predicted = result.policies.first().and_then(|p| p.makespan);
    let takes = predicted.unwrap_or_default();
    if takes > LONG && asked != Some((turn, policy)) {
        model.replays.asked = Some((turn, policy));
        return Err(format!(
            "Replaying under {policy} takes {takes} (predicted). R again starts it."
        ));
    }
    Ok(Replaying {
        id: model.replays.last_id + 1,
        turn: model.turn_name().unwrap_or_default(),
        policy,
        rows: Replaying::issued(&case),
        case,
        options,
        predicted,
        elapsed: Nanos::ZERO,
    })
}

/// The drawn policy; of a recording the one that it was made under.
fn policy(model: &Model) -> Result<Policy, String> {
    match model.drawn {
        Drawn::Predicted(policy) | Drawn::Measured(policy) => Ok(policy),
        Drawn::Recorded => {
            let recorded = model.report.as_ref().map_or("", |report| &report.policy);
            recorded.parse().map_err(|_| {
                "The file does not say under which policy this ran: choose one with p, then R replays it."
                    .to_owned()
            })
        }
    }
}

fn begin(model: &mut Model, running: Replaying) -> Cmd {
    let request = ReplayRequest {
        id: running.id,
        case: running.case.clone(),
        policy: running.policy,
        options: running.options.clone(),
    };
    let policy = running.policy;
    let predicted = Drawn::Predicted(policy);
    let has = |drawn| {
        model
            .report
            .as_ref()
            .is_some_and(|r| r.find(drawn).is_some())
    };
    model.overlay = Some(Overlay::Race(Race {
        first: if has(predicted) {
            predicted
        } else {
            Drawn::Recorded
        },
        second: Drawn::Measured(policy),
        clock: Clock::default(),
        top: 0,
    }));
    model.player.clock = None;
    model.replays.last_id = running.id;
    model.replays.running = Some(running);
    Cmd::Replay(Box::new(request))
}

/// Cancels the replay that runs, if there is one.
pub(super) fn cancel(model: &mut Model) -> Option<Cmd> {
    let stopped = model.replays.running.take()?;
    model.notice = Some(format!(
        "The replay under {} was cancelled.",
        stopped.policy
    ));
    Some(Cmd::StopReplay)
}

/// Takes in what has happened in a replay; of one that was cancelled nothing.
pub(super) fn news(model: &mut Model, id: u32, news: &ReplayNews) {
    let Some(mut running) = model.replays.running.take_if(|running| running.id == id) else {
        return;
    };
    match news {
        ReplayNews::Over => over(model, &running),
        ReplayNews::Failed(reason) => {
            model.notice = Some(format!("Nothing was measured: {reason}"));
            if matches!(model.overlay, Some(Overlay::Race(_))) {
                model.overlay = None;
            }
        }
        ReplayNews::Started { .. } | ReplayNews::Ended { .. } => {
            running.take(news);
            model.replays.running = Some(running);
        }
    }
}

fn over(model: &mut Model, running: &Replaying) {
    let schedule = model.measured_schedule(running);
    let drawn = schedule.drawn;
    let end = schedule.extent;
    let measured = Measured {
        turn: running.turn.clone(),
        policy: running.policy,
        predicted: running.predicted,
        schedule,
    };
    let same = |m: &Measured| m.turn == measured.turn && m.policy == measured.policy;
    model.replays.done.retain(|m| !same(m));
    model.replays.done.push(measured);
    model.add_measured();
    if let Some(Overlay::Race(race)) = &mut model.overlay {
        race.clock = Clock {
            at: end,
            runs: false,
        };
    }
    let here = model
        .report
        .as_ref()
        .is_some_and(|r| r.find(drawn).is_some());
    if here {
        model.drawn = drawn;
        model.zoom = None;
    }
}
