//! What a file says of one span, in whatever words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::names::{Flat, SLOTS, Slot, flat, slot};
use super::raw::Raw;
use super::span::Kind;
use crate::import::value::Stamp;
use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::trace::json;

/// A call whose fields are spread over several attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatCall<'a> {
    pub(super) id: Option<Raw<'a>>,
    pub(super) name: Option<Raw<'a>>,
    pub(super) args: Option<Raw<'a>>,
}

/// What a file says of one span.
#[derive(Clone, Debug)]
pub(in crate::import) struct Facts<'a> {
    /// Its name.
    pub(in crate::import) name: Cow<'a, str>,
    /// When it started.
    pub(in crate::import) start: Stamp,
    /// When it ended; `None` for an open one.
    pub(in crate::import) end: Stamp,
    /// How it is known that it lasted from start to end.
    pub(in crate::import) timing: Timing,
    /// A figure of its own for how long it worked.
    pub(in crate::import) own: Option<Nanos>,
    /// True where the file says that it failed.
    pub(in crate::import) failed: bool,
    /// True where the file says that it did not fail: an exception on the way is then none.
    pub(in crate::import) fine: bool,
    /// True for an exception among its events.
    pub(in crate::import) exception: bool,
    /// How it ended, where the format has a word for that.
    pub(in crate::import) outcome: Option<Outcome>,
    /// What went wrong.
    pub(in crate::import) error: Cow<'a, str>,
    /// What it is, where the format leaves no choice.
    pub(in crate::import) kind: Option<Kind>,
    /// What identifies it wherever it is written again, where its trace and its id do not.
    pub(in crate::import) origin: Cow<'a, str>,
    /// Where its record stands in the file.
    pub(in crate::import) line_offset: u64,
    /// More of what the model put out, in messages of their own.
    pub(in crate::import) outputs: Vec<Raw<'a>>,
    /// What its attributes say.
    pub(in crate::import) said: Said<'a>,
}

/// What the attributes of a span say.
#[derive(Clone, Debug)]
pub(in crate::import) struct Said<'a> {
    slots: [Option<(u8, Raw<'a>)>; SLOTS],
    pub(super) flat: BTreeMap<(u32, u32), FlatCall<'a>>,
    pub(super) contents: Vec<Raw<'a>>,
}

impl Default for Said<'_> {
    fn default() -> Self {
        Self {
            slots: [const { None }; SLOTS],
            flat: BTreeMap::new(),
            contents: Vec::new(),
        }
    }
}

impl Default for Facts<'_> {
    fn default() -> Self {
        Self {
            name: Cow::default(),
            start: None,
            end: None,
            timing: Timing::Measured,
            own: None,
            failed: false,
            fine: false,
            exception: false,
            outcome: None,
            error: Cow::default(),
            kind: None,
            origin: Cow::default(),
            line_offset: 0,
            outputs: Vec::new(),
            said: Said::default(),
        }
    }
}

/// True where an attribute of that name is looked at: others need not be unpacked.
pub(in crate::import) fn is_wanted(name: &str) -> bool {
    slot(name).is_some() || flat(name).is_some()
}

/// Before the tool's own name in the names of spans.
const TOOL_NAMES: [&str; 5] = [
    "execute_tool ",
    "running tool: ",
    "running tool ",
    "ai.toolCall ",
    "tool.",
];

impl<'a> Facts<'a> {
    /// Takes an attribute.
    pub(in crate::import) fn set(&mut self, name: &str, value: Raw<'a>) {
        if value.text() == "null" {
            return;
        }
        if let Some((slot, rank)) = slot(name) {
            self.put(slot, rank, value);
        } else if let Some((at, field)) = flat(name) {
            let call = match field {
                Flat::Content => {
                    self.said.contents.push(value);
                    return;
                }
                Flat::Id | Flat::Name | Flat::Args => self.said.flat.entry(at).or_default(),
            };
            match field {
                Flat::Id => call.id = Some(value),
                Flat::Name => call.name = Some(value),
                Flat::Args | Flat::Content => call.args = Some(value),
            }
        }
    }

    pub(super) fn put(&mut self, slot: Slot, rank: u8, value: Raw<'a>) {
        let place = &mut self.said.slots[slot as usize];
        if place.as_ref().is_none_or(|(known, _)| *known >= rank) {
            *place = Some((rank, value));
        }
    }

    /// Takes the kind that a platform gives the span: `GENERATION`, `llm`, `TOOL`, ...
    pub(in crate::import) fn observed_as(&mut self, kind: Option<Raw<'a>>) {
        self.put_some(Slot::Observation, 0, kind);
    }

    /// Takes what went in and came out, where no attribute says it better.
    pub(in crate::import) fn in_and_out(
        &mut self,
        input: Option<Raw<'a>>,
        output: Option<Raw<'a>>,
    ) {
        self.put_some(Slot::Args, 2, input);
        self.put_some(Slot::Output, 2, output.clone());
        self.put_some(Slot::Answer, 2, output);
    }

    /// Takes the model's name, where no attribute says it better.
    pub(in crate::import) fn model(&mut self, name: Option<Raw<'a>>) {
        self.put_some(Slot::Model, 3, name);
    }

    /// Takes the tool's name, the call's id, its arguments and its answer.
    pub(in crate::import) fn tool(&mut self, parts: [Option<Raw<'a>>; 4]) {
        let slots = [Slot::Tool, Slot::CallId, Slot::Args, Slot::Answer];
        for (slot, part) in slots.into_iter().zip(parts) {
            self.put_some(slot, 0, part);
        }
    }

    /// Takes the name of the agent.
    pub(in crate::import) fn agent(&mut self, name: Option<Raw<'a>>) {
        self.put_some(Slot::Agent, 0, name);
    }

    fn put_some(&mut self, slot: Slot, rank: u8, value: Option<Raw<'a>>) {
        if let Some(value) = value.filter(|value| value.text() != "null") {
            self.put(slot, rank, value);
        }
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Raw<'a>> {
        self.said.slots[slot as usize]
            .as_ref()
            .map(|(_, value)| value)
    }

    pub(super) fn word(&self, slot: Slot) -> Cow<'_, str> {
        self.get(slot).map(Raw::word).unwrap_or_default()
    }

    /// What else another record says of the same span.
    pub(super) fn rank(&self, slot: Slot) -> Option<u8> {
        self.said.slots[slot as usize]
            .as_ref()
            .map(|(rank, _)| *rank)
    }

    /// The conversation that it belongs to; empty where nothing says it.
    pub(in crate::import) fn conversation(&self) -> Cow<'_, str> {
        self.word(Slot::Conversation)
    }

    /// What it is. The most specific convention decides.
    pub(in crate::import) fn kind(&self) -> Kind {
        self.kind
            .or_else(|| self.kind_by_convention())
            .or_else(|| self.kind_by_platform())
            .unwrap_or_else(|| self.kind_by_name())
    }

    fn kind_by_convention(&self) -> Option<Kind> {
        let operation = match &*self.word(Slot::Operation) {
            "" => None,
            "chat" | "generate_content" | "text_completion" | "completion" => Some(Kind::Model),
            "execute_tool" => Some(Kind::Tool),
            "invoke_agent" | "create_agent" => Some(Kind::Agent),
            _ => Some(Kind::Other),
        };
        let open_inference = || match &*self.word(Slot::OpenInference) {
            "" => None,
            "LLM" => Some(Kind::Model),
            "TOOL" => Some(Kind::Tool),
            "AGENT" => Some(Kind::Agent),
            _ => Some(Kind::Other),
        };
        let traceloop = || match &*self.word(Slot::Traceloop) {
            "" => None,
            "tool" => Some(Kind::Tool),
            "agent" => Some(Kind::Agent),
            _ => Some(Kind::Other),
        };
        let request = || match &*self.word(Slot::Request) {
            "" => None,
            "chat" | "completion" => Some(Kind::Model),
            _ => Some(Kind::Other),
        };
        let vercel = || match &*self.word(Slot::Vercel) {
            "" => None,
            "ai.toolCall" => Some(Kind::Tool),
            name if name.ends_with(".doGenerate") || name.ends_with(".doStream") => {
                Some(Kind::Model)
            }
            "ai.generateText" | "ai.streamText" => Some(Kind::Agent),
            _ => Some(Kind::Other),
        };
        operation
            .or_else(open_inference)
            .or_else(traceloop)
            .or_else(request)
            .or_else(vercel)
    }

    fn kind_by_platform(&self) -> Option<Kind> {
        let named = self.rank(Slot::Tool).is_some_and(|rank| rank == 0);
        if named || self.get(Slot::CallId).is_some() {
            return Some(Kind::Tool);
        }
        match &*self.word(Slot::Observation).to_ascii_lowercase() {
            "generation" | "llm" => Some(Kind::Model),
            "tool" => Some(Kind::Tool),
            "agent" => Some(Kind::Agent),
            _ => None,
        }
    }

    fn kind_by_name(&self) -> Kind {
        let name = &*self.name;
        if name.starts_with("execute_tool ") {
            Kind::Tool
        } else if name.starts_with("chat ") && self.get(Slot::Model).is_some() {
            Kind::Model
        } else if name.starts_with("invoke_agent")
            || (name.ends_with(" run") && self.get(Slot::Agent).is_some())
        {
            Kind::Agent
        } else {
            Kind::Other
        }
    }

    /// Its name by what it is: of a tool the tool's, of a model the model's.
    pub(super) fn title(&self, kind: Kind) -> Cow<'_, str> {
        let said = match kind {
            Kind::Model => return self.word(Slot::Model),
            Kind::Tool => self.word(Slot::Tool),
            Kind::Agent | Kind::Unlinked => self.word(Slot::Agent),
            Kind::Apart | Kind::Other => Cow::default(),
        };
        if !said.is_empty() {
            return said;
        }
        let name = &*self.name;
        let short = TOOL_NAMES
            .iter()
            .find_map(|before| name.strip_prefix(before));
        Cow::Borrowed(match short.filter(|short| !short.is_empty()) {
            Some(short) if kind == Kind::Tool => short,
            _ => name,
        })
    }

    /// The arguments. Some conventions put them into an envelope of their own.
    pub(super) fn args(&self) -> Option<Raw<'_>> {
        let raw = self.get(Slot::Args)?;
        if self.rank(Slot::Args) != Some(3) {
            return Some(raw.clone());
        }
        let text = raw.plain();
        let inside = json::fields(&text, ["inputs", "kwargs"]).ok();
        let inside = inside.and_then(|[inputs, kwargs]| inputs.or(kwargs));
        let inside = inside.filter(|inside| inside.get().starts_with('{'));
        Some(match inside {
            Some(inside) => Raw::owned(inside.get().to_owned()),
            None => raw.clone(),
        })
    }

    /// How it ended.
    pub(super) fn outcome(&self) -> Outcome {
        if let Some(outcome) = self.outcome {
            return outcome;
        }
        let class = self.word(Slot::ErrorType);
        let failed = self.failed || (!self.fine && (self.exception || !class.is_empty()));
        if self.end.is_none() && !failed {
            return Outcome::Unfinished;
        }
        if !failed {
            return Outcome::Ok;
        }
        let has = |word: &str| {
            [&*class, &*self.error].iter().any(|text| {
                text.get(..200.min(text.len()))
                    .unwrap_or(text)
                    .contains(word)
            })
        };
        if has("CancelledError") || has("AbortError") || has("context canceled") {
            Outcome::Cancelled
        } else if has("TimeoutError") || has("TimeoutException") || has("DeadlineExceeded") {
            Outcome::TimedOut
        } else {
            Outcome::Failed
        }
    }

    /// What went wrong, in words.
    pub(super) fn error(&self, outcome: Outcome) -> String {
        if !(outcome.is_failure() || outcome == Outcome::Cancelled) {
            return String::new();
        }
        match &*self.error {
            "" => self.word(Slot::ErrorType).into_owned(),
            error => error.to_owned(),
        }
    }
}
