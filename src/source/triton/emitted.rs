//! Triton's output for a configuration, as it is read and kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::TritonError;
use super::program::{Refusal, TRITON};
use super::text::{Named, normalised};
use crate::limits::Overrun;
use crate::source::compile::{CompileError, Message, SourcePlaces, UnfinishedCompilation};
use crate::source::ir::SourcePlace;

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
        answer.emitted(warps, "", places, Path::new(""))
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

impl Answer {
    /// The output of a compilation for this many warps, or the reason why there is none.
    pub(super) fn emitted(
        self,
        warps: u64,
        macros: &str,
        places: &SourcePlaces,
        python: &Path,
    ) -> Result<Emitted, CompileError> {
        if let Some(error) = self.error {
            return Err(refused(error, macros, places, python));
        }
        let (Some(llir), Some(assembly), Some(metadata)) = (self.llir, self.assembly, self.metadata) else {
            let says = "its answer lacks a text".to_owned();
            return Err(TritonError::Failed { python: python.to_owned(), says }.into());
        };
        let text = normalised(&llir, &Named { arguments: &self.arguments, local_bytes: metadata.shared, places });
        if metadata.num_warps != warps {
            return Err(TritonError::Warps { asked: warps, compiled: metadata.num_warps }.into());
        }
        Ok(Emitted { text, assembly })
    }
}

/// The error of a refusal.
fn refused(error: Refusal, macros: &str, places: &SourcePlaces, python: &Path) -> CompileError {
    let python = python.to_owned();
    match error.kind.as_str() {
        "absent" => TritonError::Absent { python, why: error.message }.into(),
        "old" => TritonError::Old { python, version: error.message }.into(),
        "kernel" | "constant" | "type" | "file" => TritonError::NotLoaded(error.message).into(),
        "overrun" => {
            let seconds = Duration::from_secs(error.message.parse().unwrap_or_default());
            let why = UnfinishedCompilation::Overrun(Overrun::Processor(seconds));
            CompileError::Unfinished { by: TRITON, why, macros: macros.to_owned() }
        }
        "ended" => {
            let why = UnfinishedCompilation::Killed { status: format!("was ended by {}", error.message) };
            CompileError::Unfinished { by: TRITON, why, macros: macros.to_owned() }
        }
        _ => {
            let name = error.file.as_deref().and_then(|file| places.name_of(Path::new(file)));
            let place = name.filter(|_| error.line > 0);
            let place = place.map(|file| SourcePlace { file: file.into(), line: error.line, column: error.column });
            let messages = vec![Message { place, text: error.message }];
            CompileError::Refused { by: TRITON, messages, macros: macros.to_owned(), absent: Vec::new() }
        }
    }
}
