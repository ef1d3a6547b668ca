//! From one line of a trace to the columns of the run.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::rows::{Rows, label, small};
use super::run::{BodyRef, Call, KeyOrder, ParentCall, Pooled};
use super::skipped::Skipped;
use super::{Text, json, known, line};
use crate::model::{Catalog, Cause, KeyId, Outcome, Source, Timing};
use crate::time::{Nanos, Span};

/// Side files named so far, and where they are looked for.
#[derive(Debug)]
pub(crate) struct Sides {
    folder: PathBuf,
    numbers: HashMap<String, u32>,
}

impl Sides {
    pub(crate) fn beside(trace: &Path) -> Self {
        Self {
            folder: trace.parent().map(Path::to_owned).unwrap_or_default(),
            numbers: HashMap::new(),
        }
    }

    /// The file's number in the run. A name that leads out of the trace's folder is none: opening
    /// a trace must not show another file.
    fn number(&mut self, rows: &mut Rows, name: &str) -> Option<u32> {
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let mut parts = Path::new(name).components();
        let (Some(Component::Normal(only)), None) = (parts.next(), parts.next()) else {
            return None;
        };
        if only.to_str() != Some(name) || name.contains(['\\', ':']) {
            return None;
        }
        let number = small(rows.run.files.len());
        rows.run.files.push(self.folder.join(name));
        self.numbers.insert(name.to_owned(), number);
        Some(number)
    }
}

/// Takes one line of any kind but `run`; `false` where the kind is not known.
pub(crate) fn record(
    rows: &mut Rows,
    sides: &mut Sides,
    kind: &str,
    text: &str,
    offset: u64,
) -> serde_json::Result<bool> {
    match kind {
        "catalog" => catalog(rows, text, offset)?,
        "turn" => turn(rows, text)?,
        "call" => call(rows, text, offset)?,
        "start" => start(rows, text)?,
        "ask" | "granted" => ask(rows, text, kind == "ask")?,
        "end" => end(rows, sides, text, offset)?,
        "late" => late(rows, text)?,
        "turn_end" => turn_end(rows, text)?,
        "resume" => {
            let line: line::Resume<'_> = parse(text, &mut rows.run.skipped)?;
            rows.run.resumed.push(Nanos(line.at_ns.unwrap_or_default()));
        }
        "run_end" => {
            let line: line::RunEnd = parse(text, &mut rows.run.skipped)?;
            rows.run.ended = line.at_ns.map(Nanos);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// One line as its type; fields that the type does not have are counted.
pub(crate) fn parse<'a, T: Deserialize<'a>>(
    text: &'a str,
    skipped: &mut Skipped,
) -> serde_json::Result<T> {
    known::parse(text, &mut |name| skipped.unknown_field(name))
}

fn catalog(rows: &mut Rows, text: &str, offset: u64) -> serde_json::Result<()> {
    use serde::de::Error as _;
    let line: line::Catalog<'_> = parse(text, &mut rows.run.skipped)?;
    let Some(tools) = line.tools else {
        return Ok(());
    };
    let catalog = Catalog::parse(tools.get(), "catalog").map_err(serde_json::Error::custom)?;
    rows.run.catalog = Some(catalog);
    rows.run.catalog_body = body(text, tools.get(), offset);
    Ok(())
}

fn turn(rows: &mut Rows, text: &str) -> serde_json::Result<()> {
    let line: line::Turn<'_> = parse(text, &mut rows.run.skipped)?;
    let thread = rows.thread(&line.thread);
    if let Some(parent) = &line.parent {
        let parent = ParentCall {
            thread: rows.thread(&parent.thread),
            turn: parent.turn,
            call: parent.call,
        };
        rows.link(thread, parent);
    }
    let (row, new) = rows.turn(thread, line.turn);
    if !new {
        rows.run.skipped.copies += 1;
        return Ok(());
    }
    let name = label(&mut rows.run, &line.model_name);
    let backwards = line.model.filter(|model| model.end_ns < model.start_ns);
    let model = line.model.filter(|model| model.end_ns >= model.start_ns);
    rows.run.skipped.negative += u64::from(backwards.is_some());
    if let Some(turn) = rows.turn_mut(row) {
        turn.at = line.at_ns.map(Nanos);
        turn.model = model.map(|model| Span::new(Nanos(model.start_ns), Nanos(model.end_ns)));
        turn.model_timing = model.map_or(Timing::Unknown, |model| model.timing);
        turn.model_name = name;
    }
    Ok(())
}

fn call(rows: &mut Rows, text: &str, offset: u64) -> serde_json::Result<()> {
    let line: line::Call<'_> = parse(text, &mut rows.run.skipped)?;
    let thread = rows.thread(&line.thread);
    let (turn, _) = rows.turn(thread, line.turn);
    // Of a call that declares nothing at all nothing is known.
    let silent = line.reads.is_none() && line.writes.is_none();
    let reads = keys(rows, line.reads.as_deref());
    let writes = keys(rows, line.writes.as_deref());
    let call = Call {
        turn,
        index: line.call,
        tool: label(&mut rows.run, &line.tool),
        id: label(&mut rows.run, &line.id),
        issued: line.issued_ns.map(Nanos),
        stage: line.stage,
        reads,
        writes,
        opaque: line.opaque.unwrap_or(silent),
        is_final: line.is_final,
        approval: line.approval,
        source: line.source.unwrap_or(Source::Undeclared),
        depends_on: rows.run.pool_indices(&line.depends_on),
        args: body(text, line.args.0, offset),
        line_offset: offset,
        ..Call::default()
    };
    if !rows.add_call(call) {
        rows.run.skipped.copies += 1;
    }
    Ok(())
}

fn start(rows: &mut Rows, text: &str) -> serde_json::Result<()> {
    let line: line::Start<'_> = parse(text, &mut rows.run.skipped)?;
    let cause = match &*line.cause {
        "" => None,
        text => Cause::parse(text, &mut rows.run.keys),
    };
    if cause.is_none() && !line.cause.is_empty() {
        rows.run.skipped.unknown_field("cause");
    }
    let beside = rows.run.pool_indices(&line.beside);
    let carried = rows.run.pool_indices(line.carried.as_flattened());
    let resumed = !rows.run.resumed.is_empty();
    let Some(call) = rows.call(&line.thread, line.turn, line.call) else {
        rows.run.skipped.orphans += 1;
        return Ok(());
    };
    // A call that was cut off and ran again counts from its second start.
    let again = resumed && call.outcome == Outcome::Unfinished;
    if call.start.is_some() && !again {
        rows.run.skipped.copies += 1;
        return Ok(());
    }
    call.start = line.at_ns.map(Nanos);
    call.slot = line.slot;
    call.cause = cause;
    call.beside = beside;
    call.carried = carried;
    Ok(())
}

fn ask(rows: &mut Rows, text: &str, asked: bool) -> serde_json::Result<()> {
    let line: line::Ask<'_> = parse(text, &mut rows.run.skipped)?;
    let Some(call) = rows.call(&line.thread, line.turn, line.call) else {
        rows.run.skipped.orphans += 1;
        return Ok(());
    };
    let field = if asked {
        &mut call.asked
    } else {
        &mut call.granted
    };
    *field = field.or(line.at_ns.map(Nanos));
    Ok(())
}

fn end(rows: &mut Rows, sides: &mut Sides, text: &str, offset: u64) -> serde_json::Result<()> {
    let line: line::End<'_> = parse(text, &mut rows.run.skipped)?;
    let answer = answer(rows, sides, &line, text, offset);
    let error = label(&mut rows.run, &line.error);
    let Some(call) = rows.call(&line.thread, line.turn, line.call) else {
        rows.run.skipped.orphans += 1;
        return Ok(());
    };
    if call.end.is_some() || call.outcome != Outcome::Unfinished {
        rows.run.skipped.copies += 1;
        return Ok(());
    }
    call.end = line.at_ns.map(Nanos);
    call.outcome = line.outcome;
    call.error = error;
    call.own = line.own_ns.map(Nanos);
    call.detached = line.detached_ns.map(Nanos);
    call.answer = answer;
    call.answer_bytes = line.answer.as_ref().map_or(0, |answer| answer.bytes);
    let backwards = matches!((call.start, call.end), (Some(start), Some(end)) if end < start);
    call.timing = match line.timing {
        Some(timing) if !backwards => timing,
        None if !backwards && call.start.is_some() && call.end.is_some() => Timing::Measured,
        _ => Timing::Unknown,
    };
    rows.run.skipped.negative += u64::from(backwards);
    Ok(())
}

fn late(rows: &mut Rows, text: &str) -> serde_json::Result<()> {
    let line: line::End<'_> = parse(text, &mut rows.run.skipped)?;
    match rows.call(&line.thread, line.turn, line.call) {
        Some(call) => call.late = call.late.or(line.at_ns.map(Nanos)),
        None => rows.run.skipped.orphans += 1,
    }
    Ok(())
}

fn turn_end(rows: &mut Rows, text: &str) -> serde_json::Result<()> {
    let line: line::TurnEnd<'_> = parse(text, &mut rows.run.skipped)?;
    let thread = rows.thread(&line.thread);
    let (row, _) = rows.turn(thread, line.turn);
    let Some(turn) = rows.turn_mut(row) else {
        return Ok(());
    };
    if turn.end.is_some() {
        rows.run.skipped.copies += 1;
        return Ok(());
    }
    turn.end = line.at_ns.map(Nanos);
    for (key, tools) in &line.key_order {
        let key = rows.run.keys.intern_text(&key.0);
        let tools = tools.iter().map(|tool| label(&mut rows.run, &tool.0));
        let tools = tools.collect();
        rows.run.key_orders.push(KeyOrder {
            turn: row,
            key,
            tools,
        });
    }
    Ok(())
}

fn keys(rows: &mut Rows, texts: Option<&[Text<'_>]>) -> Pooled {
    let texts = texts.unwrap_or_default().iter();
    let mut ids: Vec<KeyId> = texts
        .map(|text| rows.run.keys.intern_text(&text.0))
        .collect();
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    rows.run.pool_keys(&ids)
}

/// Where `part` of a line lies in the file.
fn body(text: &str, part: &str, offset: u64) -> BodyRef {
    if part.is_empty() {
        return BodyRef::default();
    }
    BodyRef {
        file: 0,
        offset: offset + json::offset_in(text, part),
        len: part.len() as u64,
    }
}

fn answer(
    rows: &mut Rows,
    sides: &mut Sides,
    line: &line::End<'_>,
    text: &str,
    offset: u64,
) -> BodyRef {
    let Some(answer) = &line.answer else {
        return BodyRef::default();
    };
    if let Some(raw) = answer.text {
        return body(text, raw.get(), offset);
    }
    if answer.side.is_empty() {
        return BodyRef::default();
    }
    match sides.number(rows, &answer.side) {
        Some(file) => BodyRef {
            file,
            offset: 0,
            len: answer.bytes,
        },
        None => {
            rows.run.skipped.unknown_field("answer.side");
            BodyRef::default()
        }
    }
}
