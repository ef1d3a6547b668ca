//! From spans to the rows of a run.

use std::collections::HashMap;
use std::path::Path;

use super::assign::assign;
use super::collect::{Extras, Spans};
use super::points;
use super::raw::Piece;
use super::span::{Kind, Span, Wanted};
use super::threads::{Line, Turn, lines};
use super::tree::{Owner, Tree};
use crate::import::draft::{Answer, CallNo, Draft, Parent, ReplyNo, ThreadNo};
use crate::import::value::Stamp;
use crate::model::{Outcome, Timing};
use crate::trace::Sym;

/// Where spans go: the rows, what cannot stay in the file, and the file's name.
pub(in crate::import) struct Into<'d> {
    pub(in crate::import) draft: &'d mut Draft,
    pub(in crate::import) extras: &'d mut Extras,
    pub(in crate::import) path: &'d Path,
}

impl Spans {
    /// Puts everything into the draft: into its main thread, or into one of that name.
    pub(in crate::import) fn finish(mut self, into: &mut Into<'_>, thread: Option<&str>) {
        points::join(&mut self, into.draft);
        let tree = Tree::of(self, into.draft);
        let assigned = assign(&tree, into.draft);
        let lines = lines(&tree, assigned);
        let mut builder = Builder {
            tree: &tree,
            into,
            calls: HashMap::new(),
            agents: first_agents(&tree),
        };
        let mut parents = Vec::new();
        for (line, turns) in lines {
            let number = builder.thread(line, thread);
            parents.push((number, line));
            for turn in turns {
                builder.turn(number, &turn);
            }
        }
        let calls = builder.calls;
        for (number, (owner, _)) in parents {
            if let Owner::Call(row) = owner
                && let Some(call) = calls.get(&row)
            {
                into.draft.set_parent(number, Parent::Call(*call));
            }
        }
    }
}

struct Builder<'b, 'd> {
    tree: &'b Tree,
    into: &'b mut Into<'d>,
    /// The call that each tool's run became, by row.
    calls: HashMap<u32, CallNo>,
    agents: HashMap<Owner, u32>,
}

/// The first agent at work in each call: its name says more than the tool's.
fn first_agents(tree: &Tree) -> HashMap<Owner, u32> {
    let mut agents = HashMap::new();
    for row in tree.rows_of(Kind::Agent) {
        agents.entry(tree.context(row).owner).or_insert(row);
    }
    agents
}

impl Builder<'_, '_> {
    fn thread(&mut self, (owner, scope): Line, whole: Option<&str>) -> ThreadNo {
        let draft = &mut *self.into.draft;
        let row = match (owner, scope) {
            (Owner::Main, None) => {
                return match whole {
                    None => draft.main(),
                    Some(name) => draft.thread(name, Parent::Nobody),
                };
            }
            (_, Some(scope)) => scope,
            (Owner::Call(row) | Owner::Apart(row), None) => {
                self.agents.get(&owner).copied().unwrap_or(row)
            }
        };
        let name = self.tree.span(row).name;
        let parent = match owner {
            Owner::Call(_) => Parent::Unknown,
            Owner::Apart(row) if self.tree.span(row).kind == Kind::Unlinked => Parent::Unknown,
            Owner::Main | Owner::Apart(_) => Parent::Nobody,
        };
        self.into.draft.thread_by_sym(name, parent)
    }

    fn turn(&mut self, thread: ThreadNo, turn: &Turn) {
        let model = turn.reply.map(|row| self.tree.span(row));
        let times = model.map_or((None, None), |model| (model.start, model.end));
        let reply = self.into.draft.reply(thread, "", times);
        let row = self.into.draft.reply_mut(reply);
        row.timing = model.map_or(Timing::Unknown, |model| model.timing);
        row.origin = model.map_or(0, |model| model.origin);
        row.model = model.map_or(Sym::default(), |model| model.name);
        if model.is_none() {
            let note = "turns without a reply, put together by overlap in time";
            self.into.draft.skipped().note(note);
        }
        let complete = model.and_then(|model| model.end);
        let wanted = model.map_or(&[][..], |model| &model.wanted);
        for (wanted, run) in wanted.iter().zip(&turn.calls.asked) {
            match run {
                Some(run) => self.run(reply, complete, *run, Some(wanted)),
                None => self.without_run(reply, complete, wanted),
            }
        }
        for run in &turn.calls.more {
            self.run(reply, complete, *run, None);
        }
    }

    /// A call whose run is in the file.
    fn run(&mut self, reply: ReplyNo, complete: Stamp, row: u32, wanted: Option<&Wanted>) {
        let span = self.tree.span(row);
        let (base, args) = match (&span.args, wanted) {
            (Piece::None, Some(wanted)) => (wanted.call, &wanted.args),
            (args, _) => (span.call, args),
        };
        let id = match (span.call_id, wanted) {
            (Sym(0), Some(wanted)) => wanted.id,
            (id, _) => id,
        };
        let args = self.keep(args);
        let base = crate::trace::Call {
            args,
            line_offset: span.line_offset,
            ..base
        };
        let draft = &mut *self.into.draft;
        let call = draft.adopt(reply, id, base);
        // A call may start while the rest of its reply is still being written.
        let issued = match (complete, span.start) {
            (Some(complete), Some(start)) => Some(complete.min(start)),
            (complete, _) => complete,
        };
        let row_of_call = draft.call_mut(call);
        row_of_call.issued = issued;
        row_of_call.start = span.start;
        let answer = self.answer(span);
        self.into.draft.answer(call, answer);
        self.calls.insert(row, call);
    }

    fn answer(&mut self, span: &Span) -> Answer {
        Answer {
            end: span.end,
            outcome: span.outcome,
            error: span.error.clone(),
            body: self.keep(&span.answer),
            bytes: span.answer_bytes,
            own: span.own,
            timing: span.timing,
        }
    }

    /// A call that was asked for and whose run is not in the file.
    fn without_run(&mut self, reply: ReplyNo, complete: Stamp, wanted: &Wanted) {
        let args = self.keep(&wanted.args);
        let base = crate::trace::Call {
            args,
            ..wanted.call
        };
        let draft = &mut *self.into.draft;
        draft.skipped().note("calls without a span");
        let call = draft.adopt(reply, wanted.id, base);
        draft.call_mut(call).issued = complete;
        let answer = Answer {
            outcome: Outcome::Unfinished,
            error: "no span".to_owned(),
            timing: Timing::Unknown,
            ..Answer::default()
        };
        draft.answer(call, answer);
    }

    fn keep(&mut self, piece: &Piece) -> crate::trace::BodyRef {
        let Into {
            draft,
            extras,
            path,
        } = &mut *self.into;
        extras.keep(draft, path, piece)
    }
}
