//! Whether a call is what a query asks for.

use super::term::{Query, Term, What};
use crate::trace::{Call, Run, Turn};

/// A call and what there is to know of it beside its bodies.
#[derive(Clone, Copy, Debug)]
pub struct CallFacts<'a> {
    /// The run.
    pub run: &'a Run,
    /// The call's turn.
    pub turn: &'a Turn,
    /// The call.
    pub call: &'a Call,
    /// True where it is one of the two calls of a hazard.
    pub in_hazard: bool,
}

/// Whether a call fits, as far as that is known without its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Only its bodies can tell: ask [`Query::fits_inside`].
    LookInside,
}

/// A body of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The arguments.
    Args,
    /// The answer.
    Answer,
}

/// True where `text` holds `needle`, which is in lower case; case does not matter.
fn holds(text: &str, needle: &str) -> bool {
    if text.len() < needle.len() && text.is_ascii() {
        return false;
    }
    text.to_lowercase().contains(needle)
}

impl Query {
    /// Whether a call fits, without looking at its bodies.
    #[must_use]
    pub fn fits(&self, facts: &CallFacts<'_>) -> Fit {
        let mut open = false;
        for term in &self.terms {
            match term.known(facts) {
                Some(false) => return Fit::No,
                Some(true) => {}
                None => open = true,
            }
        }
        if open { Fit::LookInside } else { Fit::Yes }
    }

    /// Whether a call fits. `inside` says whether a body holds a text, which is given in lower
    /// case; it is asked for no more than it takes.
    pub fn fits_inside(
        &self,
        facts: &CallFacts<'_>,
        mut inside: impl FnMut(Part, &str) -> bool,
    ) -> bool {
        self.terms.iter().all(|term| {
            term.known(facts).unwrap_or_else(|| {
                let found = match &term.what {
                    What::Args(text) => inside(Part::Args, text),
                    What::Answer(text) => inside(Part::Answer, text),
                    What::Word(text) => inside(Part::Args, text) || inside(Part::Answer, text),
                    _ => false,
                };
                found != term.not
            })
        })
    }
}

impl Term {
    /// Whether it fits; `None` where only the bodies can tell.
    fn known(&self, facts: &CallFacts<'_>) -> Option<bool> {
        let fits = match &self.what {
            What::Args(_) if facts.call.args.len == 0 => Some(false),
            What::Answer(_) if facts.call.answer.len == 0 => Some(false),
            What::Args(_) | What::Answer(_) => None,
            What::Word(text) if word(facts, text) => Some(true),
            What::Word(_) if facts.call.args.len + facts.call.answer.len == 0 => Some(false),
            What::Word(_) => None,
            what => Some(plain(facts, what)),
        };
        fits.map(|fits| fits != self.not)
    }
}

/// The terms that need no body.
fn plain(facts: &CallFacts<'_>, what: &What) -> bool {
    let CallFacts {
        run, turn, call, ..
    } = *facts;
    match what {
        What::Tool(text) => holds(run.tool(call), text),
        What::Key(text) => key(facts, text),
        What::Error(text) => holds(run.names.get(call.error), text),
        What::Id(text) => holds(run.names.get(call.id), text),
        What::Thread(text) => holds(run.thread_name(turn.thread), text),
        What::Failed => call.outcome.is_failure(),
        What::Outcome(outcome) => call.outcome == *outcome,
        What::Ran(limit) => limit.fits(call.run_time()),
        What::Waited(limit) => {
            let waited = call.start.zip(call.issued);
            limit.fits(waited.map(|(start, issued)| start.since(issued)))
        }
        What::Hazard => facts.in_hazard,
        What::Several => turn.calls.len > 1,
        What::Turn(first, last) => (*first..=*last).contains(&turn.number),
        What::Word(_) | What::Args(_) | What::Answer(_) => false,
    }
}

fn key(facts: &CallFacts<'_>, text: &str) -> bool {
    let run = facts.run;
    let both = [facts.call.reads, facts.call.writes];
    let mut keys = both.into_iter().flat_map(|range| run.keys_in(range));
    keys.any(|&key| holds(run.keys.text(key), text))
}

/// A word is in a name, a key, an outcome or an error.
fn word(facts: &CallFacts<'_>, text: &str) -> bool {
    let CallFacts {
        run, turn, call, ..
    } = *facts;
    holds(run.tool(call), text)
        || holds(call.outcome.word(), text)
        || holds(run.names.get(call.error), text)
        || holds(run.names.get(call.id), text)
        || holds(run.thread_name(turn.thread), text)
        || key(facts, text)
}
