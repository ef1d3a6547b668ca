//! The keys.

use super::dispatch::scrolled;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Overlay};

pub(super) fn act(model: &mut Model, action: Action) {
    let area = model
        .panels()
        .map(|p| layout::overlay_text(layout::overlay(&p)));
    let Some(area) = area else { return };
    let lines = layout::help_rows(&model.keymap, area.width);
    if let Some(Overlay::Help { top }) = &mut model.overlay
        && let Some(to) = scrolled(*top, lines, area.height.into(), action)
    {
        *top = to;
    }
}
