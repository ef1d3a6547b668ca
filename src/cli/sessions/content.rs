//! Whether a file is a turnlane trace, from its first bytes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The first line of a trace says what it is near its beginning.
const LOOKED_AT: u64 = 512;

/// True where the file begins as a turnlane trace does, compressed or not.
pub(super) fn is_trace(path: &Path) -> bool {
    let head = head(path).unwrap_or_default();
    let head: String = String::from_utf8_lossy(&head)
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    head.contains("\"format\":\"turnlane\"")
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    File::open(path)?
        .take(64 * LOOKED_AT)
        .read_to_end(&mut raw)?;
    let mut head = Vec::new();
    // What is cut off at the end is an error there, and the beginning is there all the same.
    let _ = match raw.as_slice() {
        [0x1f, 0x8b, ..] => flate2::read::MultiGzDecoder::new(&*raw)
            .take(LOOKED_AT)
            .read_to_end(&mut head),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => zstd::stream::read::Decoder::new(&*raw)?
            .take(LOOKED_AT)
            .read_to_end(&mut head),
        raw => raw.take(LOOKED_AT).read_to_end(&mut head),
    };
    Ok(head)
}
