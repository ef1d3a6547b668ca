//! A log that is one JSON document.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::sample::Sample;
use crate::import::document::Document;
use crate::import::draft::Draft;
use crate::import::place::At;
use crate::import::spans::{Extras, Into};
use crate::import::value::{fields_of, items_of, word};
use crate::model::Catalog;
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Reads a log.
///
/// # Errors
/// Where the file cannot be read.
pub(in crate::import) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("inspect", catalog);
    let document = Document::read(&mut draft, path, input)?;
    let at = document.at();
    let mut log = Log::new(&mut draft, path);
    match json::fields(at.text, ["eval", "samples"]) {
        Ok([eval, samples]) => {
            log.head(eval);
            for sample in items_of(samples) {
                log.sample(Some(at), sample);
            }
        }
        Err(error) => log
            .draft
            .skipped()
            .bad_line(1, at.offset, error.to_string()),
    }
    log.finish();
    Ok(draft.finish())
}

/// A log while its samples are read.
pub(super) struct Log<'d> {
    pub(super) draft: &'d mut Draft,
    path: &'d Path,
    extras: Extras,
    /// True once the main thread has its sample.
    has_main: bool,
}

impl<'d> Log<'d> {
    pub(super) const fn new(draft: &'d mut Draft, path: &'d Path) -> Self {
        Self {
            draft,
            path,
            extras: Extras::new(),
            has_main: false,
        }
    }

    /// What the log says of the whole run.
    pub(super) fn head(&mut self, eval: Option<&RawValue>) {
        let [run, task, model] = fields_of(eval, ["run_id", "task", "model"]);
        let meta = self.draft.meta();
        meta.id = word(run).into_owned();
        meta.task = word(task).into_owned();
        meta.model = word(model).into_owned();
    }

    pub(super) fn sample(&mut self, at: Option<At<'_>>, sample: &RawValue) {
        let Some(spans) = Sample::spans(self.draft, at, sample) else {
            return;
        };
        let [id, epoch] = fields_of(Some(sample), ["id", "epoch"]);
        let plain = |value: Option<&RawValue>| {
            let value = value.map_or("", RawValue::get);
            json::string(value).unwrap_or_default().into_owned()
                + if value.starts_with('"') { "" } else { value }
        };
        let name = format!("{}_epoch_{}", plain(id), plain(epoch));
        let thread = self.has_main.then_some(&*name);
        let mut into = Into {
            draft: self.draft,
            extras: &mut self.extras,
            path: self.path,
        };
        spans.finish(&mut into, thread);
        self.has_main = true;
    }

    pub(super) fn finish(self) {
        self.extras.finish(self.draft);
    }
}
