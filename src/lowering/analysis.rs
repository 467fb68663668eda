//! The kernel's source of a spec, compiled and executed for a configuration.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use super::launch::Geometry;
use super::stop::Stop;
use super::traced::TracedKernel;
use crate::files::cache::Cache;
use crate::gpu::{Profile, Vendor};
use crate::limits::Limits;
use crate::source::{
    AnalysisError, Architecture, Argument, Assumptions, Clang, Compiler, Kernel, Launch, Macros, Maker, Registers,
    Shape, Target, amd_registers,
};
use crate::spec::{Assumed, AssumedAddress, KnownArgument, Scope, Spec, StatedSource};

/// The most executions and compilations that are kept; further ones are done anew each time.
const MOST: usize = 1 << 12;

/// A compiler of one source.
pub trait Compile: fmt::Debug + Send + Sync {
    /// The key of a configuration: those with equal keys have equal outputs.
    fn key(&self, macros: &Macros) -> String;

    /// The compiler's output for a configuration, and its key.
    ///
    /// # Errors
    /// The reason for which the source cannot be compiled.
    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError>;

    /// The registers of a kernel, as a back end assigns them; `None` if no back end knows them.
    fn registers(&self, macros: &Macros, kernel: &str) -> Option<Registers>;
}

impl Compile for Compiler {
    fn key(&self, macros: &Macros) -> String {
        self.key(macros).text().to_owned()
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let compiled = self.compile(macros)?;
        Ok((compiled.key.text().to_owned(), compiled.text))
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Option<Registers> {
        let assembly = self.is_for_amd().then(|| self.assembly(macros).ok())??;
        amd_registers(&assembly, kernel)
    }
}

/// A spec's source on one GPU. Threads may share it.
#[derive(Debug)]
pub(super) struct Analysis<'a> {
    stated: &'a StatedSource,
    /// The compiler, or the reason why there is none.
    compiler: Result<Arc<dyn Compile>, AnalysisError>,
    maker: Maker,
    warp_size: u32,
    kernels: Remembered<String, Arc<Kernel>>,
    traces: Remembered<(String, Run), Arc<TracedKernel>>,
}

/// What an execution depends on beside the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Run {
    dims: [u64; 3],
    grid: [u64; 3],
    arguments: Vec<(usize, Argument)>,
    trips: Vec<(u32, u64)>,
}

impl<'a> Analysis<'a> {
    /// The analysis of a source by the user's compiler.
    pub(super) fn new(stated: &'a StatedSource, profile: &Profile) -> Self {
        let target = target(profile);
        let clang = Clang::find(None, &Limits::default());
        let compiler = clang
            .and_then(|clang| Compiler::new(clang, stated.source.clone(), target, Cache::of_user(), Limits::default()));
        let compiler = compiler.map(|compiler| Arc::new(compiler) as Arc<dyn Compile>);
        Self::with(stated, compiler.map_err(AnalysisError::from), profile)
    }

    /// The analysis of a source by another compiler.
    pub(super) fn with(
        stated: &'a StatedSource,
        compiler: Result<Arc<dyn Compile>, AnalysisError>,
        profile: &Profile,
    ) -> Self {
        let (maker, warp_size) = match profile {
            Profile::Lockstep(gpu) => (Maker::Other, gpu.warp_size()),
            Profile::Pipelined(gpu) if gpu.vendor == Vendor::Nvidia => (Maker::Nvidia, gpu.warp_size),
            Profile::Pipelined(gpu) => (Maker::Other, gpu.warp_size),
        };
        let warp_size = u32::try_from(warp_size).unwrap_or(u32::MAX);
        Self { stated, compiler, maker, warp_size, kernels: Remembered::default(), traces: Remembered::default() }
    }

    /// What the middle work group of a configuration executes.
    pub(super) fn traced(&self, spec: &Spec, scope: &Scope, geometry: &Geometry) -> Result<Arc<TracedKernel>, Stop> {
        let failed = |why: AnalysisError| Stop::Source(self.stated.place, Box::new(why));
        let (key, kernel) = self.kernel(&self.macros(spec, scope).map_err(failed)?).map_err(failed)?;
        let run = Run {
            dims: geometry.dims,
            grid: geometry.grid,
            arguments: self.arguments(&kernel, scope)?,
            trips: self.trips(scope)?,
        };
        self.traces.get_or((key, run), |(_, run)| {
            let sizes = run.dims.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
            let launch = Launch {
                sizes,
                groups: run.grid,
                // The last group of an axis may have work items without work.
                group: run.grid.map(|groups| groups.saturating_sub(1) / 2),
                arguments: run.arguments.iter().copied().collect(),
                warp_size: self.warp_size,
            };
            let executed = kernel.execute(&launch, &self.assumptions(&run.trips)).map_err(failed)?;
            let (kernel, shape) = (Arc::clone(&kernel), Shape::new(sizes));
            Ok(Arc::new(TracedKernel { kernel, executed, shape, addresses: self.addresses() }))
        })
    }

    /// The kernel of a configuration and its key.
    fn kernel(&self, macros: &Macros) -> Result<(String, Arc<Kernel>), AnalysisError> {
        let compiler = self.compiler.as_ref().map_err(Clone::clone)?;
        let key = compiler.key(macros);
        if let Some(known) = self.kernels.get(&key) {
            return Ok((key, known));
        }
        let (key, text) = compiler.compile(macros)?;
        let name = self.stated.source.kernel.as_deref();
        let kernel = self.kernels.get_or(key.clone(), |_| {
            let mut kernel = Kernel::read(&text, name, self.maker)?;
            if let Some(registers) = compiler.registers(macros, &kernel.module.kernel.name) {
                kernel.registers = registers;
            }
            Ok::<_, AnalysisError>(Arc::new(kernel))
        })?;
        Ok((key, kernel))
    }

    /// The macros of a configuration: parameters, problem sizes and those of the spec.
    fn macros(&self, spec: &Spec, scope: &Scope) -> Result<Macros, AnalysisError> {
        let mut macros = Macros::default();
        for parameter in &spec.parameters {
            macros.parameter(&parameter.name, scope.value(&parameter.name).unwrap_or_default())?;
        }
        for (name, value) in &spec.problem {
            macros.define(name, &value.to_string())?;
        }
        for (name, value) in &self.stated.define {
            macros.define(name, value)?;
        }
        Ok(macros)
    }

    /// The arguments that the spec gives, by the position of their parameter.
    fn arguments(&self, kernel: &Kernel, scope: &Scope) -> Result<Vec<(usize, Argument)>, Stop> {
        let parameters = &kernel.module.kernel.parameters;
        let mut arguments = BTreeMap::new();
        for (name, given) in &self.stated.arguments {
            let position = parameters.iter().position(|parameter| *parameter.name == **name);
            let Some(position) = position.or_else(|| name.parse().ok().filter(|at| *at < parameters.len())) else {
                let known = parameters.iter().map(|parameter| parameter.name.to_string()).collect();
                let why = AnalysisError::NoArgument { name: name.clone(), known };
                return Err(Stop::Source(self.stated.place, Box::new(why)));
            };
            let value = match given {
                KnownArgument::Integer(expression) => Argument::Integer(expression.evaluate(scope)?),
                KnownArgument::Local(bytes) => Argument::Local(bytes.count(scope)?.unsigned_abs()),
            };
            arguments.insert(position, value);
        }
        // A problem size is the argument of its name.
        for (position, parameter) in parameters.iter().enumerate().filter(|(_, one)| one.of.bits().is_some()) {
            let is_pointer = matches!(parameter.of, crate::source::Type::Pointer(_));
            if let Some(value) = scope.value(&parameter.name).filter(|_| !is_pointer) {
                arguments.entry(position).or_insert(Argument::Integer(value));
            }
        }
        Ok(arguments.into_iter().collect())
    }

    fn trips(&self, scope: &Scope) -> Result<Vec<(u32, u64)>, Stop> {
        let trips = self.stated.assume.iter().filter_map(|one| match &one.assumed {
            Assumed::Trips(count) => Some((one.line, count)),
            _ => None,
        });
        trips.map(|(line, count)| Ok((line, count.count(scope)?.unsigned_abs()))).collect()
    }

    fn addresses(&self) -> BTreeMap<u32, AssumedAddress> {
        let assumed = self.stated.assume.iter().filter_map(|one| match one.assumed {
            Assumed::Address(addresses) => Some((one.line, addresses)),
            _ => None,
        });
        assumed.collect()
    }

    fn assumptions(&self, trips: &[(u32, u64)]) -> Assumptions {
        let assume = || self.stated.assume.iter();
        Assumptions {
            trips: trips.iter().copied().collect(),
            taken: assume()
                .filter_map(|one| if let Assumed::Taken(share) = one.assumed { Some((one.line, share)) } else { None })
                .collect(),
            zeros: assume().filter(|one| one.assumed == Assumed::Zero).map(|one| one.line).collect(),
        }
    }
}

/// Values by their keys, computed once.
#[derive(Debug)]
struct Remembered<K, V>(RwLock<HashMap<K, V>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    // A poisoned lock still guards whole entries: nothing here panics between two writes.
    fn get(&self, key: &K) -> Option<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// The value of a key, computed unless it is known.
    fn get_or<E>(&self, key: K, compute: impl FnOnce(&K) -> Result<V, E>) -> Result<V, E> {
        if let Some(known) = self.get(&key) {
            return Ok(known);
        }
        let value = compute(&key)?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.insert(key, value.clone());
        }
        Ok(value)
    }
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
