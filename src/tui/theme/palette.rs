//! A style for every ink, over a ground.

use ratatui::style::{Color, Modifier, Style};

use super::depth::Depth;
use crate::tui::skin::Ink;

/// A style for every ink, over a ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// What lies under everything; empty for the terminal's own.
    pub ground: Style,
    inks: [Style; Ink::ALL.len()],
}

impl Palette {
    /// The style of an ink, ground included.
    #[must_use]
    pub fn style(&self, ink: Ink) -> Style {
        let own = self.inks.get(ink as usize).copied();
        self.ground.patch(own.unwrap_or_default())
    }

    /// The same with another style for one ink.
    #[must_use]
    pub fn with(mut self, ink: Ink, style: Style) -> Self {
        if let Some(own) = self.inks.get_mut(ink as usize) {
            *own = style;
        }
        self
    }

    /// The same in the colours that a terminal has: each becomes the nearest of them.
    #[must_use]
    pub fn at_depth(mut self, depth: Depth) -> Self {
        self.ground = depth.nearest_style(self.ground);
        self.inks = self.inks.map(|ink| depth.nearest_style(ink));
        self
    }
}

/// A style in words: `bold #005faf on white`.
pub(super) fn style(words: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut on = false;
    for word in words.split_whitespace() {
        let modifier = match word {
            "on" if !on => {
                on = true;
                continue;
            }
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underlined" => Some(Modifier::UNDERLINED),
            "reversed" => Some(Modifier::REVERSED),
            _ => None,
        };
        style = match modifier {
            Some(modifier) if !on => style.add_modifier(modifier),
            _ => {
                let colour = word.parse::<Color>().map_err(|_| {
                    format!(
                        "`{word}` is no colour; use a name such as red or light-blue, #rrggbb, or a number to 255"
                    )
                })?;
                if std::mem::take(&mut on) {
                    style.bg(colour)
                } else {
                    style.fg(colour)
                }
            }
        };
    }
    if on {
        return Err("`on` wants the colour of the ground after it".to_owned());
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_style_is_read_from_words() {
        let read = style("bold #005faf on white").unwrap();
        let right = Style::new().fg(Color::Rgb(0, 0x5f, 0xaf)).bg(Color::White);
        assert_eq!(read, right.add_modifier(Modifier::BOLD));
        assert_eq!(style("").unwrap(), Style::new());
        assert_eq!(style("208").unwrap(), Style::new().fg(Color::Indexed(208)));
    }

    #[test]
    fn a_word_that_is_no_colour_is_named() {
        assert!(style("bold blu").unwrap_err().contains("`blu`"));
        assert!(style("red on").unwrap_err().contains("`on`"));
    }
}
