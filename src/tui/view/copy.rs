//! What can be copied of the selected call.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::tui::layout;
use crate::tui::model::{Copied, CopyMenu, Model};
use crate::tui::skin::{Ink, Sign};
use crate::tui::update::says;
use crate::tui::words;

/// Cells of the column of names.
const NAMES: u16 = 11;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, menu: &CopyMenu, panel: Rect) {
    painter.clear(panel);
    let dot = painter.skin.sign(Sign::Dot);
    let name = words::name(&model.run, model.calls(), model.call);
    let turn = model.turn_number().unwrap_or(0);
    painter.panel(
        panel,
        &Title {
            left: &format!("Copy {dot} turn {turn} {dot} call {name}"),
            right: &format!("Enter copies {dot} Esc closes"),
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    for (y, (row, what)) in (0..area.height).zip(Copied::ALL.into_iter().enumerate()) {
        let here = row == menu.at;
        let ink = if here { Ink::Selected } else { Ink::Text };
        if here {
            painter.put(panel, 1, y + 1, painter.skin.sign(Sign::Here), ink);
        }
        painter.put(area, 0, y, what.name(), ink);
        let said = says(model, what);
        painter.put(area, NAMES, y, &said, if here { ink } else { Ink::Dim });
    }
}
