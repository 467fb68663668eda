//! The user's Triton as the compiler of a source, and what is known of registers from the texts of its back ends.

use std::sync::Arc;

use super::super::compile::{KernelSource, Macros, SourcePlaces};
use super::super::error::AnalysisError;
use super::super::registers::{RegisterSource, Registers, amd_registers, ptx_registers};
use super::super::run::Processor;
use super::super::triton::{TritonCompiler, TritonError, TritonTarget, UserPython};
use super::back_ends::BackEnds;
use super::compiling::{CompilationOrigin, Compile};
use super::tools::Tools;
use autotune_base::files::cache::Cache;
use autotune_base::limits::Allowance;
use autotune_base::limits::watch::watched;

/// The processor as Triton names it, for a source that may be executed: Triton's compilation executes it.
///
/// # Errors
/// If nobody has allowed to run the source, or Triton does not compile for the processor.
pub(super) fn trusted_target(processor: &Processor, tools: &Tools) -> Result<TritonTarget, AnalysisError> {
    if !tools.trusts_python {
        return Err(TritonError::Untrusted.into());
    }
    Ok(TritonTarget::new(&processor.target, processor.warp_size)?)
}

/// The user's Triton for a source at its places.
///
/// # Errors
/// If a tool is missing, or the source cannot be read.
pub(super) fn triton_compiler(
    source: KernelSource,
    places: SourcePlaces,
    target: TritonTarget,
    tools: &Tools,
    cache: Option<Cache>,
) -> Result<TritonCompiler, AnalysisError> {
    let python = UserPython::find(tools.python.as_deref())?;
    Ok(TritonCompiler::new(python, source, places, target, cache, tools.shared_limits())?)
}

/// The user's Triton with the back ends that the tools choose.
#[derive(Debug)]
pub(super) struct UserTriton {
    compiler: Arc<TritonCompiler>,
    back_ends: BackEnds,
}

impl UserTriton {
    /// The compiler of a source with the back ends that the tools choose for a processor.
    ///
    /// # Errors
    /// If a back end is missing, or is not one for this processor.
    pub(super) fn new(
        compiler: Arc<TritonCompiler>,
        processor: &Processor,
        tools: &Tools,
    ) -> Result<Self, AnalysisError> {
        Ok(Self { compiler, back_ends: BackEnds::new(processor, tools, false)? })
    }
}

impl Compile for UserTriton {
    fn key(&self, macros: &Macros) -> String {
        self.back_ends.keyed(&self.compiler.key(macros), None)
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let emitted = self.compiler.compile(macros)?;
        Ok((self.key(macros), emitted.text))
    }

    fn prepare(&self, configurations: &[Macros]) {
        self.compiler.prepare(configurations);
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        let assembly = self.compiler.assembly(macros)?;
        match self.compiler.target() {
            TritonTarget::Amd(..) if self.back_ends.registers == RegisterSource::Amd => {
                Ok(amd_registers(&assembly, kernel))
            }
            TritonTarget::Amd(..) => Ok(None),
            TritonTarget::Nvidia(_) => {
                let estimate = watched(self.back_ends.limits(), Allowance::OF_ANALYSIS, || ptx_registers(&assembly))?;
                let assembled = self.back_ends.assembled(|| Ok(assembly), macros, kernel)?;
                Ok(Some(assembled.unwrap_or(estimate)))
            }
        }
    }

    fn provenance(&self) -> Option<CompilationOrigin> {
        Some(CompilationOrigin {
            compiler: self.compiler.says(),
            ptxas: self.back_ends.ptxas(),
            registers: self.back_ends.registers,
            places: self.compiler.places().clone(),
            included: self.compiler.imported().to_vec(),
        })
    }
}
