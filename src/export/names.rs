//! Names of macros and variables, made from names of kernels, GPUs and problem sizes.

use std::collections::HashMap;
use std::fmt::Write;

use super::error::ExportError;
use super::results::Proved;

/// In capitals, with `_` for all that is neither a letter nor a digit: what a macro or a variable may be called.
pub(super) fn capitals(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = name.chars().map(capital).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The prefix that distinguishes a kernel's names from those of others; empty where there is one kernel.
pub(super) fn kernel_prefix(all: &[Proved], kernel: &str) -> String {
    if all.iter().all(|other| other.report.kernel == kernel) { String::new() } else { capitals(kernel) + "_" }
}

/// The prefix that distinguishes a result's names from those of others: kernel, GPU and problem size, each where it differs.
pub(super) fn prefix(all: &[Proved], one: Proved) -> String {
    let mut prefix = kernel_prefix(all, &one.report.kernel);
    if all.iter().any(|other| other.report.gpu != one.report.gpu) {
        prefix += &(capitals(&one.report.gpu) + "_");
    }
    let like = |other: &&Proved| (&other.report.kernel, &other.report.gpu) == (&one.report.kernel, &one.report.gpu);
    for (name, size) in &one.report.problem {
        if all.iter().filter(like).any(|other| other.report.problem.get(name) != Some(size)) {
            // Behind a name, a number may begin with its digits.
            let _ = write!(prefix, "{}_{}_", capitals(name), capitals(&size.to_string()).trim_start_matches('_'));
        }
    }
    prefix
}

/// Names that are taken, and by what.
#[derive(Default)]
pub(super) struct Taken(HashMap<String, String>);

impl Taken {
    /// Takes a name; the same thing may take its own again.
    pub(super) fn take(&mut self, name: &str, by: &str) -> Result<(), ExportError> {
        match self.0.insert(name.to_owned(), by.to_owned()) {
            Some(other) if other != by => {
                Err(ExportError::SameName { name: name.to_owned(), of: [other, by.to_owned()] })
            }
            _ => Ok(()),
        }
    }
}
