//! The direction of the layers, held by a test: a layer that nothing checks will erode.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each layer with the layers right below it; what those may use, it may use too.
const BELOW: [(&str, &[&str]); 14] = [
    ("text", &[]),
    ("time", &[]),
    ("model", &["time", "text"]),
    ("schedule", &["model"]),
    ("simulate", &["schedule"]),
    ("run", &["schedule"]),
    ("tools", &["model", "run"]),
    ("trace", &["model"]),
    ("import", &["trace"]),
    ("analyze", &["schedule", "simulate", "trace"]),
    ("chart", &["time", "text"]),
    ("export", &["analyze", "chart"]),
    ("tui", &["analyze", "simulate", "trace", "chart"]),
    ("cli", &["export", "import", "run", "tools", "tui"]),
];

/// What a layer without clock, file, environment or async runtime must not name.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "tokio",
    "chrono",
];

const PURE: [&str; 5] = ["schedule", "simulate", "analyze", "chart", "export"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The layer of a file: the first folder below `src`, or the file's own name there.
fn layer(file: &Path) -> String {
    let inside = file.strip_prefix(source()).unwrap();
    let first = inside
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_string_lossy()
        .into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// The code of a file without comments, so that docs may mention what code may not.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The layers named after `crate::` (and in groups behind it), and after `turnlane::`.
fn named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let group = rest
            .strip_prefix('{')
            .map(|r| &r[..r.find("};").unwrap_or(r.len())]);
        let names: Vec<&str> = group.map_or_else(|| vec![rest], |g| g.split(',').collect());
        for name in names {
            let word = name
                .trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_');
            found.insert(word.collect());
        }
    }
    found
}

fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (layer, below) in BELOW {
        let mut may: BTreeSet<&str> = below.iter().copied().collect();
        may.extend(below.iter().flat_map(|b| all[b].clone()));
        may.insert(layer);
        may.insert("text");
        all.insert(layer, may);
    }
    all
}

#[test]
fn a_layer_uses_only_the_layers_below_it() {
    let allowed = allowed();
    for file in files(&source()) {
        let layer = layer(&file);
        if ["lib", "main"].contains(&layer.as_str()) {
            continue;
        }
        let may = allowed
            .get(layer.as_str())
            .unwrap_or_else(|| panic!("{layer} is no layer"));
        for name in named(&code(&file)) {
            let is_layer = BELOW.iter().any(|(layer, _)| *layer == name);
            assert!(
                !is_layer || may.contains(name.as_str()),
                "{} uses {name}",
                file.display()
            );
        }
    }
}

#[test]
fn the_pure_layers_know_no_clock_file_environment_or_runtime() {
    for file in files(&source()) {
        if PURE.contains(&layer(&file).as_str()) {
            let code = code(&file);
            for word in IMPURE {
                assert!(!code.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

#[test]
fn policies_are_decided_in_schedule_and_never_in_the_runner() {
    for file in files(&source()).into_iter().filter(|f| layer(f) == "run") {
        let code = code(&file);
        for word in [
            "Policy::Sequential",
            "Policy::Staged",
            "Policy::Keyed",
            "Policy::Graph",
            "OnFailure::",
        ] {
            assert!(!code.contains(word), "{} decides by {word}", file.display());
        }
    }
}

#[test]
fn every_layer_and_module_file_only_declares() {
    for file in files(&source())
        .into_iter()
        .filter(|f| f.ends_with("mod.rs"))
    {
        let code = code(&file);
        for word in ["fn ", "struct ", "enum ", "impl "] {
            assert!(
                !code.contains(word),
                "{} holds more than declarations: {word}",
                file.display()
            );
        }
    }
}

#[test]
fn the_test_sees_a_use_in_a_group_and_in_a_path() {
    let found = named("use crate::{cli, model::Key};\nlet x = crate::tui::view();");
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["cli", "model", "tui"]
    );
}
