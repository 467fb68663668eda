//! `gpus`: the GPUs by vendor and architecture, or the facts of one.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::cli::mcp::refusal::Refusal;
use crate::cli::mcp::reply::Reply;
use crate::gpu;
use crate::result::{GpuParts, GpusReport};
use crate::session::SessionError;

pub(super) const DESCRIPTION: &str = "The names of all GPUs that can be asked about, by vendor and architecture; or the facts of the one that `name` names.";

/// The arguments of the tool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Arguments {
    /// A GPU's name or alias.
    name: Option<String>,
}

pub(super) fn reply(arguments: &Arguments, full: bool) -> Result<Reply, Refusal> {
    let Some(name) = &arguments.name else {
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
        return Reply::new(json!({ "gpus": families }), None, &report, full);
    };
    let file = gpu::find(name).map_err(|why| SessionError::Gpu { name: name.clone(), why })?;
    let report = GpusReport::new(std::iter::once(file), GpuParts { text: true, assumed: true });
    let decisive: Vec<_> = report
        .gpus
        .iter()
        .map(|gpu| {
            json!({
                "name": gpu.name,
                "aliases": gpu.aliases,
                "multiprocessors": gpu.multiprocessors,
                "facts": gpu.facts,
                "assumed": gpu.assumed,
            })
        })
        .collect();
    Reply::new(json!({ "gpu": decisive }), None, &report, full)
}
