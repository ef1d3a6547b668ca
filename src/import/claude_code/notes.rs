//! What is said of a call beside its result: hooks before it, the sub-agent it runs, the end of
//! work that it left in the background.

use serde_json::value::RawValue;

use super::line::Envelope;
use super::session::Session;
use super::threads::Root;
use crate::import::value::{Stamp, fields_of, head, word};

const NOTICE: &str = "<task-notification>";

impl Session<'_> {
    pub(super) fn progress(&mut self, root: Root, line: &Envelope<'_>) {
        let [kind, event, agent] = fields_of(line.data, ["type", "hookEvent", "agentId"]);
        match &*word(kind) {
            "hook_progress" if word(event) == "PreToolUse" => self.hook(root, line),
            "agent_progress" => {
                let agent = word(agent);
                if !agent.is_empty() && !line.parent_tool_use.is_empty() {
                    let call = self.name(&line.parent_tool_use);
                    let agent = agent.into_owned();
                    self.links.by_progress.entry(agent).or_insert(call);
                }
            }
            _ => {}
        }
    }

    /// The call runs once its hooks have; the first hook line is the later of its two starts.
    fn hook(&mut self, root: Root, line: &Envelope<'_>) {
        let (Some(at), false) = (line.at, line.tool_use.is_empty()) else {
            return;
        };
        let thread = self.threads.of(root, line);
        let id = self.name(&line.tool_use);
        match self.pairs.waiting(thread, id) {
            Some(call) => {
                let draft = &mut self.calls[call as usize];
                draft.hook = draft.hook.or(Some(at));
            }
            None if self.pairs.knows(thread, id) => {}
            None => {
                self.early_hooks.entry((thread, id)).or_insert(at);
            }
        }
    }

    /// A notice that background work has ended names its task, or the call itself.
    pub(super) fn notice(&mut self, content: Option<&RawValue>, at: Stamp) {
        let text = content.map(head).unwrap_or_default();
        if !text.trim_start().starts_with(NOTICE) {
            return;
        }
        let by_task = between(&text, "<task-id>", "</task-id>");
        let by_task = by_task.and_then(|task| self.links.tasks.get(task).copied());
        let by_call = between(&text, "<tool-use-id>", "</tool-use-id>");
        let by_call = by_call.and_then(|id| {
            let id = self.name(id);
            self.call_of(id)
        });
        if let Some(call) = by_task.or(by_call) {
            let draft = &mut self.calls[call as usize];
            draft.detached = draft.detached.or(at);
        }
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    let (inside, _) = rest.split_once(after)?;
    Some(inside.trim())
}
