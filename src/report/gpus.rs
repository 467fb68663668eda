//! The GPU profiles, as a result states them.

use crate::gpu::{Profile, ProfileFile};
use crate::result::{GpuReport, GpusReport};

/// The report of these profiles. `by_name` is true if they were asked for by name, so that the text of each is
/// included.
#[must_use]
pub fn gpus<'a>(shipped: impl Iterator<Item = &'a ProfileFile>, by_name: bool) -> GpusReport<'a> {
    let gpu = |shipped: &'a ProfileFile| {
        let (execution, multiprocessors) = match &shipped.profile {
            Profile::Lockstep(gpu) => ("lockstep", gpu.multiprocessors),
            Profile::Pipelined(gpu) => ("pipelined", gpu.multiprocessors),
        };
        let (name, aliases) = (shipped.profile.name(), shipped.profile.aliases());
        GpuReport { name, execution, multiprocessors, aliases, profile: by_name.then_some(shipped.text.as_str()) }
    };
    GpusReport { schema: GpusReport::SCHEMA, gpus: shipped.map(gpu).collect() }
}
