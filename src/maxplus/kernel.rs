//! A kernel as its graph is made of, and the three models of its time.
//!
//! - *naive*: global memory takes time, operations take none;
//! - *operations*: operations take their own time;
//! - *serialized*: besides, executors read one after the other. With M reads in a phase and n executors the last one's
//!   j-th read arrives (M n - M + j - 1) dt later than it would alone.
//!
//! Parts follow one another or are parallel, so that series and parallel reduction is all that a time needs: a ⊙ for what
//! follows, a ⊕ for what is parallel, a barrier is a cut between two factors, and a loop is the power of its fragment's
//! matrix, which from one entry to one exit has a single entry. `picture` lays the same parts out as a graph.

use thiserror::Error;

use super::scalar::{Overflow, Scalar};
use super::{body, phases};
use crate::gpu::Profile;
use crate::machine::Program;
use crate::spec::{EvaluationError, Scope, Spec};

/// One configuration of a kernel on a GPU. All times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// What one executor does.
    pub parts: Vec<Part>,
    /// Before the first executor begins.
    pub launch: u64,
    /// How often executors run one after the other.
    pub repetitions: u64,
    /// n: how many run at a time and share memory.
    pub executors: u128,
}

/// What follows the part before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Reads with nothing between them: parallel inputs of what follows.
    Reads(Vec<Read>),
    /// Writes, one after the other.
    Write(Write),
    /// What is neither global memory nor a barrier.
    Operation(Operation),
    /// The executors wait for each other: its parts before and after never overlap.
    Barrier(Operation),
    /// Two sides, the longer counts.
    Branch([Vec<Part>; 2]),
    /// The body, so often.
    Loop {
        /// Iterations.
        count: u64,
        /// One of them.
        body: Vec<Part>,
    },
}

/// Reads of one array, or of one kind, that may be under way together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What is read.
    pub name: String,
    /// Where the spec says so, a line counted from 1.
    pub line: Option<u32>,
    /// How many reads.
    pub accesses: u128,
    /// t: one of them alone.
    pub ticks: u64,
    /// How much later the last read of the last executor arrives.
    pub wait: u128,
    /// The uses and barriers of the lowered program that it stands for, by their places in its text; empty if it comes from the
    /// spec itself.
    pub uses: Vec<usize>,
}

/// Writes of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// What is written.
    pub name: String,
    /// Where the spec says so, a line counted from 1.
    pub line: Option<u32>,
    /// How many writes.
    pub accesses: u64,
    /// T: one of them alone.
    pub ticks: u64,
    /// How much later the last executor's last write is done.
    pub wait: u128,
}

/// What takes its own time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it is.
    pub name: String,
    /// Where the spec says so, a line counted from 1.
    pub line: Option<u32>,
    /// tau.
    pub ticks: u128,
    /// The uses and barriers of the lowered program that it stands for, by their places in its text; empty if it comes from the
    /// spec itself.
    pub uses: Vec<usize>,
}

/// Which model of a kernel's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Global memory alone.
    Naive,
    /// And operations.
    Operations,
    /// And executors that wait for each other's reads.
    Serialized,
}

/// What the three models say of a kernel, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Times {
    /// Never above the machine's time.
    pub naive: u128,
    /// Never above the machine's time.
    pub operations: u128,
    /// Above or below the machine's time; see [`serialized_is_a_bound`](super::serialized_is_a_bound).
    pub serialized: u128,
}

impl Times {
    /// What one of them says.
    #[must_use]
    pub fn of(&self, model: Model) -> u128 {
        match model {
            Model::Naive => self.naive,
            Model::Operations => self.operations,
            Model::Serialized => self.serialized,
        }
    }
}

/// Why a configuration has no max-plus model.
#[derive(Debug, Error)]
pub enum KernelError {
    /// An expression of the spec has no value.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A time is no number.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Kernel {
    /// A feasible configuration: on a lockstep GPU from the spec's body, on a real one from the lowered program.
    ///
    /// # Errors
    /// If an expression has no value, or a time is no number.
    pub fn new(spec: &Spec, profile: &Profile, scope: &Scope, program: &Program) -> Result<Self, KernelError> {
        match profile {
            Profile::Lockstep(gpu) => body::kernel(spec, gpu, scope, program),
            Profile::Pipelined(_) => Ok(Self::of_program(program)?),
        }
    }

    /// A program of a real GPU: a warp is an executor, the memory's path what they share.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn of_program(program: &Program) -> Result<Self, Overflow> {
        phases::kernel(program)
    }

    /// The program's time: the repetitions of one executor's, after the launch.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn time(&self, model: Model) -> Result<u128, Overflow> {
        let repeated = self.time_of_one(model)?.power(self.repetitions)?;
        let time = repeated.times(Scalar::Time(self.launch.into()))?;
        Ok(time.time().unwrap_or_default())
    }

    /// What all three models say.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn times(&self) -> Result<Times, Overflow> {
        Ok(Times {
            naive: self.time(Model::Naive)?,
            operations: self.time(Model::Operations)?,
            serialized: self.time(Model::Serialized)?,
        })
    }

    /// One executor's time, of those that share memory the last one's.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn time_of_one(&self, model: Model) -> Result<Scalar, Overflow> {
        model.series(&self.parts)
    }
}

impl Model {
    /// All of them, in the order of results.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Operations, Self::Serialized];

    /// What results call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "max_plus_naive",
            Self::Operations => "max_plus_operations",
            Self::Serialized => "max_plus_serialized",
        }
    }

    /// Parts that follow one another.
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

    /// Ticks until the last of the reads arrives.
    pub(super) fn read(self, read: &Read) -> Result<u128, Overflow> {
        u128::from(read.ticks).checked_add(self.wait(read.wait)).ok_or(Overflow)
    }

    /// Ticks until the last of the writes is done.
    pub(super) fn write(self, write: &Write) -> Result<u128, Overflow> {
        let alone = u128::from(write.ticks) * u128::from(write.accesses);
        alone.checked_add(self.wait(write.wait)).ok_or(Overflow)
    }

    /// Ticks of the operation's loop.
    pub(super) fn operation(self, operation: &Operation) -> u128 {
        if self == Self::Naive { 0 } else { operation.ticks }
    }

    fn wait(self, wait: u128) -> u128 {
        if self == Self::Serialized { wait } else { 0 }
    }
}

/// How much later than alone the last of n executors' accesses come, each delaying the next by so much: all accesses of
/// the other executors and the own ones before go first.
///
/// # Errors
/// If a time is no number.
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
