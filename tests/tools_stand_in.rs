//! Stand-ins take the time they are given and end as they are told to.
#![cfg(feature = "run")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tools_support;

use std::time::Duration;

use tokio::time::Instant;
use tools_support::context;
use turnlane::model::{CallKey, ThreadId};
use turnlane::model::{Scripted, StandIn};
use turnlane::run::{Answer, Tool, ToolError};
use turnlane::time::Nanos;
use turnlane::tools::StandIns;

fn one(stand_in: StandIn) -> StandIns {
    StandIns::from_iter([(context("{}").0.key, stand_in)])
}

fn stand_in(outcome: Scripted, ms: u64) -> StandIn {
    StandIn {
        time: Nanos::from_millis(ms),
        outcome,
        answer: "said".to_owned(),
        ignores_cancel: false,
    }
}

#[tokio::test(start_paused = true)]
async fn a_stand_in_takes_its_time_to_the_millisecond() {
    for ms in [0, 1, 7, 100, 86_400_000] {
        for (outcome, ended) in [
            (Scripted::Ok, Ok(Answer::text("said"))),
            (Scripted::Failed, Err(ToolError::Failed("said".to_owned()))),
            (Scripted::Fatal, Err(ToolError::Fatal("said".to_owned()))),
        ] {
            let start = Instant::now();
            let tool = one(stand_in(outcome, ms));
            assert_eq!(tool.call(context("{}").0).await, ended);
            assert_eq!(start.elapsed(), Duration::from_millis(ms), "{outcome:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_a_stand_in_at_once() {
    for outcome in [Scripted::Ok, Scripted::Panic, Scripted::Hang] {
        let (context, cancel) = context("{}");
        let start = Instant::now();
        let tool = one(stand_in(outcome, 100));
        assert!(!tool.survives_abort(&context));
        let (ended, ()) = tokio::join!(tool.call(context), async {
            tokio::time::sleep(Duration::from_millis(40)).await;
            cancel.cancel();
        });
        assert_eq!(ended, Err(ToolError::Cancelled));
        assert_eq!(start.elapsed(), Duration::from_millis(40));
    }
}

#[tokio::test(start_paused = true)]
async fn a_stand_in_that_ignores_its_cancel_lands_when_its_time_is_over() {
    for outcome in [Scripted::Ok, Scripted::Hang] {
        let (context, cancel) = context("{}");
        let tool = one(StandIn {
            ignores_cancel: true,
            ..stand_in(outcome, 100)
        });
        assert!(tool.survives_abort(&context));
        let start = Instant::now();
        cancel.cancel();
        assert_eq!(tool.call(context).await, Ok(Answer::text("said")));
        assert_eq!(start.elapsed(), Duration::from_millis(100));
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_stand_in_never_ends_by_itself() {
    let tool = one(stand_in(Scripted::Hang, 1));
    let year = Duration::from_secs(365 * 86_400);
    let ended = tokio::time::timeout(year, tool.call(context("{}").0)).await;
    assert!(ended.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_panic_comes_after_its_time_and_carries_the_text() {
    let start = Instant::now();
    let body = one(stand_in(Scripted::Panic, 30)).call(context("{}").0);
    let panic = tokio::spawn(body).await.unwrap_err().into_panic();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "said");
    assert_eq!(start.elapsed(), Duration::from_millis(30));
}

#[tokio::test(start_paused = true)]
async fn one_tool_object_serves_every_call_of_a_scenario() {
    let key = |thread, turn, index| CallKey {
        thread: ThreadId(thread),
        turn,
        index,
    };
    let keys = [key(0, 1, 0), key(0, 1, 1), key(0, 2, 0), key(1, 1, 0)];
    let tool: StandIns = (1..)
        .zip(keys)
        .map(|(n, key)| (key, StandIn::ok(Nanos::from_millis(n), n.to_string())))
        .collect();
    for (n, key) in (1..).zip(keys) {
        let (mut context, _) = context("{}");
        context.key = key;
        let start = Instant::now();
        assert_eq!(tool.call(context).await, Ok(Answer::text(n.to_string())));
        assert_eq!(start.elapsed(), Duration::from_millis(n));
    }
    let (mut unknown, _) = context("{}");
    unknown.key = key(2, 3, 4);
    let error = tool.call(unknown).await.unwrap_err().to_string();
    assert!(error.contains("call 4 of turn 3 in thread 2"), "{error}");
}
