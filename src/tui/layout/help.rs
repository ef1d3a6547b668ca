//! The help, in one column or two.

use crate::tui::keymap::{Entry, Group, Keymap};

/// True where the help has two columns.
#[must_use]
pub const fn help_is_wide(width: u16) -> bool {
    width >= 100
}

/// How many rows the help takes at a width.
#[must_use]
pub fn help_rows(keys: &Keymap, width: u16) -> usize {
    let (left, right) = help_columns(keys, width);
    left.len().max(right.len())
}

/// A line of the help: a heading, a key with what it does, or air.
#[derive(Clone, Copy, Debug)]
pub enum HelpLine<'a> {
    /// The name of a group.
    Heading(Group),
    /// A key.
    Key(&'a Entry),
    /// Nothing.
    Air,
}

/// The lines of the help in one column or two.
#[must_use]
pub fn help_columns(keys: &Keymap, width: u16) -> (Vec<HelpLine<'_>>, Vec<HelpLine<'_>>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for group in Group::ALL {
        let second = help_is_wide(width) && !matches!(group, Group::Move | Group::Find);
        let column = if second { &mut right } else { &mut left };
        if !column.is_empty() {
            column.push(HelpLine::Air);
        }
        column.push(HelpLine::Heading(group));
        let entries = keys
            .entries()
            .iter()
            .filter(|entry| entry.binding.group == group);
        column.extend(entries.map(HelpLine::Key));
    }
    (left, right)
}
