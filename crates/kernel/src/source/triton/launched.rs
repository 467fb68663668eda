//! A launch as a user's call makes it, and a kernel's own configurations: both are found by executing the user's Python.

use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::TritonError;
use super::program::{Refusal, answers};
use super::python::UserPython;
use super::target::TritonTarget;
use crate::source::compile::{CompileError, UnfinishedCompilation};
use crate::source::ir::SourcePlace;
use autotune_base::limits::{Allowance, Limits};

/// The usual allowance of a call: importing `PyTorch` takes 2 seconds.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(60) };

/// The facts of a GPU that a user's program asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CallGpu {
    /// The name.
    pub name: String,
    /// The backend, the architecture and the warp size, as Triton names them; `None` if no GPU is named, or Triton does
    /// not compile for it.
    pub target: Option<TritonTarget>,
    /// The multiprocessors; `None` if no GPU is named.
    pub multiprocessors: Option<u64>,
    /// The most local memory of a group in bytes; `None` if no GPU is named.
    pub local_memory: Option<u64>,
    /// The local memory of a multiprocessor in bytes; `None` if no GPU is named.
    pub local_memory_of_multiprocessor: Option<u64>,
    /// The registers of a multiprocessor; `None` if no GPU is named.
    pub registers: Option<u64>,
    /// The most work items that a multiprocessor runs at a time; `None` if no GPU is named.
    pub work_items: Option<u64>,
    /// The bytes of L2; `None` if they are not known.
    pub l2: Option<u64>,
}

/// A request for the launch of a user's call, or for a kernel's own configurations.
#[derive(Debug, Clone, Copy)]
pub struct CallRequest<'a> {
    /// The file of the kernel.
    pub file: &'a Path,
    /// The kernel; `None` for the only one that is launched.
    pub kernel: Option<&'a str>,
    /// The GPU that the program finds.
    pub gpu: &'a CallGpu,
    /// The parameters that the user tunes in place of the kernel's own list, each with its values.
    pub parameters: &'a IndexMap<String, Vec<i64>>,
    /// The names that the user has given a value or a type, and `programs` if the grid is given.
    pub given: &'a [&'a str],
    /// The problem sizes that the user has given.
    pub sizes: &'a [&'a str],
    /// The integers among the arguments that the user has given.
    pub arguments: &'a IndexMap<String, i64>,
}

/// The launch of a call.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct TritonLaunch {
    /// The kernel's name.
    pub kernel: String,
    /// Types of arguments.
    #[serde(default)]
    pub types: IndexMap<String, String>,
    /// Values of arguments.
    #[serde(default)]
    pub arguments: IndexMap<String, String>,
    /// Integer arguments that are sizes of the problem.
    #[serde(default)]
    pub problem: IndexMap<String, i64>,
    /// Constants of the compilation that are the same in all configurations.
    #[serde(default)]
    pub define: IndexMap<String, String>,
    /// The pointers that are not aligned to 16 bytes.
    #[serde(default)]
    pub unaligned: Vec<String>,
    /// The contents of arrays of integers that are known.
    #[serde(default)]
    pub contents: IndexMap<String, String>,
    /// The programs along x, y and z.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The configurations.
    #[serde(default)]
    pub configurations: Vec<IndexMap<String, i64>>,
    /// Remarks for the user.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The helper's answer.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Refused { error: Refusal },
    TritonLaunch(Box<TritonLaunch>),
}

/// The launch of a user's call, which is executed without a GPU.
///
/// # Errors
/// If Python cannot be run, the call fails, does not end or launches nothing, or its launch cannot be described.
pub fn launched(
    python: &UserPython,
    request: CallRequest<'_>,
    call: &str,
    limits: &Limits,
) -> Result<TritonLaunch, CompileError> {
    answer(python, request, ("call", call), limits)
}

/// The configurations of a kernel's own list, as Python makes them.
///
/// # Errors
/// If Python cannot be run, the kernel has no list, or the list cannot be evaluated.
pub fn own_configurations(
    python: &UserPython,
    request: CallRequest<'_>,
    limits: &Limits,
) -> Result<TritonLaunch, CompileError> {
    answer(python, request, ("configs", ""), limits)
}

fn answer(
    python: &UserPython,
    request: CallRequest<'_>,
    (what, call): (&str, &str),
    limits: &Limits,
) -> Result<TritonLaunch, CompileError> {
    let whole = request.file.canonicalize().or_else(|_| std::path::absolute(request.file))?;
    let text = json!({
        "do": what,
        "file": whole,
        "kernel": request.kernel,
        "call": call,
        "gpu": request.gpu,
        "parameters": request.parameters,
        "given": request.given,
        "sizes": request.sizes,
        "arguments": request.arguments,
    });
    let endless = |why: String| {
        let what = if call.is_empty() { request.file.display().to_string() } else { call.to_owned() };
        TritonError::Endless { what, why }
    };
    match answers(python, &text, limits.allowance.unwrap_or(ALLOWANCE), limits) {
        Ok(mut found) => match found.pop() {
            Some(Answer::TritonLaunch(launched)) => Ok(*launched),
            Some(Answer::Refused { error }) => Err(refused(error, request, &whole, python).into()),
            None => {
                Err(TritonError::Failed { python: python.path.clone(), says: "it answers nothing".to_owned() }.into())
            }
        },
        Err(CompileError::Unfinished { why: UnfinishedCompilation::Overrun(overrun), .. }) => {
            Err(endless(overrun.to_string()).into())
        }
        Err(other) => Err(other),
    }
}

/// The error of a refusal. A place in the kernel's file has the name that the user gave the file.
fn refused(error: Refusal, request: CallRequest<'_>, whole: &Path, python: &UserPython) -> TritonError {
    let Refusal { kind, message, file, line, column, .. } = error;
    let named = |file: String| if Path::new(&file) == whole { request.file.display().to_string() } else { file };
    let place = file.filter(|_| line > 0).map(|file| SourcePlace { file: named(file).into(), line, column });
    match kind.as_str() {
        "absent" => TritonError::Absent { python: python.path.clone(), why: message },
        "old" => TritonError::Old { python: python.path.clone(), version: message },
        "several" => TritonError::Several(message),
        "configs" => TritonError::Configs { message, place },
        "no kernel" => TritonError::NoKernel {
            wanted: request.kernel.map(str::to_owned),
            there: message.split_whitespace().map(str::to_owned).collect(),
        },
        "no configs" => TritonError::NoConfigs(request.kernel.unwrap_or_default().to_owned()),
        "call" => TritonError::Call { message, place },
        "kernel" => TritonError::NotLoaded(message),
        _ => TritonError::File { message, place },
    }
}
