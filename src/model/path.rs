//! One spelling for one file: merging two keys costs milliseconds, splitting one loses data.

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

/// The canonical form of a path for a key of kind `file`.
///
/// 1. a relative path is resolved against `folder`, where that is known;
/// 2. `.` and `x/..` are removed lexically (no file is looked at, so links are not followed);
/// 3. case and Unicode forms are folded, on every platform.
#[must_use]
pub fn normalise(path: &str, folder: Option<&str>) -> String {
    let joined = match folder {
        Some(folder) if !path.starts_with('/') => format!("{folder}/{path}"),
        _ => path.to_owned(),
    };
    let absolute = joined.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => drop(parts.pop()),
                _ if absolute => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    let lexical = match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    };
    fold(&lexical)
}

fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Decomposing first lets the fold see the base letters; composing last makes the form unique.
    let decomposed: String = text.nfd().collect();
    UniCase::unicode(decomposed)
        .to_folded_case()
        .nfc()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_file_are_one() {
        for path in [
            "a.txt",
            "./a.txt",
            "x/../a.txt",
            "A.TXT",
            "x//..//a.txt",
            "/w/a.txt",
            "/w/./x/../a.txt",
        ] {
            assert_eq!(normalise(path, Some("/w")), "/w/a.txt", "{path}");
        }
        assert_eq!(normalise("caf\u{e9}", None), normalise("cafe\u{301}", None));
        assert_eq!(normalise("CAF\u{c9}", None), normalise("cafe\u{301}", None));
    }

    #[test]
    fn a_path_above_the_start_keeps_its_dots_and_the_root_has_no_parent() {
        assert_eq!(normalise("../b", None), "../b");
        assert_eq!(normalise("a/../..", None), "..");
        assert_eq!(normalise("/../b", None), "/b");
        assert_eq!(normalise("", None), ".");
        assert_eq!(normalise("/", None), "/");
    }
}
