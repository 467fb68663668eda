//! Feasibility of a configuration of a kernel's source, without its program where the program cannot refuse it.
//!
//! A program refuses a configuration only for its size, a number beyond the abstract machine's range or a time of 2^60
//! ticks, and for groups that do not run at the same time where all meet at a barrier. One execution may stand for many GPUs. If its program on one of them is far below these limits, it is below them on
//! every other GPU, too: no two GPUs differ by a factor of 2^28 in anything that a program counts.

use std::sync::Arc;

use super::body::audit;
use super::clean::Neighbour;
use super::launch::{Geometry, Launched};
use super::lowered::{Attempt, Feasibility, Lowered};
use super::stop::LoweringStop;
use super::traced::unsupported::unsupported;
use super::{Infeasible, Lowering, LoweringError, Target};
use super::{lockstep, pipelined};
use crate::spec::{Configuration, Scope};
use autotune_base::text::Place;
use autotune_kernel::source::{Macros, TracedKernel};
use autotune_machine::machine::{Program, Statement};

/// The ticks of a program, 2^28 below the limit of a program's time, up to which it refuses its execution on no GPU.
const FAR_BELOW: u128 = 1 << 32;

/// A configuration that a GPU can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// True if a compiler that is not told the launch may give a work item more registers than the group can have.
    pub may_not_launch: bool,
}

/// The execution of one configuration whose program was far below the limits of programs, for one GPU
/// after the other.
#[derive(Debug, Default)]
pub struct Priced {
    /// The execution; `None` if there is none so far.
    traced: Option<Arc<TracedKernel>>,
    /// The words of a work item that spilled.
    spilled: u64,
    /// What is known of the body's configuration before.
    pub(super) before: Neighbour,
}

impl Lowering<'_> {
    /// The feasibility of a configuration, as [`Lowering::lower`] has it. No program is made of an execution that
    /// `priced` knows from another GPU.
    ///
    /// # Errors
    /// As [`Lowering::lower`].
    pub fn fits(&self, configuration: &Configuration, priced: &mut Priced) -> Result<Feasibility<Fit>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        self.outcome(self.watched(|| self.attempt_fit(&scope, priced)))
    }

    /// Makes ready to see which GPUs a source cannot tell apart. Threads then ask in parallel.
    pub fn make_ready(&self, configuration: &Configuration) {
        if let Some((analysis, macros)) = self.analysis.as_ref().zip(self.first_macros(configuration)) {
            analysis.reading.make_ready(&macros);
        }
    }

    /// The number of the source on this target; `None` if the spec has a body.
    pub fn number(&self) -> Option<usize> {
        Some(self.analysis.as_ref()?.reading.number())
    }

    /// A number that GPUs have in common whose executions of a source are equal; `None` if the spec has a body. It
    /// follows from the first configuration of the first call.
    pub fn number_standing(&self, configuration: &Configuration) -> Option<usize> {
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
            let launched = self.resident(scope.clone(), geometry);
            let Some(traced) = traced else { return self.attempt_fit_of_body(scope, &launched, &mut priced.before) };
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

    fn attempt_fit_of_body(
        &self,
        scope: &Scope,
        launched: &Feasibility<Launched>,
        before: &mut Neighbour,
    ) -> Attempt<Fit> {
        if let Feasibility::Feasible(launched) = launched
            && self.is_clean(launched, before)
        {
            return Ok(Feasibility::Feasible(Fit { may_not_launch: self.may_not_launch(launched) }));
        }
        self.attempt(scope)?.and_then(|lowered| {
            if let (Some(clean), Feasibility::Feasible(launched)) = (&self.clean, launched) {
                clean.note(launched, &lowered.program);
            }
            Ok(Feasibility::Feasible(Fit::of(&lowered)))
        })
    }

    /// True if a configuration of counts has no error, as others say that have its values.
    fn is_clean(&self, launched: &Launched, before: &mut Neighbour) -> bool {
        self.clean.as_ref().is_some_and(|clean| clean.is_clean(launched, &self.head(launched), before))
    }

    /// The program of a launch without its body.
    fn head(&self, launched: &Launched) -> Program {
        match &self.target {
            Target::Pipelined(physics) => pipelined::program(physics.gpu, launched, Vec::new()),
            Target::Lockstep(gpu) => lockstep::program(gpu, &launched.geometry, Vec::new()),
        }
    }

    /// True if a lowered configuration says that its launch may fail; times alone are known on a lockstep GPU.
    fn may_not_launch(&self, launched: &Launched) -> bool {
        matches!(self.target, Target::Pipelined(_)) && launched.registers.may_not_launch
    }

    /// All errors in the statements of a configuration that fits the GPU, and what it is refused for, at most one for each
    /// place; and the limit of the GPU that its launch exceeds. `before` is what the thread knows of the one before.
    pub fn problems(
        &self,
        configuration: &Configuration,
        before: &mut Neighbour,
    ) -> (Vec<LoweringError>, Option<Infeasible>) {
        let scope = match self.spec.scope(&self.names, configuration) {
            Ok(scope) => scope,
            Err(why) => return (vec![why.into()], None),
        };
        let (stops, limit) = match self.watched(|| self.geometry(&scope)) {
            Err(stop) => (vec![stop], None),
            Ok(Feasibility::Infeasible(limit)) => (Vec::new(), Some(limit)),
            Ok(Feasibility::Feasible(geometry)) => self.problems_of(&scope, geometry, before),
        };
        let mut problems: Vec<LoweringError> = stops.into_iter().map(|stop| stop.in_spec(&self.spec.source)).collect();
        let mut places = Vec::new();
        problems.retain(|problem| {
            let place = problem.place();
            let is_new = !places.contains(&place);
            places.push(place);
            is_new
        });
        (problems, limit)
    }

    fn problems_of(
        &self,
        scope: &Scope,
        geometry: Geometry,
        before: &mut Neighbour,
    ) -> (Vec<LoweringStop>, Option<Infeasible>) {
        let launched = self.resident(scope.clone(), geometry);
        if let Feasibility::Feasible(launched) = &launched
            && self.is_clean(launched, before)
        {
            return (Vec::new(), None);
        }
        let mut stops = audit::audit(self.spec, scope, &geometry, &[]);
        let launched = match launched {
            Feasibility::Feasible(launched) => launched,
            Feasibility::Infeasible(limit) => return (stops, Some(limit)),
        };
        // Errors that only costing finds: a footprint, a width, a barrier in a divergent branch.
        match self.watched(|| self.program(&launched, Vec::new())) {
            Err(stop) => stops.push(stop),
            Ok(Feasibility::Feasible(lowered)) if stops.is_empty() => {
                self.clean.iter().for_each(|clean| clean.note(&launched, &lowered.program));
            }
            Ok(_) => {}
        }
        (stops, None)
    }

    /// The answer where the execution was priced before and its program refuses it on no GPU; `None` if that is not known.
    fn fits_as_priced(
        &self,
        launched: &Launched,
        traced: &Arc<TracedKernel>,
        priced: &Priced,
    ) -> Result<Option<Fit>, LoweringStop> {
        let Target::Pipelined(physics) = &self.target else { return Ok(None) };
        let is_known = priced.traced.as_ref().is_some_and(|known| Arc::ptr_eq(known, traced));
        // Expressions of the spec may be without a value on this GPU alone.
        let asks_more = launched.registers.spilled > 0 && self.spec.resources.spill_uses.is_some();
        if !is_known || asks_more || launched.registers.spilled > priced.spilled {
            return Ok(None);
        }
        if let Some(why) = unsupported(physics.gpu, traced) {
            let why = LoweringStop::Source(Place::default(), Box::new(why));
            return Err(why.in_source(traced));
        }
        // Whether all groups run at the same time differs from GPU to GPU.
        let body = if traced.has_grid_barrier() { vec![Statement::barrier_of_grid(0)] } else { Vec::new() };
        pipelined::program(physics.gpu, launched, body).check_lowered()?;
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
            (self.traced, self.spilled) = (Some(traced), launched.registers.spilled);
        }
    }
}

/// True if neither the time nor a number of a program is near its limit.
fn is_far_below(program: &Program) -> bool {
    // A statement takes no longer than a warp's whole way.
    program.least_time().max(program.latencies()) < FAR_BELOW
}
