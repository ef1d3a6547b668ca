//! Standard output. Everything a command prints goes through here, so that a closed pipe ends
//! the command quietly and no print macro can panic.

use std::io::{self, Write};

use super::failure::Failure;

/// Prints text that is safe to show already.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A note for people, on standard error so that it never mixes with data.
pub(super) fn note(text: &str) {
    // A note that cannot be shown is no reason to fail.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
