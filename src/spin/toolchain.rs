//! The programs that a proof needs: SPIN and a C compiler.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::limits::Limits;
use crate::process;
use crate::process::{ProcessError, Task};

/// The programs to use, where the user names them.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// SPIN (`AUTOTUNE_SPIN`).
    pub spin: Option<PathBuf>,
    /// The C compiler (`AUTOTUNE_CC`).
    pub compiler: Option<PathBuf>,
}

/// SPIN and a C compiler, found and asked for their versions.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// SPIN.
    pub spin: Tool,
    /// The C compiler.
    pub compiler: Tool,
    /// A compiler that takes a moment, for searches that need no optimiser: tcc, where it is installed.
    pub quick_compiler: Option<Tool>,
}

/// A program that was found.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// The first line of what it says of its version.
    pub version: String,
}

/// A program that a proof needs cannot be used.
#[derive(Debug, Error)]
pub enum ToolError {
    /// None of the names is on the search path.
    #[error("cannot find {what}: no `{}` on the search path", names.join("`, `"))]
    Missing {
        /// What is missing.
        what: &'static str,
        /// The names that were looked for.
        names: Vec<String>,
        /// How to install it.
        advice: &'static str,
    },
    /// It cannot be run.
    #[error("cannot use {what}")]
    Unusable {
        /// What cannot be used.
        what: &'static str,
        /// Why.
        source: ProcessError,
    },
    /// It does not even tell its version.
    #[error("cannot use {what}: `{command}` {status}")]
    Fails {
        /// What cannot be used.
        what: &'static str,
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
    },
    /// It is something else than it should be.
    #[error("`{}` is not {what}: it says `{says}`", path.display())]
    NotIt {
        /// What it should be.
        what: &'static str,
        /// What was run.
        path: PathBuf,
        /// What it says of its version.
        says: String,
    },
}

impl ToolError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Missing { advice, .. } => advice,
            _ => "`autotune doctor` tests all that a proof needs",
        }
    }
}

const SPIN_ADVICE: &str = "install it: `apt-get install spin`, or name it with the variable AUTOTUNE_SPIN";
const COMPILER_ADVICE: &str = "install one: `apt-get install gcc`, or name it with the variable AUTOTUNE_CC";

impl Toolchain {
    /// Finds both programs.
    ///
    /// # Errors
    /// The first that is missing or unusable.
    pub fn find(wanted: &Wanted) -> Result<Self, ToolError> {
        let (spin, compiler) = (Self::find_spin(wanted)?, Self::find_compiler(wanted)?);
        // Who names a compiler wants that one.
        let quick_compiler =
            if wanted.compiler.is_none() { find("tcc", None, &["tcc"], "", "--version").ok() } else { None };
        Ok(Self { spin, compiler, quick_compiler })
    }

    /// Finds SPIN.
    ///
    /// # Errors
    /// It is missing, unusable or another program.
    pub fn find_spin(wanted: &Wanted) -> Result<Tool, ToolError> {
        let tool = find("SPIN", wanted.spin.as_deref(), &["spin"], SPIN_ADVICE, "-V")?;
        if tool.version.starts_with("Spin Version") {
            Ok(tool)
        } else {
            Err(ToolError::NotIt { what: "SPIN", path: tool.path, says: tool.version })
        }
    }

    /// Finds a C compiler.
    ///
    /// # Errors
    /// It is missing or unusable.
    pub fn find_compiler(wanted: &Wanted) -> Result<Tool, ToolError> {
        find("a C compiler", wanted.compiler.as_deref(), &["gcc", "cc", "clang"], COMPILER_ADVICE, "--version")
    }

    /// The checker as results name it, such as `spin 6.5.2`.
    #[must_use]
    pub fn checker(&self) -> String {
        let number = self.spin.version.split_whitespace().nth(2).unwrap_or("of an unknown version");
        format!("spin {number}")
    }
}

fn find(
    what: &'static str,
    wanted: Option<&Path>,
    names: &[&str],
    advice: &'static str,
    version: &str,
) -> Result<Tool, ToolError> {
    let names: Vec<String> = match wanted {
        Some(path) => vec![path.display().to_string()],
        None => names.iter().map(ToString::to_string).collect(),
    };
    let path = names.iter().find_map(|name| which::which(name).ok());
    let path = path.ok_or(ToolError::Missing { what, names, advice })?;
    let task = Task::new(&path, [version], Path::new("/"));
    let outcome = process::run(&task, &Limits::default()).map_err(|source| ToolError::Unusable { what, source })?;
    if !outcome.status.success() {
        let command = format!("{} {version}", path.display());
        return Err(ToolError::Fails { what, command, status: outcome.status_in_words() });
    }
    let version = outcome.stdout.lines().next().unwrap_or_default().trim().to_owned();
    Ok(Tool { path, version })
}
