//! The whole run: a row a thread, sub-agents under the thread that started them.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use super::{minimap, run_cells, run_note};
use crate::chart::{FoldedView, folded_ticks};
use crate::text::{self, clean};
use crate::time::Nanos;
use crate::tui::layout::{self, RunColumns};
use crate::tui::model::{Model, Panel, ThreadRow, indent};
use crate::tui::skin::{Ink, Sign, Skin};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    let right = right(model);
    painter.panel(
        panel,
        &Title {
            left: &title(model),
            right: &right,
            right_ink: Ink::Dim,
            focused: model.focus == Panel::Timeline,
        },
    );
    let parts = layout::run_parts(panel);
    let Some(whole) = model.run_view.whole() else {
        return;
    };
    minimap::draw(painter, model, parts.minimap);
    let columns = model.run_columns(parts.rows);
    let view = model.run_axis(&whole.folds, columns.bar.1);
    axis(painter, parts.axis, columns, &view);
    let listed = model.run_view.listed.iter().skip(model.run_view.first_row);
    for (y, &thread) in (0..parts.rows.height).zip(listed) {
        if let Some(row) = whole.threads.get(thread as usize) {
            line(painter, model, parts.rows, columns, y, (thread, row), &view);
        }
    }
    let labelled = parts.mark.height > 0;
    let area = if labelled { parts.mark } else { parts.axis };
    mark(painter, model, bars(area, columns), &view, labelled);
    run_note::draw(painter, model, parts.note);
}

fn title(model: &Model) -> String {
    let facts = vec![
        (0, "Run".to_owned()),
        (
            0,
            words::count(model.run.threads.len(), "thread", "threads"),
        ),
        (1, words::count(model.run.turns.len(), "turn", "turns")),
        (2, words::count(model.run.calls.len(), "call", "calls")),
    ];
    words::fitting(facts, model.skin, 40)
}

/// How much of the run is on the screen.
fn right(model: &Model) -> String {
    let (Some(whole), Some(zoom)) = (model.run_view.whole(), model.run_view.zoom) else {
        return String::new();
    };
    let view = FoldedView {
        folds: &whole.folds,
        view: zoom,
    };
    let (window, all) = (view.window().len(), whole.folds.extent().len());
    format!("{window} of {all}")
}

fn axis(painter: &mut Painter<'_>, area: Rect, columns: RunColumns, view: &FoldedView<'_>) {
    let bars = bars(area, columns);
    let extent = view.folds.extent();
    painter.column_right(area, shorter(columns.wall), 0, "wall", Ink::Dim);
    painter.column_right(area, columns.calls, 0, "calls", Ink::Dim);
    if extent.is_empty() {
        painter.put(bars, 0, 0, "no times in this file", Ink::Dim);
        return;
    }
    for tick in folded_ticks(view, extent.start) {
        painter.put(bars, tick.cell, 0, &tick.label, Ink::Dim);
    }
    for fold in view.marks() {
        let room = usize::from(fold.to - fold.from);
        let label = fold_label(fold.gap, room, painter.skin);
        let wide = u16::try_from(text::width(&label)).unwrap_or(u16::MAX);
        let air = (fold.to - fold.from).saturating_sub(wide) / 2;
        painter.put(bars, fold.from + air, 0, &label, Ink::Dim);
    }
}

/// The length of a folded gap, as exact as there is room for.
fn fold_label(gap: Nanos, room: usize, skin: Skin) -> String {
    let sign = run_cells::fold(skin);
    let long = gap.human();
    let units = long.splitn(3, ' ').take(2).collect::<Vec<_>>();
    let short = units.join(" ");
    [format!("{sign} {long}"), format!("{sign} {short}")]
        .into_iter()
        .find(|label| text::width(label) <= room)
        .unwrap_or_else(|| sign.to_string())
}

const fn bars(area: Rect, columns: RunColumns) -> Rect {
    Rect {
        x: columns.bar.0,
        width: columns.bar.1,
        ..area
    }
}

/// A column without the cell of air at its right.
const fn shorter(column: (u16, u16)) -> (u16, u16) {
    (column.0, column.1.saturating_sub(1))
}

fn line(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: RunColumns,
    y: u16,
    (thread, row): (u32, &ThreadRow),
    view: &FoldedView<'_>,
) {
    let here = thread as usize == model.thread;
    let ink = if here { Ink::Selected } else { Ink::Text };
    let folded = row.below.0 > 0 && model.is_folded(thread);
    let name = name(model, thread, row, (here, folded), columns.name.1.into());
    painter.column(area, columns.name, y, &name, ink);
    if row.parts.wall.is_some() {
        let cells = run_cells::cells(row, view, painter.skin);
        painter.cells(area, columns.bar, y, cells);
    } else {
        painter.column(area, columns.bar, y, "no times", Ink::Dim);
    }
    let wall = row.parts.wall.map(|wall| wall.len().human());
    let wall = wall.unwrap_or_else(|| "unknown".to_owned());
    painter.column_right(area, shorter(columns.wall), y, &wall, ink);
    let own = row.calls;
    let calls = if folded {
        format!("{own} + {}", row.below.1)
    } else {
        own.to_string()
    };
    painter.column_right(area, columns.calls, y, &calls, ink);
}

/// Marker, place in the tree, fold, name, and how many sub-agents are folded away.
fn name(
    model: &Model,
    thread: u32,
    row: &ThreadRow,
    (here, folded): (bool, bool),
    room: usize,
) -> String {
    let skin = model.skin;
    let marker = if here { skin.sign(Sign::Here) } else { " " };
    let fold = match (row.below.0, folded, skin.is_ascii()) {
        (0, ..) => ' ',
        (_, true, false) => '▸',
        (_, false, false) => '▾',
        (_, true, true) => '+',
        (_, false, true) => '-',
    };
    let before = format!("{marker}{}{fold} ", " ".repeat(indent(row.depth)));
    let after = if folded {
        format!(" +{}", row.below.0)
    } else {
        String::new()
    };
    let name = model.run.threads.get(thread as usize);
    let name = clean(name.map_or("", |thread| &thread.name));
    let left = room.saturating_sub(text::width(&before) + text::width(&after));
    format!("{before}{}{after}", text::cut(&name, left))
}

/// Where the selected turn is.
fn mark(
    painter: &mut Painter<'_>,
    model: &Model,
    bars: Rect,
    view: &FoldedView<'_>,
    labelled: bool,
) {
    let cell = model.run_mark().and_then(|at| view.cell_of(at));
    let (Some(cell), Some(number)) = (cell, model.turn_number()) else {
        return;
    };
    let sign = if painter.skin.is_ascii() { "v" } else { "▼" };
    painter.put(bars, cell, 0, sign, Ink::Strong);
    let label = format!("turn {number}");
    let wide = u16::try_from(label.len()).unwrap_or(u16::MAX);
    // On the axis itself there are other labels.
    if !labelled {
        return;
    }
    if cell + 2 + wide <= bars.width {
        painter.put(bars, cell + 2, 0, &label, Ink::Strong);
    } else if cell > wide {
        painter.put(bars, cell - wide - 1, 0, &label, Ink::Strong);
    }
}
