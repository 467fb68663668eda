//! `gpus`: the GPUs by vendor and architecture, or the facts of some.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cli::mcp::arguments::Names;
use crate::cli::mcp::output::{self, AnswerSchema};
use crate::cli::mcp::question::listed;
use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use crate::result::{GpuParts, GpusReport};
use crate::session::SessionError;
use autotune_lowering::gpu::{self, Profile, ProfileFile};

pub(super) const DESCRIPTION: &str = "The names of all GPUs that can be asked about, by vendor and architecture; or the facts \
    of those that `gpu` names.";

/// The arguments of the tool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Arguments {
    /// A GPU's name, alias or group, such as `a100` or `vendor:AMD`; or a list.
    gpu: Option<Names>,
}

/// The schema of the replies.
pub(super) fn replies() -> Map<String, Value> {
    let whole = AnswerSchema::gpus();
    let fields = json!({
        "gpus": { "type": "object", "additionalProperties": { "type": "string" } },
        "gpu": whole.part("gpus"),
    });
    output::replies(fields, &[], &[whole])
}

pub(super) fn reply(arguments: &Arguments, full: bool) -> Result<Reply, Refusal> {
    match &arguments.gpu {
        None => of_all(full),
        Some(names) => of_some(&listed(names)?, full),
    }
}

/// The names of all.
fn of_all(full: bool) -> Result<Reply, Refusal> {
    let report = GpusReport::new(gpu::shipped().into_iter(), GpuParts { text: false, assumed: false });
    let mut families: IndexMap<String, Vec<&str>> = IndexMap::new();
    for gpu in &report.gpus {
        let family = gpu.facts.as_ref().map_or("abstract".to_owned(), |facts| {
            [Some(facts.vendor.name()), facts.architecture].into_iter().flatten().collect::<Vec<_>>().join(" ")
        });
        families.entry(family).or_default().push(gpu.name);
    }
    let families: IndexMap<String, String> =
        families.into_iter().map(|(family, names)| (family, names.join(" "))).collect();
    Reply::new(json!({ "gpus": families }), None, &report, full)
}

/// The facts of those that a list names.
fn of_some(list: &str, full: bool) -> Result<Reply, Refusal> {
    let files = named(list)?;
    let is_one = files.len() == 1;
    let report = GpusReport::new(files.into_iter(), GpuParts { text: true, assumed: true });
    let decisive: Vec<_> = report
        .gpus
        .iter()
        .map(|gpu| {
            let mut shown = json!({
                "name": gpu.name,
                "aliases": gpu.aliases,
                "multiprocessors": gpu.multiprocessors,
                "facts": gpu.facts,
            });
            // Of several, the number of these values among the facts has to do.
            if is_one {
                shown["assumed"] = json!(gpu.assumed);
            }
            shown
        })
        .collect();
    Reply::new(json!({ "gpu": decisive }), None, &report, full)
}

/// The shipped profiles of a list, each once. Profiles of files are not shown: `path`s are for kernels.
fn named(list: &str) -> Result<Vec<&'static ProfileFile>, SessionError> {
    let mut files: Vec<&ProfileFile> = Vec::new();
    for item in list.split(',').map(str::trim) {
        let unknown = |why| SessionError::Gpu { name: item.to_owned(), why };
        let names = if Profile::file(item).is_some() {
            vec![item.to_owned()]
        } else {
            let selected = gpu::select(item).map_err(unknown)?;
            selected.into_iter().map(|gpu| gpu.profile.name().to_owned()).collect()
        };
        for name in names {
            let file = gpu::find(&name).map_err(unknown)?;
            if files.iter().all(|known| known.profile != file.profile) {
                files.push(file);
            }
        }
    }
    Ok(files)
}
