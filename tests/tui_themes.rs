//! Themes: data, readable, and never the only sign of anything.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ratatui::style::{Color, Modifier};
use support::runs;
use support::screen::{Screen, frame};
use turnlane::tui::keymap::Action;
use turnlane::tui::theme::{BUNDLED, Depth, Theme, bundled};
use turnlane::tui::{Ink, Look, Model, Skin};

fn dressed(theme: Theme) -> Screen {
    let screen = Screen::with_skin(runs::states(), (100, 30), Skin::colour());
    Screen {
        model: Model::with_look(screen.model, Look::new(theme)),
    }
}

#[test]
fn every_bundled_theme_names_every_ink() {
    for (name, text) in BUNDLED {
        assert_eq!(Theme::parse(name, text).unwrap(), bundled(name).unwrap());
        let table: toml::Table = toml::from_str(text).unwrap();
        for ink in Ink::ALL {
            assert!(
                table["inks"].get(ink.name()).is_some(),
                "{name}: {}",
                ink.name()
            );
        }
    }
}

#[test]
fn every_theme_shows_every_state_of_a_call() {
    for (name, _) in BUNDLED {
        let screen = dressed(bundled(name).unwrap());
        insta::assert_snapshot!(format!("states_{name}"), frame(&screen.buffer()));
    }
}

#[test]
fn what_is_on_the_screen_is_the_same_under_every_theme() {
    let plain = dressed(bundled("mono").unwrap()).text();
    for (name, _) in BUNDLED {
        assert_eq!(dressed(bundled(name).unwrap()).text(), plain, "{name}");
    }
}

#[test]
fn control_t_goes_through_the_themes_and_around() {
    let mut screen = Screen::new(runs::states(), (100, 30));
    let first = frame(&screen.buffer());
    let mut names = Vec::new();
    for _ in BUNDLED {
        screen = screen.press(&[Action::NextTheme]);
        let text = screen.text();
        let line = text.lines().find(|line| line.contains("Theme: ")).unwrap();
        names.push(line.trim().to_owned());
    }
    assert_eq!(names[0], "Theme: light");
    assert_eq!(names[BUNDLED.len() - 1], "Theme: dark");
    // A key that does nothing takes the notice away.
    let screen = screen.press(&[Action::Close]);
    assert_eq!(frame(&screen.buffer()), first);
}

#[test]
fn a_theme_of_the_users_own_is_one_to_go_through() {
    let text = "base = \"light\"\nground = \"on #ffffe0\"\n[inks]\nrun = \"bold #123456\"\n";
    let theme = Theme::parse("my.toml", text).unwrap();
    assert_eq!(
        theme.palette.style(Ink::Run).fg,
        Some(Color::Rgb(0x12, 0x34, 0x56))
    );
    let failed = bundled("light").unwrap().palette.style(Ink::Failed);
    assert_eq!(theme.palette.style(Ink::Failed).fg, failed.fg);
    let screen = dressed(theme);
    for cell in screen.buffer().content() {
        assert_eq!(
            cell.bg,
            Color::Rgb(0xff, 0xff, 0xe0),
            "the ground is everywhere"
        );
    }
    let screen = screen.press(&[Action::NextTheme]);
    assert!(screen.text().contains("Theme: dark"));
}

#[test]
fn what_is_wrong_with_a_theme_is_named_with_its_place() {
    for (text, place, words) in [
        (
            "[inks]\nrunn = \"red\"",
            "line 2, column 1",
            "no ink `runn`; there are text",
        ),
        (
            "[inks]\nrun = \"redd\"",
            "line 2, column 7",
            "`redd` is no colour",
        ),
        ("base = \"drak\"", "line 1, column 8", "no theme `drak`"),
        ("inkz = 1", "line 1, column 1", "unknown field"),
    ] {
        let fault = Theme::parse("t", text).unwrap_err().to_string();
        assert!(fault.starts_with(place) && fault.contains(words), "{fault}");
    }
}

/// Relative luminance, as the Web Content Accessibility Guidelines define it.
fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn themes_keep_the_contrast_that_they_promise() {
    const BLACK: (u8, u8, u8) = (0, 0, 0);
    const WHITE: (u8, u8, u8) = (255, 255, 255);
    for (name, grounds, least) in [
        ("light", &[WHITE][..], 4.5),
        ("high-contrast", &[BLACK], 7.0),
        ("colour-blind", &[BLACK, WHITE], 3.0),
    ] {
        let palette = bundled(name).unwrap().palette;
        let mut seen = 0;
        for ink in Ink::ALL {
            let style = palette.style(ink);
            assert!(name != "high-contrast" || !style.add_modifier.contains(Modifier::DIM));
            let Some(Color::Rgb(r, g, b)) = style.fg else {
                continue;
            };
            seen += 1;
            for ground in grounds {
                let found = contrast((r, g, b), *ground);
                assert!(found >= least, "{name} {ink:?}: {found:.2} on {ground:?}");
            }
        }
        assert!(seen >= 7, "{name} has colours");
    }
}

#[test]
fn few_colours_are_enough_to_tell_a_failure_from_a_run() {
    for (name, _) in BUNDLED.iter().filter(|(name, _)| *name != "mono") {
        let palette = bundled(name).unwrap().palette.at_depth(Depth::Sixteen);
        let [run, failed] = [Ink::Run, Ink::Failed].map(|ink| palette.style(ink));
        assert!(!matches!(run.fg, Some(Color::Rgb(..))), "{name}");
        assert_ne!(run.fg, failed.fg, "{name}");
    }
}
