//! Opening a file, or whatever there is to open.

use std::io::IsTerminal as _;

use super::args::OpenArgs;
use super::demo;
use super::failure::Failure;
use super::load::{Loaded, load};
use super::output::{note, print};
use super::plain::run_text;
use super::sessions;
use super::what_if;
use crate::text::clean;
use crate::trace::Run;

pub(super) fn run(args: &OpenArgs) -> Result<(), Failure> {
    let Some(file) = args.file.clone() else {
        return newest_session(args);
    };
    #[cfg(feature = "tui")]
    if args.follow && std::fs::metadata(&file).is_ok_and(|m| m.is_file() && m.len() == 0) {
        // Whoever writes it has not begun.
        let run = Run {
            files: vec![file],
            ..Run::default()
        };
        return show(run, args);
    }
    match load(&file, args.catalog.as_deref())? {
        Loaded::Run(run) => show(*run, args),
        // Nothing of a scenario has run: there is a prediction to show and no timeline.
        Loaded::Scenario(_) => what_if::run(&what_if::args_for(file, args)),
    }
}

/// Without a file: the newest session of this machine, else the demo.
fn newest_session(args: &OpenArgs) -> Result<(), Failure> {
    let found = sessions::newest();
    let Some(session) = found.newest else {
        return demo::open("invoice", args.plain);
    };
    note(&format!(
        "opening {}, the newest of {} sessions here; `turnlane demo` opens the bundled traces",
        clean(&session.display().to_string()),
        found.count,
    ));
    match load(&session, args.catalog.as_deref())? {
        Loaded::Run(run) => show(*run, args),
        Loaded::Scenario(_) => demo::open("invoice", args.plain),
    }
}

/// The viewer on a terminal, the same facts as text anywhere else.
pub(super) fn show(run: Run, args: &OpenArgs) -> Result<(), Failure> {
    let (plain, turn) = (args.plain, args.turn);
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    #[cfg(feature = "tui")]
    if args.follow && !terminal {
        return Err(Failure::Unreadable(
            "--follow needs a terminal; without it the file is printed as it is".to_owned(),
        ));
    }
    #[cfg(feature = "tui")]
    if terminal && !plain && turn.is_none() {
        let opening = super::viewer::Opening {
            catalog: args.catalog.clone(),
            follow: if args.follow {
                super::viewer::Following::Yes
            } else {
                super::viewer::Following::No
            },
        };
        return super::viewer::view(run, opening);
    }
    let _ = (terminal, plain);
    print(&run_text(&run, turn)?)
}
