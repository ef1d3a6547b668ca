//! A turn as a picture: lanes by call, then every policy on the same axis. Pleasing on light and
//! on dark pages, and the same bytes for the same turn.

use std::fmt::Write as _;

use super::lanes_text::role;
use crate::analyze::{
    Lanes, PolicyResult, Recorded, Segment, TurnWhatIf, percent_of, recorded_lanes,
};
use crate::chart::{Role, Viewport, edges, ticks};
use crate::model::{KeyTable, Outcome, Timing};
use crate::text::{clean, cut, width};
use crate::time::{Nanos, Span};
use crate::trace::{Run, Turn};

/// One eighth of a cell is one unit of the picture.
const CELLS: u16 = 70;
const LEFT: u32 = 190;
const PLOT: u32 = CELLS as u32 * 8;
const RIGHT: u32 = 300;
const ROW: u32 = 22;
const BAR: u32 = 14;

const STYLE: &str = "
  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #24292f }
  .dim { fill: #6e7781 } .title { font-weight: 600; font-size: 13px } .race { fill: #b3261e }
  .grid { stroke: #d0d7de } .wait { fill: #d0d7de } .run { fill: #2f6feb } .failed { fill: #b3261e }
  .late { fill: #b58900 } .open { fill: none; stroke: #2f6feb; stroke-dasharray: 3 2 }
  .bound { fill: #9ec1ff } .what { fill: #54aeff } .measured { fill: #2f6feb } .unsafe { fill: #e5a39c }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .dim { fill: #8b949e } .race { fill: #ff8f85 } .grid { stroke: #30363d }
    .wait { fill: #3d444d } .run, .measured { fill: #58a6ff } .failed { fill: #ff8f85 }
    .open { stroke: #58a6ff } .bound { fill: #2b4a75 } .what { fill: #316dca } .unsafe { fill: #8e3b36 }
  }";

/// The picture of one turn and of what it would be under other policies.
#[must_use]
pub fn turn_svg(run: &Run, turn: &Turn, what_if: &TurnWhatIf, verdict: &str) -> String {
    let lanes = recorded_lanes(run, turn);
    let mut picture = Picture {
        body: String::new(),
        y: 20,
    };
    for line in words(verdict, 120) {
        picture.text(10, "title", &line);
        picture.y += 18;
    }
    picture.text(10, "dim", &subtitle(run, turn, what_if));
    picture.y += 12;
    picture.lanes(run, turn, &lanes);
    picture.y += 14;
    picture.policies(what_if, &run.keys);
    picture.finish()
}

/// Lines of at most `cells` cells, broken between words; one longer word has a line of its own.
fn words(text: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= cells => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
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

struct Picture {
    body: String,
    y: u32,
}

impl Picture {
    fn text(&mut self, x: u32, class: &str, text: &str) {
        let y = self.y;
        // Writing to a string does not fail, here and below.
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>",
            escape(&clean(text))
        );
    }

    fn rect(&mut self, x: u32, width: u32, class: &str) {
        let y = self.y - BAR + 3;
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\" rx=\"1\" class=\"{class}\"/>"
        );
    }

    fn axis(&mut self, view: &Viewport, rows: u32) {
        self.y += ROW - 6;
        let bottom = self.y + rows * ROW + 4;
        for tick in ticks(view, view.window().start) {
            let x = LEFT + view.eighth(tick.at);
            let _ = writeln!(
                self.body,
                "<line x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{bottom}\" class=\"grid\"/>",
                self.y + 4
            );
            self.text(x + 3, "dim", &tick.label);
        }
    }

    fn lanes(&mut self, run: &Run, turn: &Turn, lanes: &Lanes) {
        let calls = run.calls_of(turn);
        let view = Viewport::fit(lanes.extent, CELLS);
        self.axis(&view, u32::try_from(calls.len()).unwrap_or(0));
        for (call, lane) in calls.iter().zip(&lanes.calls) {
            self.y += ROW;
            self.text(
                10,
                "",
                &format!("{:>2} {}", call.index, cut(&clean(run.tool(call)), 20)),
            );
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
        self.rect(LEFT + edges.from, edges.width(), class);
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
        let note = format!("{} · measured", seen.timing.show(makespan));
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
            let line = super::turn_table::hazard_line(first, policy.hazards.count, keys);
            self.text(LEFT + 4, "race", &format!("✗ {line}"));
        }
    }

    fn finish(self) -> String {
        let (width, height) = (LEFT + PLOT + RIGHT, self.y + 16);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<style>{STYLE}\n</style>\n{}</svg>\n",
            self.body,
        )
    }
}

/// Text as XML character data; what the sanitiser leaves holds no control characters.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
