//! The parts that a kernel's graph is made from, and the three models of its time.
//!
//! - *naive*: global memory takes time, operations take 0 ticks;
//! - *operations*: operations take their own time too;
//! - *serialized*: in addition, executors read one after the other. With M reads in a phase and n executors, the last
//!   executor's j-th read arrives (M n - M + j - 1) dt later than it would alone.
//!
//! Parts follow one another or are parallel, so series and parallel reduction gives the time: ⊙ for a sequence, ⊕ for
//! parallel parts. A barrier is a cut between two factors. A loop is the power of its fragment's matrix, which has a
//! single entry, from one input to one output. `picture` lays the same parts out as a graph.

use super::parts::{Kernel, KernelError};
use super::scalar::{Overflow, Scalar};
use super::variant::{Times, Variant};
use crate::gpu::Profile;
use crate::machine::Program;
use crate::models::maxplus::{body, phases};
use crate::spec::{Scope, Spec};

/// The delay of the accesses of the last of n executors, in ticks, compared with that executor alone; each access
/// delays the next by its entry of `delays`. All accesses of the other executors and the executor's own earlier
/// accesses go first.
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

impl Kernel {
    /// The kernel of a feasible configuration: on a lockstep GPU from the spec's body, on a real GPU from the lowered
    /// program. A spec with a kernel's source has no body; its program stands for it on every GPU.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or a time exceeds 128 bits.
    pub fn new(spec: &Spec, profile: &Profile, scope: &Scope, program: &Program) -> Result<Self, KernelError> {
        match profile {
            Profile::Lockstep(gpu) if spec.kernel_source.is_none() => body::kernel(spec, gpu, scope, program),
            Profile::Lockstep(_) | Profile::Pipelined(_) => Ok(Self::of_program(program)?),
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

#[cfg(test)]
mod tests;
