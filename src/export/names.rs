//! The names of macros and variables, made from the names of kernels, GPUs and problem sizes.

use std::collections::HashMap;
use std::fmt::Write;

use super::error::ExportError;
use super::results::Proved;

/// The name as an identifier: `_` replaces each character that is neither a letter nor a digit, and goes before a leading
/// digit.
pub(super) fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The name in capitals as an identifier.
pub(super) fn capitals(name: &str) -> String {
    identifier(name).to_ascii_uppercase()
}

/// The prefix that distinguishes a kernel's names from those of other kernels; empty if all results are of one kernel.
pub(super) fn kernel_prefix(all: &[Proved], kernel: &str) -> String {
    if all.iter().all(|other| other.report.kernel == kernel) { String::new() } else { capitals(kernel) + "_" }
}

/// The prefix that distinguishes a result's names from those of others: the kernel, the GPU and each problem size that
/// differ.
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

/// The names that are taken, each with its owner.
#[derive(Default)]
pub(super) struct Taken(HashMap<String, String>);

impl Taken {
    /// Takes a name for an owner; an owner may take its name again.
    pub(super) fn take(&mut self, name: &str, by: &str) -> Result<(), ExportError> {
        match self.0.insert(name.to_owned(), by.to_owned()) {
            Some(other) if other != by => {
                Err(ExportError::SameName { name: name.to_owned(), of: [other, by.to_owned()] })
            }
            _ => Ok(()),
        }
    }
}
