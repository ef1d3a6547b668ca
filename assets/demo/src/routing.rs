//! Whose desk a ticket belongs on.

use crate::priority::Priority;
use crate::ticket::Ticket;

/// A group of people who answer tickets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Desk {
    OnCall,
    Billing,
    Accounts,
    General,
}

const BILLING: [&str; 4] = ["invoice", "refund", "payment", "charged"];
const ACCOUNTS: [&str; 4] = ["login", "password", "account", "locked"];

impl Desk {
    /// The desk for a ticket: whatever is critical goes to whoever is on call.
    pub fn of(ticket: &Ticket) -> Self {
        if Priority::of(ticket) == Priority::Critical {
            Self::OnCall
        } else if ticket.mentions(&BILLING) {
            Self::Billing
        } else if ticket.mentions(&ACCOUNTS) {
            Self::Accounts
        } else {
            Self::General
        }
    }

    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::OnCall => "on-call",
            Self::Billing => "billing",
            Self::Accounts => "accounts",
            Self::General => "general",
        }
    }
}
