//! The turn under every policy, on one axis; or all turns of its thread added up.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::analyze::Figure;
use crate::chart::{Bar, Role, Viewport, raster};
use crate::model::Timing;
use crate::text;
use crate::time::{Nanos, Span};
use crate::tui::compare;
use crate::tui::layout;
use crate::tui::model::{Model, Panel};
use crate::tui::report::Drawn;
use crate::tui::skin::{Ink, Sign, Skin};
use crate::tui::standing::{self, Standing};
use crate::tui::words;

/// The columns: first cell and width.
struct Columns {
    name: (u16, u16),
    makespan: (u16, u16),
    bar: (u16, u16),
    saved: (u16, u16),
    share: (u16, u16),
    figure: (u16, u16),
    races: (u16, u16),
    /// Which form of the races there is room for.
    form: usize,
}

/// Cells that the bars have at least.
const BAR: u16 = 8;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    let (basis, rows) = if model.what_if.all_turns {
        let totals = model.facts.totals.get(model.thread);
        let basis = totals.map_or_else(String::new, standing::basis_of_all);
        (basis, standing::of_all_turns(model, painter.skin))
    } else {
        let report = model.report.as_ref();
        let rows = report.map(|report| standing::of_turn(model, report, painter.skin));
        let first = report.and_then(|report| Some((report, report.schedules.get(1)?)));
        let basis = first.map_or_else(String::new, |(report, first)| words::basis(report, first));
        (basis, rows)
    };
    let left = title(
        model,
        painter.skin,
        usize::from(panel.width).saturating_sub(6),
    );
    // What the figures are about comes first, then as much of what they rest on as fits.
    let room = usize::from(panel.width).saturating_sub(text::width(&left) + 6);
    let short = basis.split(';').next().unwrap_or_default();
    let forms = [basis.as_str(), short, "predicted"];
    let fits = forms.into_iter().find(|form| text::width(form) <= room);
    let right = fits.filter(|_| !basis.is_empty()).unwrap_or_default();
    painter.panel(
        panel,
        &Title {
            left: &left,
            right,
            right_ink: Ink::Predicted,
            focused: model.focus == Panel::WhatIf,
        },
    );
    let area = layout::inner(panel);
    match rows {
        None if model.is_unjudged() => {
            painter.put(
                area,
                1,
                0,
                "Adding up every turn; that takes a moment.",
                Ink::Dim,
            );
        }
        None => {}
        Some(_) if !model.what_if.all_turns && model.calls().is_empty() => {
            painter.put(area, 1, 0, "No calls, nothing to order.", Ink::Dim);
        }
        Some(rows) => table(painter, model, area, &rows),
    }
}

/// What the figures are about: the turn or all of them, and what is assumed.
fn title(model: &Model, skin: Skin, room: usize) -> String {
    let mut facts = vec![(0, "What-if".to_owned())];
    if model.what_if.all_turns {
        let turns = words::count(model.turns().len(), "turn", "turns");
        facts.push((0, format!("all {turns}")));
    }
    if let Some(assumed) = words::assumed(model) {
        facts.push((0, assumed));
    }
    text::cut(&words::fitting(facts, skin, room), room).into_owned()
}

fn table(painter: &mut Painter<'_>, model: &Model, area: Rect, rows: &[Standing]) {
    let columns = columns(area, name_cells(rows, area.width), rows);
    heading(painter, area, &columns, model.what_if.all_turns);
    let longest = rows.iter().filter_map(|row| row.makespan).max();
    let view = Viewport::fit(
        Span::new(Nanos::ZERO, longest.unwrap_or_default()),
        columns.bar.1,
    );
    for (y, standing) in (1..area.height).zip(rows) {
        row(painter, model, area, &columns, y, standing);
        bar(painter, area, &columns, y, standing, &view);
        let ink = if standing.has_races {
            Ink::Hazard
        } else {
            Ink::Dim
        };
        painter.column(area, columns.races, y, &standing.races[columns.form], ink);
    }
}

/// Cells of the names: more where there is a replay to be named in full, and room for it.
fn name_cells(rows: &[Standing], width: u16) -> u16 {
    let measured = rows.iter().filter_map(|row| match row.drawn {
        Drawn::Measured(policy) if width >= 90 => Some(policy.name().len() + 11),
        _ => None,
    });
    measured
        .max()
        .map_or(12, |cells| u16::try_from(cells).unwrap_or(12).max(12))
}

fn columns(area: Rect, name: u16, rows: &[Standing]) -> Columns {
    let width = area.width;
    let (saved, share) = match width {
        ..60 => (0, 0),
        60..76 => (10, 0),
        _ => (10, 7),
    };
    let figure = if width >= 110 { 9 } else { 0 };
    let air = if width < 60 { 1 } else { 2 };
    let gap = |cells: u16| if cells > 0 { cells + air } else { 0 };
    let fixed = gap(name) + gap(10) + gap(saved) + gap(share) + gap(figure);
    // The bar is the point of the panel: races get what it can spare, and a number always.
    let left = width.saturating_sub(fixed + gap(BAR) + 1);
    let widest = [0, 1, 2].map(|form: usize| {
        let cells = rows.iter().map(|row| text::width(&row.races[form]));
        u16::try_from(cells.max().unwrap_or(0)).unwrap_or(u16::MAX)
    });
    let form = match widest {
        [long, ..] if long <= left || left >= 40 => 0,
        [_, short, _] if short <= left => 1,
        _ => 2,
    };
    let races = if form == 0 {
        widest[0].min(left)
    } else {
        widest[form]
    };
    let bar = width.saturating_sub(fixed + gap(races) + 1);
    let mut at = area.x;
    let mut next = |cells: u16| {
        let here = (at, cells.min(area.right().saturating_sub(at)));
        at = at.saturating_add(gap(cells)).min(area.right());
        here
    };
    Columns {
        name: next(name),
        makespan: next(10),
        bar: next(bar),
        saved: next(saved),
        share: next(share),
        figure: next(figure),
        races: next(races),
        form,
    }
}

fn heading(painter: &mut Painter<'_>, area: Rect, columns: &Columns, all: bool) {
    let (makespan, share) = if all {
        ("makespans", "of run")
    } else {
        ("makespan", "of turn")
    };
    painter.column(area, columns.name, 0, " policy", Ink::Dim);
    painter.column_right(area, columns.makespan, 0, makespan, Ink::Dim);
    painter.column_right(area, columns.saved, 0, "change", Ink::Dim);
    painter.column_right(area, columns.share, 0, share, Ink::Dim);
    painter.column(area, columns.figure, 0, "figure", Ink::Dim);
    let races = if columns.races.1 > 0 { "races" } else { "" };
    painter.column(area, columns.races, 0, races, Ink::Dim);
}

fn row(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: &Columns,
    y: u16,
    standing: &Standing,
) {
    let here = standing.drawn == model.drawn;
    let ink = if here { Ink::Selected } else { Ink::Text };
    let marker = match here {
        true => painter.skin.sign(Sign::Here),
        false if model.what_if.mark == Some(standing.drawn) => "*",
        false => " ",
    };
    let name = match standing.drawn {
        Drawn::Measured(_) if columns.name.1 <= 12 => "  replayed".to_owned(),
        drawn => compare::name(drawn),
    };
    painter.column(area, columns.name, y, &format!("{marker}{name}"), ink);
    let makespan = words::duration(standing.makespan, standing.timing);
    painter.column_right(area, columns.makespan, y, &makespan, ink);
    let (figure, figure_ink) = match standing.figure {
        Figure::Predicted => ("predicted", Ink::Predicted),
        Figure::Measured => (standing.timing.word(), Ink::Dim),
    };
    painter.column(area, columns.figure, y, figure, figure_ink);
    let Some(savings) = standing.savings else {
        let text = if standing.unknown { "unknown" } else { "" };
        painter.column_right(area, columns.saved, y, text, Ink::Dim);
        return;
    };
    let good = if savings.saved > 0 {
        Ink::Good
    } else {
        Ink::Dim
    };
    let saved = words::saved(savings, painter.skin);
    painter.column_right(area, columns.saved, y, &saved, good);
    painter.column_right(area, columns.share, y, &words::share(savings), good);
}

fn bar(
    painter: &mut Painter<'_>,
    area: Rect,
    columns: &Columns,
    y: u16,
    standing: &Standing,
    view: &Viewport,
) {
    let Some(makespan) = standing.makespan else {
        return;
    };
    let role = if standing.timing == Timing::Bound {
        Role::Bound
    } else {
        Role::Run
    };
    let span = Span::new(Nanos::ZERO, makespan);
    let cells = raster(view, &[Bar { span, role }], painter.skin.glyphs);
    let ink = match standing.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    painter.lane(area, columns.bar, y, &cells, ink);
}
