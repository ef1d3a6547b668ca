//! Does what the viewer's list of sessions wants, on threads of its own.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::age::age;
use super::find::{Found, find};
use super::place::{Place, places};
use super::read::Reader;
use crate::cli::demo;
use crate::cli::viewer::opened;
use crate::tui::{Listing, Msg, Reading, Replies, Session, Wish};

/// Between two messages of what was found: a list that changes all the time cannot be read.
const PAUSE: Duration = Duration::from_millis(100);
/// Readers at once. One long session must not hold back all others.
const READERS: usize = 2;

/// Does what the viewer's list of sessions wants.
#[derive(Debug)]
pub(in crate::cli) struct Desk {
    places: Vec<Place>,
    reader: Reader,
    wanted: Arc<Wanted>,
    readers: bool,
}

/// What is to be read, the most urgent first.
#[derive(Debug, Default)]
struct Wanted {
    paths: Mutex<VecDeque<PathBuf>>,
    more: Condvar,
}

impl Desk {
    /// For the usual places and these folders.
    pub(in crate::cli) fn new(folders: &[PathBuf], reader: Reader) -> Self {
        Self {
            places: places(folders),
            reader,
            wanted: Arc::default(),
            readers: false,
        }
    }

    /// Does what is wanted, and says what comes of it to `replies`, now or later.
    pub(in crate::cli) fn handle(&mut self, wish: Wish, replies: &Replies) {
        match wish {
            Wish::Find => {
                let (places, replies) = (self.places.clone(), replies.clone());
                let ended = replies.clone();
                if !start("find", move || look(&places, &replies)) {
                    ended.send(Msg::Sessions(Listing::Ended));
                }
            }
            Wish::Read(paths) => {
                self.start_readers(replies);
                self.wanted.first(paths);
            }
            Wish::Enough => self.wanted.none(),
            Wish::Open(path) => {
                let (reader, replies) = (self.reader.clone(), replies.clone());
                start("open", move || open(path, &reader, &replies));
            }
            Wish::Demo => match demo::run_of("invoice") {
                Ok(run) => {
                    replies.send(Msg::Opened(Box::new(opened(run, &self.reader.options))));
                    let words =
                        "No session was chosen: this is the bundled demo. S lists sessions.";
                    replies.send(Msg::Notice(words.to_owned()));
                }
                Err(failure) => replies.send(Msg::Notice(failure.to_string())),
            },
        }
    }

    fn start_readers(&mut self, replies: &Replies) {
        if std::mem::replace(&mut self.readers, true) {
            return;
        }
        for _ in 0..READERS {
            let (wanted, reader) = (Arc::clone(&self.wanted), self.reader.clone());
            let replies = replies.clone();
            start("read", move || {
                loop {
                    let path = wanted.next();
                    let reading = reading(&path, &reader);
                    replies.send(Msg::Sessions(Listing::Read(path, reading)));
                }
            });
        }
    }
}

/// Starts a thread. Where none can be had what it was for stays away.
fn start(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(work).is_ok()
}

impl Wanted {
    fn lock(&self) -> MutexGuard<'_, VecDeque<PathBuf>> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These before all others.
    fn first(&self, paths: Vec<PathBuf>) {
        let mut waiting = self.lock();
        for path in paths.into_iter().rev() {
            waiting.push_front(path);
        }
        drop(waiting);
        self.more.notify_all();
    }

    fn none(&self) {
        self.lock().clear();
    }

    /// Waits for one.
    fn next(&self) -> PathBuf {
        let mut waiting = self.lock();
        loop {
            if let Some(path) = waiting.pop_front() {
                return path;
            }
            let woken = self.more.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn look(places: &[Place], replies: &Replies) {
    let now = SystemTime::now();
    let mut some = Vec::new();
    let mut said = Instant::now();
    let say = |some: &mut Vec<Session>| {
        let found = std::mem::take(some);
        replies.send(Msg::Sessions(Listing::Found(found)));
    };
    let complete = find(places, &mut |found| {
        some.push(session(found, now));
        if said.elapsed() >= PAUSE {
            say(&mut some);
            said = Instant::now();
        }
        true
    });
    say(&mut some);
    replies.send(Msg::Sessions(Listing::Ended));
    if !complete {
        let words = "There are too many files to look at all of them: some sessions are missing.";
        replies.send(Msg::Notice(words.to_owned()));
    }
}

fn session(found: Found, now: SystemTime) -> Session {
    let written = found.written.duration_since(SystemTime::UNIX_EPOCH);
    let written = written.map_or(0, |since| since.as_nanos());
    Session {
        age: age(now, found.written),
        written: u64::try_from(written).unwrap_or(u64::MAX),
        path: found.path,
        project: found.project,
        harness: found.harness.to_owned(),
        bytes: found.bytes,
    }
}

fn reading(path: &Path, reader: &Reader) -> Reading {
    // It may have grown or gone since it was found.
    let bytes = match std::fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) => return Reading::Unreadable(error.to_string()),
    };
    match reader.facts(path, bytes) {
        None => Reading::Long,
        Some(Ok(facts)) => Reading::Facts(Box::new(facts)),
        Some(Err(why)) => Reading::Unreadable(why),
    }
}

fn open(path: PathBuf, reader: &Reader, replies: &Replies) {
    let result = reader.run(&path);
    let result = result.map(|run| Box::new(opened(*run, &reader.options)));
    replies.send(Msg::Sessions(Listing::Opened(path, result)));
}
