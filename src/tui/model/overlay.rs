//! What lies over the panels.

use super::assuming::{Assuming, Compare};
use super::detail::Detail;
use super::race::Race;

/// What lies over the panels; at most one thing at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys.
    Help {
        /// First visible line.
        top: usize,
    },
    /// The sessions on this machine.
    Sessions,
    /// One call in full.
    Detail(Box<Detail>),
    /// Two schedules of the selected turn on one clock.
    Race(Race),
    /// What is assumed instead of what the file says.
    Assumptions(Box<Assuming>),
    /// Two schedules, call by call.
    Compare(Box<Compare>),
    /// The search line.
    Search,
    /// Lists of places to go to.
    Places(PlacesList),
    /// What can be copied of the selected call.
    Copy(CopyMenu),
}

/// Which list of places is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlacesTab {
    /// Where jumps came from.
    #[default]
    Jumps,
    /// What the user marked.
    Marks,
    /// The hazards of the run, the worst first.
    Hazards,
}

impl PlacesTab {
    /// In the order of Tab.
    pub const ALL: [Self; 3] = [Self::Jumps, Self::Marks, Self::Hazards];
}

/// Lists of places to go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacesList {
    /// The open list.
    pub tab: PlacesTab,
    /// The selected row.
    pub at: usize,
    /// The first visible row.
    pub top: usize,
}

/// What can be copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyMenu {
    /// The selected row.
    pub at: usize,
    /// The call that was open in full; it comes back when the menu closes.
    pub under: Option<Box<Detail>>,
}
