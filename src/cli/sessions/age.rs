//! How long ago something was, in words.

use std::time::{Duration, SystemTime};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long before `now` something was: `5 min`, `3 h`, `12 d`; a date once that says more.
pub(super) fn age(now: SystemTime, then: SystemTime) -> String {
    let seconds = now.duration_since(then).map_or(0, |gone| gone.as_secs());
    match seconds {
        ..MINUTE => "now".to_owned(),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        _ if seconds < 30 * DAY => format!("{} d", seconds / DAY),
        _ => date(then),
    }
}

/// The date in UTC.
fn date(then: SystemTime) -> String {
    let seconds = then
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since: Duration| since.as_secs());
    let at = i64::try_from(seconds).ok();
    let at = at.and_then(|at| chrono::DateTime::from_timestamp(at, 0));
    at.map_or_else(String::new, |at| at.format("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_as_coarse_as_people_think_of_it() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let ago = |seconds| age(now, now - Duration::from_secs(seconds));
        assert_eq!(ago(3), "now");
        assert_eq!(ago(5 * MINUTE + 59), "5 min");
        assert_eq!(ago(DAY - 1), "23 h");
        assert_eq!(ago(29 * DAY), "29 d");
        assert_eq!(ago(31 * DAY), "2026-12-15");
        assert_eq!(
            age(now, now + Duration::from_secs(60)),
            "now",
            "a clock that was put back"
        );
    }
}
