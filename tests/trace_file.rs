//! The trace file: what is written reads back, and damage costs only what it hits.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use turnlane::model::{CallRequest, Cause, Effects, Key, KeyTable, Outcome, Source, Timing};
use turnlane::time::Nanos;
use turnlane::trace::line::{self, End};
use turnlane::trace::{
    Bodies, Call, Meta, Reader, Run, SideFiles, TraceError, Writer, read, read_bytes, save,
};

/// What a writer handed to the kernel, write by write.
#[derive(Clone, Default)]
struct Kernel(Arc<Mutex<Vec<Vec<u8>>>>);

impl Kernel {
    fn writes(&self) -> Vec<String> {
        let writes = self.0.lock().unwrap();
        writes
            .iter()
            .map(|w| String::from_utf8(w.clone()).unwrap())
            .collect()
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().concat()
    }
}

impl Write for Kernel {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn no_sides() -> impl SideFiles + Send + 'static {
    |_: &str, _: u32, _: u32, _: &str| -> io::Result<String> {
        Err(io::Error::other("no side file is expected"))
    }
}

fn meta() -> Meta {
    Meta {
        id: "r-1".into(),
        at: "2026-01-02T00:00:00Z".into(),
        policy: "keyed".into(),
        slots: "8".into(),
        on_failure: "independent".into(),
        deadline: Some(Nanos::from_millis(30_000)),
        model: "m-1".into(),
        task: "an invoice".into(),
        source: "turnlane".into(),
        folder: "/w".into(),
    }
}

fn start(call: u32, at: u64, cause: &str) -> line::Start<'_> {
    line::Start {
        turn: 1,
        call,
        at_ns: Some(at),
        slot: Some(call),
        cause: cause.into(),
        ..Default::default()
    }
}

/// One turn with every kind of line.
fn write_sample<W: Write>(out: W, sides: impl SideFiles + Send + 'static) {
    let mut keys = KeyTable::new();
    let invoice = keys.intern(&Key::exact("invoice", "8123"));
    let write = Effects {
        writes: vec![invoice],
        source: Source::Declared,
        ..Effects::default()
    };
    let mut update = CallRequest::new("update_invoice", r#"{"invoice_id": 8123, "a": "é \n"}"#);
    update.id = "c1".into();
    let mut charge = CallRequest::new("charge_card", "{\n  \"invoice_id\": 8123\n}");
    charge.depends_on = vec![0];
    let shell = CallRequest::new("shell", r#"{"cmd":"ls"#);

    let mut w = Writer::new(out, sides);
    w.run(&meta()).unwrap();
    w.catalog(r#"[{"name":"update_invoice"}]"#).unwrap();
    w.turn(&line::Turn {
        turn: 1,
        at_ns: Some(3_000),
        calls: 3,
        model: Some(line::Model {
            start_ns: 0,
            end_ns: 3_000,
            timing: Timing::Measured,
        }),
        ..Default::default()
    })
    .unwrap();
    for (i, (request, effects)) in [
        (&update, &write),
        (&charge, &write),
        (&shell, &Effects::opaque(Source::Unknown)),
    ]
    .into_iter()
    .enumerate()
    {
        let i = u32::try_from(i).unwrap();
        w.call(&line::Call {
            issued_ns: Some(3_000),
            stage: Some(i),
            approval: i == 1,
            is_final: i == 2,
            ..line::Call::of(1, i, request, effects, &keys)
        })
        .unwrap();
    }
    w.start(&start(0, 3_100, "issued")).unwrap();
    let ask = line::Ask {
        turn: 1,
        call: 1,
        at_ns: Some(3_200),
        ..Default::default()
    };
    w.ask(&ask).unwrap();
    w.granted(&line::Ask {
        at_ns: Some(3_300),
        grant: Some(true),
        ..ask
    })
    .unwrap();
    let end = End {
        timing: Some(Timing::Measured),
        own_ns: Some(880),
        ..End::new(1, 0, Nanos(4_000), Outcome::TimedOut)
    };
    w.end(end, Some("too slow \u{1f600}")).unwrap();
    w.start(&line::Start {
        beside: vec![0],
        ..start(1, 4_000, "key invoice:8123 after 0")
    })
    .unwrap();
    w.late(End::new(1, 0, Nanos(4_500), Outcome::Ok), Some("done"))
        .unwrap();
    let end = End {
        error: "exit 1".into(),
        timing: Some(Timing::Measured),
        ..End::new(1, 1, Nanos(5_000), Outcome::Failed)
    };
    w.end(end, Some("exit 1")).unwrap();
    let end = End {
        timing: Some(Timing::Unknown),
        ..End::new(1, 2, Nanos(5_000), Outcome::NotRun)
    };
    w.end(end, None).unwrap();
    let order = vec!["update_invoice".into(), "charge_card".into()];
    w.turn_end(&line::TurnEnd {
        turn: 1,
        at_ns: Some(5_100),
        key_order: BTreeMap::from([("invoice:8123".into(), order)]),
        ..Default::default()
    })
    .unwrap();
    w.run_end(line::RunEnd { at_ns: Some(5_200) }).unwrap();
}

fn sample() -> Vec<u8> {
    let kernel = Kernel::default();
    write_sample(kernel.clone(), no_sides());
    kernel.bytes()
}

fn open(text: impl Into<Vec<u8>>) -> Run {
    read_bytes("t.jsonl", text.into()).unwrap()
}

const RUN: &str =
    "{\"kind\":\"run\",\"format\":\"turnlane\",\"version\":1,\"id\":\"r\",\"at\":\"\"}\n";

#[test]
fn what_was_written_reads_back() {
    let run = open(sample());
    assert_eq!(run.meta, meta());
    assert_eq!(run.threads.len(), 1);
    assert_eq!(run.threads[0].turns, [0]);
    let turn = &run.turns[0];
    assert_eq!((turn.number, turn.at), (1, Some(Nanos(3_000))));
    assert_eq!(turn.model.unwrap().len(), Nanos(3_000));
    assert_eq!(turn.model_timing, Timing::Measured);
    assert_eq!(turn.end, Some(Nanos(5_100)));
    assert_eq!(run.ended, Some(Nanos(5_200)));

    let [update, charge, shell] = run.calls_of(turn) else {
        panic!("three calls");
    };
    assert_eq!(run.tool(update), "update_invoice");
    assert_eq!(run.names.get(update.id), "c1");
    assert_eq!(update.outcome, Outcome::TimedOut);
    assert_eq!(update.late, Some(Nanos(4_500)));
    assert_eq!(update.run_time(), Some(Nanos(880)));
    assert_eq!(update.cause, Some(Cause::Issued));
    let key = run.keys.find("invoice:8123").unwrap();
    assert_eq!(run.keys_in(update.writes), [key]);
    assert_eq!(charge.cause, Some(Cause::Key { key, after: 0 }));
    assert_eq!(run.indices_in(charge.depends_on), [0]);
    assert_eq!(run.indices_in(charge.beside), [0]);
    assert!(charge.approval);
    assert_eq!(
        (charge.asked, charge.granted),
        (Some(Nanos(3_200)), Some(Nanos(3_300)))
    );
    assert_eq!(run.names.get(charge.error), "exit 1");
    assert_eq!((charge.slot, charge.stage), (Some(1), Some(1)));
    assert!(shell.opaque && shell.is_final && !shell.started());
    assert_eq!(shell.source, Source::Unknown);
    assert_eq!(shell.outcome, Outcome::NotRun);

    let order = &run.key_orders[0];
    assert_eq!((order.turn, order.key), (0, key));
    let tools: Vec<_> = order.tools.iter().map(|t| run.names.get(*t)).collect();
    assert_eq!(tools, ["update_invoice", "charge_card"]);
}

#[test]
fn bodies_are_loaded_from_where_they_lie() {
    let run = open(sample());
    let args =
        |i: usize| String::from_utf8(Bodies::load(&run, run.calls[i].args).unwrap()).unwrap();
    assert_eq!(args(0), r#"{"invoice_id": 8123, "a": "é \n"}"#);
    assert_eq!(args(1), r#"{   "invoice_id": 8123 }"#);
    assert_eq!(args(2), r#""{\"cmd\":\"ls""#, "no JSON: kept as text");
    let answer = run.calls[0].answer;
    assert_eq!(Bodies::text(&run, answer).unwrap(), "too slow \u{1f600}");
    assert_eq!(Bodies::text_head(&run, answer, 5).unwrap(), "too ");
    assert_eq!(Bodies::text(&run, run.calls[2].answer).unwrap(), "");
}

#[test]
fn every_line_fits_the_schema_and_the_schema_refuses_others() {
    let schema = fs::read_to_string("assets/schemas/trace.schema.json").unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let text = String::from_utf8(sample()).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        kinds.insert(line["kind"].as_str().unwrap().to_owned());
        let errors: Vec<_> = schema.iter_errors(&line).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
    assert_eq!(kinds.len(), 11, "{kinds:?}");
    for wrong in [
        r#"{"kind":"end","turn":1,"call":0,"outcome":"great"}"#,
        r#"{"kind":"start","turn":0,"call":0}"#,
        r#"{"kind":"start","turn":1,"call":0,"at_ns":-1}"#,
        r#"{"kind":"other"}"#,
    ] {
        assert!(
            !schema.is_valid(&serde_json::from_str(wrong).unwrap()),
            "{wrong}"
        );
    }
}

#[test]
fn a_cut_at_any_byte_costs_only_the_cut_line() {
    let whole = sample();
    let full = open(whole.clone());
    for cut in 0..whole.len() {
        let part = &whole[..cut];
        let run = open(part);
        let lines = part.iter().filter(|b| **b == b'\n').count();
        let tail = &part[part
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1)..];
        let whole_tail = serde_json::from_slice::<serde_json::Value>(tail).is_ok();
        let of_kind = |kind: &str| {
            let seen = part
                .split(|b| *b == b'\n')
                .take(lines + usize::from(whole_tail));
            let start = format!("{{\"kind\":\"{kind}\"");
            seen.filter(|line| line.starts_with(start.as_bytes()))
                .count()
        };
        assert_eq!(run.skipped.bad_lines, 0, "cut at {cut}");
        assert_eq!(run.skipped.orphans, 0, "cut at {cut}");
        assert_eq!(
            run.skipped.torn_tail,
            !tail.is_empty() && !whole_tail,
            "cut at {cut}"
        );
        assert_eq!(run.calls.len(), of_kind("call"), "cut at {cut}");
        let ended = run
            .calls
            .iter()
            .filter(|c| c.outcome != Outcome::Unfinished);
        assert_eq!(ended.count(), of_kind("end"), "cut at {cut}");
        let started = run.calls.iter().filter(|c| c.started());
        assert_eq!(started.count(), of_kind("start"), "cut at {cut}");
        for (cut_call, call) in run.calls.iter().zip(&full.calls) {
            assert_eq!(cut_call.args, call.args, "cut at {cut}");
        }
    }
}

#[test]
fn a_damaged_line_in_the_middle_is_skipped_counted_and_located() {
    let text = String::from_utf8(sample()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let call = lines
        .iter()
        .position(|l| l.contains("charge_card"))
        .unwrap();
    let mut damaged: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    damaged[call].truncate(20);
    let offset: usize = damaged[..call].iter().map(|l| l.len() + 1).sum();
    let run = open(damaged.join("\n") + "\n");
    assert_eq!(run.skipped.bad_lines, 1);
    let (number, at, reason) = &run.skipped.bad[0];
    assert_eq!((*number, *at), (call as u64 + 1, offset as u64));
    assert!(!reason.is_empty());
    let indices: Vec<u32> = run
        .calls_of(&run.turns[0])
        .iter()
        .map(|c| c.index)
        .collect();
    assert_eq!(indices, [0, 2]);
    assert_eq!(
        run.calls[1].outcome,
        Outcome::NotRun,
        "the later call still finds its end"
    );
    assert_eq!(
        run.skipped.orphans, 4,
        "ask, granted, start and end of the lost call"
    );
}

#[test]
fn unknown_kinds_and_fields_are_ignored_and_counted_by_name() {
    let text = format!(
        "{RUN}{}\n{}\n{}\n{}\n{}\n",
        r#"{"kind":"weather","turn":1}"#,
        r#"{"kind":"weather"}"#,
        r#"{"no_kind":1}"#,
        r#"{"mood":"good","kind":"turn","turn":1,"calls":1,"model":{"start_ns":0,"end_ns":5,"timing":"events","tokens":9}}"#,
        r#"{"kind":"call","turn":1,"call":0,"id":"","tool":"t","mood":[[1]],"args":{"mood":1}}"#,
    );
    let run = open(text);
    assert_eq!(run.skipped.bad_lines, 0, "{:?}", run.skipped.bad);
    let types: Vec<_> = run
        .skipped
        .unknown_types
        .iter()
        .map(|(n, c)| (n.as_str(), *c))
        .collect();
    assert_eq!(types, [("(no kind)", 1), ("weather", 2)]);
    let fields: Vec<_> = run
        .skipped
        .unknown_fields
        .iter()
        .map(|(n, c)| (n.as_str(), *c))
        .collect();
    assert_eq!(fields, [("mood", 2), ("tokens", 1)]);
    assert_eq!(run.calls.len(), 1);
    assert!(
        run.calls[0].opaque,
        "a call that declares nothing is opaque"
    );
    assert_eq!(run.turns[0].model_timing, Timing::Events);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

#[test]
fn compressed_traces_are_known_by_their_first_bytes_and_their_bodies_load() {
    let folder = tempfile::tempdir().unwrap();
    let plain = open(sample());
    for (name, bytes) in [
        ("a.jsonl", gzip(&sample())),
        ("b.jsonl", zstd(&sample())),
        (
            "two members",
            [gzip(&sample()[..300]), gzip(&sample()[300..])].concat(),
        ),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let run = read(&path).unwrap();
        assert_eq!(run.calls, plain.calls, "{name}");
        assert!(!run.skipped.cut_stream, "{name}");
        let args = Bodies::load(&run, run.calls[0].args).unwrap();
        assert_eq!(
            args,
            Bodies::load(&plain, plain.calls[0].args).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn a_compressed_trace_that_ends_early_keeps_what_came() {
    // The answers do not compress, so that a cut leaves whole lines before it.
    let noise = |seed: u64| {
        let mut x = seed.wrapping_mul(2_862_933_555_777_941_757) | 1;
        (0..400_u32).fold(String::new(), |text, _| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            text + &format!("{x:x}")
        })
    };
    let mut text = RUN.to_owned();
    for i in 0..200_u64 {
        let line = format!(
            r#"{{"kind":"call","turn":1,"call":{i},"id":"","tool":"{}"}}"#,
            noise(i)
        );
        text += &(line + "\n");
    }
    for packed in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
        let run = open(&packed[..packed.len() * 2 / 3]);
        assert!(run.skipped.cut_stream);
        assert!(
            (20..200).contains(&run.calls.len()),
            "{} calls",
            run.calls.len()
        );
        assert_eq!(run.skipped.bad_lines, 0);
    }
}

#[test]
fn a_start_is_with_the_kernel_at_once_and_other_lines_share_a_write() {
    let kernel = Kernel::default();
    write_sample(kernel.clone(), no_sides());
    let writes = kernel.writes();
    let starts = writes.iter().filter(|w| w.contains("\"kind\":\"start\""));
    for write in starts {
        let last = write.lines().last().unwrap();
        assert!(
            last.contains("\"kind\":\"start\""),
            "nothing follows a start: {write}"
        );
    }
    assert!(
        writes.iter().all(|w| w.ends_with('\n')),
        "every write ends a line"
    );
    let lines: usize = writes.iter().map(|w| w.lines().count()).sum();
    assert!(
        writes.len() < lines,
        "{} writes for {lines} lines",
        writes.len()
    );

    let kernel = Kernel::default();
    let mut writer = Writer::new(kernel.clone(), no_sides());
    writer.run(&meta()).unwrap();
    assert!(kernel.writes().is_empty(), "the run line may wait");
    writer.start(&start(0, 1, "issued")).unwrap();
    assert_eq!(kernel.writes().len(), 1);
    writer
        .granted(&line::Ask {
            turn: 1,
            ..Default::default()
        })
        .unwrap();
    writer.flush().unwrap();
    assert_eq!(kernel.writes().len(), 2);
}

/// Takes a few bytes at a time and fails every third time.
struct Stubborn(Kernel, u32);

impl Write for Stubborn {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(3) {
            return Err(io::Error::other("disk full"));
        }
        self.0.write(&bytes[..bytes.len().min(7)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failed_write_tears_no_line_once_writing_works_again() {
    let kernel = Kernel::default();
    let mut writer = Writer::new(Stubborn(kernel.clone(), 0), no_sides());
    writer.run(&meta()).unwrap();
    let first = writer.start(&start(0, 1, "issued"));
    assert!(
        first.is_err(),
        "the caller hears of it and must not run the body"
    );
    let tries = (0..500).take_while(|_| writer.flush().is_err()).count();
    assert!(tries > 1);
    let text = String::from_utf8(kernel.bytes()).unwrap();
    assert_eq!(text.lines().count(), 2);
    for line in text.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok(),
            "{line}"
        );
    }
}

#[test]
fn appending_never_continues_half_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let mut torn = sample();
    torn.truncate(torn.len() - 10);
    fs::write(&path, &torn).unwrap();
    let mut writer = Writer::append(&path).unwrap();
    writer
        .turn(&line::Turn {
            turn: 2,
            ..Default::default()
        })
        .unwrap();
    writer.run_end(line::RunEnd { at_ns: Some(9) }).unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.skipped.bad_lines, 1, "the torn line, and only that");
    assert_eq!(run.turns.len(), 2);
    assert_eq!(run.ended, Some(Nanos(9)));

    // A file that ends in a line break gets nothing between.
    let lines = fs::read_to_string(&path).unwrap().lines().count();
    let mut writer = Writer::append(&path).unwrap();
    writer.run_end(line::RunEnd { at_ns: Some(10) }).unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap().lines().count(),
        lines + 1
    );

    fs::write(&path, gzip(&torn)).unwrap();
    assert!(
        Writer::append(&path).is_err(),
        "nothing is added to a compressed trace"
    );
    assert!(Writer::create(&path).is_err(), "nothing is overwritten");
}

#[test]
fn a_long_answer_goes_to_a_side_file_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let long = "\"ä\\ ".repeat(30_000);
    let short = "x".repeat(64 * 1024);
    let mut writer = Writer::create(&path).unwrap();
    writer.run(&meta()).unwrap();
    for (i, answer) in [&long, &short, &long].into_iter().enumerate() {
        let i = u32::try_from(i).unwrap();
        writer
            .call(&line::Call {
                turn: 1,
                call: i,
                ..Default::default()
            })
            .unwrap();
        let end = End {
            thread: "a/b".into(),
            ..End::new(1, i, Nanos(1), Outcome::Ok)
        };
        writer
            .end(
                End {
                    thread: "main".into(),
                    ..end
                },
                Some(answer),
            )
            .unwrap();
    }
    writer.flush().unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.files.len(), 3, "two side files: {:?}", run.files);
    for (call, answer) in run.calls.iter().zip([&long, &short, &long]) {
        assert_eq!(&Bodies::text(&run, call.answer).unwrap(), answer);
        assert_eq!(call.answer_bytes, answer.len() as u64);
    }
    assert!(fs::metadata(&path).unwrap().len() < 70_000 + 2_000);
    let text = fs::read_to_string(&path).unwrap();
    // The digest of 65,536 times `x`.
    assert!(text.contains(&sha256("x".repeat(64 * 1024).as_bytes())));
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

#[test]
fn a_side_file_outside_the_traces_folder_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    for name in [
        "../secret.txt",
        "..",
        secret.to_str().unwrap(),
        "a/../../secret.txt",
        "./x",
        "c:x",
    ] {
        let name = serde_json::to_string(name).unwrap();
        let text = format!(
            "{RUN}{}\n{{\"kind\":\"end\",\"turn\":1,\"call\":0,\"outcome\":\"ok\",\"answer\":{{\"bytes\":6,\"sha256\":\"\",\"side\":{name}}}}}\n",
            r#"{"kind":"call","turn":1,"call":0,"id":"","tool":"t"}"#,
        );
        let path = inner.join("t.jsonl");
        fs::write(&path, text).unwrap();
        let run = read(&path).unwrap();
        assert_eq!(run.files.len(), 1, "{name}");
        assert_eq!(run.calls[0].answer.len, 0, "{name}");
        assert_eq!(run.skipped.unknown_fields["answer.side"], 1, "{name}");
    }
}

#[test]
fn lines_of_threads_that_run_at_once_end_up_side_by_side() {
    let mut text = RUN.to_owned();
    for i in 0..3 {
        for thread in ["main", "sub"] {
            text += &format!(
                "{{\"kind\":\"call\",\"thread\":\"{thread}\",\"turn\":1,\"call\":{i},\"id\":\"\",\"tool\":\"{thread}{i}\"}}\n"
            );
        }
    }
    text += "{\"kind\":\"turn\",\"thread\":\"sub\",\"turn\":2,\"parent\":{\"thread\":\"main\",\"turn\":1,\"call\":1}}\n";
    text +=
        "{\"kind\":\"turn\",\"turn\":2,\"parent\":{\"thread\":\"sub\",\"turn\":1,\"call\":1}}\n";
    for i in 0..3 {
        text += &format!(
            "{{\"kind\":\"end\",\"thread\":\"sub\",\"turn\":1,\"call\":{i},\"at_ns\":{i},\"outcome\":\"ok\"}}\n"
        );
    }
    let run = open(text);
    for (thread, name) in [(0, "main"), (1, "sub")] {
        let turn = &run.turns[run.threads[thread].turns[0] as usize];
        let tools: Vec<_> = run.calls_of(turn).iter().map(|c| run.tool(c)).collect();
        assert_eq!(tools, [0, 1, 2].map(|i| format!("{name}{i}")));
    }
    let open: Vec<&Call> = run
        .calls
        .iter()
        .filter(|c| c.outcome == Outcome::Unfinished)
        .collect();
    assert_eq!(open.len(), 3);
    assert!(open.iter().all(|c| run.tool(c).starts_with("main")));
    assert_eq!(run.skipped.open_calls, 3);
    assert_eq!(run.threads[1].parent.unwrap().call, 1);
    assert_eq!(run.threads[0].parent, None, "no thread is its own ancestor");
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn repeated_and_ownerless_lines_are_counted_and_change_nothing() {
    let call = r#"{"kind":"call","turn":1,"call":0,"id":"a","tool":"t"}"#;
    let end = r#"{"kind":"end","turn":1,"call":0,"at_ns":9,"outcome":"ok"}"#;
    let wrong = r#"{"kind":"end","turn":1,"call":0,"at_ns":1,"outcome":"failed"}"#;
    let orphan = r#"{"kind":"start","turn":7,"call":0,"at_ns":1}"#;
    let run = open(format!("{RUN}{call}\n{call}\n{end}\n{wrong}\n{orphan}\n"));
    assert_eq!((run.skipped.copies, run.skipped.orphans), (2, 1));
    assert_eq!(run.calls[0].outcome, Outcome::Ok);
    assert_eq!(run.calls[0].end, Some(Nanos(9)));
}

#[test]
fn an_end_before_its_start_has_no_duration_and_is_counted() {
    let run = open(format!(
        "{RUN}{}\n{}\n{}\n",
        r#"{"kind":"call","turn":1,"call":0,"id":"a","tool":"t"}"#,
        r#"{"kind":"start","turn":1,"call":0,"at_ns":100}"#,
        r#"{"kind":"end","turn":1,"call":0,"at_ns":60,"outcome":"ok","timing":"measured"}"#,
    ));
    let call = &run.calls[0];
    assert_eq!(
        (call.start, call.end),
        (Some(Nanos(100)), Some(Nanos(60))),
        "as recorded"
    );
    assert_eq!((call.timing, call.run_time()), (Timing::Unknown, None));
    assert_eq!(run.skipped.negative, 1);
}

#[test]
fn a_growing_file_can_be_followed_line_by_line() {
    let whole = sample();
    let mut reader = Reader::new("t.jsonl");
    let mut offset = 0;
    let mut calls = Vec::new();
    for line in whole.split_inclusive(|b| *b == b'\n') {
        reader.feed_line(line.strip_suffix(b"\n").unwrap(), offset);
        offset += line.len() as u64;
        calls.push(reader.run().calls.len());
    }
    assert!(calls.is_sorted() && calls.contains(&1) && calls.contains(&2));
    assert_eq!(reader.finish().calls, open(whole).calls);
}

#[test]
fn hostile_lines_cost_only_themselves() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let mut text = RUN.as_bytes().to_vec();
    text.extend_from_slice(b"\xff\xfe not text\n\n   \n[1,2]\n\"kind\"\nnull\n");
    text.extend_from_slice(b"{\"kind\":\"call\",\"turn\":99999999999,\"call\":0}\n");
    text.extend_from_slice(b"{\"kind\":\"end\",\"turn\":1,\"call\":0,\"outcome\":\"splendid\"}\n");
    let call = format!(
        r#"{{"kind":"call","turn":1,"call":0,"id":null,"tool":"cut \ud83d","args":{deep},"deep":{deep}}}"#
    );
    text.extend_from_slice(call.as_bytes());
    text.push(b'\n');
    let run = open(text);
    assert_eq!(run.skipped.bad_lines, 6, "{:?}", run.skipped.bad);
    assert_eq!(run.calls.len(), 1);
    assert_eq!(run.tool(&run.calls[0]), "cut \u{fffd}");
    assert_eq!(
        Bodies::load(&run, run.calls[0].args).unwrap(),
        deep.as_bytes()
    );
}

#[test]
fn a_file_of_another_kind_is_refused_with_its_place() {
    let of = |text: &str| read_bytes("x.jsonl", text.as_bytes().to_vec());
    let error = of("{\"type\":\"user\"}\n").unwrap_err();
    assert!(matches!(error, TraceError::NotATrace { .. }), "{error}");
    assert!(
        error.to_string().starts_with("x.jsonl, line 1: "),
        "{error}"
    );
    let error = of("{\"kind\":\"run\",\"format\":\"turnlane\",\"version\":2}\n").unwrap_err();
    assert!(
        matches!(error, TraceError::Version { version: 2, .. }),
        "{error}"
    );
    let error = of("{\"kind\":\"run\",\"format\":\"else\",\"version\":1}\n").unwrap_err();
    assert!(matches!(error, TraceError::NotATrace { .. }), "{error}");
    assert!(matches!(
        read(Path::new("/nowhere/t")),
        Err(TraceError::Io { .. })
    ));
    assert!(
        of("").unwrap().calls.is_empty(),
        "a file not yet written to is an empty run"
    );
}

#[test]
fn a_hundred_thousand_calls_keep_their_bodies_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let mut file = io::BufWriter::new(fs::File::create(&path).unwrap());
    file.write_all(RUN.as_bytes()).unwrap();
    let filler = "x".repeat(400);
    for turn in 1..=1_000 {
        for call in 0..100 {
            writeln!(
                file,
                r#"{{"kind":"call","turn":{turn},"call":{call},"id":"c{turn}_{call}","tool":"read","args":{{"p":"{filler}{turn}"}},"reads":["file:{call}"],"opaque":false}}"#
            )
            .unwrap();
        }
    }
    file.into_inner().unwrap();
    let run = read(&path).unwrap();
    assert_eq!((run.turns.len(), run.calls.len()), (1_000, 100_000));
    assert!(run.held.is_empty());
    assert_eq!(run.keys.len(), 100);
    assert!(
        size_of::<Call>() <= 352,
        "a row has {} bytes",
        size_of::<Call>()
    );
    let call = &run.calls[77_042];
    let args = Bodies::text(&run, call.args).unwrap();
    assert_eq!(args, format!(r#"{{"p":"{filler}771"}}"#));
}

#[test]
fn a_line_of_many_megabytes_is_read_and_its_body_stays_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let big = "y".repeat(20 << 20);
    let text = format!(
        "{RUN}{}\n{{\"kind\":\"end\",\"turn\":1,\"call\":0,\"at_ns\":1,\"outcome\":\"ok\",\"answer\":{{\"bytes\":{},\"sha256\":\"\",\"text\":\"{big}\"}}}}\n{}\n",
        r#"{"kind":"call","turn":1,"call":0,"id":"","tool":"t"}"#,
        big.len(),
        r#"{"kind":"run_end","at_ns":5}"#,
    );
    fs::write(&path, text).unwrap();
    let run = read(&path).unwrap();
    assert_eq!(run.ended, Some(Nanos(5)));
    let call = &run.calls[0];
    assert_eq!(call.answer.len, big.len() as u64 + 2);
    assert_eq!(Bodies::text_head(&run, call.answer, 4).unwrap(), "yyy");
    fs::write(&path, "gone").unwrap();
    assert!(
        Bodies::load(&run, call.answer).is_err(),
        "the file has changed"
    );
}

#[test]
fn a_run_that_is_saved_again_is_the_same_run() {
    let first = open(sample());
    let kernel = Kernel::default();
    save(&first, &mut Writer::new(kernel.clone(), no_sides())).unwrap();
    let second = open(kernel.bytes());
    assert_eq!(second.meta, first.meta);
    assert_eq!(second.threads, first.threads);
    assert_eq!(second.turns, first.turns);
    assert_eq!(second.ended, first.ended);
    assert_eq!(second.key_orders, first.key_orders);
    assert_eq!(second.catalog.is_some(), first.catalog.is_some());
    for (a, b) in second.calls.iter().zip(&first.calls) {
        assert_eq!(
            Bodies::load(&second, a.args).unwrap(),
            Bodies::load(&first, b.args).unwrap()
        );
        assert_eq!(
            Bodies::text(&second, a.answer).unwrap(),
            Bodies::text(&first, b.answer).unwrap()
        );
        let place = |call: &Call| Call {
            args: b.args,
            answer: b.answer,
            line_offset: 0,
            ..*call
        };
        assert_eq!(second.names.get(a.error), first.names.get(b.error));
        assert_eq!(
            Call {
                error: b.error,
                ..place(a)
            },
            place(b)
        );
    }
}

#[test]
fn after_a_resume_a_call_without_an_end_counts_from_its_second_start_and_no_other_does() {
    let schema = fs::read_to_string("assets/schemas/trace.schema.json").unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let call = |n| format!(r#"{{"kind":"call","turn":1,"call":{n},"id":"","tool":"t"}}"#);
    let start = |n, at| format!(r#"{{"kind":"start","turn":1,"call":{n},"at_ns":{at}}}"#);
    let end =
        |n, at| format!(r#"{{"kind":"end","turn":1,"call":{n},"at_ns":{at},"outcome":"ok"}}"#);
    let resume = r#"{"kind":"resume","at_ns":500,"at":"2026-01-01T00:00:00Z"}"#;
    assert!(schema.is_valid(&serde_json::from_str(resume).unwrap()));
    let (first, second) = (
        [call(0), call(1), start(0, 10), start(1, 20), end(0, 30)],
        [start(0, 600), start(1, 610), end(1, 640)],
    );
    let text = |lines: &[String]| format!("{RUN}{}\n", lines.join("\n"));
    let lines: Vec<_> = first
        .iter()
        .chain([&resume.to_owned()])
        .chain(&second)
        .cloned()
        .collect();
    let run = read_bytes("t", text(&lines).into_bytes()).unwrap();
    assert_eq!(run.resumed, [Nanos(500)]);
    let times: Vec<_> = run.calls.iter().map(|c| (c.start, c.end)).collect();
    let at = |ns| Some(Nanos(ns));
    assert_eq!(times, [(at(10), at(30)), (at(610), at(640))]);
    assert_eq!(run.skipped.copies, 1, "the start of a call that had ended");
    // Without the line a second start is a copy, as ever.
    let lines: Vec<_> = first.iter().chain(&second).cloned().collect();
    let run = read_bytes("t", text(&lines).into_bytes()).unwrap();
    assert_eq!(run.calls[1].start, at(20));
    assert_eq!(run.skipped.copies, 2);
}
