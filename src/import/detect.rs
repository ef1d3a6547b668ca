//! Which format a file is in, by its content.

use std::fmt;
use std::io;

use super::lenient;
use crate::trace::input::Input;
use crate::trace::json;

/// A document of one value may be looked at so far, in bytes; the rest decides nothing.
const HEAD: usize = 16 << 20;

/// A format that is known by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// turnlane's own trace.
    Trace,
    /// turnlane's scenario.
    Scenario,
    /// A session of Claude Code, as it keeps it or as it prints it (stream-json).
    ClaudeCode,
    /// A rollout of the Codex CLI.
    Codex,
    /// Spans in OTLP/JSON.
    Otlp,
    /// A Langfuse export.
    Langfuse,
    /// An Inspect log as JSON.
    Inspect,
    /// A zip archive, as Inspect's `.eval` logs are.
    InspectEval,
    /// tau-bench results.
    TauBench,
    /// tau2-bench results.
    Tau2,
    /// A SWE-agent trajectory.
    SweAgent,
    /// A mini-swe-agent trajectory.
    MiniSweAgent,
    /// Events of OpenHands.
    OpenHands,
    /// An ATIF trajectory.
    Atif,
    /// A chat of the Gemini CLI.
    Gemini,
    /// LangSmith runs.
    LangSmith,
    /// Messages of a chat API.
    Messages,
    /// Rows of the Berkeley function calling benchmark.
    Bfcl,
    /// A Chrome trace.
    Chrome,
}

impl Format {
    /// What a person calls it, with its article.
    const fn words(self) -> &'static str {
        match self {
            Self::Trace => "a turnlane trace",
            Self::Scenario => "a turnlane scenario",
            Self::ClaudeCode => "a Claude Code session",
            Self::Codex => "a Codex CLI rollout",
            Self::Otlp => "an OpenTelemetry (OTLP/JSON) file",
            Self::Langfuse => "a Langfuse export",
            Self::Inspect => "an Inspect log",
            Self::InspectEval => "a zip archive (Inspect's .eval logs are such)",
            Self::TauBench => "a tau-bench result file",
            Self::Tau2 => "a tau2-bench result file",
            Self::SweAgent => "a SWE-agent trajectory",
            Self::MiniSweAgent => "a mini-swe-agent trajectory",
            Self::OpenHands => "an OpenHands event log",
            Self::Atif => "an ATIF trajectory",
            Self::Gemini => "a Gemini CLI chat",
            Self::LangSmith => "a LangSmith run export",
            Self::Messages => "a log of chat messages",
            Self::Bfcl => "a file of the Berkeley function calling benchmark",
            Self::Chrome => "a Chrome trace",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// What a look at a file's beginning gives.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// It is in this format.
    Is(Format),
    /// It is not in any known one, for this reason.
    Strange(&'static str),
}

/// Reads as much of `input` as it takes to know the format: lines until one says it, else the
/// names of the whole value.
pub(super) fn look(input: &mut Input) -> io::Result<Look> {
    let mut head = Vec::new();
    while head.len() < HEAD {
        let Some(line) = input.next_line()? else {
            break;
        };
        if line.offset == 0 && line.bytes.starts_with(b"PK\x03\x04") {
            return Ok(Look::Is(Format::InspectEval));
        }
        if let Some(format) = std::str::from_utf8(line.bytes).ok().and_then(of_line) {
            return Ok(Look::Is(format));
        }
        head.extend_from_slice(line.bytes);
        head.push(b'\n');
    }
    // A number that is none ends the parser's patience long before the field that says the format.
    lenient::without_nan(&mut head);
    Ok(of_head(&String::from_utf8_lossy(&head)))
}

fn of_head(head: &str) -> Look {
    let text = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let format = match text.as_bytes().first() {
        None => return Look::Strange("the file is empty"),
        Some(b'[') => of_array(text),
        Some(b'{') => of_document(&Names(json::outline(text).0)),
        Some(_) => return Look::Strange("this is not JSON"),
    };
    let strange = Look::Strange("this is JSON, but no session of a known kind");
    format.map_or(strange, Look::Is)
}

/// Field names, each with its value where that is a short string.
struct Names(Vec<(String, Option<String>)>);

impl Names {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(seen, _)| seen == name)
    }

    fn all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    fn word(&self, name: &str) -> &str {
        let field = self.0.iter().rev().find(|(seen, _)| seen == name);
        field.and_then(|(_, word)| word.as_deref()).unwrap_or("")
    }
}

/// Types of lines in a Claude Code session that need no other sign.
const CLAUDE_TYPES: [&str; 7] = [
    "summary",
    "file-history-snapshot",
    "user",
    "assistant",
    "progress",
    "queue-operation",
    "system",
];

const TRACE_KINDS: [&str; 11] = [
    "catalog", "turn", "call", "start", "ask", "granted", "end", "late", "turn_end", "resume",
    "run_end",
];

/// The format that a whole line says; a torn line says nothing.
fn of_line(line: &str) -> Option<Format> {
    let line = line.trim();
    if !line.starts_with('{') {
        return None;
    }
    let (names, whole) = json::outline(line);
    if !whole {
        return None;
    }
    let names = Names(names);
    if let Some(format) = of_document(&names) {
        return Some(format);
    }
    if names.all(&["payload", "timestamp"]) {
        return Some(Format::Codex);
    }
    let kind = names.word("kind");
    if TRACE_KINDS.contains(&kind) && !names.has("source") {
        return Some(Format::Trace);
    }
    if names.all(&["kind", "source"]) {
        return Some(Format::OpenHands);
    }
    if names.has("tool_call_metadata") {
        return Some(Format::OpenHands);
    }
    if names.has("ground_truth") {
        return Some(Format::Bfcl);
    }
    if names.all(&["role", "content"]) && !names.has("uuid") {
        return Some(Format::Messages);
    }
    let claude = ["sessionId", "parentUuid", "session_id"];
    let claude = claude.iter().any(|name| names.has(name)) && names.has("type");
    (claude || CLAUDE_TYPES.contains(&names.word("type"))).then_some(Format::ClaudeCode)
}

/// The format that one object says which is the whole file, or one of many.
fn of_document(names: &Names) -> Option<Format> {
    let by_word = match names.word("format") {
        "turnlane" => Some(Format::Trace),
        "turnlane-scenario" => Some(Format::Scenario),
        _ => None,
    };
    let by_names = || {
        let signs: [(&[&str], Format); 20] = [
            (&["traceEvents"], Format::Chrome),
            (&["resourceSpans"], Format::Otlp),
            (&["resource_spans"], Format::Otlp),
            (&["scopeSpans"], Format::Otlp),
            (&["trace", "observations"], Format::Langfuse),
            (&["observations", "projectId"], Format::Langfuse),
            (&["samples", "eval"], Format::Inspect),
            (&["simulations"], Format::Tau2),
            (&["simulation_run"], Format::Tau2),
            (&["trajectory_format"], Format::MiniSweAgent),
            (&["trajectory", "history"], Format::SweAgent),
            (&["environment", "trajectory"], Format::SweAgent),
            (&["sessionId", "projectHash"], Format::Gemini),
            (&["run_type", "trace_id"], Format::LangSmith),
            (&["run_type", "start_time"], Format::LangSmith),
            (&["messages", "response"], Format::Messages),
            (&["choices", "object"], Format::Messages),
            (&["output", "object"], Format::Messages),
            (&["messages"], Format::Messages),
            // The name of a broken list counts, and the others may stand behind it.
            (&["observations"], Format::Langfuse),
        ];
        let found = signs.iter().find(|(sign, _)| names.all(sign));
        found.map(|(_, format)| *format)
    };
    let atif = || {
        let version = names.word("schema_version");
        version.starts_with("ATIF").then_some(Format::Atif)
    };
    by_word.or_else(by_names).or_else(atif)
}

fn of_array(text: &str) -> Option<Format> {
    // The names of the first element, also of one that is cut.
    let names = Names(json::outline(text.strip_prefix('[')?).0);
    let signs = [
        ("traj", Format::TauBench),
        ("tool_call_metadata", Format::OpenHands),
        ("run_type", Format::LangSmith),
        ("role", Format::Messages),
    ];
    let found = signs.iter().find(|(name, _)| names.has(name));
    if names.all(&["ph", "pid"]) {
        return Some(Format::Chrome);
    }
    let openhands = names.all(&["kind", "source"]) || names.all(&["id", "source", "action"]);
    let found = found.map(|(_, format)| *format);
    found
        .or(openhands.then_some(Format::OpenHands))
        .or_else(|| of_document(&names))
}
