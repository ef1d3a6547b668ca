//! `record --view`: the run goes on in the background while the viewer follows its trace.

use std::io::IsTerminal as _;

use tokio::runtime::Runtime;

use super::args::RecordArgs;
use super::failure::Failure;
use super::load::LoadedScenario;
use super::output::note;
use super::record::{Recording, nothing_left, report};
use super::settings;
use super::viewer::{Following, Opening, die_of, watch};
use crate::run::CancelTurn;
use crate::trace::read;
use crate::tui::Exit;

/// Records and shows. Ends when the viewer was quit and every call has its answer.
pub(super) fn record(
    args: &RecordArgs,
    loaded: LoadedScenario,
    runtime: &Runtime,
) -> Result<(), Failure> {
    if !(std::io::stdout().is_terminal() && std::io::stdin().is_terminal()) {
        return Err(Failure::Unreadable(
            "--view needs a terminal; without it the run is recorded and printed".to_owned(),
        ));
    }
    let config = settings::of_viewer(None)?;
    let Some(recording) = runtime.block_on(Recording::prepare(args, &loaded))? else {
        return nothing_left(args);
    };
    let run = read(recording.trace()).map_err(Failure::unreadable)?;
    let cancel = CancelTurn::new();
    let task = runtime.spawn(recording.run(cancel.clone()));
    // The panic of a tool is its call's answer and leaves the screen alone.
    crate::tui::leave_screen_to(crate::run::in_body);
    let opening = Opening {
        catalog: None,
        follow: Following::Own,
        at: None,
    };
    let shown = watch(run, opening, &config);
    if !task.is_finished() {
        note("turnlane: cancelling the turn; interrupt to stop at once");
        cancel.cancel();
        runtime.spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    }
    let finished = runtime.block_on(task).map_err(Failure::unreadable)??;
    match shown? {
        Exit::Quit => report(finished, runtime),
        Exit::Signal(signal) => {
            if let Err(failure) = report(finished, runtime) {
                failure.print();
            }
            die_of(signal)
        }
    }
}
