//! Replays for the viewer: a turn runs with stand-ins on a thread of its own, and what happens is
//! told as it happens.

use std::io;

use crate::model::{Catalog, KeyTable, Source};
use crate::run::{CancelTurn, Event, Observer, Runner};
use crate::schedule::Options;
use crate::time::Nanos;
use crate::tui::{Msg, ReplayNews, ReplayRequest, Replies};

use super::super::stand_ins::{Said, StoodIn};

/// The replay that runs, if one does; one at a time.
#[derive(Default)]
pub(super) struct Replays {
    cancel: Option<CancelTurn>,
}

impl Replays {
    /// Starts a replay. One that still runs is cancelled.
    pub(super) fn start(&mut self, request: ReplayRequest, keys: KeyTable, replies: &Replies) {
        self.stop();
        let cancel = CancelTurn::new();
        self.cancel = Some(cancel.clone());
        let (id, answers) = (request.id, replies.clone());
        let thread = std::thread::Builder::new().name("replay".to_owned());
        let replay = move || {
            let news = match replay(&request, keys, cancel, &answers) {
                Ok(()) => ReplayNews::Over,
                Err(error) => ReplayNews::Failed(error.to_string()),
            };
            answers.send(Msg::Replay(id, news));
        };
        if let Err(error) = thread.spawn(replay) {
            replies.send(Msg::Replay(id, ReplayNews::Failed(error.to_string())));
        }
    }

    /// Cancels the replay that runs.
    pub(super) fn stop(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel.cancel();
        }
    }
}

fn replay(
    request: &ReplayRequest,
    keys: KeyTable,
    cancel: CancelTurn,
    replies: &Replies,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let stood_in = StoodIn {
        case: &request.case,
        speed: 1.0,
    };
    let mut runner = Runner::new(Catalog::default(), request.policy);
    runner.set_options(Options {
        slots: request.options.slots,
        on_failure: request.options.on_failure,
        deadline: request.options.deadline,
        ..Options::default()
    });
    *runner.keys_mut() = keys;
    runner.set_approver(stood_in.approver());
    runner.set_observer(Box::new(Teller {
        id: request.id,
        replies: replies.clone(),
        issued: Nanos::ZERO,
    }));
    // Nobody reads what a stand-in is asked and answers here.
    let planned = stood_in.planned(1, |_| Said {
        id: String::new(),
        args: String::new(),
        answer: String::new(),
        source: Source::Undeclared,
    });
    let turn = runner.run_planned(planned, None, cancel);
    runtime.block_on(turn).map_err(|error| error.source)?;
    Ok(())
}

/// Tells the viewer what happens.
struct Teller {
    id: u32,
    replies: Replies,
    /// When the turn's calls were issued.
    issued: Nanos,
}

impl Observer for Teller {
    fn record(&mut self, event: &Event<'_>, _keys: &KeyTable) -> io::Result<()> {
        let news = match *event {
            Event::Call { key, issued, .. } => {
                if key.index == 0 {
                    self.issued = issued;
                }
                return Ok(());
            }
            Event::Start {
                key,
                at,
                slot,
                cause,
                ..
            } => ReplayNews::Started {
                call: key.index as usize,
                at: at.since(self.issued),
                slot,
                cause,
            },
            Event::End {
                key, at, outcome, ..
            } => ReplayNews::Ended {
                call: key.index as usize,
                at: at.since(self.issued),
                outcome,
            },
            _ => return Ok(()),
        };
        self.replies.send(Msg::Replay(self.id, news));
        Ok(())
    }
}
