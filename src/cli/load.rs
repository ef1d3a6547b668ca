//! From a path to something that can be judged.

use std::io::{IsTerminal as _, stdin};
use std::path::Path;

use super::failure::Failure;
use super::output::note;
use crate::analyze::TurnCase;
use crate::import::{ImportError, Opened, open_any, open_stream};
use crate::model::{Catalog, KeyTable};
use crate::trace::{CatalogRef, Run, Scenario, redeclare};

/// What a file holds.
pub(super) enum Loaded {
    /// A recording.
    Run(Box<Run>),
    /// A scenario with its catalog.
    Scenario(Box<LoadedScenario>),
}

/// A scenario with what it names.
pub(super) struct LoadedScenario {
    pub(super) scenario: Scenario,
    pub(super) catalog: Catalog,
    /// The catalog as it stands in its file, for the trace.
    #[cfg_attr(
        not(feature = "run"),
        expect(dead_code, reason = "only recordings hold it")
    )]
    pub(super) catalog_text: String,
}

/// The name that stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// Opens any file that turnlane knows; `-` is standard input.
pub(super) fn load(path: &Path, catalog: Option<&Path>) -> Result<Loaded, Failure> {
    refuse_devices(path)?;
    // The built-in catalog of the harness goes below it: which one, the file says.
    let user = catalog;
    let catalog = match user {
        Some(path) => read_catalog(path)?.0,
        None => Catalog::default(),
    };
    let opened = if path == Path::new(STANDARD_INPUT) {
        let input = piped()?;
        open_stream(path, input, &catalog)
    } else {
        open_any(path, &catalog)
    };
    match opened.map_err(refused)? {
        Opened::Run(run) => match user.filter(|_| says_itself(&run)) {
            Some(user) => Ok(Loaded::Run(Box::new(under(&run, user)?))),
            None => Ok(Loaded::Run(run)),
        },
        Opened::Scenario(text) => {
            let scenario = load_scenario(path, &text)?;
            Ok(Loaded::Scenario(Box::new(scenario)))
        }
    }
}

/// Why a file does not open.
fn refused(error: ImportError) -> Failure {
    match error {
        ImportError::Unknown { .. } => Failure::NoSession(error.to_string()),
        _ => Failure::unreadable(error),
    }
}

/// True for a trace: it says itself what its calls touch, so that no catalog was asked when it was
/// read. Readers of foreign sessions keep the catalog that they asked, without a place in the file.
const fn says_itself(run: &Run) -> bool {
    run.catalog.is_none() || run.catalog_body.len > 0
}

/// A trace with the user's declarations over its own.
fn under(run: &Run, user: &Path) -> Result<Run, Failure> {
    let redeclared = redeclare(run, &read_catalog(user)?.0, None);
    if redeclared.unread > 0 {
        note(&format!(
            "the arguments of {} calls could not be read: their keys are not known",
            redeclared.unread
        ));
    }
    Ok(redeclared.run)
}

/// Standard input, where something comes out of it: nobody types a session.
fn piped() -> Result<std::io::StdinLock<'static>, Failure> {
    let input = stdin();
    if input.is_terminal() {
        return Err(Failure::Unreadable(
            "`-` reads standard input, and that is the terminal; pipe a file into it, or name one"
                .to_owned(),
        ));
    }
    Ok(input.lock())
}

/// A device has no end to read to. A pipe has: its writer may be another program.
fn refuse_devices(path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let device = |kind: std::fs::FileType| {
            kind.is_char_device() || kind.is_block_device() || kind.is_socket()
        };
        if std::fs::metadata(path).is_ok_and(|metadata| device(metadata.file_type())) {
            let name = path.display();
            return Err(Failure::Unreadable(format!(
                "{name} is a device or a socket; open a file or a pipe"
            )));
        }
    }
    let _ = path;
    Ok(())
}

/// Opens a recording; a scenario is refused with what to do.
pub(super) fn load_run(path: &Path, catalog: Option<&Path>) -> Result<Box<Run>, Failure> {
    match load(path, catalog)? {
        Loaded::Run(run) => Ok(run),
        Loaded::Scenario(_) => Err(Failure::Unreadable(format!(
            "{} is a scenario: nothing has run yet. Use `turnlane record {} -o trace.jsonl` first, or `turnlane what-if`.",
            path.display(),
            path.display(),
        ))),
    }
}

pub(super) fn read_catalog(path: &Path) -> Result<(Catalog, String), Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::Unreadable(format!("{name}: cannot read the catalog: {error}"))
    })?;
    let catalog = Catalog::parse(&text, &name).map_err(Failure::unreadable)?;
    Ok((catalog, text))
}

/// Reads a scenario's text and the catalog that it names.
pub(super) fn load_scenario(path: &Path, text: &str) -> Result<LoadedScenario, Failure> {
    let name = path.display().to_string();
    let scenario = Scenario::parse(text, &name).map_err(Failure::unreadable)?;
    let (catalog, catalog_text) = match &scenario.catalog {
        CatalogRef::File(file) => read_catalog(&beside(path, file))?,
        CatalogRef::Inline(value) => {
            let text = value.to_string();
            (
                Catalog::parse(&text, &name).map_err(Failure::unreadable)?,
                text,
            )
        }
    };
    Ok(LoadedScenario {
        scenario,
        catalog,
        catalog_text,
    })
}

/// A path relative to the folder of `file`.
pub(super) fn beside(file: &Path, relative: &str) -> std::path::PathBuf {
    file.parent()
        .map_or_else(|| relative.into(), |folder| folder.join(relative))
}

/// A recording's or a scenario's turns as questions, with the keys that they use.
pub(super) fn cases(loaded: &Loaded) -> (Vec<TurnCase>, KeyTable) {
    match loaded {
        Loaded::Run(run) => {
            let cases = run
                .turns
                .iter()
                .map(|turn| TurnCase::of(run, turn))
                .collect();
            (cases, run.keys.clone())
        }
        Loaded::Scenario(loaded) => {
            let mut keys = KeyTable::new();
            let turns = (1..).zip(&loaded.scenario.turns);
            let cases = turns
                .map(|(number, turn)| {
                    TurnCase::of_scenario(number, turn, &loaded.catalog, None, &mut keys)
                })
                .collect();
            (cases, keys)
        }
    }
}
