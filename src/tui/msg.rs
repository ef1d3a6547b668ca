//! What happens to the viewer, and what it asks for.

use std::sync::Arc;

use crossterm::event::MouseEvent;
use tui_input::InputRequest;

use super::keymap::Action;
use super::model::Facts;
use crate::analyze::{TurnCase, WhatIfOptions};
use crate::model::{Cause, Outcome};
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::trace::{BodyRef, Run};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Msg {
    /// A key asked for this.
    Do(Action),
    /// A key changes the line of text that is being typed.
    Edit(InputRequest),
    /// Text was pasted into the line that is being typed.
    Paste(String),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// So much time went by since the last tick, or since ticks were wanted. Comes only while
    /// [`super::Model::wants_ticks`].
    Tick(Nanos),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// What [`Cmd::Load`] asked for.
    Loaded {
        /// The call, as an index of the run's calls.
        call: usize,
        /// Its arguments, or why they could not be read.
        args: Result<Body, String>,
        /// Its answer, or why it could not be read.
        answer: Result<Body, String>,
    },
    /// What [`Cmd::Judge`] asked for.
    Judged(Box<Facts>),
    /// Another run is to be shown.
    Opened(Box<Opened>),
    /// The run on the screen has grown. The selection stays where it is, by identity.
    Grown(Arc<Run>, Box<Facts>),
    /// What comes of [`Cmd::Replay`], with its number.
    Replay(u32, ReplayNews),
    /// What comes of [`Cmd::Follow`], with its number.
    Follow(u32, FollowNews),
    /// Something that the user should know; shown until the next key.
    Notice(String),
}

/// Something that happened in a replay. Times count from the turn's issue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayNews {
    /// A stand-in started.
    Started {
        /// Place of its call in the turn.
        call: usize,
        /// When.
        at: Nanos,
        /// The slot it holds.
        slot: u32,
        /// Why now.
        cause: Cause,
    },
    /// A call has its answer.
    Ended {
        /// Its place in the turn.
        call: usize,
        /// When.
        at: Nanos,
        /// How it ended.
        outcome: Outcome,
    },
    /// All calls have their answers.
    Over,
    /// There is nothing to measure, for this reason.
    Failed(String),
}

/// Something that happened to a file that is followed.
#[derive(Clone, Debug)]
pub enum FollowNews {
    /// The file has changed.
    Grown {
        /// The run by now.
        run: Arc<Run>,
        /// What is known of it.
        facts: Box<Facts>,
        /// The time by now, counted from the run's start, where it may still go on.
        now: Option<Nanos>,
    },
    /// The file cannot be followed any further, for this reason.
    Ended(String),
}

/// A turn that is to be run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayRequest {
    /// Its number, for the answers.
    pub id: u32,
    /// The turn, with keys of the run on the screen.
    pub case: TurnCase,
    /// The policy.
    pub policy: Policy,
    /// The switches.
    pub options: WhatIfOptions,
}

/// A run to show.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The run.
    pub run: Arc<Run>,
    /// What the screen calls it.
    pub file: String,
    /// What is known of it.
    pub facts: Facts,
}

/// A body of a file, or its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// At most [`Body::PREVIEW`] bytes of it, decoded as far as possible; not sanitised yet.
    pub text: String,
    /// Length of the whole in bytes.
    pub bytes: u64,
}

impl Body {
    /// The most bytes of a body that are loaded and shown.
    pub const PREVIEW: usize = 64 * 1024;
}

/// Something that only the outside can do. `Quit` and `Suspend` are the loop's own business,
/// everything else goes to the [`super::Host`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cmd {
    /// End the program.
    Quit,
    /// Give the terminal back and stop, as Ctrl-Z asks for.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Run a turn again with stand-ins; answered with [`Msg::Replay`] as it happens.
    Replay(Box<ReplayRequest>),
    /// Cancel the replay that runs.
    StopReplay,
    /// Follow the file of the run on the screen under this number; answered with
    /// [`Msg::Follow`] whenever the file has changed.
    Follow(u32),
    /// Follow it no longer.
    Unfollow,
    /// Judge the whole run, which takes time for a long one; answered with [`Msg::Judged`].
    Judge,
    /// Read the bodies of a call; answered with [`Msg::Loaded`].
    Load {
        /// The call, as an index of the run's calls.
        call: usize,
        /// Where its arguments lie.
        args: BodyRef,
        /// Where its answer lies.
        answer: BodyRef,
    },
}
