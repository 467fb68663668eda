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
use crate::lowering::{ExecutedPart, Origin};
use crate::models::maxplus::{body, executed, lockstep, phases, stores};
use crate::spec::{Scope, Spec};
use autotune_machine::machine::Program;

impl Kernel {
    /// The kernel of a feasible configuration. On a lockstep GPU its parts come from the spec's body, or from what a warp
    /// executes of the source (`executed`); on a real GPU, and where these are not known of a source, from the lowered program.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or a time exceeds 128 bits.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        scope: &Scope,
        (program, executed): (&Program, Option<&[ExecutedPart]>),
    ) -> Result<Self, KernelError> {
        let Profile::Lockstep(gpu) = profile else { return Ok(Self::of_program(program)?) };
        let parts = match executed {
            Some(executed) => executed::parts(executed, gpu),
            None if spec.kernel_source.is_some() => return Ok(Self::of_program(program)?),
            None => body::parts(spec, gpu, scope)?,
        };
        Ok(lockstep::kernel(parts, gpu, program, lockstep::work_items(spec, scope)?)?)
    }

    /// The kernel of a real GPU's program: a warp is an executor, and the warps share the path to memory.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn of_program(program: &Program) -> Result<Self, Overflow> {
        phases::kernel(program)
    }

    /// The kernel of a real GPU with loads and stores apart, in the order of the text; its times stay. `origins` has
    /// one for each use and barrier of the program. A lockstep GPU's kernel stays as it is.
    #[must_use]
    pub fn with_stores_apart(self, origins: &[Origin]) -> Self {
        Self { parts: stores::apart(self.parts, origins), ..self }
    }

    /// The paper's ceil(N / n), the number of times that executors run one after the other (section 7); `None` on a real
    /// GPU.
    #[must_use]
    pub fn rounds(&self) -> Option<u128> {
        Some(self.work_items?.div_ceil(self.executors.max(1)))
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
