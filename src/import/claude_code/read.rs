//! A session and the files of its agents, line by line. What is wrong with one line costs that
//! line.

use std::io;
use std::path::Path;

use super::agents;
use super::line::Envelope;
use super::session::Session;
use super::threads::Root;
use crate::import::place::At;
use crate::import::value::{earlier, small};
use crate::model::Catalog;
use crate::trace::Run;
use crate::trace::input::{Input, Line};

/// Line types that carry no reply, result or time of a call.
const QUIET: [&str; 12] = [
    "system",
    "summary",
    "file-history-snapshot",
    "pr-link",
    "custom-title",
    "agent-name",
    "last-prompt",
    "permission-mode",
    "attachment",
    "result",
    "stream_event",
    "rate_limit_event",
];

/// Where a glued record may begin.
const STARTS: [&str; 4] = [
    r#"{"type""#,
    r#"{"timestamp""#,
    r#"{"parentUuid""#,
    r#"{"uuid""#,
];
/// So many places of a torn line are tried.
const MOST_STARTS: usize = 8;

/// The file that a line stands in.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) root: Root,
    /// The file's name before a problem, of any file but the session's own.
    label: String,
}

/// Reads the session at `path` from `input`, and the files of its sub-agents where it keeps them.
///
/// # Errors
/// Where the session's own file cannot be read. A sub-agent's file that cannot be read is noted
/// among the bad lines.
pub(in crate::import) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let shipped = Catalog::for_harness("claude-code").map_err(io::Error::other)?;
    let catalog = catalog.clone().merged_over(shipped);
    let mut session = Session::new(&catalog);
    session.read_file(path, input, None)?;
    session.threads.choose_main();
    agents::read_all(path, &mut session);
    Ok(session.finish())
}

impl Session<'_> {
    /// Reads a whole file: the session's own, or that of an agent.
    pub(super) fn read_file(
        &mut self,
        path: &Path,
        mut input: Input,
        agent: Option<&str>,
    ) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let place = Place {
            file: small(self.run.files.len()),
            root: self.threads.root(agent),
            label: agent.map_or(String::new(), |_| format!("{name}: ")),
        };
        self.run.files.push(path.to_owned());
        while let Some(line) = input.next_line()? {
            self.take(&place, line);
        }
        if let Some(bytes) = input.memory() {
            self.run.held.insert(place.file, bytes);
        }
        self.run.skipped.cut_stream |= input.is_cut();
        Ok(())
    }

    fn take(&mut self, place: &Place, line: Line<'_>) {
        self.run.skipped.lines += 1;
        if line.too_long {
            self.bad(place, line, "the line is too long to be read");
            return;
        }
        let text = match std::str::from_utf8(line.bytes) {
            Ok(text) if text.trim().is_empty() => return,
            Ok(text) => text,
            Err(_) if !line.ended => {
                self.run.skipped.torn_tail = true;
                return;
            }
            Err(error) => {
                self.bad(place, line, &error.to_string());
                return;
            }
        };
        let at = At {
            file: place.file,
            text,
            offset: line.offset,
        };
        // A part of an object is never a whole one, so a tail that can be read is a record.
        match Envelope::read(text) {
            Ok(envelope) => self.record(place.root, at, &envelope),
            Err(_) if !line.ended => self.run.skipped.torn_tail = true,
            Err(error) => {
                self.bad(place, line, &error.to_string());
                self.recover(place.root, at);
            }
        }
    }

    fn bad(&mut self, place: &Place, line: Line<'_>, reason: &str) {
        let reason = format!("{}{reason}", place.label);
        self.run.skipped.bad_line(line.number, line.offset, reason);
    }

    /// A crash can glue a whole record to the beginning of another: the last whole one counts.
    fn recover(&mut self, root: Root, at: At<'_>) {
        let mut end = at.text.len();
        for _ in 0..MOST_STARTS {
            let starts = STARTS
                .iter()
                .filter_map(|start| at.text[..end].rfind(start));
            let Some(start) = starts.max().filter(|start| *start > 0) else {
                return;
            };
            end = start;
            let at = At {
                text: &at.text[start..],
                offset: at.offset + start as u64,
                ..at
            };
            let Ok(envelope) = Envelope::read(at.text) else {
                continue;
            };
            // Blocks inside a record have a type too, but no place in the session.
            let placed = envelope.uuid.is_some() || envelope.at.is_some();
            if placed
                && matches!(
                    &*envelope.kind,
                    "assistant" | "user" | "progress" | "system"
                )
            {
                self.record(root, at, &envelope);
                return;
            }
        }
    }

    fn record(&mut self, root: Root, at: At<'_>, line: &Envelope<'_>) {
        self.earliest = earlier(self.earliest, line.at);
        if line.odd_time {
            self.run.skipped.unknown_field("timestamp");
        }
        let copy = line.uuid.is_some_and(|uuid| !self.seen.insert(uuid));
        if copy && line.kind != "assistant" {
            self.run.skipped.copies += 1;
            return;
        }
        self.head(line);
        if !matches!(&*line.kind, "assistant" | "user") {
            self.threads.follow(line);
        }
        match &*line.kind {
            "assistant" => self.assistant(root, at, line, copy),
            "user" => self.user(root, at, line),
            "progress" => self.progress(root, line),
            "queue-operation" => self.notice(line.content, line.at),
            kind if QUIET.contains(&kind) => {}
            "" => self.run.skipped.unknown_type("(no type)"),
            kind => self.run.skipped.unknown_type(kind),
        }
    }

    /// What the first line that says it says of the whole session.
    fn head(&mut self, line: &Envelope<'_>) {
        if self.run.meta.folder.is_empty() {
            self.run.meta.folder.push_str(&line.cwd);
        }
        if self.session_id.is_empty() {
            self.session_id.push_str(&line.session);
        }
    }
}
