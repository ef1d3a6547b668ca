//! The lists of jumps, marks and hazards.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::text;
use crate::tui::layout;
use crate::tui::model::{Model, PlacesList, PlacesTab};
use crate::tui::places;
use crate::tui::skin::{Ink, Sign};

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, list: PlacesList, panel: Rect) {
    painter.clear(panel);
    let dot = painter.skin.sign(Sign::Dot);
    let titles: Vec<String> = PlacesTab::ALL
        .into_iter()
        .map(|tab| {
            let title = places::title(model, tab);
            // Brackets say which list is open, whatever the ink.
            if tab == list.tab {
                format!("[{title}]")
            } else {
                title
            }
        })
        .collect();
    painter.panel(
        panel,
        &Title {
            left: &titles.join("  "),
            right: &format!("Tab next list {dot} Enter goes there {dot} Esc closes"),
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    let len = places::len(model, list.tab);
    if len == 0 {
        painter.put(area, 0, 0, nothing(model, list.tab), Ink::Dim);
        return;
    }
    let last = list.top.saturating_add(area.height.into()).min(len);
    let rows: Vec<_> = (list.top..last)
        .filter_map(|row| Some((row, places::row(model, list.tab, row)?)))
        .collect();
    let widest = rows.iter().map(|(_, (at, _))| text::width(at)).max();
    let column = u16::try_from(widest.unwrap_or(0))
        .unwrap_or(u16::MAX)
        .min(area.width / 2);
    for (y, (row, (at, what))) in (0..area.height).zip(&rows) {
        let here = *row == list.at;
        let ink = if here { Ink::Selected } else { Ink::Text };
        if here {
            painter.put(panel, 1, y + 1, painter.skin.sign(Sign::Here), ink);
        }
        painter.column(area, (area.x, column), y, at, ink);
        painter.put(area, column + 2, y, what, ink);
    }
    foot(painter, model, list, panel, len);
}

fn nothing(model: &Model, tab: PlacesTab) -> &'static str {
    match tab {
        PlacesTab::Jumps => "No jump was made yet: H, F, M, L, n and N make them.",
        PlacesTab::Marks => "No call is marked: B marks the selected one.",
        PlacesTab::Hazards if places::is_looking(model) => "Looking through the run.",
        PlacesTab::Hazards => "None. p draws what a policy would do; J then lists its hazards.",
    }
}

fn foot(painter: &mut Painter<'_>, model: &Model, list: PlacesList, panel: Rect, len: usize) {
    let mut note = format!("{} of {len}", list.at + 1);
    if list.tab == PlacesTab::Hazards {
        let which = match model.predicted_policy() {
            None => "as recorded".to_owned(),
            Some(policy) => format!("predicted: {policy}"),
        };
        note = format!("worst first, {which}, {note}");
    }
    painter.footnote(panel, &note, Ink::Dim);
}
