//! The events of a sample as spans.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::value::RawValue;

use super::event::Event;
use super::outcome::of_error;
use crate::import::draft::Draft;
use crate::import::place::At;
use crate::import::spans::{Facts, Key, Kind, Raw, Spans};
use crate::import::value::{Stamp, fields_of, items_of, seconds, word};
use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::trace::json;

/// Events inside events nest less deep than this.
const DEEPEST: u8 = 40;

/// Events that are neither replies nor calls nor frames around them.
const QUIET: [&str; 20] = [
    "sample_init",
    "sample_limit",
    "sandbox",
    "state",
    "store",
    "approval",
    "input",
    "score",
    "score_edit",
    "error",
    "logger",
    "info",
    "span_end",
    "step",
    "anchor",
    "branch",
    "checkpoint",
    "compaction",
    "interrupt",
    "timeline",
];

/// Texts that stand apart, by their hash.
type Attachments<'a> = HashMap<Cow<'a, str>, &'a RawValue>;

/// A sample while its events are read.
pub(super) struct Sample<'a> {
    /// The file's text; `None` where bodies cannot be read from the file.
    at: Option<At<'a>>,
    attachments: Attachments<'a>,
    spans: Spans,
    /// Runs of tools by the span that they lie in and the tool, in order.
    runs: BTreeMap<(Cow<'a, str>, Cow<'a, str>), Vec<Key>>,
    /// Frames of runs, in the same way: their events do not name the run.
    frames: BTreeMap<(Cow<'a, str>, Cow<'a, str>), Vec<Event<'a>>>,
    /// The run that an agent's span was started by.
    starters: HashMap<Cow<'a, str>, Key>,
    begins: Vec<Event<'a>>,
    numbers: u64,
}

impl<'a> Sample<'a> {
    /// The spans of a sample's events; `None` where it has none.
    pub(super) fn spans(draft: &mut Draft, at: Option<At<'a>>, raw: &'a RawValue) -> Option<Spans> {
        let [events, attachments] = fields_of(Some(raw), ["events", "attachments"]);
        let events = items_of(events);
        if events.is_empty() {
            draft.skipped().note("samples without events");
            return None;
        }
        let mut sample = Self {
            at,
            attachments: texts(attachments),
            spans: Spans::new(),
            runs: BTreeMap::new(),
            frames: BTreeMap::new(),
            starters: HashMap::new(),
            begins: Vec::new(),
            numbers: 0,
        };
        sample.events(draft, events, None, 0);
        sample.finish_frames(draft);
        Some(sample.spans)
    }

    fn events(
        &mut self,
        draft: &mut Draft,
        events: Vec<&'a RawValue>,
        parent: Option<Key>,
        depth: u8,
    ) {
        for raw in events {
            let event = Event::read(draft, raw);
            match &*event.what {
                "model" => self.model(draft, &event, parent),
                "tool" => self.tool(draft, &event, parent, depth),
                "subtask" => {
                    let key = self.frame(draft, &event, parent);
                    self.inside(draft, &event, key, depth);
                }
                "span_begin" => match &*event.word("type") {
                    "tool" => {
                        let place = (event.word("parent_id"), event.word("name"));
                        self.frames.entry(place).or_default().push(event);
                    }
                    _ => self.begins.push(event),
                },
                what if QUIET.contains(&what) => {}
                "" => draft.skipped().unknown_type("(no type)"),
                what => draft.skipped().unknown_type(what),
            }
        }
    }

    fn inside(&mut self, draft: &mut Draft, event: &Event<'a>, key: Key, depth: u8) {
        let events = items_of(event.events);
        if events.is_empty() {
            return;
        }
        if depth == DEEPEST {
            draft.skipped().note("events that lie too deep");
            return;
        }
        self.events(draft, events, Some(key), depth + 1);
    }

    /// A key for something that has no id of its own.
    fn new_key(&mut self) -> Key {
        self.numbers += 1;
        let name = format!("event {}", self.numbers);
        self.spans.key("", &name)
    }

    /// The span that an event lies in: what it names, else what it stands in.
    fn parent(&mut self, event: &Event<'_>, parent: Option<Key>) -> Option<Key> {
        match &*event.span {
            "" => parent,
            span => Some(self.spans.key("", &span_id(span))),
        }
    }

    fn raw<'s>(&self, value: Option<&'s RawValue>) -> Option<Raw<'s>>
    where
        'a: 's,
    {
        Raw::value(self.at, value)
    }

    fn facts<'s>(&self, event: &Event<'s>) -> Facts<'s> {
        Facts {
            name: event.word("name"),
            start: event.at,
            end: event.completed.filter(|_| !event.pending),
            timing: Timing::Events,
            origin: event.word("uuid"),
            line_offset: self.at.map_or(0, |at| at.offset_of(event.raw.get())),
            ..Facts::default()
        }
    }

    fn model(&mut self, draft: &mut Draft, event: &Event<'a>, parent: Option<Key>) {
        let output = event.value("output");
        let [choices, took] = fields_of(output, ["choices", "time"]);
        let choice = choices.and_then(|choices| json::first_item(choices.get()));
        if event.error.is_some() && choice.is_none() {
            draft.skipped().note("attempts of a model that failed");
            return;
        }
        let mut facts = self.facts(event);
        facts.kind = Some(Kind::Model);
        if facts.end.is_none() && !event.pending {
            // Older logs only say how long it took.
            let took = took.and_then(json::number).and_then(seconds);
            facts.end = later(facts.start, took.or(event.working));
        }
        facts.model(self.raw(event.value("model")));
        let [message] = fields_of(choice, ["message"]);
        facts.in_and_out(None, self.raw(message));
        let key = self.new_key();
        let parent = self.parent(event, parent);
        self.spans.add(draft, (key, parent), &facts);
    }

    fn tool(&mut self, draft: &mut Draft, event: &Event<'a>, parent: Option<Key>, depth: u8) {
        let mut facts = self.facts(event);
        facts.kind = Some(Kind::Tool);
        let [kind, message] = fields_of(event.error, ["type", "message"]);
        let has_ended = facts.end.is_some() || (event.value("result").is_some() && !event.pending);
        facts.outcome = Some(match event.error {
            Some(_) => of_error(&word(kind)),
            None if event.failed => Outcome::Failed,
            None if has_ended => Outcome::Ok,
            None => Outcome::Unfinished,
        });
        facts.error = word(message);
        facts.own = event
            .working
            .filter(|own| fits(*own, facts.start, facts.end));
        if facts.own != event.working {
            draft.skipped().note("working times longer than the call");
        }
        let id = event.raw.get();
        let [id, function] = json::fields(id, ["id", "function"]).unwrap_or_default();
        let parts = [function, id, event.value("arguments")].map(|part| self.raw(part));
        let [function_raw, id, args] = parts;
        let answer = self.attached(event.value("result"));
        facts.tool([function_raw, id, args, answer]);
        let key = self.new_key();
        let outer = self.parent(event, parent);
        self.spans.add(draft, (key, outer), &facts);
        let place = (event.span.clone(), word(function));
        self.runs.entry(place).or_default().push(key);
        let agent = event.word("agent_span_id");
        if !agent.is_empty() {
            self.starters.insert(agent, key);
        }
        self.inside(draft, event, key, depth);
    }

    /// A result, or the text that stands elsewhere in its place.
    fn attached(&self, result: Option<&'a RawValue>) -> Option<Raw<'a>> {
        let text = word(result);
        let elsewhere = text.strip_prefix("attachment://");
        let elsewhere = elsewhere.and_then(|hash| self.attachments.get(hash));
        self.raw(elsewhere.copied().or(result))
    }

    fn frame(&mut self, draft: &mut Draft, event: &Event<'a>, parent: Option<Key>) -> Key {
        let mut facts = self.facts(event);
        facts.kind = Some(Kind::Other);
        let key = self.new_key();
        let parent = self.parent(event, parent);
        self.spans.add(draft, (key, parent), &facts);
        key
    }

    /// Adds the spans that frame others. The frame of a tool's run lies beside the run's event:
    /// where a place has as many of both for one tool they belong together in their order.
    fn finish_frames(&mut self, draft: &mut Draft) {
        for event in std::mem::take(&mut self.begins) {
            let starter = self.starters.get(&event.id).copied();
            let kind = match &*event.word("type") {
                "agent" => Kind::Agent,
                "scorer" | "scorers" => Kind::Apart,
                _ => Kind::Other,
            };
            self.begin(draft, &event, kind, starter);
        }
        for (place, frames) in std::mem::take(&mut self.frames) {
            let runs = self.runs.remove(&place).unwrap_or_default();
            let paired = runs.len() == frames.len();
            for (at, event) in frames.iter().enumerate() {
                let run = runs.get(at).copied().filter(|_| paired);
                let kind = run.map_or(Kind::Unlinked, |_| Kind::Other);
                self.begin(draft, event, kind, run);
            }
        }
    }

    fn begin(&mut self, draft: &mut Draft, event: &Event<'a>, kind: Kind, starter: Option<Key>) {
        let mut facts = self.facts(event);
        facts.kind = Some(kind);
        facts.agent(self.raw(event.value("name")));
        let key = self.spans.key("", &span_id(&event.id));
        let parent = event.word("parent_id");
        let parent = (!parent.is_empty()).then(|| self.spans.key("", &span_id(&parent)));
        self.spans.add(draft, (key, starter.or(parent)), &facts);
    }
}

/// Ids of spans and numbers of events are never the same.
fn span_id(id: &str) -> String {
    format!("span {id}")
}

fn texts(attachments: Option<&RawValue>) -> Attachments<'_> {
    let mut texts = HashMap::new();
    if let Some(attachments) = attachments {
        // What stands before a broken one counts.
        let _ = json::each_field(attachments.get(), |hash, text| {
            if let Some(text) = text {
                texts.insert(Cow::Owned(hash.to_owned()), text);
            }
        });
    }
    texts
}

fn later(start: Stamp, by: Option<Nanos>) -> Stamp {
    start?.checked_add(i64::try_from(by?.0).ok()?)
}

/// True where a working time can be one of a call that lasted so long. It comes from another clock.
fn fits(own: Nanos, start: Stamp, end: Stamp) -> bool {
    let lasted = start.zip(end).map(|(start, end)| end.saturating_sub(start));
    let lasted = lasted.and_then(|lasted| u64::try_from(lasted).ok());
    lasted.is_none_or(|lasted| own.0 <= lasted.saturating_add(lasted / 100 + 1_000_000))
}
