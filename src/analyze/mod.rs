//! Judgement: what a turn would have cost or broken under another policy, and whether that
//! matters next to the model's own time.

mod case;
mod critical;
mod fleet;
mod intervals;
mod lanes;
mod parts;
mod place;
pub mod query;
mod recorded;
mod savings;
mod session;
mod summary;
mod survey;
mod telling;
mod totals;
mod verdict;
mod what_if;

pub use case::{CaseCall, TurnCase};
pub use critical::{PathCall, PathStep, critical_path};
pub use fleet::{
    Agent, CallFacts, CallRow, FileFacts, Fleet, FleetReport, Group, GroupKey, Hazard4, Owned,
    Pair, PairFacts, PartFacts, PartSum, PolicySum, ReplyFacts, ReplyRow, SavedFacts, SingleReads,
    ThreadFacts, ToolSum, call_rows, file_facts,
};
pub use lanes::{Lanes, Segment, State, predicted_lanes, recorded_lanes};
pub use parts::{Part, PartTotal, Parts, Stretch, busy_spans, parts, typical_stretch};
pub use place::{Place, turns_in_order};
pub use recorded::{Recorded, recorded};
pub use savings::{Figure, Savings, percent_of};
pub use session::{SessionFacts, brief};
pub use summary::{ThreadSummary, ToolSummary, summarise};
pub use survey::{HazardAt, Survey};
pub use telling::{Rarity, most_telling, rarity};
pub use totals::{PolicyTotal, ToolTime, Totals, totals};
pub use verdict::{Race, race_sentence, verdict};
pub use what_if::{Bound, PolicyResult, TurnWhatIf, WhatIfOptions, predict, what_if_turn};
