//! The user's compilers of a run's sources, one for each source and target.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::compile::{Clang, Compiler, KernelSource, Target};
use super::super::error::AnalysisError;
use super::tools::Tools;
use crate::files::cache::Cache;

/// The user's cache, and the requested compilers.
#[derive(Debug, Default)]
pub(super) struct UserCompilers {
    cache: OnceLock<Option<Cache>>,
    slots: Mutex<Vec<Arc<Slot>>>,
}

/// The place of a compiler; failures are not kept here.
#[derive(Debug)]
struct Slot {
    source: KernelSource,
    target: Target,
    compiler: Mutex<Option<Arc<Compiler>>>,
}

impl UserCompilers {
    /// The user's cache; `None` if the tools do not use it, or it cannot be trusted.
    pub(super) fn cache(&self, tools: &Tools) -> Option<Cache> {
        self.cache.get_or_init(|| tools.cache()).clone()
    }

    /// The compiler of a source for a target, made when it is first asked for.
    pub(super) fn compiler(
        &self,
        source: &KernelSource,
        target: &Target,
        tools: &Tools,
    ) -> Result<Arc<Compiler>, AnalysisError> {
        let slot = self.slot(source, target);
        let mut compiler = slot.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*compiler {
            return Ok(Arc::clone(known));
        }
        let limits = tools.limits();
        let cache = self.cache(tools);
        let clang = Clang::find(tools.clang.as_deref(), &limits, cache.as_ref())?;
        let made = Arc::new(Compiler::new(clang, source.clone(), target.clone(), cache, limits)?);
        *compiler = Some(Arc::clone(&made));
        Ok(made)
    }

    fn slot(&self, source: &KernelSource, target: &Target) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = slots.iter().find(|slot| slot.source == *source && slot.target == *target) {
            return Arc::clone(known);
        }
        let compiler = Mutex::default();
        let slot = Arc::new(Slot { source: source.clone(), target: target.clone(), compiler });
        slots.push(Arc::clone(&slot));
        slot
    }
}
