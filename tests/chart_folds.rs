//! An axis with folded gaps, and counting under its cells.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use turnlane::chart::{
    Coverage, FoldedView, Folds, Glyphs, Moments, folded_ticks, height, several,
};
use turnlane::time::{Nanos, Span};

const SECOND: u64 = 1_000_000_000;
const HOUR: u64 = 3_600 * SECOND;

fn span(a: u64, b: u64) -> Span {
    Span::new(Nanos(a), Nanos(b))
}

fn seconds(a: u64, b: u64) -> Span {
    span(a * SECOND, b * SECOND)
}

/// Two minutes of work, a night, a minute of work.
fn night() -> Folds {
    let busy = [seconds(0, 120), seconds(43_320, 43_380)];
    Folds::new(seconds(0, 43_380), &busy, Nanos(3 * SECOND))
}

#[test]
fn a_night_takes_an_eighth_of_the_time_that_was_worked() {
    let folds = night();
    assert_eq!(folds.len(), 1);
    let fold = folds.fold(0).unwrap();
    assert_eq!(fold.gap, seconds(120, 43_320));
    assert_eq!(fold.drawn.len().0, 180 * SECOND / 8);
    assert_eq!(folds.whole().len().0, 180 * SECOND + 180 * SECOND / 8);
    assert_eq!(folds.drawn(Nanos(60 * SECOND)).0, 60 * SECOND);
    let after = folds.drawn(Nanos(43_330 * SECOND)).0;
    assert_eq!(after, 130 * SECOND + 180 * SECOND / 8);
}

#[test]
fn a_gap_that_is_short_or_usual_or_no_longer_than_its_fold_stays_as_it_is() {
    let of = |gap: u64, work: u64, typical: u64| {
        let busy = [seconds(0, work), seconds(work + gap, 2 * work + gap)];
        let extent = seconds(0, 2 * work + gap);
        Folds::new(extent, &busy, Nanos(typical * SECOND)).len()
    };
    assert_eq!(of(11, 10, 0), 1);
    assert_eq!(of(10, 10, 0), 0, "no longer than ten seconds");
    assert_eq!(of(50, 30, 3), 0, "no longer than twenty usual stretches");
    assert_eq!(of(61, 30, 3), 1);
    assert_eq!(of(60, 240, 1), 0, "no longer than twice its fold");
    assert_eq!(of(121, 240, 1), 1);
}

#[test]
fn many_folds_take_no_more_than_the_work_between_them() {
    let busy: Vec<Span> = (0..50)
        .map(|n| seconds(n * 3_600, n * 3_600 + 60))
        .collect();
    let folds = Folds::new(seconds(0, 49 * 3_600 + 60), &busy, Nanos(SECOND));
    assert_eq!(folds.len(), 49);
    assert!(folds.whole().len().0 <= 2 * 50 * 60 * SECOND);
}

#[test]
fn a_run_with_nothing_in_it_has_nothing_to_fold() {
    for busy in [&[][..], &[seconds(5, 5)]] {
        let folds = Folds::new(seconds(0, 0), busy, Nanos::ZERO);
        assert!(folds.is_empty());
        assert_eq!(FoldedView::fit(&folds, 80).marks(), []);
    }
    let whole = FoldedView::fit(&Folds::default(), 0).view.extent();
    assert_eq!(whole.len(), Nanos(1));
}

#[test]
fn a_fold_is_marked_with_the_length_of_its_gap() {
    let folds = night();
    let view = FoldedView::fit(&folds, 90);
    let marks = view.marks();
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].gap.0, 12 * HOUR);
    assert!(marks[0].to - marks[0].from >= 9, "{marks:?}");
    for cell in 0..90 {
        let marked = (marks[0].from..marks[0].to).contains(&cell);
        assert_eq!(view.is_folded(cell), marked, "{cell}");
    }
}

#[test]
fn marks_of_a_folded_axis_stay_out_of_the_fold_and_count_on_after_it() {
    let folds = night();
    let view = FoldedView::fit(&folds, 90);
    let ticks = folded_ticks(&view, Nanos::ZERO);
    let labels: Vec<&str> = ticks.iter().map(|tick| tick.label.as_str()).collect();
    assert!(labels.contains(&"1 min 00 s"), "{labels:?}");
    assert!(
        labels.iter().any(|label| label.starts_with("12 h")),
        "{labels:?}"
    );
    let marks = view.marks();
    for tick in &ticks {
        let end = tick.cell + tick.label.chars().count() as u16;
        assert!(
            end <= marks[0].from + 1 || tick.cell >= marks[0].to,
            "{tick:?}"
        );
    }
}

#[test]
fn an_hour_of_a_year_can_be_looked_at_to_the_nanosecond() {
    let year = 366 * 24 * HOUR;
    let busy = [span(0, HOUR), span(year - HOUR, year)];
    let folds = Folds::new(span(0, year), &busy, Nanos(SECOND));
    let at = Nanos(year - HOUR / 2);
    let mut view = FoldedView::fit(&folds, 100);
    for _ in 0..62 {
        view.view = view.view.zoom_in(folds.drawn(at));
    }
    assert!(view.view.window().len().0 < 2_000, "{view:?}");
    let cell = view.cell_of(at).unwrap();
    assert!(view.cell(cell).len().0 <= 16);
    assert!(view.cell(cell).start <= at && at < view.cell(cell).end);
}

#[test]
fn a_cell_with_one_call_among_a_million_still_shows_it() {
    assert_eq!(height(0, 9, Glyphs::Blocks), ' ');
    assert_eq!(height(1, 1_000_000, Glyphs::Blocks), '▁');
    assert_eq!(height(1_000_000, 1_000_000, Glyphs::Blocks), '█');
    assert_eq!(height(4, 8, Glyphs::Blocks), '▄');
    assert_eq!(height(7, 8, Glyphs::Ascii), '7');
    assert_eq!(height(10, 80, Glyphs::Ascii), '+');
    assert_eq!(height(usize::MAX, 0, Glyphs::Blocks), '█');
}

#[test]
fn a_cell_says_how_many_share_it() {
    let blocks: String = (2..12).filter_map(|n| several(n, Glyphs::Blocks)).collect();
    assert_eq!(blocks, "▂▃▄▅▅▆▆▆▇▇");
    let ascii: String = (2..12).filter_map(|n| several(n, Glyphs::Ascii)).collect();
    assert_eq!(ascii, "23456789++");
    assert_eq!(several(1, Glyphs::Blocks), None);
    assert_eq!(several(0, Glyphs::Ascii), None);
}

prop_compose! {
    /// Work and gaps by turns, of any length from nanoseconds to years.
    fn axis()(
        start in 0u64..1_000,
        lengths in prop::collection::vec((0u32..50, any::<u64>()), 1..12),
        typical in 0u64..SECOND,
    ) -> Folds {
        let mut at = start;
        let mut busy = Vec::new();
        for (n, (bits, raw)) in lengths.into_iter().enumerate() {
            let end = at + (raw >> (63 - bits));
            if n % 2 == 0 {
                busy.push(span(at, end));
            }
            at = end;
        }
        Folds::new(span(start, at + 1), &busy, Nanos(typical))
    }
}

/// An instant on the axis: a share of it, or a few nanoseconds beside the end of a gap.
fn instant(folds: &Folds, share: f64, beside: i64, kind: usize) -> Nanos {
    let extent = folds.extent();
    let fold = (!folds.is_empty()).then(|| folds.fold(kind / 3 % folds.len()).unwrap());
    let at = match (kind % 3, fold) {
        (1, Some(fold)) => fold.gap.start.0.saturating_add_signed(beside),
        (2, Some(fold)) => fold.gap.end.0.saturating_add_signed(beside),
        _ => extent.start.0 + (extent.len().0 as f64 * share) as u64,
    };
    Nanos(at.clamp(extent.start.0, extent.end.0))
}

fn zoomed(folds: &Folds, cells: u16, moves: Vec<(u8, f64, i32)>) -> FoldedView<'_> {
    let mut view = FoldedView::fit(folds, cells);
    for (kind, share, step) in moves {
        let window = view.view.window();
        let about = Nanos(window.start.0 + (window.len().0 as f64 * share) as u64);
        view.view = match kind {
            0 | 1 => view.view.zoom_in(about),
            2 => view.view.zoom_out(about),
            _ => view.view.pan(step),
        };
    }
    view
}

fn moves() -> impl Strategy<Value = Vec<(u8, f64, i32)>> {
    prop::collection::vec((0u8..4, 0.0..1.0f64, -50i32..50), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_later_instant_never_lies_further_left(
        folds in axis(), cells in 1u16..200, moves in moves(),
        a in (0.0..1.0f64, -3i64..4, 0usize..60), b in (0.0..1.0f64, -3i64..4, 0usize..60),
    ) {
        let view = zoomed(&folds, cells, moves);
        let (a, b) = (instant(&folds, a.0, a.1, a.2), instant(&folds, b.0, b.1, b.2));
        let (early, late) = (a.min(b), a.max(b));
        prop_assert!(folds.drawn(early) <= folds.drawn(late));
        prop_assert!(view.eighth(early) <= view.eighth(late));
    }

    #[test]
    fn outside_of_folds_a_nanosecond_is_a_nanosecond(
        folds in axis(), a in (0.0..1.0f64, -3i64..4, 0usize..60), step in 0u64..1_000_000,
    ) {
        let from = instant(&folds, a.0, a.1, a.2);
        let to = Nanos((from.0 + step).min(folds.extent().end.0));
        let crosses = (0..folds.len()).map(|n| folds.fold(n).unwrap().gap)
            .any(|gap| gap.start < to && gap.end > from);
        if !crosses {
            prop_assert_eq!(folds.drawn(to).since(folds.drawn(from)), to.since(from));
        }
    }

    #[test]
    fn drawn_time_leads_back_to_the_first_instant_that_has_it(
        folds in axis(), a in (0.0..1.0f64, -3i64..4, 0usize..60),
    ) {
        let at = instant(&folds, a.0, a.1, a.2);
        let drawn = folds.drawn(at);
        let first = folds.real(drawn);
        prop_assert!(first <= at);
        prop_assert_eq!(folds.drawn(first), drawn);
        if first > folds.extent().start {
            prop_assert!(folds.drawn(Nanos(first.0 - 1)) < drawn);
        }
    }

    #[test]
    fn folding_makes_no_axis_longer_and_folds_lie_apart(folds in axis()) {
        prop_assert!(folds.whole().len() <= folds.extent().len());
        for n in 0..folds.len() {
            let fold = folds.fold(n).unwrap();
            prop_assert!(fold.drawn.len() < fold.gap.len());
            prop_assert_eq!(folds.drawn(fold.gap.start), fold.drawn.start);
            prop_assert_eq!(folds.drawn(fold.gap.end), fold.drawn.end);
            if let Some(next) = folds.fold(n + 1) {
                prop_assert!(fold.gap.end <= next.gap.start);
                prop_assert!(fold.drawn.end <= next.drawn.start);
            }
        }
    }

    #[test]
    fn every_instant_in_the_window_is_counted_in_its_cell_and_in_no_other(
        folds in axis(), cells in 1u16..200, moves in moves(),
        points in prop::collection::vec((0.0..1.0f64, -3i64..4, 0usize..60), 0..20),
    ) {
        let view = zoomed(&folds, cells, moves);
        let points: Vec<Nanos> = points.iter().map(|p| instant(&folds, p.0, p.1, p.2)).collect();
        let moments = Moments::new(points.clone());
        let counted: usize = (0..cells).map(|cell| moments.count(view.cell(cell))).sum();
        let cells_of: Vec<u16> = points.iter().filter_map(|at| view.cell_of(*at)).collect();
        prop_assert_eq!(counted, cells_of.len());
        if view.view.window().len().0 >= u64::from(view.view.width()) {
            for cell in cells_of.iter().copied() {
                let here = cells_of.iter().filter(|other| **other == cell).count();
                prop_assert_eq!(moments.count(view.cell(cell)), here);
            }
        }
    }

    #[test]
    fn zooming_in_and_out_again_ends_where_it_began(
        folds in axis(), cells in 1u16..200, share in 0.0..1.0f64, steps in 1usize..20,
    ) {
        let whole = FoldedView::fit(&folds, cells).view;
        let about = Nanos((whole.window().len().0 as f64 * share) as u64);
        let there = (0..steps).fold(whole, |view, _| view.zoom_in(about));
        let back = (0..there.level()).fold(there, |view, _| view.zoom_out(about));
        prop_assert_eq!(back, whole);
    }

    #[test]
    fn labels_of_a_folded_axis_neither_touch_nor_go_back(
        folds in axis(), cells in 1u16..200, moves in moves(),
    ) {
        let view = zoomed(&folds, cells, moves);
        let ticks = folded_ticks(&view, folds.extent().start);
        for pair in ticks.windows(2) {
            let end = usize::from(pair[0].cell) + pair[0].label.chars().count();
            prop_assert!(end < usize::from(pair[1].cell), "{:?}", pair);
            prop_assert!(pair[0].at < pair[1].at);
        }
        for tick in &ticks {
            prop_assert!(usize::from(tick.cell) + tick.label.chars().count() <= usize::from(cells));
        }
    }

    #[test]
    fn what_covers_the_cells_adds_up_to_what_covers_the_window(
        folds in axis(), cells in 1u16..200, moves in moves(),
        points in prop::collection::vec((0.0..1.0f64, -3i64..4, 0usize..60), 0..20),
    ) {
        let view = zoomed(&folds, cells, moves);
        let mut points: Vec<Nanos> = points.iter().map(|p| instant(&folds, p.0, p.1, p.2)).collect();
        points.sort_unstable();
        let spans: Vec<Span> = points.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1])).collect();
        let covered = Coverage::new(spans.clone());
        let sum: Nanos = (0..cells).map(|cell| covered.within(view.cell(cell))).sum();
        prop_assert_eq!(sum, covered.within(view.window()));
        let window = view.window();
        let expected: Nanos = spans.iter()
            .map(|s| s.end.min(window.end).since(s.start.max(window.start)))
            .sum();
        prop_assert_eq!(sum, expected);
        for span in spans.iter().filter(|span| !span.is_empty()) {
            prop_assert!(covered.covers(span.start));
        }
    }
}
