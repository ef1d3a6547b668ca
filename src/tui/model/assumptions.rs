//! What the user assumes instead of what the file says, and what follows from it.
//!
//! Figures and what they rest on change together: a wish is put to the outside, and the screen
//! changes when everything that follows from it is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::Facts;
use crate::analyze::WhatIfOptions;
use crate::model::{Catalog, Declared, ToolSpec};
use crate::schedule::{OnFailure, Slots};
use crate::trace::Run;
use crate::tui::msg::Assume;

/// What is assumed instead of what the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The limit on how many calls run at once.
    pub slots: Slots,
    /// What a failure does to the others.
    pub on_failure: OnFailure,
    /// Tools that are taken to declare something else, by name as in the file.
    pub tools: BTreeMap<String, Declared>,
}

impl Changes {
    fn none(given: &WhatIfOptions) -> Self {
        Self {
            slots: given.slots,
            on_failure: given.on_failure,
            tools: BTreeMap::new(),
        }
    }
}

/// A wish that the outside works on.
#[derive(Clone, Debug)]
struct Asked {
    id: u64,
    changes: Changes,
    run: Arc<Run>,
}

/// What the user assumes, what the figures on the screen rest on, and what the file says.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// The run as the file has it.
    pub(in crate::tui) run: Arc<Run>,
    /// What follows from the file alone.
    pub(in crate::tui) facts: Facts,
    /// The switches that the viewer was opened with.
    pub(in crate::tui) given: WhatIfOptions,
    /// What the figures on the screen rest on.
    pub(in crate::tui) applied: Changes,
    /// What the user wants them to rest on.
    pub(in crate::tui) wanted: Changes,
    /// Calls whose arguments could not be read for the figures on the screen.
    pub(in crate::tui) unread: usize,
    /// By tool, the arguments that can name a key; those asked for so far.
    pub(in crate::tui) args: BTreeMap<String, Vec<String>>,
    asked: Option<Asked>,
    count: u64,
}

impl Assumptions {
    pub(super) fn new(run: Arc<Run>, facts: Facts, given: WhatIfOptions) -> Self {
        let none = Changes::none(&given);
        Self {
            run,
            facts,
            given,
            applied: none.clone(),
            wanted: none,
            unread: 0,
            args: BTreeMap::new(),
            asked: None,
            count: 0,
        }
    }

    /// Another run: nothing is assumed of it. Answers that are under way are for the old one.
    pub(super) fn another_run(&mut self, run: Arc<Run>, facts: Facts) {
        let count = self.count;
        *self = Self::new(run, facts, self.given.clone());
        self.count = count;
    }

    /// True where the figures on the screen rest on something else than the file.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.applied != Changes::none(&self.given)
    }

    /// True where something is wanted that does not show yet.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        self.asked.is_some()
    }

    /// The switches that the figures on the screen rest on.
    pub(in crate::tui) fn options(&self) -> WhatIfOptions {
        WhatIfOptions {
            slots: self.applied.slots,
            on_failure: self.applied.on_failure,
            ..self.given.clone()
        }
    }

    /// Wants nothing but what the file says.
    pub(in crate::tui) fn want_nothing(&mut self) {
        self.wanted = Changes::none(&self.given);
    }

    /// Takes the file's own run and figures where nothing else is wanted; they are known.
    pub(in crate::tui) fn back_to_file(&mut self) -> Option<(Arc<Run>, Facts)> {
        if self.wanted != Changes::none(&self.given) {
            return None;
        }
        self.asked = None;
        self.applied = self.wanted.clone();
        self.unread = 0;
        Some((Arc::clone(&self.run), self.facts.clone()))
    }

    /// The question to the outside, one at a time; `None` where there is nothing to ask or an
    /// answer is under way.
    pub(in crate::tui) fn ask(&mut self) -> Option<Assume> {
        if self.asked.is_some() {
            return None;
        }
        self.count += 1;
        self.asked = Some(Asked {
            id: self.count,
            changes: self.wanted.clone(),
            run: Arc::clone(&self.run),
        });
        let catalog = (!self.wanted.tools.is_empty()).then(|| self.overrides(&self.wanted));
        Some(Assume {
            id: self.count,
            run: Arc::clone(&self.run),
            catalog,
            options: WhatIfOptions {
                slots: self.wanted.slots,
                on_failure: self.wanted.on_failure,
                ..self.given.clone()
            },
        })
    }

    /// Takes an answer in: the run is under these assumptions now, or it stays as it was. `None`
    /// for an answer that nobody waits for, else whether more has to be asked: something else is
    /// wanted by now, or the file has grown.
    pub(in crate::tui) fn answered(&mut self, id: u64, unread: Option<usize>) -> Option<bool> {
        let asked = self.asked.take_if(|asked| asked.id == id)?;
        match unread {
            Some(unread) => (self.applied, self.unread) = (asked.changes, unread),
            None if self.wanted == asked.changes => self.wanted = self.applied.clone(),
            None => {}
        }
        Some(self.wanted != self.applied || !Arc::ptr_eq(&self.run, &asked.run))
    }

    /// The changed tools alone.
    fn overrides(&self, changes: &Changes) -> Catalog {
        let tools = changes.tools.iter();
        let tools = tools.map(|(name, declared)| ToolSpec {
            declared: declared.clone(),
            ..self.spec(name)
        });
        Catalog::new(tools.collect())
    }

    /// The catalog that the figures on the screen rest on.
    pub(in crate::tui) fn catalog(&self) -> Catalog {
        let mut catalog = self.run.catalog.clone().unwrap_or_default();
        for tool in self.overrides(&self.applied).tools() {
            catalog.insert(tool.clone());
        }
        catalog
    }

    /// What the file's catalog says of a tool; for one that it does not hold, what its calls say.
    pub(in crate::tui) fn spec(&self, name: &str) -> ToolSpec {
        let known = self.run.catalog.as_ref().and_then(|c| c.get(name));
        known.cloned().unwrap_or_else(|| {
            let mut calls = self.run.calls.iter();
            ToolSpec {
                name: name.to_owned(),
                is_final: calls.any(|call| call.is_final && self.run.tool(call) == name),
                ..ToolSpec::default()
            }
        })
    }
}
