//! How many colours a terminal has.

use ratatui::style::{Color, Style};

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The sixteen of the ANSI palette.
    Sixteen,
    /// Those, a cube and a ramp of greys.
    Indexed,
    /// Every colour.
    True,
}

/// The sixteen, as xterm shows them: a terminal's user may have changed them.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

impl Depth {
    /// A style in the nearest colours there are.
    pub(super) fn nearest_style(self, style: Style) -> Style {
        Style {
            fg: style.fg.map(|colour| self.nearest(colour)),
            bg: style.bg.map(|colour| self.nearest(colour)),
            ..style
        }
    }

    /// The nearest colour there is. Names stay names.
    fn nearest(self, colour: Color) -> Color {
        match (self, colour) {
            (Self::Indexed, Color::Rgb(r, g, b)) => {
                Color::Indexed(nearest((r, g, b), (16..=255).map(|n| (n, indexed(n)))))
            }
            (Self::Sixteen, Color::Rgb(r, g, b)) => named(sixteenth((r, g, b))),
            (Self::Sixteen, Color::Indexed(n @ 16..)) => named(sixteenth(indexed(n))),
            (Self::Sixteen, Color::Indexed(n)) => named(n),
            (_, colour) => colour,
        }
    }
}

fn sixteenth(wanted: (u8, u8, u8)) -> u8 {
    nearest(wanted, (0..).zip(SIXTEEN))
}

fn nearest(wanted: (u8, u8, u8), of: impl Iterator<Item = (u8, (u8, u8, u8))>) -> u8 {
    let far = |(r, g, b): (u8, u8, u8)| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, wanted.0) + square(g, wanted.1) + square(b, wanted.2)
    };
    of.min_by_key(|(_, colour)| far(*colour))
        .map_or(0, |(n, _)| n)
}

/// A colour of the cube or of the ramp, as every terminal with them shows it.
fn indexed(n: u8) -> (u8, u8, u8) {
    let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    match n {
        232.. => {
            let grey = 8 + 10 * (n - 232);
            (grey, grey, grey)
        }
        16..232 => {
            let n = n - 16;
            (step(n / 36), step(n / 6 % 6), step(n % 6))
        }
        _ => SIXTEEN[usize::from(n)],
    }
}

/// One of the sixteen by its name, which is sent in the way that the oldest terminals know.
const fn named(n: u8) -> Color {
    match n {
        0 => Color::Black,
        1 => Color::Red,
        2 => Color::Green,
        3 => Color::Yellow,
        4 => Color::Blue,
        5 => Color::Magenta,
        6 => Color::Cyan,
        7 => Color::Gray,
        8 => Color::DarkGray,
        9 => Color::LightRed,
        10 => Color::LightGreen,
        11 => Color::LightYellow,
        12 => Color::LightBlue,
        13 => Color::LightMagenta,
        14 => Color::LightCyan,
        _ => Color::White,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_becomes_the_nearest_that_the_terminal_has() {
        let blue = Color::Rgb(0, 0x5f, 0xaf);
        assert_eq!(Depth::True.nearest(blue), blue);
        assert_eq!(Depth::Indexed.nearest(blue), Color::Indexed(25));
        assert_eq!(Depth::Sixteen.nearest(blue), Color::Blue);
        let white = Color::Rgb(255, 255, 255);
        assert_eq!(Depth::Sixteen.nearest(white), Color::White);
        let grey = Color::Indexed(244);
        assert_eq!(Depth::Sixteen.nearest(grey), Color::DarkGray);
    }

    #[test]
    fn a_named_colour_is_the_terminals_own_at_every_depth() {
        for depth in [Depth::Sixteen, Depth::Indexed, Depth::True] {
            assert_eq!(depth.nearest(Color::Cyan), Color::Cyan);
        }
    }
}
