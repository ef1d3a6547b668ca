//! Files of others: which format a file is in, and one folder a format to read it.
//!
//! What a file is decides its content, never its name. Opening one starts no process, opens no
//! socket and writes nothing; arguments and answers stay in the file.

mod atif;
mod bfcl;
mod chat;
mod chrome;
mod claude_code;
mod codex;
mod detect;
mod document;
mod draft;
mod error;
mod gemini;
mod inspect;
mod langfuse;
mod langsmith;
mod lenient;
mod lines;
mod messages;
mod mini_swe_agent;
mod open;
mod openhands;
mod otlp;
mod pairs;
mod place;
mod spans;
mod stamps;
mod swe_agent;
mod tau2;
mod tau_bench;
mod thread_names;
mod value;
mod values;

pub use detect::Format;
pub use error::ImportError;
pub use open::{Opened, is_plain_trace, open_any, open_stream};
