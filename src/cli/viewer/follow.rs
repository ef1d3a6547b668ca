//! Following a file: a thread that looks whether it has changed, and reads what is new.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::super::load::load_run;
use super::tail::{Stamp, Tail};
use crate::analyze::WhatIfOptions;
use crate::import::is_plain_trace;
use crate::time::Nanos;
use crate::trace::Run;
use crate::tui::{Facts, FollowNews, Msg, Replies};

/// Time between two looks at the file.
const PAUSE: Duration = Duration::from_millis(100);
/// A file that was not written for so long is not taken for one that is being written.
const COLD: Duration = Duration::from_secs(600);

/// The file that is followed, if one is.
#[derive(Default)]
pub(super) struct Follower {
    stop: Option<Arc<AtomicBool>>,
}

impl Follower {
    /// Follows the file of `run` from now on, and no other.
    pub(super) fn start(&mut self, id: u32, run: &Run, how: How, replies: &Replies) {
        self.stop();
        let refuse = |reason: String| replies.send(Msg::Follow(id, FollowNews::Ended(reason)));
        let file = run.files.first().filter(|file| file.is_file());
        let Some(file) = file.cloned() else {
            return refuse("There is no file to follow: this run is in memory.".to_owned());
        };
        let stop = Arc::new(AtomicBool::new(false));
        self.stop = Some(Arc::clone(&stop));
        let watch = Watch::new(file, how);
        let answers = replies.clone();
        let thread = std::thread::Builder::new().name("follow".to_owned());
        if let Err(error) = thread.spawn(move || watch.run(id, &stop, &answers)) {
            refuse(format!("The file cannot be followed: {error}"));
        }
    }

    /// Follows no file any longer.
    pub(super) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// How a run is read and judged.
#[derive(Clone)]
pub(super) struct How {
    pub(super) options: WhatIfOptions,
    pub(super) catalog: Option<PathBuf>,
}

struct Watch {
    file: PathBuf,
    how: How,
    /// What every file of the run was like at the last look.
    seen: Vec<Option<Stamp>>,
    /// The files of the run.
    files: Vec<PathBuf>,
    /// A trace is read on from where it ended.
    tail: Option<Tail>,
    /// True where the file is being written, as far as can be told.
    warm: bool,
    /// True once the user was told that it cannot be read.
    told: bool,
}

/// What a look at the file has brought.
enum Look {
    Same,
    Read(Box<Run>),
    /// Another file is in its place.
    Replaced(Box<Run>),
}

impl Watch {
    fn new(file: PathBuf, how: How) -> Self {
        Self {
            warm: written_lately(&file),
            files: vec![file.clone()],
            file,
            how,
            seen: Vec::new(),
            tail: None,
            told: false,
        }
    }

    /// Looks until it is told to stop. Reading takes less than a quarter of the time.
    fn run(mut self, id: u32, stop: &AtomicBool, replies: &Replies) {
        let mut first = true;
        while !stop.load(Ordering::Relaxed) {
            let begin = Instant::now();
            let news = match self.look() {
                Ok(Look::Same) => None,
                Ok(Look::Read(run)) => Some((*run, false)),
                Ok(Look::Replaced(run)) => Some((*run, true)),
                Err(problem) => {
                    if !std::mem::replace(&mut self.told, true) {
                        replies.send(Msg::Notice(problem));
                    }
                    None
                }
            };
            if let Some((run, replaced)) = news {
                self.told = false;
                self.warm |= !first;
                first = false;
                replies.send(Msg::Follow(id, self.grown(run)));
                if replaced {
                    let text = "Another file took the place of the one that was followed.";
                    replies.send(Msg::Notice(text.to_owned()));
                }
            }
            std::thread::sleep(PAUSE.max(begin.elapsed() * 3));
        }
    }

    fn grown(&self, run: Run) -> FollowNews {
        let facts = Box::new(Facts::of(&run, &self.how.options));
        let now = now(&run, &self.file).filter(|_| self.warm);
        FollowNews::Grown {
            run: Arc::new(run),
            facts,
            now,
        }
    }

    /// Reads what is new, if anything is.
    fn look(&mut self) -> Result<Look, String> {
        let seen: Vec<_> = self.files.iter().map(|file| Stamp::of(file)).collect();
        let Some(Some(now)) = seen.first().copied() else {
            return Err(format!("{} is gone; waiting for it.", self.file.display()));
        };
        if seen == self.seen {
            return Ok(Look::Same);
        }
        let before = self.seen.first().copied().flatten();
        self.seen = seen;
        if now.len == 0 {
            // Cut, or new: there will be more.
            self.tail = None;
            return Ok(Look::Same);
        }
        let replaced = before.is_some_and(|before| !now.continues(before));
        if let Some(tail) = self.tail.as_mut().filter(|_| !replaced) {
            if tail.read_on().map_err(|error| self.problem(&error))? {
                return Ok(Look::Read(Box::new(self.of_tail()?)));
            }
            // What was read before is not there any more.
            return Ok(Look::Replaced(Box::new(self.read()?)));
        }
        let run = Box::new(self.read()?);
        Ok(if replaced {
            Look::Replaced(run)
        } else {
            Look::Read(run)
        })
    }

    /// Reads the file from its beginning.
    fn read(&mut self) -> Result<Run, String> {
        self.tail = None;
        if is_plain_trace(&self.file).map_err(|error| self.problem(&error))? {
            let tail = Tail::open(&self.file);
            self.tail = Some(tail.map_err(|error| self.problem(&error))?);
            return self.of_tail();
        }
        let run = load_run(&self.file, self.how.catalog.as_deref());
        let run = run.map_err(|failure| failure.to_string())?;
        // Sub-agents write files of their own.
        if self.files != run.files {
            self.files.clone_from(&run.files);
            self.seen = self.files.iter().map(|file| Stamp::of(file)).collect();
        }
        Ok(*run)
    }

    fn of_tail(&mut self) -> Result<Run, String> {
        let tail = self.tail.as_mut().map(Tail::run);
        tail.unwrap_or_else(|| Ok(Run::default()))
    }

    fn problem(&self, error: &dyn std::fmt::Display) -> String {
        format!("{}: {error}", self.file.display())
    }
}

fn written(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).ok()?.modified().ok()
}

fn written_lately(file: &Path) -> bool {
    let age = written(file).map(|at| SystemTime::now().duration_since(at));
    // A file from the future was written a moment ago by a clock that goes ahead.
    age.is_some_and(|age| age.map_or(true, |age| age < COLD))
}

/// The time by now, counted from the run's start. A runner may set its clock forward by a model's
/// given latency, so a run can be ahead of the clock on the wall, never behind its own lines.
/// `None` where the file was written long after its last line happened: a copy is not going on.
fn now(run: &Run, file: &Path) -> Option<Nanos> {
    let started = chrono::DateTime::parse_from_rfc3339(&run.meta.at).ok()?;
    let since_start = |at: SystemTime| {
        let passed = chrono::DateTime::<chrono::Utc>::from(at).signed_duration_since(started);
        passed.to_std().map_or(Nanos::ZERO, Nanos::from)
    };
    let calls = run.calls.iter();
    let times =
        calls.flat_map(|call| [call.issued, call.start, call.asked, call.granted, call.end]);
    let last = times.flatten().max().unwrap_or(Nanos::ZERO);
    let late = since_start(written(file)?).since(last);
    (late < COLD.into()).then(|| since_start(SystemTime::now()).max(last))
}
