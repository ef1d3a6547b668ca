//! By when a ticket must be answered.

use crate::priority::Priority;
use crate::ticket::Ticket;

/// Minutes within which a ticket of this priority must be answered.
pub fn allowance(priority: Priority) -> u32 {
    match priority {
        Priority::Critical => 30,
        Priority::High => 4 * 60,
        Priority::Normal => 24 * 60,
        Priority::Low => 72 * 60,
    }
}

/// When a ticket is due. Time spent waiting for the customer does not count against us.
pub fn due(ticket: &Ticket) -> u32 {
    let allowed = allowance(Priority::of(ticket));
    (ticket.opened + allowed).saturating_sub(ticket.waiting)
}

/// True where the ticket should have been answered before `now`.
pub fn is_late(ticket: &Ticket, now: u32) -> bool {
    now > due(ticket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ticket::Plan;

    fn ticket(opened: u32, waiting: u32) -> Ticket {
        Ticket {
            id: 1,
            opened,
            waiting,
            plan: Plan::Team,
            subject: "Cannot open the report".to_owned(),
        }
    }

    #[test]
    fn a_ticket_is_on_time_until_it_is_due() {
        let ticket = ticket(60, 0);
        assert!(!is_late(&ticket, 300));
        assert!(is_late(&ticket, 301));
    }

    #[test]
    fn the_more_urgent_the_sooner() {
        use Priority::{Critical, High, Low, Normal};
        let allowed = [Critical, High, Normal, Low].map(allowance);
        assert!(allowed.is_sorted());
    }

    #[test]
    fn waiting_for_the_customer_moves_the_due_time_back() {
        assert_eq!(due(&ticket(60, 45)), 60 + 4 * 60 + 45);
    }
}
