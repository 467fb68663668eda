//! `check`: the errors and warnings of a spec, and the size of its space.

use serde_json::{Map, Value, json};

use crate::cli::check::Checked;
use crate::cli::mcp::call::{CallContext, Context, status};
use crate::cli::mcp::output::{self, AnswerSchema, statuses, text};
use crate::cli::mcp::question::Asked;
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use crate::cli::progress::Progress;
use autotune_engine::explain::NextChange;

pub(super) const DESCRIPTION: &str = "All errors and warnings of a spec or of a kernel's source with their lines and how to \
    mend them, unsafe configurations among them, and how many configurations each constraint and each limit of the GPU \
    removes. With several GPUs between commas (or `all`, `vendor:NVIDIA`, `target:sm_80`): what fits where.";

/// The schema of the replies.
pub(super) fn replies() -> Map<String, Value> {
    let whole = AnswerSchema::diagnosis();
    let fields = json!({
        "spec": text(),
        "gpu": text(),
        "status": statuses(),
        "errors": whole.part("errors"),
        "warnings": whole.part("warnings"),
        "space": whole.part("space"),
        "fits": whole.part("fits"),
    });
    output::replies(fields, &["spec", "status"], &[whole])
}

pub(super) fn reply(asked: &Asked, context: &Context, call: &CallContext, full: bool) -> Result<Reply, Refusal> {
    let (gpu, config) = (asked.gpu(&context.folder)?, asked.config());
    let words = [gpu.as_deref(), None, config.as_deref()];
    let (reader, progress) = (context.reader(call), Progress::hidden());
    let checked =
        Checked::new(&asked.spec, None, words, (&asked.sizes(), asked.problem.warm), &reader, false, &progress)?;
    let (report, ended) = checked.report(&asked.name);
    let decisive = json!({
        "spec": report.spec,
        "gpu": report.gpu,
        "status": status(ended),
        "errors": report.errors,
        "warnings": report.warnings,
        "space": report.space,
        "fits": report.fits,
    });
    let mend = report.errors.iter().find_map(|error| {
        let line = error.line.map_or(String::new(), |line| format!("line {line}: "));
        Some(format!("{line}{}", error.help.as_ref()?))
    });
    let next = mend.map(|text| NextChange { text, parameter: None, access: None });
    Reply::new(decisive, next.as_ref(), &report, full)
}
