//! Files of others: which format a file is in, and one folder a format to read it.
//!
//! What a file is decides its content, never its name. Opening one starts no process, opens no
//! socket and writes nothing; arguments and answers stay in the file.

mod claude_code;
mod codex;
mod detect;
mod document;
mod draft;
mod error;
mod lenient;
mod lines;
mod open;
mod pairs;
mod place;
mod value;

pub use detect::Format;
pub use error::ImportError;
pub use open::{Opened, is_plain_trace, open_any};
