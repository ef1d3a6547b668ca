//! The viewer: `update(&mut Model, Msg) -> Vec<Cmd>` without IO or clock, `view` that changes
//! nothing, and a loop that draws only when something changed.
//!
//! What it wants from the outside (bodies of a file, the end of the program) leaves as [`Cmd`]
//! and comes back as [`Msg`]. Keys are one table, [`keymap::KEYS`].

mod assumed;
mod bars;
mod compare;
mod edits;
mod full_body;
mod full_text;
pub mod keymap;
mod lanes;
pub mod layout;
mod model;
mod msg;
mod pager;
mod places;
mod pretty;
mod report;
mod runtime;
mod session_layout;
mod skin;
mod spot;
mod standing;
mod terminal;
pub mod theme;
mod update;
mod view;
mod why;
mod words;

pub use lanes::LaneBy;
pub use model::{
    Ahead, Assuming, Assumptions, Changes, Clock, Compare, CopyMenu, Detail, Doing, Facts, Look,
    Model, Overlay, Panel, PlacesList, PlacesTab, Player, Race, Reading, SaveLine, Session, Speed,
    Tally, WhatIf, ahead, doing, last_moment, moments, rival,
};
pub use msg::{
    Assume, Assumed, Body, Cmd, FollowNews, Found, Listing, Msg, NotSaved, Opened, ReplayNews,
    ReplayRequest, Wish,
};
pub use report::{Drawn, Row, Schedule, TurnReport};
pub use runtime::{Exit, Host, Input, PagerText, Replies, Stage, run_loop, show};
pub use skin::{Ink, Skin};
pub use terminal::{leave_screen_to, restore};
pub use update::{begin, update};
pub use view::view;
