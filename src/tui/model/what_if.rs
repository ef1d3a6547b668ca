//! What the what-if shows beside the selected turn's schedules.

use std::sync::Arc;

use super::assumptions::Assumptions;
use super::facts::Facts;
use crate::analyze::WhatIfOptions;
use crate::trace::Run;
use crate::tui::report::Drawn;

/// What the what-if shows, and what it rests on.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// True where its panel is on the screen beside the others.
    pub(in crate::tui) shown: bool,
    /// True where it shows all turns of the thread added up.
    pub(in crate::tui) all_turns: bool,
    /// The schedule that is marked for a comparison.
    pub(in crate::tui) mark: Option<Drawn>,
    /// What the user assumes.
    pub(in crate::tui) assumptions: Assumptions,
}

impl WhatIf {
    pub(super) fn new(run: Arc<Run>, facts: Facts, given: WhatIfOptions) -> Self {
        Self {
            shown: true,
            all_turns: false,
            mark: None,
            assumptions: Assumptions::new(run, facts, given),
        }
    }

    pub(super) fn another_run(&mut self, run: Arc<Run>, facts: Facts) {
        self.mark = None;
        self.assumptions.another_run(run, facts);
    }

    /// True where it shows all turns of the thread added up.
    #[must_use]
    pub const fn shows_all_turns(&self) -> bool {
        self.all_turns
    }

    /// The schedule that is marked for a comparison.
    #[must_use]
    pub const fn mark(&self) -> Option<Drawn> {
        self.mark
    }

    /// What the user assumes.
    #[must_use]
    pub const fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }
}
