//! The runner: tokio around the scheduler. It translates and decides nothing.
//!
//! ```
//! use std::sync::Arc;
//!
//! use futures::future::BoxFuture;
//! use turnlane::model::{CallRequest, Catalog};
//! use turnlane::run::{Answer, CallContext, Runner, Tool, ToolError};
//! use turnlane::schedule::Policy;
//!
//! /// A tool of your own: whatever a name and JSON arguments can start.
//! struct Lookup;
//!
//! impl Tool for Lookup {
//!     fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
//!         Box::pin(async move { Ok(Answer::text(format!("found {}", context.request.args))) })
//!     }
//! }
//!
//! # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let catalog = Catalog::parse(
//!     r#"[{"name": "lookup", "parameters": {}, "x-mutates": false, "x-resource-key": ["doc", "$args.id"]}]"#,
//!     "catalog.json",
//! )?;
//! let mut runner = Runner::new(catalog, Policy::Keyed);
//! runner.add_tool("lookup", Arc::new(Lookup));
//!
//! let reply = vec![
//!     CallRequest::new("lookup", r#"{"id": 1}"#),
//!     CallRequest::new("lookup", r#"{"id": 2}"#),
//! ];
//! let result = runner.run_turn(reply).await?;
//! assert_eq!(result.answers.len(), 2); // one answer per call, in issue order, on every path
//! assert_eq!(result.answers[1].text, r#"found {"id": 2}"#);
//! # Ok(()) }
//! ```

mod body;
mod driver;
mod event;
mod prepare;
mod runner;
mod tool;

pub use body::in_body;
pub use event::{Event, Observer};
pub use prepare::PlannedCall;
pub use runner::{Approver, CallAnswer, CancelTurn, RunError, Runner, TurnResult};
pub use tool::{Answer, CallContext, Tool, ToolError};
