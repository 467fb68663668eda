//! Compiles, reads and executes kernels' sources for all that ask, once for equal questions.

mod alike;
mod back_ends;
mod compiling;
mod remembered;
mod tools;
mod user_compiler;
mod user_compilers;
mod user_triton;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use super::analyse::SourceKernel;
use super::compile::{AbsentHeader, AlikeTargets, KernelSource, Language, Macros, StandIn, Target};
use super::error::AnalysisError;
use super::execute::{Executed, SourceLaunch};
use super::groups::{GroupDistances, GroupSample, LookedAt, standing_for_all};
use super::registers::{RegisterSource, Registers};
use super::run::{Processor, SourceRun};
use super::safety::{ExecutedGroup, GridArrivals, HazardKind, Safety};
use super::traced::{GroupFaults, SearchedGroup, TracedKernel};
use super::value::Shape;
use autotune_base::files::cache::Cache;
use autotune_base::limits::watch::{apart, watched};
use autotune_base::limits::{Allowance, Interrupt, Limits};

pub use compiling::{CompilationOrigin, Compile, CompilerFacts, Output};
use remembered::Remembered;
pub use tools::Tools;
use user_compiler::UserCompiler;
pub use user_compiler::compiler_of_copy;
use user_compilers::UserCompilers;
use user_triton::{UserTriton, trusted_target};

/// The work items of the widest warp of any GPU.
const WIDEST_WARP: u32 = 64;

/// The first compute capability that copies to local memory while it goes on.
const FIRST_WITH_COPIES: u32 = 80;

/// The reader of kernels' sources: it compiles them with a user's tools, executes their work groups, and remembers both
/// for its life. Threads may share it.
///
/// A new reader has started nothing and read nothing: it looks for the compiler when it reads the first source, so that
/// [`SourceReader::default`] costs nothing where all specs have bodies. It reads a file once, and remembers errors too:
/// a new reader sees a file that has changed.
#[derive(Debug, Default)]
pub struct SourceReader {
    tools: Tools,
    /// The compiler of all sources; `None` for the user's.
    given: Option<Arc<dyn Compile>>,
    /// The user's compilers, shared with the readers of other questions.
    compilers: Arc<UserCompilers>,
    /// True if a source is compiled and executed once for all targets that it cannot tell apart.
    shares_targets: bool,
    /// The sources that were read, each for one processor.
    opened: Arc<Mutex<Vec<Arc<Opened>>>>,
    /// The kernels by source and key of their compilation.
    kernels: Arc<Remembered<(usize, String), Arc<SourceKernel>>>,
    /// The executions by source, key of their compilation and launch.
    traces: Arc<Remembered<TraceKey, Result<Arc<TracedKernel>, AnalysisError>>>,
}

/// The number of a source, the key of its compilation, the launch, and the groups that the execution stands for.
type TraceKey = (usize, String, SourceRun, StandsFor);

/// The groups that an execution stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum StandsFor {
    /// The group of its launch.
    Group,
    /// All groups.
    All,
}

/// A source and a processor, with what is known for the reader's life.
#[derive(Debug)]
struct Opened {
    /// The place among the reader's sources.
    number: usize,
    source: KernelSource,
    processor: Processor,
    compiler: OnceLock<Result<Arc<dyn Compile>, AnalysisError>>,
    /// The source for another processor, if what is compiled and executed there stands for this one too.
    stood_for_by: OnceLock<Option<(Arc<Opened>, AlikeTargets)>>,
    /// The failures by their macros, all of them: after a failure, the files that name macros are not known.
    failures: Mutex<HashMap<String, AnalysisError>>,
}

/// One source as a reader reads it for one processor. Threads may share it.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    reader: &'a SourceReader,
    opened: Arc<Opened>,
}

impl SourceReader {
    /// The reader that asks these tools.
    #[must_use]
    pub fn new(tools: Tools) -> Self {
        Self { tools, ..Self::default() }
    }

    /// The reader that asks this compiler for all sources, in place of the user's. Nothing that the compiler says enters
    /// the user's cache.
    #[must_use]
    pub fn with_compiler(compiler: Arc<dyn Compile>) -> Self {
        Self { given: Some(compiler), ..Self::default() }
    }

    /// The reader with another request to stop, which has read nothing yet.
    #[must_use]
    pub fn interrupted_by(self, interrupt: Interrupt) -> Self {
        Self { tools: Tools { interrupt, ..self.tools }, given: self.given, ..Self::default() }
    }

    /// The reader with an earlier moment when its work stops; `None` for none. It shares all that is known.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> Self {
        let deadline = self.tools.deadline.into_iter().chain(deadline).min();
        let tools = Tools { deadline, ..self.tools.clone() };
        let (given, compilers) = (self.given.clone(), Arc::clone(&self.compilers));
        let (opened, kernels, traces) = (Arc::clone(&self.opened), Arc::clone(&self.kernels), Arc::clone(&self.traces));
        Self { tools, given, compilers, shares_targets: self.shares_targets, opened, kernels, traces }
    }

    /// A reader for another question, with the same tools and compilers: what one of them has compiled, the other does not
    /// compile again. Executions and failures are remembered apart, and so is a back end that crashed, so that no answer
    /// depends on the questions beside it.
    #[must_use]
    pub fn for_another_question(&self) -> Self {
        let compilers = Arc::clone(&self.compilers);
        Self { tools: self.tools.clone(), given: self.given.clone(), compilers, ..Self::default() }
    }

    /// The tools that the reader asks.
    #[must_use]
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// The reading of a source for a processor. Readings of equal sources share all that is known.
    #[must_use]
    pub fn reading(&self, source: &KernelSource, processor: &Processor) -> Reading<'_> {
        let mut all = lock(&self.opened);
        let is_known = |opened: &&Arc<Opened>| opened.source == *source && opened.processor == *processor;
        let known = all.iter().find(is_known).cloned();
        let opened = known.unwrap_or_else(|| {
            let opened = Arc::new(Opened {
                number: all.len(),
                source: source.clone(),
                processor: processor.clone(),
                compiler: OnceLock::new(),
                stood_for_by: OnceLock::new(),
                failures: Mutex::default(),
            });
            all.push(Arc::clone(&opened));
            opened
        });
        Reading { reader: self, opened }
    }

    /// The user's files that a source includes, sorted: those that compilations have met, in this run or in one that the
    /// cache remembers.
    #[must_use]
    pub fn included(&self, source: &KernelSource) -> BTreeSet<PathBuf> {
        let all = lock(&self.opened);
        let of_source = all.iter().filter(|opened| opened.source == *source);
        let origins = of_source.filter_map(|opened| opened.compiler.get()?.as_ref().ok()?.provenance());
        origins.flat_map(|origin| origin.included_by_name().collect::<Vec<_>>()).collect()
    }

    /// The cache of what is known of sources; `None` if there is none, or the compiler is not the user's.
    #[must_use]
    pub fn cache(&self) -> Option<Cache> {
        if self.given.is_some() { None } else { self.compilers.cache(&self.tools) }
    }
}

impl Reading<'_> {
    /// The kernel of a configuration and its key.
    ///
    /// # Errors
    /// If there is no compiler, or the source cannot be compiled or read.
    pub fn kernel(&self, macros: &Macros) -> Result<(String, Arc<SourceKernel>), AnalysisError> {
        let compiler = self.compiler()?;
        let key = compiler.key(macros);
        if let Some(known) = self.reader.kernels.get(&(self.opened.number, key.clone())) {
            return Ok((key, known));
        }
        let asked = macros.text();
        if let Some(why) = lock(&self.opened.failures).get(&asked) {
            return Err(why.clone());
        }
        self.compiled(&**compiler, macros).inspect_err(|why| {
            if !why.is_stopped() {
                lock(&self.opened.failures).insert(asked, why.clone());
            }
        })
    }

    /// The limits of a step of the analysis.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.reader.tools.limits()
    }

    /// Does a step that ends at the limits of the reader's tools.
    fn watched<T>(&self, step: impl FnOnce() -> T) -> Result<T, AnalysisError> {
        Ok(watched(&self.limits(), Allowance::OF_ANALYSIS, step)?)
    }

    /// Compiles configurations that are about to be asked for, together where that is faster. Nothing is said of errors.
    pub fn prepare(&self, configurations: &[Macros]) {
        let Ok(compiler) = self.compiler() else { return };
        if let Some(clang) = self.shared_clang() {
            return self.prepare_shared(clang, configurations);
        }
        let has_failed = |macros: &Macros| lock(&self.opened.failures).contains_key(&macros.text());
        let open: Vec<Macros> = configurations.iter().filter(|macros| !has_failed(macros)).cloned().collect();
        apart(|| compiler.prepare(&open));
    }

    /// The kernel of a configuration and its key, compiled and read.
    fn compiled(&self, compiler: &dyn Compile, macros: &Macros) -> Result<(String, Arc<SourceKernel>), AnalysisError> {
        let (key, text) = apart(|| compiler.compile(macros))?;
        let kernel = self.reader.kernels.get_or((self.opened.number, key.clone()), || {
            let mut kernel = self.read(&text)?;
            if let Some(registers) = apart(|| compiler.registers(macros, &kernel.module.kernel.name))? {
                kernel.registers = registers;
            }
            Ok::<_, AnalysisError>(Arc::new(kernel))
        })?;
        Ok((key, kernel))
    }

    /// The kernel of the compiler's text.
    fn read(&self, text: &str) -> Result<SourceKernel, AnalysisError> {
        let (name, maker) = (self.opened.source.kernel.as_deref(), self.opened.processor.maker);
        self.watched(|| SourceKernel::read(text, name, maker))?
    }

    /// The kernel of a configuration with the names of its structures' fields; `None` if they are not known.
    #[must_use]
    pub fn described(&self, macros: &Macros) -> Option<SourceKernel> {
        if self.reader.given.is_some() || self.opened.source.fields {
            return None;
        }
        let source = KernelSource { fields: true, ..self.opened.source.clone() };
        let described = self.reader.reading(&source, &self.opened.processor);
        let (_, text) = described.compiler().ok()?.compile(macros).ok()?;
        described.read(&text).ok()
    }

    /// Execution of a work group of a kernel; `key` is the kernel's.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn traced(
        &self,
        (key, kernel): &(String, Arc<SourceKernel>),
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        self.remembered(key, (run, StandsFor::Group), || self.executed(kernel, run))
    }

    /// Execution that stands for all work groups of a kernel: the group of `run`, or the mean over many if others do other work.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn traced_for_all(
        &self,
        kernel: &(String, Arc<SourceKernel>),
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let make = || self.for_all(&self.traced(kernel, run)?, run);
        self.remembered(&kernel.0, (run, StandsFor::All), make)
    }

    /// The trace of a question, or its failure: made unless it is known.
    fn remembered(
        &self,
        key: &str,
        (run, stands_for): (&SourceRun, StandsFor),
        make: impl FnOnce() -> Result<Arc<TracedKernel>, AnalysisError>,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let asked = (self.opened.number, key.to_owned(), run.clone(), stands_for);
        // What a limit of the whole work has stopped is not known, for whoever asks again.
        let known = self.reader.traces.get_or(asked, || match make() {
            Err(why) if why.is_stopped() => Err(why),
            ended => Ok(ended),
        });
        known.unwrap_or_else(Err)
    }

    fn for_all(&self, middle: &Arc<TracedKernel>, run: &SourceRun) -> Result<Arc<TracedKernel>, AnalysisError> {
        let limits = self.limits();
        let launch = run.launch(&self.opened.processor);
        let looked_at = RefCell::new(middle.looked_at.clone());
        let arrivals = RefCell::new(GridArrivals::new(&middle.kernel.module.kernel, &middle.kernel.flow));
        self.watched(|| arrivals.borrow_mut().add(run.group, &middle.executed))?;
        let execute = |group| {
            let executed = middle.kernel.execute(&SourceLaunch { group, ..launch.clone() }, &run.assumptions, &limits);
            looked_at.borrow_mut().add(group, executed.as_ref().ok());
            if let Ok(executed) = &executed {
                self.watched(|| arrivals.borrow_mut().add(group, executed))?;
            }
            executed
        };
        let groups = [run.groups, run.group];
        let judge = |group, executed: &Executed| self.judged(&middle.kernel, executed, &middle.shape, (group, None));
        let function = &middle.kernel.module.kernel;
        let (mean, sample, others) =
            self.watched(|| standing_for_all(&middle.executed, groups, &middle.shape, function, execute, judge))??;
        let edges = self.searched(middle, &looked_at, execute)?;
        if let Some(missed) = self.watched(|| arrivals.into_inner().missed(run.groups))? {
            return Err(AnalysisError::MissedGridBarrier(Box::new(missed)));
        }
        if mean.is_none() && sample.compared.is_empty() && edges.is_empty() {
            return Ok(Arc::clone(middle));
        }
        let executed = mean.unwrap_or_else(|| middle.executed.clone());
        let moved = middle.executed.dependence.moves_addresses;
        let distances = moved.then(|| {
            let first = |groups| SourceLaunch { first_items: Some(groups), ..launch.clone() };
            let execute = |groups| middle.kernel.execute(&first(groups), &run.assumptions, &limits);
            self.watched(|| GroupDistances::new(run.groups, execute))?
        });
        let distances = distances.transpose()?.unwrap_or_default();
        let mut safety = middle.safety.clone();
        safety.extend(others);
        let looked_at = looked_at.into_inner();
        let middle = TracedKernel::clone(middle);
        Ok(Arc::new(TracedKernel { executed, sample, safety, edges, looked_at, distances, ..middle }))
    }

    /// The groups in the corners of the launch that do what no group before does, executed; none if the kernel has nothing
    /// that a group at the edge can do wrong.
    fn searched(
        &self,
        middle: &TracedKernel,
        looked_at: &RefCell<LookedAt>,
        execute: impl Fn([u64; 3]) -> Result<Executed, AnalysisError>,
    ) -> Result<Vec<SearchedGroup>, AnalysisError> {
        let mut searched = Vec::new();
        if !middle.may_go_wrong() {
            return Ok(searched);
        }
        let corners = looked_at.borrow().corners();
        for group in corners {
            if looked_at.borrow().has(group) {
                continue;
            }
            let faults = match execute(group) {
                Err(why) if why.is_stopped() => return Err(why),
                Err(why) => Err(why),
                Ok(executed) => {
                    let safety = self.judged(&middle.kernel, &executed, &middle.shape, (group, None))?;
                    Ok(GroupFaults { findings: executed.findings, safety })
                }
            };
            searched.push(SearchedGroup { group, faults });
        }
        Ok(searched)
    }

    fn executed(&self, kernel: &Arc<SourceKernel>, run: &SourceRun) -> Result<Arc<TracedKernel>, AnalysisError> {
        let executed = kernel.execute(&run.launch(&self.opened.processor), &run.assumptions, &self.limits())?;
        let given = &run.assumptions.assembly;
        let kernel = if given.is_empty() { Arc::clone(kernel) } else { Arc::new(kernel.with_assembly(given)) };
        let shape = Shape::new(run.sizes);
        let safety = self.judged(&kernel, &executed, &shape, (run.group, Some(run.groups)))?;
        let mut looked_at = LookedAt::none_of(run.groups);
        looked_at.add(run.group, Some(&executed));
        Ok(Arc::new(TracedKernel {
            kernel,
            executed,
            shape,
            shared: run.arguments.shared.unwrap_or(0),
            addresses: run.assumptions.addresses.clone(),
            sample: GroupSample::default(),
            safety,
            edges: Vec::new(),
            looked_at,
            distances: GroupDistances::default(),
        }))
    }

    /// The errors of a work group of a kernel; with `grid`, the number of groups along each axis, also those of others that it
    /// stands for.
    fn judged(
        &self,
        kernel: &SourceKernel,
        executed: &Executed,
        shape: &Shape,
        (group, grid): ([u64; 3], Option<[u64; 3]>),
    ) -> Result<Safety, AnalysisError> {
        let Processor { target, warp_size, .. } = &self.opened.processor;
        // The work items that an abstract GPU takes together are no warp of a real one: the widest one is assumed.
        let is_gpu = matches!(target, Target::Nvidia(_) | Target::Amd(_));
        let warp = if is_gpu { *warp_size } else { WIDEST_WARP.max(*warp_size) };
        let warp = usize::try_from(warp).unwrap_or(usize::MAX);
        let mut safety = self.watched(|| kernel.judged(executed, &ExecutedGroup { shape, warp, group, grid }))?;
        if matches!(target, Target::Nvidia(capability) if *capability < FIRST_WITH_COPIES) {
            // Headers have no waits for these GPUs, which refuse the copies themselves.
            safety.hazards.retain(|hazard| hazard.kind != HazardKind::EarlyRead);
        }
        Ok(safety)
    }

    /// A configuration's output and the registers that a back end assigns.
    ///
    /// # Errors
    /// If there is no compiler, or the configuration cannot be compiled.
    pub fn output(&self, macros: &Macros) -> Result<Output, AnalysisError> {
        let (_, kernel) = self.kernel(macros)?;
        let compiler = self.compiler()?;
        let (_, text) = apart(|| compiler.compile(macros))?;
        // The estimate of other languages follows from the text.
        let is_told = self.opened.source.language == Language::Triton;
        let is_told = |registers: &Registers| is_told || registers.source != RegisterSource::Estimate;
        let registers = Some(kernel.registers).filter(is_told);
        Ok(Output { text, registers })
    }

    /// A checksum of all that the compilations of the source depend on: compiler, options, files. Files that the source
    /// includes are known once it was compiled.
    ///
    /// # Errors
    /// If there is no compiler, or a file cannot be read.
    pub fn digest(&self) -> Result<String, AnalysisError> {
        self.key(&Macros::default())
    }

    /// A checksum of all that the analysis of a configuration depends on, beside its launch.
    ///
    /// # Errors
    /// As [`Reading::digest`].
    pub fn key(&self, macros: &Macros) -> Result<String, AnalysisError> {
        Ok(self.compiler()?.key(macros))
    }

    /// The tools and files of the compilations; `None` if there is no compiler, or it is not the user's.
    #[must_use]
    pub fn provenance(&self) -> Option<CompilationOrigin> {
        self.compiler().ok()?.provenance()
    }

    /// The facts about the compiler that belong to an answer; `None` if they are not known.
    #[must_use]
    pub fn facts(&self) -> Option<CompilerFacts> {
        self.compiler().ok()?.facts()
    }

    /// The target in place of one that the compiler does not know; `None` if it knows the target, or there is no
    /// compiler.
    #[must_use]
    pub fn stand_in(&self) -> Option<StandIn> {
        self.compiler().ok()?.stand_in()
    }

    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    #[must_use]
    pub fn absent(&self) -> Vec<AbsentHeader> {
        self.compiler().map_or_else(|_| Vec::new(), |compiler| compiler.absent())
    }

    /// True if a back end crashed: the registers of all configurations are estimated since.
    #[must_use]
    pub fn has_crashed(&self) -> bool {
        matches!(self.opened.compiler.get(), Some(Ok(compiler)) if compiler.has_crashed())
    }

    /// The compiler of the source, found when it is first asked for.
    fn compiler(&self) -> Result<&Arc<dyn Compile>, AnalysisError> {
        self.opened.compiler.get_or_init(|| self.found()).as_ref().map_err(Clone::clone)
    }

    fn found(&self) -> Result<Arc<dyn Compile>, AnalysisError> {
        apart(|| self.asked())
    }

    fn asked(&self) -> Result<Arc<dyn Compile>, AnalysisError> {
        let (reader, opened) = (self.reader, &self.opened);
        if let Some(given) = &reader.given {
            return Ok(Arc::clone(given));
        }
        if opened.source.language == Language::Triton {
            let target = trusted_target(&opened.processor, &reader.tools)?;
            let compiler = reader.compilers.triton(&opened.source, &target, &reader.tools)?;
            return Ok(Arc::new(UserTriton::new(compiler, &opened.processor, &reader.tools)?));
        }
        let compiler = reader.compilers.clang(&opened.source, &opened.processor.target, &reader.tools)?;
        Ok(Arc::new(UserCompiler::new(compiler, &opened.processor, &reader.tools)?))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock still guards whole entries: nothing here panics between two writes.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
