//! How urgent a ticket is.

use crate::ticket::{Plan, Ticket};

/// How urgent a ticket is, the least urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    Low,
    Normal,
    High,
    Critical,
}

const OUTAGE: [&str; 4] = ["down", "outage", "unreachable", "500"];
const BLOCKED: [&str; 4] = ["blocked", "cannot", "locked", "broken"];
const WISH: [&str; 3] = ["wish", "idea", "suggestion"];

impl Priority {
    /// The priority of a ticket.
    ///
    /// An outage is critical on every plan but the free one. Enterprise customers are one step
    /// up, but never critical without an outage.
    pub fn of(ticket: &Ticket) -> Self {
        if ticket.mentions(&OUTAGE) {
            return match ticket.plan {
                Plan::Free => Self::High,
                Plan::Team | Plan::Enterprise => Self::Critical,
            };
        }
        let base = if ticket.mentions(&BLOCKED) {
            Self::High
        } else if ticket.mentions(&WISH) {
            Self::Low
        } else {
            Self::Normal
        };
        match (ticket.plan, base) {
            (Plan::Enterprise, Self::Low) => Self::Normal,
            (Plan::Enterprise, Self::Normal) => Self::High,
            (_, base) => base,
        }
    }

    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priority(plan: Plan, subject: &str) -> Priority {
        Priority::of(&Ticket {
            id: 1,
            opened: 0,
            waiting: 0,
            plan,
            subject: subject.to_owned(),
        })
    }

    #[test]
    fn an_outage_is_critical_for_those_who_pay() {
        assert_eq!(priority(Plan::Team, "Site is DOWN!"), Priority::Critical);
        assert_eq!(priority(Plan::Free, "Site is down"), Priority::High);
    }

    #[test]
    fn enterprise_is_one_step_up_and_not_two() {
        assert_eq!(priority(Plan::Enterprise, "An idea"), Priority::Normal);
        assert_eq!(priority(Plan::Enterprise, "A question"), Priority::High);
        assert_eq!(priority(Plan::Enterprise, "Login broken"), Priority::High);
    }

    #[test]
    fn a_word_inside_another_does_not_count() {
        assert_eq!(priority(Plan::Team, "Download page"), Priority::Normal);
    }
}
