//! The back ends that say the registers of a source's kernels, as a user chooses them.

use std::sync::Arc;

use super::super::compile::{Macros, Target};
use super::super::error::AnalysisError;
use super::super::registers::{Ptxas, RegisterSource, Registers};
use super::super::run::Processor;
use super::tools::Tools;
use autotune_base::files::cache::Key;
use autotune_base::files::checksum::sha256_of;
use autotune_base::limits::Limits;

/// The back ends that say the registers of kernels on one processor.
#[derive(Debug)]
pub(super) struct BackEnds {
    /// The origin of the numbers of registers.
    pub(super) registers: RegisterSource,
    /// NVIDIA's assembler; `None` if it is not asked.
    assembler: Option<Assembler>,
    limits: Limits,
}

/// NVIDIA's assembler for a processor.
#[derive(Debug)]
struct Assembler {
    ptxas: Ptxas,
    capability: u32,
    /// The most registers of a work item.
    limit: u32,
}

impl BackEnds {
    /// The back ends that the tools choose for a processor. If `checks` is true, NVIDIA's assembler is asked wherever it is
    /// there, else only where its registers are wanted.
    ///
    /// # Errors
    /// If the back end whose registers are wanted is absent, or is not one for this processor.
    pub(super) fn new(processor: &Processor, tools: &Tools, checks: bool) -> Result<Self, AnalysisError> {
        let usual = match processor.target {
            Target::Amd(_) => RegisterSource::Amd,
            Target::Nvidia(_) | Target::Portable => RegisterSource::Estimate,
        };
        let registers = tools.registers.unwrap_or(usual);
        let is_asked = !tools.no_ptxas && (checks || registers == RegisterSource::Ptxas);
        let find = || Ptxas::find(tools.ptxas.as_deref());
        let assembler = match processor.target {
            Target::Nvidia(capability) if is_asked => {
                find().map(|ptxas| Assembler { ptxas, capability, limit: processor.register_limit })
            }
            _ => None,
        };
        match (registers, &processor.target) {
            (RegisterSource::Ptxas, target) if assembler.is_none() => {
                let is_nvidia = matches!(target, Target::Nvidia(_));
                Err(AnalysisError::NoPtxas { wanted: tools.ptxas.clone(), is_nvidia })
            }
            (RegisterSource::Amd, Target::Nvidia(_) | Target::Portable) => Err(AnalysisError::NotAmd),
            _ => Ok(Self { registers, assembler, limits: tools.limits() }),
        }
    }

    /// The limits of a step.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// True if a back end has to make the target's own text of each configuration.
    pub(super) fn need_assembly(&self) -> bool {
        self.registers == RegisterSource::Amd || self.assembler.is_some()
    }

    /// True if NVIDIA's assembler is asked.
    pub(super) fn assemble(&self) -> bool {
        self.assembler.is_some()
    }

    /// The key of a compilation, of the back ends that say its registers, and of a note.
    pub(super) fn keyed(&self, compiled: &Key, note: Option<&str>) -> String {
        let ptxas = self.assembler.as_ref().map(|assembler| assembler.ptxas.identity());
        let registers = sha256_of(&(self.registers, ptxas));
        Key::of([compiled.text(), &registers].into_iter().chain(note)).text().to_owned()
    }

    /// The registers of a kernel by NVIDIA's assembler; `None` if it is not asked.
    ///
    /// # Errors
    /// If there is no text to assemble, or the assembler refuses it or is stopped.
    pub(super) fn assembled(
        &self,
        text: impl FnOnce() -> Result<String, AnalysisError>,
        macros: &Macros,
        kernel: &str,
    ) -> Result<Option<Registers>, AnalysisError> {
        let Some(Assembler { ptxas, capability, limit }) = &self.assembler else { return Ok(None) };
        let assembled = ptxas.registers(&text()?, kernel, *capability, *limit, &self.limits);
        assembled.map(Some).map_err(|why| AnalysisError::Ptxas(Arc::new(why), macros.shown()))
    }

    /// The version of NVIDIA's assembler; `None` if it is not asked.
    pub(super) fn ptxas(&self) -> Option<String> {
        self.assembler.as_ref().map(|assembler| assembler.ptxas.version(&self.limits))
    }
}
