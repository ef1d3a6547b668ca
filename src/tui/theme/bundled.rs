//! The themes that are part of the program.

use std::sync::LazyLock;

use super::file::Theme;

macro_rules! theme {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../assets/themes/", $name, ".toml")),
        )
    };
}

/// The themes that are part of the program, by name, with the text of their files.
pub const BUNDLED: [(&str, &str); 5] = [
    theme!("dark"),
    theme!("light"),
    theme!("mono"),
    theme!("high-contrast"),
    theme!("colour-blind"),
];

static THEMES: LazyLock<Vec<Theme>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| Theme::parse(*name, text).ok();
    BUNDLED.iter().filter_map(read).collect()
});

/// A theme of the program's own.
#[must_use]
pub fn bundled(name: &str) -> Option<Theme> {
    THEMES.iter().find(|theme| theme.name == name).cloned()
}
