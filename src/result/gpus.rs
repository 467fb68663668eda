//! The GPU profiles (`schemas/gpus.json`).

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::gpu::{Profile, Shipped};

/// GPU profiles.
#[derive(Debug, Serialize)]
pub struct GpusReport<'a> {
    schema: &'static str,
    gpus: Vec<GpuReport<'a>>,
}

#[derive(Debug, Serialize)]
struct GpuReport<'a> {
    name: &'a str,
    execution: &'static str,
    multiprocessors: u64,
    aliases: &'a [String],
    /// The file that can be edited and given back, if one GPU was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
}

impl<'a> GpusReport<'a> {
    /// Of these profiles, with the text of each if it was asked for by name.
    #[must_use]
    pub fn new(shipped: impl Iterator<Item = &'a Shipped>, by_name: bool) -> Self {
        let gpu = |shipped: &'a Shipped| {
            let (execution, multiprocessors) = match &shipped.profile {
                Profile::Lockstep(gpu) => ("lockstep", gpu.multiprocessors),
                Profile::Pipelined(gpu) => ("pipelined", gpu.multiprocessors),
            };
            let (name, aliases) = (shipped.profile.name(), shipped.profile.aliases());
            GpuReport { name, execution, multiprocessors, aliases, profile: by_name.then_some(shipped.text) }
        };
        Self { schema: "autotune.gpus/1", gpus: shipped.map(gpu).collect() }
    }

    /// A table.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(["name", "execution", "multiprocessors", "aliases"]);
        for gpu in &self.gpus {
            table.add_row([gpu.name, gpu.execution, &gpu.multiprocessors.to_string(), &gpu.aliases.join(", ")]);
        }
        format!("{}\n", table.trim_fmt())
    }
}
