//! The view of the whole run: what of it is on the screen and what is selected.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::viewer::{Model, Panel};
use super::whole::{ThreadRow, Whole};
use crate::chart::{FoldedView, Folds, Viewport};
use crate::time::{Nanos, Span};
use crate::tui::layout::{self, Panels};

/// The state of the view of the whole run. The selected thread and turn are those of the viewer.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct RunView {
    /// True while it takes the place of the turn's timeline.
    pub(in crate::tui) shown: bool,
    /// The part of the run on the screen, in drawn time; `None` for all of it.
    pub(in crate::tui) zoom: Option<Viewport>,
    /// Where the mark stands inside the selected turn; elsewhere it counts for nothing.
    pub(in crate::tui) at: Option<Nanos>,
    /// First visible place of the list of threads.
    pub(in crate::tui) first_row: usize,
    /// The threads that are listed.
    pub(in crate::tui) listed: Vec<u32>,
    /// Names of the threads whose sub-agents are folded away.
    folded: BTreeSet<String>,
    whole: Option<Arc<Whole>>,
    /// True where the run has grown since `whole` was found.
    stale: bool,
}

impl RunView {
    /// What was found of the run, once it was needed.
    pub(in crate::tui) fn whole(&self) -> Option<&Whole> {
        self.whole.as_deref()
    }

    /// Called when the run has grown.
    pub(super) const fn run_has_grown(&mut self) {
        self.stale = true;
    }

    /// Called when another run is shown.
    pub(super) fn run_is_another(&mut self) {
        *self = Self {
            shown: self.shown,
            ..Self::default()
        };
    }
}

impl Model {
    /// True while the whole run is on the screen in the place of a turn.
    #[must_use]
    pub const fn shows_run(&self) -> bool {
        self.run_view.shown
    }

    /// True while only a part of the run is on the screen.
    #[must_use]
    pub const fn is_run_zoomed(&self) -> bool {
        self.run_view.zoom.is_some()
    }

    /// The name of the selected thread, as in the file.
    #[must_use]
    pub fn thread_name(&self) -> &str {
        let thread = self.run.threads.get(self.thread);
        thread.map_or("", |thread| &thread.name)
    }

    /// The axis of the run over `cells` cells, as far as it is on the screen.
    pub(in crate::tui) fn run_axis<'a>(&self, folds: &'a Folds, cells: u16) -> FoldedView<'a> {
        let whole = FoldedView::fit(folds, cells);
        let zoom = self.run_view.zoom.map(|zoom| zoom.with_cells(cells));
        FoldedView {
            view: zoom.unwrap_or(whole.view),
            ..whole
        }
    }

    /// What was found of the selected thread.
    pub(in crate::tui) fn thread_row(&self) -> Option<&ThreadRow> {
        self.run_view.whole()?.threads.get(self.thread)
    }

    /// Where the mark stands: in the selected turn.
    pub(in crate::tui) fn run_mark(&self) -> Option<Nanos> {
        let row = self.thread_row()?;
        let begin = row.begin(self.turn)?;
        let inside = |at: &Nanos| row.place_at(*at) == self.turn;
        Some(self.run_view.at.filter(inside).unwrap_or(begin))
    }

    /// From the begin of the selected turn to the begin of the next one.
    pub(in crate::tui) fn turn_span(&self) -> Option<Span> {
        self.thread_row()?.span(self.turn)
    }

    /// The columns of the run, where it is on the screen.
    pub(in crate::tui) fn run_columns(&self, area: ratatui::layout::Rect) -> layout::RunColumns {
        let name = self.run_view.whole().map_or(0, |whole| whole.name_cells);
        layout::run_columns(area, name)
    }

    /// How many cells the axis of the run has.
    pub(in crate::tui) fn run_cells(&self) -> Option<u16> {
        let panel = self.panels()?.timeline?;
        Some(self.run_columns(layout::run_parts(panel).rows).bar.1)
    }

    /// True while the sub-agents of a thread are folded away.
    pub(in crate::tui) fn is_folded(&self, thread: u32) -> bool {
        let name = self.run.threads.get(thread as usize);
        name.is_some_and(|thread| self.run_view.folded.contains(&thread.name))
    }

    /// Folds the sub-agents of a thread away, or lists them again.
    pub(in crate::tui) fn fold(&mut self, thread: u32, fold: bool) {
        let Some(row) = self.run.threads.get(thread as usize) else {
            return;
        };
        if fold {
            self.run_view.folded.insert(row.name.clone());
        } else {
            self.run_view.folded.remove(&row.name);
        }
        self.list_threads();
    }

    fn list_threads(&mut self) {
        let listed = self.run_view.whole().map(|whole| {
            let is_folded = |thread| self.is_folded(thread);
            whole.listed(is_folded)
        });
        self.run_view.listed = listed.unwrap_or_default();
    }

    /// Finds what is needed of the run, and scrolls so far that the selection can be seen.
    pub(super) fn keep_run_in_view(&mut self, panels: &Panels) {
        let Some(panel) = panels.timeline else { return };
        if !self.run_view.shown && layout::timeline_parts(panel).minimap.height == 0 {
            return;
        }
        self.look_at_run();
        if !self.run_view.shown {
            return;
        }
        self.unfold_to_selected();
        let selected = u32::try_from(self.thread).unwrap_or(u32::MAX);
        let listed = &self.run_view.listed;
        let place = listed.iter().position(|&thread| thread == selected);
        let rows = layout::run_parts(panel).rows.height.into();
        self.run_view.first_row = super::shown::scrolled(
            self.run_view.first_row,
            place.unwrap_or(0),
            rows,
            listed.len(),
        );
        self.reveal_mark();
    }

    /// Looks at all of the run, once for each one.
    fn look_at_run(&mut self) {
        if self.run_view.whole.is_some() && !self.run_view.stale {
            return;
        }
        let before = self.run_view.whole.replace(Arc::new(Whole::of(&self.run)));
        self.run_view.stale = false;
        self.list_threads();
        if let (Some(before), Some(zoom)) = (before, self.run_view.zoom) {
            let view = FoldedView {
                folds: &before.folds,
                view: zoom,
            };
            self.run_view.zoom = self.zoom_to(view.window(), zoom.cells());
        }
    }

    /// The window of a run that shows the same time as one of the run before it grew, and no
    /// less; `None` for all of it.
    fn zoom_to(&self, window: Span, cells: u16) -> Option<Viewport> {
        let folds = &self.run_view.whole()?.folds;
        let drawn = Span::new(folds.drawn(window.start), folds.drawn(window.end));
        let view = Viewport::fit(folds.whole(), cells).closest_to(drawn);
        (view.level() > 0).then_some(view)
    }

    /// A thread that is selected is listed.
    fn unfold_to_selected(&mut self) {
        let Some(whole) = self.run_view.whole.clone() else {
            return;
        };
        let above = |thread: u32| whole.threads.get(thread as usize)?.parent;
        let mut thread = u32::try_from(self.thread).unwrap_or(u32::MAX);
        while let Some(parent) = above(thread) {
            if self.is_folded(parent) {
                self.fold(parent, false);
            }
            thread = parent;
        }
    }

    fn reveal_mark(&mut self) {
        let Some(zoom) = self.run_view.zoom else {
            return;
        };
        let mark = self.run_mark();
        let whole = self.run_view.whole().map(|whole| &whole.folds);
        if let (Some(at), Some(folds)) = (mark, whole) {
            let drawn = folds.drawn(at);
            let (window, cells) = (zoom.window(), zoom.cells());
            // A mark on the very edge would be cut off by it.
            let cell = Nanos(window.len().0 / u64::from(cells.max(1)));
            let shown = zoom.reveal(drawn + cell).reveal(drawn);
            self.run_view.zoom = Some(shown);
        }
    }

    /// True while the keys that move are for the run.
    pub(in crate::tui) fn is_run_focused(&self) -> bool {
        self.run_view.shown && self.focus == Panel::Timeline
    }
}
