//! `inputs/source/`: the files of a kernel's source, so that another computer compiles the same outputs.

use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::hashes;
use autotune_base::files::{self, MIB};
use autotune_kernel::source::{CompilationOrigin, KernelSource, NamedFolder, SourcePlaces, without_dots};

/// The folder of the files.
const SOURCES: &str = "inputs/source";
/// The greatest size of a file, in bytes.
const MOST: u64 = 16 * MIB;

/// The files of a source and the folders where the compiler looks for them. Their places are relative to a folder that
/// has them all, so that `#include "../common.h"` finds the same file in a copy.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptSource {
    /// The files that are joined, in order.
    files: Vec<Placed>,
    /// The places of the included files.
    included: Vec<String>,
    /// The folders of the files that are joined.
    beside: Vec<Placed>,
    /// The folders for included files.
    include: Vec<Placed>,
}

/// A file or folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placed {
    /// The name in outputs and messages.
    name: String,
    /// The place in a copy: names of folders and files, joined by `/`.
    at: String,
}

impl KeptSource {
    /// Writes the files of a source into a folder.
    pub(super) fn write(folder: &Path, source: &KernelSource, provenance: &CompilationOrigin) -> io::Result<Self> {
        let SourcePlaces { files, beside, include } = &provenance.places;
        let included: Vec<PathBuf> = provenance.included.iter().map(|file| without_dots(file)).collect();
        let files = files.iter().map(|file| real(file)).collect::<io::Result<Vec<_>>>()?;
        let root = common(beside.iter().chain(include).map(|folder| folder.path.as_path()));
        let at = |path: &Path| place(&root, path);
        let named = |folder: &NamedFolder| Ok(Placed { name: folder.name.clone(), at: at(&folder.path)? });
        let file = |(name, file): (&PathBuf, &PathBuf)| {
            Ok(Placed { name: name.to_string_lossy().into_owned(), at: at(file)? })
        };
        let kept = Self {
            files: source.files.iter().zip(&files).map(file).collect::<io::Result<_>>()?,
            included: included.iter().map(|file| at(file)).collect::<io::Result<_>>()?,
            beside: beside.iter().map(named).collect::<io::Result<_>>()?,
            include: include.iter().map(named).collect::<io::Result<_>>()?,
        };
        fs::create_dir_all(folder.join(SOURCES))?;
        for (name, file) in kept.names().zip(files.iter().chain(&included)) {
            hashes::add(folder, &name, files::named(file, MOST).bytes()?)?;
        }
        Ok(kept)
    }

    /// The places of the files, in the order of their numbers.
    fn places(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.at.as_str()).chain(self.included.iter().map(String::as_str))
    }

    /// The names of the files in a folder.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let name = |at: &str| at.rsplit('/').next().unwrap_or_default().to_owned();
        self.places().enumerate().map(move |(number, at)| format!("{SOURCES}/{number}-{}", name(at)))
    }

    /// Copies the files to a new folder. Returns the source under its names, and its places there; `stated` is what the
    /// spec says of it.
    ///
    /// # Errors
    /// If the files are not those of the spec, a place is not inside the folder, or a file cannot be copied.
    pub(super) fn copy(
        &self,
        folder: &Path,
        to: &Path,
        stated: &KernelSource,
    ) -> io::Result<(KernelSource, SourcePlaces)> {
        let wrong = |what: String| io::Error::new(ErrorKind::InvalidInput, what);
        let spelled = |placed: &[Placed]| placed.iter().map(|one| PathBuf::from(&one.name)).collect::<Vec<_>>();
        let (files, include) = (spelled(&self.files), spelled(&self.include));
        let is_stated = |(file, stated): (&PathBuf, &PathBuf)| file.file_name() == stated.file_name();
        if files.len() != stated.files.len()
            || include.len() != stated.include.len()
            || !files.iter().zip(&stated.files).all(is_stated)
        {
            return Err(wrong("its files and folders are not those of the spec's source".to_owned()));
        }
        let inside = |at: &str| {
            let path = Path::new(at);
            let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
            if is_plain { Ok(to.join(path)) } else { Err(wrong(format!("`{at}` is not a place of a source"))) }
        };
        let named = |placed: &Placed| {
            let path = inside(&placed.at)?;
            fs::create_dir_all(&path)?;
            Ok(NamedFolder { path: path.canonicalize()?, name: placed.name.clone() })
        };
        let places = SourcePlaces {
            files: self.files.iter().map(|file| inside(&file.at)).collect::<io::Result<_>>()?,
            beside: self.beside.iter().map(named).collect::<io::Result<_>>()?,
            include: self.include.iter().map(named).collect::<io::Result<_>>()?,
        };
        for (name, at) in self.names().zip(self.places()) {
            let path = inside(at)?;
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let bytes = files::kept(&folder.join(&name), MOST).called(&name).bytes()?;
            fs::OpenOptions::new().write(true).create_new(true).open(&path)?.write_all(&bytes)?;
        }
        Ok((KernelSource { files, include, ..stated.clone() }, places))
    }
}

/// A file's path without links in its folder.
fn real(file: &Path) -> io::Result<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(file.file_name().unwrap_or_default()))
}

/// The deepest folder that has all of these.
fn common<'p>(mut paths: impl Iterator<Item = &'p Path>) -> PathBuf {
    let first = paths.next().unwrap_or(Path::new("/")).to_owned();
    paths.fold(first, |common, path| {
        let shared = common.components().zip(path.components()).take_while(|(one, two)| one == two);
        shared.map(|(component, _)| component).collect()
    })
}

/// The place of a path below a folder, as text.
fn place(root: &Path, path: &Path) -> io::Result<String> {
    let below = path.strip_prefix(root).ok().and_then(Path::to_str);
    below.map(str::to_owned).ok_or_else(|| {
        let what = format!("`{}` cannot be kept: its path leaves the source's folders or is not UTF-8", path.display());
        io::Error::new(ErrorKind::InvalidInput, what)
    })
}
