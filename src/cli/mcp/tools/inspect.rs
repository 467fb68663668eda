//! `inspect`: what each line of a source executes, the most wasteful first.

use serde_json::{Map, Value, json};

use crate::cli::inspect;
use crate::cli::mcp::call::{CallContext, Context};
use crate::cli::mcp::output::{self, AnswerSchema, integer, list, number, text};
use crate::cli::mcp::question::Asked;
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use autotune_engine::explain::inspect::{AccessNote, InspectedLine};

pub(super) const DESCRIPTION: &str = "What a warp executes of each line of a kernel's source: instructions, barriers, and \
    the sectors or passes of each access beside the fewest that would do; the most wasteful lines first. Registers, spilled \
    words, local memory. Of the configuration that `config` names, else of the fastest.";

/// The schema of the replies.
pub(super) fn replies() -> Map<String, Value> {
    let whole = AnswerSchema::inspection();
    let access = json!({
        "access": text(),
        "memory": text(),
        "array": { "type": ["string", "null"] },
        "bytes": integer(),
        "lane_stride": { "type": ["integer", "null"] },
        "times": number(),
        "sectors": number(),
        "least_sectors": number(),
        "passes": number(),
        "least_passes": number(),
    });
    let line = json!({
        "file": text(),
        "line": integer(),
        "text": text(),
        "instructions": number(),
        "accesses": list(&access),
        "barriers": number(),
        "trips": {},
        "branches_on_data": { "type": "boolean" },
    });
    let fields = json!({
        "kernel": text(),
        "gpu": text(),
        "parameters": whole.part("parameters"),
        "chosen": whole.part("chosen"),
        "warnings": whole.part("warnings"),
        "resources": whole.part("resources"),
        "launch": whole.part("launch"),
        "lines": list(&line),
    });
    output::replies(fields, &["kernel", "gpu", "chosen"], &[whole])
}

pub(super) fn reply(asked: &Asked, context: &Context, call: &CallContext, full: bool) -> Result<Reply, Refusal> {
    let inputs = asked.inputs(&context.folder, &context.reader(call))?;
    let (report, _) = inspect::answer(&inputs, true, full)?;
    let several = report.files.len() > 1;
    let files =
        report.files.iter().flat_map(|file| file.lines.iter().map(|line| (several.then_some(&*file.name), line)));
    let mut lines: Vec<(Option<&str>, &InspectedLine)> = files.filter(|(_, line)| line.is_executed()).collect();
    let waste = |line: &InspectedLine| line.accesses.iter().map(AccessNote::waste).sum::<f64>();
    lines.sort_by(|(_, one), (_, other)| {
        let by_work = other.instructions.total_cmp(&one.instructions);
        waste(other).total_cmp(&waste(one)).then(by_work)
    });
    let decisive = json!({
        "kernel": report.kernel,
        "gpu": report.gpu,
        "parameters": report.parameters,
        "chosen": report.chosen,
        "warnings": report.warnings,
        "resources": report.resources,
        "launch": report.launch,
        "lines": lines.into_iter().map(|(file, line)| decisive_line(file, line)).collect::<Vec<_>>(),
    });
    Reply::new(decisive, report.next.as_ref(), &report, full)
}

/// The decisive counts of a line; `file` is `None` if there is only one.
fn decisive_line(file: Option<&str>, line: &InspectedLine) -> Value {
    let mut accesses: Vec<&AccessNote> = line.accesses.iter().collect();
    accesses.sort_by(|one, other| other.waste().total_cmp(&one.waste()));
    let accesses: Vec<Value> = accesses.into_iter().map(decisive_access).collect();
    let mut shown = json!({
        "line": line.line,
        "text": line.text.trim(),
        "instructions": line.instructions,
        "accesses": accesses,
    });
    if let Value::Object(shown) = &mut shown {
        shown.extend(file.map(|file| ("file".to_owned(), file.into())));
        shown.extend((line.barriers > 0.0).then(|| ("barriers".to_owned(), line.barriers.into())));
        let trips = line.trips.and_then(|trips| serde_json::to_value(trips).ok());
        shown.extend(trips.map(|trips| ("trips".to_owned(), trips)));
        shown.extend(line.branches_on_data.then(|| ("branches_on_data".to_owned(), true.into())));
    }
    shown
}

/// The decisive counts of an access, beside the fewest that would do.
fn decisive_access(note: &AccessNote) -> Value {
    let mut shown = json!({
        "access": note.access,
        "memory": note.memory,
        "array": note.array,
        "bytes": note.bytes,
        "lane_stride": note.lane_stride,
        "times": note.executions,
    });
    let counts = [
        ("sectors", note.sectors),
        ("least_sectors", note.least_sectors),
        ("passes", note.passes),
        ("least_passes", note.least_passes),
    ];
    if let Value::Object(shown) = &mut shown {
        shown.extend(counts.into_iter().filter_map(|(name, count)| Some((name.to_owned(), count?.into()))));
    }
    shown
}
