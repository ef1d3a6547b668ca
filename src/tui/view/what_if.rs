//! The turn under every policy, on one axis.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::analyze::Figure;
use crate::chart::{Bar, Role, Viewport, raster};
use crate::model::Timing;
use crate::schedule::{Hazards, Policy};
use crate::text;
use crate::time::{Nanos, Span};
use crate::tui::layout;
use crate::tui::model::{Model, Panel};
use crate::tui::report::{Drawn, Schedule, TurnReport};
use crate::tui::skin::{Ink, Sign, Skin};
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
    let focused = model.focus == Panel::WhatIf;
    let predicted = model
        .report
        .as_ref()
        .and_then(|report| Some((report, report.schedules.get(1)?)));
    let basis = predicted.map_or_else(String::new, |(report, first)| words::basis(report, first));
    painter.panel(
        panel,
        &Title {
            left: "What-if",
            right: &basis,
            right_ink: Ink::Predicted,
            focused,
        },
    );
    let area = layout::inner(panel);
    let Some(report) = &model.report else {
        return;
    };
    if model.calls().is_empty() {
        painter.put(area, 1, 0, "No calls, nothing to order.", Ink::Dim);
        return;
    }
    let forms = forms(model, report, painter.skin);
    let columns = columns(area, name_cells(report, area.width), &forms);
    heading(painter, area, &columns);
    let longest = report.schedules.iter().filter_map(|s| s.makespan).max();
    let view = Viewport::fit(
        Span::new(Nanos::ZERO, longest.unwrap_or_default()),
        columns.bar.1,
    );
    let races = &forms[columns.form];
    for (y, (schedule, race)) in (1..area.height).zip(report.schedules.iter().zip(races)) {
        let here = schedule.drawn == model.drawn;
        row(painter, report, area, &columns, y, schedule, here);
        bar(painter, area, &columns, y, schedule, &view);
        let ink = if hides_races(schedule) || schedule.hazards.count == 0 {
            Ink::Dim
        } else {
            Ink::Hazard
        };
        painter.column(area, columns.races, y, race, ink);
    }
}

/// Whether the recorded intervals are too loose to tell a race from a wait.
fn hides_races(schedule: &Schedule) -> bool {
    schedule.drawn == Drawn::Recorded && schedule.timing >= Timing::Bound && schedule.rows.len() > 1
}

/// What every schedule's races are, in full, in short, and as a number.
fn forms(model: &Model, report: &TurnReport, skin: Skin) -> [Vec<String>; 3] {
    type Off = fn(&Model, &Schedule) -> Option<String>;
    let all = |form: &dyn Fn(&Hazards) -> Option<String>, off: Off| {
        let races = report.schedules.iter().map(|s| {
            if hides_races(s) {
                "unknown".to_owned()
            } else {
                let races = form(&s.hazards).unwrap_or_default();
                match off(model, s) {
                    Some(off) if races.is_empty() => off,
                    Some(off) => format!("{off}; {races}"),
                    None => races,
                }
            }
        });
        races.collect()
    };
    [
        all(&|h| words::races(&model.run, h, skin), words::off),
        all(&|h| words::races_short(h, skin), words::off),
        all(
            &|h| (h.count > 0).then(|| format!("{} {}", skin.sign(Sign::Bad), h.count)),
            words::off_short,
        ),
    ]
}

/// Cells of the names: more where there is a replay to be named in full, and room for it.
fn name_cells(report: &TurnReport, width: u16) -> u16 {
    let measured = report.schedules.iter().filter_map(|s| match s.drawn {
        Drawn::Measured(policy) if width >= 90 => Some(policy.name().len() + 11),
        _ => None,
    });
    measured
        .max()
        .map_or(12, |cells| u16::try_from(cells).unwrap_or(12).max(12))
}

fn columns(area: Rect, name: u16, forms: &[Vec<String>; 3]) -> Columns {
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
    let widest = forms.each_ref().map(|races| {
        let cells = races.iter().map(|race| text::width(race));
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

fn heading(painter: &mut Painter<'_>, area: Rect, columns: &Columns) {
    painter.column(area, columns.name, 0, " policy", Ink::Dim);
    painter.column_right(area, columns.makespan, 0, "makespan", Ink::Dim);
    painter.column_right(area, columns.saved, 0, "change", Ink::Dim);
    painter.column_right(area, columns.share, 0, "of turn", Ink::Dim);
    painter.column(area, columns.figure, 0, "figure", Ink::Dim);
    let races = if columns.races.1 > 0 { "races" } else { "" };
    painter.column(area, columns.races, 0, races, Ink::Dim);
}

fn row(
    painter: &mut Painter<'_>,
    report: &TurnReport,
    area: Rect,
    columns: &Columns,
    y: u16,
    schedule: &Schedule,
    here: bool,
) {
    let ink = if here { Ink::Selected } else { Ink::Text };
    let marker = if here {
        painter.skin.sign(Sign::Here)
    } else {
        " "
    };
    let name = match schedule.drawn {
        Drawn::Recorded => "recorded".to_owned(),
        Drawn::Predicted(policy) => policy.name().to_owned(),
        Drawn::Measured(policy) if columns.name.1 > 12 => format!("measured: {policy}"),
        Drawn::Measured(_) => "  replayed".to_owned(),
    };
    painter.column(area, columns.name, y, &format!("{marker}{name}"), ink);
    let makespan = words::duration(schedule.makespan, schedule.timing);
    painter.column_right(area, columns.makespan, y, &makespan, ink);
    let figure = match (schedule.figure, schedule.timing) {
        (Figure::Predicted, _) => "predicted".to_owned(),
        (Figure::Measured, timing) => timing.word().to_owned(),
    };
    let figure_ink = match schedule.figure {
        Figure::Predicted => Ink::Predicted,
        Figure::Measured => Ink::Dim,
    };
    painter.column(area, columns.figure, y, &figure, figure_ink);
    // Everything is held against the sequential order.
    let base = Drawn::Predicted(Policy::Sequential);
    let Some(savings) = schedule.savings.filter(|_| schedule.drawn != base) else {
        let missing = schedule.drawn != Drawn::Recorded && report.unknown_calls > 0;
        let text = if missing { "unknown" } else { "" };
        painter.column_right(area, columns.saved, y, text, Ink::Dim);
        return;
    };
    let good = if savings.saved > 0 {
        Ink::Good
    } else {
        Ink::Dim
    };
    painter.column_right(
        area,
        columns.saved,
        y,
        &words::saved(savings, painter.skin),
        good,
    );
    painter.column_right(area, columns.share, y, &words::share(savings), good);
}

fn bar(
    painter: &mut Painter<'_>,
    area: Rect,
    columns: &Columns,
    y: u16,
    schedule: &Schedule,
    view: &Viewport,
) {
    let Some(makespan) = schedule.makespan else {
        return;
    };
    let role = if schedule.timing == Timing::Bound {
        Role::Bound
    } else {
        Role::Run
    };
    let span = Span::new(Nanos::ZERO, makespan);
    let cells = raster(view, &[Bar { span, role }], painter.skin.glyphs);
    let ink = match schedule.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    painter.lane(area, columns.bar, y, &cells, ink);
}
