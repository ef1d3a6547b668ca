//! The user's pager: the only program that the viewer starts, and only when asked to.

use std::io::{self, BufWriter, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use super::runtime::PagerText;

/// True while a pager has the terminal.
static PAGING: AtomicBool = AtomicBool::new(false);

/// Whether a pager has the terminal.
pub(super) fn is_paging() -> bool {
    PAGING.load(Ordering::SeqCst)
}

/// Runs a pager, named with its arguments, on what `write` writes, until it ends. Says what went
/// wrong.
pub(super) fn show(pager: &str, write: PagerText<'_>) -> Option<String> {
    let mut words = pager.split_whitespace();
    let program = words.next().unwrap_or("less");
    PAGING.store(true, Ordering::SeqCst);
    let started = command(program).args(words).stdin(Stdio::piped()).spawn();
    let said = match started {
        Ok(child) => feed(child, write).err().map(|error| error.to_string()),
        Err(error) => Some(format!(
            "no pager: cannot start {program} ({error}); set PAGER, or pager in the settings, to one that is there"
        )),
    };
    PAGING.store(false, Ordering::SeqCst);
    said
}

fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    if program.rsplit('/').next() == Some("less") {
        // A text that fits on the screen would be gone before anybody has read it.
        command.arg("-+F");
    }
    command
}

/// Writes the text into the pager and waits for its end. A pager that ends before it has read
/// everything is no failure.
fn feed(mut child: Child, write: PagerText<'_>) -> io::Result<()> {
    let written = child.stdin.take().map_or(Ok(()), |stdin| {
        let mut out = BufWriter::new(stdin);
        write(&mut out)?;
        out.flush()
    });
    child.wait()?;
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
