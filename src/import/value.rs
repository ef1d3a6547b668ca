//! What of a value is looked at. Everything else is skipped without being built, so neither depth
//! nor half an emoji nor size costs a record.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::value::RawValue;

use crate::time::Nanos;
use crate::trace::json;

/// So much of an error text is looked at, and kept.
pub(super) const LONGEST_ERROR: usize = 1_000;
/// A figure beyond ten years says nothing about a call.
const LONGEST_SECONDS: f64 = 10.0 * 366.0 * 86_400.0;

/// Nanoseconds since 1970; `None` where the file gives no usable time.
pub(super) type Stamp = Option<i64>;

/// The string behind a value; empty for none and for anything else.
pub(super) fn word(value: Option<&RawValue>) -> Cow<'_, str> {
    value
        .and_then(|value| json::string(value.get()))
        .unwrap_or_default()
}

pub(super) fn is_true(value: Option<&RawValue>) -> bool {
    value.is_some_and(|value| value.get() == "true")
}

/// The named fields of a value that may be anything: none where it is no object.
pub(super) fn fields_of<'a, const N: usize>(
    value: Option<&'a RawValue>,
    names: [&str; N],
) -> [Option<&'a RawValue>; N] {
    let fields = value.map(|value| json::fields(value.get(), names));
    fields.and_then(Result::ok).unwrap_or([None; N])
}

/// The elements of a value that may be anything: none where it is no list.
pub(super) fn items_of(value: Option<&RawValue>) -> Vec<&RawValue> {
    let items = value.filter(|value| value.get().starts_with('['));
    let items = items.and_then(|items| json::items(items.get()).ok());
    items.unwrap_or_default()
}

/// The beginning of a result's text: a string, or the first text of a list of blocks.
pub(super) fn head(content: &RawValue) -> Cow<'_, str> {
    let raw = content.get();
    let first = json::first_item(raw);
    let [text] = fields_of(first, ["text"]);
    let literal = text.map_or(raw, RawValue::get);
    let end = literal.floor_char_boundary(4 * LONGEST_ERROR);
    json::string(&literal[..end]).unwrap_or_default()
}

/// How many bytes an answer has: those of its text, where it is one string.
pub(super) fn size(content: &RawValue) -> u64 {
    let raw = content.get();
    json::string_len(raw).unwrap_or(raw.len() as u64)
}

/// A duration in seconds; `None` where it is no figure that a call can have.
pub(super) fn seconds(seconds: f64) -> Option<Nanos> {
    let fits = (0.0..=LONGEST_SECONDS).contains(&seconds);
    fits.then(|| Nanos::from_millis_f64(seconds * 1e3))
}

/// RFC 3339 as nanoseconds since 1970.
pub(super) fn stamp(text: &str) -> Stamp {
    chrono::DateTime::parse_from_rfc3339(text)
        .ok()?
        .timestamp_nanos_opt()
}

/// A time of day with its date, with or without a zone: without one it counts as UTC, so it can be
/// compared with others of its file and with nothing else.
pub(super) fn local_stamp(text: &str) -> Stamp {
    const FORMATS: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
    stamp(text).or_else(|| {
        let parse = |format| chrono::NaiveDateTime::parse_from_str(text, format).ok();
        let at = FORMATS.into_iter().find_map(parse)?;
        at.and_utc().timestamp_nanos_opt()
    })
}

/// Seconds since 1970 as written, without a detour through binary fractions.
pub(super) fn unix_seconds(value: &RawValue) -> Stamp {
    let text = value.get();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let plain = digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(fraction);
    if !plain {
        // Exponents are rare and never exact.
        let seconds = json::number(value)?;
        let nanos = seconds * 1e9;
        #[allow(clippy::cast_possible_truncation)]
        return (nanos.abs() < 9.2e18).then_some(nanos as i64);
    }
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = format!("{fraction:0<9.9}").parse().ok()?;
    let fraction = if text.starts_with('-') {
        -fraction
    } else {
        fraction
    };
    whole.checked_mul(1_000_000_000)?.checked_add(fraction)
}

/// The earlier of two times that are known.
pub(super) fn earlier(a: Stamp, b: Stamp) -> Stamp {
    a.into_iter().chain(b).min()
}

/// Wall times become times from the earliest one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zero(pub(super) i64);

impl Zero {
    pub(super) fn from(self, stamp: Stamp) -> Option<Nanos> {
        let since = i128::from(stamp?) - i128::from(self.0);
        Some(Nanos(u64::try_from(since).unwrap_or(0)))
    }
}

pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A row number. Beyond four billion rows the memory has long ended.
pub(super) fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn unix_seconds_keep_every_digit() {
        for (text, nanos) in [
            ("1757015025", Some(1_757_015_025_000_000_000)),
            ("1757015025.972123456", Some(1_757_015_025_972_123_456)),
            ("1757015025.9", Some(1_757_015_025_900_000_000)),
            ("1757015025.9721234567", Some(1_757_015_025_972_123_456)),
            ("-1.5", Some(-1_500_000_000)),
            ("1e9", Some(1_000_000_000_000_000_000)),
            ("1e300", None),
            ("99999999999999999999", None),
            ("\"5\"", None),
            ("true", None),
        ] {
            assert_eq!(unix_seconds(&raw(text)), nanos, "{text}");
        }
    }

    #[test]
    fn a_time_without_a_zone_is_read_and_one_without_a_date_is_not() {
        let zoned = local_stamp("2026-01-02T00:00:00.5Z").unwrap();
        for text in ["2026-01-02T00:00:00.500000", "2026-01-02 00:00:00.5"] {
            assert_eq!(local_stamp(text), Some(zoned), "{text}");
        }
        for text in ["", "00:00:01", "2026-13-01T00:00:00", "now"] {
            assert_eq!(local_stamp(text), None, "{text}");
        }
    }

    #[test]
    fn a_figure_that_no_call_can_have_is_none() {
        assert_eq!(seconds(0.25), Some(Nanos(250_000_000)));
        for odd in [-0.1, f64::NAN, f64::INFINITY, 1e12] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }
}
