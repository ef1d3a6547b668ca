//! A morning's tickets from text to report.

use triage::{parse, report, Desk};

const MORNING: &str = "\
# id;opened;waiting;plan;subject
1;480;0;team;Invoice shows the wrong address
2;500;0;enterprise;API unreachable since 8
3;510;0;free;Locked out of my account
4;520;0;free;An idea for the export
5;100;0;team;Payment page is broken
";

#[test]
fn every_ticket_lands_on_a_desk() {
    let desks: Vec<Desk> = parse(MORNING).unwrap().iter().map(Desk::of).collect();
    assert_eq!(
        desks,
        [
            Desk::Billing,
            Desk::OnCall,
            Desk::Accounts,
            Desk::General,
            Desk::Billing
        ]
    );
}

#[test]
fn the_report_puts_the_most_urgent_first_and_marks_what_is_late() {
    let tickets = parse(MORNING).unwrap();
    assert_eq!(
        report(&tickets, 525),
        "on-call\n  #2 critical by 0 08:50  API unreachable since 8\n\
         billing\n! #5 high by 0 05:40  Payment page is broken\n  \
         #1 normal by 1 08:00  Invoice shows the wrong address\n\
         accounts\n  #3 high by 0 12:30  Locked out of my account\n\
         general\n  #4 low by 3 08:40  An idea for the export\n"
    );
}
