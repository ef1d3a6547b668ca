//! What is assumed instead of what the file says.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::text::{cut, width};
use crate::tui::assumed;
use crate::tui::layout::{self, AssumptionParts, Panels};
use crate::tui::model::{Assuming, Assumptions, Model, SaveLine};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

/// The columns: first cell and width.
struct Columns {
    name: (u16, u16),
    calls: (u16, u16),
    choice: (u16, u16),
}

/// One row.
struct Row<'a> {
    here: bool,
    name: &'a str,
    calls: String,
    choice: String,
    assumed: bool,
    /// What stands beside the choice in small print.
    beside: String,
}

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, open: &Assuming, panels: &Panels) {
    let parts = layout::assumption_parts(panels);
    painter.clear(parts.panel);
    painter.panel(
        parts.panel,
        &Title {
            left: "Assumptions",
            right: "Esc closes",
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let columns = columns(parts.tools, open);
    switches(painter, model, open, &parts, &columns);
    tools(painter, model, open, &parts, &columns);
    status(painter, model, open, parts.status);
}

fn columns(area: Rect, open: &Assuming) -> Columns {
    let longest = open.tools.iter().map(|tool| width(&tool.name)).max();
    let longest = u16::try_from(longest.unwrap_or(0)).unwrap_or(u16::MAX);
    let most = (area.width / 3).max(12);
    let name = longest.max(12).saturating_add(3).min(most);
    let calls = if area.width >= 60 { 7 } else { 0 };
    let choice = area.x + name + if calls > 0 { calls + 2 } else { 1 };
    Columns {
        name: (area.x, name),
        calls: (area.x + name, calls),
        choice: (choice, area.right().saturating_sub(choice)),
    }
}

fn switches(
    painter: &mut Painter<'_>,
    model: &Model,
    open: &Assuming,
    parts: &AssumptionParts,
    columns: &Columns,
) {
    let Assumptions { given, wanted, .. } = &model.what_if.assumptions;
    let rows = [
        (
            "slots",
            wanted.slots.to_string(),
            given.slots.to_string(),
            wanted.slots != given.slots,
        ),
        (
            "a failure",
            failure(wanted.on_failure.name()),
            failure(given.on_failure.name()),
            wanted.on_failure != given.on_failure,
        ),
    ];
    for (y, (name, choice, before, assumed)) in (0..).zip(rows) {
        let row = Row {
            here: open.at == usize::from(y),
            name,
            calls: String::new(),
            choice,
            assumed,
            beside: if assumed {
                format!("opened with: {before}")
            } else {
                String::new()
            },
        };
        draw_row(painter, parts.switches, columns, y, &row);
    }
}

/// What a failure does to the other calls of the turn.
fn failure(mode: &str) -> String {
    let does = match mode {
        "independent" => "the others go on",
        "stop-later" => "what has not started is not run",
        "stop-dependents" => "what waits for it is not run",
        _ => "all others are cancelled",
    };
    format!("{mode}: {does}")
}

fn tools(
    painter: &mut Painter<'_>,
    model: &Model,
    open: &Assuming,
    parts: &AssumptionParts,
    columns: &Columns,
) {
    let assumptions = &model.what_if.assumptions;
    painter.column(parts.heading, columns.name, 0, "  tool", Ink::Dim);
    painter.column_right(parts.heading, columns.calls, 0, "calls", Ink::Dim);
    painter.column(parts.heading, columns.choice, 0, "a call of it", Ink::Dim);
    let visible = open.tools.iter().enumerate().skip(open.top);
    for (y, (at, tool)) in (0..parts.tools.height).zip(visible) {
        let here = open.at == Assuming::SWITCHES + at;
        let assumed = assumptions.wanted.tools.get(&tool.name);
        let choice = assumed.map_or_else(|| tool.by_file.clone(), assumed::declared);
        let place = || {
            let choices = assumed::choices(assumptions, &tool.name);
            let now = assumed.cloned();
            let at = choices.iter().position(|choice| *choice == now);
            format!("{} of {}", at.unwrap_or(0) + 1, choices.len())
        };
        let beside = match (here, assumed) {
            (true, None) => place(),
            (true, Some(_)) => format!("{}; file: {}", place(), tool.by_file),
            (false, Some(_)) => format!("file: {}", tool.by_file),
            (false, None) => String::new(),
        };
        let row = Row {
            here,
            name: if tool.name.is_empty() {
                "(no name)"
            } else {
                &tool.name
            },
            calls: tool.calls.to_string(),
            choice,
            assumed: assumed.is_some(),
            beside,
        };
        draw_row(painter, parts.tools, columns, y, &row);
    }
    if open.tools.is_empty() {
        painter.put(parts.tools, 2, 0, "No calls, no tools.", Ink::Dim);
    }
}

fn draw_row(painter: &mut Painter<'_>, area: Rect, columns: &Columns, y: u16, row: &Row<'_>) {
    let ink = if row.here { Ink::Selected } else { Ink::Text };
    let marker = if row.here {
        painter.skin.sign(Sign::Here)
    } else {
        " "
    };
    let name_cells = usize::from(columns.name.1).saturating_sub(3);
    let name = format!("{marker} {}", cut(row.name, name_cells));
    painter.column(area, columns.name, y, &name, ink);
    painter.column_right(area, columns.calls, y, &row.calls, Ink::Dim);
    let choice_ink = match (row.assumed, row.here) {
        (true, _) => Ink::Predicted,
        (false, true) => Ink::Selected,
        (false, false) => Ink::Text,
    };
    let choice = Rect {
        x: columns.choice.0,
        width: columns.choice.1,
        ..area
    };
    let text = match (row.here, row.assumed) {
        (true, _) => format!("< {} >", row.choice),
        (false, true) => format!("* {}", row.choice),
        (false, false) => format!("  {}", row.choice),
    };
    let used = painter.put(choice, 0, y, &text, choice_ink);
    if !row.beside.is_empty() {
        painter.put(choice, used + 2, y, &row.beside, Ink::Dim);
    }
}

/// What can be done, or what came of it.
fn status(painter: &mut Painter<'_>, model: &Model, open: &Assuming, area: Rect) {
    let assumptions = &model.what_if.assumptions;
    if let Some(line) = &open.line {
        return typing(painter, line, open.said.as_deref(), area);
    }
    let unread = assumptions.unread;
    let (text, ink) = match &open.said {
        Some(said) => (said.clone(), Ink::Strong),
        None if assumptions.is_pending() => ("working out what follows".to_owned(), Ink::Predicted),
        None if unread > 0 => {
            let calls = words::count(unread, "call", "calls");
            (
                format!("the arguments of {calls} cannot be read: their keys are not known"),
                Ink::Failed,
            )
        }
        None => (hints(usize::from(area.width), painter), Ink::Dim),
    };
    painter.put(area, 0, 0, &text, ink);
}

fn hints(cells: usize, painter: &Painter<'_>) -> String {
    let facts = vec![
        (0, "left and right change".to_owned()),
        (1, "W saves a catalog".to_owned()),
        (2, "Backspace: as the file says".to_owned()),
    ];
    words::fitting(facts, painter.skin, cells)
}

/// The path that is being typed; the cell that the next character goes before stands out.
fn typing(painter: &mut Painter<'_>, line: &SaveLine, said: Option<&str>, area: Rect) {
    let mut x = painter.put(area, 0, 0, "save as", Ink::Strong) + 1;
    let said = said.unwrap_or("Enter writes it, Esc does not");
    let beside = u16::try_from(width(said))
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    let room = area.width.saturating_sub(x);
    // The path needs some room; what is said about it gives way.
    let cells = room.saturating_sub(beside).max(room.min(24));
    let path = Rect {
        width: (x + cells).min(area.width),
        ..area
    };
    let cursor = line.input.cursor();
    let from = line
        .input
        .visual_scroll(usize::from(cells.saturating_sub(1)).max(1));
    let mut passed = 0;
    for (at, c) in line.text().chars().chain(['_']).enumerate() {
        let end = at == line.text().chars().count();
        if end && cursor < at {
            break;
        }
        let c = c.to_string();
        passed += width(&c);
        if passed > from {
            let ink = if at == cursor { Ink::Focus } else { Ink::Text };
            x += painter.put(path, x, 0, &c, ink);
        }
    }
    painter.put(area, x + 2, 0, said, Ink::Dim);
}
