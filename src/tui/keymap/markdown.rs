//! The table as text for a README.

use std::fmt::Write as _;

use super::binding::Group;
use super::table::KEYS;

/// The table as Markdown, for the README.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| key | does |\n|---|---|\n");
    for group in Group::ALL {
        for binding in KEYS.iter().filter(|binding| binding.group == group) {
            let keys: Vec<_> = binding.label.split(' ').map(|k| format!("`{k}`")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(out, "| {} | {} |", keys.join(" "), binding.help);
        }
    }
    out
}
