//! The values of the wave model that three micro-benchmarks of a GPU show: their runs, and the lines through their times.
//!
//! - `empty` does nothing: its time grows with the number of groups, by a line for each size of a group.
//! - `chain` loads words, each at an address that the one before decides: its time grows with the steps by the latency, of
//!   neighbouring lanes in one line of memory or each in a line of its own.
//! - `spread` loads a word of a line of its own for each lane: its time grows with the groups by the moved bytes over the
//!   bandwidth.

mod line;

use std::num::NonZeroUsize;

use num_traits::ToPrimitive;
use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::gpu::Pipelined;
use line::Line;

/// Bytes of a sector, the least that an access moves.
const SECTOR: u64 = 32;
/// Words from one lane's address to the next: neighbours, and lanes in lines of 128 bytes of their own.
const STRIDES: [u64; 2] = [1, 32];
/// Numbers of groups of an empty kernel.
const GRIDS: [u64; 4] = [1024, 4096, 8192, 16384];
/// Numbers of loads in a chain.
const CHAINS: [u64; 3] = [1024, 2048, 4096];
/// Work items of a group that spreads its loads, and the loads of each.
const SPREAD: (u64, u64) = (256, 4);
/// Groups that spread their loads, for each multiprocessor.
const SPREAD_GROUPS: [u64; 3] = [256, 512, 1024];

/// A micro-benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Microbenchmark {
    /// A kernel that does nothing.
    Empty,
    /// Loads in a chain: each needs the result of the one before.
    Chain,
    /// Loads of lanes in sectors of their own.
    Spread,
}

impl Microbenchmark {
    /// All micro-benchmarks.
    pub const ALL: [Self; 3] = [Self::Empty, Self::Chain, Self::Spread];

    /// Returns the kernel's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Chain => "chain",
            Self::Spread => "spread",
        }
    }

    /// The parameter that its time grows with.
    fn grows_with(self) -> &'static str {
        match self {
            Self::Empty | Self::Spread => "GROUPS",
            Self::Chain => "STEPS",
        }
    }
}

/// A launch of a micro-benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchmarkLaunch {
    /// The kernel.
    pub kernel: Microbenchmark,
    /// Work items of a group.
    pub work_group: u64,
    /// Groups.
    pub groups: u64,
    /// Words of 4 bytes from the address of one work item to that of the next.
    pub stride: u64,
    /// Loads of a work item.
    pub steps: u64,
}

impl BenchmarkLaunch {
    /// The names of the parameters, in the order of [`Self::values`].
    pub const NAMES: [&str; 5] = ["KERNEL", "WORK_GROUP", "GROUPS", "STRIDE", "STEPS"];

    /// Returns the values of the parameters.
    #[must_use]
    pub fn values(&self) -> [String; 5] {
        let Self { kernel, work_group, groups, stride, steps } = self;
        let numbers = [work_group, groups, stride, steps].map(ToString::to_string);
        let [work_group, groups, stride, steps] = numbers;
        [kernel.name().to_owned(), work_group, groups, stride, steps]
    }

    /// Returns the parameters with their values, as `KERNEL=empty WORK_GROUP=32 …`.
    #[must_use]
    pub fn label(&self) -> String {
        let pairs = Self::NAMES.into_iter().zip(self.values());
        pairs.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// The launches that show the values of a GPU, with empty groups of these sizes, or of all if there are none.
    ///
    /// # Errors
    /// If a size is none of a whole number of warps that the GPU can run.
    pub fn of_gpu(gpu: &Pipelined, work_groups: &[NonZeroUsize]) -> Result<Vec<Self>, CalibrationError> {
        let warp = gpu.warp_size;
        let all: Vec<u64> = (1..=gpu.max_threads_per_block / warp).map(|warps| warps * warp).collect();
        let mut sizes: Vec<u64> = work_groups.iter().map(|size| size.get() as u64).collect();
        sizes.sort_unstable();
        sizes.dedup();
        if let Some(work_group) = sizes.iter().copied().find(|size| !all.contains(size)) {
            return Err(CalibrationError::Size { work_group, warp, most: gpu.max_threads_per_block });
        }
        let sizes = if sizes.is_empty() { all } else { sizes };
        let empty = sizes.into_iter().flat_map(|work_group| {
            GRIDS.map(|groups| Self { kernel: Microbenchmark::Empty, work_group, groups, stride: 1, steps: 0 })
        });
        let chain = STRIDES.into_iter().flat_map(|stride| {
            CHAINS.map(|steps| Self { kernel: Microbenchmark::Chain, work_group: warp, groups: 1, stride, steps })
        });
        let (work_group, steps) = SPREAD;
        let spread = SPREAD_GROUPS.map(|groups| Self {
            kernel: Microbenchmark::Spread,
            work_group: work_group.min(gpu.max_threads_per_block),
            groups: groups * gpu.multiprocessors,
            stride: STRIDES[1],
            steps,
        });
        Ok(empty.chain(chain).chain(spread).collect())
    }
}

/// A launch and its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedLaunch {
    /// The launch.
    pub launch: BenchmarkLaunch,
    /// The time of the launch in microseconds.
    pub microseconds: f64,
}

/// The launch time of an empty kernel with groups of one size: `per_group_us` times the groups, plus `fixed_us`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredLaunch {
    /// Warps of a group.
    pub warps: u64,
    /// x1: microseconds of each group, at least 0.
    pub per_group_us: f64,
    /// x2: microseconds of a launch, at least 0.
    pub fixed_us: f64,
}

/// The values of a GPU that its micro-benchmarks show. Cycles are core cycles of its profile.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredValues {
    /// The launch times by the sizes of groups, the smallest first.
    pub launches: Vec<MeasuredLaunch>,
    /// The greatest deviation of an empty kernel's time from its line, as a part of the time.
    pub deviation: f64,
    /// Cycles of a load whose lanes are neighbours.
    pub coalesced_cycles: f64,
    /// Cycles of a load whose lanes are in lines of their own.
    pub uncoalesced_cycles: f64,
    /// Bytes of sectors that all lanes move in a cycle, each lane in a line of its own.
    pub uncoalesced_bytes_per_cycle: f64,
}

impl MeasuredValues {
    /// The values that the times of launches show.
    ///
    /// # Errors
    /// If too few launches are different, or the times of a kernel do not follow its parameters.
    pub fn of(gpu: &Pipelined, timed: &[TimedLaunch]) -> Result<Self, CalibrationError> {
        for kernel in Microbenchmark::ALL {
            differs(kernel, timed)?;
        }
        let megahertz = gpu.core_clock_mhz.to_f64().unwrap_or(f64::NAN);
        let (launches, deviation) = launches(gpu.warp_size, timed)?;
        let cycles = |stride: u64| {
            let chain = timed.iter().filter(|one| one.launch.kernel == Microbenchmark::Chain);
            let chain: Vec<&TimedLaunch> = chain.filter(|one| one.launch.stride == stride).collect();
            Ok(growth(Microbenchmark::Chain, &chain, |launch| launch.steps)? * megahertz)
        };
        let spread: Vec<&TimedLaunch> =
            timed.iter().filter(|one| one.launch.kernel == Microbenchmark::Spread).collect();
        let of_group = growth(Microbenchmark::Spread, &spread, |launch| launch.groups)? * megahertz;
        let bytes = spread.first().map_or(0, |one| one.launch.work_group * one.launch.steps * SECTOR);
        Ok(Self {
            launches,
            deviation,
            coalesced_cycles: cycles(STRIDES[0])?,
            uncoalesced_cycles: cycles(STRIDES[1])?,
            uncoalesced_bytes_per_cycle: real(bytes) / of_group,
        })
    }

    /// Cycles that a load takes longer if its lanes are in lines of their own; `None` if it takes no longer.
    #[must_use]
    pub fn uncoalesced_extra_cycles(&self) -> Option<f64> {
        Some(self.uncoalesced_cycles - self.coalesced_cycles).filter(|extra| *extra >= 0.0)
    }
}

/// The lines through the times of empty kernels, and the greatest deviation from them.
fn launches(warp: u64, timed: &[TimedLaunch]) -> Result<(Vec<MeasuredLaunch>, f64), CalibrationError> {
    let empty = || timed.iter().filter(|one| one.launch.kernel == Microbenchmark::Empty);
    let mut sizes: Vec<u64> = empty().map(|one| one.launch.work_group).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut deviation = 0.0_f64;
    let mut launches = Vec::new();
    for work_group in sizes {
        let of_size: Vec<(f64, f64)> = empty()
            .filter(|one| one.launch.work_group == work_group)
            .map(|one| (real(one.launch.groups), one.microseconds))
            .collect();
        let line = Line::through(&of_size).map(|line| line.without_negatives(&of_size));
        let line = line.ok_or(CalibrationError::TooFew { kernel: Microbenchmark::Empty, work_group })?;
        let deviations = of_size.iter().map(|(groups, time)| (line.at(*groups) / time - 1.0).abs());
        deviation = deviations.fold(deviation, f64::max);
        let Line { slope, intercept } = line;
        launches.push(MeasuredLaunch { warps: work_group.div_ceil(warp), per_group_us: slope, fixed_us: intercept });
    }
    Ok((launches, deviation))
}

/// The growth of a kernel's time in microseconds, with a parameter.
fn growth(
    kernel: Microbenchmark,
    timed: &[&TimedLaunch],
    parameter: impl Fn(&BenchmarkLaunch) -> u64,
) -> Result<f64, CalibrationError> {
    let work_group = timed.first().map_or(0, |one| one.launch.work_group);
    let points: Vec<(f64, f64)> = timed.iter().map(|one| (real(parameter(&one.launch)), one.microseconds)).collect();
    let line = Line::through(&points).ok_or(CalibrationError::TooFew { kernel, work_group })?;
    if line.slope > 0.0 {
        return Ok(line.slope);
    }
    let ends = |one: &&&TimedLaunch| parameter(&one.launch);
    let [least, most] = [timed.iter().min_by_key(ends), timed.iter().max_by_key(ends)]
        .map(|one| one.map_or((0, 0.0), |one| (parameter(&one.launch), one.microseconds)));
    Err(CalibrationError::NoGrowth { kernel, parameter: kernel.grows_with(), least, most })
}

/// Checks that not all times of a kernel are equal.
fn differs(kernel: Microbenchmark, timed: &[TimedLaunch]) -> Result<(), CalibrationError> {
    let of_kernel = timed.iter().filter(|one| one.launch.kernel == kernel);
    let all: Vec<f64> = of_kernel.map(|one| one.microseconds).collect();
    match all.as_slice() {
        [first, others @ ..] if !others.is_empty() && others.iter().all(|other| other.total_cmp(first).is_eq()) => {
            Err(CalibrationError::OneTime { kernel, microseconds: *first, launches: all.len() })
        }
        _ => Ok(()),
    }
}

/// Converts a count to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "a measured value: 53 bits are plenty")]
fn real(count: u64) -> f64 {
    count as f64
}

/// The reason why times show no values.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CalibrationError {
    /// A size of groups that the GPU does not launch, or not in whole warps.
    #[error("groups of {work_group} work items are not measured: sizes are multiples of {warp}, up to {most}")]
    Size {
        /// Work items of a group.
        work_group: u64,
        /// Work items of a warp.
        warp: u64,
        /// The most work items of a group.
        most: u64,
    },
    /// A line through fewer than two different launches.
    #[error(
        "the times of `{}` with {work_group} work items in a group are of fewer than two values of {}: no line goes through them",
        kernel.name(), kernel.grows_with()
    )]
    TooFew {
        /// The kernel.
        kernel: Microbenchmark,
        /// Work items of a group.
        work_group: u64,
    },
    /// A kernel whose times are all equal.
    #[error("all {launches} launches of `{}` took {microseconds} us, whatever their {}", kernel.name(), kernel.grows_with())]
    OneTime {
        /// The kernel.
        kernel: Microbenchmark,
        /// The time in microseconds.
        microseconds: f64,
        /// The number of launches.
        launches: usize,
    },
    /// A kernel whose time does not grow.
    #[error(
        "the time of `{}` does not grow with {parameter}: {} us for {}, {} us for {}",
        kernel.name(), least.1, least.0, most.1, most.0
    )]
    NoGrowth {
        /// The kernel.
        kernel: Microbenchmark,
        /// The parameter.
        parameter: &'static str,
        /// The least value of the parameter, and the time in microseconds.
        least: (u64, f64),
        /// The greatest value of the parameter, and the time in microseconds.
        most: (u64, f64),
    },
}

impl UserError for CalibrationError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Size { .. } => ExitStatus::Unusable,
            Self::TooFew { .. } | Self::OneTime { .. } | Self::NoGrowth { .. } => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        let text = match self {
            Self::Size { .. } => "name such sizes with `--work-groups`, or leave it out to measure all",
            Self::TooFew { .. } => "measure into a new folder, or leave `runs.csv` as `autotune` wrote it",
            Self::OneTime { .. } | Self::NoGrowth { .. } => {
                "give the benchmark all of {KERNEL} {WORK_GROUP} {GROUPS} {STRIDE} {STEPS}, and let it print the time of \
                 the launch alone, with more digits"
            }
        };
        Some(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
