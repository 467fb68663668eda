//! `autotune gpus`: the GPU profiles.

use comfy_table::Table;
use comfy_table::presets::NOTHING;

use super::failure::Failure;
use super::{Status, arguments, output};
use crate::gpu::{self, Profile};

pub(super) fn run(request: &arguments::Gpus) -> Result<Status, Failure> {
    let text = match &request.name {
        None => list(),
        Some(name) => {
            let shipped = gpu::find(name).map_err(|why| Failure::Gpu { name: name.clone(), why })?;
            shipped.text.to_owned()
        }
    };
    output::text(&text)?;
    Ok(Status::Success)
}

fn list() -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["name", "execution", "multiprocessors", "aliases"]);
    for shipped in gpu::shipped() {
        let (execution, multiprocessors) = match &shipped.profile {
            Profile::Lockstep(gpu) => ("lockstep", gpu.multiprocessors),
            Profile::Pipelined(gpu) => ("pipelined", gpu.multiprocessors),
        };
        let (name, aliases) = (shipped.profile.name(), shipped.profile.aliases().join(", "));
        table.add_row([name, execution, &multiprocessors.to_string(), &aliases]);
    }
    format!("{}\n", table.trim_fmt())
}
