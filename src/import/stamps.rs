//! Points in time written as numbers: exact, whatever their unit and spelling.

use serde_json::value::RawValue;

use super::value::{Stamp, fields_of};
use crate::trace::json;

/// Longer numbers are no times.
const LONGEST: usize = 64;

/// A number of units of 10^-`digits` seconds as nanoseconds, without a detour through binary
/// fractions: `1767312000000000001` keeps its last digit. What lies below a nanosecond is cut off.
pub(super) fn decimal(text: &str, digits: u8) -> Stamp {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let places = i32::try_from(fraction.len()).ok()?;
    let shift = exponent
        .checked_sub(places)?
        .checked_add(9 - i32::from(digits))?;
    let mut value: i128 = 0;
    let mut any = false;
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = char::from(digit).to_digit(10)?;
        value = value.checked_mul(10)?.checked_add(i128::from(digit))?;
        any = true;
    }
    if !any {
        return None;
    }
    let scaled = match u32::try_from(shift) {
        Ok(_) if value == 0 => 0,
        Ok(up) => value.checked_mul(10_i128.checked_pow(up)?)?,
        Err(_) => {
            let down = 10_i128.checked_pow(shift.unsigned_abs());
            down.map_or(0, |down| value / down)
        }
    };
    i64::try_from(if negative { -scaled } else { scaled }).ok()
}

/// The number in a value: bare, in a string, or in two halves of 32 bits.
pub(super) fn number_of(value: &RawValue, digits: u8) -> Stamp {
    let raw = value.get();
    if raw.starts_with('{') {
        let [low, high] = fields_of(Some(value), ["low", "high"]);
        let half = |half: Option<&RawValue>| half?.get().parse::<i64>().ok();
        let (low, high) = (half(low)?, half(high)?);
        // Both halves may be written as signed numbers.
        let low = u64::try_from(low & 0xffff_ffff).ok()?;
        let high = u64::try_from(high & 0xffff_ffff).ok()?;
        return i64::try_from(high << 32 | low).ok();
    }
    match json::string(raw) {
        Some(text) => decimal(&text, digits),
        None => decimal(raw, digits),
    }
}

/// The unit in which a number is a time between 2001 and 2100, as the digits behind its second.
pub(super) fn wall_unit(value: i64) -> Option<u8> {
    let units = [(0, 1), (3, 1_000), (6, 1_000_000), (9, 1_000_000_000)];
    let fits = |(_, scale): &(u8, i64)| (1_000_000_000..4_102_444_800).contains(&(value / scale));
    units.into_iter().find(fits).map(|(digits, _)| digits)
}

/// How a unit is called.
pub(super) const fn unit_name(digits: u8) -> &'static str {
    match digits {
        0 => "seconds",
        3 => "milliseconds",
        6 => "microseconds",
        _ => "nanoseconds",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_number_keeps_every_digit_however_it_is_written() {
        for (text, digits, nanos) in [
            (
                "1767312000000000001",
                9,
                Some(1_767_312_000_000_000_001_i64),
            ),
            (
                "1.767312000000000001e18",
                9,
                Some(1_767_312_000_000_000_001),
            ),
            ("1767312000000000001.9", 9, Some(1_767_312_000_000_000_001)),
            ("12.345", 6, Some(12_345)),
            ("12.3456", 6, Some(12_345)),
            ("1767312000", 0, Some(1_767_312_000_000_000_000)),
            ("-5", 9, Some(-5)),
            ("0", 9, Some(0)),
            ("0e999999999", 9, Some(0)),
            ("1e-400", 9, Some(0)),
            ("1e300", 9, None),
            ("18446744073709551615", 9, None),
            ("", 9, None),
            (".", 9, None),
            ("1e", 9, None),
            ("NaN", 9, None),
            ("1 2", 9, None),
        ] {
            assert_eq!(decimal(text, digits), nanos, "{text}");
        }
    }

    #[test]
    fn two_halves_are_one_number() {
        for (text, nanos) in [
            (r#"{"low":1,"high":2}"#, Some((2_i64 << 32) + 1)),
            (r#"{"low":-1,"high":0,"unsigned":true}"#, Some(0xffff_ffff)),
            (r#"{"low":1}"#, None),
            (r#"{"low":"x","high":{}}"#, None),
            (r#""17""#, Some(17)),
            ("[]", None),
        ] {
            let raw = RawValue::from_string(text.to_owned()).unwrap();
            assert_eq!(number_of(&raw, 9), nanos, "{text}");
        }
    }

    #[test]
    fn the_unit_of_a_wall_time_is_known_by_its_size() {
        for (value, unit) in [
            (1_767_312_000, Some(0)),
            (1_767_312_001_500, Some(3)),
            (1_767_312_001_500_000, Some(6)),
            (1_767_312_001_500_000_000, Some(9)),
            (3_000_000, None),
            (0, None),
            (-5, None),
        ] {
            assert_eq!(wall_unit(value), unit, "{value}");
        }
    }
}
