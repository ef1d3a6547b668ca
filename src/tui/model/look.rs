//! What the user likes: the themes to cycle through, other keys.

use std::sync::Arc;

use super::viewer::Model;
use crate::tui::keymap::Keymap;
use crate::tui::theme::{BUNDLED, Depth, Theme, bundled};

/// The themes that can be cycled through.
#[derive(Clone, Debug)]
pub struct Look {
    themes: Vec<Theme>,
    at: usize,
}

impl Default for Look {
    fn default() -> Self {
        let themes = BUNDLED.iter().filter_map(|(name, _)| bundled(name));
        Self {
            themes: themes.collect(),
            at: 0,
        }
    }
}

impl Look {
    /// The bundled themes, with one of them, or one of the user's own, in force.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        let mut look = Self::default();
        let place = look.themes.iter().position(|t| t.name == theme.name);
        look.at = place.unwrap_or(look.themes.len());
        if place.is_none() {
            look.themes.push(theme);
        }
        look
    }

    /// Brings every theme to the colours that a terminal has.
    #[must_use]
    pub fn at_depth(mut self, depth: Depth) -> Self {
        for theme in &mut self.themes {
            theme.palette = theme.palette.at_depth(depth);
        }
        self
    }
}

impl Model {
    /// With themes to cycle through, the one in force first.
    #[must_use]
    pub fn with_look(mut self, look: Look) -> Self {
        self.look = look;
        self.dress();
        self
    }

    /// With other keys.
    #[must_use]
    pub fn with_keymap(mut self, keymap: Keymap) -> Self {
        self.keymap = Arc::new(keymap);
        self
    }

    /// The next theme.
    pub(in crate::tui) fn next_theme(&mut self) {
        self.look.at = (self.look.at + 1) % self.look.themes.len().max(1);
        self.dress();
        if let Some(theme) = self.look.themes.get(self.look.at) {
            self.notice = Some(format!("Theme: {}", theme.name));
        }
    }

    fn dress(&mut self) {
        if let Some(theme) = self.look.themes.get(self.look.at) {
            self.skin.palette = theme.palette;
        }
    }
}
