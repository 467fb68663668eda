//! Lowering: turns a spec, a GPU and a configuration into a program of the abstract machine. No other module of the
//! proof knows the costs of a GPU.
//!
//! On a lockstep GPU a statement costs its count times a price ([`crate::gpu::Lockstep`]). On a real GPU the body is
//! cut at its barriers into phases. The work of a phase is summed per server, in exact rational cycles, and becomes a
//! few turns:
//!
//! ```text
//! body   ─┐  work of one execution                    ┌▶ spill ─▶ servers: turns of uses
//!         ├───────────────────────────▶ phases: blocks ─┤
//! traced ─┘                                             └▶ totals, origin
//!   └─▶ access: the memory that lanes, groups, and groups that run together touch
//! ```

mod access;
mod analysis;
mod body;
mod clean;
mod counts;
mod exact;
mod fits;
mod instruction_cycles;
mod kept;
mod launch;
mod lockstep;
mod lowered;
mod phases;
mod pipelined;
mod stop;
mod traced;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gpu::{Lockstep, Occupancy, Pipelined, Profile};
use crate::lowering::lowered::Attempt;
use crate::spec::{Configuration, GpuNames, Scope, Spec};
use autotune_base::files::cache::Key;
use autotune_kernel::source::{
    AbsentHeader, AnalysisError, CompilationOrigin, CompilerFacts, Macros, Output, SourceReader, StandIn, TracedKernel,
};

use autotune_base::text::{Place, SourceLine};

use analysis::Analysis;
use body::shared::Shared;
use body::{amounts, audit};
use clean::CleanBody;
use kept::KeptLowerings;
use pipelined::{Body, Physics};
use traced::Extraction;
use traced::unsupported::unsupported;

pub use access::begins::Begins;
pub use access::footprint::{Accesses, Corner, Starts, Variable};
pub use access::lanes::{Count, LaneBytes};
pub use access::warp::{MemoryBanks, SECTOR, instructions};
pub use analysis::processor;
pub use body::contradiction::Contradiction;
pub(crate) use body::statement::lanes;
pub use body::subject::{Subject, subjects};
pub use clean::Neighbour;
pub use counts::Quantity;
pub use counts::{Amount, CountedAt, Counts};
pub use exact::Exact;
pub use fits::{Fit, Priced};
pub use instruction_cycles::{DependentCycles, InstructionCycles};
pub use launch::infeasible::{Infeasible, LimitRule};
pub use launch::registers::RegisterOrigin;
pub use launch::registers::RegisterUse;
pub use launch::{Geometry, Launched};
pub(crate) use lockstep::MACS_PER_TICK;
pub use lockstep::executed::{ExecutedPart, GlobalAccess};
pub use phases::line_work::LineWork;
pub use phases::order::MULTIPLYING;
pub use phases::origin::{Origin, Stores};
pub use phases::totals::GroupWork;
pub use phases::traffic::{Issued, Traffic};
pub use stop::LoweringStop;
pub use stop::{LoweringError, LoweringProblem};
pub use traced::edges::{EdgeGroup, SearchedEdges, WrongEdge};
pub(crate) use traced::statements::extracted::{
    Extracted, ExtractedAccess, ExtractedCompute, ExtractedKeyword, ExtractedPattern, ExtractedProduct, ExtractedWait,
    Iterations, SourceLines,
};
pub use traced::stored::StoredBytes;
pub use traced::{Listed, ListedAccess, ListedStep, TouchedMemory, is_of_memory};

/// The lowering of the configurations of one spec on one GPU. Threads may share it; results that configurations have in
/// common are computed once.
#[derive(Debug)]
pub struct Lowering<'a> {
    spec: &'a Spec,
    profile: &'a Profile,
    names: GpuNames,
    target: Target<'a>,
    analysis: Option<Analysis<'a>>,
    /// The configurations that were lowered before; `None` if nothing is kept.
    kept: Option<KeptLowerings>,
    /// What is known of errors; `None` if the body has more than counts.
    clean: Option<CleanBody>,
    /// True if what depends on data is assumed where the user states nothing.
    assumes: bool,
}

#[derive(Debug)]
enum Target<'a> {
    Lockstep(&'a Lockstep),
    Pipelined(Box<Physics<'a>>),
}

/// Returns the bytes per core cycle that DRAM delivers to all multiprocessors together: 0.85 of its nominal bandwidth.
#[must_use]
pub fn dram_bytes_per_cycle(gpu: &Pipelined) -> f64 {
    // A profile's checks keep both of its numbers small.
    phases::rates::dram_bytes_per_cycle(gpu).to_f64().unwrap_or(f64::NAN)
}

/// A body that says what a configuration's source executes.
#[derive(Debug)]
pub(crate) struct ExtractedKernel {
    pub(crate) body: Vec<Extracted>,
    pub(crate) launched: Launched,
    /// Uses of each word that spills.
    pub(crate) spill_uses: u64,
    /// The number of groups that the body is the mean of; 0 if the middle one stands for all.
    pub(crate) averaged: u64,
}

impl<'a> Lowering<'a> {
    /// Returns the lowering of a spec on a GPU. A kernel's source is compiled and executed by the reader, which is not asked
    /// for a spec with a body.
    #[must_use]
    pub fn new(spec: &'a Spec, profile: &'a Profile, reader: &'a SourceReader) -> Self {
        let target = match profile {
            Profile::Lockstep(gpu) => Target::Lockstep(gpu),
            Profile::Pipelined(gpu) => Target::Pipelined(Box::new(Physics::new(gpu, spec))),
        };
        let analysis = spec.kernel_source.as_ref().map(|stated| Analysis::new(stated, profile, reader));
        // What stands for several targets is not kept under the key of one.
        let cache = analysis.as_ref().filter(|_| !reader.shares_targets()).and_then(|_| reader.cache());
        let kept = cache.map(|cache| KeptLowerings::new(cache, spec, profile));
        let names = profile.names(spec.has_dynamic_local_memory());
        Self { spec, profile, names, target, analysis, kept, clean: CleanBody::new(spec), assumes: false }
    }

    /// The lowering that assumes what depends on data where the user states nothing, in place of an error.
    #[must_use]
    pub fn assuming(self) -> Self {
        Self { assumes: true, kept: None, ..self }
    }

    /// The lowering of configurations that are refused for what their kernel does wrong, as far as they can be executed.
    #[must_use]
    pub fn of_unsafe(self) -> Self {
        let analysis = self.analysis.map(Analysis::of_unsafe);
        Self { analysis, kept: None, ..self }
    }

    /// The lowering that leaves the user's cache alone, for a profile that nobody asks for again.
    #[must_use]
    pub fn unkept(self) -> Self {
        Self { kept: None, ..self }
    }

    /// Execution that stands for all work groups of a configuration; `None` if the spec has a body.
    fn traced(&self, scope: &Scope, geometry: &Geometry) -> Result<Option<Arc<TracedKernel>>, LoweringStop> {
        let traced = |analysis: &Analysis<'_>| {
            if self.assumes {
                analysis.permitted(self.spec, scope, geometry)
            } else {
                analysis.settled(self.spec, scope, geometry)
            }
        };
        self.analysis.as_ref().map(traced).transpose()
    }

    /// Execution that stands for all work groups of a configuration, as the kernel's source says it: the middle one, or the mean over
    /// many if others do other work. `None` if the spec has a body.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
    pub fn trace(
        &self,
        configuration: &Configuration,
    ) -> Result<Option<Feasibility<Arc<TracedKernel>>>, LoweringError> {
        let Some(analysis) = &self.analysis else { return Ok(None) };
        let scope = self.spec.scope(&self.names, configuration)?;
        let traced_of = |geometry: Geometry| Ok(Feasibility::Feasible(analysis.traced(self.spec, &scope, &geometry)?));
        let spills = matches!(self.target, Target::Pipelined(..));
        let geometry = launch::geometry(self.spec, &self.names, spills, &scope);
        self.outcome(self.watched(|| geometry.and_then(|geometry| geometry.and_then(traced_of)))).map(Some)
    }

    /// Does a step of the work on a configuration. Where it has a source, the step ends at the limits of its reader.
    fn watched<T>(&self, step: impl FnOnce() -> Result<T, LoweringStop>) -> Result<T, LoweringStop> {
        match &self.analysis {
            Some(analysis) => analysis.watched(step),
            None => step(),
        }
    }

    /// The outcome of an attempt: a refusal makes the configuration infeasible.
    fn outcome<T>(&self, attempt: Attempt<T>) -> Result<Feasibility<T>, LoweringError> {
        attempt.or_else(|stop| {
            let why = stop.in_spec(&self.spec.source);
            why.refusal().map(Feasibility::Infeasible).ok_or(why)
        })
    }

    /// The macros that a configuration is compiled with; `None` if the spec has a body, or no compiler is started
    /// because the GPU refuses the launch.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or a name cannot be a macro's.
    pub fn macros(&self, configuration: &Configuration) -> Result<Option<Macros>, LoweringError> {
        let Some(analysis) = &self.analysis else { return Ok(None) };
        let scope = self.spec.scope(&self.names, configuration)?;
        let spills = matches!(self.target, Target::Pipelined(..));
        match self.outcome(launch::geometry(self.spec, &self.names, spills, &scope))? {
            Feasibility::Feasible(_) => {
                analysis.macros(self.spec, &scope).map(Some).map_err(|stop| stop.in_spec(&self.spec.source))
            }
            Feasibility::Infeasible(_) => Ok(None),
        }
    }

    /// The result of compiling the kernel's source with these macros, or the reason why it does not compile; `None` if
    /// the spec has a body.
    pub fn compiled(&self, macros: &Macros) -> Option<Result<Output, AnalysisError>> {
        Some(self.analysis.as_ref()?.compiled(macros))
    }

    /// The tools and files of the compilations of the kernel's source; `None` if the spec has a body, or the compiler is
    /// not the user's.
    pub fn provenance(&self) -> Option<CompilationOrigin> {
        self.analysis.as_ref()?.provenance()
    }

    /// A checksum of all that the compilations of the kernel's source depend on; `None` if the spec has a body, or the
    /// source cannot be compiled.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        self.analysis.as_ref()?.digest()
    }

    /// The executions by the warps of a group of a configuration: of the body, or of the kernel's source that stands in
    /// its place.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
    pub fn counts(&self, configuration: &Configuration) -> Result<Feasibility<Counts>, LoweringError> {
        let (warp_size, is_lockstep) = (self.warp_size(), matches!(self.target, Target::Lockstep(_)));
        let counts_of = |Launched { scope, geometry, .. }| {
            Ok(Feasibility::Feasible(match self.traced(&scope, &geometry)? {
                Some(traced) => counts::traced::of_trace(&traced, warp_size, is_lockstep),
                None => counts::body::of_body(self.spec, &scope, &geometry, warp_size)?,
            }))
        };
        let scope = self.spec.scope(&self.names, configuration)?;
        self.outcome(self.watched(|| self.launched(scope)?.and_then(counts_of)))
    }

    /// The body that says what the source of a configuration executes; `None` if the spec has no source in place of a
    /// body.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
    pub(crate) fn extract(
        &self,
        configuration: &Configuration,
        iterations: Iterations,
    ) -> Result<Option<Feasibility<ExtractedKernel>>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        let extracted_of = |launched| Ok(Feasibility::Feasible(self.extracted(launched, iterations)?));
        Ok(match self.outcome(self.watched(|| self.launched(scope)?.and_then(extracted_of)))? {
            Feasibility::Feasible(extracted) => extracted.map(Feasibility::Feasible),
            Feasibility::Infeasible(why) => Some(Feasibility::Infeasible(why)),
        })
    }

    fn extracted(&self, launched: Launched, iterations: Iterations) -> Result<Option<ExtractedKernel>, LoweringStop> {
        let Launched { scope, geometry, .. } = &launched;
        let Some(traced) = self.traced(scope, geometry)? else { return Ok(None) };
        let names = self.spec.parameters.iter().map(|parameter| parameter.name.clone());
        let taken = names.chain(self.spec.problem.iter().map(|(name, _)| name.clone())).collect();
        let warp_size = self.warp_size();
        let costs = match &self.target {
            Target::Lockstep(_) => None,
            Target::Pipelined(physics) => Some(pipelined::trace_walk(physics.gpu, &launched, &traced)),
        };
        let body = Extraction { traced: &traced, costs, iterations, warp_size, grid: geometry.grid, taken }.body();
        let spill_uses = match &self.spec.resources.spill_uses {
            Some(stated) => stated.count(scope)?.unsigned_abs(),
            None => traced.spill_uses(),
        };
        let averaged = traced.sample.averaged();
        Ok(Some(ExtractedKernel { body, launched, spill_uses, averaged }))
    }

    /// The GPU's profile.
    #[must_use]
    pub fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// Returns the values of the spec's `gpu.` names.
    #[must_use]
    pub fn names(&self) -> &GpuNames {
        &self.names
    }

    fn warp_size(&self) -> u64 {
        match &self.target {
            Target::Lockstep(gpu) => gpu.warp_size(),
            Target::Pipelined(physics) => physics.gpu.warp_size,
        }
    }

    /// The banks of the GPU's local memory; `None` on a lockstep GPU.
    pub fn banks(&self) -> Option<MemoryBanks> {
        match &self.target {
            Target::Lockstep(_) => None,
            Target::Pipelined(physics) => Some(pipelined::banks(physics.gpu)),
        }
    }

    /// The launch of one configuration, for models that consider its accesses one by one.
    ///
    /// # Errors
    /// If an expression of the launch has no value, or the source cannot be read or executed.
    pub fn launch(&self, configuration: &Configuration) -> Result<Feasibility<Launched>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        self.outcome(self.watched(|| self.launched(scope)))
    }

    fn launched(&self, scope: Scope) -> Attempt<Launched> {
        self.geometry(&scope)?.and_then(|geometry| Ok(self.resident(scope, geometry)))
    }

    /// The launch of a configuration, unless a group does not fit a multiprocessor.
    fn resident(&self, scope: Scope, geometry: Geometry) -> Feasibility<Launched> {
        let (registers, occupancy, multiprocessors): (_, Option<Occupancy>, u64) = match &self.target {
            Target::Lockstep(gpu) => {
                let limit = self.names.register_limit.unsigned_abs();
                (geometry.told.within(limit), None, gpu.multiprocessors)
            }
            Target::Pipelined(physics) => {
                let gpu = physics.gpu;
                let registers = geometry.told.on(gpu, geometry.work_group);
                match pipelined::occupancy(gpu, &geometry, &registers) {
                    Ok(occupancy) => (registers, Some(occupancy), gpu.multiprocessors),
                    Err(infeasible) => return Feasibility::Infeasible(infeasible),
                }
            }
        };
        let resident = occupancy.map_or(1, |occupancy| occupancy.groups);
        let concurrent = geometry.groups.min(multiprocessors * resident);
        let scope = scope.with_concurrent(concurrent.try_into().unwrap_or(i64::MAX));
        Feasibility::Feasible(Launched { scope, geometry, registers, occupancy, concurrent })
    }

    /// The amounts that all launches of a configuration store and compute, in the order of [`subjects`]; `None` if the
    /// configuration is infeasible.
    ///
    /// # Errors
    /// If an expression cannot be evaluated.
    pub fn amounts(&self, configuration: &Configuration) -> Result<Option<Vec<Exact>>, LoweringError> {
        let Feasibility::Feasible(Launched { scope, geometry, .. }) = self.launch(configuration)? else {
            return Ok(None);
        };
        Ok(Some(amounts::amounts(self.spec, &scope, &geometry, self.warp_size())?))
    }

    /// The stated footprints of a configuration that contradict the subscripts of their accesses. `None` on a lockstep
    /// GPU and for an infeasible configuration.
    ///
    /// # Errors
    /// If an expression cannot be evaluated.
    pub fn contradictions(&self, configuration: &Configuration) -> Result<Option<Vec<Contradiction>>, LoweringError> {
        let Target::Pipelined(physics) = &self.target else { return Ok(None) };
        let Feasibility::Feasible(launched) = self.launch(configuration)? else { return Ok(None) };
        let found = pipelined::contradictions(self.spec, physics, &launched);
        found.map(Some).map_err(|stop| stop.in_spec(&self.spec.source))
    }

    /// The refusal of a configuration, as it is shown in the user's files; `None` if the configuration is not refused.
    pub fn refused(&self, configuration: &Configuration) -> Option<LoweringError> {
        let scope = self.spec.scope(&self.names, configuration).ok()?;
        let why = self.watched(|| self.attempt(&scope)).err()?.in_spec(&self.spec.source);
        why.refusal().is_some().then_some(why)
    }

    /// True if a configuration is lowered from what a compiler makes of the kernel's source.
    #[must_use]
    pub fn compiles(&self) -> bool {
        self.analysis.is_some()
    }

    /// Compiles the kernel's source for configurations that are about to be lowered, together where that is faster. Nothing
    /// is said of errors. Returns those whose launch the GPU does not refuse.
    pub fn prepare<'c>(&self, configurations: &[&'c Configuration]) -> Vec<&'c Configuration> {
        let Some(analysis) = &self.analysis else { return Vec::new() };
        let open = configurations.iter().filter(|configuration| !self.is_kept(configuration));
        let macros = |one: &&'c Configuration| Some((*one, self.macros(one).ok().flatten()?));
        let (launched, macros): (Vec<_>, Vec<Macros>) = open.filter_map(macros).unzip();
        if macros.len() > 1 {
            // Whoever lowers them meets the same limits.
            let _ = self.watched(|| {
                analysis.prepare(&macros);
                Ok(())
            });
        }
        launched
    }

    /// True if the cache seems to have a configuration as it was lowered before.
    fn is_kept(&self, configuration: &Configuration) -> bool {
        let Some((kept, analysis)) = self.kept.as_ref().zip(self.analysis.as_ref()) else { return false };
        let Ok(scope) = self.spec.scope(&self.names, configuration) else { return false };
        analysis.key(self.spec, &scope).is_some_and(|analysed| kept.has(&kept.key(&analysed, configuration)))
    }

    /// Lowers one configuration.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, a statement cannot be lowered, or a number is beyond the abstract
    /// machine's range.
    pub fn lower(&self, configuration: &Configuration) -> Result<Feasibility<Lowered>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        let key = || self.key_in(&scope, configuration);
        if let Some(known) = key().and_then(|key| self.kept.as_ref()?.get(&key)) {
            return Ok(known);
        }
        let lowered = self.outcome(self.watched(|| self.attempt(&scope)))?;
        // The compilation may have met a file that the key depends on too.
        if let (Some(kept), Some(key)) = (&self.kept, key()) {
            kept.put(&key, &lowered);
        }
        Ok(lowered)
    }

    /// The target that the kernel's source is compiled for in place of the GPU's; `None` if clang knows that, or the spec
    /// has a body.
    pub fn stand_in(&self) -> Option<StandIn> {
        self.analysis.as_ref()?.stand_in()
    }

    /// The headers that the kernel's source includes and that are nowhere: the compiler gets empty ones.
    pub fn absent(&self) -> Vec<AbsentHeader> {
        self.analysis.as_ref().map_or_else(Vec::new, Analysis::absent)
    }

    /// The facts about the source's compiler that belong to an answer; `None` if the spec has a body or they are not known.
    pub fn facts(&self) -> Option<CompilerFacts> {
        self.analysis.as_ref()?.facts()
    }

    /// True if the compiler's back end crashed: the registers of all configurations are estimated since.
    pub(crate) fn has_crashed(&self) -> bool {
        self.analysis.as_ref().is_some_and(Analysis::has_crashed)
    }

    /// Returns the origins of the uses and barriers of a configuration's program, in the order of the program's text.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, a statement cannot be lowered, or a number is too large.
    pub fn origins(&self, configuration: &Configuration) -> Result<Feasibility<Vec<Origin>>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        let origins_of = |launched: Launched| {
            let Launched { scope, geometry, .. } = &launched;
            let traced = self.traced(scope, geometry)?;
            let origins = match &self.target {
                Target::Lockstep(gpu) => lockstep::origins(self.spec, gpu, scope, geometry, traced.as_deref()),
                Target::Pipelined(physics) => pipelined::origins(self.spec, physics, &launched, traced.as_deref()),
            };
            Ok(Feasibility::Feasible(origins?))
        };
        self.outcome(self.watched(|| self.launched(scope)?.and_then(origins_of)))
    }

    /// The work of a group of a configuration by the lines of the spec or the source, without that of registers that spill;
    /// `None` on a lockstep GPU, where only executions are known.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, a statement cannot be lowered, or a number is too large.
    pub fn line_work(
        &self,
        configuration: &Configuration,
    ) -> Result<Feasibility<Option<BTreeMap<SourceLine, LineWork>>>, LoweringError> {
        let scope = self.spec.scope(&self.names, configuration)?;
        let work_of = |launched: Launched| {
            let traced = self.traced(&launched.scope, &launched.geometry)?;
            Ok(Feasibility::Feasible(match &self.target {
                Target::Lockstep(_) => None,
                Target::Pipelined(physics) => {
                    Some(pipelined::line_work(self.spec, physics, &launched, traced.as_deref())?)
                }
            }))
        };
        self.outcome(self.watched(|| self.launched(scope)?.and_then(work_of)))
    }

    /// The key of what follows from a configuration of a kernel's source; `None` if nothing is kept, or the source cannot be
    /// compiled.
    pub fn key(&self, configuration: &Configuration) -> Option<Key> {
        self.key_in(&self.spec.scope(&self.names, configuration).ok()?, configuration)
    }

    fn key_in(&self, scope: &Scope, configuration: &Configuration) -> Option<Key> {
        let analysed = self.analysis.as_ref()?.key(self.spec, scope)?;
        Some(self.kept.as_ref()?.key(&analysed, configuration))
    }

    fn attempt(&self, scope: &Scope) -> Attempt<Lowered> {
        self.geometry(scope)?.and_then(|geometry| {
            let launched = self.resident(scope.clone(), geometry);
            let shared = match (&self.target, &launched) {
                (Target::Pipelined(physics), Feasibility::Feasible(launched)) => physics.shared(launched),
                _ => Vec::new(),
            };
            match audit::audit(self.spec, scope, &geometry, &shared).into_iter().next() {
                Some(problem) => Err(problem),
                None => launched.and_then(|launched| self.program(&launched, shared)),
            }
        })
    }

    fn geometry(&self, scope: &Scope) -> Attempt<Geometry> {
        self.executed(scope)?.and_then(|(geometry, _)| Ok(Feasibility::Feasible(geometry)))
    }

    /// The sizes of a launch within the GPU's limits, and the execution of the kernel's source that says what the spec leaves out;
    /// `None` if the spec has a body.
    fn executed(&self, scope: &Scope) -> Attempt<(Geometry, Option<Arc<TracedKernel>>)> {
        let spills = matches!(self.target, Target::Pipelined(..));
        launch::geometry(self.spec, &self.names, spills, scope)?.and_then(|mut geometry| {
            let traced = self.traced(scope, &geometry)?;
            if let Some(traced) = &traced {
                if self.spec.resources.local_memory.is_none() {
                    geometry.local_memory = traced.local_memory();
                }
                if geometry.told.number == 0 {
                    let bounds = &traced.kernel.module.bounds;
                    let told = geometry.told.compiled(&traced.kernel.registers, bounds);
                    geometry.told = told.with_sums(traced.words_of_sums());
                }
            }
            geometry.within(&self.names).and_then(|geometry| Ok(Feasibility::Feasible((geometry, traced))))
        })
    }

    /// The program of a configuration with this launch, without the audit of its statements.
    fn program(&self, launched: &Launched, shared: Vec<Shared>) -> Attempt<Lowered> {
        let traced = self.traced(&launched.scope, &launched.geometry)?;
        let lowered = self.lowered(launched, Body { source: traced.as_deref(), shared });
        let mut lowered = lowered.map_err(|stop| match &traced {
            Some(traced) => stop.in_source(traced),
            None => stop,
        })?;
        lowered.has_open_edges = traced.is_some_and(|traced| traced.has_open_groups());
        lowered.program = lowered.program.simplified();
        lowered.program.check_lowered()?;
        Ok(Feasibility::Feasible(lowered))
    }

    fn lowered(&self, launched: &Launched, body: Body) -> Result<Lowered, LoweringStop> {
        match &self.target {
            Target::Lockstep(gpu) => lockstep::lower(self.spec, gpu, &launched.scope, &launched.geometry, body.source),
            Target::Pipelined(physics) => {
                if let Some(why) = body.source.and_then(|traced| unsupported(physics.gpu, traced)) {
                    return Err(LoweringStop::Source(Place::default(), Box::new(why)));
                }
                pipelined::lower(self.spec, physics, launched, body)
            }
        }
    }
}

#[cfg(test)]
mod tests;
pub use lowered::{Feasibility, Lowered};
