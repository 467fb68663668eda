//! The kernel's source of a spec, compiled and executed for a configuration.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use super::launch::Geometry;
use super::stop::Stop;
use super::traced::TracedKernel;
use crate::source::{AnalysisError, Argument, Assumptions, Kernel, Launch, Maker, Shape};
use crate::spec::{Assumed, KernelSource, KnownArgument, Scope, Spec};

/// The most executions and compilations that are kept; further ones are done anew each time.
const MOST: usize = 1 << 12;

/// A compiler of kernels.
pub trait Compile: fmt::Debug + Send + Sync {
    /// The compiler's output for macros, by name and value.
    ///
    /// # Errors
    /// The reason for which the source cannot be compiled.
    fn compile(&self, macros: &[(String, String)]) -> Result<Arc<str>, AnalysisError>;
}

/// A spec's source on one GPU. Threads may share it.
#[derive(Debug)]
pub(super) struct Analysis<'a> {
    source: &'a KernelSource,
    compiler: Arc<dyn Compile>,
    maker: Maker,
    warp_size: u32,
    kernels: Remembered<Arc<str>, Arc<Kernel>>,
    traces: Remembered<(Arc<str>, Run), Arc<TracedKernel>>,
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
    pub(super) fn new(source: &'a KernelSource, compiler: Arc<dyn Compile>, maker: Maker, warp_size: u64) -> Self {
        let warp_size = u32::try_from(warp_size).unwrap_or(32);
        Self { source, compiler, maker, warp_size, kernels: Remembered::default(), traces: Remembered::default() }
    }

    /// What the middle work group of a configuration executes.
    pub(super) fn traced(&self, spec: &Spec, scope: &Scope, geometry: &Geometry) -> Result<Arc<TracedKernel>, Stop> {
        let failed = |why: AnalysisError| Stop::Source(self.source.place, Box::new(why));
        let text = self.compiler.compile(&self.macros(spec, scope)).map_err(failed)?;
        let kernel = self.kernels.get_or(text.clone(), |text| {
            Kernel::read(text, self.source.kernel.as_deref(), self.maker).map(Arc::new).map_err(failed)
        })?;
        let run = Run {
            dims: geometry.dims,
            grid: geometry.grid,
            arguments: self.arguments(&kernel, scope)?,
            trips: self.trips(scope)?,
        };
        self.traces.get_or((text, run), |(_, run)| {
            let sizes = run.dims.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
            let launch = Launch {
                sizes,
                groups: run.grid,
                group: run.grid.map(|groups| groups / 2),
                arguments: run.arguments.iter().copied().collect(),
                warp_size: self.warp_size,
            };
            let executed = kernel.execute(&launch, &self.assumptions(&run.trips)).map_err(failed)?;
            Ok(Arc::new(TracedKernel { kernel: Arc::clone(&kernel), executed, shape: Shape::new(sizes) }))
        })
    }

    /// The macros of a configuration: parameters, problem sizes and those of the spec.
    fn macros(&self, spec: &Spec, scope: &Scope) -> Vec<(String, String)> {
        let sizes = spec.problem.iter().map(|(name, _)| name.as_str());
        let names = sizes.chain(spec.parameters.iter().map(|parameter| parameter.name.as_str()));
        let known = names.filter_map(|name| Some((name.to_owned(), scope.value(name)?.to_string())));
        let mut macros: Vec<(String, String)> = known.collect();
        macros.push(("kernel_tuner".to_owned(), "1".to_owned()));
        macros.extend(self.source.define.iter().cloned());
        macros
    }

    /// The arguments that the spec gives, by the position of their parameter.
    fn arguments(&self, kernel: &Kernel, scope: &Scope) -> Result<Vec<(usize, Argument)>, Stop> {
        let parameters = &kernel.module.kernel.parameters;
        let mut arguments = BTreeMap::new();
        for (name, given) in &self.source.arguments {
            let position = parameters.iter().position(|parameter| *parameter.name == **name);
            let Some(position) = position.or_else(|| name.parse().ok().filter(|at| *at < parameters.len())) else {
                let known = parameters.iter().map(|parameter| parameter.name.to_string()).collect();
                let why = AnalysisError::NoArgument { name: name.clone(), known };
                return Err(Stop::Source(self.source.place, Box::new(why)));
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
        let trips = self.source.assume.iter().filter_map(|one| match &one.assumed {
            Assumed::Trips(count) => Some((one.line, count)),
            _ => None,
        });
        trips.map(|(line, count)| Ok((line, count.count(scope)?.unsigned_abs()))).collect()
    }

    fn assumptions(&self, trips: &[(u32, u64)]) -> Assumptions {
        let assume = || self.source.assume.iter();
        Assumptions {
            trips: trips.iter().copied().collect(),
            taken: assume().filter_map(|one| if let Assumed::Taken(share) = one.assumed { Some((one.line, share)) } else { None }).collect(),
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
    /// The value of a key, computed unless it is known.
    fn get_or(&self, key: K, compute: impl FnOnce(&K) -> Result<V, Stop>) -> Result<V, Stop> {
        // A poisoned lock still guards whole entries: nothing here panics between two writes.
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let value = compute(&key)?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.insert(key, value.clone());
        }
        Ok(value)
    }
}
