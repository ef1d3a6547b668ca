//! The list that a shift begins with.

use std::fmt::Write;

use crate::priority::Priority;
use crate::routing::Desk;
use crate::sla::{due, is_late};
use crate::ticket::Ticket;

/// All tickets by desk, the most urgent first and then the first due; late ones are marked.
pub fn report(tickets: &[Ticket], now: u32) -> String {
    let mut sorted: Vec<&Ticket> = tickets.iter().collect();
    sorted.sort_by_key(|t| {
        let urgency = std::cmp::Reverse(Priority::of(t));
        (Desk::of(t), urgency, due(t), t.id)
    });
    let mut text = String::new();
    let mut desk = None;
    for ticket in sorted {
        if desk != Some(Desk::of(ticket)) {
            desk = Some(Desk::of(ticket));
            let _ = writeln!(text, "{}", Desk::of(ticket).word());
        }
        let mark = if is_late(ticket, now) { "!" } else { " " };
        let _ = writeln!(
            text,
            "{mark} #{} {} by {}  {}",
            ticket.id,
            Priority::of(ticket).word(),
            clock(due(ticket)),
            ticket.subject,
        );
    }
    text
}

/// Minutes as day and time of day: `0 09:05`.
fn clock(minutes: u32) -> String {
    let (days, rest) = (minutes / 1440, minutes % 1440);
    format!("{days} {:02}:{:02}", rest / 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_and_a_clock() {
        assert_eq!(clock(0), "0 00:00");
        assert_eq!(clock(1440 + 9 * 60 + 5), "1 09:05");
    }
}
