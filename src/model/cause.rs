//! Why a call started when it did.

use super::key::{KeyId, KeyTable};

/// Why a call started when it did: the last thing it had to wait for. Indices are calls of the
/// same turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// Nothing held it back.
    Issued,
    /// Everything else was ready before; `after` freed the slot.
    Slot {
        /// The call whose end freed a slot.
        after: u32,
    },
    /// `after` touched the same key.
    Key {
        /// The key both touch; of a tree and a key inside it, the key inside.
        key: KeyId,
        /// The call that held it.
        after: u32,
    },
    /// `after` is a barrier.
    Barrier {
        /// The barrier.
        after: u32,
    },
    /// Any other edge of the plan: the call before, the stage before, or a hint of the model.
    After {
        /// The call waited for.
        after: u32,
    },
    /// Its approval came last.
    Approval,
}

impl Cause {
    /// The call waited for, if it was one.
    #[must_use]
    pub const fn after(self) -> Option<u32> {
        match self {
            Self::Issued | Self::Approval => None,
            Self::Slot { after }
            | Self::Key { after, .. }
            | Self::Barrier { after }
            | Self::After { after } => Some(after),
        }
    }

    /// The form in files and on screens: `issued`, `slot after 3`, `key invoice:8123 after 1`,
    /// `barrier 2`, `after 0`, `approval`. The key is as in the file: sanitise before showing.
    #[must_use]
    pub fn text(self, keys: &KeyTable) -> String {
        match self {
            Self::Issued => "issued".to_owned(),
            Self::Slot { after } => format!("slot after {after}"),
            Self::Key { key, after } => format!("key {} after {after}", keys.text(key)),
            Self::Barrier { after } => format!("barrier {after}"),
            Self::After { after } => format!("after {after}"),
            Self::Approval => "approval".to_owned(),
        }
    }

    /// Reads the form that [`Cause::text`] writes; `None` where it is not one.
    pub fn parse(text: &str, keys: &mut KeyTable) -> Option<Self> {
        match text {
            "issued" => return Some(Self::Issued),
            "approval" => return Some(Self::Approval),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix("key ") {
            let (key, after) = rest.rsplit_once(" after ")?;
            return Some(Self::Key {
                after: after.parse().ok()?,
                key: keys.intern_text(key),
            });
        }
        let (word, after) = text.rsplit_once(' ')?;
        let after = after.parse().ok()?;
        match word {
            "slot after" => Some(Self::Slot { after }),
            "barrier" => Some(Self::Barrier { after }),
            "after" => Some(Self::After { after }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_reads_back_as_it_was_written() {
        let mut keys = KeyTable::new();
        let key = keys.intern_text("file:a after 3");
        for cause in [
            Cause::Issued,
            Cause::Approval,
            Cause::Slot { after: 3 },
            Cause::Key { key, after: 12 },
            Cause::Barrier { after: 0 },
            Cause::After { after: 7 },
        ] {
            let text = cause.text(&keys);
            assert_eq!(Cause::parse(&text, &mut keys), Some(cause), "{text}");
        }
        assert_eq!(Cause::parse("slot before 3", &mut keys), None);
    }
}
