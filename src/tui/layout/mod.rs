//! Where everything lies: pure functions of the size and of what is shown. Drawing, scrolling
//! and hit-testing use the same ones.

mod help;
mod overlays;
mod panels;
mod run;
mod timeline;

pub use help::{HelpLine, help_columns, help_is_wide, help_rows};
pub use overlays::{
    AssumptionParts, RaceParts, assumption_parts, compare_parts, overlay, overlay_text, race_parts,
};
pub(super) use panels::rows;
pub use panels::{Panels, SMALLEST, inner, one_at_a_time, panels, turn_rows};
pub use run::{RunColumns, RunParts, run_columns, run_parts};
pub use timeline::{Columns, TimelineParts, timeline_columns, timeline_parts};
