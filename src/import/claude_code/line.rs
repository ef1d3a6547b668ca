//! What of a line is looked at. Everything else is skipped without being built, so neither depth
//! nor half an emoji nor size costs a line.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::import::value::{Stamp, fields_of, hash, is_true, stamp, word};
use crate::trace::json;

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
