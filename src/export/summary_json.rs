//! The timing summary as JSON. The schema is in `assets/schemas/summary.schema.json`.

use serde::Serialize;

use super::FileSummary;
use super::fleet_json::FleetJson;
use super::json::safe_json;
use crate::analyze::{FleetReport, PolicyTotal, ThreadSummary, ToolSummary};
use crate::time::Nanos;

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    files: Vec<FileJson<'a>>,
    /// All files together, by harness, model and task.
    report: FleetJson<'a>,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: &'a str,
    policy: Option<&'a str>,
    task: Option<&'a str>,
    threads: Vec<ThreadJson<'a>>,
}

#[derive(Serialize)]
struct ThreadJson<'a> {
    thread: &'a str,
    replies: usize,
    with_calls: usize,
    with_several: usize,
    max_calls: usize,
    calls: usize,
    timed_calls: usize,
    failed_calls: usize,
    /// Of the replies whose latency is known; `model_unknown` counts the others.
    model_seconds: f64,
    model_unknown: usize,
    model_timing: &'static str,
    tool_wall_ns: Option<u64>,
    tool_wall_unknown_turns: usize,
    tool_wall_timing: &'static str,
    recorded_hazards: Option<u64>,
    peak: usize,
    tools: Vec<ToolJson<'a>>,
    what_if: Vec<PolicyJson>,
    unknown_turns: usize,
    verdict: String,
}

#[derive(Serialize)]
struct ToolJson<'a> {
    tool: &'a str,
    read_only: bool,
    calls: usize,
    timed: usize,
    /// Of the timed calls; null where none is.
    work_ns: Option<u64>,
    longest_ns: Option<u64>,
    timing: &'static str,
}

#[derive(Serialize)]
struct PolicyJson {
    policy: &'static str,
    figure: &'static str,
    timing: &'static str,
    makespan_ns: Option<u64>,
    saved_ns: Option<i64>,
    saved_share: Option<f64>,
    hazard_count: u64,
}

/// The report of these files.
///
/// # Errors
/// Where it has no JSON form.
pub fn summary_json(files: &[FileSummary], report: &FleetReport) -> serde_json::Result<String> {
    let files = files.iter().map(|file| FileJson {
        file: &file.file,
        policy: Some(file.policy.as_str()).filter(|p| !p.is_empty()),
        task: Some(file.task.as_str()).filter(|t| !t.is_empty()),
        threads: file.threads.iter().map(thread_json).collect(),
    });
    safe_json(&Report {
        format: "turnlane-summary",
        version: 1,
        files: files.collect(),
        report: FleetJson::of(report),
    })
}

fn thread_json(thread: &ThreadSummary) -> ThreadJson<'_> {
    ThreadJson {
        thread: &thread.thread,
        replies: thread.replies,
        with_calls: thread.with_calls,
        with_several: thread.with_several,
        max_calls: thread.max_calls,
        calls: thread.calls,
        timed_calls: thread.timed_calls,
        failed_calls: thread.failed_calls,
        model_seconds: thread.model.as_secs_f64(),
        model_unknown: thread.model_unknown,
        model_timing: thread.model_timing.word(),
        tool_wall_ns: thread.tool_wall.map(|n| n.0),
        tool_wall_unknown_turns: thread.wall_unknown,
        tool_wall_timing: thread.wall_timing.word(),
        recorded_hazards: thread.recorded_hazards,
        peak: thread.peak,
        tools: thread
            .tools
            .iter()
            .map(|(name, tool)| tool_json(name, tool))
            .collect(),
        what_if: thread
            .totals
            .policies
            .iter()
            .map(|p| policy_json(p, thread))
            .collect(),
        unknown_turns: thread.totals.unknown_turns,
        verdict: crate::analyze::verdict(&thread.totals),
    }
}

fn tool_json<'a>(name: &'a str, tool: &ToolSummary) -> ToolJson<'a> {
    ToolJson {
        tool: name,
        read_only: tool.read_only,
        calls: tool.calls,
        timed: tool.timed,
        work_ns: (tool.timed > 0).then_some(tool.work.0),
        longest_ns: tool.longest.map(|n: Nanos| n.0),
        timing: tool.shown_timing().word(),
    }
}

fn policy_json(total: &PolicyTotal, thread: &ThreadSummary) -> PolicyJson {
    PolicyJson {
        policy: total.policy.name(),
        figure: total.figure.word(),
        timing: thread.totals.timing.word(),
        makespan_ns: total.makespan.map(|n| n.0),
        saved_ns: total.savings.map(|s| s.saved),
        saved_share: total
            .savings
            .and_then(|s| s.share())
            .map(|s| (s * 1e6).round() / 1e6),
        hazard_count: total.hazards,
    }
}
