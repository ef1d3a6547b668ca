//! Virtual time: a heap around the scheduler. Nothing runs, and the same input gives the same
//! timeline to the nanosecond.

mod body;
mod simulator;
mod timeline;

pub use body::{Body, End};
pub use simulator::{Simulator, simulate};
pub use timeline::{SimulatedCall, Timeline};
