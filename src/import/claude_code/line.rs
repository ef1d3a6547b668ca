//! What of a line is looked at. Everything else is skipped without being built, so neither depth
//! nor half an emoji nor size costs a line.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::value::RawValue;

use crate::trace::json;

/// Nanoseconds since 1970; `None` where the file gives no usable time.
pub(super) type Stamp = Option<i64>;

/// The fields of a line that say what it is and where it belongs.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    pub(super) kind: Cow<'a, str>,
    pub(super) uuid: Option<u128>,
    pub(super) parent: Option<u128>,
    pub(super) request: Cow<'a, str>,
    pub(super) at: Stamp,
    /// True where there is a time, but none that can be read.
    pub(super) odd_time: bool,
    pub(super) sidechain: bool,
    pub(super) agent: Cow<'a, str>,
    pub(super) session: Cow<'a, str>,
    pub(super) cwd: Cow<'a, str>,
    /// The call that a sub-agent's line belongs to, in the printed form of a session.
    pub(super) parent_call: Cow<'a, str>,
    pub(super) api_error: bool,
    pub(super) message: Option<&'a RawValue>,
    /// `toolUseResult`: what the tool itself says of a result.
    pub(super) result: Option<&'a RawValue>,
    pub(super) data: Option<&'a RawValue>,
    pub(super) tool_use: Cow<'a, str>,
    pub(super) parent_tool_use: Cow<'a, str>,
    pub(super) content: Option<&'a RawValue>,
}

const NAMES: [&str; 19] = [
    "type",
    "uuid",
    "parentUuid",
    "requestId",
    "timestamp",
    "isSidechain",
    "agentId",
    "sessionId",
    "session_id",
    "cwd",
    "parent_tool_use_id",
    "isApiErrorMessage",
    "message",
    "toolUseResult",
    "tool_use_result",
    "data",
    "toolUseID",
    "parentToolUseID",
    "content",
];

impl<'a> Envelope<'a> {
    pub(super) fn read(text: &'a str) -> serde_json::Result<Self> {
        let [
            kind,
            uuid,
            parent,
            request,
            at,
            sidechain,
            agent,
            session,
            session_id,
            cwd,
            parent_call,
            api_error,
            message,
            result,
            tool_result,
            data,
            tool_use,
            parent_tool_use,
            content,
        ] = json::fields(text, NAMES)?;
        let stamp = at.and_then(|at| stamp(&word(Some(at))));
        Ok(Self {
            kind: word(kind),
            uuid: uuid_of(uuid),
            parent: uuid_of(parent),
            request: word(request),
            at: stamp,
            odd_time: at.is_some() && stamp.is_none(),
            sidechain: is_true(sidechain),
            agent: word(agent),
            session: word(session.or(session_id)),
            cwd: word(cwd),
            parent_call: word(parent_call),
            api_error: is_true(api_error),
            message,
            result: result.or(tool_result),
            data,
            tool_use: word(tool_use),
            parent_tool_use: word(parent_tool_use),
            content,
        })
    }
}

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

/// A content block of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// The whole block as it stands.
    pub(super) raw: &'a RawValue,
    /// The fields that matter of any block.
    pub(super) fields: [Option<&'a RawValue>; 7],
}

impl<'a> Block<'a> {
    const NAMES: [&'static str; 7] = [
        "type",
        "id",
        "name",
        "input",
        "tool_use_id",
        "content",
        "is_error",
    ];

    /// The blocks of `content`, which may be a string: then there are none.
    pub(super) fn all(content: Option<&'a RawValue>) -> Vec<Self> {
        let items = content.filter(|content| content.get().starts_with('['));
        let items = items.and_then(|items| json::items(items.get()).ok());
        let blocks = items.unwrap_or_default().into_iter();
        blocks
            .map(|raw| Self {
                raw,
                fields: fields_of(Some(raw), Self::NAMES),
            })
            .collect()
    }

    pub(super) fn kind(&self) -> Cow<'a, str> {
        word(self.fields[0])
    }
}

/// RFC 3339 as nanoseconds since 1970.
pub(super) fn stamp(text: &str) -> Stamp {
    chrono::DateTime::parse_from_rfc3339(text)
        .ok()?
        .timestamp_nanos_opt()
}

fn uuid_of(value: Option<&RawValue>) -> Option<u128> {
    let text = word(value);
    (!text.is_empty()).then(|| number(&text))
}

/// A line's id as a number: a UUID as it is, anything else by its hash.
fn number(text: &str) -> u128 {
    let digits = text.bytes().filter(|b| *b != b'-');
    let hex = digits.clone().count() == 32 && text.len() == 36;
    let value = || {
        digits.clone().try_fold(0_u128, |value, digit| {
            let digit = char::from(digit).to_digit(16)?;
            Some(value << 4 | u128::from(digit))
        })
    };
    if let Some(value) = hex.then(value).flatten() {
        return value;
    }
    u128::from(hash(&(text, 0))) << 64 | u128::from(hash(&(text, 1)))
}

pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
