//! Every key, once: the help overlay, the README and the program read the same table.

mod action;
mod binding;
mod lookup;
mod markdown;
mod names;
mod remap;
mod table;

pub use action::Action;
pub use binding::{Binding, Context, Group, Key};
pub use lookup::{Entry, Keymap, Mode};
pub use markdown::markdown;
pub use remap::Conflict;
pub use table::KEYS;
