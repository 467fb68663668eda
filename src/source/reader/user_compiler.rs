//! The user's compiler of a source, and the back ends that know its registers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::compile::{
    AbsentHeader, Clang, Compiler, KernelSource, Language, Macros, SourcePlaces, StandIn, Target,
};
use super::super::error::AnalysisError;
use super::super::registers::{Ptxas, RegisterSource, Registers, amd_registers};
use super::super::run::Processor;
use super::compiling::{CompilationOrigin, Compile};
use super::tools::Tools;
use super::user_triton::UserTriton;
use crate::files::cache::Key;
use crate::limits::Limits;

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
    let (limits, target) = (tools.limits(), processor.target.clone());
    let cache = tools.cache();
    if source.language == Language::Triton {
        return Ok(Arc::new(UserTriton::new(source.clone(), places, processor, tools, cache)?));
    }
    let clang = Clang::find(tools.clang.as_deref(), &limits, cache.as_ref())?;
    let compiler = Compiler::with_places(clang, source.clone(), places, target, cache, limits)?;
    Ok(Arc::new(UserCompiler::new(Arc::new(compiler), processor, tools)?))
}

/// The user's clang and, where the user has it, NVIDIA's assembler.
#[derive(Debug)]
pub(super) struct UserCompiler {
    compiler: Arc<Compiler>,
    ptxas: Option<Ptxas>,
    processor: Processor,
    registers: RegisterSource,
    limits: Limits,
    /// True after AMD's back end crashed.
    has_crashed: AtomicBool,
}

impl UserCompiler {
    /// The compiler of a source with the back ends that the tools choose for a processor.
    pub(super) fn new(compiler: Arc<Compiler>, processor: &Processor, tools: &Tools) -> Result<Self, AnalysisError> {
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
        let (processor, limits) = (processor.clone(), tools.limits());
        Ok(Self { compiler, ptxas, processor, registers, limits, has_crashed })
    }

    /// The key of a compilation and of the tools that say its registers.
    fn keyed(&self, compiled: &Key) -> String {
        let registers = format!("{:?} {:?}", self.registers, self.ptxas.as_ref().map(Ptxas::identity));
        let estimated = if self.has_crashed() { "crashed" } else { "" };
        Key::of([compiled.text(), &registers, estimated]).text().to_owned()
    }

    /// The registers of a kernel by NVIDIA's assembler, which refuses what cannot run.
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
            compiler: self.compiler.clang().says.clone(),
            ptxas: self.ptxas.as_ref().map(|ptxas| ptxas.version(&self.limits)),
            registers: self.registers,
            places: self.compiler.places().clone(),
            included: self.compiler.included(),
        })
    }
}
