//! The programs that a proof needs: SPIN and a C compiler.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::cache::Cache;
use crate::limits::Limits;
use crate::process;
use crate::process::ProcessError;
use crate::user_error::{ExitStatus, UserError};

/// The programs that the user names; `None` stands for a search on the path.
#[derive(Debug, Clone, Default)]
pub struct ToolPaths {
    /// The path of SPIN (`AUTOTUNE_SPIN`).
    pub spin: Option<PathBuf>,
    /// The path of the C compiler (`AUTOTUNE_CC`).
    pub compiler: Option<PathBuf>,
}

impl ToolPaths {
    /// The paths that the environment names.
    #[must_use]
    pub fn of_environment() -> Self {
        let path = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self { spin: path("AUTOTUNE_SPIN"), compiler: path("AUTOTUNE_CC") }
    }
}

/// SPIN and a C compiler, with their versions.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// SPIN.
    pub spin: Tool,
    /// The C compiler.
    pub compiler: Tool,
    /// A compiler that is quick but does not optimise, for short searches: tcc; `None` if it is not installed.
    pub quick_compiler: Option<Tool>,
}

/// A program that was found.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The program's path.
    pub path: PathBuf,
    /// The first line that it prints about its version.
    pub version: String,
}

/// A program that a proof needs and that cannot be used.
#[derive(Debug, Error)]
pub enum ToolError {
    /// A program none of whose names is on the search path.
    #[error("cannot find {what}: no `{}` on the search path", names.join("`, `"))]
    Missing {
        /// The missing program, in words.
        what: &'static str,
        /// The names that were searched.
        names: Vec<String>,
        /// Advice on how to install it.
        advice: &'static str,
    },
    /// A program that cannot be run.
    #[error("cannot use {what}")]
    Unusable {
        /// The program, in words.
        what: &'static str,
        /// The system's error.
        source: ProcessError,
    },
    /// A program that fails instead of printing its version.
    #[error("cannot use {what}: `{command}` {status}")]
    Fails {
        /// The program, in words.
        what: &'static str,
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
    },
    /// A program that is not the one that it should be.
    #[error("`{}` is not {what}: it prints `{says}`", path.display())]
    NotIt {
        /// The program that it should be, in words.
        what: &'static str,
        /// The path of the program.
        path: PathBuf,
        /// The first line that it prints about its version.
        says: String,
    },
}

impl ToolError {
    fn advice(&self) -> &'static str {
        match self {
            Self::Missing { advice, .. } => advice,
            _ => "run `autotune doctor`: it tests all that a proof needs",
        }
    }
}

impl UserError for ToolError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Failure
    }

    fn help(&self) -> Option<String> {
        Some(self.advice().to_owned())
    }
}

/// A kind of program.
struct Kind {
    /// The program, in words.
    what: &'static str,
    /// The names that it has, the usual one first.
    names: &'static [&'static str],
    /// Advice on how to install it.
    advice: &'static str,
    /// The option that shows its version.
    version: &'static str,
}

const SPIN: Kind = Kind {
    what: "SPIN",
    names: &["spin"],
    advice: "install it: `apt-get install spin`, or name it with the variable AUTOTUNE_SPIN",
    version: "-V",
};
const COMPILER: Kind = Kind {
    what: "a C compiler",
    names: &["gcc", "cc", "clang"],
    advice: "install one: `apt-get install gcc`, or name it with the variable AUTOTUNE_CC",
    version: "--version",
};
const TCC: Kind = Kind { what: "tcc", names: &["tcc"], advice: "", version: "--version" };

impl Toolchain {
    /// Finds both programs. The versions of unchanged programs come from the cache, if there is one.
    ///
    /// # Errors
    /// [`ToolError`] for the first that is missing or unusable.
    pub fn find(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Self, ToolError> {
        let (spin, compiler) = (Self::find_spin(wanted, cache)?, Self::find_compiler(wanted, cache)?);
        // A compiler that the user names is used for everything.
        let quick_compiler = if wanted.compiler.is_none() { find(&TCC, None, cache).ok() } else { None };
        Ok(Self { spin, compiler, quick_compiler })
    }

    /// Finds SPIN.
    ///
    /// # Errors
    /// If SPIN is missing or unusable, or the program is not SPIN.
    pub fn find_spin(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Tool, ToolError> {
        let tool = find(&SPIN, wanted.spin.as_deref(), cache)?;
        if tool.version.starts_with("Spin Version") {
            Ok(tool)
        } else {
            Err(ToolError::NotIt { what: SPIN.what, path: tool.path, says: tool.version })
        }
    }

    /// Finds a C compiler.
    ///
    /// # Errors
    /// If a C compiler is missing or unusable.
    pub fn find_compiler(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Tool, ToolError> {
        find(&COMPILER, wanted.compiler.as_deref(), cache)
    }

    /// The checker's name in results, for example `spin 6.5.2`.
    #[must_use]
    pub fn checker(&self) -> String {
        let number = self.spin.version.split_whitespace().nth(2).unwrap_or("of an unknown version");
        format!("spin {number}")
    }
}

fn find(kind: &Kind, wanted: Option<&Path>, cache: Option<&Cache>) -> Result<Tool, ToolError> {
    let Kind { what, names, advice, version } = *kind;
    let names: Vec<String> = match wanted {
        Some(path) => vec![path.display().to_string()],
        None => names.iter().map(ToString::to_string).collect(),
    };
    let path = names.iter().find_map(|name| which::which(name).ok());
    let path = path.ok_or(ToolError::Missing { what, names, advice })?;
    let answer = process::answer(&path, &[version], &Limits::default(), cache);
    match answer.map_err(|source| ToolError::Unusable { what, source })? {
        Ok(answer) => Ok(Tool { path, version: answer.first_line().to_owned() }),
        Err(outcome) => {
            let command = format!("{} {version}", path.display());
            Err(ToolError::Fails { what, command, status: outcome.status_in_words() })
        }
    }
}
