//! The whole run: a row a thread, sub-agents under the thread that started them.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use super::{minimap, run_cells, run_note};
use crate::chart::{FoldedView, folded_ticks};
use crate::text::{self, clean};
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
    let folds = fold_labels(view, painter.skin);
    for tick in folded_ticks(view, extent.start) {
        let end = tick.cell + cells(&tick.label);
        let free = |(at, label): &(u16, String)| end < *at || at + cells(label) < tick.cell;
        if folds.iter().all(free) {
            painter.put(bars, tick.cell, 0, &tick.label, Ink::Dim);
        }
    }
    for (at, label) in folds {
        painter.put(bars, at, 0, &label, Ink::Dim);
    }
}

/// The lengths of the folded gaps, as exact as there is room for, each in the middle of its fold;
/// they reach a little over its edges where the fold alone is too short to say anything.
fn fold_labels(view: &FoldedView<'_>, skin: Skin) -> Vec<(u16, String)> {
    let sign = run_cells::fold(skin);
    let mut labels: Vec<(u16, String)> = Vec::new();
    let mut free_from = 0;
    for fold in view.marks() {
        let long = fold.gap.human();
        let short: Vec<&str> = long.splitn(3, ' ').take(2).collect();
        let short = format!("{sign} {}", short.join(" "));
        let folded = fold.to - fold.from;
        let place = |label: &String, room: u16| {
            let wide = cells(label);
            let at = (fold.from + folded / 2).saturating_sub(wide / 2);
            let at = at.min(view.view.cells().saturating_sub(wide));
            (wide <= room && at >= free_from).then_some(at)
        };
        let forms = [(format!("{sign} {long}"), folded), (short, folded + 4)];
        let fits = forms
            .into_iter()
            .find_map(|(label, room)| Some((place(&label, room)?, label)));
        let (at, label) = fits.unwrap_or_else(|| (fold.from, sign.to_string()));
        free_from = at + cells(&label) + 1;
        labels.push((at, label));
    }
    labels
}

fn cells(text: &str) -> u16 {
    u16::try_from(text::width(text)).unwrap_or(u16::MAX)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use std::sync::Arc;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use crate::analyze::WhatIfOptions;
    use crate::chart::density::effort;
    use crate::model::{Outcome, ThreadId, Timing};
    use crate::time::{Nanos, Span};
    use crate::trace::{Call, Pooled, Run, Thread, Turn};
    use crate::tui::keymap::Action;
    use crate::tui::{Facts, Model, Msg, Skin, update, view};

    /// A turn a second, with three calls each.
    fn run(turns: u32) -> Run {
        let mut run = Run::default();
        let ms = |turn: u32, ms: u64| Nanos::from_millis(u64::from(turn) * 1_000 + ms);
        for turn in 0..turns {
            for index in 0..3 {
                run.calls.push(Call {
                    turn,
                    index,
                    issued: Some(ms(turn, 600)),
                    start: Some(ms(turn, 600 + u64::from(index) * 50)),
                    end: Some(ms(turn, 900)),
                    timing: Timing::Measured,
                    outcome: Outcome::Ok,
                    ..Call::default()
                });
            }
            run.turns.push(Turn {
                origin: 0,
                thread: ThreadId(0),
                number: turn + 1,
                at: Some(ms(turn, 600)),
                model: Some(Span::new(ms(turn, 0), ms(turn, 600))),
                model_timing: Timing::Measured,
                model_name: crate::trace::Sym::default(),
                calls: Pooled {
                    start: turn * 3,
                    len: 3,
                },
                end: Some(ms(turn, 900)),
            });
        }
        run.threads.push(Thread {
            name: "main".to_owned(),
            parent: None,
            turns: (0..turns).collect(),
        });
        run
    }

    fn model(turns: u32) -> Model {
        let run = run(turns);
        let facts = Facts::at_first_sight(&run);
        let (run, options) = (Arc::new(run), WhatIfOptions::default());
        let mut model = Model::with_facts(run, "run", options, Skin::colour(), facts);
        update(&mut model, Msg::Resize(160, 50));
        update(&mut model, Msg::Do(Action::RunView));
        model
    }

    fn draw(model: &Model) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(160, 50)).unwrap();
        terminal.draw(|frame| view(model, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// How much of the run a frame looks at.
    fn looks(model: &Model) -> usize {
        effort::take();
        draw(model);
        effort::take()
    }

    #[test]
    fn a_run_a_hundred_times_as_long_costs_a_few_more_steps_of_every_search() {
        let (small, large) = (looks(&model(300)), looks(&model(30_000)));
        assert!(small > 0);
        // A hundred times as much is seven more halvings, of nine before.
        assert!(large < small * 2, "{small} {large}");
    }

    #[test]
    fn a_frame_of_the_run_looks_at_no_turn_or_call_but_those_that_are_listed() {
        let mut model = model(3_000);
        update(&mut model, Msg::Do(Action::ZoomIn));
        let before = draw(&model);
        let mut emptied = (*model.run).clone();
        let listed = model.first_turn..model.first_turn + 50;
        for (at, turn) in emptied.turns.iter_mut().enumerate() {
            if listed.contains(&at) || at == model.turn {
                continue;
            }
            (turn.at, turn.model, turn.end) = (None, None, None);
            for call in turn.calls.start..turn.calls.start + turn.calls.len {
                emptied.calls[call as usize] = Call::default();
            }
        }
        model.run = Arc::new(emptied);
        assert_eq!(draw(&model), before);
    }
}
