//! The viewer on this terminal: its commands carried out on files.

use std::sync::Arc;

use super::failure::Failure;
use crate::analyze::WhatIfOptions;
use crate::trace::{Bodies, BodyRef, Run};
use crate::tui::{Body, Cmd, Exit, Host, Model, Msg, Replies, Skin, show};

/// Shows `run` until the user has seen enough.
pub(super) fn view(run: Run) -> Result<(), Failure> {
    let run = Arc::new(run);
    let name = run.files.first().map(|file| file.display().to_string());
    let name = name.unwrap_or_else(|| "demo".to_owned());
    let options = WhatIfOptions::default();
    let model = Model::new(Arc::clone(&run), name, options, skin());
    let mut files = Files { run };
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

/// Reads bodies from the files of the run. Nothing is written and nothing is started.
struct Files {
    run: Arc<Run>,
}

impl Host for Files {
    fn handle(&mut self, command: Cmd, replies: &Replies) {
        let Cmd::Load { call, args, answer } = command else {
            return;
        };
        let whole = self.run.calls.get(call).map_or(0, |call| call.answer_bytes);
        replies.send(Msg::Loaded {
            call,
            args: self.load(args, args.len),
            answer: self.load(answer, whole.max(answer.len)),
        });
    }
}

impl Files {
    fn load(&self, body: BodyRef, bytes: u64) -> Result<Body, String> {
        let most = Body::PREVIEW as u64;
        let text = Bodies::text_head(&self.run, body, most).map_err(|error| error.to_string())?;
        Ok(Body { text, bytes })
    }
}
