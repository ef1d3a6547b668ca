//! The runner: tokio around the scheduler. It translates and decides nothing.

mod tool;

pub use tool::{Answer, CallContext, Tool, ToolError};
