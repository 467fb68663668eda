//! The parts of a kernel, from which its graph is made, and the three models of its time.
//!
//! - *naive*: global memory takes time, operations take 0 ticks;
//! - *operations*: operations take their own time too;
//! - *serialized*: in addition, executors read one after the other. With M reads in a phase and n executors, the last
//!   executor's j-th read arrives (M n - M + j - 1) dt later than it would alone.
//!
//! Parts follow one another or are parallel, so series and parallel reduction gives the time: ⊙ for a sequence, ⊕ for
//! parallel parts. A barrier is a cut between two factors. A loop is the power of its fragment's matrix, which has a
//! single entry, from one input to one output. `picture` lays the same parts out as a graph.

use thiserror::Error;

use super::scalar::{Overflow, Scalar};
use crate::gpu::Profile;
use crate::machine::Program;
use crate::models::maxplus::{body, phases};
use crate::spec::{EvaluationError, Scope, Spec};

/// The kernel of one configuration on a GPU. All times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The parts that one executor runs.
    pub parts: Vec<Part>,
    /// Ticks before the first executor begins.
    pub launch: u64,
    /// The number of executors that run one after the other.
    pub repetitions: u64,
    /// n: the number of executors that run at the same time and share memory.
    pub executors: u128,
}

/// A part of a kernel, which follows the part before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Reads that follow each other directly: parallel inputs of the next part.
    Reads(Vec<Read>),
    /// Writes, one after the other.
    Write(Write),
    /// An operation that is neither an access to global memory nor a barrier.
    Operation(Operation),
    /// A barrier: the parts before and after it never overlap.
    Barrier(Operation),
    /// Two sides, of which the longer counts.
    Branch([Vec<Part>; 2]),
    /// The body runs `count` times.
    Loop {
        /// The number of iterations.
        count: u64,
        /// The parts of one iteration.
        body: Vec<Part>,
    },
}

/// Reads of one array, or by one statement, that may be under way together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The name of the array, or of the server.
    pub name: String,
    /// The line in the spec, from 1; `None` if the part comes from a program.
    pub line: Option<u32>,
    /// The number of reads.
    pub accesses: u128,
    /// t: the ticks of one read alone.
    pub ticks: u64,
    /// The ticks by which the last read of the last executor arrives later than alone.
    pub wait: u128,
}

/// Writes of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The array's name.
    pub name: String,
    /// The line in the spec, from 1.
    pub line: Option<u32>,
    /// The number of writes.
    pub accesses: u64,
    /// T: the ticks of one write alone.
    pub ticks: u64,
    /// The ticks by which the last executor's last write ends later than alone.
    pub wait: u128,
}

/// An operation, or a barrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The operation's name.
    pub name: String,
    /// The line in the spec, from 1; `None` if the part comes from a program.
    pub line: Option<u32>,
    /// tau: the operation's ticks.
    pub ticks: u128,
}

/// A model of a kernel's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Only global memory takes time.
    Naive,
    /// Operations take time too.
    Operations,
    /// In addition, executors wait for each other's reads.
    Serialized,
}

/// The times of a kernel by the three models, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Times {
    /// The time by the naive model; at most the machine's time.
    pub naive: u128,
    /// The time with operations; at most the machine's time.
    pub operations: u128,
    /// The time with waits; it can be above or below the machine's time (see
    /// [`serialized_is_a_bound`](super::serialized_is_a_bound)).
    pub serialized: u128,
}

impl Times {
    /// The time by one model, in ticks.
    #[must_use]
    pub fn of(&self, model: Variant) -> u128 {
        match model {
            Variant::Naive => self.naive,
            Variant::Operations => self.operations,
            Variant::Serialized => self.serialized,
        }
    }
}

/// A reason for which a configuration does not have a max-plus model.
#[derive(Debug, Error)]
pub enum KernelError {
    /// An expression of the spec that cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A time beyond 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Kernel {
    /// The kernel of a feasible configuration: on a lockstep GPU from the spec's body, on a real GPU from the lowered
    /// program.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or a time exceeds 128 bits.
    pub fn new(spec: &Spec, profile: &Profile, scope: &Scope, program: &Program) -> Result<Self, KernelError> {
        match profile {
            Profile::Lockstep(gpu) => body::kernel(spec, gpu, scope, program),
            Profile::Pipelined(_) => Ok(Self::of_program(program)?),
        }
    }

    /// The kernel of a real GPU's program: a warp is an executor, and the warps share the path to memory.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn of_program(program: &Program) -> Result<Self, Overflow> {
        phases::kernel(program)
    }

    /// The program's time in ticks: one executor's time, `repetitions` times, after the launch.
    ///
    /// # Errors
    /// If the time exceeds 128 bits.
    pub fn time(&self, model: Variant) -> Result<u128, Overflow> {
        let repeated = self.time_of_one(model)?.power(self.repetitions)?;
        let time = repeated.times(Scalar::Time(self.launch.into()))?;
        Ok(time.time().unwrap_or_default())
    }

    /// The times by all three models.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn times(&self) -> Result<Times, Overflow> {
        Ok(Times {
            naive: self.time(Variant::Naive)?,
            operations: self.time(Variant::Operations)?,
            serialized: self.time(Variant::Serialized)?,
        })
    }

    /// The time of one executor, in ticks: of those that share memory, the last one's.
    ///
    /// # Errors
    /// If the time exceeds 128 bits.
    pub fn time_of_one(&self, model: Variant) -> Result<Scalar, Overflow> {
        model.series(&self.parts)
    }
}

impl Variant {
    /// All models, in the order of results.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Operations, Self::Serialized];

    /// The model's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "max_plus_naive",
            Self::Operations => "max_plus_operations",
            Self::Serialized => "max_plus_serialized",
        }
    }

    /// The time of parts that follow one another.
    fn series(self, parts: &[Part]) -> Result<Scalar, Overflow> {
        parts.iter().try_fold(Scalar::ONE, |sum, part| sum.times(self.part(part)?))
    }

    fn part(self, part: &Part) -> Result<Scalar, Overflow> {
        Ok(match part {
            Part::Reads(reads) => {
                let parallel = |longest: Scalar, read| Ok(longest.plus(Scalar::Time(self.read(read)?)));
                reads.iter().try_fold(Scalar::Epsilon, parallel)?
            }
            Part::Write(write) => Scalar::Time(self.write(write)?),
            Part::Operation(operation) | Part::Barrier(operation) => Scalar::Time(self.operation(operation)),
            Part::Branch([then, otherwise]) => self.series(then)?.plus(self.series(otherwise)?),
            Part::Loop { count, body } => self.series(body)?.power(*count)?,
        })
    }

    /// The ticks until the last of the reads arrives.
    pub(super) fn read(self, read: &Read) -> Result<u128, Overflow> {
        u128::from(read.ticks).checked_add(self.wait(read.wait)).ok_or(Overflow)
    }

    /// The ticks until the last of the writes is done.
    pub(super) fn write(self, write: &Write) -> Result<u128, Overflow> {
        let alone = u128::from(write.ticks) * u128::from(write.accesses);
        alone.checked_add(self.wait(write.wait)).ok_or(Overflow)
    }

    /// The ticks of the operation's loop in the graph.
    pub(super) fn operation(self, operation: &Operation) -> u128 {
        if self == Self::Naive { 0 } else { operation.ticks }
    }

    fn wait(self, wait: u128) -> u128 {
        if self == Self::Serialized { wait } else { 0 }
    }
}

/// The ticks by which the accesses of the last of n executors come later than alone; each access delays the next by its
/// entry of `delays`. All accesses of the other executors and the executor's own earlier accesses go first.
///
/// # Errors
/// If a wait exceeds 128 bits.
pub fn waits(executors: u128, delays: &[u64]) -> Result<Vec<u128>, Overflow> {
    let of_one: u128 = delays.iter().copied().map(u128::from).sum();
    let mut wait = executors.saturating_sub(1).checked_mul(of_one).ok_or(Overflow)?;
    let mut waits = Vec::with_capacity(delays.len());
    for &delay in delays {
        waits.push(wait);
        wait = wait.checked_add(delay.into()).ok_or(Overflow)?;
    }
    Ok(waits)
}

#[cfg(test)]
mod tests;
