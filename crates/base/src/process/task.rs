//! A program to run and its arguments.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::limits::Allowance;

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
    /// The bounds of a program that reads what a stranger wrote; `None` for one that reads this program's own files.
    pub bounds: Option<Bounds>,
    /// True if the processes that the program leaves behind are killed at its end.
    pub sweeps: bool,
    /// The most bytes of an output: a program that writes more is stopped, and the end of its output is read.
    pub most_output: u64,
}

/// The bounds of a program that reads what a stranger wrote: besides these, it leaves no core file, and of the
/// environment it gets no more than `PATH`, `LANG` and `TMPDIR`, which is its working folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most memory in bytes.
    pub memory: u64,
    /// The time that the program and what it starts may take together.
    pub allowance: Allowance,
    /// The most bytes of a file that it writes.
    pub file: u64,
}

/// The seconds from the allowance, which stops a program first, to the system's bound of processor time.
const BEYOND: u64 = 10;

/// The script that sets bounds and becomes the program. Its words are numbers and what the program gets; a bound that
/// cannot be set must already be lower.
const SET_BOUNDS: &str = r#"bound() {
    ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit "$1")" -le "$2" ] 2>/dev/null || {
        echo "cannot set the limit $1 $2" >&2
        exit 126
    }
}
bound -c 0; bound -v "$1"; bound -t "$2"; bound -f "$3"; shift 3; exec "$0" "$@""#;

impl Task {
    /// A task whose environment has no added variables, whose output has any length, and whose processes all end.
    pub fn new<A: Into<String>>(program: &Path, arguments: impl IntoIterator<Item = A>, folder: &Path) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: folder.to_owned(),
            variables: Vec::new(),
            bounds: None,
            sweeps: false,
            most_output: u64::MAX,
        }
    }

    /// The command that runs the task in its bounds and environment.
    pub(super) fn command(&self) -> Command {
        let mut command = match self.bounds {
            None => Command::new(&self.program),
            Some(bounds) => {
                let mut command = Command::new("/bin/sh");
                command.env_clear().env("LANG", "C").env("TMPDIR", &self.folder);
                command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
                // The shell counts memory in KiB and files in blocks of 512 bytes.
                let seconds = bounds.allowance.processor.as_secs().saturating_add(BEYOND);
                let bounds = [bounds.memory >> 10, seconds, bounds.file >> 9].map(|bound| bound.to_string());
                command.args(["-c", SET_BOUNDS]).arg(&self.program).args(bounds);
                command
            }
        };
        command.args(&self.arguments).current_dir(&self.folder).env("LC_ALL", "C");
        command
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
