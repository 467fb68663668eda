//! The user's Python.

use std::path::{Path, PathBuf};

use super::error::TritonError;

/// A Python of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserPython {
    /// The program's path.
    pub path: PathBuf,
}

impl UserPython {
    /// Finds Python: the one that the user names, else the one of `AUTOTUNE_PYTHON`, of the virtual environment, of the one
    /// that this program is installed in, or the `python3` on the search path.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(wanted: Option<&Path>) -> Result<Self, TritonError> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let named = wanted.map(Path::to_owned).or_else(|| variable("AUTOTUNE_PYTHON"));
        let of_environment =
            || variable("VIRTUAL_ENV").map(|folder| folder.join("bin/python")).filter(|path| path.exists());
        let searched =
            named.clone().or_else(of_environment).or_else(beside).unwrap_or_else(|| PathBuf::from("python3"));
        let path = which::which(searched).map_err(|_| TritonError::NoPython { searched: named })?;
        Ok(Self { path })
    }
}

/// The Python beside this program, if both are in a virtual environment; `None` if they are not.
fn beside() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    let python = folder.join("python");
    (folder.parent()?.join("pyvenv.cfg").is_file() && python.exists()).then_some(python)
}
