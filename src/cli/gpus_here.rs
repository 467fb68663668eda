//! The GPUs of this machine, as their vendors' tools name them.

use std::path::Path;
use std::time::{Duration, Instant};

use autotune_base::limits::Limits;
use autotune_base::process::{self, Task};
use autotune_lowering::gpu;

/// The time that a tool may take: it is asked while an error waits.
const PATIENCE: Duration = Duration::from_secs(5);

/// A GPU of this machine that has a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GpuHere {
    /// The name that the vendor's tool prints.
    pub(super) printed: String,
    /// The name or alias of the profile.
    pub(super) profile: &'static str,
}

/// The first GPU of this machine that has a profile; `None` without one, or without the tools that would name it.
pub(super) fn first() -> Option<GpuHere> {
    let nvidia = asked("nvidia-smi", &["--query-gpu=name", "--format=csv,noheader"]);
    let of_nvidia = nvidia.iter().flat_map(|text| text.lines().map(|line| line.trim().to_owned()));
    known(of_nvidia).or_else(|| known(asked("rocminfo", &[]).iter().flat_map(|text| names_of_amd(text))))
}

fn known(names: impl Iterator<Item = String>) -> Option<GpuHere> {
    let mut known = names.filter_map(|printed| {
        let profile = gpu::called_by_tool(&printed)?;
        Some(GpuHere { printed, profile })
    });
    known.next()
}

/// The marketing names in the output of `rocminfo`; those of processors are among them.
fn names_of_amd(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("Marketing Name:"));
    names.map(|name| name.trim().to_owned()).collect()
}

/// The output of a tool; `None` if it is not there or fails.
fn asked(tool: &str, options: &[&str]) -> Option<String> {
    let path = which::which(tool).ok()?;
    let limits = Limits { deadline: Some(Instant::now() + PATIENCE), ..Limits::default() };
    let finished = process::run(&Task::new(&path, options.iter().copied(), Path::new("/")), &limits).ok()?;
    (finished.stopped.is_none() && finished.status.success()).then_some(finished.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_is_found_beside_processors() {
        let text = "Agent 1\n  Name:                    AMD EPYC 7763\n  Marketing Name:          AMD EPYC 7763 64-Core\n\
                    Agent 2\n  Name:                    gfx90a\n  Marketing Name:          AMD Instinct MI250X\n";
        let here = GpuHere { printed: "AMD Instinct MI250X".to_owned(), profile: "mi250x" };
        assert_eq!(known(names_of_amd(text).into_iter()), Some(here));
    }
}
