//! The wave model: a formula for a kernel's time on a real GPU, in microseconds.
//!
//! After A. A. Kleimenov, N. N. Popova, *A method for prediction execution time of GPU programs*, Computational
//! nanotechnology 8 (2021) 1, 38-45. Groups run in waves of as many groups as fit the GPU:
//!
//! ```text
//! time = launch + sum over waves                        launch = groups * x1 + x2
//! time_wave = max over multiprocessors                  time_SM = max over processing blocks (of one scheduler)
//! time_block = max(max over its warps of time_warp, sum of its warps' delays)
//! time_warp = time(latency) + time_sync                 time(latency) = arithmetic + local + round trips * latency
//! ```
//!
//! All formulas stand in section 3 of the paper, which does not number them; figure 3 is time(latency), figures 4 and 5
//! are the iteration. The mean latency rises until no bandwidth is exceeded: of L1, then of L2, DRAM and uncoalesced accesses. If no warp
//! waits for the moved bytes (a kernel that only stores), no latency slows the wave, and it takes bytes / bandwidth. A
//! value that the profile lacks leaves its term out; the result lists such terms. As in the paper, bank conflicts of
//! local memory cost nothing. All warps of a group count as equal, except for the instructions that they issue.

mod device;
mod kernel;
mod launch;
mod left_out;
mod levels;
mod wave;

use serde::Serialize;
use thiserror::Error;

use crate::gpu::Profile;
use crate::lowering::Lowered;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_machine::machine::{Server, Statement};
use device::Device;
use kernel::Kernel;

pub use kernel::Warp;
pub use launch::LaunchTime;
pub use left_out::LeftOut;
pub use levels::Levels;
pub use wave::{Bottleneck, Wave};

/// The predicted time of a configuration and its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct WavePrediction {
    /// The time of the whole program in microseconds: `launches` * (launch + sum over waves).
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub microseconds: f64,
    /// The time of the whole program in core cycles.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub cycles: f64,
    /// The number of launches of the kernel.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub launches: u64,
    /// The overhead of each launch, before its first wave.
    pub launch: LaunchTime,
    /// The time of a warp that is alone on the GPU.
    pub warp: Warp,
    /// The waves of each launch: first the ones that fill the GPU, then the rest.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1, max = 2)))]
    pub waves: Vec<Wave>,
    /// The terms of the formula that this kernel needs but the profile lacks.
    pub left_out: Vec<LeftOut>,
}

impl WavePrediction {
    /// The bottleneck of the longest wave of a launch; `None` without a wave.
    #[must_use]
    pub fn bottleneck(&self) -> Option<Bottleneck> {
        let longest = self.waves.iter().max_by(|left, right| left.cycles.total_cmp(&right.cycles));
        longest.map(|wave| wave.bound)
    }
}

/// The reason why a time cannot be predicted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PredictError {
    /// The GPU is an abstract processor, without the latencies and bandwidths of the formula.
    #[error("the wave model needs a real GPU, but `{gpu}` is lockstep: it has neither latencies nor bandwidths")]
    Lockstep {
        /// The name of the GPU.
        gpu: String,
    },
}

impl UserError for PredictError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let Self::Lockstep { .. } = self;
        Some(super::REAL_GPUS.to_owned())
    }
}

/// Predicts the time of a configuration that was lowered for this GPU.
///
/// # Errors
/// `PredictError::Lockstep` if the GPU is an abstract processor.
pub fn predict(profile: &Profile, lowered: &Lowered) -> Result<WavePrediction, PredictError> {
    let (Profile::Pipelined(gpu), Some(work)) = (profile, &lowered.work) else {
        return Err(PredictError::Lockstep { gpu: profile.name().to_owned() });
    };
    let program = &lowered.program;
    let warps = program.warps_per_group;
    let device = Device::new(gpu);
    let kernel = Kernel::new(&device, work, warps);
    let (launch, mut left_out) = launch::launch(gpu, program.groups, warps);
    left_out.extend(left_out::lacking_terms(&device, work));
    let waves = wave::all(&device, &kernel, program.groups, program.resident_groups);
    let cycles: f64 = waves.iter().map(|wave| levels::real(wave.count) * wave.cycles).sum();
    let microseconds = levels::real(program.passes) * (launch.microseconds + cycles / device.megahertz);
    Ok(WavePrediction {
        microseconds,
        cycles: microseconds * device.megahertz,
        launches: program.passes,
        launch,
        warp: kernel.warp,
        waves,
        left_out,
    })
}

/// The time of a configuration in microseconds. `None` where the formula lacks a term for what the program does: on an
/// abstract processor, with matrix units, and with work that is started and waited for later.
#[must_use]
pub fn complete_time(profile: &Profile, lowered: &Lowered) -> Option<f64> {
    complete(profile, lowered).map(|prediction| prediction.microseconds)
}

/// The prediction whose time is that of [`complete_time`].
#[must_use]
pub fn complete(profile: &Profile, lowered: &Lowered) -> Option<WavePrediction> {
    let lacks_a_term = |(statement, _): (&Statement, u128)| match statement {
        Statement::Start { .. } | Statement::Wait { .. } => true,
        Statement::Use { server, .. } => *server == Server::Matrix,
        _ => false,
    };
    if Statement::all(&lowered.program.body).any(lacks_a_term) {
        return None;
    }
    predict(profile, lowered).ok()
}

#[cfg(test)]
mod tests;
