//! What follows from assumptions, worked out beside the viewer.

use std::sync::Arc;

use crate::model::Source;
use crate::trace::{Run, arg_names, redeclare};
use crate::tui::{Assume, Assumed, Facts, Msg, Replies};

/// Works out what follows and sends it, or why not.
pub(super) fn answer(question: Assume, replies: &Replies) {
    let id = question.id;
    let answers = replies.clone();
    let work = move || {
        let answer = Ok(Box::new(assumed(&question)));
        answers.send(Msg::Assumed { id, answer });
    };
    let thread = std::thread::Builder::new().name("assume".to_owned());
    if let Err(error) = thread.spawn(work) {
        let answer = Err(format!("cannot work out what follows: {error}"));
        replies.send(Msg::Assumed { id, answer });
    }
}

fn assumed(question: &Assume) -> Assumed {
    let (run, unread) = match &question.catalog {
        None => (Arc::clone(&question.run), 0),
        Some(catalog) => {
            let new = redeclare(&question.run, catalog, Some(Source::Assumption));
            (Arc::new(new.run), new.unread)
        }
    };
    Assumed {
        facts: Facts::of(&run, &question.options),
        run,
        unread,
    }
}

/// Finds out which arguments these calls have, and sends that.
pub(super) fn name_args(run: &Arc<Run>, calls: Vec<u32>, replies: &Replies) {
    let (run, answers) = (Arc::clone(run), replies.clone());
    let work = move || answers.send(Msg::ArgNames(arg_names(&run, &calls)));
    let thread = std::thread::Builder::new().name("arguments".to_owned());
    if let Err(error) = thread.spawn(work) {
        replies.send(Msg::Notice(format!("cannot look at arguments: {error}")));
    }
}
