//! `diff`: what a change does to a kernel.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cli::Status;
use crate::cli::mcp::arguments::KernelArguments;
use crate::cli::mcp::call::{CallContext, Context, status};
use crate::cli::mcp::output::{self, AnswerSchema, integer, list, statuses, text};
use crate::cli::mcp::question::{Asked, TextRole};
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use crate::result::{ConfigurationDifference, CountsReport, DifferenceReport, GpuDifference, SharedFinding};
use crate::session::{DifferenceRequest, OldKernel, OldText, differ};
use autotune_engine::difference::{ChosenConfigurations, LinePlace};
use autotune_engine::proof::Percent;

pub(super) const DESCRIPTION: &str = "What a change does to a kernel: which exact counts became worse, their lines, and \
    the predicted times of `old` and of the new kernel, at each one's fastest configuration or at the one that `config` \
    names. Several GPUs may stand between commas.";

/// The least change of a predicted time that is a finding by default: 20 %.
const THRESHOLD: u32 = 20;

/// The arguments of the tool beside its kernel.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Arguments {
    /// The kernel before the change. A source without a `source` of its own says itself how it is launched, or
    /// has the parameters and the launch of the new one.
    old: Option<KernelArguments>,
    /// The least change of a predicted time that is a finding, in percent; 20 by default.
    threshold: Option<Percent>,
    /// True to compare all configurations.
    all: bool,
}

/// The schema of the replies.
pub(super) fn replies() -> Map<String, Value> {
    let whole = AnswerSchema::diff();
    let finding = json!({
        "kind": text(),
        "count": text(),
        "fails": { "type": "boolean" },
        "place": text(),
        "text": text(),
        "old_place": text(),
        "message": text(),
        "gpus": text(),
        "configurations": { "type": "array", "items": { "type": "object" } },
    });
    let side = json!({ "type": "object" });
    let configuration = json!({
        "parameters": { "type": "object" },
        "roles": { "type": "array", "items": text() },
        "ratio": { "type": ["number", "null"] },
        "old": side,
        "new": side,
    });
    let gpu =
        json!({ "gpu": text(), "optima": { "type": ["object", "null"] }, "configurations": list(&configuration) });
    let fields = json!({
        "kernel": text(),
        "status": statuses(),
        "failing": integer(),
        "description": list(&json!({ "what": text(), "name": text() })),
        "findings": list(&finding),
        "gpus": list(&gpu),
    });
    output::replies(fields, &["kernel", "status", "failing"], &[whole])
}

pub(super) fn reply(
    asked: &Asked,
    arguments: &Arguments,
    context: &Context,
    call: &CallContext,
    full: bool,
) -> Result<Reply, Refusal> {
    let new = asked.named(&context.folder)?;
    let of_old = KernelArguments::default();
    let given = arguments.old.as_ref().unwrap_or(&of_old);
    let old = Asked::new(given, asked.problem, TextRole::Old, &context.folder)?;
    let configurations = match (&new.config, arguments.all) {
        (Some(_), true) => {
            return Err(Refusal::new(
                "`config` names one configuration and `all` asks for all",
                "leave one of them out",
            ));
        }
        (Some(config), false) => ChosenConfigurations::Named(vec![config.clone()]),
        (None, true) => ChosenConfigurations::All,
        (None, false) => ChosenConfigurations::Optima,
    };
    let request = DifferenceRequest {
        old: match old.file {
            Some(file) if given.source.is_none() && (asked.is_described || !old.spec.states_launch()) => {
                OldKernel::Source(file)
            }
            Some(_) if given.source.is_none() => {
                let named = old.named(&context.folder)?;
                OldKernel::Text(Box::new(OldText { named, revision: None }))
            }
            _ => OldKernel::Spec(Box::new(old.named(&context.folder)?)),
        },
        gpus: new.gpu.clone(),
        new,
        configurations,
        threshold: arguments.threshold.unwrap_or(Percent::whole(THRESHOLD)),
    };
    let report = differ(&request, &context.reader(call), &call.limits())?;
    Reply::new(decisive(&report), report.next.as_ref(), &report, full)
}

fn decisive(report: &DifferenceReport) -> Value {
    let ended = if report.failing > 0 { Status::Worse } else { Status::Success };
    let of_gpu = |gpu: &GpuDifference| {
        json!({
            "gpu": gpu.gpu,
            "optima": gpu.optima,
            "configurations": gpu.configurations.iter().map(configuration).collect::<Vec<_>>(),
        })
    };
    json!({
        "kernel": report.kernel,
        "status": status(ended),
        "failing": report.failing,
        "description": report.description.description,
        "findings": report.shared().iter().map(finding).collect::<Vec<_>>(),
        "gpus": report.gpus.iter().map(of_gpu).collect::<Vec<_>>(),
    })
}

/// The decisive parts of a finding.
fn finding(SharedFinding { found, gpus }: &SharedFinding) -> Value {
    let (finding, mut shown) = (&found.finding, json!({ "kind": found.finding.kind, "count": found.finding.count }));
    let place = |place: &LinePlace| format!("{}:{}", place.file, place.line);
    if let Value::Object(shown) = &mut shown {
        let of = |name: &str, value: Option<Value>| Some((name.to_owned(), value?));
        shown.extend(of("fails", found.fails.then_some(true.into())));
        shown.extend(of("place", finding.place.as_ref().map(|at| place(at).into())));
        shown.extend(of("text", finding.place.as_ref().map(|at| at.text.clone().into())));
        shown.extend(of("old_place", finding.old_place.as_ref().map(|at| place(at).into())));
        shown.extend(of("message", Some(finding.message.clone().into())));
        shown.extend(of("gpus", Some(gpus.join(" ").into())));
        shown.extend(of("configurations", Some(json!(found.configurations))));
    }
    shown
}

/// The decisive counts of a configuration.
fn configuration(one: &ConfigurationDifference) -> Value {
    let counts = |counts: &CountsReport| {
        json!({
            "ticks": counts.ticks,
            "microseconds": counts.microseconds,
            "registers": counts.registers.value,
            "resident_groups": counts.resident_groups,
        })
    };
    let side = |counted: Option<&CountsReport>, refused: Option<&String>| match (counted, refused) {
        (Some(counted), _) => counts(counted),
        (None, why) => json!({ "cannot_run": why }),
    };
    json!({
        "parameters": one.parameters,
        "roles": one.roles,
        "ratio": one.ratio,
        "old": side(one.old.as_ref(), one.old_refused.as_ref()),
        "new": side(one.new.as_ref(), one.new_refused.as_ref()),
    })
}
