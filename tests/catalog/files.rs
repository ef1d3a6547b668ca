//! Keys of kind `file`.

use serde_json::json;
use turnlane::model::{Catalog, KeyTable};

use crate::{catalog, touched, touched_in};

fn editor() -> Catalog {
    catalog(&json!([
        {"name": "edit", "x-mutates": true, "x-resource-key": ["file", "$args.path"]},
        {"name": "edit_in", "x-mutates": true, "x-resource-key": ["file", "$args.dir", "$args.name"]},
        {"name": "grep", "x-resource-key": ["file", "$args.path", "**"]},
        {"name": "note", "x-mutates": true, "x-resource-key": ["note", "$args.path"]},
    ]))
}

fn args(path: &str) -> String {
    json!({"path": path}).to_string()
}

#[test]
fn all_spellings_of_a_file_are_one_key() {
    for path in ["a.txt", "./a.txt", "x/../a.txt", "A.TXT"] {
        let bare = touched(&editor(), "edit", &args(path));
        assert_eq!(bare.writes, ["file:a.txt"], "{path}");
        let known = touched_in(&editor(), "edit", &args(path), Some("/W"));
        assert_eq!(known.writes, ["file:/w/a.txt"], "{path}");
    }
    let absolute = touched_in(&editor(), "edit", &args("/w/a.txt"), Some("/w"));
    assert_eq!(absolute.writes, ["file:/w/a.txt"]);
    let composed = touched(&editor(), "edit", &args("caf\u{e9}"));
    let decomposed = touched(&editor(), "edit", &args("CAFE\u{301}"));
    assert_eq!(composed, decomposed);
}

#[test]
fn the_joined_path_is_one_path() {
    let args = |dir: &str, name: &str| json!({"dir": dir, "name": name}).to_string();
    let writes = |args: &str| touched(&editor(), "edit_in", args).writes;
    assert_eq!(writes(&args("src/x", "../a.rs")), ["file:src/a.rs"]);
    assert_eq!(writes(&args("", "a.rs")), ["file:a.rs"]);
    assert_eq!(writes(&args("/", "a.rs")), ["file:/a.rs"]);
}

#[test]
fn other_kinds_are_compared_as_they_are() {
    for path in ["./a.txt", "A.TXT", "x/../a.txt"] {
        let touched = touched_in(&editor(), "note", &args(path), Some("/w"));
        assert_eq!(touched.writes, [format!("note:{path}")]);
    }
}

#[test]
fn a_tree_over_the_start_folder_holds_every_relative_file() {
    let mut keys = KeyTable::new();
    let edit = editor().effects("edit", &args("src/a.rs"), None, &mut keys);
    for root in ["", ".", "./", "src", "SRC/x/..", "..", "../w"] {
        let grep = editor().effects("grep", &args(root), None, &mut keys);
        assert!(keys.overlap(grep.reads[0], edit.writes[0]), "{root}");
    }
    let docs = editor().effects("grep", &args("docs"), None, &mut keys);
    assert!(!keys.overlap(docs.reads[0], edit.writes[0]));
    let here = touched_in(&editor(), "grep", &args("."), Some("/w"));
    assert_eq!(
        (here.reads, here.note),
        (vec!["file:/w/**".to_owned()], None)
    );
}
