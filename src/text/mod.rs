//! The one sanitiser: text of a file reaches a screen, a report or an error only through here.
//!
//! What it returns holds no control character, no format character (bidi, zero-width) and no
//! blank that is not a space, except what joins a real emoji; each of those is shown instead in
//! a form that can be read: `␛`, `⏎`, `<9B>`, `<U+202E>`. Everything here can be applied twice
//! without a change.

mod clean;
mod fit;

pub use clean::{clean, clean_block, from_bytes};
pub use fit::{cut, cut_start, fit, fit_right, width, wrap, wrap_words};
