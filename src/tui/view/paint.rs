//! The only code that writes cells: everything it writes is sanitised and stays in its area.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::merge::MergeStrategy;

use crate::chart::Cell;
use crate::text;
use crate::tui::skin::{Ink, Skin};

/// A buffer and how things look in it.
pub(super) struct Painter<'a> {
    buffer: &'a mut Buffer,
    pub(super) skin: Skin,
}

/// The signs of our own words in ASCII, cell by cell; what a file says stays as it is.
fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let signs = [("…", "~"), ("≤ ", "<="), ("µ", "u"), ("•••", "***")];
    let replaced = signs.iter().fold(text.to_owned(), |text, (sign, ascii)| {
        text.replace(sign, ascii)
    });
    Cow::Owned(replaced)
}

/// The two ends of a panel's title.
pub(super) struct Title<'a> {
    pub(super) left: &'a str,
    pub(super) right: &'a str,
    pub(super) right_ink: Ink,
    pub(super) focused: bool,
}

/// Where a vertical line goes on from a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corner {
    /// To the rows below.
    Down,
    /// To the rows above.
    Up,
}

impl<'a> Painter<'a> {
    pub(super) const fn new(buffer: &'a mut Buffer, skin: Skin) -> Self {
        Self { buffer, skin }
    }

    /// Writes text from a place of `area`, cut at its right edge. Says how many cells it took.
    pub(super) fn put(&mut self, area: Rect, x: u16, y: u16, text: &str, ink: Ink) -> u16 {
        let style = self.skin.style(ink);
        self.put_styled(area, x, y, text, style)
    }

    fn put_styled(&mut self, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
        let area = area.intersection(self.buffer.area);
        if x >= area.width || y >= area.height {
            return 0;
        }
        let room = usize::from(area.width - x);
        let (x, y) = (area.x + x, area.y + y);
        // A style only adds to what is there: nothing of a border must shine through.
        let style = Style::reset().patch(style);
        let shown = text::cut(text, room);
        let shown = if self.skin.is_ascii() {
            in_ascii(&shown)
        } else {
            shown
        };
        let (end, _) = self.buffer.set_stringn(x, y, shown, room, style);
        end.saturating_sub(x)
    }

    /// Writes what is under the cursor of a line that is typed. Says how many cells it took.
    pub(super) fn cursor(&mut self, area: Rect, x: u16, y: u16, under: &str) -> u16 {
        let style = Style::new().add_modifier(Modifier::REVERSED);
        self.put_styled(area, x, y, under, style)
    }

    /// Writes text so that it ends at the right edge of `area`.
    pub(super) fn put_right(&mut self, area: Rect, y: u16, text: &str, ink: Ink) {
        let shown = text::cut(text, area.width.into());
        let wide = u16::try_from(text::width(&shown)).unwrap_or(u16::MAX);
        self.put(area, area.width.saturating_sub(wide), y, &shown, ink);
    }

    /// Writes into a column of an area: first cell on the screen, and width.
    pub(super) fn column(&mut self, area: Rect, column: (u16, u16), y: u16, text: &str, ink: Ink) {
        let area = Rect {
            x: column.0,
            width: column.1,
            ..area
        };
        self.put(area, 0, y, text, ink);
    }

    /// As [`Painter::column`], ending at the column's right edge.
    pub(super) fn column_right(
        &mut self,
        area: Rect,
        column: (u16, u16),
        y: u16,
        text: &str,
        ink: Ink,
    ) {
        let area = Rect {
            x: column.0,
            width: column.1,
            ..area
        };
        self.put_right(area, y, text, ink);
    }

    /// Writes the cells of a lane into a column; `run` is the ink of what runs.
    pub(super) fn lane(
        &mut self,
        area: Rect,
        column: (u16, u16),
        y: u16,
        cells: &[Cell],
        run: Ink,
    ) {
        let area = Rect {
            x: column.0,
            width: column.1,
            ..area
        }
        .intersection(self.buffer.area);
        if y >= area.height {
            return;
        }
        for (x, cell) in (area.x..area.right()).zip(cells) {
            let ink = match Skin::bar(cell.role) {
                Ink::Run => run,
                ink => ink,
            };
            let mut style = self.skin.style(ink);
            if cell.reversed {
                style = style.add_modifier(Modifier::REVERSED);
            }
            if cell.glyph != ' ' || cell.reversed {
                self.buffer[(x, area.y + y)]
                    .set_char(cell.glyph)
                    .set_style(style);
            }
        }
    }

    /// Draws a vertical line through rows of an area, where nothing but waiting is.
    pub(super) fn rule(&mut self, area: Rect, x: u16, rows: std::ops::Range<u16>, ink: Ink) {
        let line = if self.skin.is_ascii() { '|' } else { '│' };
        for y in rows {
            self.thread(area, x, y, line, ink);
        }
    }

    /// Draws the corner at which a vertical line begins.
    pub(super) fn corner(&mut self, area: Rect, x: u16, y: u16, corner: Corner, ink: Ink) {
        let glyph = match corner {
            _ if self.skin.is_ascii() => '+',
            Corner::Down => '┐',
            Corner::Up => '┘',
        };
        self.thread(area, x, y, glyph, ink);
    }

    fn thread(&mut self, area: Rect, x: u16, y: u16, glyph: char, ink: Ink) {
        let area = area.intersection(self.buffer.area);
        if y >= area.height || x < area.x || x >= area.right() {
            return;
        }
        let style = Style::reset().patch(self.skin.style(ink));
        let cell = &mut self.buffer[(x, area.y + y)];
        let free = matches!(cell.symbol(), " " | "░" | "." | "│" | "|");
        if free && !cell.modifier.contains(Modifier::REVERSED) {
            cell.set_char(glyph).set_style(style);
        }
    }

    /// Replaces one cell of a bar.
    pub(super) fn mark(&mut self, area: Rect, x: u16, y: u16, sign: &str, ink: Ink) {
        let cell = Rect {
            x,
            width: 1,
            ..area
        };
        self.put(cell.intersection(area), 0, y, sign, ink);
    }

    /// Writes onto a bar.
    pub(super) fn on_bar(&mut self, area: Rect, x: u16, y: u16, text: &str, ink: Ink) {
        let style = self.skin.style(ink).add_modifier(Modifier::REVERSED);
        let cells = Rect {
            x,
            width: area.right().saturating_sub(x),
            ..area
        };
        self.put_styled(cells, 0, y, text, style);
    }

    /// Writes single cells into a column: what stands there, its ink, and whether foreground and
    /// background are swapped.
    pub(super) fn cells(
        &mut self,
        area: Rect,
        column: (u16, u16),
        y: u16,
        cells: impl Iterator<Item = (char, Ink, bool)>,
    ) {
        let area = Rect {
            x: column.0,
            width: column.1,
            ..area
        }
        .intersection(self.buffer.area);
        if y >= area.height {
            return;
        }
        for (x, (glyph, ink, reversed)) in (area.x..area.right()).zip(cells) {
            let style = Style::reset().patch(self.skin.style(ink));
            let style = if reversed {
                style.add_modifier(Modifier::REVERSED)
            } else {
                style
            };
            self.buffer[(x, area.y + y)]
                .set_char(glyph)
                .set_style(style);
        }
    }

    /// Draws the borders of a panel, joined with those that are there, and its title.
    pub(super) fn panel(&mut self, panel: Rect, title: &Title<'_>) {
        let panel = panel.intersection(self.buffer.area);
        if panel.width < 2 || panel.height < 2 {
            return;
        }
        let (right, bottom) = (panel.right() - 1, panel.bottom() - 1);
        for x in panel.x + 1..right {
            self.border(x, panel.y, "─");
            self.border(x, bottom, "─");
        }
        for y in panel.y + 1..bottom {
            self.border(panel.x, y, "│");
            self.border(right, y, "│");
        }
        for (x, y, corner) in [
            (panel.x, panel.y, "┌"),
            (right, panel.y, "┐"),
            (panel.x, bottom, "└"),
            (right, bottom, "┘"),
        ] {
            self.border(x, y, corner);
        }
        self.title(panel, title);
    }

    fn border(&mut self, x: u16, y: u16, symbol: &str) {
        let style = self.skin.style(Ink::Border);
        let cell = &mut self.buffer[(x, y)];
        if self.skin.is_ascii() {
            let line = match symbol {
                "─" => "-",
                "│" => "|",
                _ => "+",
            };
            let crosses = matches!(cell.symbol(), "-" | "|" | "+") && cell.symbol() != line;
            cell.set_symbol(if crosses { "+" } else { line });
        } else {
            cell.merge_symbol(symbol, MergeStrategy::Exact);
        }
        cell.set_style(style);
    }

    fn title(&mut self, panel: Rect, title: &Title<'_>) {
        let line = Rect {
            x: panel.x + 1,
            width: panel.width.saturating_sub(2),
            height: 1,
            ..panel
        };
        let room = usize::from(line.width);
        let right = match text::width(title.right) {
            0 => String::new(),
            wide if wide + 12 > room => String::new(),
            _ => format!(" {} ", title.right),
        };
        let ink = if title.focused {
            Ink::Focus
        } else {
            Ink::Title
        };
        let left_room = room.saturating_sub(text::width(&right) + 2);
        let left = text::cut(title.left, left_room);
        if !left.is_empty() {
            self.put(line, 0, 0, &format!(" {left} "), ink);
        }
        if !right.is_empty() {
            let at = line
                .width
                .saturating_sub(u16::try_from(text::width(&right)).unwrap_or(0));
            self.put(line, at, 0, &right, title.right_ink);
        }
    }

    /// Writes into the lower border of a panel, at its right end.
    pub(super) fn footnote(&mut self, panel: Rect, text: &str, ink: Ink) {
        let room = usize::from(panel.width.saturating_sub(4));
        if panel.height < 2 || text::width(text) > room {
            return;
        }
        let text = format!(" {text} ");
        let wide = u16::try_from(text::width(&text)).unwrap_or(u16::MAX);
        let at = panel.width.saturating_sub(wide.saturating_add(1));
        self.put(panel, at, panel.height - 1, &text, ink);
    }

    /// Swaps the colours of some cells of a row, for a cursor or a range.
    pub(super) fn reverse(&mut self, area: Rect, x: u16, y: u16, cells: u16) {
        let area = area.intersection(self.buffer.area);
        if y >= area.height {
            return;
        }
        for x in x..x.saturating_add(cells).min(area.width) {
            let cell = &mut self.buffer[(area.x + x, area.y + y)];
            cell.modifier.toggle(Modifier::REVERSED);
        }
    }

    /// Empties an area, for what lies over others.
    pub(super) fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        let ground = self.skin.palette.ground;
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                let cell = &mut self.buffer[(x, y)];
                cell.reset();
                cell.set_style(ground);
            }
        }
    }
}
