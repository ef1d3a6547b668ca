//! Writes a run that was read, from whatever format, as a trace.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::bodies::Bodies;
use super::line::{self, Parent};
use super::run::{Call, Run, Turn};
use super::words::{Json, Text};
use super::write::Writer;
use crate::model::{KeyId, Outcome, Timing};
use crate::time::Nanos;

/// Writes all of `run`: turn by turn, within a turn in the order of time. Reading it back gives
/// the same threads, turns and calls.
///
/// # Errors
/// Where a body cannot be loaded or the trace not be written.
pub fn save<W: Write>(run: &Run, writer: &mut Writer<W>) -> io::Result<()> {
    writer.run(&run.meta)?;
    if run.catalog_body.len > 0 {
        let tools = Bodies::load(run, run.catalog_body)?;
        writer.catalog(&String::from_utf8_lossy(&tools))?;
    }
    let mut key_orders = BTreeMap::<u32, Vec<_>>::new();
    for order in &run.key_orders {
        key_orders.entry(order.turn).or_default().push(order);
    }
    for thread in &run.threads {
        for row in &thread.turns {
            let Some(turn) = run.turns.get(*row as usize) else {
                continue;
            };
            let calls = run.calls_of(turn);
            save_turn(run, turn, writer)?;
            for call in calls {
                save_call(run, turn, call, writer)?;
            }
            save_events(run, turn, calls, writer)?;
            let orders = key_orders.get(row).map_or(&[][..], Vec::as_slice);
            let orders = orders.iter().map(|order| {
                let tools = order.tools.iter().map(|tool| run.names.get(*tool).into());
                (Text::from(run.keys.text(order.key)), tools.collect())
            });
            writer.turn_end(&line::TurnEnd {
                thread: thread.name.as_str().into(),
                turn: turn.number,
                at_ns: turn.end.map(nanos),
                key_order: orders.collect(),
            })?;
        }
    }
    writer.run_end(line::RunEnd {
        at_ns: run.ended.map(nanos),
    })
}

fn save_turn<W: Write>(run: &Run, turn: &Turn, writer: &mut Writer<W>) -> io::Result<()> {
    let parent = run.thread(turn.thread).and_then(|thread| thread.parent);
    let first = run
        .thread(turn.thread)
        .and_then(|thread| thread.turns.first());
    let is_first = first.and_then(|row| run.turns.get(*row as usize)) == Some(turn);
    let parent = parent.filter(|_| is_first).map(|parent| Parent {
        thread: run.thread_name(parent.thread).into(),
        turn: parent.turn,
        call: parent.call,
    });
    writer.turn(&line::Turn {
        thread: run.thread_name(turn.thread).into(),
        parent,
        turn: turn.number,
        at_ns: turn.at.map(nanos),
        calls: turn.calls.len,
        model: turn.model.map(|span| line::Model {
            start_ns: span.start.0,
            end_ns: span.end.0,
            timing: turn.model_timing,
        }),
        model_name: run.names.get(turn.model_name).into(),
    })
}

fn save_call<W: Write>(
    run: &Run,
    turn: &Turn,
    call: &Call,
    writer: &mut Writer<W>,
) -> io::Result<()> {
    let args = Bodies::load(run, call.args)?;
    let args = String::from_utf8_lossy(&args);
    let keys = |ids: &[KeyId]| {
        let texts = ids.iter().map(|id| Text::from(run.keys.text(*id)));
        (!ids.is_empty()).then(|| texts.collect())
    };
    writer.call(&line::Call {
        thread: run.thread_name(turn.thread).into(),
        turn: turn.number,
        call: call.index,
        id: run.names.get(call.id).into(),
        tool: run.names.get(call.tool).into(),
        args: Json(&args),
        issued_ns: call.issued.map(nanos),
        reads: keys(run.keys_in(call.reads)),
        writes: keys(run.keys_in(call.writes)),
        opaque: Some(call.opaque),
        is_final: call.is_final,
        source: Some(call.source),
        approval: call.approval,
        stage: call.stage,
        depends_on: run.indices_in(call.depends_on).to_vec(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Ask,
    Granted,
    Start,
    End,
    Late,
}

/// Everything that happened to the calls of a turn, by time.
fn save_events<W: Write>(
    run: &Run,
    turn: &Turn,
    calls: &[Call],
    writer: &mut Writer<W>,
) -> io::Result<()> {
    let mut events: Vec<(Option<Nanos>, Event, &Call)> = Vec::new();
    for call in calls {
        let times = [
            (call.asked, Event::Ask),
            (call.granted, Event::Granted),
            (call.start, Event::Start),
            (call.late, Event::Late),
        ];
        let known = times.into_iter().filter(|(at, _)| at.is_some());
        events.extend(known.map(|(at, event)| (at, event, call)));
        if call.end.is_some() || call.outcome != Outcome::Unfinished {
            events.push((call.end.max(call.start), Event::End, call));
        }
    }
    events.sort_by_key(|(at, event, call)| (*at, *event, call.index));
    for (_, event, call) in events {
        save_event(run, turn, call, event, writer)?;
    }
    Ok(())
}

fn save_event<W: Write>(
    run: &Run,
    turn: &Turn,
    call: &Call,
    event: Event,
    writer: &mut Writer<W>,
) -> io::Result<()> {
    let thread = run.thread_name(turn.thread);
    let ask = |at: Option<Nanos>, grant| line::Ask {
        thread: thread.into(),
        turn: turn.number,
        call: call.index,
        at_ns: at.map(nanos),
        grant,
    };
    let end = |at: Option<Nanos>| line::End {
        thread: thread.into(),
        at_ns: at.map(nanos),
        ..line::End::new(turn.number, call.index, Nanos::ZERO, call.outcome)
    };
    match event {
        Event::Ask => writer.ask(&ask(call.asked, None)),
        Event::Granted => {
            let denied = call.outcome == Outcome::Denied && call.start.is_none();
            writer.granted(&ask(call.granted, Some(!denied)))
        }
        Event::Start => writer.start(&line::Start {
            thread: thread.into(),
            turn: turn.number,
            call: call.index,
            at_ns: call.start.map(nanos),
            slot: call.slot,
            cause: call
                .cause
                .map(|cause| cause.text(&run.keys))
                .unwrap_or_default()
                .into(),
            beside: run.indices_in(call.beside).to_vec(),
            carried: run
                .indices_in(call.carried)
                .chunks_exact(2)
                .map(|p| [p[0], p[1]])
                .collect(),
        }),
        Event::End => {
            let answer = Bodies::text(run, call.answer)?;
            let line = line::End {
                error: run.names.get(call.error).into(),
                timing: Some(call.timing),
                own_ns: call.own.map(nanos),
                detached_ns: call.detached.map(nanos),
                ..end(call.end)
            };
            writer.end(line, (call.answer.len > 0).then_some(&*answer))
        }
        Event::Late => {
            let line = line::End {
                timing: Some(Timing::Unknown),
                ..end(call.late)
            };
            writer.late(line, None)
        }
    }
}

const fn nanos(at: Nanos) -> u64 {
    at.0
}
