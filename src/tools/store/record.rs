//! The resources of a store: a revision and a few fields each.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A column's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number; money is in cents.
    Int(i64),
    /// A text.
    Text(String),
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Self::Int(n.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Value {
    pub(super) fn int(&self) -> i64 {
        match self {
            Self::Int(n) => *n,
            Self::Text(_) => 0,
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Int(_) => "",
        }
    }
}

/// A sort of resource; its name is the kind of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An invoice: what is due, what is charged, and a note.
    Invoice,
    /// A card that invoices are charged to. A charge writes it too.
    Card,
    /// A support ticket.
    Ticket,
    /// Who works on tickets. An assignment counts them, and writes them too.
    Agent,
}

impl Kind {
    /// Every kind, in the order in which a transaction writes them.
    pub const ALL: [Self; 4] = [Self::Invoice, Self::Card, Self::Ticket, Self::Agent];

    /// The kind of its keys.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invoice => "invoice",
            Self::Card => "card",
            Self::Ticket => "ticket",
            Self::Agent => "agent",
        }
    }

    /// Its columns besides id and revision, in the order of the SQL texts.
    #[must_use]
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Invoice => &["status", "amount", "charged", "shipping_note"],
            Self::Card => &["charged", "charges"],
            Self::Ticket => &["status", "agent_id", "note"],
            Self::Agent => &["assigned"],
        }
    }

    const fn id_field(self) -> &'static str {
        match self {
            Self::Invoice => "invoice_id",
            Self::Card => "card_id",
            Self::Ticket => "ticket_id",
            Self::Agent => "agent_id",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A copy of one resource, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its kind.
    pub kind: Kind,
    /// Which one.
    pub id: String,
    /// How often it was written; a write is accepted only against the current one.
    pub revision: i64,
    /// Its values, in the order of [`Kind::fields`].
    pub fields: Vec<Value>,
}

impl Record {
    /// From a row of id, revision and fields.
    pub(super) fn of(kind: Kind, row: Vec<Value>) -> Self {
        let mut row = row.into_iter();
        let id = row.next().map_or_else(String::new, |v| v.text().to_owned());
        let revision = row.next().map_or(0, |v| v.int());
        Self {
            kind,
            id,
            revision,
            fields: row.collect(),
        }
    }

    /// A field's value.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&Value> {
        let at = self.kind.fields().iter().position(|name| *name == field)?;
        self.fields.get(at)
    }

    pub(super) fn int(&self, field: &str) -> i64 {
        self.get(field).map_or(0, Value::int)
    }

    pub(super) fn set(&mut self, field: &str, value: impl Into<Value>) {
        let at = self.kind.fields().iter().position(|name| *name == field);
        if let Some(slot) = at.and_then(|at| self.fields.get_mut(at)) {
            *slot = value.into();
        }
    }

    /// As it is once it has been written back.
    pub(super) fn written(&self) -> Self {
        Self {
            revision: self.revision + 1,
            ..self.clone()
        }
    }
}

/// An object of id, revision and fields, always in that order: answers must not differ by chance.
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 2))?;
        map.serialize_entry(self.kind.id_field(), &self.id)?;
        map.serialize_entry("revision", &self.revision)?;
        for (name, value) in self.kind.fields().iter().zip(&self.fields) {
            match value {
                Value::Int(n) => map.serialize_entry(name, n)?,
                Value::Text(text) => map.serialize_entry(name, text)?,
            }
        }
        map.end()
    }
}
