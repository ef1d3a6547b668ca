//! The viewer on this terminal: its commands carried out on files.

mod assume;
mod follow;
mod pager;
#[cfg(feature = "run")]
mod replay;
mod save;
mod search;
mod tail;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::config::Config;
use super::failure::Failure;
use super::load::STANDARD_INPUT;
use super::sessions::{Desk, Reader};
use crate::analyze::{Place, WhatIfOptions};
use crate::trace::{Bodies, BodyRef, Run};
use crate::tui::{Body, Cmd, Exit, Facts, Host, Model, Msg, Opened, Replies, show};

/// A run of more calls than this is judged after the first frame.
const AT_ONCE: usize = 2_000;

/// How a run is opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    /// A catalog of the user's own, for a file that is read again.
    pub(super) catalog: Option<PathBuf>,
    /// Whether the file is followed from the first frame on.
    pub(super) follow: Following,
    /// The place to open on; the most telling turn without one.
    pub(super) at: Option<Place>,
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
pub(super) fn view(run: Run, opening: Opening, config: &Config) -> Result<(), Failure> {
    end(watch(run, opening, config)?)
}

/// As [`view`], and says why it ended.
pub(super) fn watch(run: Run, opening: Opening, config: &Config) -> Result<Exit, Failure> {
    let options = config.options();
    let opened = opened(run, &options);
    let mut model = Model::with_facts(
        opened.run,
        opened.file,
        options,
        config.skin(),
        opened.facts,
    );
    if let Some(place) = opening.at {
        model.open_at(place);
    }
    if opening.follow != Following::No {
        model.follow_from_start(opening.follow != Following::Yes);
    }
    show_model(model, opening.catalog, config)
}

/// Shows the sessions of this machine to choose from.
pub(super) fn choose(catalog: Option<PathBuf>, config: &Config) -> Result<(), Failure> {
    let run = Arc::new(Run::default());
    let model = Model::new(run, "", config.options(), config.skin());
    end(show_model(model.with_sessions(), catalog, config)?)
}

fn end(exit: Exit) -> Result<(), Failure> {
    match exit {
        Exit::Quit => Ok(()),
        Exit::Signal(signal) => die_of(signal),
    }
}

fn show_model(model: Model, catalog: Option<PathBuf>, config: &Config) -> Result<Exit, Failure> {
    let model = model
        .with_look(config.look())
        .with_keymap(config.keymap())
        .with_mouse(config.mouse.value);
    let reader = Reader {
        options: config.options(),
        catalog: catalog.clone(),
    };
    let mut files = Files {
        how: follow::How {
            options: config.options(),
            catalog,
        },
        follower: follow::Follower::default(),
        #[cfg(feature = "run")]
        replays: replay::Replays::default(),
        sessions: Desk::new(&config.folders(), reader),
        pager: config.pager.value.clone(),
        wanted: Arc::default(),
    };
    Ok(show(model, &mut files)?)
}

/// A run with what the screen calls it and what can be said of it without making anybody wait.
pub(super) fn opened(run: Run, options: &WhatIfOptions) -> Opened {
    let file = match run.files.first() {
        Some(file) if file == STANDARD_INPUT => "standard input".to_owned(),
        Some(file) => file.display().to_string(),
        None => "demo".to_owned(),
    };
    let facts = if run.calls.len() > AT_ONCE {
        Facts::at_first_sight(&run)
    } else {
        Facts::of(&run, options)
    };
    Opened {
        run: Arc::new(run),
        file,
        facts,
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
    sessions: Desk,
    /// The program for long texts.
    pager: String,
    /// The number of the search that is wanted.
    wanted: Arc<AtomicU64>,
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
            Cmd::Judge => self.judge(run, self.how.options.clone(), replies),
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
            Cmd::Sessions(wish) => self.sessions.handle(wish, replies),
            Cmd::JudgeAgain(options) => self.judge(run, *options, replies),
            Cmd::Search {
                id,
                query,
                policy,
                options,
            } => {
                self.wanted.store(id, Ordering::Relaxed);
                let task = search::Task {
                    id,
                    query: *query,
                    policy,
                    options: *options,
                    run: Arc::clone(run),
                    wanted: Arc::clone(&self.wanted),
                };
                search::start(task, replies);
            }
            Cmd::EndSearch => self.wanted.store(0, Ordering::Relaxed),
            Cmd::Survey {
                id,
                policy,
                options,
            } => search::survey(id, policy, *options, run, replies),
            Cmd::Quit
            | Cmd::Suspend
            | Cmd::Redraw
            | Cmd::Mouse(_)
            | Cmd::Copy(_)
            | Cmd::Page { .. } => {}
        }
    }

    fn pager(&self) -> String {
        self.pager.clone()
    }

    fn write_body(
        &mut self,
        run: &Arc<Run>,
        body: BodyRef,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        pager::write(run, body, out)
    }
}

impl Files {
    /// Judges the run beside the viewer. Where no thread can be had the verdict stays away.
    fn judge(&self, run: &Arc<Run>, options: WhatIfOptions, replies: &Replies) {
        let run = Arc::clone(run);
        let answers = replies.clone();
        let judge = move || {
            let facts = Facts::of(&run, &options);
            answers.send(Msg::Judged(run, Box::new(facts)));
        };
        beside("judge", replies, judge);
    }
}

/// Does work beside the viewer. Where no thread can be had it stays undone, which is said.
fn beside(name: &str, replies: &Replies, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_owned());
    if let Err(error) = thread.spawn(work) {
        replies.send(Msg::Notice(format!("cannot {name} the run: {error}")));
    }
}

fn load(run: &Run, body: BodyRef, bytes: u64) -> Result<Body, String> {
    let most = Body::PREVIEW as u64;
    let text = Bodies::text_head(run, body, most).map_err(|error| error.to_string())?;
    // Of a whole body the text counts, without the escapes that it has in the file.
    let cut = body.len > most || bytes > body.len;
    let bytes = if cut { bytes } else { text.len() as u64 };
    Ok(Body { text, bytes })
}
