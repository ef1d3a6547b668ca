//! Sessions to choose from, made up here.

use std::path::PathBuf;

use turnlane::analyze::SessionFacts;
use turnlane::time::Nanos;
use turnlane::tui::{Listing, Model, Msg, Reading, Session, update};

/// A session that was found; the higher `written`, the newer.
pub fn found(path: &str, project: &str, harness: &str, written: u64) -> Session {
    Session {
        path: PathBuf::from(path),
        project: project.to_owned(),
        harness: harness.to_owned(),
        written,
        age: format!("{} min", 60 - written % 60),
        bytes: 1_000 * written,
    }
}

/// What a row says of a session.
pub fn facts(folder: &str, turns: usize, brief: &str) -> Reading {
    Reading::Facts(Box::new(SessionFacts {
        source: "claude-code".to_owned(),
        folder: folder.to_owned(),
        model: "model-x".to_owned(),
        task: String::new(),
        turns,
        calls: 3 * turns,
        widest: 4,
        lasted: Some(Nanos(605_000_000_000)),
        brief: brief.to_owned(),
        verdict: format!("In full: {brief}."),
    }))
}

/// Tells the viewer what came of looking and reading.
pub fn tell(model: &mut Model, listing: Listing) -> Vec<turnlane::tui::Cmd> {
    update(model, Msg::Sessions(listing))
}

/// A list with every kind of row.
pub fn fill(model: &mut Model) {
    let home = "/home/me/.claude/projects/-home-me-work";
    let found = vec![
        found(
            &format!("{home}-shop/1.jsonl"),
            "home-me-work-shop",
            "claude-code",
            50,
        ),
        found(
            &format!("{home}-mail/2.jsonl"),
            "home-me-work-mail",
            "claude-code",
            49,
        ),
        found(
            "/home/me/.codex/sessions/2026/11/30/rollout-3.jsonl.zst",
            "",
            "codex",
            48,
        ),
        found(
            "traces/\u{202e}odd\u{1b}[31m.jsonl",
            "\u{202e}odd\u{1b}[31m",
            "turnlane",
            40,
        ),
        found("traces/big.jsonl", "big", "turnlane", 1 << 20),
        found("traces/new.jsonl", "new", "turnlane", 3),
    ];
    tell(model, Listing::Found(found));
    let read = |model: &mut Model, path: String, reading| {
        tell(model, Listing::Read(PathBuf::from(path), reading));
    };
    read(
        model,
        format!("{home}-shop/1.jsonl"),
        facts("/home/me/work/shop", 31, "staged saves 8.00 s (61%)"),
    );
    read(
        model,
        format!("{home}-mail/2.jsonl"),
        facts(
            "/home/me/work/mail",
            157,
            "nothing to gain (0.1%), 24 races if all at once",
        ),
    );
    let why = "this is a Codex CLI rollout, which cannot be opened yet";
    read(
        model,
        "/home/me/.codex/sessions/2026/11/30/rollout-3.jsonl.zst".to_owned(),
        Reading::Unreadable(why.to_owned()),
    );
    read(model, "traces/big.jsonl".to_owned(), Reading::Long);
    tell(model, Listing::Ended);
}
