//! A ticket as the customer wrote it.

/// One support ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its number.
    pub id: u32,
    /// When it came in.
    pub opened: u32,
    /// Minutes spent waiting for the customer's reply. They are not ours to answer for.
    pub waiting: u32,
    /// The customer's plan: `free`, `team` or `enterprise`.
    pub plan: Plan,
    /// What the customer wrote in the subject line.
    pub subject: String,
}

/// What the customer pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    Free,
    Team,
    Enterprise,
}

impl Plan {
    /// The plan of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "free" => Some(Self::Free),
            "team" => Some(Self::Team),
            "enterprise" => Some(Self::Enterprise),
            _ => None,
        }
    }
}

impl Ticket {
    /// True where the subject holds one of `words`, in any case.
    pub fn mentions(&self, words: &[&str]) -> bool {
        let subject = self.subject.to_lowercase();
        subject
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| words.contains(&word))
    }
}
