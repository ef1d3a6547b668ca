//! What happens to the viewer, and what it asks for.

use std::sync::Arc;

use crossterm::event::MouseEvent;
use tui_input::InputRequest;

use super::keymap::Action;
use super::model::Facts;
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
    /// Something that the user should know; shown until the next key.
    Notice(String),
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
