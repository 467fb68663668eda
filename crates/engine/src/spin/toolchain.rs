//! The programs that a proof needs: SPIN and a C compiler.

use std::path::{Path, PathBuf};

use thiserror::Error;

use autotune_base::files::cache::Cache;
use autotune_base::limits::Limits;
use autotune_base::process;
use autotune_base::process::{C_COMPILER, Package, ProcessError, Task, how_to_install, install_advice};
use autotune_base::user_error::{ExitStatus, UserError};

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
    /// The arguments that make the program this tool: empty unless the program is several tools, as Zig is.
    pub words: Vec<String>,
}

impl Tool {
    /// The task of running the tool with these arguments in a folder.
    pub(super) fn task(&self, arguments: impl IntoIterator<Item = String>, folder: &Path) -> Task {
        Task::new(&self.path, self.words.iter().cloned().chain(arguments), folder)
    }

    /// True if the tool builds a C library before its first compilation, which takes some seconds.
    #[must_use]
    pub fn builds_a_library(&self) -> bool {
        process::is_zig(&self.path) && !process::zig_has_compiled()
    }
}

/// A program that a proof needs and that cannot be used.
#[derive(Debug, Error)]
pub enum ToolError {
    /// Programs none of whose names is on the search path.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// A program that the user names, and that is not there.
    #[error("cannot find {what}: no `{}` on the search path", path.display())]
    NotThere {
        /// The program, in words.
        what: &'static str,
        /// The path as the user names it.
        path: PathBuf,
        /// Advice on how to install it.
        advice: String,
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

/// Programs that a proof needs and that are not installed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot find {}", self.searched())]
pub struct Missing(Vec<&'static Kind>);

impl Missing {
    /// The programs that are missing and the command that installs them, in a sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let programs: Vec<&str> = self.0.iter().map(|kind| kind.what).collect();
        let are = if programs.len() == 1 { "is" } else { "are" };
        let packages: Vec<Package> = self.0.iter().map(|kind| kind.package).collect();
        format!("{} {are} not installed ({})", programs.join(" and "), how_to_install(&packages))
    }

    /// The programs with the names that were searched.
    fn searched(&self) -> String {
        let one = |kind: &&Kind| format!("{}: no `{}` on the search path", kind.what, kind.names.join("`, `"));
        self.0.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

/// Advice on how to get programs.
fn advice(kinds: &[&Kind]) -> String {
    let packages: Vec<Package> = kinds.iter().map(|kind| kind.package).collect();
    let variables: Vec<&str> = kinds.iter().map(|kind| kind.variable).collect();
    let named = if kinds.len() == 1 { "name it with the variable" } else { "name them with the variables" };
    format!("{}, or {named} {}", install_advice(&packages), variables.join(" and "))
}

impl UserError for Missing {
    fn status(&self) -> ExitStatus {
        ExitStatus::Failure
    }

    fn help(&self) -> Option<String> {
        Some(advice(&self.0))
    }
}

impl UserError for ToolError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Failure
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Missing(missing) => advice(&missing.0),
            Self::NotThere { advice, .. } => advice.clone(),
            _ => "run `autotune doctor`: it tests all that a proof needs".to_owned(),
        })
    }
}

/// A kind of program.
#[derive(Debug, PartialEq, Eq)]
struct Kind {
    /// The program, in words.
    what: &'static str,
    /// The names that it has, the usual one first.
    names: &'static [&'static str],
    /// The packages that have it.
    package: Package,
    /// The variable that names another one.
    variable: &'static str,
    /// The option that shows its version.
    version: &'static str,
    /// The words that make Zig such a program; empty if none do.
    zigs: &'static [&'static str],
}

/// The name of the SPIN that a package of this program puts beside it.
const SPIN_BESIDE: &str = "autotune-spin";
/// The words that make Zig a C compiler. It would stop a program at what C leaves undefined, as SPIN's own code does.
const ZIGS_COMPILER: [&str; 2] = ["cc", "-fno-sanitize=undefined"];

/// The bytes that SPIN has for the command of its preprocessor.
const LONGEST_PREPROCESSOR: usize = 400;

static SPIN: Kind = Kind {
    what: process::SPIN.what,
    names: &["spin"],
    package: process::SPIN,
    variable: "AUTOTUNE_SPIN",
    version: "-V",
    zigs: &[],
};
static COMPILER: Kind = Kind {
    what: C_COMPILER.what,
    names: &["gcc", "cc", "clang"],
    package: C_COMPILER,
    variable: "AUTOTUNE_CC",
    version: "--version",
    zigs: &ZIGS_COMPILER,
};
static TCC: Kind = Kind {
    what: "tcc",
    names: &["tcc"],
    package: C_COMPILER,
    variable: "AUTOTUNE_CC",
    version: "--version",
    zigs: &[],
};

impl Toolchain {
    /// Finds both programs. The versions of unchanged programs come from the cache, if there is one.
    ///
    /// # Errors
    /// [`ToolError`] for the first that is unusable, or for all that are missing.
    pub fn find(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Self, ToolError> {
        let (spin, compiler) = match (Self::find_spin(wanted, cache), Self::find_compiler(wanted, cache)) {
            (Err(ToolError::Missing(spin)), Err(ToolError::Missing(compiler))) => {
                return Err(Missing([spin.0, compiler.0].concat()).into());
            }
            // What is unusable cannot be answered without.
            (Err(ToolError::Missing(_)), Err(unusable)) => return Err(unusable),
            (spin, compiler) => (spin?, compiler?),
        };
        // A compiler that the user names is used for everything.
        let quick_compiler = if wanted.compiler.is_none() { find(&TCC, None, || None, cache).ok() } else { None };
        Ok(Self { spin, compiler, quick_compiler })
    }

    /// Finds SPIN: the one that the user names, else the one beside this program, else the one on the search path.
    ///
    /// # Errors
    /// If SPIN is missing or unusable, or the program is not SPIN.
    pub fn find_spin(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Tool, ToolError> {
        let tool = find(&SPIN, wanted.spin.as_deref(), beside, cache)?;
        if tool.version.starts_with("Spin Version") {
            Ok(tool)
        } else {
            Err(ToolError::NotIt { what: SPIN.what, path: tool.path, says: tool.version })
        }
    }

    /// Finds a C compiler: the one that the user names, else one on the search path, else Zig's.
    ///
    /// # Errors
    /// If a C compiler is missing or unusable.
    pub fn find_compiler(wanted: &ToolPaths, cache: Option<&Cache>) -> Result<Tool, ToolError> {
        find(&COMPILER, wanted.compiler.as_deref(), || None, cache)
    }

    /// The option for SPIN that names a preprocessor; `None` if SPIN's own is used, which is gcc.
    pub(super) fn preprocessor(&self) -> Option<String> {
        let other = || Some(&self.compiler).filter(|_| which::which("gcc").is_err());
        let tool = self.quick_compiler.as_ref().or_else(other)?;
        // SPIN has a shell read the command.
        let path = shlex::try_quote(tool.path.to_str()?).ok()?;
        let words: Vec<&str> = std::iter::once(&*path).chain(tool.words.iter().map(String::as_str)).collect();
        Some(format!("-P{} -E -x c", words.join(" "))).filter(|option| option.len() < LONGEST_PREPROCESSOR)
    }

    /// The checker's name in results, for example `spin 6.5.2`.
    #[must_use]
    pub fn checker(&self) -> String {
        let number = self.spin.version.split_whitespace().nth(2).unwrap_or("of an unknown version");
        format!("spin {number}")
    }
}

/// The SPIN beside this program; `None` if there is none.
fn beside() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(SPIN_BESIDE);
    path.is_file().then_some(path)
}

/// Finds a program: the one that the user names, else the first one, else one of its names on the search path, else Zig
/// as such a program.
fn find(
    kind: &'static Kind,
    wanted: Option<&Path>,
    first: impl FnOnce() -> Option<PathBuf>,
    cache: Option<&Cache>,
) -> Result<Tool, ToolError> {
    let Kind { what, names, version, zigs, .. } = *kind;
    let path = if let Some(path) = wanted {
        let not_there = |_| ToolError::NotThere { what, path: path.to_owned(), advice: advice(&[kind]) };
        which::which(path).map_err(not_there)?
    } else {
        let on_path = || names.iter().find_map(|name| which::which(name).ok());
        let last = || if zigs.is_empty() { None } else { process::zig() };
        first().or_else(on_path).or_else(last).ok_or_else(|| Missing(vec![kind]))?
    };
    let words = if process::is_zig(&path) { zigs } else { &[] };
    let asked: Vec<&str> = words.iter().copied().take(1).chain([version]).collect();
    let answer = process::answer(&path, &asked, &Limits::default(), cache);
    match answer.map_err(|source| ToolError::Unusable { what, source })? {
        Ok(answer) => {
            let words = words.iter().copied().map(str::to_owned).collect();
            Ok(Tool { path, version: answer.first_line().to_owned(), words })
        }
        Err(outcome) => {
            let command = format!("{} {}", path.display(), asked.join(" "));
            Err(ToolError::Fails { what, command, status: outcome.status_in_words() })
        }
    }
}
