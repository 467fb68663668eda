//! The user's clang.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::error::{CompileError, OLDEST_CLANG};
use autotune_base::files::cache::Cache;
use autotune_base::limits::Limits;
use autotune_base::process;
use autotune_base::process::ProgramAnswer;

/// The header of OpenCL C among the compiler's own.
pub(super) const OPENCL_BASE: &str = "opencl-c-base.h";

/// A clang that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clang {
    /// The program's path.
    pub path: PathBuf,
    /// The number of its version.
    pub version: u32,
    /// The line that it prints about its version.
    pub says: String,
    /// The folder of its own headers.
    pub(super) headers: PathBuf,
    /// The arguments that make the program clang's driver: empty for clang itself.
    pub(super) driver: Vec<String>,
}

impl Clang {
    /// Finds clang: the one that the user names, else the one of `AUTOTUNE_CLANG`, else the newest on the search path, else
    /// Zig's. What it says of itself may be known from the cache.
    ///
    /// # Errors
    /// If there is none, it cannot be run, or its version is below 14.
    pub fn find(wanted: Option<&Path>, limits: &Limits, cache: Option<&Cache>) -> Result<Self, CompileError> {
        let of_environment = || std::env::var_os("AUTOTUNE_CLANG").filter(|path| !path.is_empty()).map(PathBuf::from);
        let searched = wanted.map(Path::to_owned).or_else(of_environment);
        let path = match &searched {
            Some(path) => which::which(path).ok(),
            None => newest().or_else(process::zig),
        };
        let path = path.ok_or(CompileError::NoClang { searched })?;
        let library = zigs_library(&path);
        let driver = library.as_deref().map_or_else(Vec::new, zigs_driver);
        let ask = |options: &[&str]| answer(&path, &driver, options, limits, cache);
        // One start says both; what is not clang says more of itself by itself.
        let told = ask(&["-v", "-print-resource-dir"])?;
        let of_clang = told.stderr.lines().find(|line| version(line).is_some()).map(|line| line.trim().to_owned());
        let says = match of_clang {
            Some(says) => says,
            None => ask(&["--version"])?.first_line().to_owned(),
        };
        let Some(version) = version(&says) else { return Err(CompileError::NotClang { path, says }) };
        if version < OLDEST_CLANG {
            return Err(CompileError::OldClang { path, version });
        }
        let headers = library.as_deref().unwrap_or_else(|| Path::new(told.first_line())).join("include");
        Ok(Self { path, version, says, headers, driver })
    }

    /// The compiler's answer to a question about itself, which may come from the cache.
    pub(super) fn answer(
        &self,
        options: &[&str],
        limits: &Limits,
        cache: Option<&Cache>,
    ) -> Result<ProgramAnswer, CompileError> {
        answer(&self.path, &self.driver, options, limits, cache)
    }

    /// True if the compiler comes without the header of OpenCL C, as Zig's does.
    pub(super) fn lacks_opencl(&self) -> bool {
        !self.headers.join(OPENCL_BASE).is_file()
    }

    /// True for a header that belongs to the compiler.
    pub(super) fn has_header(&self, path: &Path) -> bool {
        let is_below = |folder: &Path| path.starts_with(folder);
        is_below(&self.headers) || self.headers.canonicalize().is_ok_and(|folder| is_below(&folder))
    }
}

/// The `clang-NN` of the greatest number on the search path, else `clang`.
fn newest() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = std::env::split_paths(&path).filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    let numbered = |name: &str| name.strip_prefix("clang-")?.parse::<u32>().ok();
    let mut numbers: Vec<u32> = names.filter_map(|entry| numbered(entry.file_name().to_str()?)).collect();
    numbers.sort_by_key(|number| Reverse(*number));
    let newest = numbers.into_iter().find_map(|number| which::which(format!("clang-{number}")).ok());
    newest.or_else(|| which::which("clang").ok())
}

/// The folder of the libraries that come with a Zig, which lies beside it; `None` for any other program.
fn zigs_library(path: &Path) -> Option<PathBuf> {
    if !process::is_zig(path) {
        return None;
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Some(path.parent()?.join("lib"))
}

/// The arguments that make Zig clang's driver, which looks for its headers elsewhere.
fn zigs_driver(library: &Path) -> Vec<String> {
    vec!["clang".to_owned(), "-resource-dir".to_owned(), library.display().to_string()]
}

/// The answer of a program to a question about itself; what is not clang may print it and fail.
fn answer(
    path: &Path,
    driver: &[String],
    options: &[&str],
    limits: &Limits,
    cache: Option<&Cache>,
) -> Result<ProgramAnswer, CompileError> {
    let options: Vec<&str> = driver.iter().map(String::as_str).chain(options.iter().copied()).collect();
    process::answer(path, &options, limits, cache)?.or_else(|outcome| match outcome.stopped {
        Some(stop) => Err(CompileError::Stopped(stop)),
        None => Ok(ProgramAnswer { stdout: outcome.stdout, stderr: outcome.stderr }),
    })
}

/// The number in `Debian clang version 14.0.6`.
fn version(says: &str) -> Option<u32> {
    let (_, number) = says.split_once("clang version ")?;
    number.split(|next: char| !next.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use autotune_base::user_error::UserError;

    #[test]
    fn a_program_that_cannot_be_used_is_named_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let find = |says: &str| {
            let path = folder.path().join("clang");
            std::fs::write(&path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            Clang::find(Some(&path), &Limits::default(), None)
        };
        let old = find("Ubuntu clang version 13.0.1").unwrap_err();
        assert!(old.to_string().ends_with("is clang 13, and 14 is the oldest that can be used"), "{old}");
        assert!(old.help().unwrap().contains("apt-get install clang"));
        let other = find("gcc (Debian) 12.2").unwrap_err().to_string();
        assert!(other.ends_with("is not clang: it prints `gcc (Debian) 12.2`"), "{other}");
        let missing = Clang::find(Some(Path::new("/nowhere/clang")), &Limits::default(), None).unwrap_err().to_string();
        assert_eq!(missing, "cannot find clang: there is no program `/nowhere/clang`");
        assert_eq!(find("clang version 21.1.0-rc2").unwrap().version, 21);
    }
}
