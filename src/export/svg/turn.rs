//! A turn as a picture: lanes by call, then every policy on the same axis. Pleasing on light and
//! on dark pages, and the same bytes for the same turn.

use std::collections::BTreeSet;

use super::picture::{MIDDLE, Picture};
use super::style::SvgTheme;
use crate::analyze::{
    Lanes, PathCall, PolicyResult, Recorded, Segment, TurnWhatIf, critical_path, percent_of,
    recorded_lanes,
};
use crate::chart::{Role, Viewport, edges, ticks};
use crate::export::lanes_text::role;
use crate::model::{KeyTable, Outcome, Timing};
use crate::schedule::Hazards;
use crate::text::{clean, cut, wrap_words};
use crate::time::{Nanos, Span};
use crate::trace::{Call, Run, Turn};

/// One eighth of a cell is one unit of the picture.
const CELLS: u16 = 70;
const LEFT: u32 = 190;
const PLOT: u32 = CELLS as u32 * 8;
const RIGHT: u32 = 300;
const ROW: u32 = 22;

/// The picture of one turn and of what it would be under other policies.
#[must_use]
pub fn turn_svg(
    run: &Run,
    turn: &Turn,
    what_if: &TurnWhatIf,
    (verdict, theme): (&str, SvgTheme),
) -> String {
    let lanes = recorded_lanes(run, turn);
    let mut picture = Picture::new(theme);
    for line in wrap_words(verdict, 120) {
        picture.text(10, "title", &line);
        picture.y += 18;
    }
    picture.text(10, "dim", &subtitle(run, turn, what_if));
    picture.y += 12;
    let racing = what_if.recorded.as_ref().map(|seen| racing(&seen.hazards));
    picture.lanes(run, turn, &lanes, &racing.unwrap_or_default());
    picture.y += 14;
    picture.policies(what_if, &run.keys);
    picture.finish(LEFT + PLOT + RIGHT)
}

/// The calls that race another one.
fn racing(hazards: &Hazards) -> BTreeSet<u32> {
    let pairs = hazards.list.iter();
    pairs
        .flat_map(|hazard| [hazard.first, hazard.second])
        .collect()
}

fn subtitle(run: &Run, turn: &Turn, what_if: &TurnWhatIf) -> String {
    let model = turn
        .model
        .map_or("unknown".to_owned(), |m| turn.model_timing.show(m.len()));
    let policy = if run.meta.policy.is_empty() {
        "policy unknown".into()
    } else {
        clean(&run.meta.policy)
    };
    format!(
        "turn {} · {} calls · model {model} · recorded: {policy}",
        turn.number,
        what_if.tools.len()
    )
}

impl Picture {
    fn axis(&mut self, view: &Viewport, rows: u32) {
        self.y += ROW - 6;
        let bottom = self.y + rows * ROW + 4;
        for tick in ticks(view, view.window().start) {
            let x = LEFT + view.eighth(tick.at);
            self.line(x, self.y + 4, bottom, "grid");
            self.text(x + 3, "dim", &tick.label);
        }
    }

    fn lanes(&mut self, run: &Run, turn: &Turn, lanes: &Lanes, racing: &BTreeSet<u32>) {
        let calls = run.calls_of(turn);
        let view = Viewport::fit(lanes.extent, CELLS);
        self.axis(&view, u32::try_from(calls.len()).unwrap_or(0));
        self.path(&view, calls);
        for (call, lane) in calls.iter().zip(&lanes.calls) {
            self.y += ROW;
            self.text(
                10,
                "",
                &format!("{:>2} {}", call.index, cut(&clean(run.tool(call)), 20)),
            );
            if racing.contains(&call.index) {
                self.text(LEFT - 16, "race", "✗");
            }
            for segment in lane {
                self.segment(&view, segment);
            }
            let took = call
                .run_time()
                .map_or("unknown".to_owned(), |time| call.timing.show(time));
            let outcome = match call.outcome {
                Outcome::Ok => String::new(),
                outcome => format!(" · {}", outcome.word().replace('_', " ")),
            };
            let cause = call.cause.map_or_else(String::new, |c| c.text(&run.keys));
            self.text(
                LEFT + PLOT + 10,
                "dim",
                &cut(&format!("{took}{outcome} · {}", clean(&cause)), 40),
            );
        }
    }

    /// The critical path: a line from the end of a call down to the start of the one that it held
    /// back.
    fn path(&mut self, view: &Viewport, calls: &[Call]) {
        let of_path = |call: &Call| PathCall {
            start: call.start,
            end: call.end,
            cause: call.cause,
        };
        let path: Vec<PathCall> = calls.iter().map(of_path).collect();
        let issued = calls.iter().filter_map(|call| call.issued).min();
        let steps = critical_path(issued.unwrap_or_default(), &path);
        let middle = |call: u32| self.y + (call + 1) * ROW - MIDDLE;
        let lines = steps.windows(2).filter_map(|pair| {
            let start = calls.get(pair[1].call as usize)?.start?;
            let x = LEFT + view.eighth(start);
            Some((x, middle(pair[0].call), middle(pair[1].call)))
        });
        for (x, from, to) in lines.collect::<Vec<_>>() {
            self.line(x, from, to, "path");
        }
    }

    fn segment(&mut self, view: &Viewport, segment: &Segment) {
        let Some(edges) = edges(view, segment.span) else {
            return;
        };
        let class = match role(segment.state) {
            Role::Wait => "wait",
            Role::Failed => "failed",
            Role::Late => "late",
            Role::Open => "open",
            Role::Bound | Role::Unknown => "bound",
            Role::Run | Role::Empty => "run",
        };
        match class {
            "wait" => self.thin(LEFT + edges.from, edges.width(), class),
            _ => self.rect(LEFT + edges.from, edges.width(), class),
        }
    }

    fn policies(&mut self, what_if: &TurnWhatIf, keys: &KeyTable) {
        let recorded = what_if
            .recorded
            .as_ref()
            .and_then(|r| Some((r, r.makespan?)));
        let longest = what_if
            .policies
            .iter()
            .filter_map(|p| p.makespan)
            .chain(recorded.map(|(_, m)| m))
            .max();
        let Some(longest) = longest else {
            self.y += ROW;
            return self.text(
                10,
                "dim",
                "what other policies would take is unknown: a call has no known duration",
            );
        };
        let view = Viewport::fit(Span::new(Nanos::ZERO, longest), CELLS);
        let racing = what_if
            .policies
            .iter()
            .filter(|p| p.hazards.count > 0 && p.makespan.is_some())
            .count();
        let rows = what_if.policies.len() + racing + usize::from(recorded.is_some());
        self.axis(&view, u32::try_from(rows).unwrap_or(0));
        if let Some((seen, makespan)) = recorded {
            self.recorded(&view, seen, makespan);
        }
        for policy in &what_if.policies {
            self.policy(&view, policy, keys);
        }
    }

    fn recorded(&mut self, view: &Viewport, seen: &Recorded, makespan: Nanos) {
        self.y += ROW;
        self.text(10, "", "as recorded");
        let class = if seen.timing == Timing::Bound {
            "bound"
        } else {
            "measured"
        };
        self.rect(LEFT, view.eighth(makespan).max(1), class);
        let figure = match seen.timing {
            Timing::Measured => "measured",
            timing => timing.word(),
        };
        let note = format!("{} · recorded, {figure}", seen.timing.show(makespan));
        self.text(LEFT + PLOT + 10, "dim", &note);
    }

    fn policy(&mut self, view: &Viewport, policy: &PolicyResult, keys: &KeyTable) {
        self.y += ROW;
        self.text(10, "", policy.policy.name());
        let races = policy.hazards.worst();
        let Some(makespan) = policy.makespan else {
            return;
        };
        self.rect(
            LEFT,
            view.eighth(makespan).max(1),
            if races.is_some() { "unsafe" } else { "what" },
        );
        let saved = policy
            .savings
            .filter(|s| s.saved > 0)
            .map_or_else(String::new, |s| {
                let share = s
                    .share()
                    .map_or_else(String::new, |share| format!(" ({})", percent_of(share)));
                format!(" · −{}{share}", s.amount())
            });
        let note = format!("{}{saved} · predicted", policy.timing.show(makespan));
        self.text(LEFT + PLOT + 10, "dim", &note);
        if let Some(first) = races {
            self.y += ROW;
            let line = crate::export::turn_table::hazard_line(first, policy.hazards.count, keys);
            self.text(LEFT + 4, "race", &format!("✗ {line}"));
        }
    }
}
