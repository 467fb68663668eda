//! The folders that a compilation may read, and its own folder.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use serde_json::to_string;

use super::super::headers;
use super::absent::AbsentHeader;
use super::clang::Clang;
use super::copied::{NamedFolder, SourcePlaces, without_dots};
use super::error::CompileError;
use crate::files::scratch::Scratch;

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
}

const OVERLAY: &str = "autotune_overlay.yaml";
const HEADERS: &str = "headers";
/// The folder of empty headers in place of those that are nowhere, within that of the headers.
const ABSENT: &str = "absent";
/// The folder of the texts that stand for headers of the user.
const TEXTS: &str = "texts";

impl Folders {
    /// Makes the temporary folder and writes what the compiler reads there.
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
        headers::write_given(&scratch.path().join(HEADERS))?;
        let folders = Self { scratch, places, of_clang: clang.headers.clone(), allowed };
        Ok(folders)
    }

    /// Writes the compiler's view of the files: headers of the user have other texts, and absent ones are empty.
    ///
    /// # Errors
    /// If the temporary folder cannot be written.
    pub(super) fn show(
        &self,
        of_user: &[(PathBuf, String)],
        elsewhere: Option<&BTreeSet<String>>,
        absent: &[AbsentHeader],
        clang: &Clang,
    ) -> Result<(), CompileError> {
        headers::write_named(&self.scratch.path().join(HEADERS), elsewhere)?;
        let texts = self.scratch.path().join(TEXTS);
        fs::create_dir_all(&texts)?;
        let mut changed = Vec::new();
        for (number, (path, text)) in of_user.iter().enumerate() {
            let copy = texts.join(number.to_string());
            fs::write(&copy, text)?;
            let path = without_dots(path);
            let names = [path.canonicalize().ok().filter(|real| *real != path), Some(path)];
            changed.extend(names.into_iter().flatten().map(|name| (name, copy.clone())));
        }
        for path in absent.iter().filter_map(|absent| below(&absent.name)) {
            let file = self.scratch.path().join(HEADERS).join(ABSENT).join(path);
            fs::create_dir_all(file.parent().unwrap_or(&file))?;
            fs::write(file, headers::EMPTY_TEXT)?;
        }
        fs::create_dir_all(self.scratch.path().join(HEADERS).join(ABSENT))?;
        fs::write(self.scratch.path().join(OVERLAY), self.overlay(&changed, clang)?)?;
        Ok(())
    }

    /// True if the program or the compiler has a header of this name.
    pub(super) fn have(&self, name: &str) -> bool {
        headers::has(name) || self.of_clang.join(name).is_file()
    }

    /// The compiler's view of the files: nothing but these folders exists.
    fn overlay(&self, changed: &[(PathBuf, PathBuf)], clang: &Clang) -> Result<String, CompileError> {
        let given = [self.scratch.path(), &clang.headers].map(Path::to_owned);
        let mut names: Vec<&PathBuf> = self.allowed.iter().chain(&given).collect();
        names.sort();
        names.dedup();
        let quoted = |path: &Path| to_string(&path.to_string_lossy()).map_err(std::io::Error::other);
        let mut roots = Vec::new();
        for (name, copy) in changed {
            let (name, copy) = (quoted(name)?, quoted(copy)?);
            let file =
                format!(r#""type": "file", "name": {name}, "external-contents": {copy}, "use-external-name": false"#);
            roots.push(format!("{{ {file} }}"));
        }
        for name in names {
            let name = quoted(name)?;
            roots.push(format!(r#"{{ "type": "directory-remap", "name": {name}, "external-contents": {name} }}"#));
        }
        // The older word is understood up to version 15.
        let redirect =
            if clang.version < 16 { r#""fallthrough": "false""# } else { r#""redirecting-with": "redirect-only""# };
        let roots = roots.join(",\n");
        Ok(format!("{{ \"version\": 0, \"case-sensitive\": \"true\", {redirect}, \"roots\": [\n{roots}\n] }}\n"))
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
        options.extend(self.places.options());
        for beside in &self.places.beside {
            options.extend(["-iquote".to_owned(), beside.path.display().to_string()]);
        }
        options.extend(self.places.include.iter().map(|folder| format!("-I{}", folder.path.display())));
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

    /// The folders that the compiler searches for a file, in its order; those of the source's files only for a name in
    /// quotes.
    pub(super) fn searched(&self, is_quoted: bool) -> impl Iterator<Item = &Path> {
        let beside = self.places.beside.iter().filter(move |_| is_quoted);
        beside.chain(&self.places.include).map(|folder| folder.path.as_path())
    }

    /// A new folder for one compilation.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn compilation(&self) -> std::io::Result<tempfile::TempDir> {
        tempfile::tempdir_in(self.scratch.path())
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

/// The path of a header below a folder; `None` if it would lie elsewhere.
fn below(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}
