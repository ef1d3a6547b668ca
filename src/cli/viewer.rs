//! The viewer on this terminal: its commands carried out on files.

use std::sync::Arc;

use super::failure::Failure;
use crate::analyze::WhatIfOptions;
use crate::trace::{Bodies, BodyRef, Run};
use crate::tui::{Body, Cmd, Exit, Facts, Host, Model, Msg, Replies, Skin, show};

/// A run of more calls than this is judged after the first frame.
const AT_ONCE: usize = 2_000;

/// Shows `run` until the user has seen enough.
pub(super) fn view(run: Run) -> Result<(), Failure> {
    let run = Arc::new(run);
    let name = run.files.first().map(|file| file.display().to_string());
    let name = name.unwrap_or_else(|| "demo".to_owned());
    let options = WhatIfOptions::default();
    let facts = if run.calls.len() > AT_ONCE {
        Facts::at_first_sight(&run)
    } else {
        Facts::of(&run, &options)
    };
    let model = Model::with_facts(Arc::clone(&run), name, options.clone(), skin(), facts);
    let mut files = Files { options };
    match show(model, &mut files)? {
        Exit::Quit => Ok(()),
        Exit::Signal(signal) => die_of(signal),
    }
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
fn die_of(signal: i32) -> Result<(), Failure> {
    #[cfg(unix)]
    signal_hook::low_level::emulate_default_handler(signal).map_err(Failure::Output)?;
    let _ = signal;
    Ok(())
}

/// Reads bodies from the files of a run. Nothing is written and nothing is started.
struct Files {
    options: WhatIfOptions,
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
            Cmd::Quit | Cmd::Suspend | Cmd::Redraw => {}
        }
    }
}

impl Files {
    /// Judges the run beside the viewer. Where no thread can be had the verdict stays away.
    fn judge(&self, run: &Arc<Run>, replies: &Replies) {
        let (run, options) = (Arc::clone(run), self.options.clone());
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
