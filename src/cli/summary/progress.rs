//! How far the reading is, for a person who waits.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Below this nobody wonders whether it hangs.
const PATIENCE: Duration = Duration::from_millis(400);

/// A line on standard error that is rewritten, and gone at the end. Only on a terminal, and only
/// where there is something to wait for.
pub(super) struct Progress {
    files: usize,
    done: usize,
    since: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    pub(super) fn new(files: usize) -> Self {
        Self {
            files,
            done: 0,
            since: Instant::now(),
            shown: None,
            terminal: io::stderr().is_terminal(),
        }
    }

    pub(super) fn one_more(&mut self) {
        self.done += 1;
        let fresh = self.shown.is_some_and(|at| at.elapsed() < PATIENCE / 4);
        if !self.terminal || self.since.elapsed() < PATIENCE || fresh {
            return;
        }
        let bar = "#".repeat(self.done * 30 / self.files.max(1));
        let line = format!("\r[{bar:<30}] {} of {} files", self.done, self.files);
        // A line that cannot be shown is no reason to fail.
        let _ = io::stderr().lock().write_all(line.as_bytes());
        self.shown = Some(Instant::now());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r{:60}\r", "");
        }
    }
}
