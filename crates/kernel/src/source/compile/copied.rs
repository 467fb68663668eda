//! The files of a source, with their names in the compiler's outputs: where they are, or in a copy elsewhere.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::CompileError;
use super::text::KernelSource;
use autotune_base::files;

/// The beginning of the names that do not say where a folder is.
const PORTABLE: &str = "<folder>";

/// A folder that a compilation reads, and its name in outputs and messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFolder {
    /// The folder, without links.
    pub path: PathBuf,
    /// The name: a file's own name follows behind it and a `/`. Empty for the working folder.
    pub name: String,
}

/// The places of a source's files and folders. A copy of a source has other places, but the same names; so it compiles
/// to the same outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlaces {
    /// The files that are joined, in the order of the source.
    pub files: Vec<PathBuf>,
    /// The folders of these files.
    pub beside: Vec<NamedFolder>,
    /// The folders for included files.
    pub include: Vec<NamedFolder>,
}

impl SourcePlaces {
    /// The places that a source names.
    ///
    /// # Errors
    /// If a file or folder is missing, or a folder for included files is something else.
    pub(in crate::source) fn of_source(source: &KernelSource) -> Result<Self, CompileError> {
        let named = |folder: &Path| {
            let name = folder.to_string_lossy().into_owned();
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let path = folder.canonicalize();
            let path = path.map_err(|why| CompileError::Include { path: folder.to_owned(), why })?;
            Ok(NamedFolder { path, name })
        };
        for file in &source.files {
            files::named(file, 1).beginning().map_err(CompileError::Source)?;
        }
        let parent = |file: &PathBuf| named(file.parent().unwrap_or(Path::new("")));
        let mut beside = source.files.iter().map(parent).collect::<Result<Vec<_>, CompileError>>()?;
        beside.dedup();
        let include = source.include.iter().map(|folder| named(folder)).collect::<Result<Vec<_>, CompileError>>()?;
        if let Some(folder) = include.iter().find(|folder| !folder.path.is_dir()) {
            let why = io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder");
            return Err(CompileError::Include { path: PathBuf::from(&folder.name), why });
        }
        Ok(Self { files: source.files.clone(), beside, include })
    }

    /// Returns the places with the names that outputs can have: the compiler gives the files below a folder one name for
    /// the folder, so a folder inside another one is named after that, and a folder with one of `inner` keeps its path.
    pub(super) fn settled(mut self, inner: &[&Path]) -> Self {
        for folder in self.beside.iter_mut().chain(&mut self.include) {
            if inner.iter().any(|inner| inner.starts_with(&folder.path)) {
                folder.name = folder.path.display().to_string();
            }
        }
        let named = |folder: &NamedFolder| {
            let name = self.name_of(&folder.path).unwrap_or_default();
            NamedFolder { path: folder.path.clone(), name }
        };
        let beside = self.beside.iter().map(named).collect();
        let include = self.include.iter().map(named).collect();
        Self { files: self.files, beside, include }
    }

    /// All folders.
    pub(super) fn folders(&self) -> impl Iterator<Item = &NamedFolder> {
        self.beside.iter().chain(&self.include)
    }

    /// The name of a file in outputs and messages; `None` if it lies outside the folders.
    pub(in crate::source) fn name_of(&self, file: &Path) -> Option<String> {
        self.outermost(file)?.name_below(file)
    }

    /// The name of a file that does not say where the folders are; `None` if it lies outside the folders. What is kept
    /// for another day has such names.
    pub(in crate::source) fn portable(&self, file: &Path) -> Option<String> {
        let outermost = self.outermost(file)?;
        let number = self.folders().position(|folder| folder == outermost)?;
        let below = file.strip_prefix(&outermost.path).ok()?;
        Some(format!("{PORTABLE}{number}/{}", below.display()))
    }

    /// Today's path of a file with a name from [`SourcePlaces::portable`]; `None` for another name.
    pub(in crate::source) fn path_of_portable(&self, name: &str) -> Option<PathBuf> {
        let (number, below) = name.strip_prefix(PORTABLE)?.split_once('/')?;
        let folder = self.folders().nth(number.parse().ok()?)?;
        let path = folder.path.join(below);
        // The name is a compiler's: it leads nowhere else.
        (without_dots(&path) == path).then_some(path)
    }

    /// The compiler's options that give files their names.
    pub(super) fn options(&self) -> impl Iterator<Item = String> {
        let is_outermost = |folder: &&NamedFolder| self.outermost(&folder.path) == Some(folder);
        self.folders().filter(is_outermost).filter_map(NamedFolder::option)
    }

    fn outermost(&self, path: &Path) -> Option<&NamedFolder> {
        let around = self.folders().filter(|folder| path.starts_with(&folder.path));
        around.min_by_key(|folder| folder.path.as_os_str().len())
    }
}

impl NamedFolder {
    /// The name of what lies in this folder, or of the folder itself; `None` for a path elsewhere.
    fn name_below(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.path).ok()?;
        Some(if below.as_os_str().is_empty() {
            self.name.clone()
        } else {
            format!("{}{}", self.prefix(), below.display())
        })
    }

    /// The option that gives files of this folder their names; `None` if they keep them.
    fn option(&self) -> Option<String> {
        let path = self.path.display().to_string();
        let keeps = self.name == path || path.contains('=') || path == "/";
        (!keeps).then(|| format!("-fdebug-prefix-map={path}/={}", self.prefix()))
    }

    fn prefix(&self) -> String {
        if self.name.is_empty() || self.name.ends_with('/') { self.name.clone() } else { format!("{}/", self.name) }
    }
}

/// A path without `.` and `..`, by its words alone.
#[must_use]
pub fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
        plain
    })
}
