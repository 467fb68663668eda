//! Feasibility of a configuration of a kernel's source, without its program where the program cannot refuse it.
//!
//! A program refuses a configuration only for its size: a number beyond the abstract machine's range, or a time of 2^60
//! ticks. One execution may stand for many GPUs. If its program on one of them is far below these limits, it is below them on
//! every other GPU, too: no two GPUs differ by a factor of 2^28 in anything that a program counts.

use std::sync::Arc;

use super::body::audit;
use super::launch::Launched;
use super::lowered::{Attempt, Feasibility, Lowered};
use super::pipelined;
use super::stop::Stop;
use super::traced::unsupported::unsupported;
use super::{Lowering, LoweringError, Target};
use crate::machine::Program;
use crate::source::{Macros, TracedKernel};
use crate::spec::{Configuration, Scope};
use crate::text::Place;

/// The ticks of a program, 2^28 below the limit of a program's time, up to which it refuses its execution on no GPU.
const FAR_BELOW: u128 = 1 << 32;

/// A configuration that a GPU can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// True if a compiler that is not told the launch may give a work item more registers than the group can have.
    pub may_not_launch: bool,
}

/// The execution of one configuration whose program was far below the limits of programs, for GPUs that are asked about it one
/// after the other.
#[derive(Debug, Default)]
pub struct Priced {
    /// The execution; `None` if there is none so far.
    traced: Option<Arc<TracedKernel>>,
    /// The words of a work item that spilled.
    spilled: u64,
}

impl Lowering<'_> {
    /// The feasibility of a configuration. It is that of [`Lowering::lower`], and no program is made of an execution that
    /// `priced` knows from another GPU.
    ///
    /// # Errors
    /// As [`Lowering::lower`].
    pub fn fits(&self, configuration: &Configuration, priced: &mut Priced) -> Result<Feasibility<Fit>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        self.outcome(self.watched(|| self.attempt_fit(&scope, priced)))
    }

    /// Makes ready to see which GPUs a source cannot tell apart. They are asked in parallel.
    pub(crate) fn make_ready(&self, configuration: &Configuration) {
        if let Some((analysis, macros)) = self.analysis.as_ref().zip(self.first_macros(configuration)) {
            analysis.reading.make_ready(&macros);
        }
    }

    /// The number of the source on this target; `None` if the spec has a body.
    pub(crate) fn number(&self) -> Option<usize> {
        Some(self.analysis.as_ref()?.reading.number())
    }

    /// A number that GPUs have in common whose executions of a source stand for each other; `None` if the spec has a body. It
    /// follows from the first configuration that it is asked about.
    pub(crate) fn number_standing(&self, configuration: &Configuration) -> Option<usize> {
        let reading = &self.analysis.as_ref()?.reading;
        let standing = self.first_macros(configuration).map(|macros| reading.number_standing(&macros));
        Some(standing.unwrap_or_else(|| reading.number()))
    }

    /// The macros of a configuration, which need not fit the GPU.
    fn first_macros(&self, configuration: &Configuration) -> Option<Macros> {
        let scope = self.spec.scope(&self.names, configuration).ok()?;
        self.analysis.as_ref()?.macros(self.spec, &scope).ok()
    }

    fn attempt_fit(&self, scope: &Scope, priced: &mut Priced) -> Attempt<Fit> {
        self.executed(scope)?.and_then(|(geometry, traced)| {
            let Some(traced) = traced else {
                return self.attempt(scope)?.and_then(|lowered| Ok(Feasibility::Feasible(Fit::of(&lowered))));
            };
            let launched = self.resident(scope.clone(), geometry);
            if let Some(problem) = audit::audit(self.spec, scope, &geometry, &[]).into_iter().next() {
                return Err(problem);
            }
            launched.and_then(|launched| {
                if let Some(fit) = self.fits_as_priced(&launched, &traced, priced)? {
                    return Ok(Feasibility::Feasible(fit));
                }
                self.program(&launched, Vec::new())?.and_then(|lowered| {
                    priced.note(&lowered, &launched, traced);
                    Ok(Feasibility::Feasible(Fit::of(&lowered)))
                })
            })
        })
    }

    /// The answer where the execution was priced before and its program refuses it on no GPU; `None` if that is not known.
    fn fits_as_priced(
        &self,
        launched: &Launched,
        traced: &Arc<TracedKernel>,
        priced: &Priced,
    ) -> Result<Option<Fit>, Stop> {
        let Target::Pipelined(physics) = &self.target else { return Ok(None) };
        let is_known = priced.traced.as_ref().is_some_and(|known| Arc::ptr_eq(known, traced));
        // Expressions of the spec may be without a value on this GPU alone.
        let asks_more = launched.registers.spilled > 0 && self.spec.resources.spill_uses.is_some();
        if !is_known || asks_more || launched.registers.spilled > priced.spilled {
            return Ok(None);
        }
        if let Some(why) = unsupported(physics.gpu, traced) {
            let why = Stop::Source(Place::default(), Box::new(why));
            return Err(why.in_source(traced));
        }
        pipelined::program(physics.gpu, launched, Vec::new()).check_lowered()?;
        Ok(Some(Fit { may_not_launch: launched.registers.may_not_launch }))
    }
}

impl Fit {
    fn of(lowered: &Lowered) -> Self {
        Self { may_not_launch: lowered.work.as_ref().is_some_and(|work| work.may_not_launch) }
    }
}

impl Priced {
    /// Takes note of an execution whose program is far below the limits.
    fn note(&mut self, lowered: &Lowered, launched: &Launched, traced: Arc<TracedKernel>) {
        if is_far_below(&lowered.program) {
            *self = Self { traced: Some(traced), spilled: launched.registers.spilled };
        }
    }
}

/// True if neither the time nor a number of a program is near its limit.
fn is_far_below(program: &Program) -> bool {
    // A statement's ticks are at most those of a warp's whole way.
    program.least_time().max(program.latencies()) < FAR_BELOW
}
