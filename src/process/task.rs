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
    pub variables: Vec<(&'static str, String)>,
}

impl Task {
    /// A task whose environment has no added variables.
    pub fn new<A: Into<String>>(program: &Path, arguments: impl IntoIterator<Item = A>, folder: &Path) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: folder.to_owned(),
            variables: Vec::new(),
        }
    }

    /// The task as a line of a shell script.
    #[must_use]
    pub fn command_line(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={value} "));
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
