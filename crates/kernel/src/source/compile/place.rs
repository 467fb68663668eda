//! The folders that a compilation may read, and its own folder.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::super::headers;
use super::clang::Clang;
use super::copied::{NamedFolder, SourcePlaces};
use super::error::CompileError;
use super::view::{ABSENT, HEADERS, OVERLAY, View};
use autotune_base::files::scratch::Scratch;

/// The folders of a source's compilations.
#[derive(Debug)]
pub(super) struct Folders {
    scratch: Scratch,
    /// The folders of the source's files, for `#include "…"`, and those that the user names for included files.
    places: SourcePlaces,
    /// The folder of the compiler's own headers.
    of_clang: PathBuf,
    /// All that may be read, without links.
    allowed: Vec<PathBuf>,
    /// True if the compiler comes without the header of OpenCL C.
    lacks_opencl: bool,
    /// The compiler's view of the files; `None` if it is written, or there is none.
    view: Mutex<Option<View>>,
}

impl Folders {
    /// Makes the temporary folder.
    ///
    /// # Errors
    /// If the temporary folder cannot be written.
    pub(super) fn new(places: SourcePlaces, clang: &Clang) -> Result<Self, CompileError> {
        let scratch = Scratch::new()?;
        let own = scratch.path().canonicalize()?;
        let of_clang = clang.headers.canonicalize().unwrap_or_else(|_| clang.headers.clone());
        let places = places.settled(&[&own, scratch.path(), &of_clang, &clang.headers]);
        let mut allowed: Vec<PathBuf> = places.folders().map(|folder| folder.path.clone()).collect();
        allowed.extend([own, of_clang]);
        let (of_clang, lacks_opencl) = (clang.headers.clone(), clang.lacks_opencl());
        Ok(Self { scratch, places, of_clang, allowed, lacks_opencl, view: Mutex::default() })
    }

    /// Sets the compiler's view of the files.
    pub(super) fn show(&mut self, view: View) {
        self.view = Mutex::new(Some(view));
    }

    /// True if the program or the compiler has a header of this name.
    pub(super) fn have(&self, name: &str) -> bool {
        headers::has(name) || self.of_clang.join(name).is_file()
    }

    /// The compiler's options for these folders; `folder` is the compilation's own.
    pub(super) fn options(&self, folder: &Path, header: Option<&str>) -> Vec<String> {
        let own = self.scratch.path();
        let headers = own.join(HEADERS);
        let mut options = vec!["-ivfsoverlay".to_owned(), own.join(OVERLAY).display().to_string()];
        // Outputs name the user's files as the user does, and no folder of this run or this computer.
        options.push(format!("-fdebug-prefix-map={}=", folder.display()));
        options.push(format!("-fdebug-prefix-map={}/=", headers.display()));
        options.push(format!("-fdebug-prefix-map={}/=<clang>/", self.of_clang.display()));
        if self.lacks_opencl {
            options.extend(["-idirafter".to_owned(), headers.join(headers::OPENCL_BASE).display().to_string()]);
        }
        options.extend(self.places.options());
        for beside in &self.places.beside {
            options.extend(["-iquote".to_owned(), beside.path.display().to_string()]);
        }
        options.extend(self.places.include.iter().map(|folder| format!("-I{}", folder.path.display())));
        // A project's build names its own folders: last, so that no header of the program or the compiler is hidden.
        for beside in &self.places.beside {
            options.extend(["-idirafter".to_owned(), beside.path.display().to_string()]);
        }
        if let Some(header) = header {
            for folder in [headers::NAMED, ABSENT] {
                options.extend(["-isystem".to_owned(), headers.join(folder).display().to_string()]);
            }
            options.extend(["-include".to_owned(), headers.join(header).display().to_string()]);
        }
        options
    }

    /// The compiler's options for a header of this program that it reads before the source.
    pub(super) fn included_first(&self, name: &str) -> [String; 2] {
        let path = self.scratch.path().join(HEADERS).join(headers::NAMED).join(name);
        ["-include".to_owned(), path.display().to_string()]
    }

    /// The folders that the compiler searches for a file, in its order. For a name in angles, those of the source's files are
    /// the last, behind the headers of the program and the compiler.
    pub(super) fn searched(&self, name: &str, is_quoted: bool) -> impl Iterator<Item = &Path> {
        let is_last = !is_quoted && !self.have(name);
        let (first, last) = (self.places.beside.iter(), self.places.beside.iter());
        let first = first.filter(move |_| is_quoted);
        first.chain(&self.places.include).chain(last.filter(move |_| is_last)).map(|folder| folder.path.as_path())
    }

    /// A new folder for one compilation. Before the first one, the compiler's view of the files is written: a command whose
    /// answers are cached writes none of the headers.
    ///
    /// # Errors
    /// If the temporary folder cannot be written.
    pub(super) fn compilation(&self) -> Result<tempfile::TempDir, CompileError> {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unwritten) = view.as_ref() {
            unwritten.write(self.scratch.path(), &self.allowed, &self.of_clang)?;
            *view = None;
        }
        Ok(tempfile::tempdir_in(self.scratch.path())?)
    }

    /// The folders that a compilation may read, with their names.
    pub(super) fn places(&self) -> &SourcePlaces {
        &self.places
    }

    /// True for a file of this program's or a compilation's own.
    pub(super) fn is_own(&self, path: &Path) -> bool {
        path.starts_with(self.scratch.path())
    }

    /// Checks that a file that outputs name lies in the folders, or nowhere: messages quote its lines, and a `#line` gives it
    /// any name. A copy's files have the names of those that they are copies of.
    ///
    /// # Errors
    /// If it lies elsewhere.
    pub(super) fn check_named(&self, name: &Path) -> Result<(), CompileError> {
        let Ok(real) = name.canonicalize() else { return Ok(()) };
        let is_below = |folder: &NamedFolder| {
            let named = Path::new(if folder.name.is_empty() { "." } else { &folder.name }).canonicalize();
            named.is_ok_and(|named| real.starts_with(named))
        };
        let is_known = self.places.folders().any(is_below) || self.check(name).is_ok();
        if is_known { Ok(()) } else { Err(CompileError::OutsideLine(name.to_owned())) }
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
