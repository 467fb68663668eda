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

