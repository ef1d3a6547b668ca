//! The calls in what a model put out, in any of the shapes in which messages are logged.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::raw::Raw;
use crate::import::value::{fields_of, word};
use crate::trace::json;

/// Messages nest less deep than this: lists of choices, messages, contents, texts of JSON.
const DEEPEST: u8 = 10;

/// A call as the model asked for it.
#[derive(Clone, Debug)]
pub(in crate::import) struct Asked<'a> {
    pub(in crate::import) id: Cow<'a, str>,
    pub(in crate::import) tool: Cow<'a, str>,
    pub(in crate::import) args: Option<Raw<'a>>,
}

/// Gives every call in `raw` to `found`, in their order.
pub(in crate::import) fn calls_in(raw: &Raw<'_>, found: &mut impl FnMut(Asked<'_>)) {
    search(raw, 0, &mut |asked| found(asked));
}

/// How many there were. A dynamic visitor: this calls itself with values of shorter lives.
fn search(raw: &Raw<'_>, depth: u8, found: &mut dyn FnMut(Asked<'_>)) -> usize {
    if depth > DEEPEST {
        return 0;
    }
    match raw.text().as_bytes().first() {
        Some(b'[') => {
            let items = json::items(raw.text()).unwrap_or_default();
            let each = items.iter();
            each.map(|item| search(&raw.part(item.get()), depth + 1, found))
                .sum()
        }
        Some(b'{') => object(raw, depth, found),
        Some(b'"') => {
            let text = raw.word();
            let inside = text.trim();
            if !inside.starts_with(['[', '{']) || !json::is_value(inside) {
                return 0;
            }
            search(&Raw::of(None, inside), depth + 1, found)
        }
        _ => 0,
    }
}

/// Fields that may hold a call, or messages with calls. Of these the first with calls counts:
/// the same calls may stand in several of them.
const INSIDE: [&str; 14] = [
    "tool_calls",
    "toolCalls",
    "parts",
    "choices",
    "message",
    "messages",
    "content",
    "generations",
    "kwargs",
    "output",
    "candidates",
    "additional_kwargs",
    "functionCall",
    "function_call",
];

fn object(raw: &Raw<'_>, depth: u8, found: &mut dyn FnMut(Asked<'_>)) -> usize {
    let value = RawText(raw.text());
    if let Some(asked) = call(raw, &value) {
        found(asked);
        return 1;
    }
    let fields = json::fields(raw.text(), INSIDE).unwrap_or([None; 14]);
    for (name, field) in INSIDE.iter().zip(fields) {
        let Some(field) = field else {
            continue;
        };
        // What a model wrote as text is no call, even where it looks like one: only a list of
        // calls alone is.
        let text = field.get().starts_with('"');
        if text && !(*name == "content" && looks_like_calls(field)) && *name != "tool_calls" {
            continue;
        }
        let n = search(&raw.part(field.get()), depth + 1, found);
        if n > 0 {
            return n;
        }
    }
    0
}

fn looks_like_calls(text: &RawValue) -> bool {
    let text = word(Some(text));
    let first = json::first_item(&text);
    let [function, kind] = fields_of(first, ["function", "type"]);
    function.is_some() && word(kind) == "function"
}

struct RawText<'a>(&'a str);

/// The object as a call, where it is one.
fn call<'r>(raw: &'r Raw<'_>, value: &RawText<'r>) -> Option<Asked<'r>> {
    const NAMES: [&str; 14] = [
        "type",
        "id",
        "call_id",
        "toolCallId",
        "name",
        "toolName",
        "arguments",
        "input",
        "args",
        "function",
        "tool_call_id",
        "response",
        "parameters",
        "result",
    ];
    let [
        kind,
        id,
        call_id,
        camel_id,
        name,
        camel_name,
        arguments,
        input,
        args,
        function,
        snake_id,
        response,
        parameters,
        result,
    ] = json::fields(value.0, NAMES).ok()?;
    let kind = word(kind);
    if response.is_some() || result.is_some() || kind.ends_with("result") {
        return None;
    }
    let [inner_name, inner_args] = fields_of(function, ["name", "arguments"]);
    // Some write the name itself where others have an object.
    let bare = function.filter(|function| function.get().starts_with('"'));
    let inner_name = inner_name.or(bare);
    let tool = inner_name.or(camel_name).or(name);
    let args = inner_args.or(arguments).or(args).or(input).or(parameters);
    let says_so = matches!(
        &*kind,
        "tool_call" | "tool_use" | "function_call" | "tool-call" | "toolCall" | "custom_tool_call"
    );
    let looks_so = args.is_some() && (inner_name.is_some() || matches!(&*kind, "" | "function"));
    let tool = word(tool);
    if tool.is_empty() || !(says_so || looks_so) {
        return None;
    }
    Some(Asked {
        id: word(call_id.or(snake_id).or(camel_id).or(id)),
        tool,
        args: args.map(|args| raw.part(args.get())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut calls = Vec::new();
        calls_in(&Raw::of(None, text), &mut |asked| {
            let args = asked.args.map(|args| args.plain().into_owned());
            let args = args.unwrap_or_default();
            calls.push(format!("{} {} {args}", asked.id, asked.tool));
        });
        calls
    }

    #[test]
    fn calls_are_found_in_every_shape_of_message() {
        for text in [
            r#"[{"role":"assistant","parts":[{"type":"text","content":"x"},{"type":"tool_call","id":"c1","name":"get","arguments":{"a":1}}]}]"#,
            r#""[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"get\",\"arguments\":{\"a\":1}}]}]""#,
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get","arguments":"{\"a\":1}"}}]}"#,
            r#"{"choices":[{"message":{"tool_calls":[{"id":"c1","function":{"name":"get","arguments":"{\"a\":1}"}}]}}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"c1","name":"get","input":{"a":1}}]}"#,
            r#"[{"type":"function_call","id":"fc_9","call_id":"c1","name":"get","arguments":"{\"a\":1}"}]"#,
            r#"[{"content":"[{\"function\":{\"name\":\"get\",\"arguments\":\"{\\\"a\\\":1}\"},\"id\":\"c1\",\"type\":\"function\"}]","role":"assistant"}]"#,
            r#"{"generations":[[{"text":"","message":{"kwargs":{"content":"","tool_calls":[{"name":"get","args":{"a":1},"id":"c1","type":"tool_call"}],"additional_kwargs":{"tool_calls":[{"id":"c1","function":{"name":"get","arguments":"{\"a\":1}"}}]}}}}]]}"#,
            r#"[{"type":"tool-call","toolCallId":"c1","toolName":"get","input":{"a":1}}]"#,
        ] {
            assert_eq!(found(text), [r#"c1 get {"a":1}"#], "{text}");
        }
    }

    #[test]
    fn answers_and_texts_are_no_calls() {
        for text in [
            r#"[{"role":"assistant","parts":[{"type":"text","content":"{\"name\":\"x\",\"arguments\":{}}"}]}]"#,
            r#"[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","result":"x"}]}]"#,
            r#"{"role":"assistant","content":"[{\"name\":\"x\",\"args\":1}]"}"#,
            r#""just words""#,
            "17",
            "",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn depth_ends_the_search() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(found(&deep), Vec::<String>::new());
    }
}
