//! What a list says of a session.

use std::path::{Path, PathBuf};

use crate::analyze::{SessionFacts, WhatIfOptions};
use crate::cli::load::load_run;
use crate::trace::Run;

/// Longer files are not read for a row of a list.
const LONG: u64 = 256 << 20;
/// Packed ones grow when they are read.
const LONG_PACKED: u64 = 32 << 20;

/// How sessions are read and judged.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Reader {
    /// A catalog of the user's own.
    pub(in crate::cli) catalog: Option<PathBuf>,
    /// What the what-if is asked.
    pub(in crate::cli) options: WhatIfOptions,
}

impl Reader {
    /// Reads a session of this many bytes for its row. `None` for one that is too long for that.
    pub(super) fn facts(&self, path: &Path, bytes: u64) -> Option<Result<SessionFacts, String>> {
        let packed = path
            .extension()
            .is_some_and(|extension| extension == "zst" || extension == "gz");
        if bytes > if packed { LONG_PACKED } else { LONG } {
            return None;
        }
        let run = self.run(path);
        Some(run.map(|run| SessionFacts::of(&run, &self.options)))
    }

    /// Reads a session. The error does not repeat its name.
    pub(super) fn run(&self, path: &Path) -> Result<Box<Run>, String> {
        load_run(path, self.catalog.as_deref()).map_err(|failure| {
            let error = failure.to_string();
            let name = format!("{}: ", path.display());
            error.strip_prefix(&name).unwrap_or(&error).to_owned()
        })
    }
}
