//! The report over many files as JSON.

use serde::Serialize;

use crate::analyze::{FleetReport, Group, GroupKey, Hazard4, Pair, Part, PartSum};

/// The report, as it stands under `report` in the summary.
#[derive(Serialize)]
pub(super) struct FleetJson<'a> {
    files: u64,
    /// Replies of other files' copies that were left out.
    copies: u64,
    groups: Vec<GroupJson<'a>>,
    /// At most a thousand.
    pairs: Vec<PairJson<'a>>,
}

#[derive(Serialize)]
struct GroupJson<'a> {
    harness: &'a str,
    model: Option<&'a str>,
    task: Option<&'a str>,
    agent: &'static str,
    files: u64,
    replies: u64,
    with_calls: u64,
    with_several: u64,
    calls: u64,
    failed: u64,
    /// Of replies with calls.
    calls_per_reply: SizesJson,
    tools: Vec<ToolJson<'a>>,
    /// Parts of the wall time.
    time: Vec<PartJson>,
    savings: SavingsJson,
    hazards: HazardsJson,
    recorded_hazards: HazardsJson,
    /// Replies with several calls whose times cannot show whether they raced.
    recorded_unknown_replies: u64,
    cancelled_siblings: u64,
    asked_again: u64,
    single_reads: SingleJson,
}

#[derive(Serialize)]
struct SizesJson {
    p50: Option<usize>,
    p90: Option<usize>,
    p99: Option<usize>,
    max: usize,
}

#[derive(Serialize)]
struct ToolJson<'a> {
    tool: &'a str,
    calls: u64,
    timed: u64,
    work_ns: Option<u64>,
}

#[derive(Serialize)]
struct PartJson {
    part: &'static str,
    ns: Option<u64>,
    timing: &'static str,
    unknown_replies: u64,
}

#[derive(Serialize)]
struct SavingsJson {
    figure: &'static str,
    timing: &'static str,
    sequential_ns: Option<u64>,
    /// The model's time before the turns that are estimated.
    model_ns: Option<u64>,
    replies_left_out: u64,
    policies: Vec<PolicyJson>,
}

#[derive(Serialize)]
struct PolicyJson {
    /// Null for the most that any safe policy could save.
    policy: Option<&'static str>,
    saved_ns: i64,
    saved_share: Option<f64>,
}

#[derive(Serialize)]
struct HazardsJson {
    unknown_order: u64,
    lost_update: u64,
    stale_read: u64,
    early_write: u64,
    unlisted: u64,
}

/// Upper bounds, all of them.
#[derive(Serialize)]
struct SingleJson {
    stretches: u64,
    replies_at_most: u64,
    model_ns_at_most: Option<u64>,
    model_unknown: u64,
}

#[derive(Serialize)]
struct PairJson<'a> {
    file: &'a str,
    thread: &'a str,
    turn: u32,
    kind: &'static str,
    key: Option<&'a str>,
    first: u32,
    second: u32,
    tools: &'a [String; 2],
}

impl<'a> FleetJson<'a> {
    pub(super) fn of(report: &'a FleetReport) -> Self {
        let groups = report.groups.iter();
        Self {
            files: report.files,
            copies: report.copies,
            groups: groups.map(|(key, group)| group_json(key, group)).collect(),
            pairs: report.pairs.iter().map(pair_json).collect(),
        }
    }
}

fn named(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn group_json<'a>(key: &'a GroupKey, group: &'a Group) -> GroupJson<'a> {
    let single = group.single_reads;
    let tools = group.tools.iter().map(|(name, tool)| ToolJson {
        tool: name,
        calls: tool.calls,
        timed: tool.timed,
        work_ns: (tool.timed > 0).then_some(tool.work.0),
    });
    GroupJson {
        harness: &key.harness,
        model: named(&key.model),
        task: named(&key.task),
        agent: key.agent.word(),
        files: group.files,
        replies: group.replies,
        with_calls: group.with_calls,
        with_several: group.with_several,
        calls: group.calls,
        failed: group.failed,
        calls_per_reply: SizesJson {
            p50: group.percentile(50),
            p90: group.percentile(90),
            p99: group.percentile(99),
            max: group.max_calls(),
        },
        tools: tools.collect(),
        time: Part::ALL
            .iter()
            .zip(&group.parts)
            .map(|(part, sum)| part_json(*part, sum))
            .collect(),
        savings: savings_json(group),
        hazards: hazards_json(&group.hazards),
        recorded_hazards: hazards_json(&group.recorded),
        recorded_unknown_replies: group.recorded_unknown,
        cancelled_siblings: group.cancelled,
        asked_again: group.reissued,
        single_reads: SingleJson {
            stretches: single.stretches,
            replies_at_most: single.replies,
            model_ns_at_most: (single.model_unknown < single.replies.max(1))
                .then_some(single.model.0),
            model_unknown: single.model_unknown,
        },
    }
}

fn part_json(part: Part, sum: &PartSum) -> PartJson {
    PartJson {
        part: part.word(),
        ns: sum.time.map(|time| time.0),
        timing: sum.time.map_or("unknown", |_| sum.timing.word()),
        unknown_replies: sum.unknown,
    }
}

fn savings_json(group: &Group) -> SavingsJson {
    let policies = group.policies.iter().map(|sum| PolicyJson {
        policy: sum.policy.map(crate::schedule::Policy::name),
        saved_ns: sum.saved,
        saved_share: group.share(sum.saved),
    });
    let known = group.sequential.is_some();
    SavingsJson {
        figure: "predicted",
        timing: if known {
            group.timing.word()
        } else {
            "unknown"
        },
        sequential_ns: group.sequential.map(|ns| ns.0),
        model_ns: group.estimated_model.filter(|_| known).map(|ns| ns.0),
        replies_left_out: group.not_estimated,
        policies: policies.collect(),
    }
}

const fn hazards_json(hazards: &Hazard4) -> HazardsJson {
    HazardsJson {
        unknown_order: hazards.unknown_order,
        lost_update: hazards.lost_update,
        stale_read: hazards.stale_read,
        early_write: hazards.early_write,
        unlisted: hazards.unlisted,
    }
}

fn pair_json(pair: &Pair) -> PairJson<'_> {
    PairJson {
        file: &pair.file,
        thread: &pair.thread,
        turn: pair.pair.turn,
        kind: pair.pair.kind.word(),
        key: pair.pair.key.as_deref(),
        first: pair.pair.calls[0],
        second: pair.pair.calls[1],
        tools: &pair.pair.tools,
    }
}
