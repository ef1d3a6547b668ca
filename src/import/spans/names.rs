//! The names under which tracing conventions say the same things.

/// What an attribute says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// `gen_ai.operation.name`.
    Operation,
    /// The kind of a span in OpenInference.
    OpenInference,
    /// The kind of a span in OpenLLMetry.
    Traceloop,
    /// The kind of a request in older OpenLLMetry.
    Request,
    /// The operation in the AI SDK.
    Vercel,
    /// The kind of a span or run in the export of a platform.
    Observation,
    Tool,
    CallId,
    Args,
    Answer,
    Model,
    Agent,
    /// A class of error.
    ErrorType,
    /// What a model put out.
    Output,
    /// What a model could choose from.
    Choice,
    /// Events in an attribute.
    Events,
    Conversation,
}

pub(super) const SLOTS: usize = Slot::Conversation as usize + 1;

/// Names with what they say. Where several say one thing, the one with the lowest rank counts.
const NAMES: [(&str, Slot, u8); 40] = {
    use Slot::{
        Agent, Answer, Args, CallId, Choice, Conversation, ErrorType, Events, Model, OpenInference,
        Operation, Output, Request, Tool, Traceloop, Vercel,
    };
    [
        ("gen_ai.operation.name", Operation, 0),
        ("openinference.span.kind", OpenInference, 0),
        ("traceloop.span.kind", Traceloop, 0),
        ("llm.request.type", Request, 0),
        ("ai.operationId", Vercel, 0),
        ("gen_ai.tool.name", Tool, 0),
        ("ai.toolCall.name", Tool, 1),
        ("tool.name", Tool, 1),
        ("tool_name", Tool, 1),
        ("traceloop.entity.name", Tool, 3),
        ("gen_ai.tool.call.id", CallId, 0),
        ("ai.toolCall.id", CallId, 1),
        ("tool_call.id", CallId, 1),
        ("tool_call_id", CallId, 2),
        ("gen_ai.tool.call.arguments", Args, 0),
        ("tool_arguments", Args, 1),
        ("ai.toolCall.args", Args, 1),
        ("tool.parameters", Args, 1),
        ("traceloop.entity.input", Args, 3),
        ("input.value", Args, 4),
        ("gen_ai.tool.call.result", Answer, 0),
        ("tool_response", Answer, 1),
        ("ai.toolCall.result", Answer, 1),
        ("traceloop.entity.output", Answer, 3),
        ("output.value", Answer, 4),
        ("gen_ai.response.model", Model, 0),
        ("gen_ai.request.model", Model, 1),
        ("llm.model_name", Model, 2),
        ("ai.model.id", Model, 2),
        ("gen_ai.agent.name", Agent, 0),
        ("agent_name", Agent, 1),
        ("agent.name", Agent, 1),
        ("gen_ai.agent.id", Agent, 3),
        ("error.type", ErrorType, 0),
        ("gen_ai.output.messages", Output, 0),
        ("ai.response.toolCalls", Output, 1),
        ("model_request_parameters", Choice, 0),
        ("events", Events, 0),
        ("gen_ai.conversation.id", Conversation, 0),
        ("session.id", Conversation, 1),
    ]
};

/// What the attribute `name` says, and its rank.
pub(super) fn slot(name: &str) -> Option<(Slot, u8)> {
    let found = NAMES.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, slot, rank)| (*slot, *rank))
}

/// A field of a call in attributes that flatten a model's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flat {
    Id,
    Name,
    Args,
    /// Not of a call, but the whole text of a message.
    Content,
}

/// The message, the call and the field behind a flattened name such as
/// `llm.output_messages.0.message.tool_calls.1.tool_call.function.name` or
/// `gen_ai.completion.0.tool_calls.1.name`.
pub(super) fn flat(name: &str) -> Option<((u32, u32), Flat)> {
    let rest = name
        .strip_prefix("llm.output_messages.")
        .or_else(|| name.strip_prefix("gen_ai.completion."))?;
    let (message, rest) = number(rest)?;
    let rest = rest.strip_prefix("message.").unwrap_or(rest);
    if rest == "content" {
        return Some(((message, 0), Flat::Content));
    }
    let (call, rest) = number(rest.strip_prefix("tool_calls.")?)?;
    let rest = rest.strip_prefix("tool_call.").unwrap_or(rest);
    let field = match rest.strip_prefix("function.").unwrap_or(rest) {
        "id" => Flat::Id,
        "name" => Flat::Name,
        "arguments" => Flat::Args,
        _ => return None,
    };
    Some(((message, call), field))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_once('.')?;
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flattened_names_say_message_call_and_field() {
        for (name, found) in [
            (
                "llm.output_messages.0.message.tool_calls.2.tool_call.function.name",
                Some(((0, 2), Flat::Name)),
            ),
            (
                "llm.output_messages.1.message.tool_calls.0.tool_call.id",
                Some(((1, 0), Flat::Id)),
            ),
            (
                "gen_ai.completion.0.tool_calls.1.arguments",
                Some(((0, 1), Flat::Args)),
            ),
            ("gen_ai.completion.0.content", Some(((0, 0), Flat::Content))),
            ("gen_ai.completion.0.role", None),
            ("gen_ai.completion.x.tool_calls.1.name", None),
            ("gen_ai.prompt.0.tool_calls.1.name", None),
        ] {
            assert_eq!(flat(name), found, "{name}");
        }
    }
}
