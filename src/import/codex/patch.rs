//! Which files a patch touches: its headers say it.

const HEADERS: [&str; 4] = [
    "*** Add File:",
    "*** Update File:",
    "*** Delete File:",
    "*** Move to:",
];

/// The paths in the headers of a patch, each once, in order.
pub(super) fn files(patch: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in patch.lines() {
        let path = HEADERS.iter().find_map(|header| line.strip_prefix(header));
        if let Some(path) = path.map(str::trim).filter(|path| !path.is_empty())
            && !found.iter().any(|known| known == path)
        {
            found.push(path.to_owned());
        }
    }
    found
}

/// What the patch does to one file, as arguments for the catalog.
pub(super) fn view(path: &str) -> String {
    serde_json::json!({ "path": path }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_in_headers_and_nowhere_else() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: src/b.rs\n@@\n-x\n+*** Add File: not\n*** Delete File: c\n*** Update File: src/a.rs\n*** End Patch";
        assert_eq!(files(patch), ["src/a.rs", "src/b.rs", "c"]);
        assert!(files("no patch").is_empty());
    }
}
