//! The user's clang as the compiler of a source, and the back ends that know its registers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::compile::{AbsentHeader, Clang, Compiler, KernelSource, Language, Macros, SourcePlaces, StandIn};
use super::super::error::AnalysisError;
use super::super::registers::{RegisterSource, Registers, amd_registers};
use super::super::run::Processor;
use super::back_ends::BackEnds;
use super::compiling::{CompilationOrigin, Compile};
use super::tools::Tools;
use super::user_triton::{UserTriton, triton_compiler, trusted_target};
use autotune_base::files::cache::Key;

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
    let cache = tools.cache();
    if source.language == Language::Triton {
        let target = trusted_target(processor, tools)?;
        let compiler = triton_compiler(source.clone(), places, target, tools, cache)?;
        return Ok(Arc::new(UserTriton::new(Arc::new(compiler), processor, tools)?));
    }
    let (limits, target) = (tools.limits(), processor.target.clone());
    let clang = Clang::find(tools.clang.as_deref(), &limits, cache.as_ref())?;
    let compiler = Compiler::with_places(clang, source.clone(), places, target, cache, limits)?;
    Ok(Arc::new(UserCompiler::new(Arc::new(compiler), processor, tools)?))
}

/// The user's clang and, where the user has it, NVIDIA's assembler.
#[derive(Debug)]
pub(super) struct UserCompiler {
    compiler: Arc<Compiler>,
    back_ends: BackEnds,
    /// True after AMD's back end crashed.
    has_crashed: AtomicBool,
}

impl UserCompiler {
    /// The compiler of a source with the back ends that the tools choose for a processor.
    pub(super) fn new(compiler: Arc<Compiler>, processor: &Processor, tools: &Tools) -> Result<Self, AnalysisError> {
        let back_ends = BackEnds::new(processor, tools, true)?;
        Ok(Self { compiler, back_ends, has_crashed: AtomicBool::new(false) })
    }

    /// The key of a compilation and of the tools that say its registers.
    fn keyed(&self, compiled: &Key) -> String {
        self.back_ends.keyed(compiled, Some(if self.has_crashed() { "crashed" } else { "" }))
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
        if self.back_ends.need_assembly() && !self.has_crashed() {
            self.compiler.prepare_assembly(configurations);
        }
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        if self.has_crashed() {
            return Ok(None);
        }
        if self.back_ends.registers == RegisterSource::Amd {
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
        let assembled = self.back_ends.assembled(|| Ok(self.compiler.assembly(macros)?), macros, kernel)?;
        Ok(assembled.filter(|_| self.back_ends.registers == RegisterSource::Ptxas))
    }

    fn clang(&self) -> Option<&Compiler> {
        Some(&*self.compiler).filter(|_| !self.back_ends.assemble())
    }

    fn asks_back_end(&self) -> bool {
        self.back_ends.registers == RegisterSource::Amd
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
            ptxas: self.back_ends.ptxas(),
            registers: self.back_ends.registers,
            places: self.compiler.places().clone(),
            included: self.compiler.included(),
        })
    }
}
