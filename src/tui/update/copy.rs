//! Copying: the menu, and the text that goes to the clipboard.

use super::detail;
use super::dispatch::moved;
use crate::text::clean;
use crate::trace::{Call, Run};
use crate::tui::full_text;
use crate::tui::keymap::Action;
use crate::tui::model::{Copied, CopyMenu, Model, Overlay};
use crate::tui::msg::{Body, Cmd};

/// Opens the menu, over the call in full where that is open.
pub(super) fn open(model: &mut Model) {
    if model.calls().is_empty() {
        model.notice = Some("This reply asks for no calls: there is nothing to copy.".to_owned());
        return;
    }
    let under = match model.overlay.take() {
        None => None,
        Some(Overlay::Detail(detail)) => Some(detail),
        other => {
            model.overlay = other;
            return;
        }
    };
    model.overlay = Some(Overlay::Copy(CopyMenu { at: 0, under }));
}

/// Closes the menu; what was under it comes back.
pub(super) fn close(model: &mut Model) {
    if let Some(Overlay::Copy(menu)) = model.overlay.take() {
        model.overlay = menu.under.map(Overlay::Detail);
        detail::compose(model);
    }
}

pub(super) fn act(model: &mut Model, action: Action) -> Option<Cmd> {
    let Some(Overlay::Copy(menu)) = &mut model.overlay else {
        return None;
    };
    if let Some(to) = moved(menu.at, Copied::ALL.len(), Copied::ALL.len(), action) {
        menu.at = to;
        return None;
    }
    if action != Action::Open {
        return None;
    }
    let what = *Copied::ALL.get(menu.at)?;
    close(model);
    take(model, what)
}

/// Copies at once what is at hand, and asks for bodies first where it takes them.
fn take(model: &mut Model, what: Copied) -> Option<Cmd> {
    let text = match what {
        Copied::Verdict => {
            let verdict = model.facts.verdict.get(model.thread);
            verdict.cloned().unwrap_or_default()
        }
        Copied::Why => full_text::why_text(model, model.call),
        Copied::Link => link(model),
        Copied::Call if model.run.blank => {
            let first = model.turn_at(model.turn)?.calls.start as usize;
            call_text(model, first + model.call, None)?
        }
        Copied::Args | Copied::Answer if model.run.blank => {
            model.notice = Some("Payloads are blanked; X shows them again.".to_owned());
            return None;
        }
        Copied::Call | Copied::Args | Copied::Answer => return load(model, what),
    };
    copy(model, what, &text, None)
}

fn load(model: &mut Model, what: Copied) -> Option<Cmd> {
    let first = model.turn_at(model.turn)?.calls.start as usize;
    let call = *model.calls().get(model.call)?;
    if body_of(&call, what).len == 0 && what != Copied::Call {
        let name = what.name();
        model.notice = Some(format!("The file holds no {name} of this call."));
        return None;
    }
    let global = first + model.call;
    model.find.copying = Some((global, what));
    Some(Cmd::Load {
        call: global,
        args: call.args,
        answer: call.answer,
    })
}

const fn body_of(call: &Call, what: Copied) -> crate::trace::BodyRef {
    match what {
        Copied::Answer => call.answer,
        _ => call.args,
    }
}

/// Copies what has been waiting for these bodies.
pub(super) fn loaded(
    model: &mut Model,
    call: usize,
    args: &Result<Body, String>,
    answer: &Result<Body, String>,
) -> Option<Cmd> {
    let (_, what) = model.find.copying.take_if(|(wanted, _)| *wanted == call)?;
    let body = if what == Copied::Answer { answer } else { args };
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            model.notice = Some(format!("cannot copy the {}: {error}", what.name()));
            return None;
        }
    };
    let cut = ((body.text.len() as u64) < body.bytes).then_some(body.bytes);
    let text = match what {
        Copied::Call => call_text(model, call, Some(&body.text))?,
        _ => body.text.clone(),
    };
    copy(model, what, &text, cut)
}

/// The tool of a call (an index of the run's calls) and its arguments.
fn call_text(model: &Model, call: usize, args: Option<&str>) -> Option<String> {
    let call = model.run.calls.get(call)?;
    let args = args.unwrap_or(Run::BLANK);
    Some(format!("{} {args}", model.run.tool(call)))
}

/// Hands a text to the clipboard and says so. `cut` is the size of a body of which there is only
/// the beginning.
fn copy(model: &mut Model, what: Copied, text: &str, cut: Option<u64>) -> Option<Cmd> {
    let text = harmless(text);
    let name = what.name();
    if text.is_empty() {
        model.notice = Some(format!("there is no {name} to copy"));
        return None;
    }
    let bytes = text.len();
    let of = cut.map_or_else(String::new, |all| {
        format!(", the beginning of {all}; O in the call in full opens all of it")
    });
    model.notice = Some(format!(
        "copied {bytes} bytes ({name}{of}); needs a terminal that allows OSC 52"
    ));
    Some(Cmd::Copy(text))
}

/// A text that can be pasted anywhere: its lines and tabs stay, every other control and hidden
/// character becomes visible.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        for (at, piece) in line.split('\t').enumerate() {
            if at > 0 {
                out.push('\t');
            }
            out.push_str(&clean(piece));
        }
    }
    out
}

/// A command line that opens the viewer at the selected call.
fn link(model: &Model) -> String {
    let file = match model.file.strip_prefix("demo ") {
        Some(name) => format!("demo {}", quoted(name)),
        None => quoted(&model.file),
    };
    let turn = model.turn_number().unwrap_or(0);
    let thread = match model.run.threads.get(model.thread) {
        Some(thread) if model.thread > 0 => format!(" --thread {}", quoted(&thread.name)),
        _ => String::new(),
    };
    let call = model.call;
    format!("turnlane {file} --turn {turn} --call {call}{thread}")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,=".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.to_owned();
    }
    let dash = if word.starts_with('-') { "./" } else { "" };
    format!("'{dash}{}'", word.replace('\'', r"'\''"))
}

/// What a row of the menu says beside its name.
pub(in crate::tui) fn says(model: &Model, what: Copied) -> String {
    let call = model.calls().get(model.call);
    let size = |bytes: u64| match bytes {
        0 => "none in the file".to_owned(),
        _ if model.run.blank => "blanked".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    match what {
        Copied::Call => call.map_or_else(String::new, |call| {
            format!("{} with its arguments", clean(model.run.tool(call)))
        }),
        Copied::Args => size(call.map_or(0, |call| call.args.len)),
        Copied::Answer => size(call.map_or(0, |call| call.answer.len)),
        Copied::Verdict => {
            let verdict = model.facts.verdict.get(model.thread);
            verdict.cloned().unwrap_or_default()
        }
        Copied::Why => full_text::why_text(model, model.call).replace('\n', "; "),
        Copied::Link => link(model),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_keeps_lines_and_tabs_and_nothing_else_that_acts() {
        assert_eq!(
            harmless("a\tb\r\n\x1b[201~rm\u{202e}\n"),
            "a\tb\n␛[201~rm<U+202E>\n"
        );
    }

    #[test]
    fn a_word_for_a_shell_stays_one_word() {
        assert_eq!(quoted("traces/a.jsonl"), "traces/a.jsonl");
        assert_eq!(quoted("a b's.jsonl"), r"'a b'\''s.jsonl'");
        assert_eq!(quoted("-x"), "'./-x'");
        assert_eq!(quoted("$(rm)"), "'$(rm)'");
        assert_eq!(quoted(""), "''");
    }
}
