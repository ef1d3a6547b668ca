//! A rollout and those of its sub-agents, line by line.

use std::io;
use std::path::Path;

use super::agents;
use super::session::{Line, Record, Session};
use crate::import::draft::{Draft, ThreadNo};
use crate::import::lines::read_lines;
use crate::import::place::At;
use crate::import::value::{fields_of, hash, items_of, word};
use crate::model::Catalog;
use crate::trace::Run;
use crate::trace::input::Input;

/// Types of lines that hold nothing of a reply, a call or a time.
const QUIET: [&str; 4] = [
    "world_state",
    "inter_agent_communication_metadata",
    "compacted",
    "",
];
/// The first version that is known to write a call's line before the call runs.
const STREAMS_SINCE: u32 = 104;

/// Reads the rollout at `path` from `input`, and those of its sub-agents beside it.
///
/// # Errors
/// Where the rollout itself cannot be read. A sub-agent's file that cannot be read is noted among
/// the bad lines.
pub(in crate::import) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("codex", user);
    draft.harness("codex");
    let mut session = Session::default();
    let main = draft.main();
    read_file(&mut draft, &mut session, path, input, main)?;
    agents::read_all(&mut draft, &mut session, path);
    Ok(draft.finish())
}

/// Reads one file into a thread. The id that its first line gives it.
pub(super) fn read_file(
    draft: &mut Draft,
    session: &mut Session,
    path: &Path,
    input: Input,
    thread: ThreadNo,
) -> io::Result<()> {
    let mut line = Line::new(thread);
    session.id.clear();
    read_lines(draft, path, input, |draft, place| {
        take(draft, session, &mut line, place)
    })
}

fn take(
    draft: &mut Draft,
    session: &mut Session,
    line: &mut Line,
    place: At<'_>,
) -> serde_json::Result<()> {
    let (record, odd_time) = Record::read(place)?;
    if odd_time {
        draft.skipped().unknown_field("timestamp");
    }
    draft.seen(record.at);
    match record.kind {
        "session_meta" => head(draft, session, line, &record),
        "turn_context" => context(draft, line, &record),
        "response_item" if !session.seen.insert(hash(&place.text)) => draft.skipped().copies += 1,
        "response_item" => line.item(draft, session, &record),
        "event_msg" => line.event(draft, session, &record),
        // It says which response has ended here; what follows belongs to another.
        "token_usage_record" => {
            line.marked = true;
            line.open = None;
        }
        kind if QUIET.contains(&kind) => {}
        kind => draft.skipped().unknown_type(kind),
    }
    Ok(())
}

/// What the first line says of the whole session. Forks carry those of their parents behind it.
fn head(draft: &mut Draft, session: &mut Session, line: &mut Line, record: &Record<'_>) {
    let [id, cwd, version] = record.fields(["id", "cwd", "cli_version"]);
    if !session.id.is_empty() {
        draft.skipped().copies += 1;
        return;
    }
    session.id = word(id).into_owned();
    line.folder = word(cwd).into_owned();
    let minor = word(version);
    let minor = minor.split('.').nth(1).and_then(|n| n.parse::<u32>().ok());
    let major = word(version).split('.').next().and_then(|n| n.parse().ok());
    line.streams = major.unwrap_or(0_u32) > 0 || minor.is_some_and(|n| n >= STREAMS_SINCE);
    if line.thread == draft.main() {
        let meta = draft.meta();
        meta.id.clone_from(&session.id);
        meta.folder.clone_from(&line.folder);
    }
}

fn context(draft: &mut Draft, line: &mut Line, record: &Record<'_>) {
    let [cwd, model] = record.fields(["cwd", "model"]);
    line.ask(record.at);
    if cwd.is_some() {
        line.folder = word(cwd).into_owned();
    }
    if model.is_some() {
        line.model = word(model).into_owned();
    }
    if draft.meta().folder.is_empty() {
        draft.meta().folder.clone_from(&line.folder);
    }
}

/// The text of a message of a person, for what the run was for.
pub(super) fn prompt(record: &Record<'_>) -> Option<String> {
    let [content] = record.fields(["content"]);
    let texts = items_of(content).into_iter();
    let mut texts = texts.map(|part| word(fields_of(Some(part), ["text"])[0]).into_owned());
    // What the harness puts before the first prompt stands in tags.
    texts.find(|text| !text.is_empty() && !text.trim_start().starts_with(['<', '#']))
}
