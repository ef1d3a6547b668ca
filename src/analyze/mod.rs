//! Judgement: what a turn would have cost or broken under another policy, and whether that
//! matters next to the model's own time.

mod case;
mod critical;
mod recorded;
mod savings;
mod summary;
mod telling;
mod verdict;
mod what_if;

pub use case::{CaseCall, TurnCase};
pub use critical::{PathCall, PathStep, critical_path};
pub use recorded::{Recorded, recorded};
pub use savings::{Figure, Savings};
pub use summary::{ThreadSummary, ToolSummary, summarise};
pub use telling::{Rarity, most_telling, rarity};
pub use verdict::{race_sentence, verdict};
pub use what_if::{Bound, PolicyResult, TurnWhatIf, WhatIf, WhatIfOptions, what_if, what_if_turn};
