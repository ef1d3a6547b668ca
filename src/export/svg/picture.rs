//! Text, bars and lines of a picture.

use std::fmt::Write as _;

use super::style::SvgTheme;
use crate::text::clean;

/// Height of a bar.
const BAR: u32 = 14;
/// Height of what only waits: less than a body, so that it takes no colour to tell.
const THIN: u32 = 4;
/// From the base line of a row up to the middle of its bar.
pub(super) const MIDDLE: u32 = BAR / 2 - 3;

/// A picture while it is drawn.
pub(super) struct Picture {
    body: String,
    /// The base line of the row that is being drawn.
    pub(super) y: u32,
    theme: SvgTheme,
}

impl Picture {
    pub(super) const fn new(theme: SvgTheme) -> Self {
        Self {
            body: String::new(),
            y: 20,
            theme,
        }
    }

    pub(super) fn text(&mut self, x: u32, class: &str, text: &str) {
        let y = self.y;
        // Writing to a string does not fail, here and below.
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>",
            escape(&clean(text))
        );
    }

    /// A bar of this row.
    pub(super) fn rect(&mut self, x: u32, width: u32, class: &str) {
        self.block(x, width, BAR, class);
    }

    /// A thin bar of this row.
    pub(super) fn thin(&mut self, x: u32, width: u32, class: &str) {
        self.block(x, width, THIN, class);
    }

    fn block(&mut self, x: u32, width: u32, height: u32, class: &str) {
        let y = self.y - MIDDLE - height / 2;
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"1\" class=\"{class}\"/>"
        );
    }

    /// A vertical line.
    pub(super) fn line(&mut self, x: u32, from: u32, to: u32, class: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x}\" x2=\"{x}\" y1=\"{from}\" y2=\"{to}\" class=\"{class}\"/>"
        );
    }

    /// The whole picture, so many units wide.
    pub(super) fn finish(self, width: u32) -> String {
        let height = self.y + 16;
        let (style, ground) = (self.theme.style(), self.theme.ground());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<style>{style}</style>\n{ground}{}</svg>\n",
            self.body,
        )
    }
}

/// Text as XML character data; what the sanitiser leaves holds no control characters.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
