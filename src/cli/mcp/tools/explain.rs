//! `explain`: where the time of a configuration goes.

use serde_json::{Map, Value, json};

use crate::cli::explain;
use crate::cli::mcp::call::{CallContext, Context, status};
use crate::cli::mcp::output::{self, AnswerSchema, statuses, text};
use crate::cli::mcp::question::Asked;
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;

pub(super) const DESCRIPTION: &str = "Where the time of the configuration that `config` names goes: what its critical path \
    waits for, line by line and the most first, what limits its residence, how far it is from the fastest, and what each \
    change of one parameter would do; or the rule that keeps it from running.";

/// The least share of the time that decides.
const LEAST_SHARE: f64 = 0.01;

/// The schema of the replies.
pub(super) fn replies() -> Map<String, Value> {
    let whole = AnswerSchema::explanation();
    let fields = json!({
        "kernel": text(),
        "gpu": text(),
        "status": statuses(),
        "parameters": whole.part("parameters"),
        "refused": whole.part("refused"),
        "time": whole.part("time"),
        "fastest": whole.part("fastest"),
        "not_compiled": whole.part("not_compiled"),
        "changes": whole.part("changes"),
    });
    output::replies(fields, &["kernel", "gpu", "status"], &[whole])
}

pub(super) fn reply(asked: &Asked, context: &Context, call: &CallContext, full: bool) -> Result<Reply, Refusal> {
    let inputs = asked.inputs(&context.folder, &context.reader(call))?;
    if inputs.only_configuration()?.is_none() {
        let names: Vec<&str> = inputs.spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        return Err(Refusal::new(
            "no configuration is named that could be explained",
            format!("give `config` with a value for each of `{}`; `evaluate` shows the fastest", names.join("`, `")),
        ));
    }
    let (report, ended) = explain::answer(&inputs, &call.limits())?;
    let mut time = json!(report.time);
    if let Some(path) = time.get_mut("path").and_then(Value::as_array_mut) {
        path.retain(|step| step["share"].as_f64().is_some_and(|share| share >= LEAST_SHARE));
    }
    let decisive = json!({
        "kernel": report.kernel,
        "gpu": report.gpu,
        "status": status(ended),
        "parameters": report.parameters,
        "refused": report.refused,
        "time": time,
        "fastest": report.fastest,
        "not_compiled": (report.not_compiled > 0).then_some(report.not_compiled),
        "changes": report.changes,
    });
    Reply::new(decisive, report.next.as_ref(), &report, full)
}
