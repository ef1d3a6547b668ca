//! The files of a session's sub-agents: which there are, and which of them are this session's.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::line::Envelope;
use super::session::Session;
use crate::import::value::{fields_of, word};
use crate::trace::input::Input;

const FOLDER: &str = "subagents";
/// Agents start agents, and their files may lie one folder deeper each.
const DEEPEST: usize = 8;
/// A file beside an agent's is small.
const SIDECAR_BYTES: u64 = 64 * 1024;
/// So many lines of a neighbour are looked at for its session.
const PEEK_LINES: usize = 4;

/// A file that an agent wrote.
#[derive(Debug)]
struct AgentFile {
    path: PathBuf,
    agent: String,
    /// True where it is this session's by its place, or by what it says.
    own: bool,
}

/// Reads the sub-agents' files: those in the session's own folder, and those beside it that the
/// session names or that name the session. An agent's file opened directly has only those that
/// it names.
pub(super) fn read_all(path: &Path, session: &mut Session<'_>) {
    let mut files = find(path, session);
    let only_named = session.threads.main_agent().is_some();
    while !files.is_empty() {
        let before = files.len();
        let (now, later): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| {
            let links = &session.links;
            links.by_result.contains_key(&file.agent)
                || links.by_progress.contains_key(&file.agent)
                || (!only_named && file.own)
        });
        files = later;
        // What was just read may name some of the others.
        for file in &now {
            read_one(file, session);
        }
        if files.len() == before {
            return;
        }
    }
}

fn read_one(file: &AgentFile, session: &mut Session<'_>) {
    if let Some(call) = sidecar(&file.path, &file.agent) {
        let call = session.name(&call);
        session.links.by_sidecar.insert(file.agent.clone(), call);
    }
    let opened = Input::open(&file.path);
    let read = opened.and_then(|input| session.read_file(&file.path, input, Some(&file.agent)));
    if let Err(error) = read {
        let reason = format!("{}: {error}", file.path.display());
        session.run.skipped.bad_line(0, 0, reason);
    }
}

fn find(path: &Path, session: &Session<'_>) -> Vec<AgentFile> {
    let folder = match path.parent() {
        None => return Vec::new(),
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
    };
    let own = stem(path)
        .map(|stem| folder.join(stem))
        .filter(|own| own.is_dir());
    let by_id = || {
        let id = Path::new(&session.session_id);
        // The id comes out of the file: it must not lead anywhere else.
        let plain = id.file_name() == Some(id.as_os_str());
        plain.then(|| folder.join(id)).filter(|own| own.is_dir())
    };
    let mut files = Vec::new();
    if let Some(own) = own.or_else(by_id) {
        walk(&own.join(FOLDER), DEEPEST, true, &mut files);
    }
    let mut beside = Vec::new();
    walk(folder, 0, false, &mut beside);
    beside.retain(|file| file.path.file_name() != path.file_name());
    for file in &mut beside {
        file.own = is_of(&file.path, &session.session_id);
    }
    files.append(&mut beside);
    let main = session.threads.main_agent();
    files.retain(|file| Some(file.agent.as_str()) != main);
    files.sort_by(|a, b| (!a.own, &a.path).cmp(&(!b.own, &b.path)));
    files
}

/// The session's name without what says how it is packed.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(name);
    let stem = name.strip_suffix(".jsonl")?;
    (!stem.is_empty()).then(|| stem.to_owned())
}

/// Folders that cannot be read hold nothing. Links are not followed.
fn walk(folder: &Path, deeper: usize, own: bool, files: &mut Vec<AgentFile>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let path = entry.path();
        if kind.is_dir() && deeper > 0 {
            walk(&path, deeper - 1, own, files);
        } else if kind.is_file() {
            let agent = stem(&path).and_then(|stem| Some(stem.strip_prefix("agent-")?.to_owned()));
            // The helper that shortens a history calls no tools.
            let agent = agent.filter(|agent| !agent.starts_with("acompact-"));
            files.extend(agent.map(|agent| AgentFile { path, agent, own }));
        }
    }
}

/// True where a file beside the session says that it belongs to it.
fn is_of(path: &Path, session: &str) -> bool {
    let Ok(mut input) = Input::open(path) else {
        return false;
    };
    for _ in 0..PEEK_LINES {
        let Ok(Some(line)) = input.next_line() else {
            return false;
        };
        let text = std::str::from_utf8(line.bytes).unwrap_or_default();
        let said = Envelope::read(text).map(|line| line.session.into_owned());
        match said {
            Ok(said) if !said.is_empty() => return said == session,
            _ => {}
        }
    }
    false
}

/// The call id in the file beside an agent's.
fn sidecar(path: &Path, agent: &str) -> Option<String> {
    let path = path.with_file_name(format!("agent-{agent}.meta.json"));
    if !fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = fs::File::open(path).ok()?;
    file.take(SIDECAR_BYTES).read_to_string(&mut text).ok()?;
    let raw: &RawValue = serde_json::from_str(&text).ok()?;
    let names = ["toolUseId", "toolUseID", "tool_use_id", "parentToolUseID"];
    let ids = fields_of(Some(raw), names);
    let id = ids.into_iter().flatten().map(|id| word(Some(id)));
    id.map(std::borrow::Cow::into_owned)
        .find(|id| !id.is_empty())
}
