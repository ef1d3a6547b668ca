//! From the reference's calls to the crate's, and both timelines in one comparable form.

use turnlane::model::{KeyId, KeyTable, Outcome};
use turnlane::schedule::{self, CallSpec, Options, Plan, Scheduler, Slots};
use turnlane::simulate::{Body, Simulator, Timeline};
use turnlane::time::Nanos;

use super::reference::{self, RefCall};

/// A turn's calls in the crate's types.
#[derive(Debug)]
pub struct Bridge {
    pub keys: KeyTable,
    calls: Vec<(Vec<KeyId>, Vec<KeyId>, Vec<u32>)>,
}

impl Bridge {
    pub fn new(calls: &[RefCall]) -> Self {
        let mut keys = KeyTable::new();
        let rows = calls
            .iter()
            .map(|call| {
                let mut ids = |texts: &[String]| {
                    texts
                        .iter()
                        .map(|t| keys.intern_text(t))
                        .collect::<Vec<_>>()
                };
                let hints = call
                    .depends_on
                    .iter()
                    .map(|&h| u32::try_from(h).unwrap_or(u32::MAX));
                (ids(&call.reads), ids(&call.writes), hints.collect())
            })
            .collect();
        Self { keys, calls: rows }
    }

    pub fn specs(&self, calls: &[RefCall]) -> Vec<CallSpec<'_>> {
        let rows = self.calls.iter().zip(calls);
        rows.map(|((reads, writes, hints), call)| CallSpec {
            reads,
            writes,
            opaque: call.opaque,
            is_final: call.is_final,
            depends_on: hints,
            refused: call.refused.then_some(Outcome::UnknownTool),
            ..CallSpec::default()
        })
        .collect()
    }
}

pub fn policy(policy: reference::Policy) -> schedule::Policy {
    policy.name().parse().unwrap()
}

pub fn bodies(calls: &[RefCall]) -> Vec<Body> {
    let outcome = |call: &RefCall| {
        if call.fails {
            Outcome::Failed
        } else {
            Outcome::Ok
        }
    };
    calls
        .iter()
        .map(|c| Body::ends(Nanos(c.duration), outcome(c)))
        .collect()
}

pub fn slots(slots: Option<usize>) -> Slots {
    slots.map_or(Slots::Unlimited, |n| {
        Slots::limit(u32::try_from(n).unwrap()).unwrap()
    })
}

/// Plans and simulates a turn with the crate.
pub fn simulate(
    which: reference::Policy,
    limit: Option<usize>,
    calls: &[RefCall],
) -> (Plan, Timeline, Bridge) {
    let bridge = Bridge::new(calls);
    let specs = bridge.specs(calls);
    let plan = Plan::new(policy(which), &specs, &bridge.keys);
    let options = Options {
        slots: slots(limit),
        ..Options::default()
    };
    let mut scheduler = Scheduler::new(plan.clone(), &specs, options);
    let timeline = Simulator::default().run(&mut scheduler, &bodies(calls));
    drop(specs);
    (plan, timeline, bridge)
}
