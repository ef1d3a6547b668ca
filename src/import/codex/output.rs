//! What an answer says of its call, in its header or its metadata: the exit code, the wall time,
//! whether something goes on.

use serde_json::value::RawValue;

use super::reply::beginning;
use crate::import::value::{fields_of, seconds, word};
use crate::model::Outcome;
use crate::time::Nanos;
use crate::trace::json;

/// What an answer says.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) outcome: Outcome,
    pub(super) error: String,
    /// The wall time that the tool gives.
    pub(super) time: Option<Nanos>,
    /// The label of the process or script that outlives the call.
    pub(super) goes_on: Option<String>,
    /// True where the header says how the process stands.
    pub(super) has_header: bool,
    /// The agent that the call started.
    pub(super) agent: Option<String>,
}

/// Text at the beginning of an answer without an exit code. The first that fits decides.
const RULES: [(&str, Outcome); 13] = {
    use Outcome::{BadArgs, Cancelled, Denied, Failed, TimedOut, UnknownTool};
    [
        ("aborted by user", Cancelled),
        ("aborted", Cancelled),
        ("exec command rejected by user", Denied),
        ("patch rejected by user", Denied),
        ("rejected by user", Denied),
        ("approval policy", Denied),
        ("command timed out", TimedOut),
        ("unsupported call", UnknownTool),
        ("unsupported custom tool call", UnknownTool),
        ("failed to parse function arguments", BadArgs),
        ("apply_patch verification failed", Failed),
        ("Script failed", Failed),
        ("exec_command failed", Failed),
    ]
};

/// So many lines of a header are looked at.
const MOST_LINES: usize = 12;

/// Reads an answer; `status` is that of its item, where it has one.
pub(super) fn read_output(body: Option<&RawValue>, status: &str) -> Said {
    let text = beginning(body);
    let mut said = Said {
        outcome: Outcome::Ok,
        error: String::new(),
        time: None,
        goes_on: None,
        has_header: false,
        agent: None,
    };
    let exit = if text.starts_with('{') {
        from_json(body, &mut said);
        None
    } else {
        from_header(&text, &mut said)
    };
    let [success] = fields_of(body, ["success"]);
    said.outcome = match exit {
        Some(124) if text.contains("command timed out") => Outcome::TimedOut,
        Some(0) => Outcome::Ok,
        Some(_) => Outcome::Failed,
        None => by_text(&text),
    };
    let refused = success.is_some_and(|value| value.get() == "false");
    if said.outcome == Outcome::Ok && (status == "failed" || refused) {
        said.outcome = Outcome::Failed;
    }
    if said.outcome != Outcome::Ok {
        said.error = text.into_owned();
    }
    said
}

fn by_text(text: &str) -> Outcome {
    let text = text.trim_start();
    let rule = RULES.iter().find(|(words, _)| text.starts_with(words));
    rule.map_or(Outcome::Ok, |(_, outcome)| *outcome)
}

/// `{"output": …, "metadata": {"exit_code", "duration_seconds"}}` as a string, of older files; and
/// what a call that starts an agent answers. These files say of every command how it ended, and
/// of no call that it failed: a code is kept as a remark.
fn from_json(body: Option<&RawValue>, said: &mut Said) {
    let text = body.and_then(|body| json::string(body.get()));
    let text = text.unwrap_or_default();
    let names = ["metadata", "agent_id"];
    let [metadata, agent] = json::fields(&text, names).unwrap_or_default();
    let agent = word(agent);
    said.agent = (!agent.is_empty()).then(|| agent.into_owned());
    let [exit, duration] = fields_of(metadata, ["exit_code", "duration_seconds"]);
    said.time = duration.and_then(json::number).and_then(seconds);
    let exit = exit.map(RawValue::get).filter(|code| *code != "0");
    said.error = exit.map_or(String::new(), |code| format!("exit code {code}"));
}

/// Lines before `Output:`; the first that is none of them ends the header.
fn from_header(text: &str, said: &mut Said) -> Option<i64> {
    let mut exit = None;
    for line in text.lines().take(MOST_LINES) {
        let line = line.trim_end();
        let after = |words: &str| line.strip_prefix(words).map(str::trim);
        if let Some(time) = after("Wall time:").or_else(|| after("Wall time")) {
            let figure = time.strip_suffix("seconds").unwrap_or(time).trim();
            said.time = figure.parse().ok().and_then(seconds);
        } else if let Some(code) = after("Process exited with code").or_else(|| after("Exit code:"))
        {
            exit = code.parse().ok();
            said.has_header = true;
        } else if let Some(label) = after("Process running with session ID")
            .or_else(|| after("Script running with cell ID"))
        {
            said.goes_on = Some(label.to_owned());
            said.has_header = true;
        } else if line == "Script completed" {
            exit = Some(0);
            said.has_header = true;
        } else if line == "Script failed" {
            exit = Some(1);
            said.has_header = true;
        } else if let Some(time) = after("aborted by user after") {
            said.time = time.trim_end_matches('s').parse().ok().and_then(seconds);
        } else if after("Chunk ID").is_none() && after("Original token count").is_none() {
            break;
        }
    }
    exit
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(output: &serde_json::Value) -> Said {
        let raw = RawValue::from_string(output.to_string()).unwrap();
        read_output(Some(&raw), "")
    }

    #[test]
    fn a_header_gives_exit_code_and_time_and_the_output_below_it_does_not() {
        let ok = "Chunk ID: 1f\nWall time: 0.1748 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\nExit code: 3\nWall time: 99 seconds";
        let cases = [
            (ok, Outcome::Ok, Some(174_800_000)),
            (
                "Exit code: 2\nWall time: 1.5 seconds\nOutput:\nno",
                Outcome::Failed,
                Some(1_500_000_000),
            ),
            (
                "Script completed\nWall time 0.1 seconds\nOutput:\n",
                Outcome::Ok,
                Some(100_000_000),
            ),
            (
                "Script failed\nWall time 2 seconds\nOutput:\nboom",
                Outcome::Failed,
                Some(2_000_000_000),
            ),
            (
                "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds",
                Outcome::TimedOut,
                Some(10_000_000_000),
            ),
            ("Plan updated", Outcome::Ok, None),
            ("my script says Wall time: 4 seconds", Outcome::Ok, None),
            (
                "aborted by user after 3.5s",
                Outcome::Cancelled,
                Some(3_500_000_000),
            ),
            ("exec command rejected by user", Outcome::Denied, None),
            ("unsupported call: nope", Outcome::UnknownTool, None),
            (
                "failed to parse function arguments: EOF",
                Outcome::BadArgs,
                None,
            ),
            (
                "apply_patch verification failed: no such line",
                Outcome::Failed,
                None,
            ),
            ("Wall time: -4 seconds", Outcome::Ok, None),
        ];
        for (text, outcome, time) in cases {
            let found = said(&text.into());
            assert_eq!(found.outcome, outcome, "{text}");
            assert_eq!(found.time.map(|t| t.0), time, "{text}");
            assert_eq!(found.error.is_empty(), outcome == Outcome::Ok, "{text}");
            let blocks = serde_json::json!([{"type": "input_text", "text": text}]);
            assert_eq!(said(&blocks).outcome, outcome, "{text} in blocks");
        }
    }

    #[test]
    fn an_older_answer_holds_both_in_its_metadata() {
        let inside = r#"{"output":"x","metadata":{"exit_code":1,"duration_seconds":2.5}}"#;
        let found = said(&inside.into());
        assert_eq!(found.outcome, Outcome::Ok);
        assert_eq!(found.error, "exit code 1");
        assert_eq!(found.time, Some(Nanos(2_500_000_000)));
    }
}
