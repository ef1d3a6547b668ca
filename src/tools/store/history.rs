//! What was accepted, and what was lost all the same.

use std::collections::BTreeMap;

use super::record::{Kind, Value};

/// A write that the store accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedWrite {
    /// The run that wrote.
    pub run: String,
    /// The thread, turn (from 1) and place in it (from 0) of the call.
    pub call: (u32, u32, u32),
    /// What was written.
    pub kind: Kind,
    /// Which of that kind.
    pub id: String,
    /// The revision that the writer had read.
    pub seen: i64,
    /// The revision that it made.
    pub revision: i64,
}

impl AcceptedWrite {
    pub(super) fn of(row: &[Value]) -> Option<Self> {
        let [run, thread, turn, call, kind, id, seen, revision] = row else {
            return None;
        };
        let number = |value: &Value| u32::try_from(value.int()).ok();
        Some(Self {
            run: run.text().to_owned(),
            call: (number(thread)?, number(turn)?, number(call)?),
            kind: Kind::ALL.into_iter().find(|k| k.name() == kind.text())?,
            id: id.text().to_owned(),
            seen: seen.int(),
            revision: revision.int(),
        })
    }
}

/// One revision that several writes made: all but the last are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostUpdate {
    /// What was written.
    pub kind: Kind,
    /// Which of that kind.
    pub id: String,
    /// The revision that they all made.
    pub revision: i64,
    /// How many made it.
    pub writes: usize,
}

/// The revisions of `writes` that were made more than once, in order. Under conditional writes
/// there is none.
#[must_use]
pub fn lost_updates(writes: &[AcceptedWrite]) -> Vec<LostUpdate> {
    let mut made: BTreeMap<(Kind, &str, i64), usize> = BTreeMap::new();
    for write in writes {
        *made
            .entry((write.kind, &write.id, write.revision))
            .or_default() += 1;
    }
    let several = made.into_iter().filter(|(_, writes)| *writes > 1);
    several
        .map(|((kind, id, revision), writes)| LostUpdate {
            kind,
            id: id.to_owned(),
            revision,
            writes,
        })
        .collect()
}
