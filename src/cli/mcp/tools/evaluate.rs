//! `evaluate`: the fastest configurations by the native evaluator, or a proof of the optimum.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cli::arguments::Schedules;
use crate::cli::evaluate::{self, Listed, Wanted};
use crate::cli::mcp::call::{CallContext, Context, status};
use crate::cli::mcp::output::{self, AnswerSchema, integer, statuses, text};
use crate::cli::mcp::question::Asked;
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use crate::cli::tune;
use crate::result::{EvaluatedReport, EvaluationReport, Report};
use crate::session::{Request, exit_status};
use autotune_engine::proof::Event;

pub(super) const DESCRIPTION: &str = "The fastest configurations of a kernel on a GPU with their predicted times, in \
    milliseconds to seconds; or the time of the one that `config` names. `prove: true` proves the optimum by model checking, \
    which may take minutes.";

/// The number of configurations that a reply shows, unless another is asked for.
const SHOWN: usize = 5;

/// The arguments of the tool beside its kernel.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Arguments {
    /// The number of configurations to show, the fastest first; 5 by default.
    #[schemars(range(min = 1, max = 1000))]
    top: Option<u16>,
    /// True to prove the optimum.
    prove: bool,
}

/// The schema of the replies: of an evaluation, and of a proof.
pub(super) fn replies() -> Map<String, Value> {
    let (whole, proof) = (AnswerSchema::evaluation(), AnswerSchema::result());
    let fields = json!({
        "kernel": text(),
        "gpu": text(),
        "status": statuses(),
        "refused": whole.part("refused"),
        "fastest": whole.part("configurations"),
        "configurations": integer(),
        "can_run": integer(),
        // A number of configurations; a proof says which they are.
        "unknown": { "anyOf": [integer(), proof.part("unknown")] },
        "why_unknown": {},
        "verdict": proof.part("verdict"),
        "optimum": proof.part("optimum"),
        "may_not_launch": proof.part("may_not_launch"),
        "warnings": proof.part("warnings"),
        "interval": proof.part("interval"),
        "best_known": proof.part("best_known"),
        "stopped": proof.part("reason"),
        "reasons": proof.part("reasons"),
        "best": proof.part("near/best"),
        "ties": integer(),
        "top": proof.part("top"),
    });
    output::replies(fields, &["kernel", "gpu", "status"], &[whole, proof])
}

pub(super) fn reply(
    asked: &Asked,
    arguments: &Arguments,
    context: &Context,
    call: &mut CallContext,
    full: bool,
) -> Result<Reply, Refusal> {
    let top = arguments.top.map_or(SHOWN, usize::from);
    if !(1..=1000).contains(&top) {
        return Err(Refusal::new(format!("`top` is {top}"), "give a number from 1 to 1000"));
    }
    let inputs = asked.inputs(&context.folder, &context.reader(call))?;
    if arguments.prove {
        let session = tune::open(context.tools.no_cache, call.interrupt.clone())?;
        let request = Request { top: arguments.top.map_or(1, usize::from), ..Request::default() };
        let outcome = session.prove_observed(&inputs, &request, None, &mut |event| call.observe(&event))?;
        let report = outcome.report;
        return Reply::new(of_proof(&report), report.next.as_ref(), &report, full);
    }
    let limits = call.limits();
    let observe = &mut |progress| call.observe(&Event::Space(progress));
    // All are needed to tell what is refused and how many can run.
    let wanted = Wanted { listed: Listed::All, next: true, schedules: Schedules::Fifo };
    let (report, ended) = evaluate::answer(&inputs, wanted, &limits, observe)?;
    let decisive = of_evaluation(&report, status(ended), top);
    Reply::new(decisive, report.next.as_ref(), &report, full)
}

fn of_evaluation(report: &EvaluationReport, status: &str, top: usize) -> Value {
    let mut fastest: Vec<&EvaluatedReport> = report.configurations.iter().collect();
    fastest.sort_by_key(|one| one.rank());
    let timed = fastest.iter().filter(|one| one.ticks.is_some()).count();
    let unknown: Vec<_> = fastest.iter().filter(|one| one.unknown.is_some()).collect();
    let shown = fastest.iter().filter(|one| one.ticks.is_some() || report.configurations.len() == 1).take(top);
    json!({
        "kernel": report.kernel,
        "gpu": report.gpu,
        "status": status,
        "refused": report.refused,
        "fastest": shown.collect::<Vec<_>>(),
        "configurations": report.configurations.len(),
        "can_run": timed,
        "unknown": unknown.len(),
        "why_unknown": unknown.first().and_then(|one| one.unknown.as_ref()),
    })
}

fn of_proof(report: &Report) -> Value {
    json!({
        "kernel": report.kernel,
        "gpu": report.gpu,
        "status": status(exit_status(report)),
        "verdict": report.verdict,
        "optimum": report.optimum,
        "may_not_launch": report.may_not_launch,
        "refused": report.refused,
        "unknown": report.unknown,
        "warnings": report.warnings,
        "interval": report.interval,
        "best_known": report.best_known,
        "stopped": report.reason,
        "reasons": report.reasons,
        "best": report.near.as_ref().map(|near| &near.best),
        "ties": report.ties.as_ref().map(Vec::len),
        "top": report.top,
    })
}
