//! A path inside the workspace, as a tool may name it.

use std::path::Path;

use super::walk::OWN_PREFIX;

/// A path relative to the workspace, `/` between its parts, without `.` and `..`.
///
/// Parts are resolved by their letters alone, as the path's key is: with links refused that is
/// also what the file system would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(String);

impl Place {
    /// Reads a path argument; the error says what is allowed.
    pub(super) fn new(path: &str) -> Result<Self, String> {
        let allowed = "give a path inside the workspace, relative to it";
        if path.starts_with('/') {
            return Err(format!("`{path}` is absolute: {allowed}"));
        }
        if path.contains('\0') {
            return Err(format!("{path:?} holds a NUL: {allowed}"));
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.pop().is_none() => {
                    return Err(format!("`{path}` leaves the workspace: {allowed}"));
                }
                ".." => {}
                part => parts.push(part),
            }
        }
        let Some(first) = parts.first() else {
            return Err(format!("`{path}` names no file: {allowed}"));
        };
        let is = |part: &str, name: &str| part.eq_ignore_ascii_case(name);
        if is(first, "target") || parts.iter().any(|p| is(p, ".git")) {
            return Err(format!(
                "`{path}`: `target` and `.git` are no part of the workspace"
            ));
        }
        if parts.iter().any(|p| p.starts_with(OWN_PREFIX)) {
            return Err(format!("`{path}`: names in `{OWN_PREFIX}` are taken"));
        }
        Ok(Self(parts.join("/")))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// The folder it lies in; `None` at the top.
    pub(super) fn parent(&self) -> Option<&Path> {
        self.0.rsplit_once('/').map(|(parent, _)| Path::new(parent))
    }

    /// Its last part.
    pub(super) fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The part after the last dot of its name.
    pub(super) fn extension(&self) -> Option<&str> {
        self.path().extension().and_then(|e| e.to_str())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn spellings_of_one_file_are_one_place() {
        for path in [
            "src/a.rs",
            "./src/a.rs",
            "src//./a.rs",
            "x/../src/a.rs",
            "src/b/../a.rs",
        ] {
            assert_eq!(Place::new(path).unwrap().as_str(), "src/a.rs", "{path}");
        }
    }

    #[test]
    fn a_path_that_leaves_the_workspace_is_refused() {
        for path in [
            "",
            ".",
            "x/..",
            "/etc/passwd",
            "..",
            "../x",
            "src/../../x",
            "a\0b",
            "target/x",
            "./TARGET/x",
            "x/../target",
            ".git/config",
            "sub/.git/hooks/x",
            ".turnlane-1.tmp",
        ] {
            assert!(Place::new(path).is_err(), "{path:?}");
        }
        assert!(Place::new("src/target/mod.rs").is_ok());
        assert!(Place::new("..a").is_ok());
    }
}
