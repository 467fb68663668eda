//! The helper that runs in the user's Python: its requests and its answers.

use std::path::Path;

use fs_err as fs;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::TritonError;
use super::python::UserPython;
use crate::source::compile::{CompileError, UnfinishedCompilation};
use autotune_base::files::scratch::Scratch;
use autotune_base::limits::{Allowance, Limits};
use autotune_base::process::{self, Bounds, Finished, Task};

/// The program, and the module beside it.
pub(super) const PROGRAM: &str = include_str!("emit.py");
pub(super) const MARKS: &str = include_str!("marks.py");
/// The modules that read and execute a user's file.
pub(super) const FILES: &str = include_str!("helper/files.py");
pub(super) const LOADING: &str = include_str!("helper/loading.py");
/// The package of the program's other modules, each with its name.
const PACKAGE: [(&str, &str); 9] = [
    ("__init__.py", ""),
    ("files.py", FILES),
    ("loading.py", LOADING),
    ("uses.py", include_str!("helper/uses.py")),
    ("launches.py", include_str!("helper/launches.py")),
    ("grids.py", include_str!("helper/grids.py")),
    ("gpu.py", include_str!("helper/gpu.py")),
    ("real_torch.py", include_str!("helper/real_torch.py")),
    ("stand_in_torch.py", include_str!("helper/stand_in_torch.py")),
];

/// The most memory of a run, and the most bytes of a file that it writes and of its answers.
const MOST_MEMORY: u64 = 16 << 30;
const MOST_WRITTEN: u64 = 256 << 20;
/// The variables that say where Python finds its packages.
const OF_PYTHON: [&str; 4] = ["HOME", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH"];
/// The compiler's name in messages.
pub const TRITON: &str = "Triton";

/// Runs the helper with a request. Returns the lines that it answers before its end: all, or those before an allowance
/// for the whole run was used up.
///
/// # Errors
/// If Python cannot be run, fails, or is stopped.
pub(super) fn answers<T: DeserializeOwned>(
    python: &UserPython,
    request: &Value,
    allowance: Allowance,
    limits: &Limits,
) -> Result<Vec<T>, CompileError> {
    let scratch = Scratch::new()?;
    let (program, asked) = (scratch.path().join("emit.py"), scratch.path().join("request.json"));
    fs::write(&program, PROGRAM)?;
    fs::write(scratch.path().join("marks.py"), MARKS)?;
    let package = scratch.path().join("autotune_helper");
    fs::create_dir(&package)?;
    for (name, text) in PACKAGE {
        fs::write(package.join(name), text)?;
    }
    fs::write(&asked, request.to_string())?;
    let words = [program, asked].map(|path| path.display().to_string());
    let mut task = Task::new(&python.path, words, scratch.path());
    task.variables = variables(scratch.path());
    task.bounds = Some(Bounds { memory: MOST_MEMORY, allowance, file: MOST_WRITTEN });
    task.most_output = MOST_WRITTEN;
    let finished = process::run(&task, limits)?;
    if let Some(stop) = finished.stopped {
        return Err(CompileError::Stopped(stop));
    }
    let lines: Vec<&str> = finished.stdout.lines().collect();
    let read: Vec<T> = lines.iter().map_while(|line| serde_json::from_str(line).ok()).collect();
    let is_complete = finished.status.success() && read.len() == lines.len();
    if is_complete || (finished.overrun.is_some() && !read.is_empty()) {
        Ok(read)
    } else {
        Err(failed(python, &finished))
    }
}

/// The variables of the helper's environment beside those that every task has.
fn variables(folder: &Path) -> Vec<(String, String)> {
    let of_user = OF_PYTHON.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
    let own = [
        ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ("PYTHONUTF8", "1".to_owned()),
        ("TRITON_CACHE_DIR", folder.display().to_string()),
    ];
    of_user.chain(own.map(|(name, value)| (name.to_owned(), value))).collect()
}

/// The reason why Python did not answer.
fn failed(python: &UserPython, finished: &Finished) -> CompileError {
    if let Some(overrun) = finished.overrun {
        let why = UnfinishedCompilation::Overrun(overrun);
        return CompileError::Unfinished { by: TRITON, why, macros: String::new() };
    }
    let says = finished.stderr.lines().rfind(|line| !line.trim().is_empty());
    let says = says.map_or_else(|| format!("it {}", finished.status_in_words()), |line| line.trim().to_owned());
    TritonError::Failed { python: python.path.clone(), says }.into()
}

/// A request that the helper refuses, or an error that the compiler finds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub(super) struct Refusal {
    pub(super) kind: String,
    pub(super) message: String,
    pub(super) file: Option<String>,
    pub(super) line: u32,
    pub(super) column: u32,
    /// True if another state of the user's Python may mend it: a part of the file could not be loaded.
    #[serde(rename = "open", default)]
    pub(super) is_open: bool,
    /// True if no constant of the kernel decides whether the line is compiled, or what it names.
    #[serde(rename = "in_all", default)]
    pub(super) is_in_all: bool,
}
