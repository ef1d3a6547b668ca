//! The settings in force as a settings file, with where each comes from.

use std::fmt::{Display, Write as _};

use toml::Value;

use super::effective::Config;
use super::origin::Origin;
use crate::text::clean;
use crate::tui::keymap::KEYS;
use crate::tui::theme::BUNDLED;

/// The settings in force. Read as a settings file, it changes nothing.
pub(super) fn text(config: &Config) -> String {
    let mut out = String::new();
    head(&mut out, config);
    let names: Vec<_> = BUNDLED.iter().map(|(name, _)| *name).collect();
    comment(
        &mut out,
        &format!("auto, {}, or the path of a theme file", names.join(", ")),
    );
    let theme = &config.theme;
    let now =
        (theme.value != config.theme_name()).then(|| format!("; now {}", config.theme_name()));
    let from = format!("{}{}", theme.from, now.unwrap_or_default());
    set(&mut out, "theme", &Value::from(theme.value.as_str()), from);
    comment(&mut out, "auto, unicode or ascii");
    let glyphs = Value::from(config.glyphs.value.name());
    set(&mut out, "glyphs", &glyphs, config.glyphs.from);
    comment(
        &mut out,
        "true: the viewer has the mouse from the start; m gives it back",
    );
    set(
        &mut out,
        "mouse",
        &Value::from(config.mouse.value),
        config.mouse.from,
    );
    comment(
        &mut out,
        "how many calls of a turn run at once in the viewer's what-if; a number or \"unlimited\"",
    );
    let slots = config.slots.value.to_string();
    let slots = slots
        .parse::<i64>()
        .map_or_else(|_| Value::from(slots), Value::from);
    set(&mut out, "slots", &slots, config.slots.from);
    comment(&mut out, "the policies that the viewer's what-if shows");
    let policies: Vec<_> = config.policies.value.iter().map(|p| p.name()).collect();
    set(
        &mut out,
        "policies",
        &Value::from(policies),
        config.policies.from,
    );
    comment(&mut out, "what shows a long answer outside the viewer");
    set(
        &mut out,
        "pager",
        &Value::from(config.pager.value.as_str()),
        config.pager.from,
    );
    out.push_str("\n[sessions]\n");
    comment(
        &mut out,
        "more folders with sessions, each with all below it",
    );
    let folders = Value::from(config.folders.value.clone());
    set(&mut out, "folders", &folders, config.folders.from);
    keys(&mut out, config);
    out
}

fn head(out: &mut String, config: &Config) {
    let file = match &config.path {
        None => "none: no home folder is known".to_owned(),
        Some(path) => {
            let there = if config.found { "" } else { " (not there)" };
            format!("{}{there}", clean(&path.display().to_string()))
        }
    };
    comment(
        out,
        "The settings in force, each with where it comes from. A settings file needs only",
    );
    comment(out, "what differs from the defaults.");
    comment(out, &format!("File: {file}"));
    out.push('\n');
}

/// Every action that has keys of its own.
fn keys(out: &mut String, config: &Config) {
    out.push_str("\n[keys]\n");
    let mut seen = Vec::new();
    for binding in KEYS {
        let action = binding.action;
        let keys = config.keymap.own_keys(action);
        if seen.contains(&action) || keys.is_empty() {
            continue;
        }
        seen.push(action);
        let names: Vec<_> = keys
            .into_iter()
            .map(crate::tui::keymap::Key::name)
            .collect();
        let from = if config.changed.contains(&action) {
            Origin::File
        } else {
            Origin::Default
        };
        set(out, &action.name(), &Value::from(names), from);
    }
}

// Writing to a string does not fail.
fn comment(out: &mut String, text: &str) {
    let _ = writeln!(out, "# {text}");
}

fn set(out: &mut String, name: &str, value: &Value, from: impl Display) {
    let _ = writeln!(out, "{name} = {value} # {from}");
}
