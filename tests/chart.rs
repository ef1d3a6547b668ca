//! Time on cells: what a bar may never do, whatever the times and the window.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use turnlane::chart::{Bar, Cell, Edges, Glyphs, Role, Track, Viewport, edges, raster, ticks};
use turnlane::time::{Nanos, Span};

fn span(a: u64, b: u64) -> Span {
    Span::new(Nanos(a), Nanos(b))
}

fn run(a: u64, b: u64) -> Bar {
    Bar {
        span: span(a, b),
        role: Role::Run,
    }
}

fn row(view: &Viewport, bars: &[Bar], glyphs: Glyphs) -> String {
    let cells = raster(view, bars, glyphs);
    let mark = |cell: &Cell| {
        let reversed = if cell.reversed { "~" } else { "" };
        format!("{reversed}{}", cell.glyph)
    };
    cells.iter().map(mark).collect()
}

/// Eighths that the drawn cells cover.
fn inked(cells: &[Cell]) -> u32 {
    let ink = |cell: &Cell| {
        let eighths = " ▏▎▍▌▋▊▉█".chars().position(|g| g == cell.glyph).unwrap();
        let eighths = u32::try_from(eighths).unwrap();
        if cell.reversed { 8 - eighths } else { eighths }
    };
    cells.iter().map(ink).sum()
}

/// A length of the scale of nanoseconds to years.
fn length() -> impl Strategy<Value = u64> {
    (0u32..56, any::<u64>()).prop_map(|(bits, raw)| (raw >> (63 - bits)).max(1))
}

/// A window somewhere in a run, zoomed and panned.
fn window() -> impl Strategy<Value = Viewport> {
    let moves = prop::collection::vec((0u8..3, 0.0..1.0f64, -50i32..50), 0..12);
    (length(), length(), 1u16..300, moves).prop_map(|(start, len, cells, moves)| {
        let mut view = Viewport::fit(span(start, start + len), cells);
        for (kind, share, cells) in moves {
            let window = view.window();
            let about = Nanos(window.start.0 + (window.len().0 as f64 * share) as u64);
            view = match kind {
                0 => view.zoom_in(about),
                1 => view.zoom_out(about),
                _ => view.pan(cells),
            };
        }
        view
    })
}

/// Times inside the extent of a window, as shares of it.
fn times(view: &Viewport, shares: &[f64]) -> Vec<u64> {
    let extent = view.extent();
    let at = |share: &f64| extent.start.0 + (extent.len().0 as f64 * share) as u64;
    let mut times: Vec<u64> = shares.iter().map(at).collect();
    times.sort_unstable();
    times
}

fn shares(n: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..=1.0f64, n)
}

#[test]
fn a_bar_that_starts_inside_a_cell_is_the_rest_of_it_reversed() {
    let view = Viewport::fit(span(0, 80), 10);
    let draw = |a, b| row(&view, &[run(a, b)], Glyphs::Blocks);
    assert_eq!(draw(0, 80), "██████████");
    assert_eq!(draw(0, 13), "█▋        ");
    assert_eq!(draw(5, 24), "~▋██       ");
    assert_eq!(draw(13, 13), " ▏        ".replace('▏', "~▉"));
    assert_eq!(draw(9, 12), " ▍        ");
    assert_eq!(draw(12, 15), " ~▋        ");
}

#[test]
fn waiting_is_shade_and_yields_the_shared_cell_to_the_body() {
    let view = Viewport::fit(span(0, 80), 10);
    let wait = |a, b| Bar {
        span: span(a, b),
        role: Role::Wait,
    };
    let bars = [wait(0, 29), run(29, 61)];
    assert_eq!(row(&view, &bars, Glyphs::Blocks), "░░░~▋███▋  ");
    assert_eq!(row(&view, &bars, Glyphs::Ascii), "....####  ");
}

#[test]
fn what_is_not_known_looks_different_from_what_is() {
    let view = Viewport::fit(span(0, 80), 10);
    let bar = |role, a, b| Bar {
        span: span(a, b),
        role,
    };
    let open = [bar(Role::Open, 16, 80)];
    assert_eq!(row(&view, &open, Glyphs::Blocks), "  ├╌╌╌╌╌╌▶");
    assert_eq!(row(&view, &open, Glyphs::Ascii), "  |------>");
    let bound = [bar(Role::Bound, 12, 36)];
    assert_eq!(row(&view, &bound, Glyphs::Blocks), " ~▌▓▓▌     ");
    assert_eq!(row(&view, &bound, Glyphs::Ascii), "  ===     ");
    let unknown = [bar(Role::Unknown, 16, 80)];
    assert_eq!(row(&view, &unknown, Glyphs::Blocks), "  ?       ");
    let late = [run(0, 20), bar(Role::Late, 20, 56)];
    assert_eq!(row(&view, &late, Glyphs::Blocks), "██▌▒▒▒▒   ");
    assert_eq!(row(&view, &late, Glyphs::Ascii), "###~~~~   ");
}

#[test]
fn a_short_ascii_bar_is_a_stroke_and_never_lost() {
    let view = Viewport::fit(span(0, 800), 10);
    assert_eq!(row(&view, &[run(110, 110)], Glyphs::Ascii), " |        ");
    assert_eq!(row(&view, &[run(75, 85)], Glyphs::Ascii), "|         ");
    assert_eq!(row(&view, &[run(800, 800)], Glyphs::Ascii), "         |");
}

#[test]
fn a_window_that_was_never_zoomed_shows_everything() {
    let view = Viewport::fit(span(7, 7), 5);
    assert_eq!(view.window(), span(7, 8));
    let end = u64::MAX;
    let view = Viewport::fit(span(end, end), 5);
    assert_eq!(view.window(), span(end - 1, end));
    assert!(raster(&Viewport::fit(span(0, 9), 0), &[run(0, 9)], Glyphs::Blocks).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn bars_that_tile_the_window_cover_it_exactly(
        start in length(), len in length(), cells in 1u16..300, cuts in shares(20),
    ) {
        let view = Viewport::fit(span(start, start + len), cells);
        let mut at = times(&view, &cuts);
        at.insert(0, view.window().start.0);
        at.push(view.window().end.0);
        let drawn: u32 = at
            .windows(2)
            .filter(|pair| view.eighth(Nanos(pair[0])) < view.eighth(Nanos(pair[1])))
            .filter_map(|pair| edges(&view, span(pair[0], pair[1])))
            .map(Edges::width)
            .sum();
        prop_assert_eq!(drawn, view.width());
    }

    #[test]
    fn what_is_drawn_covers_as_much_as_the_bar(view in window(), ends in shares(2)) {
        let at = times(&view, &ends);
        let bar = run(at[0], at[1]);
        let width = edges(&view, bar.span).map_or(0, Edges::width);
        prop_assert_eq!(inked(&raster(&view, &[bar], Glyphs::Blocks)), width);
        let ascii = raster(&view, &[bar], Glyphs::Ascii);
        prop_assert_eq!(ascii.iter().any(|cell| cell.glyph != ' '), width > 0);
    }

    #[test]
    fn later_bars_never_lie_before_earlier_ones(view in window(), ends in shares(4)) {
        let at = times(&view, &ends);
        let (first, second) = (span(at[0], at[1]), span(at[2], at[3]));
        if let (Some(a), Some(b)) = (edges(&view, first), edges(&view, second)) {
            prop_assert!(a.from <= b.from && a.to <= b.to);
            // Only the eighth that makes a bar visible may reach into the next one.
            prop_assert!(a.to <= b.from + 1);
        }
    }

    #[test]
    fn the_smallest_width_makes_no_bar_longer_than_a_longer_one(view in window(), ends in shares(4)) {
        let at = times(&view, &ends);
        let (a, b) = (span(at[0], at[1]), span(at[2], at[3]));
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let inside = |s: Span| s.start >= view.window().start && s.end <= view.window().end;
        if !(inside(short) && inside(long)) {
            return Ok(());
        }
        let (Some(s), Some(l)) = (edges(&view, short), edges(&view, long)) else { return Ok(()) };
        prop_assert!(s.width() >= 1 && l.width() >= 1);
        // Edges are rounded one by one, so equal lengths may differ by one eighth; no more.
        prop_assert!(s.width() <= l.width() + 1);
        if view.eighth(short.start) == view.eighth(short.end) {
            prop_assert_eq!(s.width(), 1);
        }
    }

    #[test]
    fn another_bar_moves_none(view in window(), ends in shares(6)) {
        let at = times(&view, &ends);
        let bars = [run(at[0], at[1]), run(at[2], at[3]), run(at[4], at[5])];
        let alone = raster(&view, &bars[..1], Glyphs::Blocks);
        let together = raster(&view, &bars, Glyphs::Blocks);
        let others = raster(&view, &bars[1..], Glyphs::Blocks);
        for ((one, all), other) in alone.iter().zip(&together).zip(&others) {
            prop_assert!(all == one || all == other);
            if other.role == Role::Empty {
                prop_assert_eq!(all, one);
            }
        }
    }

    #[test]
    fn a_track_draws_what_all_its_bars_would_with_few_of_them(
        view in window(),
        starts in prop::collection::vec((0.0..=1.0f64, 0.0..0.02f64), 1..400),
    ) {
        let extent = view.extent();
        let at = |share: f64| extent.start.0 + (extent.len().0 as f64 * share.min(1.0)) as u64;
        let bars: Vec<Bar> = starts.iter().map(|(s, len)| run(at(*s), at(s + len))).collect();
        let track = Track::new(bars.clone());
        let shown = track.visible(&view);
        prop_assert!(shown.len() <= usize::from(view.cells()) * 16 + 2);
        for bar in &bars {
            let Some(all) = edges(&view, bar.span) else { continue };
            let covered = shown.iter().filter_map(|b| edges(&view, b.span));
            let covered = covered.into_iter().any(|b| b.from <= all.from && all.to <= b.to + 1);
            prop_assert!(covered, "{all:?} is drawn by nothing");
        }
    }

    #[test]
    fn the_closest_look_at_a_span_shows_all_of_it(view in window(), ends in shares(2)) {
        let at = times(&view, &ends);
        let wanted = span(at[0], at[1]);
        let close = view.closest_to(wanted);
        let window = close.window();
        prop_assert!(window.start <= wanted.start && wanted.end <= window.end, "{window:?} {wanted:?}");
        let closer = close.level() + 1;
        let half = view.extent().len().0 >> closer.min(63);
        let needed = u128::from(wanted.len().0) * 9 / 8;
        prop_assert!(u128::from(half) < needed || half < u64::from(view.width()) || closer > 62);
    }

    #[test]
    fn zooming_in_and_out_again_ends_where_it_began(view in window(), share in 0.0..1.0f64, steps in 1usize..12) {
        let window = view.window();
        let about = Nanos(window.start.0 + (window.len().0 as f64 * share) as u64);
        let there = (0..steps).fold(view, |v, _| v.zoom_in(about));
        let steps = there.level() - view.level();
        let back = (0..steps).fold(there, |v, _| v.zoom_out(about));
        // One rounding, of less than an eighth of a cell, and only the first time.
        prop_assert_eq!(back.window().len(), window.len());
        let moved = back.window().start.0.abs_diff(window.start.0);
        prop_assert!(moved * u64::from(view.width()) <= window.len().0.max(1) * 2);
        let again = (0..steps).fold(back, |v, _| v.zoom_in(about));
        let again = (0..steps).fold(again, |v, _| v.zoom_out(about));
        prop_assert_eq!(again, back);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_cursor(view in window(), share in 0.0..1.0f64) {
        let window = view.window();
        let about = Nanos(window.start.0 + (window.len().0 as f64 * share) as u64);
        let closer = view.zoom_in(about);
        prop_assert!(closer.eighth(about).abs_diff(view.eighth(about)) <= 1);
    }

    #[test]
    fn panning_there_and_back_is_no_move_unless_an_end_stops_it(view in window(), cells in 0i32..40) {
        let there = view.pan(cells);
        if there.window().end >= view.extent().end {
            return Ok(());
        }
        prop_assert_eq!(there.pan(-cells), view);
        prop_assert!(view.extent().start <= there.window().start);
    }

    #[test]
    fn a_cell_begins_at_the_time_that_maps_to_it(view in window(), cell in 0u16..300) {
        if !(cell < view.cells() && view.window().len().0 >= u64::from(view.width())) {
            return Ok(());
        }
        let at = view.eighth(view.time_at(cell));
        prop_assert_eq!(at / 8, u32::from(cell));
    }

    #[test]
    fn labels_of_an_axis_do_not_touch_and_increase(view in window(), share in 0.0..1.0f64) {
        let origin = Nanos((view.extent().start.0 as f64 * share) as u64);
        let ticks = ticks(&view, origin);
        for pair in ticks.windows(2) {
            let end = usize::from(pair[0].cell) + pair[0].label.chars().count();
            prop_assert!(end < usize::from(pair[1].cell), "{:?}", pair);
            prop_assert!(pair[0].at < pair[1].at);
            prop_assert_ne!(&pair[0].label, &pair[1].label);
        }
        for tick in ticks {
            prop_assert!(usize::from(tick.cell) + tick.label.chars().count() <= usize::from(view.cells()));
        }
    }
}
