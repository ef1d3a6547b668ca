//! Opening a file, or whatever there is to open.

#[cfg(feature = "tui")]
use std::io::IsTerminal as _;

use super::args::OpenArgs;
use super::demo;
use super::failure::Failure;
#[cfg(feature = "tui")]
use super::load::STANDARD_INPUT;
use super::load::{Loaded, load};
use super::output::print;
use super::place::Wanted;
use super::plain::run_text;
use super::sessions;
use super::settings;
use super::what_if;
use crate::trace::Run;

pub(super) fn run(args: &OpenArgs) -> Result<(), Failure> {
    let Some(file) = args.file.clone() else {
        return sessions_or_demo(args);
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
        scenario @ Loaded::Scenario(_) => what_if::show(&what_if::args_for(file, args), &scenario),
    }
}

/// Without a file: the sessions of this machine to choose from, else the demo.
fn sessions_or_demo(args: &OpenArgs) -> Result<(), Failure> {
    #[cfg(feature = "tui")]
    if is_terminal(false) && !args.plain {
        let config = settings::of_viewer(args.theme.as_deref())?;
        return super::viewer::choose(args.catalog.clone(), &config);
    }
    let settings = settings::of_text(args.theme.as_deref());
    let reader = sessions::Reader {
        catalog: args.catalog.clone(),
        options: settings.options,
    };
    match sessions::text(&settings.folders, &reader) {
        Some(text) => print(&text),
        None => demo::open("invoice", args),
    }
}

/// Whether there is a screen to draw on and a keyboard to read from. What was `piped` in took
/// standard input's place; then the terminal itself is asked for keys.
#[cfg(feature = "tui")]
fn is_terminal(piped: bool) -> bool {
    let keys = || piped && std::fs::File::open("/dev/tty").is_ok();
    std::io::stdout().is_terminal() && (std::io::stdin().is_terminal() || keys())
}

/// The viewer on a terminal, the same facts as text anywhere else.
pub(super) fn show(run: Run, args: &OpenArgs) -> Result<(), Failure> {
    #[cfg(feature = "tui")]
    {
        let piped = run.files.first().is_some_and(|f| f == STANDARD_INPUT);
        let terminal = is_terminal(piped);
        if args.follow && !terminal {
            return Err(Failure::Unreadable(
                "--follow needs a terminal; without it the file is printed as it is".to_owned(),
            ));
        }
        if terminal && !args.plain {
            return view(run, args);
        }
    }
    let wanted = Wanted::of(&args.at);
    let settings = settings::of_text(args.theme.as_deref());
    print(&run_text(&run, wanted.turn_of(&run)?, &settings.options))
}

#[cfg(feature = "tui")]
fn view(run: Run, args: &OpenArgs) -> Result<(), Failure> {
    use super::viewer::{Following, Opening, view};
    let opening = Opening {
        catalog: args.catalog.clone(),
        follow: if args.follow {
            Following::Yes
        } else {
            Following::No
        },
        at: Wanted::of(&args.at).place(&run)?,
    };
    view(run, opening, &settings::of_viewer(args.theme.as_deref())?)
}
