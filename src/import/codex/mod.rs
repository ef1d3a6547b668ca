//! Rollouts of the Codex CLI: JSON lines of `{timestamp, type, payload}`, in several generations.
//!
//! `read` takes a file line by line, `reply` tells replies apart and their calls, `output` says
//! what an answer's header says, `events` reads what is logged beside the items, `patch` which
//! files a patch writes, `agents` finds the files of sub-agents.

mod agents;
mod events;
mod output;
mod patch;
mod read;
mod reply;
mod session;

pub(super) use read::read;
