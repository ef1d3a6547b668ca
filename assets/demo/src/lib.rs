//! Sorts support tickets: how urgent each is, whose desk it belongs on, and by when it must be
//! answered.
//!
//! Tickets come in as text, one line each; see [`parse`]. All times are minutes since midnight of
//! the first day.

pub mod parse;
pub mod priority;
pub mod report;
pub mod routing;
pub mod sla;
pub mod ticket;

pub use parse::{parse, ParseError};
pub use priority::Priority;
pub use report::report;
pub use routing::Desk;
pub use ticket::Ticket;
