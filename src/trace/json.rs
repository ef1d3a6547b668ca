//! JSON that is looked at without being built: fields as they stand, strings that other parsers
//! refuse (half an emoji), any depth of nesting.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The values of the named fields of an object, as they stand in `text`.
///
/// 1. Of a repeated field the last value counts; 2. `null` counts as missing; 3. values of other
///    fields are skipped without being built, however deep they nest.
pub(crate) fn fields<'a, const N: usize>(
    text: &'a str,
    names: [&str; N],
) -> serde_json::Result<[Option<&'a RawValue>; N]> {
    let mut found = [None; N];
    each_field(text, |name, value| {
        if let (Some(i), Some(value)) = (names.iter().position(|known| *known == name), value) {
            found[i] = (value.get() != "null").then_some(value);
        }
    })?;
    Ok(found)
}

/// The names of an object's fields, each with its value where that is a short string. Names seen
/// before an error count: a cut document still says what it is.
pub(crate) fn outline(text: &str) -> (Vec<(String, Option<String>)>, bool) {
    let mut seen: Vec<(String, Option<String>)> = Vec::new();
    let whole = each_field(text, |name, value| {
        let word = value.map(RawValue::get).filter(|raw| raw.len() < 100);
        seen.push((name.to_owned(), word.and_then(string).map(Cow::into_owned)));
    });
    (seen, whole.is_ok())
}

/// The fields of an object with their values as they stand, up to an error.
pub(crate) fn all_fields(text: &str) -> Vec<(String, &str)> {
    let mut seen = Vec::new();
    let _ = each_field(text, |name, value| {
        seen.extend(value.map(|value| (name.to_owned(), value.get())));
    });
    seen
}

/// Visits the fields in order. A field whose value breaks off has a name and no value.
pub(crate) fn each_field<'a>(
    text: &'a str,
    mut visit: impl FnMut(&str, Option<&'a RawValue>),
) -> serde_json::Result<()> {
    let mut parser = serde_json::Deserializer::from_str(text);
    Fields(&mut visit).deserialize(&mut parser)?;
    parser.end()
}

struct Fields<'f, F>(&'f mut F);

impl<'de, F: FnMut(&str, Option<&'de RawValue>)> DeserializeSeed<'de> for Fields<'_, F> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_map(self)
    }
}

impl<'de, F: FnMut(&str, Option<&'de RawValue>)> Visitor<'de> for Fields<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let value = map.next_value::<&'de RawValue>();
            (self.0)(&name, value.as_ref().ok().copied());
            value?;
        }
        Ok(())
    }
}

/// The elements of an array, as they stand.
pub(crate) fn items(text: &str) -> serde_json::Result<Vec<&RawValue>> {
    serde_json::from_str(text)
}

/// The first element of an array, found without looking at the others.
pub(crate) fn first_item(text: &str) -> Option<&RawValue> {
    let inside = text.trim_start().strip_prefix('[')?;
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<&RawValue>();
    values.next()?.ok()
}

/// The first field of an object.
pub(crate) fn first_field(text: &str) -> Option<(String, &RawValue)> {
    let mut first = None;
    each_field(text, |name, value| {
        if first.is_none() {
            first = value.map(|value| (name.to_owned(), value));
        }
    })
    .ok()?;
    first
}

/// True where `text` is one JSON value; nesting is no obstacle.
pub(crate) fn is_value(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The string behind a JSON literal; `None` where it is none. Half a surrogate pair becomes U+FFFD,
/// a missing closing quote is the end.
pub(crate) fn string(literal: &str) -> Option<Cow<'_, str>> {
    let inside = literal.strip_prefix('"')?;
    let inside = match inside.strip_suffix('"') {
        Some(body) if !ends_escaped(body) => body,
        _ => inside,
    };
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    let mut out = String::with_capacity(inside.len());
    unescape(inside, |part| out.push_str(part));
    Some(Cow::Owned(out))
}

/// How many bytes the string behind a literal has, without building it.
pub(crate) fn string_len(literal: &str) -> Option<u64> {
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut len = 0;
    unescape(inside, |part| len += part.len() as u64);
    Some(len)
}

/// A number; `None` for anything else.
pub(crate) fn number(value: &RawValue) -> Option<f64> {
    value.get().parse().ok().filter(|n: &f64| n.is_finite())
}

/// The byte offset of `part`, which was cut out of `whole`.
pub(crate) fn offset_in(whole: &str, part: &str) -> u64 {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize) as u64
}

/// An odd number of backslashes at the end: the quote after it is part of the string.
fn ends_escaped(body: &str) -> bool {
    body.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}

fn unescape(inside: &str, mut sink: impl FnMut(&str)) {
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        sink(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(escape) = rest.chars().next() else {
            return;
        };
        rest = &rest[escape.len_utf8()..];
        match escape {
            'n' => sink("\n"),
            't' => sink("\t"),
            'r' => sink("\r"),
            'b' => sink("\u{8}"),
            'f' => sink("\u{c}"),
            'u' => {
                let (c, len) = unicode_escape(rest);
                sink(c.encode_utf8(&mut [0; 4]));
                rest = &rest[len..];
            }
            other => sink(other.encode_utf8(&mut [0; 4])),
        }
    }
    sink(rest);
}

/// The character of a `\u` escape, after the `u`, and how many bytes it takes.
fn unicode_escape(rest: &str) -> (char, usize) {
    let unit = |text: &str| {
        let digits = text.get(..4)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(rest) else {
        return (char::REPLACEMENT_CHARACTER, 0);
    };
    if let Some(c) = char::from_u32(first) {
        return (c, 4);
    }
    let low = rest[4..].strip_prefix("\\u").and_then(unit);
    match (first, low) {
        (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            (
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                10,
            )
        }
        _ => (char::REPLACEMENT_CHARACTER, 4),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn half_an_emoji_becomes_a_replacement_character_and_a_whole_one_stays() {
        for (literal, text) in [
            (r#""plain""#, "plain"),
            (r#""cut \ud83d""#, "cut \u{fffd}"),
            (r#""\ude00 first""#, "\u{fffd} first"),
            (r#""\ud83d\ude00!""#, "\u{1f600}!"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""a\n\t\"\\\/\u0041""#, "a\n\t\"\\/A"),
            (r#""no end"#, "no end"),
            (r#""end in quote\""#, "end in quote\""),
        ] {
            assert_eq!(string(literal).unwrap(), text, "{literal}");
        }
        assert_eq!(string_len(r#""\ud83d\ude00\n""#), Some(5));
        assert_eq!(string("7"), None);
    }

    #[test]
    fn fields_are_found_beside_depth_and_repeats() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let text = format!(r#"{{"a":1,"deep":{deep},"a":"two","n":null}}"#);
        let [a, deep_value, missing] = fields(&text, ["a", "deep", "n"]).unwrap();
        assert_eq!(a.unwrap().get(), r#""two""#);
        assert_eq!(deep_value.unwrap().get(), deep);
        assert!(missing.is_none());
    }

    #[test]
    fn a_cut_document_still_has_the_names_before_the_cut() {
        let (names, whole) = outline(r#"{"type":"user","n":3,"x":{"y":"#);
        assert!(!whole);
        let names: Vec<_> = names.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["type", "n", "x"]);
    }
}
