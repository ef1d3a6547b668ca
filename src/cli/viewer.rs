//! The viewer on this terminal: its commands carried out on files.

mod follow;
#[cfg(feature = "run")]
mod replay;
mod tail;

use std::path::PathBuf;
mod assume;
mod save;

use std::sync::Arc;

use super::failure::Failure;
use crate::analyze::WhatIfOptions;
use crate::trace::{Bodies, BodyRef, Run};
use crate::tui::{Body, Cmd, Exit, Facts, Host, Model, Msg, Replies, Skin, show};

/// A run of more calls than this is judged after the first frame.
const AT_ONCE: usize = 2_000;

/// How a run is opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    /// A catalog of the user's own, for a file that is read again.
    pub(super) catalog: Option<PathBuf>,
    /// Whether the file is followed from the first frame on.
    pub(super) follow: Following,
}

/// Whether a file is followed from the first frame on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Following {
    /// Not before the user asks for it.
    #[default]
    No,
    /// Yes.
    Yes,
    /// Yes, and it is this program that writes it.
    #[cfg(feature = "run")]
    Own,
}

/// Shows `run` until the user has seen enough.
pub(super) fn view(run: Run, opening: Opening) -> Result<(), Failure> {
    match watch(run, opening)? {
        Exit::Quit => Ok(()),
        Exit::Signal(signal) => die_of(signal),
    }
}

/// As [`view`], and says why it ended.
pub(super) fn watch(run: Run, opening: Opening) -> Result<Exit, Failure> {
    let run = Arc::new(run);
    let name = run.files.first().map(|file| file.display().to_string());
    let name = name.unwrap_or_else(|| "demo".to_owned());
    let options = WhatIfOptions::default();
    let facts = if run.calls.len() > AT_ONCE {
        Facts::at_first_sight(&run)
    } else {
        Facts::of(&run, &options)
    };
    let mut model = Model::with_facts(Arc::clone(&run), name, options.clone(), skin(), facts);
    if opening.follow != Following::No {
        model.follow_from_start(opening.follow != Following::Yes);
    }
    let mut files = Files {
        how: follow::How {
            options,
            catalog: opening.catalog,
        },
        follower: follow::Follower::default(),
        #[cfg(feature = "run")]
        replays: replay::Replays::default(),
    };
    Ok(show(model, &mut files)?)
}

/// NO_COLOR leaves colours out, whatever it is set to; a dumb terminal has none and no blocks.
fn skin() -> Skin {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let terminal = std::env::var("TERM").unwrap_or_default();
    match (no_colour, terminal.as_str()) {
        (_, "dumb") => Skin::mono().ascii(),
        (true, _) => Skin::mono(),
        (false, _) => Skin::colour(),
    }
}

/// Ends as the signal would have ended the process, so that a shell sees the truth.
pub(super) fn die_of(signal: i32) -> Result<(), Failure> {
    #[cfg(unix)]
    signal_hook::low_level::emulate_default_handler(signal).map_err(Failure::Output)?;
    let _ = signal;
    Ok(())
}

/// Reads the files of a run. Nothing is written, and nothing is started but stand-ins.
struct Files {
    how: follow::How,
    follower: follow::Follower,
    #[cfg(feature = "run")]
    replays: replay::Replays,
}

impl Host for Files {
    fn handle(&mut self, command: Cmd, run: &Arc<Run>, replies: &Replies) {
        match command {
            Cmd::Load { call, args, answer } => {
                let whole = run.calls.get(call).map_or(0, |call| call.answer_bytes);
                replies.send(Msg::Loaded {
                    call,
                    args: load(run, args, args.len),
                    answer: load(run, answer, whole.max(answer.len)),
                });
            }
            Cmd::Judge => self.judge(run, replies),
            Cmd::Follow(id) => self.follower.start(id, run, self.how.clone(), replies),
            Cmd::Unfollow => self.follower.stop(),
            #[cfg(feature = "run")]
            Cmd::Replay(request) => self.replays.start(*request, run.keys.clone(), replies),
            #[cfg(feature = "run")]
            Cmd::StopReplay => self.replays.stop(),
            #[cfg(not(feature = "run"))]
            Cmd::Replay(request) => {
                let reason = "this turnlane was built without the feature `run`.".to_owned();
                let news = crate::tui::ReplayNews::Failed(reason);
                replies.send(Msg::Replay(request.id, news));
            }
            #[cfg(not(feature = "run"))]
            Cmd::StopReplay => {}
            Cmd::Assume(question) => assume::answer(*question, replies),
            Cmd::NameArgs(calls) => assume::name_args(run, calls, replies),
            Cmd::SaveCatalog {
                path,
                text,
                replace,
            } => {
                let result = save::catalog(path.as_ref(), &text, replace);
                replies.send(Msg::Saved(path, result));
            }
            Cmd::Quit | Cmd::Suspend | Cmd::Redraw => {}
        }
    }
}

impl Files {
    /// Judges the run beside the viewer. Where no thread can be had the verdict stays away.
    fn judge(&self, run: &Arc<Run>, replies: &Replies) {
        let (run, options) = (Arc::clone(run), self.how.options.clone());
        let answers = replies.clone();
        let judge = move || {
            let facts = Facts::of(&run, &options);
            answers.send(Msg::Judged(Box::new(facts)));
        };
        let thread = std::thread::Builder::new().name("judge".to_owned());
        if let Err(error) = thread.spawn(judge) {
            replies.send(Msg::Notice(format!("cannot judge the run: {error}")));
        }
    }
}

fn load(run: &Run, body: BodyRef, bytes: u64) -> Result<Body, String> {
    let most = Body::PREVIEW as u64;
    let text = Bodies::text_head(run, body, most).map_err(|error| error.to_string())?;
    Ok(Body { text, bytes })
}
