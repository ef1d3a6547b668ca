//! What the terminal can show, as its environment says.

use std::env;

use crate::tui::theme::Depth;

/// True where NO_COLOR is set to anything.
pub(super) fn no_colour() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// True for a terminal that can do nothing but write.
pub(super) fn is_dumb() -> bool {
    terminal() == "dumb"
}

/// True where the terminal says that its ground is light; few say anything.
pub(super) fn is_light() -> bool {
    let value = env::var("COLORFGBG").unwrap_or_default();
    let ground = value.rsplit(';').next().and_then(|n| n.parse::<u8>().ok());
    matches!(ground, Some(7 | 9..=15))
}

/// How many colours the terminal has.
pub(super) fn depth() -> Depth {
    let says = env::var("COLORTERM").unwrap_or_default();
    let terminal = terminal();
    if says == "truecolor" || says == "24bit" || terminal.contains("direct") {
        Depth::True
    } else if terminal.contains("256color") {
        Depth::Indexed
    } else {
        Depth::Sixteen
    }
}

fn terminal() -> String {
    env::var("TERM").unwrap_or_default()
}
