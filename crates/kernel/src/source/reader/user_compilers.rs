//! The user's compilers of a run's sources, one for each source and target.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::compile::{Clang, Compiler, KernelSource, SourcePlaces, Target};
use super::super::error::AnalysisError;
use super::super::triton::{TritonCompiler, TritonTarget};
use super::tools::Tools;
use super::user_triton::triton_compiler;
use autotune_base::files::cache::Cache;

/// The user's cache, and the requested compilers.
#[derive(Debug, Default)]
pub(super) struct UserCompilers {
    cache: OnceLock<Option<Cache>>,
    /// Held by the thread that asks clang about itself.
    asks: Mutex<()>,
    clang: Slots<Target, Compiler>,
    triton: Slots<TritonTarget, TritonCompiler>,
}

impl UserCompilers {
    /// The user's cache; `None` if the tools do not use it, or it cannot be trusted.
    pub(super) fn cache(&self, tools: &Tools) -> Option<Cache> {
        self.cache.get_or_init(|| tools.cache()).clone()
    }

    /// The user's clang for a source and a target, found when it is first asked for.
    pub(super) fn clang(
        &self,
        source: &KernelSource,
        target: &Target,
        tools: &Tools,
    ) -> Result<Arc<Compiler>, AnalysisError> {
        self.clang.get_or(source, target, || {
            let limits = tools.shared_limits();
            let cache = self.cache(tools);
            // What one thread asks the compiler about itself, the next one finds in the cache.
            let asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
            let clang = Clang::find(tools.clang.as_deref(), &limits, cache.as_ref())?;
            drop(asks);
            Ok(Compiler::new(clang, source.clone(), target.clone(), cache, limits)?)
        })
    }

    /// The user's Triton for a source and a target, found when it is first asked for.
    pub(super) fn triton(
        &self,
        source: &KernelSource,
        target: &TritonTarget,
        tools: &Tools,
    ) -> Result<Arc<TritonCompiler>, AnalysisError> {
        self.triton.get_or(source, target, || {
            let places = SourcePlaces::of_source(source)?;
            triton_compiler(source.clone(), places, target.clone(), tools, self.cache(tools))
        })
    }
}

/// The compilers of one kind.
#[derive(Debug)]
struct Slots<T, C>(Mutex<Vec<Arc<Slot<T, C>>>>);

/// The place of a compiler; failures are not kept here.
#[derive(Debug)]
struct Slot<T, C> {
    source: KernelSource,
    target: T,
    compiler: Mutex<Option<Arc<C>>>,
}

impl<T, C> Default for Slots<T, C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone + PartialEq, C> Slots<T, C> {
    /// The compiler of a source for a target, made unless it is known.
    fn get_or(
        &self,
        source: &KernelSource,
        target: &T,
        make: impl FnOnce() -> Result<C, AnalysisError>,
    ) -> Result<Arc<C>, AnalysisError> {
        let slot = self.slot(source, target);
        let mut known = slot.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiler) = &*known {
            return Ok(Arc::clone(compiler));
        }
        let compiler = Arc::new(make()?);
        *known = Some(Arc::clone(&compiler));
        Ok(compiler)
    }

    fn slot(&self, source: &KernelSource, target: &T) -> Arc<Slot<T, C>> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = slots.iter().find(|slot| slot.source == *source && slot.target == *target) {
            return Arc::clone(known);
        }
        let compiler = Mutex::default();
        let slot = Arc::new(Slot { source: source.clone(), target: target.clone(), compiler });
        slots.push(Arc::clone(&slot));
        slot
    }
}
