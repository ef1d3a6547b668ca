//! Another run, or the same one grown, on the same screen.

use std::sync::Arc;

use super::facts::Facts;
use super::viewer::Model;
use crate::trace::Run;
use crate::tui::msg::Opened;
use crate::tui::report::Drawn;

/// What is selected, by identity: a grown file has it in another place.
struct Selected {
    thread: String,
    turn: Option<u32>,
    call: usize,
}

impl Model {
    /// Shows another run, from its most telling turn on.
    pub(in crate::tui) fn opened(&mut self, opened: Opened) {
        self.find.forget_places();
        let (run, facts) = (Arc::clone(&opened.run), opened.facts.clone());
        (self.run, self.facts) = self.shown(opened.run, opened.facts);
        self.file = opened.file;
        self.seen.clear();
        self.run_view.run_is_another();
        self.what_if.another_run(run, facts);
        self.options = self.what_if.assumptions.options();
        self.overlay = None;
        self.notice = None;
        self.drawn = Drawn::Recorded;
        (self.replays, self.follow) = (Default::default(), Default::default());
        (self.thread, self.turn, self.first_turn) = (0, 0, 0);
        self.touched = false;
        self.open_on_telling_turn();
    }

    /// Takes the grown run in. What was selected stays selected, where it stands on the screen.
    pub(in crate::tui) fn grown(&mut self, run: Arc<Run>, facts: Facts) {
        let kept = self.selected();
        let was_last = self.turn + 1 >= self.turns().len();
        let (clock, cursor) = (self.player.clock, self.timeline.cursor);
        let (first_call, zoom, drawn) = (self.first_call, self.zoom, self.drawn);
        let mark = self.run_view.at;
        self.find.carry_over(&self.run, &run);
        (self.run, self.facts) = self.shown(run, facts);
        self.run_view.run_has_grown();
        // A turn that was looked at may have new calls.
        self.seen.clear();
        self.select(&kept);
        let last = self.turns().len().saturating_sub(1);
        let is_free = clock.is_none() && self.overlay.is_none();
        if self.follow.on && was_last && self.turn < last && is_free {
            // Who looks at the newest turn wants to see the next one.
            self.turn = last;
            self.turn_changed();
            return;
        }
        self.turn_changed();
        (self.player.clock, self.timeline.cursor) = (clock, cursor);
        self.call = kept.call.min(self.calls().len().saturating_sub(1));
        (self.first_call, self.zoom, self.drawn) = (first_call, zoom, drawn);
        self.find_lane();
        self.run_view.at = mark;
        self.keep_in_view();
    }

    fn selected(&self) -> Selected {
        let thread = self.run.threads.get(self.thread);
        Selected {
            thread: thread.map_or_else(String::new, |thread| thread.name.clone()),
            turn: self.turn_number(),
            call: self.call,
        }
    }

    fn select(&mut self, kept: &Selected) {
        let threads = &self.run.threads;
        self.thread = threads
            .iter()
            .position(|thread| thread.name == kept.thread)
            .unwrap_or(0);
        let turns = self
            .turns()
            .iter()
            .map(|turn| &self.run.turns[*turn as usize]);
        let place = turns
            .into_iter()
            .position(|turn| Some(turn.number) == kept.turn);
        self.turn = place.unwrap_or(0);
    }
}
