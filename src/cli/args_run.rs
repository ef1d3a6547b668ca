//! The command line of what runs turns.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::{SwitchArgs, policies};
use crate::schedule::Policy;

/// How approval questions are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Approve {
    /// As the scenario says; a question it does not answer is refused.
    #[default]
    Script,
    /// Yes to all, at once.
    All,
    /// No to all, at once.
    None,
}

/// Recording.
#[derive(Clone, Debug, Args)]
pub struct RecordArgs {
    /// The scenario
    pub scenario: PathBuf,
    /// The trace to write; it must not exist yet, except with --force
    #[arg(short, long, value_name = "TRACE", required_unless_present = "resume")]
    pub output: Option<PathBuf>,
    /// Overwrite the trace
    #[arg(long)]
    pub force: bool,
    /// Go on with a recording that was cut off, under its own switches: what has an answer is not
    /// run again, and what may have been written is not written twice
    #[arg(long, value_name = "TRACE", conflicts_with_all = [
        "output", "force", "policy", "slots", "on_failure", "deadline", "store_reset",
        "last_writer_wins",
    ])]
    pub resume: Option<PathBuf>,
    /// The policy
    #[arg(long, default_value = "keyed", value_name = "POLICY", value_parser = policies())]
    pub policy: Policy,
    /// What the catalog's store tools work on: sqlite:PATH, sqlite::memory: or
    /// postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL")]
    pub store: Option<crate::tools::store::StoreUrl>,
    /// Bring the store back to the demo data first; what was written in it is forgotten
    #[arg(long, requires = "store")]
    pub store_reset: bool,
    /// Write without a condition, to see which updates are then lost
    #[arg(long, requires = "store")]
    pub last_writer_wins: bool,
    /// The shared switches.
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// How approval questions are answered
    #[arg(long, value_enum, default_value = "script")]
    pub approve: Approve,
    /// Watch the run in the viewer while it goes on; quitting the viewer cancels what is left
    #[cfg(feature = "tui")]
    #[arg(long)]
    pub view: bool,
}

/// Replaying.
#[derive(Clone, Debug, Args)]
pub struct ReplayArgs {
    /// A trace or a session
    pub file: PathBuf,
    /// The policy
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    pub policy: Policy,
    /// Replay this turn of the main thread; the most telling one without it
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub turn: Option<u32>,
    /// Replay every turn of the main thread
    #[arg(long)]
    pub all: bool,
    /// Let stand-ins take a fraction of the recorded time: 10 for a tenth
    #[arg(long, default_value_t = 1.0, value_name = "X", value_parser = speed)]
    pub speed: f64,
    /// The shared switches.
    #[command(flatten)]
    pub switches: SwitchArgs,
    /// Write what happens as a trace; it must not exist yet
    #[arg(short, long, value_name = "TRACE")]
    pub output: Option<PathBuf>,
    /// A catalog of your own; its tools stand over the built-in ones and a trace's own
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if speed.is_finite() && (0.001..=1_000_000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("a speed is a number from 0.001 to 1000000".to_owned())
    }
}
