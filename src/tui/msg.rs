//! What happens to the viewer, and what it asks for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::MouseEvent;
use tui_input::InputRequest;

use super::keymap::Action;
use super::model::{Facts, Reading, Session};
use crate::analyze::query::Query;
use crate::analyze::{Place, Survey, TurnCase, WhatIfOptions};
use crate::model::{Catalog, Cause, Outcome};
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
    /// What [`Cmd::Assume`] asked for, or why there is no answer.
    Assumed {
        /// The question's number.
        id: u64,
        /// The run and what follows from it.
        answer: Result<Box<Assumed>, String>,
    },
    /// What [`Cmd::NameArgs`] asked for: by tool, the arguments that can name a key.
    ArgNames(BTreeMap<String, Vec<String>>),
    /// The catalog of [`Cmd::SaveCatalog`] was written to this path, or why it was not.
    Saved(String, Result<(), NotSaved>),
    /// What [`Cmd::Search`] asked for, as far as it has come.
    Found(Found),
    /// What [`Cmd::Survey`] asked for.
    Surveyed {
        /// The number of the command.
        id: u64,
        /// What is worth going to.
        survey: Box<Survey>,
    },
    /// What [`Cmd::Judge`] asked for, and of which run: another may be on the screen by now.
    Judged(Arc<Run>, Box<Facts>),
    /// Another run is to be shown.
    Opened(Box<Opened>),
    /// The run on the screen has grown. The selection stays where it is, by identity.
    Grown(Arc<Run>, Box<Facts>),
    /// What comes of [`Cmd::Replay`], with its number.
    Replay(u32, ReplayNews),
    /// What comes of [`Cmd::Follow`], with its number.
    Follow(u32, FollowNews),
    /// What [`Cmd::Sessions`] asked for.
    Sessions(Listing),
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

/// What comes of looking for sessions and of reading them.
#[derive(Clone, Debug)]
pub enum Listing {
    /// Some more were found.
    Found(Vec<Session>),
    /// There are no more.
    Ended,
    /// One was read for its row.
    Read(PathBuf, Reading),
    /// One was opened, or cannot be.
    Opened(PathBuf, Result<Box<Opened>, String>),
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

/// What a search has found since the last message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The number of the command.
    pub id: u64,
    /// Calls that match, in any order.
    pub places: Vec<Place>,
    /// How many calls were looked at.
    pub looked: usize,
    /// How many there are to look at.
    pub of: usize,
    /// Calls with a body that could not be read.
    pub unread: usize,
    /// True for the last message.
    pub done: bool,
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

/// What would follow if the tools of `catalog` declared what they declare there.
#[derive(Clone, Debug)]
pub struct Assume {
    /// The question's number.
    pub id: u64,
    /// The run as the file has it.
    pub run: Arc<Run>,
    /// The tools that are taken to declare something else, and those alone; `None` for none.
    pub catalog: Option<Catalog>,
    /// The switches.
    pub options: WhatIfOptions,
}

/// Questions are numbered.
impl PartialEq for Assume {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Assume {}

/// A run under assumptions, and what follows from it.
#[derive(Clone, Debug)]
pub struct Assumed {
    /// The run: the same calls, touching what is assumed of them.
    pub run: Arc<Run>,
    /// What is known of it under the switches that are assumed.
    pub facts: Facts,
    /// Calls whose arguments could not be read, so that their keys are not known.
    pub unread: usize,
}

/// Why a file was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSaved {
    /// There is a file of that name, and nobody has said that it may be replaced.
    Exists,
    /// Anything else, in words.
    Failed(String),
}

/// Something that only the outside can do. `Quit`, `Suspend`, `Redraw`, `Mouse`, `Copy` and `Page` are the
/// loop's own business, everything else goes to the [`super::Host`].
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
    /// Find out what would follow from assumptions; answered with [`Msg::Assumed`].
    Assume(Box<Assume>),
    /// Find out which arguments these calls have, by their indices in the run; answered with
    /// [`Msg::ArgNames`].
    NameArgs(Vec<u32>),
    /// Write a catalog; answered with [`Msg::Saved`].
    SaveCatalog {
        /// Where to, as the user typed it.
        path: String,
        /// The catalog's JSON.
        text: String,
        /// True where a file of that name may be replaced.
        replace: bool,
    },
    /// Look for sessions, read or open one; answered with [`Msg::Sessions`].
    Sessions(Wish),
    /// Give the mouse to the viewer, or back to the terminal.
    Mouse(bool),
    /// Read the bodies of a call; answered with [`Msg::Loaded`].
    Load {
        /// The call, as an index of the run's calls.
        call: usize,
        /// Where its arguments lie.
        args: BodyRef,
        /// Where its answer lies.
        answer: BodyRef,
    },
    /// Search the calls of the run, bodies included; answered with [`Msg::Found`], many times. A
    /// later search ends an earlier one.
    Search {
        /// The number of the command.
        id: u64,
        /// What is searched for.
        query: Box<Query>,
        /// The policy whose hazards count; `None` for those that were recorded.
        policy: Option<Policy>,
        /// The switches of a prediction.
        options: Box<WhatIfOptions>,
    },
    /// Judge the run on the screen as [`Cmd::Judge`] does, under these switches.
    JudgeAgain(Box<WhatIfOptions>),
    /// Find nothing any more: the search is over.
    EndSearch,
    /// Find what is worth going to; answered with [`Msg::Surveyed`].
    Survey {
        /// The number of the command.
        id: u64,
        /// The policy to predict for; `None` for what was recorded.
        policy: Option<Policy>,
        /// The switches of a prediction.
        options: Box<WhatIfOptions>,
    },
    /// Put a text on the clipboard.
    Copy(String),
    /// Give the terminal to the user's pager, with a body of the run as a whole.
    Page {
        /// Where it lies.
        body: BodyRef,
    },
}

/// What the list of sessions wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// All that there are.
    Find,
    /// What a row says of these; before everything that was wanted earlier.
    Read(Vec<PathBuf>),
    /// Nothing more for rows.
    Enough,
    /// To look at this one.
    Open(PathBuf),
    /// To look at the bundled one.
    Demo,
}
