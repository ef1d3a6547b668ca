//! Replies: all assistant lines of one message are one, whatever stands between them.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::line::{Block, Envelope};
use super::session::{Draft, Reply, Same, Session};
use super::threads::Root;
use crate::import::place::At;
use crate::import::value::{fields_of, hash, small, word};
use crate::model::Outcome;
use crate::trace::{Call, Sym};

/// Written by the harness in place of a reply: no model was asked.
const SYNTHETIC: &str = "<synthetic>";

/// Blocks of a reply that are no call.
const QUIET_BLOCKS: [&str; 5] = ["text", "thinking", "redacted_thinking", "image", "document"];

/// The type of a block that is a call.
const CALL: &str = "tool_use";

/// So many of a reply's last calls may still wait for their arguments.
const RECENT: usize = 64;

/// A line of a reply.
#[derive(Clone, Copy, Debug)]
struct Part<'l, 'a> {
    thread: u32,
    reply: u32,
    at: At<'a>,
    line: &'l Envelope<'a>,
    /// True where a line of that id came before.
    copy: bool,
}

/// What a line brought to its reply.
#[derive(Clone, Copy, Debug, Default)]
struct Brought {
    new: bool,
    known: bool,
}

impl Session<'_> {
    pub(super) fn assistant(&mut self, root: Root, at: At<'_>, line: &Envelope<'_>, copy: bool) {
        let [id, model, content] = fields_of(line.message, ["id", "model", "content"]);
        let model = word(model);
        let synthetic = model == SYNTHETIC || line.api_error;
        if synthetic && !copy {
            self.run.skipped.synthetic += 1;
            return;
        }
        let thread = self.threads.of(root, line);
        let message = message_key(&word(id), line);
        let found = message.and_then(|message| self.find(thread, message, line));
        let owned = message.filter(|_| found.is_none());
        let owned = owned.is_some_and(|message| self.owned(message, line, content));
        if owned || (copy && found.is_none()) {
            self.run.skipped.copies += 1;
            return;
        }
        let (reply, first) = match found {
            Some(reply) => (reply, false),
            None => (self.start(thread, message, line), true),
        };
        if !model.is_empty() && self.replies[reply as usize].model == Sym::default() {
            self.replies[reply as usize].model = self.name(&model);
        }
        let empty_so_far = !first && self.replies[reply as usize].blocks == 0;
        let part = Part {
            thread,
            reply,
            at,
            line,
            copy,
        };
        let brought = self.union(part, content);
        if brought.new || first {
            let reply = &mut self.replies[reply as usize];
            reply.last = reply.last.max(line.at);
        }
        if copy && !brought.new {
            self.run.skipped.copies += 1;
        } else if brought.known || empty_so_far || (!first && !brought.new) {
            self.run.skipped.merged += 1;
        }
    }

    fn find(&mut self, thread: u32, message: u64, line: &Envelope<'_>) -> Option<u32> {
        let latest = self.by_message.get(&(thread, message)).copied();
        if line.request.is_empty() {
            return latest;
        }
        let key = (thread, message, hash(&line.request));
        if let Some(reply) = self.by_request.get(&key) {
            return Some(*reply);
        }
        // Lines of one message may leave the request out.
        let reply = latest.filter(|reply| self.replies[*reply as usize].no_request)?;
        self.replies[reply as usize].no_request = false;
        self.by_request.insert(key, reply);
        Some(reply)
    }

    /// True where the line repeats a reply of another thread: a forked session begins with the
    /// history of the one that it came from, under new line ids. One call is owned by one thread.
    fn owned(&mut self, message: u64, line: &Envelope<'_>, content: Option<&RawValue>) -> bool {
        let request = hash(&line.request);
        let Some(reply) = self.owners.get(&(message, request)).copied() else {
            return false;
        };
        let mut sure = !line.request.is_empty();
        let blocks = Block::all(content);
        let known = blocks.iter().all(|block| {
            if block.kind() != CALL {
                return self.other_blocks.contains(&(reply, hash(&block.raw.get())));
            }
            let same = self.same(block);
            sure |= same.0 != Sym::default();
            self.call_blocks.contains_key(&(reply, same))
        });
        known && sure && !blocks.is_empty()
    }

    /// What two blocks of one call have in common: id, tool and arguments.
    fn same(&mut self, block: &Block<'_>) -> Same {
        let id = self.name(&word(block.fields[1]));
        let tool = self.name(&word(block.fields[2]));
        (id, tool, hash(&block.fields[3].map(RawValue::get)))
    }

    fn start(&mut self, thread: u32, message: Option<u64>, line: &Envelope<'_>) -> u32 {
        let reply = small(self.replies.len());
        let row = &mut self.threads.rows[thread as usize];
        row.replies.push(reply);
        self.replies.push(Reply {
            asked: row.asked,
            last: line.at,
            model: Sym::default(),
            origin: message.map_or(0, |message| hash(&(message, hash(&line.request))).max(1)),
            calls: Vec::new(),
            blocks: 0,
            no_request: line.request.is_empty(),
        });
        if let Some(message) = message {
            self.by_message.insert((thread, message), reply);
            let owner = (message, hash(&line.request));
            self.owners.entry(owner).or_insert(reply);
            if !line.request.is_empty() {
                let key = (thread, message, hash(&line.request));
                self.by_request.insert(key, reply);
            }
        }
        reply
    }

    /// Adds the blocks that the reply does not have yet. A line may repeat those before it.
    fn union(&mut self, part: Part<'_, '_>, content: Option<&RawValue>) -> Brought {
        let reply = part.reply;
        let blocks = Block::all(content);
        let mut brought = Brought::default();
        let text = content.filter(|content| blocks.is_empty() && content.get().starts_with('"'));
        if let Some(raw) = text {
            self.other_block(reply, raw, &mut brought);
        }
        let calls = blocks.iter().filter(|block| block.kind() == CALL);
        let lone = calls.count() == 1 && !part.copy;
        let mut in_line: HashMap<Same, u32> = HashMap::new();
        for block in blocks {
            let kind = block.kind();
            if kind != CALL {
                if !QUIET_BLOCKS.contains(&&*kind) {
                    let name = format!("content block {kind}");
                    self.run.skipped.unknown_type(&name);
                }
                self.other_block(reply, block.raw, &mut brought);
                continue;
            }
            let input = block.fields[3];
            let same = self.same(&block);
            let (id, tool, _) = same;
            let here = in_line.entry(same).or_insert(0);
            *here += 1;
            let known = self.call_blocks.entry((reply, same));
            let known = known.or_insert(0);
            // Without an id a block that stands alone cannot be told from a repeat of itself:
            // its place makes it a call of its own.
            if *here <= *known && !(id == Sym::default() && lone) {
                brought.known = true;
                continue;
            }
            *known += 1;
            brought.new = true;
            if *here == 1 && self.fill_in(part, (id, tool), input) {
                brought.known = true;
                continue;
            }
            self.replies[reply as usize].blocks += 1;
            self.add_call(part, (id, tool), input);
        }
        brought
    }

    fn other_block(&mut self, reply: u32, raw: &RawValue, brought: &mut Brought) {
        let new = self.other_blocks.insert((reply, hash(&raw.get())));
        brought.new |= new;
        brought.known |= !new;
        self.replies[reply as usize].blocks += u32::from(new);
    }

    /// A line written while the reply streamed may hold the block without its arguments; a later
    /// one has them.
    fn fill_in(
        &mut self,
        part: Part<'_, '_>,
        (id, tool): (Sym, Sym),
        input: Option<&RawValue>,
    ) -> bool {
        if id == Sym::default() {
            return false;
        }
        let recent = self.replies[part.reply as usize].calls.iter().rev();
        let mut recent = recent.take(RECENT).copied();
        let bare = recent.find(|call| {
            let call = &self.calls[*call as usize].call;
            let same_line = call.line_offset == part.at.offset && call.args.file == part.at.file;
            let open = call.outcome == Outcome::Unfinished;
            call.id == id && call.tool == tool && call.args.len <= 2 && open && !same_line
        });
        let Some(number) = bare else {
            return false;
        };
        let call = self.call(part, (id, tool), input);
        let draft = &mut self.calls[number as usize];
        draft.call = Call {
            index: draft.call.index,
            ..call
        };
        draft.issued = part.line.at.or(draft.issued);
        true
    }

    fn add_call(&mut self, part: Part<'_, '_>, (id, tool): (Sym, Sym), input: Option<&RawValue>) {
        let Part { thread, reply, .. } = part;
        let number = small(self.calls.len());
        let index = small(self.replies[reply as usize].calls.len());
        let call = Call {
            index,
            ..self.call(part, (id, tool), input)
        };
        self.replies[reply as usize].calls.push(number);
        self.calls.push(Draft {
            call,
            issued: part.line.at,
            hook: self.early_hooks.remove(&(thread, id)),
            end: None,
            detached: None,
        });
        self.pairs.issue(thread, id, reply, number);
        let only = self.by_id.entry(id).or_insert(Some(number));
        if *only != Some(number) {
            *only = None;
        }
    }

    /// The row of a call but for its place in the reply and its times.
    fn call(
        &mut self,
        part: Part<'_, '_>,
        (id, tool): (Sym, Sym),
        input: Option<&RawValue>,
    ) -> Call {
        let Part { at, line, .. } = part;
        let args = input.map_or("{}", RawValue::get);
        let folder = match &*line.cwd {
            "" => self.run.meta.folder.as_str(),
            cwd => cwd,
        };
        let folder = (!folder.is_empty()).then_some(folder);
        let name = self.run.names.get(tool);
        let effects = self.catalog.effects(name, args, folder, &mut self.run.keys);
        let approval = self.catalog.get(name).is_some_and(|tool| tool.approval);
        let moved = folder.filter(|folder| *folder != self.run.meta.folder);
        let moved = moved.map(|folder| self.run.names.intern(folder));
        Call {
            turn: part.reply,
            tool,
            id,
            reads: self.run.pool_keys(&effects.reads),
            writes: self.run.pool_keys(&effects.writes),
            opaque: effects.opaque,
            is_final: effects.is_final,
            source: effects.source,
            approval,
            args: input.map(|input| at.body(input.get())).unwrap_or_default(),
            line_offset: at.offset,
            folder: moved.unwrap_or_default(),
            ..Call::default()
        }
    }
}

/// What lines of one reply have in common: the message id, else the request id. Without either
/// every line is a reply of its own.
fn message_key(id: &str, line: &Envelope<'_>) -> Option<u64> {
    match (id, &*line.request) {
        ("", "") => line.uuid.map(|uuid| hash(&("line", uuid))),
        ("", request) => Some(hash(&("request", request))),
        (id, _) => Some(hash(&("message", id))),
    }
}
