//! A setting and where it comes from.

use std::fmt;

/// Where a setting comes from; the later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is built in.
    Default,
    /// The settings file says so.
    File,
    /// This variable of the environment says so.
    Environment(&'static str),
    /// This flag says so.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File => f.write_str("file"),
            Self::Environment(name) => write!(f, "environment: {name}"),
            Self::Flag(name) => write!(f, "flag: {name}"),
        }
    }
}

/// A setting and where it comes from.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Setting<T> {
    /// What is in force.
    pub(in crate::cli) value: T,
    pub(super) from: Origin,
}

impl<T> Setting<T> {
    /// What is built in, or what the file says over it.
    pub(super) fn or_file(default: T, file: Option<T>) -> Self {
        let from = if file.is_some() {
            Origin::File
        } else {
            Origin::Default
        };
        Self {
            value: file.unwrap_or(default),
            from,
        }
    }

    /// The same, or what something stronger says.
    pub(super) fn or(self, stronger: Option<T>, from: Origin) -> Self {
        match stronger {
            Some(value) => Self { value, from },
            None => self,
        }
    }
}
