//! The user's Triton, and what is known of registers from the texts of its back ends.

use std::sync::Arc;

use super::super::compile::{KernelSource, Macros, SourcePlaces};
use super::super::error::AnalysisError;
use super::super::registers::{Ptxas, RegisterSource, Registers, amd_registers, ptx_registers};
use super::super::run::Processor;
use super::super::triton::{TritonCompiler, TritonError, TritonTarget, UserPython};
use super::compiling::{CompilationOrigin, Compile};
use super::tools::Tools;
use crate::files::cache::{Cache, Key};
use crate::limits::Limits;

/// The user's Triton with the back ends that the tools choose.
#[derive(Debug)]
pub(super) struct UserTriton {
    compiler: TritonCompiler,
    target: TritonTarget,
    processor: Processor,
    registers: RegisterSource,
    ptxas: Option<Ptxas>,
    limits: Limits,
}

impl UserTriton {
    /// The compiler of a source at its places.
    ///
    /// # Errors
    /// If nobody has allowed to run the source, or a tool is missing.
    pub(super) fn new(
        source: KernelSource,
        places: SourcePlaces,
        processor: &Processor,
        tools: &Tools,
        cache: Option<Cache>,
    ) -> Result<Self, AnalysisError> {
        if !tools.trusts_python {
            return Err(TritonError::Untrusted.into());
        }
        let target = TritonTarget::new(&processor.target, processor.warp_size)?;
        let python = UserPython::find(tools.python.as_deref())?;
        let is_nvidia = matches!(target, TritonTarget::Nvidia(_));
        let usual = if is_nvidia { RegisterSource::Estimate } else { RegisterSource::Amd };
        let registers = tools.registers.unwrap_or(usual);
        let ptxas = (registers == RegisterSource::Ptxas).then(|| Ptxas::find(tools.ptxas.as_deref())).flatten();
        match (registers, is_nvidia) {
            (RegisterSource::Ptxas, _) if ptxas.is_none() => {
                return Err(AnalysisError::NoPtxas { wanted: tools.ptxas.clone(), is_nvidia });
            }
            (RegisterSource::Amd, true) => return Err(AnalysisError::NotAmd),
            _ => {}
        }
        let limits = tools.limits();
        let compiler = TritonCompiler::new(python, source, places, target.clone(), cache, limits.clone())?;
        Ok(Self { compiler, target, processor: processor.clone(), registers, ptxas, limits })
    }

    /// The key of a compilation and of the tool that says its registers.
    fn keyed(&self, compiled: &Key) -> String {
        let registers = format!("{:?} {:?}", self.registers, self.ptxas.as_ref().map(Ptxas::identity));
        Key::of([compiled.text(), &registers]).text().to_owned()
    }
}

impl Compile for UserTriton {
    fn key(&self, macros: &Macros) -> String {
        self.keyed(&self.compiler.key(macros))
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let emitted = self.compiler.compile(macros)?;
        Ok((self.key(macros), emitted.text))
    }

    fn prepare(&self, configurations: &[Macros]) {
        self.compiler.prepare(configurations);
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        let assembly = self.compiler.compile(macros)?.assembly;
        match (&self.target, &self.ptxas) {
            (TritonTarget::Amd(..), _) if self.registers == RegisterSource::Amd => Ok(amd_registers(&assembly, kernel)),
            (TritonTarget::Amd(..), _) => Ok(None),
            (TritonTarget::Nvidia(_), None) => Ok(Some(ptx_registers(&assembly))),
            (TritonTarget::Nvidia(capability), Some(ptxas)) => {
                let limit = self.processor.register_limit;
                let assembled = ptxas.registers(&assembly, kernel, *capability, limit, &self.limits);
                assembled.map(Some).map_err(|why| AnalysisError::Ptxas(Arc::new(why), macros.shown()))
            }
        }
    }

    fn provenance(&self) -> Option<CompilationOrigin> {
        Some(CompilationOrigin {
            compiler: self.compiler.says(),
            ptxas: self.ptxas.as_ref().map(|ptxas| ptxas.version(&self.limits)),
            registers: self.registers,
            places: self.compiler.places().clone(),
            included: self.compiler.imported().to_vec(),
        })
    }
}
