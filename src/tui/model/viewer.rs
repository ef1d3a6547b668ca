//! The state of the viewer. Selections are places in lists; scrolling is the first visible place.

use std::collections::HashMap;
use std::sync::Arc;

use super::facts::Facts;
use super::find::Find;
use super::follow::Follow;
use super::look::Look;
use super::mouse::Mouse;
use super::overlay::Overlay;
use super::play::Player;
use super::replays::Replays;
use super::run_view::RunView;
use super::sessions::Sessions;
use super::timeline::Timeline;
use super::what_if::WhatIf;
use crate::analyze::WhatIfOptions;
use crate::chart::Viewport;
use crate::model::Timing;
use crate::time::Nanos;
use crate::trace::{Call, Run, Turn};
use crate::tui::keymap::{Keymap, Mode};
use crate::tui::report::{Drawn, Schedule, TurnReport};
use crate::tui::skin::Skin;

/// The panels that can have the keys, in the order of Tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// The list of turns.
    #[default]
    Turns,
    /// The calls of the selected turn over time.
    Timeline,
    /// The turn under every policy.
    WhatIf,
}

/// The state of the viewer.
#[derive(Clone, Debug)]
pub struct Model {
    pub(in crate::tui) run: Arc<Run>,
    pub(in crate::tui) file: String,
    pub(in crate::tui) facts: Facts,
    pub(in crate::tui) options: WhatIfOptions,
    pub(in crate::tui) skin: Skin,
    pub(in crate::tui) keymap: Arc<Keymap>,
    pub(in crate::tui) size: (u16, u16),
    pub(in crate::tui) focus: Panel,
    pub(in crate::tui) thread: usize,
    /// The selected turn's place in its thread.
    pub(in crate::tui) turn: usize,
    pub(in crate::tui) first_turn: usize,
    pub(in crate::tui) call: usize,
    pub(in crate::tui) first_call: usize,
    pub(in crate::tui) drawn: Drawn,
    pub(in crate::tui) timeline: Timeline,
    /// The part of the turn on the screen; `None` for all of it.
    pub(in crate::tui) zoom: Option<Viewport>,
    pub(in crate::tui) what_if: WhatIf,
    pub(in crate::tui) overlay: Option<Overlay>,
    pub(in crate::tui) report: Option<TurnReport>,
    pub(in crate::tui) notice: Option<String>,
    pub(in crate::tui) run_view: RunView,
    /// What the list of turns says of a turn, for those that were on the screen.
    pub(in crate::tui) seen: HashMap<u32, Seen>,
    pub(in crate::tui) player: Player,
    pub(in crate::tui) replays: Replays,
    pub(in crate::tui) follow: Follow,
    /// True from the first key on.
    pub(in crate::tui) touched: bool,
    pub(in crate::tui) sessions: Sessions,
    pub(in crate::tui) look: Look,
    pub(in crate::tui) mouse: Mouse,
    /// Searching, jumping, marks, blanking.
    pub(in crate::tui) find: Find,
}

/// What the list of turns says of a turn.
#[derive(Clone, Copy, Debug)]
pub(in crate::tui) struct Seen {
    pub(in crate::tui) makespan: Option<Nanos>,
    pub(in crate::tui) timing: Timing,
    /// True where the recorded order let a race through.
    pub(in crate::tui) races: bool,
}

impl Model {
    /// A viewer of `run`, named `file` on the screen, opened on the most telling turn.
    #[must_use]
    pub fn new(run: Arc<Run>, file: impl Into<String>, options: WhatIfOptions, skin: Skin) -> Self {
        let facts = Facts::of(&run, &options);
        Self::with_facts(run, file, options, skin, facts)
    }

    /// As [`Model::new`], with facts that were found before.
    #[must_use]
    pub fn with_facts(
        run: Arc<Run>,
        file: impl Into<String>,
        options: WhatIfOptions,
        skin: Skin,
        facts: Facts,
    ) -> Self {
        let what_if = WhatIf::new(Arc::clone(&run), facts.clone(), options.clone());
        let mut model = Self {
            run,
            file: file.into(),
            facts,
            options,
            skin,
            keymap: Arc::default(),
            size: (80, 24),
            focus: Panel::Turns,
            thread: 0,
            turn: 0,
            first_turn: 0,
            call: 0,
            first_call: 0,
            drawn: Drawn::Recorded,
            timeline: Timeline::default(),
            zoom: None,
            what_if,
            overlay: None,
            report: None,
            notice: None,
            run_view: RunView::default(),
            seen: HashMap::new(),
            player: Player::default(),
            replays: Replays::default(),
            follow: Follow::default(),
            touched: false,
            sessions: Sessions::default(),
            look: Look::default(),
            mouse: Mouse::default(),
            find: Find::default(),
        };
        model.open_on_telling_turn();
        model
    }

    /// Takes in what was found of the whole run. A turn that the user chose stays selected.
    pub(in crate::tui) fn judged(&mut self, facts: Facts) {
        self.what_if.assumptions.facts = facts.clone();
        if self.what_if.assumptions.is_changed() {
            return;
        }
        if let Some((_, kept)) = &mut self.find.hidden {
            *kept = facts;
            return;
        }
        self.facts = facts;
        if !self.touched {
            self.open_on_telling_turn();
        }
    }

    /// True where no run was opened yet.
    pub(in crate::tui) fn is_empty(&self) -> bool {
        self.run.turns.is_empty() && self.file.is_empty()
    }

    /// True where nobody has judged the run yet.
    pub(in crate::tui) const fn is_unjudged(&self) -> bool {
        self.facts.verdict.is_empty() && !self.facts.rarity.is_empty()
    }

    pub(super) fn open_on_telling_turn(&mut self) {
        let opens_on = self.facts.opens_on;
        if let Some(record) = opens_on.and_then(|turn| self.run.turns.get(turn)) {
            self.thread = record.thread.0 as usize;
            let number = opens_on.and_then(|turn| u32::try_from(turn).ok());
            let place = self.turns().iter().position(|&turn| Some(turn) == number);
            self.turn = place.unwrap_or(0);
        }
        self.turn_changed();
    }

    /// The turns of the thread on the screen, as indices of the run's turns.
    pub(in crate::tui) fn turns(&self) -> &[u32] {
        let thread = self.run.threads.get(self.thread);
        thread.map_or(&[], |thread| thread.turns.as_slice())
    }

    pub(in crate::tui) fn turn_at(&self, place: usize) -> Option<&Turn> {
        self.run.turns.get(*self.turns().get(place)? as usize)
    }

    /// The calls of the selected turn.
    pub(in crate::tui) fn calls(&self) -> &[Call] {
        self.turn_at(self.turn)
            .map_or(&[], |turn| self.run.calls_of(turn))
    }

    pub(in crate::tui) fn schedule(&self) -> Option<&Schedule> {
        self.report.as_ref()?.schedule(self.drawn)
    }

    /// Called when another turn is selected: asks the analysis about it and starts at its top.
    pub(in crate::tui) fn turn_changed(&mut self) {
        let turn = self.turns().get(self.turn).copied();
        let report = |turn| TurnReport::of(&self.run, turn as usize, &self.options);
        self.report = turn.and_then(report);
        self.add_measured();
        self.player.clock = None;
        (self.call, self.first_call, self.zoom) = (0, 0, None);
        self.timeline_of_another_turn();
        self.run_view.at = None;
        self.keep_in_view();
    }

    /// Columns and rows of the screen.
    #[must_use]
    pub const fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The number of the selected turn in its thread, from 1.
    #[must_use]
    pub fn turn_number(&self) -> Option<u32> {
        self.turn_at(self.turn).map(|turn| turn.number)
    }

    /// The place of the selected call in its turn, from 0.
    #[must_use]
    pub const fn selected_call(&self) -> usize {
        self.call
    }

    /// The panel that has the keys.
    #[must_use]
    pub const fn focus(&self) -> Panel {
        self.focus
    }

    /// What the what-if shows, and what it rests on.
    #[must_use]
    pub const fn what_if(&self) -> &WhatIf {
        &self.what_if
    }

    /// The run on the screen: the file's calls, touching what is assumed of them.
    #[must_use]
    pub const fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// The selected turn under every policy; `None` where there is no turn.
    #[must_use]
    pub const fn report(&self) -> Option<&TurnReport> {
        self.report.as_ref()
    }

    /// What is known of the whole run, under what is assumed.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which schedule the timeline shows.
    #[must_use]
    pub const fn drawn(&self) -> Drawn {
        self.drawn
    }

    /// What the keys are for at the moment.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        match &self.overlay {
            None => Mode::Panels,
            Some(Overlay::Assumptions(open)) if open.line.is_some() => Mode::Text,
            Some(Overlay::Search | Overlay::Sessions) => Mode::Text,
            Some(_) => Mode::Overlay,
        }
    }

    /// True while something moves by itself; then [`Msg::Tick`](crate::tui::Msg::Tick) comes.
    #[must_use]
    pub fn wants_ticks(&self) -> bool {
        let races = matches!(&self.overlay, Some(Overlay::Race(race)) if race.clock.runs);
        let plays = self.player.clock.is_some_and(|clock| clock.runs);
        races || plays || self.replays.running.is_some() || self.goes_on()
    }

    /// What lies over the panels.
    #[must_use]
    pub const fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    /// True while a zoomed part of the turn is on the screen.
    #[must_use]
    pub const fn is_zoomed(&self) -> bool {
        self.zoom.is_some()
    }
}
