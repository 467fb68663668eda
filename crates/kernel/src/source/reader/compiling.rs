//! The compiler of a source, as a reader asks it.

use std::fmt;
use std::path::PathBuf;

use super::super::compile::{AbsentHeader, Compiler, Macros, SourcePlaces, StandIn};
use super::super::error::AnalysisError;
use super::super::registers::{RegisterSource, Registers};

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

    /// The user's clang, if no assembler looks at its outputs too.
    fn clang(&self) -> Option<&Compiler> {
        None
    }

    /// True if the registers are those of AMD's back end.
    fn asks_back_end(&self) -> bool {
        false
    }

    /// True if a back end crashed: the registers of all configurations are estimated since.
    fn has_crashed(&self) -> bool {
        false
    }

    /// The tools and files of the compilations; `None` if they are not the user's.
    fn provenance(&self) -> Option<CompilationOrigin> {
        None
    }

    /// The facts about the compiler that belong to an answer; `None` if they are not known.
    fn facts(&self) -> Option<CompilerFacts> {
        let absent = self.absent().into_iter().map(|header| header.name).collect();
        self.provenance().map(|origin| CompilerFacts { compiler: origin.compiler, absent })
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

/// Facts about a source's compiler: with another one, the answer may be another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilerFacts {
    /// The line that the compiler prints about its version.
    pub compiler: String,
    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    pub absent: Vec<String>,
}

/// The tools that compile a source, and the files that they read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilationOrigin {
    /// The line that the compiler prints about its version.
    pub compiler: String,
    /// The version of NVIDIA's assembler; `None` if it is not asked.
    pub ptxas: Option<String>,
    /// The requested origin of the numbers of registers.
    pub registers: RegisterSource,
    /// The places of the source's own files and folders.
    pub places: SourcePlaces,
    /// The files that compilations have included.
    pub included: Vec<PathBuf>,
}

impl CompilationOrigin {
    /// The included files under the names that follow from the user's words for their folders.
    pub(super) fn included_by_name(&self) -> impl Iterator<Item = PathBuf> {
        self.included.iter().map(|file| self.places.name_of(file).map_or_else(|| file.clone(), PathBuf::from))
    }
}

/// A compiler's output for a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// LLVM's text.
    pub text: String,
    /// The registers that a back end assigns; `None` if they are estimated from the text.
    pub registers: Option<Registers>,
}
