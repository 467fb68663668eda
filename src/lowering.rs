//! Lowering: a spec, a GPU and a configuration to a program of the abstract machine. Only here is physics known.
//!
//! On a lockstep GPU a statement costs its count times a price ([`crate::gpu::Lockstep`]). On a real GPU the body is cut
//! at its barriers into phases; each is summed up per server, in exact rational cycles, and becomes a few turns:
//!
//! ```text
//! statements ─▶ statement: work of one execution ─▶ blocks: phases between barriers ─▶ spill ─▶ phase: turns of uses
//!                    └─ lanes, patterns: what the lanes of an access touch
//! ```

mod amounts;
mod audit;
mod blocks;
mod exact;
mod lanes;
mod launch;
mod lockstep;
mod origin;
mod patterns;
mod phase;
mod pipelined;
mod spill;
mod statement;
mod stop;
mod subject;
mod totals;
mod work;

use crate::gpu::{Lockstep, Occupancy, Pipelined, Profile};
use crate::machine::Program;
use crate::spec::{Configuration, GpuNames, Scope, Spec};

pub(crate) use exact::Exact;
pub(crate) use lanes::{Banks, Count, Lanes, SECTOR};
pub(crate) use launch::Geometry;
pub use launch::Infeasible;
pub use origin::Origin;
pub(crate) use phase::DRAM_EFFICIENCY;
pub(crate) use statement::lanes;
pub(crate) use stop::Stop;
pub use stop::{LoweringError, LoweringProblem};
pub(crate) use subject::{Subject, subjects};
pub use totals::{GroupWork, Issued, Traffic};

use patterns::Patterns;

/// Lowers the configurations of one spec on one GPU. It may be shared by threads: what configurations have in common is
/// computed once.
#[derive(Debug)]
pub struct Lowering<'a> {
    spec: &'a Spec,
    names: GpuNames,
    target: Target<'a>,
}

#[derive(Debug)]
enum Target<'a> {
    Lockstep(&'a Lockstep),
    Pipelined(&'a Pipelined, Patterns),
}

/// A result, or why the configuration is infeasible, or why neither is known.
type Attempt<T> = Result<Result<T, Infeasible>, Stop>;

/// What a configuration becomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Feasibility {
    /// A program.
    Feasible(Lowered),
    /// Nothing: the spec excludes it, or the GPU cannot run it.
    Infeasible(Infeasible),
}

/// A feasible configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// What the abstract machine does.
    pub program: Program,
    /// Work items of a group.
    pub work_group: u64,
    /// How many groups are resident and why not more; none on a lockstep GPU, which has one.
    pub occupancy: Option<Occupancy>,
    /// What one of its groups does; none on a lockstep GPU, where nothing but time is known of it.
    pub work: Option<Box<GroupWork>>,
}

/// Bytes per core cycle that DRAM delivers to all multiprocessors together: what of its bandwidth is reached.
#[must_use]
pub fn dram_bytes_per_cycle(gpu: &Pipelined) -> f64 {
    // A profile's checks keep both of its numbers small.
    phase::dram_bytes_per_cycle(gpu).to_f64().unwrap_or(f64::NAN)
}

/// How a feasible configuration is launched.
#[derive(Debug)]
pub(crate) struct Launched {
    /// The values of all names, `concurrent` among them.
    pub(crate) scope: Scope,
    /// The sizes of the launch.
    pub(crate) geometry: Geometry,
}

impl<'a> Lowering<'a> {
    /// Of this spec on this GPU.
    #[must_use]
    pub fn new(spec: &'a Spec, profile: &'a Profile) -> Self {
        let target = match profile {
            Profile::Lockstep(gpu) => Target::Lockstep(gpu),
            Profile::Pipelined(gpu) => Target::Pipelined(gpu, pipelined::patterns(gpu)),
        };
        Self { spec, names: profile.names(spec.resources.dynamic), target }
    }

    /// What the spec may ask of the GPU.
    #[must_use]
    pub fn names(&self) -> &GpuNames {
        &self.names
    }

    /// How the local memory of the GPU is divided; a lockstep GPU has no banks.
    pub(crate) fn banks(&self) -> Option<Banks> {
        match &self.target {
            Target::Lockstep(_) => None,
            Target::Pipelined(gpu, _) => Some(pipelined::banks(gpu)),
        }
    }

    /// How one configuration is launched, for those who look at its accesses one by one.
    pub(crate) fn launch(&self, configuration: &Configuration) -> Result<Result<Launched, Infeasible>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        self.launched(scope).map_err(|stop| stop.in_spec(&self.spec.source))
    }

    fn launched(&self, scope: Scope) -> Attempt<Launched> {
        let geometry = match self.geometry(&scope)? {
            Ok(geometry) => geometry,
            Err(infeasible) => return Ok(Err(infeasible)),
        };
        let concurrent = match &self.target {
            Target::Lockstep(gpu) => geometry.groups.min(gpu.multiprocessors),
            Target::Pipelined(gpu, _) => match pipelined::residence(gpu, &geometry) {
                Ok((_, concurrent)) => concurrent,
                Err(infeasible) => return Ok(Err(infeasible)),
            },
        };
        let scope = scope.with_concurrent(concurrent.try_into().unwrap_or(i64::MAX));
        Ok(Ok(Launched { scope, geometry }))
    }

    /// What the whole launch of a feasible configuration stores and computes, in the order of [`subjects`].
    ///
    /// # Errors
    /// When an expression has no value.
    pub(crate) fn amounts(&self, configuration: &Configuration) -> Result<Option<Vec<Exact>>, LoweringError> {
        let Ok(Launched { scope, geometry }) = self.launch(configuration)? else { return Ok(None) };
        Ok(Some(amounts::amounts(self.spec, &scope, &geometry)?))
    }

    /// Everything that is wrong with the statements of a configuration that fits the GPU, each place once.
    pub(crate) fn problems(&self, configuration: &Configuration) -> Vec<LoweringError> {
        let scope = match self.spec.scope(&self.names, configuration) {
            Ok(scope) => scope,
            Err(why) => return vec![why.into()],
        };
        let stops = match self.geometry(&scope) {
            Err(stop) => vec![stop],
            Ok(Err(_)) => Vec::new(),
            Ok(Ok(geometry)) => {
                let mut stops = audit::audit(self.spec, &scope, &geometry);
                // What only the physics find: a footprint, a width, a barrier in a divergent branch.
                stops.extend(self.program(scope, &geometry).err());
                stops
            }
        };
        let mut problems: Vec<LoweringError> = stops.into_iter().map(|stop| stop.in_spec(&self.spec.source)).collect();
        let mut places = Vec::new();
        problems.retain(|problem| {
            let place = problem.place();
            let is_new = !places.contains(&place);
            places.push(place);
            is_new
        });
        problems
    }

    /// Lowers one configuration.
    ///
    /// # Errors
    /// When an expression has no value, a statement cannot be lowered, or a number is beyond the abstract machine's.
    pub fn lower(&self, configuration: &Configuration) -> Result<Feasibility, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        match self.attempt(scope).map_err(|stop| stop.in_spec(&self.spec.source))? {
            Err(infeasible) => Ok(Feasibility::Infeasible(infeasible)),
            Ok(lowered) => Ok(Feasibility::Feasible(lowered)),
        }
    }

    /// What the uses and barriers of a configuration's program come from, in the order of the program's text.
    ///
    /// # Errors
    /// As [`Lowering::lower`].
    pub fn origins(&self, configuration: &Configuration) -> Result<Result<Vec<Origin>, Infeasible>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        let origins = self.launched(scope).and_then(|launched| match launched {
            Err(infeasible) => Ok(Err(infeasible)),
            Ok(Launched { scope, geometry }) => match &self.target {
                Target::Lockstep(gpu) => lockstep::origins(self.spec, gpu, &scope).map(Ok),
                Target::Pipelined(gpu, patterns) => pipelined::origins(self.spec, gpu, patterns, scope, &geometry),
            },
        });
        origins.map_err(|stop| stop.in_spec(&self.spec.source))
    }

    fn attempt(&self, scope: Scope) -> Attempt<Lowered> {
        let geometry = match self.geometry(&scope)? {
            Ok(geometry) => geometry,
            Err(infeasible) => return Ok(Err(infeasible)),
        };
        if let Some(problem) = audit::audit(self.spec, &scope, &geometry).into_iter().next() {
            return Err(problem);
        }
        self.program(scope, &geometry)
    }

    fn geometry(&self, scope: &Scope) -> Attempt<Geometry> {
        let spills = matches!(self.target, Target::Pipelined(..));
        launch::geometry(self.spec, &self.names, spills, scope)
    }

    /// The program of a configuration that is launched so, whatever its statements do.
    fn program(&self, scope: Scope, geometry: &Geometry) -> Attempt<Lowered> {
        let lowered = match &self.target {
            Target::Lockstep(gpu) => Ok(lockstep::lower(self.spec, gpu, &scope, geometry)?),
            Target::Pipelined(gpu, patterns) => pipelined::lower(self.spec, gpu, patterns, scope, geometry)?,
        };
        let Ok(mut lowered) = lowered else { return Ok(lowered) };
        lowered.program = lowered.program.simplified();
        lowered.program.check_numbers()?;
        Ok(Ok(lowered))
    }
}

#[cfg(test)]
mod tests;
