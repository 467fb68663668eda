//! Triton's output for a configuration, as it is read and kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::TritonError;
use super::program::{Refusal, TRITON};
use super::text::{Named, name_of, normalised};
use crate::source::compile::{CompileError, Message, SourcePlaces, UnfinishedCompilation};
use crate::source::ir::SourcePlace;
use autotune_base::limits::Overrun;

/// The output of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emitted {
    /// LLVM's text, which names the kernel's arguments and has the bytes of its local memory.
    pub text: String,
    /// The target's own text: PTX, or the assembly of AMD's GPUs.
    pub assembly: String,
}

impl Emitted {
    /// The output in a line of the helper's answers to a request for groups of this many warps.
    ///
    /// # Errors
    /// If the line is not an answer, or the answer says why there is no output.
    pub fn of_answer(line: &str, warps: u64, places: &SourcePlaces) -> Result<Self, CompileError> {
        let failed = |why: serde_json::Error| TritonError::Failed { python: PathBuf::new(), says: why.to_string() };
        let answer: Answer = serde_json::from_str(line).map_err(failed)?;
        Ok(answer.texts(warps, "", places, Path::new(""))?.emitted(places))
    }
}

/// The helper's answer for a configuration, or for all.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// The configuration's position in the request; `None` for an answer to all of it.
    pub(super) number: Option<usize>,
    error: Option<Refusal>,
    llir: Option<String>,
    assembly: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    metadata: Option<Metadata>,
}

/// Triton's notes of an output.
#[derive(Debug, Deserialize)]
struct Metadata {
    shared: u64,
    num_warps: u64,
}

/// The texts of a compilation as Triton makes them.
pub(super) struct Texts {
    llir: String,
    /// The target's own text.
    pub(super) assembly: String,
    /// The names of the arguments that are left, in their order.
    arguments: Vec<String>,
    local_bytes: u64,
}

impl Answer {
    /// True if the compilation did not come to its end.
    pub(super) fn is_unfinished(&self) -> bool {
        self.error.as_ref().is_some_and(|error| unfinished(error).is_some())
    }

    /// True for an error that another state of the user's Python may mend.
    pub(super) fn is_open(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.is_open)
    }

    /// The texts of a compilation for this many warps, or the reason why there are none.
    pub(super) fn texts(
        self,
        warps: u64,
        macros: &str,
        places: &SourcePlaces,
        python: &Path,
    ) -> Result<Texts, CompileError> {
        if let Some(error) = self.error {
            return Err(refused(error, macros, places, python));
        }
        let (Some(llir), Some(assembly), Some(metadata)) = (self.llir, self.assembly, self.metadata) else {
            let says = "its answer lacks a text".to_owned();
            return Err(TritonError::Failed { python: python.to_owned(), says }.into());
        };
        if metadata.num_warps != warps {
            return Err(TritonError::Warps { asked: warps, compiled: metadata.num_warps }.into());
        }
        Ok(Texts { llir, assembly, arguments: self.arguments, local_bytes: metadata.shared })
    }
}

impl Texts {
    /// The output that names arguments and files.
    pub(super) fn emitted(self, places: &SourcePlaces) -> Emitted {
        let Self { llir, assembly, arguments, local_bytes } = self;
        Emitted { text: normalised(&llir, &Named { arguments: &arguments, local_bytes, places }), assembly }
    }
}

/// The reason why a compilation did not come to its end; `None` if it did.
fn unfinished(error: &Refusal) -> Option<UnfinishedCompilation> {
    match error.kind.as_str() {
        "overrun" => {
            let seconds = Duration::from_secs(error.message.parse().unwrap_or_default());
            Some(UnfinishedCompilation::Overrun(Overrun::Processor(seconds)))
        }
        "ended" => Some(UnfinishedCompilation::Killed { status: format!("was ended by {}", error.message) }),
        _ => None,
    }
}

/// The error of a refusal.
fn refused(error: Refusal, macros: &str, places: &SourcePlaces, python: &Path) -> CompileError {
    let (python, macros) = (python.to_owned(), macros.to_owned());
    if let Some(why) = unfinished(&error) {
        return CompileError::Unfinished { by: TRITON, why, macros };
    }
    match error.kind.as_str() {
        "absent" => TritonError::Absent { python, why: error.message }.into(),
        "old" => TritonError::Old { python, version: error.message }.into(),
        "kernel" | "constant" | "type" | "file" => TritonError::NotLoaded(error.message).into(),
        _ => {
            let name = error.file.as_deref().and_then(|file| name_of(Path::new(file), places));
            let place = name.filter(|_| error.line > 0);
            let place = place.map(|file| SourcePlace { file: file.into(), line: error.line, column: error.column });
            let messages = vec![Message { place, text: error.message }];
            let (absent, undeclared, in_all) = (Vec::new(), Box::default(), error.is_in_all);
            CompileError::Refused { by: TRITON, messages, macros, absent, undeclared, in_all }
        }
    }
}
