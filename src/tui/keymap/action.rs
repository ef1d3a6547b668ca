//! What keys can ask for.

/// What a key can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table below says what each one does")]
pub enum Action {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    NextPanel,
    PreviousPanel,
    NextSeveral,
    PreviousSeveral,
    NextThread,
    Open,
    Close,
    WhatIf,
    NextPolicy,
    PreviousPolicy,
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    Fit,
    FitSelection,
    CursorLeft,
    CursorRight,
    Lanes,
    Help,
    Redraw,
    Suspend,
    Quit,
}
