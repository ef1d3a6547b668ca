//! The state of the viewer. Selections are places in lists; scrolling is the first visible place.

use std::borrow::Cow;
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
use crate::analyze::{WhatIfOptions, recorded};
use crate::chart::Viewport;
use crate::model::Timing;
use crate::text;
use crate::time::{Nanos, Span};
use crate::trace::{Call, Run, Turn};
use crate::tui::keymap::{Keymap, Mode};
use crate::tui::lanes::LaneBy;
use crate::tui::layout::{self, Panels};
use crate::tui::report::{Drawn, Schedule, TurnReport};
use crate::tui::skin::Skin;
use crate::tui::words;

/// Cells that the words on the queue of a lane take at most.
const QUEUE_CELLS: usize = 26;

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

    /// The time axis over `cells` cells.
    pub(in crate::tui) fn viewport(&self, cells: u16) -> Viewport {
        let axis = self.report.as_ref().map(|report| report.axis(self.drawn));
        let axis = self.axis_by_now(axis.unwrap_or_default());
        let whole = Span::new(Nanos::ZERO, axis);
        let whole = Viewport::fit(whole, cells);
        self.zoom.map_or(whole, |zoom| zoom.with_cells(cells))
    }

    /// The columns of the timeline, where it is on the screen.
    pub(in crate::tui) fn columns(&self, area: ratatui::layout::Rect) -> layout::Columns {
        if self.timeline.by != LaneBy::Call {
            let lanes = self.timeline.lanes.len();
            return layout::timeline_columns(area, lanes, self.timeline.label_cells, QUEUE_CELLS);
        }
        let tool = self.report.as_ref().map_or(0, |report| report.tool_cells);
        let cause = self.report.as_ref().map_or(0, |report| report.cause_cells);
        layout::timeline_columns(area, self.calls().len(), tool, cause)
    }

    /// How many cells the bars have, where the timeline is on the screen.
    pub(in crate::tui) fn bar_cells(&self) -> Option<u16> {
        self.bar_column().map(|(_, cells)| cells)
    }

    /// First cell and width of the bars, where the timeline is on the screen.
    pub(in crate::tui) fn bar_column(&self) -> Option<(u16, u16)> {
        let panel = self.panels()?.timeline?;
        Some(self.columns(layout::timeline_parts(panel).calls).bar)
    }

    /// The panels of the screen as it is.
    pub(in crate::tui) fn panels(&self) -> Option<Panels> {
        self.panels_at(self.size)
    }

    /// The panels of a screen of another size.
    pub(in crate::tui) fn panels_at(&self, size: (u16, u16)) -> Option<Panels> {
        let schedules = self
            .report
            .as_ref()
            .map_or(0, |report| report.schedules.len());
        // A notice takes the verdict's place and moves no panel.
        let rows = |words: &str| header_lines(words, size.0).len();
        let notice = self.notice.as_deref().map_or(0, rows);
        let verdict = rows(&self.verdict()).max(notice);
        layout::panels(size, self.focus, self.what_if.shown, schedules, verdict)
    }

    /// The verdict, or what the user has to know now, in lines for a screen of this width.
    pub(in crate::tui) fn verdict_lines(&self, columns: u16) -> Vec<String> {
        match &self.notice {
            Some(notice) => header_lines(notice, columns),
            None => header_lines(&self.verdict(), columns),
        }
    }

    /// The verdict, and what it rests on where that is not what the file says.
    fn verdict(&self) -> Cow<'_, str> {
        let words = match self.facts.verdict.get(self.thread) {
            Some(verdict) => verdict.as_str(),
            None if self.is_unjudged() => "Judging every turn; that takes a moment.",
            None => "",
        };
        match words::assumed(self) {
            Some(assumed) => Cow::Owned(format!("{}. {words}", capitalised(&assumed))),
            None => Cow::Borrowed(words),
        }
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

    /// Scrolls so far that the selections can be seen.
    pub(in crate::tui) fn keep_in_view(&mut self) {
        self.make_lanes();
        let Some(panels) = self.panels() else { return };
        let calls = self.calls().len();
        if let Some(area) = panels.turns {
            let rows = layout::turn_rows(area);
            self.first_turn = scrolled(self.first_turn, self.turn, rows, self.turns().len());
            self.look_at_turns(rows);
        }
        if let Some(area) = panels.timeline {
            let rows = layout::timeline_parts(area).calls.height.into();
            self.first_call = scrolled(self.first_call, self.call, rows, calls);
            let Timeline {
                lane, first_lane, ..
            } = self.timeline;
            let lanes = self.timeline.lanes.len();
            self.timeline.first_lane = scrolled(first_lane, lane, rows, lanes);
        }
        self.keep_run_in_view(&panels);
    }

    /// Asks the analysis about the turns on the screen, each one once.
    fn look_at_turns(&mut self, rows: usize) {
        let visible = self.turns().iter().skip(self.first_turn).take(rows);
        for turn in visible.copied().collect::<Vec<_>>() {
            if let (false, Some(record)) = (
                self.seen.contains_key(&turn),
                self.run.turns.get(turn as usize),
            ) {
                let recorded = recorded(&self.run, record);
                let seen = Seen {
                    makespan: recorded.makespan,
                    timing: recorded.timing,
                    races: recorded.hazards.count > 0,
                };
                self.seen.insert(turn, seen);
            }
        }
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

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Words in lines under the header of a screen of this width.
fn header_lines(words: &str, columns: u16) -> Vec<String> {
    text::wrap_words(words, columns.saturating_sub(2).into())
}

/// The first visible place of a list of `len` of which `rows` are visible and `selected` must be:
/// moved no further than needed, and without a gap at the end.
pub(super) fn scrolled(first: usize, selected: usize, rows: usize, len: usize) -> usize {
    let rows = rows.max(1);
    let lowest = (selected + 1).saturating_sub(rows);
    first
        .clamp(lowest, selected)
        .min(len.saturating_sub(rows).max(lowest))
}

#[cfg(test)]
mod tests {
    use super::scrolled;

    #[test]
    fn a_list_scrolls_no_further_than_it_must() {
        assert_eq!(scrolled(0, 3, 5, 10), 0);
        assert_eq!(scrolled(0, 5, 5, 10), 1);
        assert_eq!(scrolled(4, 2, 5, 10), 2);
        assert_eq!(scrolled(9, 9, 5, 10), 5);
        assert_eq!(scrolled(3, 0, 0, 0), 0);
    }
}
