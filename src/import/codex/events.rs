//! Events beside the items: exact times of calls, of what a script calls, and of sub-agents.

use serde_json::value::RawValue;

use super::session::{Line, Record, Session};
use crate::import::draft::{Answer, CallNo, Draft, NewCall, Parent};
use crate::import::value::{Stamp, fields_of, head, is_true, size, word};
use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::trace::json;

/// Events that repeat what an item says, or say nothing of a call.
const QUIET: [&str; 31] = [
    "token_count",
    "agent_message",
    "agent_message_delta",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "task_started",
    "task_complete",
    "turn_started",
    "turn_complete",
    "turn_aborted",
    "turn_diff",
    "thread_name_updated",
    "thread_rolled_back",
    "thread_settings_applied",
    "context_compacted",
    "entered_review_mode",
    "exited_review_mode",
    "exec_command_begin",
    "exec_command_output_delta",
    "mcp_tool_call_begin",
    "patch_apply_begin",
    "web_search_begin",
    "web_search_end",
    "view_image_tool_call",
    "plan_update",
    "background_event",
    "stream_error",
    "error",
    "warning",
    "item_started",
];

/// What an event says of one call.
#[derive(Debug, Default)]
struct Timed<'a> {
    id: &'a str,
    tool: String,
    args: Option<&'a RawValue>,
    start: Stamp,
    end: Stamp,
    own: Option<Nanos>,
    failed: bool,
    answer: Option<&'a RawValue>,
}

impl Line {
    pub(super) fn event(&mut self, draft: &mut Draft, session: &mut Session, record: &Record<'_>) {
        let [kind] = record.fields(["type"]);
        match &*word(kind) {
            "user_message" => self.ask(record.at),
            "mcp_tool_call_end" => self.tool_end(draft, record),
            "exec_command_end" => self.command_end(draft, record),
            "patch_apply_end" => self.patch_end(draft, record),
            "item_completed" => self.item_completed(draft, record),
            "sub_agent_activity" => activity(session, record),
            kind if QUIET.contains(&kind) => {}
            kind => {
                let name = format!("event_msg {kind}");
                draft.skipped().unknown_type(&name);
            }
        }
    }

    fn tool_end(&mut self, draft: &mut Draft, record: &Record<'_>) {
        let names = ["call_id", "invocation", "duration", "result"];
        let [id, invocation, duration, result] = record.fields(names);
        let [server, tool, arguments] = fields_of(invocation, ["server", "tool", "arguments"]);
        let [good, bad] = fields_of(result, ["Ok", "Err"]);
        let [is_error] = fields_of(good, ["isError"]);
        let id = word(id);
        let timed = Timed {
            id: &id,
            tool: format!("mcp__{}__{}", word(server), word(tool)),
            args: arguments,
            end: record.at,
            own: length(duration),
            failed: bad.is_some() || is_true(is_error),
            answer: good.or(bad),
            ..Timed::default()
        };
        self.timed(draft, record, &timed);
    }

    fn command_end(&mut self, draft: &mut Draft, record: &Record<'_>) {
        let names = ["call_id", "command", "duration", "exit_code"];
        let [id, command, duration, exit] = record.fields(names);
        let id = word(id);
        let timed = Timed {
            id: &id,
            tool: "exec_command".to_owned(),
            args: command,
            end: record.at,
            own: length(duration),
            failed: exit.is_some_and(|code| code.get() != "0"),
            ..Timed::default()
        };
        self.timed(draft, record, &timed);
    }

    fn patch_end(&mut self, draft: &mut Draft, record: &Record<'_>) {
        let [id, success] = record.fields(["call_id", "success"]);
        let failed = success.is_some_and(|value| value.get() == "false");
        // Its times are not in it: only a call that waits for its answer learns from it.
        if let Some(call) = draft.waiting(self.thread, &word(id)).filter(|_| failed) {
            draft.call_mut(call).outcome = Outcome::Failed;
        }
    }

    /// The newest files: begin and end of everything that the harness ran.
    fn item_completed(&mut self, draft: &mut Draft, record: &Record<'_>) {
        let names = ["item", "started_at_ms", "completed_at_ms"];
        let [item, started, completed] = record.fields(names);
        let [kind, id, command, status, exit, duration, arguments] = fields_of(
            item,
            [
                "type",
                "id",
                "command",
                "status",
                "exit_code",
                "duration",
                "arguments",
            ],
        );
        let tool = match &*word(kind) {
            "CommandExecution" => "exec_command".to_owned(),
            "McpToolCall" => {
                let [server, tool] = fields_of(item, ["server", "tool"]);
                format!("mcp__{}__{}", word(server), word(tool))
            }
            "FileChange" => "apply_patch".to_owned(),
            "UserMessage" => return self.ask(record.at),
            _ => return,
        };
        let id = word(id);
        let timed = Timed {
            id: &id,
            tool,
            args: command.or(arguments),
            start: started.and_then(millis),
            end: completed.and_then(millis),
            own: length(duration),
            failed: word(status) == "failed" || exit.is_some_and(|code| code.get() != "0"),
            answer: None,
        };
        self.timed(draft, record, &timed);
    }

    /// Gives times to the call that waits under that id. An id of nobody, while a script runs, is
    /// a call of that script.
    fn timed(&mut self, draft: &mut Draft, record: &Record<'_>, timed: &Timed<'_>) {
        if let Some(call) = draft.waiting(self.thread, timed.id) {
            exact(draft, call, timed);
        } else if let [(script, _)] = self.scripts[..] {
            self.inside(draft, script, record, timed);
        }
    }

    /// A call of a script: it stands in a thread of its own below the script's call. The script
    /// may have waited for one before it began the next, so what came later counts as dependent.
    fn inside(
        &mut self,
        draft: &mut Draft,
        script: CallNo,
        record: &Record<'_>,
        timed: &Timed<'_>,
    ) {
        let issued = draft.call_mut(script).issued;
        let [(_, place)] = &mut self.scripts[..] else {
            return;
        };
        let (_, reply) = *place.get_or_insert_with(|| {
            let name = format!("{} calls", draft.id_of(script));
            let thread = draft.thread(&name, Parent::Call(script));
            (thread, draft.reply(thread, "", (None, issued)))
        });
        let start = timed.start.or_else(|| {
            let own = i64::try_from(timed.own?.0).ok()?;
            timed.end?.checked_sub(own)
        });
        let views: Vec<&str> = timed.args.map(RawValue::get).into_iter().collect();
        let call = draft.call(
            reply,
            &NewCall {
                id: timed.id,
                tool: &timed.tool,
                args: timed
                    .args
                    .map(|raw| record.place.body(raw.get()))
                    .unwrap_or_default(),
                views: &views,
                folder: &self.folder,
                issued: start,
                line_offset: record.place.offset,
                ..NewCall::default()
            },
        );
        let after = draft.last_ended_before(call, start);
        draft.call_mut(call).depends_on.extend(after);
        let error = timed.answer.filter(|_| timed.failed).map(head);
        draft.answer(
            call,
            Answer {
                end: timed.end,
                outcome: if timed.failed {
                    Outcome::Failed
                } else {
                    Outcome::Ok
                },
                error: error.unwrap_or_default().into_owned(),
                body: timed
                    .answer
                    .map(|raw| record.place.body(raw.get()))
                    .unwrap_or_default(),
                bytes: timed.answer.map_or(0, size),
                own: timed.own,
                timing: Timing::Events,
            },
        );
    }
}

fn exact(draft: &mut Draft, call: CallNo, timed: &Timed<'_>) {
    draft.exact(call, (timed.start, timed.end));
    let row = draft.call_mut(call);
    row.own = timed.own.or(row.own);
    if timed.failed {
        row.outcome = Outcome::Failed;
    }
}

/// A call has started an agent, whose session that is.
fn activity(session: &mut Session, record: &Record<'_>) {
    let names = ["event_id", "agent_thread_id", "kind"];
    let [call, agent, kind] = record.fields(names);
    if word(kind) != "started" {
        return;
    }
    if let Some(call) = session.spawns.get(&*word(call)) {
        let agent = word(agent).into_owned();
        session.started.entry(agent).or_insert(*call);
    }
}

/// A duration as `{secs, nanos}`.
fn length(duration: Option<&RawValue>) -> Option<Nanos> {
    let [secs, nanos] = fields_of(duration, ["secs", "nanos"]);
    let secs: u64 = secs?.get().parse().ok()?;
    let nanos: u64 = nanos.map_or(Some(0), |nanos| nanos.get().parse().ok())?;
    let whole = secs.checked_mul(1_000_000_000)?.checked_add(nanos)?;
    // The same limit as for every other figure.
    crate::import::value::seconds(Nanos(whole).as_secs_f64()).map(|_| Nanos(whole))
}

/// Milliseconds since 1970.
fn millis(value: &RawValue) -> Stamp {
    let whole = value.get().parse::<i64>().ok();
    #[allow(clippy::cast_possible_truncation)]
    let whole = whole.or_else(|| json::number(value).map(|ms| ms as i64));
    whole?.checked_mul(1_000_000)
}
