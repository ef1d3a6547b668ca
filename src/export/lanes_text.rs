//! Lanes as rows of block characters.

use crate::analyze::{Lanes, Segment, State};
use crate::chart::{Bar, Glyphs, Role, Viewport, raster};

/// What a stretch looks like.
#[must_use]
pub(super) const fn role(state: State) -> Role {
    match state {
        State::Wait => Role::Wait,
        State::Run => Role::Run,
        State::Failed => Role::Failed,
        State::Late => Role::Late,
        State::Open => Role::Open,
        State::Bound => Role::Bound,
    }
}

/// Bars of one lane.
#[must_use]
pub(super) fn bars(lane: &[Segment]) -> Vec<Bar> {
    lane.iter()
        .map(|segment| Bar {
            span: segment.span,
            role: role(segment.state),
        })
        .collect()
}

/// One row a call, each `cells` wide. A bar's left edge has no reversed glyph in plain text, so it
/// is drawn to the nearer cell.
#[must_use]
pub(super) fn lane_rows(lanes: &Lanes, cells: u16) -> Vec<String> {
    let view = Viewport::fit(lanes.extent, cells);
    let row = |lane: &Vec<Segment>| {
        let drawn = raster(&view, &bars(lane), Glyphs::Blocks);
        drawn
            .into_iter()
            .map(|cell| {
                if cell.reversed {
                    whole(cell.glyph)
                } else {
                    cell.glyph
                }
            })
            .collect()
    };
    lanes.calls.iter().map(row).collect()
}

/// The complement of a left block, rounded to a half or a whole cell.
const fn whole(glyph: char) -> char {
    match glyph {
        '▏' | '▎' | '▍' => '█',
        '▌' | '▋' => '▐',
        _ => '▕',
    }
}
