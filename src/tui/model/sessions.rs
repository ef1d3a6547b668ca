//! The list of sessions: what was found so far, what is known of it, which rows are shown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tui_input::Input;

use super::overlay::Overlay;
use super::shown::scrolled;
use super::viewer::Model;
use crate::analyze::SessionFacts;

/// A session that was found: what is known without opening it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Its file.
    pub path: PathBuf,
    /// What it belongs to, as far as its place says.
    pub project: String,
    /// Which program wrote it, as far as its place says.
    pub harness: String,
    /// When it was written last, in nanoseconds of the Unix epoch: the newest come first.
    pub written: u64,
    /// How long ago that is, in words.
    pub age: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// What came of reading a session for the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It was read.
    Facts(Box<SessionFacts>),
    /// It cannot be opened, for this reason.
    Unreadable(String),
    /// It is too long to be read for a row of a list; it can be opened.
    Long,
}

/// A row of the list.
#[derive(Clone, Debug)]
pub(in crate::tui) struct SessionRow {
    pub(in crate::tui) session: Session,
    pub(in crate::tui) reading: Option<Reading>,
    /// True from when it was asked for until it is there.
    pub(in crate::tui) asked: bool,
    /// What the filter looks at, in lower case.
    words: String,
    /// The search that saw it last.
    round: u32,
}

impl SessionRow {
    fn new(session: Session, round: u32) -> Self {
        let mut row = Self {
            session,
            reading: None,
            asked: false,
            words: String::new(),
            round,
        };
        row.words = row.searched();
        row
    }

    /// What it belongs to: the folder's name where the file says it, else what its place says.
    pub(in crate::tui) fn project(&self) -> &str {
        let folder = match &self.reading {
            Some(Reading::Facts(facts)) => Path::new(&facts.folder).file_name(),
            _ => None,
        };
        let folder = folder.and_then(|name| name.to_str());
        folder.unwrap_or(&self.session.project)
    }

    /// Which program wrote it: what the file says, else what its place says.
    pub(in crate::tui) fn harness(&self) -> &str {
        match &self.reading {
            Some(Reading::Facts(facts)) if !facts.source.is_empty() => &facts.source,
            _ => &self.session.harness,
        }
    }

    fn searched(&self) -> String {
        let (model, task) = match &self.reading {
            Some(Reading::Facts(facts)) => (facts.model.as_str(), facts.task.as_str()),
            _ => ("", ""),
        };
        let path = self.session.path.to_string_lossy();
        let parts = [self.project(), self.harness(), model, task, &path];
        parts.join(" ").to_lowercase()
    }
}

/// The list of sessions.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Sessions {
    /// All that were found, the newest first.
    rows: Vec<SessionRow>,
    /// Those that fit the filter, as places in `rows`.
    shown: Vec<usize>,
    pub(in crate::tui) filter: Input,
    /// The selected row's place among those shown.
    pub(in crate::tui) at: usize,
    /// The first visible one.
    pub(in crate::tui) first: usize,
    /// True while somebody looks for more.
    pub(in crate::tui) searching: bool,
    /// The one that is being opened.
    pub(in crate::tui) opening: Option<PathBuf>,
    round: u32,
}

impl Sessions {
    /// How many were found.
    pub(in crate::tui) const fn found(&self) -> usize {
        self.rows.len()
    }

    /// How many fit the filter.
    pub(in crate::tui) const fn len(&self) -> usize {
        self.shown.len()
    }

    /// The row at a place among those shown.
    pub(in crate::tui) fn row(&self, place: usize) -> Option<&SessionRow> {
        self.rows.get(*self.shown.get(place)?)
    }

    pub(in crate::tui) fn selected(&self) -> Option<&SessionRow> {
        self.row(self.at)
    }

    /// A new search begins. What is known stays until it ends.
    pub(in crate::tui) fn search(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.searching = true;
        self.keep_selected(|sessions| sessions.filter.reset());
    }

    /// Takes in some of what a search found.
    pub(in crate::tui) fn take_in(&mut self, found: Vec<Session>) {
        let places = self.rows.iter().enumerate();
        let mut places: HashMap<PathBuf, usize> = places
            .map(|(at, row)| (row.session.path.clone(), at))
            .collect();
        for session in found {
            if let Some(row) = places.get(&session.path).map(|at| &mut self.rows[*at]) {
                row.round = self.round;
                let same = row.session.written == session.written;
                if same && row.session.bytes == session.bytes {
                    row.session.age = session.age;
                } else {
                    *row = SessionRow::new(session, self.round);
                }
            } else {
                places.insert(session.path.clone(), self.rows.len());
                self.rows.push(SessionRow::new(session, self.round));
            }
        }
        self.keep_selected(|sessions| {
            let order = |row: &SessionRow| std::cmp::Reverse(row.session.written);
            sessions.rows.sort_by_key(order);
        });
    }

    /// The search is over: what it did not see is gone.
    pub(in crate::tui) fn searched(&mut self) {
        self.searching = false;
        let round = self.round;
        self.keep_selected(|sessions| sessions.rows.retain(|row| row.round == round));
    }

    /// Takes in what came of reading one.
    pub(in crate::tui) fn read(&mut self, path: &Path, reading: Reading) {
        let row = self.rows.iter_mut().find(|row| row.session.path == path);
        if let Some(row) = row {
            row.reading = Some(reading);
            row.words = row.searched();
        }
    }

    /// The filter has changed: shows what fits it, from the newest on.
    pub(in crate::tui) fn refilter(&mut self) {
        self.fit();
        (self.at, self.first) = (0, 0);
    }

    /// Scrolls so far that the selection can be seen.
    pub(in crate::tui) fn scroll(&mut self, visible: usize) {
        self.at = self.at.min(self.len().saturating_sub(1));
        self.first = scrolled(self.first, self.at, visible, self.len());
    }

    /// What nobody has asked for yet of the rows that can be seen and of the page after them.
    pub(in crate::tui) fn wanted(&mut self, visible: usize) -> Vec<PathBuf> {
        let near = self.shown.iter().skip(self.first).take(2 * visible);
        let mut wanted = Vec::new();
        for place in near {
            let row = &mut self.rows[*place];
            if !row.asked && row.reading.is_none() {
                row.asked = true;
                wanted.push((row.session.bytes, row.session.path.clone()));
            }
        }
        // Small ones first: most rows are full before a long one is through.
        wanted.sort();
        wanted.into_iter().map(|(_, path)| path).collect()
    }

    /// Nobody reads for the list any more.
    pub(in crate::tui) fn forget_asked(&mut self) {
        for row in &mut self.rows {
            row.asked = false;
        }
    }

    /// Every word of the filter is somewhere in what a row says.
    fn fit(&mut self) {
        let filter = self.filter.value().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let fits = |row: &SessionRow| words.iter().all(|word| row.words.contains(word));
        let rows = self.rows.iter().enumerate();
        let rows = rows.filter(|(_, row)| fits(row));
        self.shown = rows.map(|(at, _)| at).collect();
    }

    /// Changes the rows. The selection stays on its session; on the newest where it was there.
    fn keep_selected(&mut self, change: impl FnOnce(&mut Self)) {
        let kept = self.selected().filter(|_| self.at > 0);
        let kept = kept.map(|row| row.session.path.clone());
        change(self);
        self.fit();
        let place = kept.and_then(|path| {
            let mut shown = self.shown.iter();
            shown.position(|at| self.rows[*at].session.path == path)
        });
        self.at = place.unwrap_or(0);
    }
}

impl Model {
    /// With the list of sessions over everything.
    #[must_use]
    pub fn with_sessions(mut self) -> Self {
        self.overlay = Some(Overlay::Sessions);
        self
    }
}
