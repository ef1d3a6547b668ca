//! What of the state is on the screen: the panels, the axis, the visible rows, the words above.

use std::borrow::Cow;

use super::timeline::Timeline;
use super::viewer::{Model, Seen};
use crate::analyze::recorded;
use crate::chart::Viewport;
use crate::text;
use crate::time::{Nanos, Span};
use crate::tui::lanes::LaneBy;
use crate::tui::layout::{self, Panels};
use crate::tui::words;

/// Cells that the words on the queue of a lane take at most.
const QUEUE_CELLS: usize = 26;

impl Model {
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
