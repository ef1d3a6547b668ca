//! The rollouts of a session's sub-agents: which there are, and which of them are this session's.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::read::read_file;
use super::session::{Record, Session};
use crate::import::draft::{Draft, Parent};
use crate::import::place::At;
use crate::import::value::{fields_of, word};
use crate::trace::input::Input;

/// So many rollouts beside the session's are looked at.
const MOST_FILES: usize = 2_000;

/// A rollout beside the session's, and the session that it says it was started by.
#[derive(Debug)]
struct Neighbour {
    path: PathBuf,
    id: String,
    parent: String,
}

/// Reads the rollouts of the agents that the session started, and of those that these started.
pub(super) fn read_all(draft: &mut Draft, session: &mut Session, path: &Path) {
    if session.started.is_empty() && session.spawns.is_empty() {
        return;
    }
    let mut left = neighbours(path);
    let mut ours = vec![std::mem::take(&mut session.id)];
    let mut read = Vec::new();
    loop {
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(|file| {
            session.started.contains_key(&file.id) || ours.contains(&file.parent)
        });
        left = later;
        if now.is_empty() {
            break;
        }
        for file in now {
            let thread = draft.thread(&file.id, Parent::Unknown);
            let opened = Input::open(&file.path);
            let taken =
                opened.and_then(|input| read_file(draft, session, &file.path, input, thread));
            if let Err(error) = taken {
                let reason = format!("{}: {error}", file.path.display());
                draft.skipped().bad_line(0, 0, reason);
            }
            read.push((file.id.clone(), thread));
            ours.push(file.id);
        }
    }
    // Which call started an agent may stand in a file that was read after the agent's own.
    for (agent, thread) in read {
        if let Some(call) = session.started.get(&agent) {
            draft.set_parent(thread, Parent::Call(*call));
        }
    }
}

/// The rollouts in the session's folder, and where that is a day's those of the whole month. A
/// rollout stands there packed and unpacked for a moment: it counts once.
fn neighbours(path: &Path) -> Vec<Neighbour> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut files = rollouts(folder);
    if let Some(month) = folder.parent().filter(|_| is_number(folder)) {
        let days = fs::read_dir(month).into_iter().flatten().flatten();
        let days = days.map(|day| day.path());
        for day in days.filter(|day| is_number(day) && day.file_name() != folder.file_name()) {
            files.extend(rollouts(&day));
        }
    }
    files.sort();
    files.truncate(MOST_FILES);
    let own = path.file_name();
    let mut by_id: HashMap<String, Neighbour> = HashMap::new();
    for file in files {
        if let Some(found) = peek(&file).filter(|_| file.file_name() != own) {
            by_id.entry(found.id.clone()).or_insert(found);
        }
    }
    let mut found: Vec<_> = by_id.into_values().collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn is_number(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()))
}

fn rollouts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let files = files.map(|entry| entry.path());
    let named = files.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("rollout-") && name.contains(".jsonl"))
    });
    named.collect()
}

/// What the first line of a rollout says of it.
fn peek(path: &Path) -> Option<Neighbour> {
    let mut input = Input::open(path).ok()?;
    let line = input.next_line().ok()??;
    let place = At {
        file: 0,
        text: std::str::from_utf8(line.bytes).ok()?,
        offset: 0,
    };
    let (record, _) = Record::read(place).ok()?;
    let [id, parent, source] = record.fields(["id", "parent_thread_id", "source"]);
    let [agent] = fields_of(source, ["subagent"]);
    let [spawn] = fields_of(agent, ["thread_spawn"]);
    let [spawned_by] = fields_of(spawn, ["parent_thread_id"]);
    let found = Neighbour {
        path: path.to_owned(),
        id: word(id).into_owned(),
        parent: word(parent.or(spawned_by)).into_owned(),
    };
    (record.kind == "session_meta" && !found.id.is_empty()).then_some(found)
}
