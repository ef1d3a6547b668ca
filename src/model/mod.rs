//! Plain data: the words of the field, with no clock, file or scheduling in them.

mod call;
pub mod catalog;
mod cause;
mod effects;
mod key;
mod outcome;
mod path;
mod stand_in;
mod timing;
mod tool;

pub use call::{Approval, CallKey, CallRequest, ThreadId};
pub use catalog::{Catalog, CatalogError};
pub use cause::Cause;
pub use effects::{Effects, Source};
pub use key::{Key, KeyId, KeyTable};
pub use outcome::Outcome;
pub use path::normalise as normalise_path;
pub use stand_in::{Scripted, StandIn};
pub use timing::Timing;
pub use tool::{Declared, KeyElement, KeyExpr, RunWith, ToolSpec};
