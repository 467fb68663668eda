//! The kernels of a Python file, read without executing it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::TritonError;
use super::missing::{Given, MissingArguments};
use super::program::{Refusal, answers};
use super::python::UserPython;
use crate::source::compile::CompileError;
use crate::source::ir::SourcePlace;
use autotune_base::limits::{Allowance, Limits};

/// The allowance for reading a file.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(20) };

/// The kernels of a file, and what compiles them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Description {
    /// The version of Python.
    pub python: String,
    /// The version of Triton; `None` if it is not installed.
    pub triton: Option<String>,
    /// The modules that the file, or a file that it imports, imports and that are not installed.
    #[serde(default)]
    pub absent: Vec<String>,
    /// The kernels in the file's order.
    pub kernels: Vec<DescribedKernel>,
    /// The files beside it that it imports, and those that these import.
    pub files: Vec<PathBuf>,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DescribedKernel {
    /// The name.
    pub name: String,
    /// The line where it begins, from 1.
    pub line: u32,
    /// The arguments in their order.
    pub arguments: Vec<DescribedArgument>,
    /// The arguments that are pointers by their use.
    pub pointers: Vec<String>,
    /// True if a decorator lists configurations.
    #[serde(rename = "tuned")]
    pub is_tuned: bool,
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DescribedArgument {
    /// The name.
    pub name: String,
    /// True for a constant of the compilation.
    #[serde(rename = "constant")]
    pub is_constant: bool,
    /// The default, as the helper tells it; `None` if there is none.
    pub default: Option<Value>,
}

/// The helper's answer.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Refused { error: Refusal },
    Described(Description),
}

/// Reads which kernels a file has.
///
/// # Errors
/// If Python cannot be run, or the file is not Python.
pub fn describe(python: &UserPython, file: &Path, limits: &Limits) -> Result<Description, CompileError> {
    let whole = std::path::absolute(file)?;
    let request = json!({ "do": "describe", "file": whole });
    match answers(python, &request, ALLOWANCE, limits)?.pop() {
        Some(Answer::Described(description)) => Ok(description),
        Some(Answer::Refused { error }) => {
            let place = (error.line > 0).then(|| SourcePlace {
                file: file.to_string_lossy().into(),
                line: error.line,
                column: error.column,
            });
            Err(TritonError::File { message: error.message, place }.into())
        }
        None => Err(TritonError::Failed { python: python.path.clone(), says: "it answers nothing".to_owned() }.into()),
    }
}

impl Description {
    /// The kernel of a name; without a name, the only one.
    ///
    /// # Errors
    /// If there is no such kernel, or there are several and no name is given.
    pub fn kernel(&self, wanted: Option<&str>) -> Result<&DescribedKernel, TritonError> {
        let found = match wanted {
            Some(wanted) => self.kernels.iter().find(|kernel| kernel.name == wanted),
            None if self.kernels.len() == 1 => self.kernels.first(),
            None => None,
        };
        let there = || self.kernels.iter().map(|kernel| kernel.name.clone()).collect();
        found.ok_or_else(|| TritonError::NoKernel { wanted: wanted.map(str::to_owned), there: there() })
    }
}

impl DescribedKernel {
    /// Returns the arguments that a launch of the kernel lacks beside those that are given.
    #[must_use]
    pub fn lacks(&self, given: Given<'_>) -> MissingArguments {
        let mut missing = MissingArguments { lacks_programs: !given.has_programs, ..MissingArguments::default() };
        for argument in self.arguments.iter().filter(|argument| !given.names.contains(&argument.name.as_str())) {
            let name = argument.name.clone();
            match (argument.is_constant, &argument.default) {
                (true, Some(_)) => {}
                (true, None) => missing.constants.push(name),
                (false, _) if self.pointers.contains(&name) => missing.pointers.push(name),
                (false, _) => missing.numbers.push(name),
            }
        }
        missing.has_list = self.is_tuned && !given.has_list && !missing.constants.is_empty();
        missing
    }

    /// The argument of a name; `None` if the kernel has none.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&DescribedArgument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}
