//! The kernel's source of a spec, compiled and executed for a configuration.

mod arguments;
mod contents;

use std::sync::Arc;

use super::launch::{Geometry, registers};
use super::stop::LoweringStop;
use crate::gpu::{Pipelined, Profile, Vendor};
use crate::spec::{Assumed, Assumption, KnownArgument, Scope, Spec, StatedSource};
use autotune_base::limits::Allowance;
use autotune_base::limits::watch::watched;
use autotune_kernel::source::{
    AbsentHeader, AccessKind, AnalysisError, Architecture, Assumptions, CompilationOrigin, CompilerFacts, FindingKind,
    GroupFaults, Hazard, Language, Macros, Maker, MissedGridBarrier, OpenQuestion, OpenQuestions, Output, Processor,
    Reading, Safety, SearchedGroup, SourceFinding, SourceKernel, SourceReader, SourceRun, StandIn, Target,
    TracedKernel, is_plain, middle, unknown_origin,
};

/// The first compute capability whose lanes of a warp exchange values.
const FIRST_WITH_SHUFFLES: u32 = 30;

/// A kernel and the key of its compilation.
type Keyed = (String, Arc<SourceKernel>);

/// A spec's source on one GPU. Threads may share it.
#[derive(Debug)]
pub(super) struct Analysis<'a> {
    pub(super) stated: &'a StatedSource,
    pub(super) reading: Reading<'a>,
    processor: Processor,
    /// The GPU; `None` for a lockstep one.
    gpu: Option<&'a Pipelined>,
    /// True if what a kernel does wrong does not matter.
    permits_unsafe: bool,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(stated: &'a StatedSource, profile: &'a Profile, reader: &'a SourceReader) -> Self {
        let processor = processor(profile);
        let gpu = match profile {
            Profile::Pipelined(gpu) => Some(&**gpu),
            Profile::Lockstep(_) => None,
        };
        Self { stated, reading: reader.reading(&stated.source, &processor), processor, gpu, permits_unsafe: false }
    }

    /// The analysis that does not refuse what a kernel does wrong.
    pub(super) fn of_unsafe(self) -> Self {
        Self { permits_unsafe: true, ..self }
    }

    /// The key of all that a configuration's analysis depends on, beside its launch; `None` if there is none.
    pub(super) fn key(&self, spec: &Spec, scope: &Scope) -> Option<String> {
        let macros = self.defined(spec, scope).ok()?;
        self.reading.key(&macros).ok()
    }

    /// Does a step of the work on a trace, which ends at the limits of the source's analysis.
    pub(super) fn watched<T>(&self, step: impl FnOnce() -> Result<T, LoweringStop>) -> Result<T, LoweringStop> {
        watched(&self.reading.limits(), Allowance::OF_ANALYSIS, step)
            .unwrap_or_else(|halt| Err(self.failed(halt.into())))
    }

    /// Compiles the source with these macros, together where that is faster.
    pub(super) fn prepare(&self, macros: &[Macros]) {
        self.reading.prepare(macros);
    }

    /// True if a back end crashed: the registers of all configurations are estimated since.
    pub(super) fn has_crashed(&self) -> bool {
        self.reading.has_crashed()
    }

    /// Execution that stands for all work groups of a configuration: the middle one, or the mean over many if others do other work.
    pub(super) fn traced(
        &self,
        spec: &Spec,
        scope: &Scope,
        geometry: &Geometry,
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        let (reading, kernel, run) = self.run(spec, scope, geometry, geometry.grid.map(middle))?;
        self.checked(reading.traced_for_all(&kernel, &run), spec)
    }

    /// Execution that stands for all work groups, if neither the language nor the GPU forbids it.
    pub(super) fn permitted(
        &self,
        spec: &Spec,
        scope: &Scope,
        geometry: &Geometry,
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        self.permit(self.traced(spec, scope, geometry)?, geometry)
    }

    /// An execution that neither the language nor the GPU forbids, and that does nothing wrong.
    pub(super) fn permit(
        &self,
        traced: Arc<TracedKernel>,
        geometry: &Geometry,
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        let (bounds, launched) = (traced.kernel.module.bounds, geometry.dims);
        let unbound = (!bounds.allow(launched)).then_some(AnalysisError::LaunchBounds { bounds, launched });
        match unbound.or_else(|| self.forbidden(&traced)).or_else(|| self.no_shuffle(&traced)) {
            Some(why) => Err(self.failed(why)),
            None => Ok(traced),
        }
    }

    /// The first finding that makes the configuration infeasible, in the groups that stand for all or at the edges; `None` if
    /// there is none.
    fn forbidden(&self, traced: &TracedKernel) -> Option<AnalysisError> {
        if self.permits_unsafe {
            return None;
        }
        let at_edge = |edge: &SearchedGroup| {
            let why = match &edge.faults {
                Ok(GroupFaults { findings, safety }) => self.fault(traced, findings, safety)?,
                // What counts is what the kernel does wrong: another reason is that of a group which is not priced.
                Err(why) => why.refusal().filter(|rule| rule.is_unsafe()).map(|_| why.clone())?,
            };
            Some(AnalysisError::InGroup { group: edge.group, why: Box::new(why) })
        };
        let of_all = self.fault(traced, &traced.executed.findings, &traced.safety);
        of_all.or_else(|| traced.edges.iter().find_map(at_edge))
    }

    /// The first fault of a group; `None` if there is none.
    fn fault(&self, traced: &TracedKernel, findings: &[SourceFinding], safety: &Safety) -> Option<AnalysisError> {
        let found = findings.iter().find_map(|finding| {
            let place = finding.user_place().cloned();
            match &finding.kind {
                FindingKind::OutOfBounds { array, bytes, at } => {
                    let (array, bytes, at) = (traced.shown_name(array), *bytes, *at);
                    Some(AnalysisError::OutOfBounds { array, bytes, at, place })
                }
                FindingKind::ReturnedBeforeBarrier if self.stated.source.language == Language::OpenCl => {
                    Some(AnalysisError::EarlyReturn { place })
                }
                _ => None,
            }
        });
        let hazard = || {
            let hazard = safety.refused()?.clone();
            let array = traced.shown_name(&hazard.array).into();
            Some(AnalysisError::Hazard(Box::new(Hazard { array, ..hazard })))
        };
        found.or_else(hazard)
    }

    /// The permitted execution that stands for all work groups, if a user need not say more of it.
    pub(super) fn settled(
        &self,
        spec: &Spec,
        scope: &Scope,
        geometry: &Geometry,
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        let traced = self.traced(spec, scope, geometry)?;
        let given = self.arguments(&traced.kernel, spec, scope)?;
        let (mut open, mut counted) = (Vec::new(), Vec::new());
        for finding in &traced.executed.findings {
            let origin = unknown_origin(&traced.kernel.module, finding, &given);
            let Some(question) = OpenQuestion::new(finding, origin) else { continue };
            let is_trips_assumed = matches!(finding.kind, FindingKind::TripsOnData { assumed: true, .. });
            if !question.arguments().is_empty() || is_trips_assumed {
                open.push(question);
            } else if !self.stated.settles(finding) {
                counted.push(question);
            }
        }
        match OpenQuestions::new(open, counted) {
            Some(asked) => Err(self.failed(AnalysisError::Unknown(asked))),
            None => self.permit(traced, geometry),
        }
    }

    /// The error of an exchange between lanes on a GPU of NVIDIA older than Kepler; `None` if there is none.
    fn no_shuffle(&self, traced: &TracedKernel) -> Option<AnalysisError> {
        let is_old = matches!(self.processor.target, Target::Nvidia(capability) if capability < FIRST_WITH_SHUFFLES);
        let mut accesses = traced.runs().flat_map(|run| run.accesses.iter().map(move |access| (run, access)));
        let (run, access) = accesses.find(|(_, access)| is_old && access.kind == AccessKind::Shuffle)?;
        Some(AnalysisError::NoShuffle { place: traced.place_of_access(run, access).cloned() })
    }

    /// The compiler's output for these macros.
    pub(super) fn compiled(&self, macros: &Macros) -> Result<Output, AnalysisError> {
        self.reading.output(macros)
    }

    /// The tools and files of the compilations; `None` if they are not the user's.
    pub(super) fn provenance(&self) -> Option<CompilationOrigin> {
        self.reading.provenance()
    }

    /// The target that the source is compiled for in place of the GPU's; `None` if clang knows that, or there is no clang.
    pub(super) fn stand_in(&self) -> Option<StandIn> {
        self.reading.stand_in()
    }

    /// The facts about the compiler that belong to an answer; `None` if they are not known.
    pub(super) fn facts(&self) -> Option<CompilerFacts> {
        self.reading.facts()
    }

    /// The headers that the source includes and that are nowhere.
    pub(super) fn absent(&self) -> Vec<AbsentHeader> {
        self.reading.absent()
    }

    /// A checksum of all that the compilations depend on; `None` if the source cannot be compiled.
    pub(super) fn digest(&self) -> Option<String> {
        self.reading.digest().ok()
    }

    /// What a work group of a configuration executes.
    pub(super) fn traced_group(
        &self,
        spec: &Spec,
        scope: &Scope,
        geometry: &Geometry,
        group: [u64; 3],
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        let (reading, kernel, run) = self.run(spec, scope, geometry, group)?;
        self.checked(reading.traced(&kernel, &run), spec)
    }

    /// An execution whose local arrays have their sizes.
    fn checked(
        &self,
        traced: Result<Arc<TracedKernel>, AnalysisError>,
        spec: &Spec,
    ) -> Result<Arc<TracedKernel>, LoweringStop> {
        let traced = traced.map_err(|why| self.failed(why))?;
        self.check_arrays(&traced, spec)?;
        Ok(traced)
    }

    /// The error of a barrier of all groups that some of them do not reach.
    pub(super) fn missed_grid_barrier(&self, missed: MissedGridBarrier) -> LoweringStop {
        self.failed(AnalysisError::MissedGridBarrier(Box::new(missed)))
    }

    fn failed(&self, why: AnalysisError) -> LoweringStop {
        LoweringStop::Source(self.stated.place_of(&why), Box::new(why))
    }

    /// The reading that executes a configuration, its kernel with its key, and the execution of one of its groups.
    fn run(
        &self,
        spec: &Spec,
        scope: &Scope,
        geometry: &Geometry,
        group: [u64; 3],
    ) -> Result<(Reading<'a>, Keyed, SourceRun), LoweringStop> {
        let macros = self.macros(spec, scope)?;
        let (reading, kernel) = self.kernel(&macros, geometry).map_err(|why| self.failed(why))?;
        let run = SourceRun {
            sizes: geometry.dims.map(|size| u32::try_from(size).unwrap_or(u32::MAX)),
            groups: geometry.grid,
            group,
            arguments: self.arguments(&kernel.1, spec, scope)?,
            assumptions: self.assumptions(&kernel.1, scope)?,
        };
        Ok((reading, kernel, run))
    }

    /// The kernel of a configuration, and the reading that executes it. Where a kernel may stand for several targets, a back
    /// end answers only where its answer could refuse the launch.
    fn kernel(&self, macros: &Macros, geometry: &Geometry) -> Result<(Reading<'a>, Keyed), AnalysisError> {
        if self.reading.shares_targets() {
            let (reading, kernel) = self.reading.shared_kernel(macros)?;
            let may_refuse = |gpu| {
                let module = &kernel.1.module;
                // A launch beyond the kernel's bounds is refused whatever its registers are.
                let is_launched = module.bounds.allow(geometry.dims);
                !is_plain(&module.kernel)
                    || is_launched && registers::may_refuse(gpu, &module.bounds, geometry.work_group)
            };
            if !self.reading.asks_back_end() || !self.gpu.is_some_and(may_refuse) {
                return Ok((reading, kernel));
            }
        }
        Ok((self.reading.clone(), self.reading.kernel(macros)?))
    }

    /// The macros of a configuration: parameters, problem sizes and those of the spec.
    pub(super) fn macros(&self, spec: &Spec, scope: &Scope) -> Result<Macros, LoweringStop> {
        self.defined(spec, scope).map_err(|why| self.failed(why))
    }

    pub(super) fn defined(&self, spec: &Spec, scope: &Scope) -> Result<Macros, AnalysisError> {
        let mut macros = Macros::default();
        for parameter in &spec.parameters {
            macros.parameter(&parameter.name, scope.value(&parameter.name).unwrap_or_default())?;
        }
        let is_triton = self.stated.source.language == Language::Triton;
        for (name, value) in &spec.problem {
            if is_triton { macros.size(name, *value) } else { macros.define(name, &value.to_string())? }
        }
        if is_triton {
            self.launched(scope, &mut macros);
        }
        for (name, value) in &self.stated.define {
            macros.define(name, value)?;
        }
        Ok(macros)
    }

    /// States the arguments whose values are known at launch, which Triton's compiler is told of.
    fn launched(&self, scope: &Scope, macros: &mut Macros) {
        for given in &self.stated.arguments {
            match &given.value {
                // Another question finds the error of an expression without a value.
                KnownArgument::Integer(value) => {
                    if let Ok(value) = value.evaluate(scope) {
                        macros.argument(&given.name, Some(value));
                    }
                }
                KnownArgument::Float(_) => macros.argument(&given.name, None),
                KnownArgument::Local(_) | KnownArgument::Global(_) => {}
            }
        }
    }

    fn assumptions(&self, kernel: &SourceKernel, scope: &Scope) -> Result<Assumptions, LoweringStop> {
        let mut assumptions = Assumptions::default();
        for Assumption { line, assumed, .. } in &self.stated.assume {
            match assumed {
                Assumed::Trips { count, .. } => {
                    assumptions.trips.insert(*line, count.count(scope)?.unsigned_abs());
                }
                Assumed::Taken(share) => {
                    assumptions.taken.insert(*line, *share);
                }
                Assumed::Zero => {
                    assumptions.zeros.push(*line);
                }
                Assumed::Address(addresses) => {
                    assumptions.addresses.insert(*line, *addresses);
                }
                Assumed::Assembly(operations) => {
                    assumptions.assembly.insert(*line, *operations);
                }
            }
        }
        assumptions.contents = self.contents(kernel, scope)?;
        Ok(assumptions)
    }
}

/// The machine that a source is analysed for.
#[must_use]
pub fn processor(profile: &Profile) -> Processor {
    let (maker, warp_size, limit) = match profile {
        Profile::Lockstep(gpu) => (Maker::Other, gpu.warp_size(), u64::from(u32::MAX)),
        Profile::Pipelined(gpu) if gpu.vendor == Vendor::Nvidia => (Maker::Nvidia, gpu.warp_size, gpu.register_limit()),
        Profile::Pipelined(gpu) => (Maker::Other, gpu.warp_size, gpu.register_limit()),
    };
    let number = |wide: u64| u32::try_from(wide).unwrap_or(u32::MAX);
    Processor { target: target(profile), maker, warp_size: number(warp_size), register_limit: number(limit) }
}

/// The machine that the compiler translates for.
fn target(profile: &Profile) -> Target {
    let Profile::Pipelined(gpu) = profile else { return Target::Portable };
    let target = gpu.target.as_deref().unwrap_or_default();
    match gpu.vendor {
        Vendor::Nvidia => {
            let capability = target.strip_prefix("sm_").and_then(|number| number.parse().ok());
            capability.map_or(Target::Portable, Target::Nvidia)
        }
        Vendor::Amd => Architecture::new(target).map_or(Target::Portable, Target::Amd),
    }
}
