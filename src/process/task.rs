//! A program to run and its arguments.

use std::path::{Path, PathBuf};

/// A program to run, without a shell.
#[derive(Debug, Clone)]
pub struct Task {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working folder.
    pub folder: PathBuf,
    /// What is added to the environment.
    pub variables: Vec<(&'static str, String)>,
}

impl Task {
    /// A program with arguments in a folder, with nothing added to the environment.
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
