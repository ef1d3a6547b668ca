//! Writing a file that the user asked for: whole or not at all, and over another one only where
//! that was confirmed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::text::clean;
use crate::tui::NotSaved;

/// Writes a catalog to `path`.
pub(super) fn catalog(path: &Path, text: &str, replace: bool) -> Result<(), NotSaved> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => NotSaved::Exists,
        _ => NotSaved::Failed(format!(
            "{}: cannot write the catalog: {error}",
            clean(&path.display().to_string())
        )),
    };
    // Asked before, too, so that nothing is written where the answer is no.
    if !replace && path.symlink_metadata().is_ok() {
        return Err(NotSaved::Exists);
    }
    if path.is_dir() {
        let folder = io::Error::other("it is a folder; name a file in it");
        return Err(failed(folder));
    }
    let beside = beside(path);
    let written = write(&beside, text).and_then(|()| put(&beside, path, replace));
    if written.is_err() {
        // What was begun is of no use; where it cannot be removed the first error says more.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// A name of this process's own in the same folder, so that the file can be moved at once.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map_or_else(
        || "catalog.json".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    path.with_file_name(format!(".{name}.{}.new", std::process::id()))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn put(from: &Path, to: &Path, replace: bool) -> io::Result<()> {
    if replace {
        return fs::rename(from, to);
    }
    // A link, unlike a rename, refuses to take the place of a file that came meanwhile.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems have no links.
        Err(_) if to.symlink_metadata().is_err() => fs::rename(from, to),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn a_file_is_replaced_only_where_that_was_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.json");
        assert_eq!(catalog(&path, "first", false), Ok(()));
        assert_eq!(catalog(&path, "second", false), Err(NotSaved::Exists));
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(catalog(&path, "second", true), Ok(()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(names(folder.path()), ["catalog.json"]);
    }

    #[test]
    fn a_folder_that_is_not_there_and_a_folder_in_the_place_of_the_file_are_said() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            folder.path().join("no/catalog.json"),
            folder.path().to_owned(),
        ] {
            for replace in [false, true] {
                let result = catalog(&path, "text", replace);
                let exists = path.exists() && !replace;
                match result {
                    Err(NotSaved::Exists) => assert!(exists, "{path:?}"),
                    Err(NotSaved::Failed(error)) => assert!(error.contains("cannot write")),
                    Ok(()) => panic!("{path:?} was written"),
                }
            }
        }
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_is_replaced_and_the_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "kept").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_eq!(catalog(&link, "new", false), Err(NotSaved::Exists));
        assert_eq!(catalog(&link, "new", true), Ok(()));
        assert_eq!(fs::read_to_string(&real).unwrap(), "kept");
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
    }
}
