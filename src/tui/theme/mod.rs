//! Colours as data: `assets/themes/*.toml`, or a file of the user's.
//!
//! ```toml
//! base = "light"                  # where the inks come from that are not named here
//! ground = "#ffffff on #000000"   # left out: the terminal's own
//! [inks]
//! run = "bold #005faf"            # bold, dim, italic, underlined, reversed; a colour; on a colour
//! ```

mod bundled;
mod depth;
mod fault;
mod file;
mod palette;

pub use bundled::{BUNDLED, bundled};
pub use depth::Depth;
pub use fault::Fault;
pub use file::Theme;
pub use palette::Palette;
