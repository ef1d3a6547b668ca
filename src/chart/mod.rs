//! Time mapped to cells of a terminal: integers only, and both edges of a bar from absolute time,
//! so that nothing drifts and no bar moves because another one is there. Plain data, no terminal.

pub(crate) mod density;
mod folds;
mod raster;
mod thin;
mod ticks;
mod viewport;

pub use density::{Coverage, Moments, height, several};
pub use folds::{Fold, FoldMark, FoldedView, Folds};
pub use raster::{Bar, Cell, Edges, Glyphs, Role, edges, raster};
pub use thin::{Crowded, Track};
pub use ticks::{Tick, folded_ticks, ticks};
pub use viewport::Viewport;
