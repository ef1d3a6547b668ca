//! The keys, from their table.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::text::fit;
use crate::tui::keymap::Keymap;
use crate::tui::layout::{self, HelpLine};
use crate::tui::skin::Ink;

/// Cells of the column of keys.
const KEYS: u16 = 11;

pub(super) fn draw(painter: &mut Painter<'_>, keys: &Keymap, panel: Rect, top: usize) {
    painter.clear(panel);
    painter.panel(
        panel,
        &Title {
            left: "Keys",
            right: "Esc closes",
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    let (left, right) = layout::help_columns(keys, area.width);
    if right.is_empty() {
        column(painter, area, &left, top);
    } else {
        let half = area.width / 2;
        column(
            painter,
            Rect {
                width: half,
                ..area
            },
            &left,
            top,
        );
        let second = Rect {
            x: area.x + half,
            width: area.width - half,
            ..area
        };
        column(painter, second, &right, top);
    }
    let (rows, lines) = (usize::from(area.height), left.len().max(right.len()));
    if lines > rows {
        let last = (top + rows).min(lines);
        painter.footnote(
            panel,
            &format!("{} to {last} of {lines} lines", top + 1),
            Ink::Dim,
        );
    }
}

fn column(painter: &mut Painter<'_>, area: Rect, lines: &[HelpLine<'_>], top: usize) {
    for (y, line) in (0..area.height).zip(lines.iter().skip(top)) {
        match line {
            HelpLine::Air => {}
            HelpLine::Heading(group) => {
                painter.put(area, 0, y, group.title(), Ink::Strong);
            }
            HelpLine::Key(entry) => {
                let label = ascii_label(painter, &entry.label);
                painter.put(area, 1, y, &fit(&label, KEYS.into()), Ink::Run);
                painter.put(area, KEYS + 2, y, entry.binding.help, Ink::Text);
            }
        }
    }
}

fn ascii_label(painter: &Painter<'_>, label: &str) -> String {
    if !painter.skin.is_ascii() {
        return label.to_owned();
    }
    let words = [("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right")];
    words.iter().fold(label.to_owned(), |label, (sign, word)| {
        label.replace(sign, word)
    })
}
