//! The launch of a kernel, its parameters and its sizes, from the text of its source and of host code.
//!
//! ```text
//! files ─▶ program ─▶ launches ─▶ settled ─▶ question ─▶ options of a spec
//!          functions, macros      terms      what is tuned
//! ```
//!
//! Nothing is guessed in silence: each part has its line, and what a rule gave that may be wrong says so.

mod active;
mod answer;
mod commands;
mod comment;
mod error;
mod expanded;
mod files;
mod function;
mod launches;
mod launching;
mod program;
mod python;
mod question;
mod resolve;
mod settled;
mod statements;
mod term;
#[cfg(test)]
mod tests;
mod usage;
mod value;
mod variables;

use std::path::{Path, PathBuf};

use crate::spec::SourceOptions;
use autotune_kernel::source::Language;

pub use answer::Inference;
pub use comment::{CommentedSpec, commented_specs};
pub use error::{InferenceError, KernelAt, PlacedText};
pub use files::host_with_line;

/// Completes the options of a source by what its text and host code say. An option that is given stays. Options that
/// state the launch stay as they are.
///
/// # Errors
/// If the kernel or its launch is not clear, or a size has no value.
pub fn infer(given: SourceOptions, hosts: &[PathBuf], language: Language) -> Result<Inference, InferenceError> {
    infer_within(given, hosts, language, None)
}

/// Completes the options as [`infer`] does. Of the headers that the files include, those below a folder alone are read;
/// with `None`, all.
///
/// # Errors
/// Errors of [`infer`].
pub fn infer_within(
    given: SourceOptions,
    hosts: &[PathBuf],
    language: Language,
    root: Option<&Path>,
) -> Result<Inference, InferenceError> {
    let read = files::read(&given, hosts, root)?;
    let program = program::Program::new(&read.files, read.of_kernel, language);
    question::question(given, &program, &read, language)
}
