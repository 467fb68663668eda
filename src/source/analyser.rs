//! Compiles, reads and executes one source for all that ask, once for equal questions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::fmt;
use std::hash::Hash;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use super::analyse::SourceKernel;
use super::compile::{AbsentHeader, Clang, Compiler, KernelSource, Macros, SourcePlaces, StandIn, Target};
use super::error::AnalysisError;
use super::execute::{Argument, AssumedAddress, Assumptions, Executed, KnownField, SourceLaunch};
use super::groups::{GroupSample, standing_for_all};
use super::ir::SourcePlace;
use super::prices::Maker;
use super::registers::{Ptxas, RegisterSource, Registers, amd_registers};
use super::trace::{AccessKind, BlockRun, SourceAccess, Step};
use super::value::Shape;
use crate::files::cache::{Cache, Key};
use crate::limits::{Allowance, Interrupt, Limits};

/// The most executions and compilations that are remembered: those of the configurations under way.
const MOST: usize = 1 << 6;

/// A compiler of one source.
pub trait Compile: fmt::Debug + Send + Sync {
    /// The key of a configuration: those with equal keys have equal outputs.
    fn key(&self, macros: &Macros) -> String;

    /// The compiler's output for a configuration, and its key.
    ///
    /// # Errors
    /// The reason why the source cannot be compiled.
    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError>;

    /// Compiles configurations that are about to be asked for, together where that is faster. Nothing is said of errors.
    fn prepare(&self, _configurations: &[Macros]) {}

    /// The registers of a kernel, as a back end assigns them; `None` if no back end knows them.
    ///
    /// # Errors
    /// The reason why a back end refuses the configuration.
    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError>;

    /// True if a back end crashed: the registers of all configurations are estimated since.
    fn has_crashed(&self) -> bool {
        false
    }

    /// The tools and files of the compilations; `None` if they are not the user's.
    fn provenance(&self) -> Option<CompilationOrigin> {
        None
    }

    /// The target in place of one that the compiler does not know; `None` if it knows the target.
    fn stand_in(&self) -> Option<StandIn> {
        None
    }

    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    fn absent(&self) -> Vec<AbsentHeader> {
        Vec::new()
    }
}

/// The tools that compile a source, and the files that they read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilationOrigin {
    /// The line that clang prints about its version.
    pub clang: String,
    /// The version of NVIDIA's assembler; `None` if it is not asked.
    pub ptxas: Option<String>,
    /// The origin of the numbers of registers that was asked for.
    pub registers: RegisterSource,
    /// The places of the source's own files and folders.
    pub places: SourcePlaces,
    /// The files that compilations have included.
    pub included: Vec<PathBuf>,
}

impl CompilationOrigin {
    /// The included files under the names that follow from the user's words for their folders.
    fn included_by_name(&self) -> impl Iterator<Item = PathBuf> {
        self.included.iter().map(|file| self.places.name_of(file).map_or_else(|| file.clone(), PathBuf::from))
    }
}

/// What a user chooses of the tools that read a source.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    /// The compiler; `None` for the one of the environment or the newest.
    pub clang: Option<PathBuf>,
    /// NVIDIA's assembler; `None` for the one on the search path, if there is one.
    pub ptxas: Option<PathBuf>,
    /// The origin of the numbers of registers; `None` for AMD's back end on its GPUs, else the estimate.
    pub registers: Option<RegisterSource>,
    /// The limit of processor time for a configuration's compilation, and again for its execution; `None` for 20 and 10 seconds.
    pub limit: Option<Duration>,
    /// The interrupt after which compilations and executions stop.
    pub interrupt: Interrupt,
    /// True if nothing of the user's cache is used, and nothing is put there.
    pub no_cache: bool,
    /// True if NVIDIA's assembler is not asked, also where there is one.
    pub no_ptxas: bool,
}

impl Tools {
    /// The cache of what is known of sources; `None` if there is none, or it cannot be trusted.
    fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { Cache::of_user().ok().flatten() }
    }

    /// The limits of a compilation or an execution.
    fn limits(&self) -> Limits {
        let allowance = self.limit.map(|processor| Allowance { processor });
        Limits { deadline: None, interrupt: self.interrupt.clone(), allowance }
    }
}

/// The target machine of a source's analysis.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Processor {
    /// The machine that the compiler translates for.
    pub target: Target,
    /// The maker, whose compiler prices instructions.
    pub maker: Maker,
    /// Work items of a warp.
    pub warp_size: u32,
    /// The most registers of a work item.
    pub register_limit: u32,
}

/// What an execution depends on beside the kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceRun {
    /// Work items of a group along x, y and z.
    pub sizes: [u32; 3],
    /// Groups along x, y and z.
    pub groups: [u64; 3],
    /// The group that is executed.
    pub group: [u64; 3],
    /// The arguments that are known.
    pub arguments: KnownArguments,
    /// What is assumed of data.
    pub assumptions: Assumptions,
}

/// The arguments of a launch that are known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownArguments {
    /// Whole arguments, by position.
    pub values: Vec<(usize, Argument)>,
    /// The numbers in structures.
    pub fields: Vec<KnownField>,
    /// The bytes of local memory that all arrays without a size share; `None` if they are not known.
    pub shared: Option<u64>,
}

/// Trace of a work group of a configuration, or the mean over many.
#[derive(Debug, Clone)]
pub struct TracedKernel {
    /// The instructions.
    pub kernel: Arc<SourceKernel>,
    /// The blocks, loops and accesses of the group.
    pub executed: Executed,
    /// The work items of the group.
    pub shape: Shape,
    /// The bytes of local memory that all arrays without a size share; 0 if there is none.
    pub shared: u64,
    /// What the user assumes of addresses that depend on data, by line.
    pub addresses: BTreeMap<u32, AssumedAddress>,
    /// The groups that were executed beside this one, and those of which the trace is the mean.
    pub sample: GroupSample,
}

/// What a compiler makes of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// LLVM's text.
    pub text: String,
    /// The registers that a back end assigns; `None` if they are estimated from the text.
    pub registers: Option<Registers>,
}

impl TracedKernel {
    /// The blocks that are executed, once for each execution, loops and sides included.
    pub fn runs(&self) -> impl Iterator<Item = &BlockRun> {
        Step::all(&self.executed.trace)
            .filter_map(|(step, _)| if let Step::Block(run) = step { Some(run) } else { None })
    }

    /// The positions of a block's instructions, cut behind each barrier that was executed.
    #[must_use]
    pub fn parts(&self, run: &BlockRun) -> Vec<Range<usize>> {
        let barriers = run.accesses.iter().filter(|access| access.kind == AccessKind::Barrier);
        let ends = barriers.map(|barrier| barrier.instruction + 1);
        let mut begin = 0;
        let ends = ends.chain([self.kernel.module.kernel.blocks[run.block.index()].instructions.len()]);
        ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
    }

    /// The place in a file of the user of an access of a block; `None` if it has none.
    #[must_use]
    pub fn place_of_access(&self, run: &BlockRun, access: &SourceAccess) -> Option<&SourcePlace> {
        self.kernel.module.kernel.blocks[run.block.index()].instructions[access.instruction].user_place()
    }
}

/// The group that stands for all, along an axis with this many: the lower middle one, since the last group may have work
/// items without work.
#[must_use]
pub fn middle(groups: u64) -> u64 {
    groups.saturating_sub(1) / 2
}

/// The analysis of one source. Clones share what is known; threads may share it.
#[derive(Debug, Clone, Default)]
pub struct Analyser(Arc<Shared>);

/// A compiler, or the reason why there is none.
type Found = Result<Arc<dyn Compile>, AnalysisError>;

#[derive(Debug, Default)]
struct Shared {
    tools: RwLock<Tools>,
    /// True if the compiler is another one than the user's: nothing that it says may enter the user's cache.
    is_given: bool,
    compilers: Mutex<HashMap<Processor, Arc<OnceLock<Found>>>>,
    kernels: Remembered<(Processor, String), Arc<SourceKernel>>,
    traces: Remembered<(Processor, String, String), Result<Arc<TracedKernel>, AnalysisError>>,
    /// The failures by their macros, all of them: after a failure, the files that name macros are not known.
    failures: Mutex<HashMap<(Processor, String), AnalysisError>>,
}

/// Analysers are tools, of which none is another than the next.
impl PartialEq for Analyser {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Analyser {
    /// An analyser with another compiler than the user's.
    #[must_use]
    pub fn with_compiler(processor: &Processor, compiler: Arc<dyn Compile>) -> Self {
        let known = Arc::new(OnceLock::from(Ok(compiler)));
        let compilers = Mutex::new(HashMap::from([(processor.clone(), known)]));
        Self(Arc::new(Shared { is_given: true, compilers, ..Shared::default() }))
    }

    /// Chooses the tools, before the first question.
    pub fn choose(&self, tools: Tools) {
        *self.0.tools.write().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// The kernel of a configuration and its key.
    ///
    /// # Errors
    /// If there is no compiler, or the source cannot be compiled or read.
    pub fn kernel(
        &self,
        source: &KernelSource,
        processor: &Processor,
        macros: &Macros,
    ) -> Result<(String, Arc<SourceKernel>), AnalysisError> {
        let compiler = self.compiler(source, processor)?;
        let key = compiler.key(macros);
        if let Some(known) = self.0.kernels.get(&(processor.clone(), key.clone())) {
            return Ok((key, known));
        }
        let asked = (processor.clone(), macros.text());
        if let Some(why) = lock(&self.0.failures).get(&asked) {
            return Err(why.clone());
        }
        self.compiled(&*compiler, source, processor, macros).inspect_err(|why| {
            lock(&self.0.failures).insert(asked, why.clone());
        })
    }

    /// Compiles configurations that are about to be asked for, together where that is faster. Nothing is said of errors.
    pub fn prepare(&self, source: &KernelSource, processor: &Processor, configurations: &[Macros]) {
        let Ok(compiler) = self.compiler(source, processor) else { return };
        let has_failed = |macros: &Macros| lock(&self.0.failures).contains_key(&(processor.clone(), macros.text()));
        let open: Vec<Macros> = configurations.iter().filter(|macros| !has_failed(macros)).cloned().collect();
        compiler.prepare(&open);
    }

    /// The kernel of a configuration and its key, compiled and read.
    fn compiled(
        &self,
        compiler: &dyn Compile,
        source: &KernelSource,
        processor: &Processor,
        macros: &Macros,
    ) -> Result<(String, Arc<SourceKernel>), AnalysisError> {
        let (key, text) = compiler.compile(macros)?;
        let name = source.kernel.as_deref();
        let kernel = self.0.kernels.get_or((processor.clone(), key.clone()), || {
            let mut kernel = SourceKernel::read(&text, name, processor.maker)?;
            if let Some(registers) = compiler.registers(macros, &kernel.module.kernel.name)? {
                kernel.registers = registers;
            }
            Ok::<_, AnalysisError>(Arc::new(kernel))
        })?;
        Ok((key, kernel))
    }

    /// The kernel of a configuration with the names of its structures' fields; `None` if they are not known.
    #[must_use]
    pub fn described(&self, source: &KernelSource, processor: &Processor, macros: &Macros) -> Option<SourceKernel> {
        if self.0.is_given || source.fields {
            return None;
        }
        let source = KernelSource { fields: true, ..source.clone() };
        let (_, text) = UserCompiler::new(&source, None, processor, &self.tools()).ok()?.compile(macros).ok()?;
        SourceKernel::read(&text, source.kernel.as_deref(), processor.maker).ok()
    }

    /// What a work group of a kernel executes; `key` is the kernel's.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn traced(
        &self,
        processor: &Processor,
        (key, kernel): &(String, Arc<SourceKernel>),
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let asked = (processor.clone(), key.clone(), format!("{run:?}"));
        self.remembered(asked, || self.executed(processor, kernel, run))
    }

    /// Execution that stands for all work groups of a kernel: the group of `run`, or the mean over many if others do other work.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn traced_for_all(
        &self,
        processor: &Processor,
        kernel: &(String, Arc<SourceKernel>),
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let asked = (processor.clone(), kernel.0.clone(), format!("for all {run:?}"));
        self.remembered(asked, || self.for_all(processor, &self.traced(processor, kernel, run)?, run))
    }

    /// The trace of a question, or its failure: made unless it is known.
    fn remembered(
        &self,
        asked: (Processor, String, String),
        make: impl FnOnce() -> Result<Arc<TracedKernel>, AnalysisError>,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        self.0.traces.get_or(asked, || Ok::<_, Infallible>(make())).unwrap_or_else(|never| match never {})
    }

    fn for_all(
        &self,
        processor: &Processor,
        middle: &Arc<TracedKernel>,
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let limits = self.tools().limits();
        let launch = launch(processor, run);
        let execute =
            |group| middle.kernel.execute(&SourceLaunch { group, ..launch.clone() }, &run.assumptions, &limits);
        let groups = [run.groups, run.group];
        let (mean, sample) =
            standing_for_all(&middle.executed, groups, &middle.shape, &middle.kernel.module.kernel, execute)?;
        if mean.is_none() && sample.compared.is_empty() {
            return Ok(Arc::clone(middle));
        }
        let executed = mean.unwrap_or_else(|| middle.executed.clone());
        Ok(Arc::new(TracedKernel { executed, sample, ..TracedKernel::clone(middle) }))
    }

    fn executed(
        &self,
        processor: &Processor,
        kernel: &Arc<SourceKernel>,
        run: &SourceRun,
    ) -> Result<Arc<TracedKernel>, AnalysisError> {
        let executed = kernel.execute(&launch(processor, run), &run.assumptions, &self.tools().limits())?;
        Ok(Arc::new(TracedKernel {
            kernel: Arc::clone(kernel),
            executed,
            shape: Shape::new(run.sizes),
            shared: run.arguments.shared.unwrap_or(0),
            addresses: run.assumptions.addresses.clone(),
            sample: GroupSample::default(),
        }))
    }

    /// A configuration's output and the registers that a back end assigns.
    ///
    /// # Errors
    /// If there is no compiler, or the configuration cannot be compiled.
    pub fn output(
        &self,
        source: &KernelSource,
        processor: &Processor,
        macros: &Macros,
    ) -> Result<Output, AnalysisError> {
        let (_, kernel) = self.kernel(source, processor, macros)?;
        let (_, text) = self.compiler(source, processor)?.compile(macros)?;
        let registers = Some(kernel.registers).filter(|registers| registers.source != RegisterSource::Estimate);
        Ok(Output { text, registers })
    }

    /// A checksum of all on which the compilations of a source depend: compiler, options, files. Files that a source
    /// includes are known once it was compiled.
    ///
    /// # Errors
    /// If there is no compiler, or a file cannot be read.
    pub fn digest(&self, source: &KernelSource, processor: &Processor) -> Result<String, AnalysisError> {
        self.key(source, processor, &Macros::default())
    }

    /// A checksum of all on which the analysis of a configuration depends, beside its launch.
    ///
    /// # Errors
    /// As [`Analyser::digest`].
    pub fn key(&self, source: &KernelSource, processor: &Processor, macros: &Macros) -> Result<String, AnalysisError> {
        Ok(self.compiler(source, processor)?.key(macros))
    }

    /// The user's files that the source includes, sorted: those that compilations have met, in this run or in one that
    /// the cache remembers.
    #[must_use]
    pub fn included(&self) -> BTreeSet<PathBuf> {
        let compilers = lock(&self.0.compilers);
        let known = compilers.values().filter_map(|slot| slot.get()?.as_ref().ok());
        let origins: Vec<CompilationOrigin> = known.filter_map(|compiler| compiler.provenance()).collect();
        origins.iter().flat_map(CompilationOrigin::included_by_name).collect()
    }

    /// The cache of what is known of sources; `None` if there is none, or the compiler is not the user's.
    pub(crate) fn cache(&self) -> Option<Cache> {
        if self.0.is_given { None } else { self.tools().cache() }
    }

    /// The tools and files of the compilations; `None` if there is no compiler, or it is not the user's.
    #[must_use]
    pub fn provenance(&self, source: &KernelSource, processor: &Processor) -> Option<CompilationOrigin> {
        self.compiler(source, processor).ok()?.provenance()
    }

    /// The target in place of one that the compiler does not know; `None` if it knows the target, or there is no
    /// compiler.
    #[must_use]
    pub fn stand_in(&self, source: &KernelSource, processor: &Processor) -> Option<StandIn> {
        self.compiler(source, processor).ok()?.stand_in()
    }

    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    #[must_use]
    pub fn absent(&self, source: &KernelSource, processor: &Processor) -> Vec<AbsentHeader> {
        self.compiler(source, processor).map_or_else(|_| Vec::new(), |compiler| compiler.absent())
    }

    /// True if a back end crashed: the registers of all configurations are estimated since.
    #[must_use]
    pub fn has_crashed(&self, processor: &Processor) -> bool {
        let known = lock(&self.0.compilers).get(processor).cloned();
        known.is_some_and(|slot| matches!(slot.get(), Some(Ok(compiler)) if compiler.has_crashed()))
    }

    fn tools(&self) -> Tools {
        self.0.tools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn compiler(&self, source: &KernelSource, processor: &Processor) -> Result<Arc<dyn Compile>, AnalysisError> {
        let slot = Arc::clone(lock(&self.0.compilers).entry(processor.clone()).or_default());
        slot.get_or_init(
            || Ok(Arc::new(UserCompiler::new(source, None, processor, &self.tools())?) as Arc<dyn Compile>),
        )
        .clone()
    }
}

/// The user's compiler for a copy of a source at other places, whose outputs have the names of the source.
///
/// # Errors
/// If a tool is missing or cannot be used, or a file of the copy cannot be read.
pub fn compiler_of_copy(
    source: &KernelSource,
    places: SourcePlaces,
    processor: &Processor,
    tools: &Tools,
) -> Result<Arc<dyn Compile>, AnalysisError> {
    Ok(Arc::new(UserCompiler::new(source, Some(places), processor, tools)?))
}

fn launch(processor: &Processor, run: &SourceRun) -> SourceLaunch {
    let KnownArguments { values, fields, shared } = run.arguments.clone();
    SourceLaunch {
        sizes: run.sizes,
        groups: run.groups,
        group: run.group,
        arguments: values.into_iter().collect(),
        fields,
        shared,
        warp_size: processor.warp_size,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A poisoned lock still guards whole entries: nothing here panics between two writes.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The user's clang and, where the user has it, NVIDIA's assembler.
#[derive(Debug)]
struct UserCompiler {
    compiler: Compiler,
    ptxas: Option<Ptxas>,
    processor: Processor,
    registers: RegisterSource,
    limits: Limits,
    /// True after AMD's back end crashed.
    has_crashed: AtomicBool,
}

impl UserCompiler {
    fn new(
        source: &KernelSource,
        copy: Option<SourcePlaces>,
        processor: &Processor,
        tools: &Tools,
    ) -> Result<Self, AnalysisError> {
        let limits = tools.limits();
        let clang = Clang::find(tools.clang.as_deref(), &limits)?;
        let target = processor.target.clone();
        let (source, cache) = (source.clone(), tools.cache());
        let compiler = match copy {
            Some(places) => Compiler::with_places(clang, source, places, target, cache, limits.clone())?,
            None => Compiler::new(clang, source, target, cache, limits.clone())?,
        };
        let of_target = match processor.target {
            Target::Amd(_) => RegisterSource::Amd,
            Target::Nvidia(_) | Target::Portable => RegisterSource::Estimate,
        };
        let registers = tools.registers.unwrap_or(of_target);
        let is_nvidia = matches!(processor.target, Target::Nvidia(_));
        let asks_ptxas = is_nvidia && !tools.no_ptxas;
        let ptxas = asks_ptxas.then(|| Ptxas::find(tools.ptxas.as_deref())).flatten();
        match (registers, &processor.target, &ptxas) {
            (RegisterSource::Ptxas, _, None) => {
                return Err(AnalysisError::NoPtxas { wanted: tools.ptxas.clone(), is_nvidia });
            }
            (RegisterSource::Amd, Target::Nvidia(_) | Target::Portable, _) => return Err(AnalysisError::NotAmd),
            _ => {}
        }
        let has_crashed = AtomicBool::new(false);
        Ok(Self { compiler, ptxas, processor: processor.clone(), registers, limits, has_crashed })
    }

    /// The key of a compilation and of the tools that say its registers.
    fn keyed(&self, compiled: &Key) -> String {
        let registers = format!("{:?} {:?}", self.registers, self.ptxas.as_ref().map(Ptxas::identity));
        let estimated = if self.has_crashed() { "crashed" } else { "" };
        Key::of([compiled.text(), &registers, estimated]).text().to_owned()
    }

    /// What NVIDIA's assembler says of a kernel: it refuses what cannot run.
    fn assembled(&self, ptxas: &Ptxas, macros: &Macros, kernel: &str) -> Result<Registers, AnalysisError> {
        let Target::Nvidia(capability) = self.processor.target else { return Err(AnalysisError::NotAmd) };
        let text = self.compiler.assembly(macros)?;
        let limit = self.processor.register_limit;
        ptxas
            .registers(&text, kernel, capability, limit, &self.limits)
            .map_err(|why| AnalysisError::Ptxas(Arc::new(why), macros.shown()))
    }
}

impl Compile for UserCompiler {
    fn key(&self, macros: &Macros) -> String {
        self.keyed(&self.compiler.key(macros))
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let compiled = self.compiler.compile(macros)?;
        Ok((self.keyed(&compiled.key), compiled.text))
    }

    fn prepare(&self, configurations: &[Macros]) {
        self.compiler.prepare(configurations);
        let asks_back_end = self.registers == RegisterSource::Amd || self.ptxas.is_some();
        if asks_back_end && !self.has_crashed() {
            self.compiler.prepare_assembly(configurations);
        }
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        if self.has_crashed() {
            return Ok(None);
        }
        if self.registers == RegisterSource::Amd {
            let registers = match self.compiler.assembly(macros) {
                Ok(assembly) => amd_registers(&assembly, kernel),
                // The lowering says so in its own words.
                Err(why) if why.is_of_local_memory() => return Ok(None),
                Err(why) if !why.is_crash() => return Err(why.into()),
                Err(_) => None,
            };
            self.has_crashed.fetch_or(registers.is_none(), Ordering::Relaxed);
            return Ok(registers);
        }
        let Some(ptxas) = &self.ptxas else { return Ok(None) };
        let assembled = self.assembled(ptxas, macros, kernel)?;
        Ok((self.registers == RegisterSource::Ptxas).then_some(assembled))
    }

    fn has_crashed(&self) -> bool {
        self.has_crashed.load(Ordering::Relaxed)
    }

    fn stand_in(&self) -> Option<StandIn> {
        self.compiler.stand_in().cloned()
    }

    fn absent(&self) -> Vec<AbsentHeader> {
        self.compiler.absent().to_vec()
    }

    fn provenance(&self) -> Option<CompilationOrigin> {
        Some(CompilationOrigin {
            clang: self.compiler.clang().says.clone(),
            ptxas: self.ptxas.as_ref().map(|ptxas| ptxas.version(&self.limits)),
            registers: self.registers,
            places: self.compiler.places().clone(),
            included: self.compiler.included(),
        })
    }
}

/// Values by their keys, the latest ones.
#[derive(Debug)]
struct Remembered<K, V>(RwLock<HashMap<K, V>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    fn get(&self, key: &K) -> Option<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// The value of a key, computed unless it is known.
    fn get_or<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(known) = self.get(&key) {
            return Ok(known);
        }
        let value = compute()?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, value.clone());
        Ok(value)
    }
}
