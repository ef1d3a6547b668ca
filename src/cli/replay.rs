//! `replay`: recorded turns run again through the real runner, with stand-ins that take the
//! recorded time. What comes out is measured; the prediction stands beside it.

use super::args::ReplayArgs;
use super::failure::Failure;
use super::journal::{Journal, RunInfo, new_run_id};
use super::load::load_run;
use super::output::{note, print};
use super::stand_ins::{Said, StoodIn};
use crate::analyze::{Recorded, TurnCase, TurnWhatIf, most_telling, recorded, what_if_turn};
use crate::export::hazard_line;
use crate::model::{Catalog, Timing};
use crate::run::{CancelTurn, PlannedCall, Runner};
use crate::schedule::Options;
use crate::text::clean;
use crate::time::Nanos;
use crate::trace::{Bodies, Call, Run, Turn, read, read_bytes};

pub(super) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let run = load_run(&args.file, args.catalog.as_deref())?;
    let chosen = chosen(&run, args)?;
    let turns = chosen.into_iter().map(|turn| ReplayTurn {
        args,
        run: &run,
        case: TurnCase::of(&run, &run.turns[turn]),
        rows: run.calls_of(&run.turns[turn]),
    });
    let turns: Vec<_> = turns.filter(ReplayTurn::can_be_replayed).collect();
    if turns.is_empty() {
        return Err(Failure::Failed("no turn could be replayed".to_owned()));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let measured = runtime.block_on(measure(args, &run, &turns))?;
    for (turn, row) in turns.iter().zip(&measured.turns) {
        print(&turn.report(&measured, row))?;
    }
    Ok(())
}

/// Runs the turns and reads back what was recorded of them.
async fn measure(args: &ReplayArgs, run: &Run, turns: &[ReplayTurn<'_>]) -> Result<Run, Failure> {
    let switches = args.switches;
    let options = Options {
        slots: switches.slots,
        on_failure: switches.on_failure,
        deadline: switches
            .deadline
            .map(|deadline| Nanos::from_millis_f64(deadline.as_secs_f64() * 1e3 / args.speed)),
        ..Options::default()
    };
    let id = new_run_id();
    let info = RunInfo {
        id: &id,
        policy: args.policy,
        options,
        model: &run.meta.model,
        task: &run.meta.task,
        catalog: None,
    };
    let journal = match &args.output {
        Some(path) => Journal::create(path, false, &info)?,
        None => Journal::in_memory(&info)?,
    };
    let mut runner = Runner::new(Catalog::default(), args.policy);
    runner.set_options(options);
    *runner.keys_mut() = run.keys.clone();
    runner.set_observer(Box::new(journal.observer()));
    for (number, turn) in (1..).zip(turns) {
        runner.set_approver(turn.stood_in().approver());
        let result = runner
            .run_planned(turn.planned(number), turn.case.model, CancelTurn::new())
            .await;
        result.map_err(Failure::unreadable)?;
    }
    journal.finish(runner.now())?;
    match &args.output {
        Some(path) => read(path).map_err(Failure::unreadable),
        None => read_bytes("the replay", journal.bytes()).map_err(Failure::unreadable),
    }
}

fn chosen(run: &Run, args: &ReplayArgs) -> Result<Vec<usize>, Failure> {
    let main: Vec<usize> = run
        .threads
        .first()
        .map_or_else(Vec::new, |t| t.turns.iter().map(|&t| t as usize).collect());
    if args.all {
        return Ok(main);
    }
    if let Some(number) = args.turn {
        let found = main
            .iter()
            .copied()
            .find(|&t| run.turns[t].number == number);
        return found.map(|t| vec![t]).ok_or_else(|| {
            Failure::Unreadable(format!(
                "no turn {number}; the main thread has turns 1 to {}",
                main.len()
            ))
        });
    }
    Ok(most_telling(run).into_iter().collect())
}

struct ReplayTurn<'a> {
    args: &'a ReplayArgs,
    run: &'a Run,
    case: TurnCase,
    rows: &'a [Call],
}

impl ReplayTurn<'_> {
    fn can_be_replayed(&self) -> bool {
        let (unknown, calls) = (self.case.unknown_calls(), self.case.calls.len());
        if unknown > 0 {
            let turn = self.case.number;
            note(&format!(
                "turn {turn}: not replayed, {unknown} of its {calls} calls have no known duration"
            ));
        }
        unknown == 0 && calls > 0
    }

    fn stood_in(&self) -> StoodIn<'_> {
        StoodIn {
            case: &self.case,
            speed: self.args.speed,
        }
    }

    fn planned(&self, turn: u32) -> Vec<PlannedCall> {
        self.stood_in().planned(turn, |call| {
            let row = &self.rows[call];
            Said {
                id: self.run.names.get(row.id).to_owned(),
                args: Bodies::text_head(self.run, row.args, 1 << 20).unwrap_or_default(),
                answer: Bodies::text_head(self.run, row.answer, 4096).unwrap_or_default(),
                source: row.source,
            }
        })
    }

    /// Recorded, predicted and measured, one below the other.
    fn report(&self, measured: &Run, row: &Turn) -> String {
        let args = self.args;
        let mut options = args.switches.what_if(&[args.policy]);
        options.deadline = args.switches.deadline;
        let predicted = what_if_turn(&self.case, &self.run.keys, &options);
        let model = self.case.model.map_or("unknown".to_owned(), |m| m.human());
        let mut out = format!(
            "Turn {} · {} calls · model {model} · {} slots\n",
            self.case.number,
            self.case.calls.len(),
            args.switches.slots,
        );
        out.push_str(&self.recorded_line());
        out.push_str(&predicted_line(&predicted, args));
        out.push_str(&self.measured_line(measured, row, &predicted));
        out.push_str(&super::what_if::caveats(&predicted));
        out
    }

    fn recorded_line(&self) -> String {
        let Some(seen) = &self.case.recorded else {
            return String::new();
        };
        let policy = seen
            .policy
            .as_deref()
            .map_or("policy unknown".into(), clean);
        let makespan = seen
            .makespan
            .map_or("unknown".to_owned(), |m| seen.timing.show(m));
        format!("  recorded   {makespan:>10}  {policy} ({})\n", seen.timing)
    }

    fn measured_line(&self, measured: &Run, row: &Turn, predicted: &TurnWhatIf) -> String {
        let Recorded {
            makespan, hazards, ..
        } = recorded(measured, row);
        let Some(makespan) = makespan else {
            return "  measured      unknown\n".to_owned();
        };
        let back = Nanos::from_millis_f64(makespan.as_secs_f64() * 1e3 * self.args.speed);
        let speed = if (self.args.speed - 1.0).abs() < f64::EPSILON {
            String::new()
        } else {
            format!(
                " at {}x speed, scaled back from {makespan}",
                self.args.speed
            )
        };
        let off = predicted
            .policies
            .first()
            .and_then(|p| p.makespan)
            .map_or_else(String::new, |p| {
                let difference =
                    (back.as_secs_f64() - p.as_secs_f64()) / p.as_secs_f64().max(f64::MIN_POSITIVE);
                format!(", {:+.1}% against the prediction", difference * 100.0)
            });
        let races = hazards.worst().map_or_else(
            || "no race".to_owned(),
            |first| hazard_line(first, hazards.count, &measured.keys),
        );
        // Where a stand-in took an upper bound, the figure is one too.
        let figure = match self.case.timing() {
            Timing::Bound => Timing::Bound.show(back),
            _ => back.human(),
        };
        format!(
            "  measured   {figure:>10}  {} with stand-ins{speed}{off}; {races}\n",
            self.args.policy
        )
    }
}

fn predicted_line(predicted: &TurnWhatIf, args: &ReplayArgs) -> String {
    let Some(result) = predicted.policies.first() else {
        return String::new();
    };
    let makespan = result
        .makespan
        .map_or("unknown".to_owned(), |m| result.timing.show(m));
    format!(
        "  predicted  {makespan:>10}  {} from durations that are {}\n",
        args.policy, result.timing
    )
}
