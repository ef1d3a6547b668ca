//! What the timeline shows of the selected turn, and where in it the user is.

use super::viewer::Model;
use crate::text;
use crate::time::Nanos;
use crate::tui::lanes::{Lane, LaneBy, lanes};
use crate::tui::report::Drawn;

/// The state of the timeline.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Timeline {
    /// What a lane is.
    pub(in crate::tui) by: LaneBy,
    /// The lanes, unless each is one call.
    pub(in crate::tui) lanes: Vec<Lane>,
    /// The selected one of them.
    pub(in crate::tui) lane: usize,
    /// The first one on the screen.
    pub(in crate::tui) first_lane: usize,
    /// The time that the user points at.
    pub(in crate::tui) cursor: Option<Nanos>,
    /// Cells that the longest label takes.
    pub(in crate::tui) label_cells: usize,
    /// What the lanes were made for: another schedule has others.
    made_for: Option<(LaneBy, Drawn)>,
}

impl Model {
    /// Forgets what belongs to another turn.
    pub(super) fn timeline_of_another_turn(&mut self) {
        self.timeline = Timeline {
            by: self.timeline.by,
            ..Timeline::default()
        };
    }

    /// Makes the lanes of the schedule that is drawn, where that is not done yet.
    pub(super) fn make_lanes(&mut self) {
        let wanted = Some((self.timeline.by, self.drawn));
        if self.timeline.made_for == wanted {
            return;
        }
        let made = self.schedule().map_or_else(Vec::new, |schedule| {
            lanes(self.timeline.by, &self.run, self.calls(), schedule)
        });
        let cells = made.iter().map(|lane| text::width(&lane.label)).max();
        self.timeline.label_cells = cells.unwrap_or(0);
        let last = made.len().saturating_sub(1);
        self.timeline.lane = self.timeline.lane.min(last);
        self.timeline.lanes = made;
        self.timeline.made_for = wanted;
    }

    /// The selected lane and how many there are.
    pub(in crate::tui) fn lane_place(&self) -> (usize, usize) {
        match self.timeline.by {
            LaneBy::Call => (self.call, self.calls().len()),
            _ => (self.timeline.lane, self.timeline.lanes.len()),
        }
    }

    /// Selects a lane and with it a call: the one under the cursor, else its first.
    pub(in crate::tui) fn select_lane(&mut self, place: usize) {
        let Some(lane) = self.timeline.lanes.get(place) else {
            self.call = place.min(self.calls().len().saturating_sub(1));
            return;
        };
        let under = self.timeline.cursor.and_then(|at| lane.body_at(at));
        let call = under.or(lane.calls.first().copied());
        self.timeline.lane = place;
        self.call = call.map_or(self.call, |call| call as usize);
    }

    /// Selects the lane of the selected call, as after a change of the kind of lanes.
    pub(in crate::tui) fn find_lane(&mut self) {
        self.make_lanes();
        let call = u32::try_from(self.call).unwrap_or(u32::MAX);
        let lanes = &self.timeline.lanes;
        let place = lanes.iter().position(|lane| lane.calls.contains(&call));
        self.timeline.lane = place.unwrap_or(0);
    }

    /// What a lane is at the moment.
    #[must_use]
    pub const fn lane_by(&self) -> LaneBy {
        self.timeline.by
    }

    /// The time that the user points at, from the turn's first issue.
    #[must_use]
    pub const fn cursor(&self) -> Option<Nanos> {
        self.timeline.cursor
    }
}
