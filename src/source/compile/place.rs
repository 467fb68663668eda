//! The folders that a compilation may read, and its own folder.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::to_string;

use super::super::headers;
use super::clang::Clang;
use super::error::CompileError;
use super::text::KernelSource;
use crate::files::scratch::Scratch;

/// The folders of a source's compilations.
#[derive(Debug)]
pub(super) struct Folders {
    scratch: Scratch,
    /// The folders of the source's files, for `#include "…"`.
    beside: Vec<UserFolder>,
    /// The folders that the user names for included files.
    include: Vec<UserFolder>,
    /// All that may be read, without links.
    allowed: Vec<PathBuf>,
}

/// A folder of the user.
#[derive(Debug, PartialEq, Eq)]
struct UserFolder {
    /// Its path as the user names it; empty for the working folder.
    named: PathBuf,
    /// Its path without links.
    real: PathBuf,
}

const OVERLAY: &str = "autotune_overlay.yaml";
const HEADERS: &str = "headers";

impl Folders {
    /// Makes the temporary folder and writes what the compiler reads there.
    ///
    /// # Errors
    /// If a folder is missing, or the temporary one cannot be written.
    pub(super) fn new(source: &KernelSource, clang: &Clang) -> Result<Self, CompileError> {
        let scratch = Scratch::new()?;
        let beside = source.files.iter().filter_map(|file| file.parent());
        let mut beside = beside.map(UserFolder::new).collect::<Result<Vec<_>, _>>()?;
        beside.dedup();
        let include = source.include.iter().map(|path| UserFolder::of_included(path)).collect::<Result<Vec<_>, _>>()?;
        let own = scratch.path().canonicalize()?;
        let of_clang = clang.headers.canonicalize().unwrap_or_else(|_| clang.headers.clone());
        let mut allowed: Vec<PathBuf> = beside.iter().chain(&include).map(|folder| folder.real.clone()).collect();
        allowed.extend([own, of_clang]);
        headers::write(&scratch.path().join(HEADERS))?;
        let folders = Self { scratch, beside, include, allowed };
        fs::write(folders.scratch.path().join(OVERLAY), folders.overlay(clang)?)?;
        Ok(folders)
    }

    /// The compiler's view of the files: nothing but these folders exists.
    fn overlay(&self, clang: &Clang) -> Result<String, CompileError> {
        let given = [self.scratch.path(), &clang.headers].map(Path::to_owned);
        let mut names: Vec<&PathBuf> = self.allowed.iter().chain(&given).collect();
        names.sort();
        names.dedup();
        let mut roots = Vec::new();
        for name in names {
            let name = to_string(&name.to_string_lossy()).map_err(std::io::Error::other)?;
            roots.push(format!(r#"{{ "type": "directory-remap", "name": {name}, "external-contents": {name} }}"#));
        }
        // The older word is understood up to version 15.
        let redirect =
            if clang.version < 16 { r#""fallthrough": "false""# } else { r#""redirecting-with": "redirect-only""# };
        let roots = roots.join(",\n");
        Ok(format!("{{ \"version\": 0, \"case-sensitive\": \"true\", {redirect}, \"roots\": [\n{roots}\n] }}\n"))
    }

    /// The compiler's options for these folders, of which `folder` is the compilation's own.
    pub(super) fn options(&self, folder: &Path, header: Option<&str>) -> Vec<String> {
        let own = self.scratch.path();
        let headers = own.join(HEADERS);
        let mut options = vec!["-ivfsoverlay".to_owned(), own.join(OVERLAY).display().to_string()];
        // Places name the user's files as the user does.
        options.push(format!("-fdebug-prefix-map={}=", folder.display()));
        for beside in &self.beside {
            options.extend(["-iquote".to_owned(), beside.real.display().to_string()]);
        }
        options.extend(self.include.iter().map(|folder| format!("-I{}", folder.real.display())));
        if let Some(header) = header {
            let empty = headers.join(headers::EMPTY);
            options.extend(["-isystem".to_owned(), empty.display().to_string()]);
            options.extend(["-include".to_owned(), headers.join(header).display().to_string()]);
        }
        options
    }

    /// The folders that the compiler searches for a file, in its order; those of the source's files only for a name in
    /// quotes.
    pub(super) fn searched(&self, is_quoted: bool) -> impl Iterator<Item = &Path> {
        let beside = self.beside.iter().filter(move |_| is_quoted);
        beside.chain(&self.include).map(|folder| folder.real.as_path())
    }

    /// A new folder for one compilation.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn compilation(&self) -> std::io::Result<tempfile::TempDir> {
        tempfile::tempdir_in(self.scratch.path())
    }

    /// True for a file of this program's or a compilation's own.
    pub(super) fn is_own(&self, path: &Path) -> bool {
        path.starts_with(self.scratch.path())
    }

    /// The path of a file that the compiler read, below a folder as the user names it.
    pub(super) fn as_named(&self, path: &Path) -> PathBuf {
        let below = |folder: &UserFolder| Some(folder.named.join(path.strip_prefix(&folder.real).ok()?));
        self.beside.iter().chain(&self.include).find_map(below).unwrap_or_else(|| path.to_owned())
    }

    /// Checks that a file that the compiler read lies in the folders, also behind links.
    ///
    /// # Errors
    /// If it does not.
    pub(super) fn check(&self, path: &Path) -> Result<(), CompileError> {
        let real = path.canonicalize().map_err(|_| CompileError::Outside(path.to_owned()))?;
        if self.allowed.iter().any(|allowed| real.starts_with(allowed)) {
            Ok(())
        } else {
            Err(CompileError::Outside(path.to_owned()))
        }
    }
}

impl UserFolder {
    /// The folder of this name.
    ///
    /// # Errors
    /// If it does not exist.
    fn new(named: &Path) -> Result<Self, CompileError> {
        let path = if named.as_os_str().is_empty() { Path::new(".") } else { named };
        let real = path.canonicalize().map_err(|why| CompileError::Include { path: path.to_owned(), why })?;
        Ok(Self { named: named.to_owned(), real })
    }

    /// The folder of this name for included files.
    ///
    /// # Errors
    /// If it does not exist, or is not a folder.
    fn of_included(named: &Path) -> Result<Self, CompileError> {
        let folder = Self::new(named)?;
        if folder.real.is_dir() {
            return Ok(folder);
        }
        let why = io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder");
        Err(CompileError::Include { path: named.to_owned(), why })
    }
}
