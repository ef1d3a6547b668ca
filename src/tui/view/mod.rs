//! Drawing, one file a panel. Nothing here changes the state, and only rows that can be seen
//! are built.
//!
//! ```text
//!  turnlane  triage.jsonl   glm-5.3 · 31 turns · 87 calls · 4 replies with several   staged (recorded)  ? help
//!  Overlap saves 144 ms of 128 s (0.1%): nothing to gain.
//! ┌ Turns ───────────────┬ Turn 12 · 5 calls · model 3.10 s ───────────── recorded: staged ┐
//! │  list of turns       │  axis                                                           │
//! │                      │  lane of a call: index, tool, bar, duration, cause              │
//! │                      │  the selected call in words                                     │
//! ├ What-if ─────────────┴─────────────────────────────────────────────────────────────────┤
//! │  a policy: makespan, bar, what it saves, races                                         │
//! └────────────────────────────────────────────────────────────────────────────────────────┘
//! ```

mod assumptions;
mod clock;
mod compare;
mod copy;
mod detail;
mod header;
mod help;
mod minimap;
mod paint;
mod places;
mod race;
mod run;
mod run_cells;
mod run_note;
mod screen;
mod search;
mod sessions;
mod timeline;
mod turns;
mod what_if;

pub use screen::view;
