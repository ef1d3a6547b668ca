//! `demo`: the bundled traces, always at hand.

use super::args::{DemoArgs, OpenArgs};
use super::failure::Failure;
use super::open::show;
use super::output::print;
use crate::trace::{Run, read_bytes};

/// A recording that is part of the program.
struct Bundled {
    name: &'static str,
    about: &'static str,
    bytes: &'static [u8],
}

macro_rules! bundled {
    ($name:literal, $file:literal, $about:literal) => {
        Bundled {
            name: $name,
            about: $about,
            bytes: include_bytes!(concat!("../../traces/", $file)),
        }
    };
}

const BUNDLED: [Bundled; 8] = [
    bundled!(
        "invoice",
        "invoice-sequential.jsonl",
        "a get, an update and a charge of one invoice, and five lookups"
    ),
    bundled!(
        "invoice-race",
        "invoice-all-at-once.jsonl",
        "the same turn, everything at once: an update is lost"
    ),
    bundled!(
        "edit-then-test",
        "edit-then-test-all-at-once.jsonl",
        "a patch and a test run that saw the old code"
    ),
    bundled!(
        "lookups",
        "lookups-sequential.jsonl",
        "five lookups of two seconds, one after another"
    ),
    bundled!(
        "triage",
        "triage-sequential.jsonl",
        "87 real calls of a coding agent over many turns"
    ),
    bundled!(
        "hung-write",
        "hung-write-keyed.jsonl",
        "a write that hangs, and one behind it on the same key"
    ),
    bundled!("fan-out", "fan-out-staged.jsonl", "40 calls over 8 slots"),
    bundled!(
        "approval",
        "approval-keyed.jsonl",
        "a payment that a person has to allow"
    ),
];

pub(super) fn run(args: &DemoArgs) -> Result<(), Failure> {
    if args.list {
        let lines = BUNDLED
            .iter()
            .map(|b| format!("{:<15} {}\n", b.name, b.about));
        return print(&lines.collect::<String>());
    }
    let open_args = OpenArgs {
        plain: args.plain,
        theme: args.theme.clone(),
        at: args.at.clone(),
        ..OpenArgs::default()
    };
    open(&args.name, &open_args)
}

/// Opens a bundled trace.
pub(super) fn open(name: &str, args: &OpenArgs) -> Result<(), Failure> {
    show(run_of(name)?, args)
}

/// A bundled trace, read.
pub(super) fn run_of(name: &str) -> Result<Run, Failure> {
    let bundled = BUNDLED.iter().find(|b| b.name == name);
    let bundled = bundled.ok_or_else(|| {
        Failure::Unreadable(format!(
            "no bundled trace `{name}`; `turnlane demo --list` names them"
        ))
    })?;
    read_bytes(format!("demo {name}"), bundled.bytes.to_vec()).map_err(Failure::unreadable)
}
