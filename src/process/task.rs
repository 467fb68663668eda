//! A program to run and its arguments.

use std::path::{Path, PathBuf};

/// A program to run, without a shell.
#[derive(Debug, Clone)]
pub struct Task {
    /// The program's path.
    pub program: PathBuf,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The working folder.
    pub folder: PathBuf,
    /// The variables that are added to the environment.
    pub variables: Vec<(String, String)>,
    /// True if the processes that the program leaves behind are killed at its end.
    pub sweeps: bool,
    /// The most bytes of an output: a program that writes more is stopped, and the end of its output is read.
    pub most_output: u64,
}

impl Task {
    /// A task whose environment has no added variables, whose output has any length, and whose processes all end.
    pub fn new<A: Into<String>>(program: &Path, arguments: impl IntoIterator<Item = A>, folder: &Path) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: folder.to_owned(),
            variables: Vec::new(),
            sweeps: false,
            most_output: u64::MAX,
        }
    }

    /// The task as a line of a shell script.
    #[must_use]
    pub fn command_line(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={} ", quoted(value)));
        let words = std::iter::once(self.program.display().to_string()).chain(self.arguments.iter().cloned());
        variables.collect::<String>() + &words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
