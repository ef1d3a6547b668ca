//! Pictures of a turn, drawn with the time axis of the viewer.

mod picture;
mod style;
mod turn;

pub use style::SvgTheme;
pub use turn::turn_svg;
