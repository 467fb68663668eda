//! Files that a source includes by name, looked at before the compiler opens them: on a FIFO it would wait, from a device
//! it would read without end.
//!
//! A name that only the preprocessor knows is not found here. The compiler's limits then end it.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::headers;
use super::super::ir::SourcePlace;
use super::absent::{AbsentHeader, Elsewhere};
use super::copied::{SourcePlaces, without_dots};
use super::error::CompileError;
use super::place::Folders;
use super::text::LONGEST_FILE;
use autotune_base::files;

/// The directives that open a file.
const DIRECTIVES: [&str; 4] = ["include_next", "include", "import", "embed"];

/// A file's name in a directive.
#[derive(Debug, PartialEq, Eq)]
struct Included<'a> {
    name: &'a str,
    /// True if it is in quotes, and the folder of its file is searched first.
    is_quoted: bool,
    place: SourcePlace,
}

/// A header of the user that a source includes by its name, or that another header of it includes.
#[derive(Debug)]
pub(super) struct Header {
    /// The path that the compiler opens it by.
    pub(super) path: PathBuf,
    /// The text.
    pub(super) text: String,
}

/// The headers that a source includes by name.
#[derive(Debug, Default)]
pub(super) struct Headers {
    /// The user's headers, in the order of their first inclusion.
    pub(super) of_user: Vec<Header>,
    /// The names of this program's headers.
    pub(super) own: BTreeSet<&'static str>,
    /// The names that no folder of the user has.
    pub(super) elsewhere: Elsewhere,
    /// The headers that are nowhere, each once.
    pub(super) absent: Vec<AbsentHeader>,
}

/// Reads the headers that a source includes by name, and that these include. Each text has the name of its file.
///
/// # Errors
/// [`CompileError::Irregular`] for the first one that is not a regular file.
pub(super) fn headers(texts: &[(String, &str)], folders: &Folders, is_cuda: bool) -> Result<Headers, CompileError> {
    let mut found = Headers::default();
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    for (name, text) in texts {
        open.extend(included_files(text, name, None, folders, &mut found.absent)?);
    }
    let mut next = 0;
    while let Some(path) = open.get(next).cloned() {
        next += 1;
        // What lies outside of the folders is neither read here nor by the compiler.
        if !seen.insert(path.clone()) || folders.check(&path).is_err() {
            continue;
        }
        if stands_for(&path, folders).is_some() {
            found.of_user.push(Header { path, text: String::new() });
            continue;
        }
        // The compiler says why a file cannot be read.
        let Ok(bytes) = files::named(&path, LONGEST_FILE).bytes() else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        open.extend(included_files(&text, &path.to_string_lossy(), path.parent(), folders, &mut found.absent)?);
        found.of_user.push(Header { path, text });
    }
    let read = texts.iter().map(|(_, text)| *text).chain(found.of_user.iter().map(|header| header.text.as_str()));
    let may_lack = read.into_iter().any(has_unknown_names);
    found.elsewhere = Elsewhere { names: found.absent.iter().map(|absent| absent.name.clone()).collect(), may_lack };
    found.own = found.absent.iter().filter_map(|absent| headers::found(&absent.name)).collect();
    let mut names = HashSet::new();
    let is_nowhere = |absent: &AbsentHeader| {
        is_cuda
            && !folders.have(&absent.name)
            && headers::refusal(&absent.name).is_none()
            && folder_of(&absent.name, Some(&absent.place), folders.places()).is_none()
    };
    found.absent.retain(|absent| is_nowhere(absent) && names.insert(absent.name.clone()));
    Ok(found)
}

/// The files that a text includes by name, each the first of its name on the compiler's way through the folders. Names that
/// none of these folders has go to `absent`.
fn included_files(
    text: &str,
    name: &str,
    own_folder: Option<&Path>,
    folders: &Folders,
    absent: &mut Vec<AbsentHeader>,
) -> Result<Vec<PathBuf>, CompileError> {
    let mut found = Vec::new();
    for Included { name, is_quoted, place } in included(text, name) {
        let own_folder = own_folder.filter(|_| is_quoted);
        let paths = own_folder.into_iter().chain(folders.searched(name, is_quoted)).map(|folder| folder.join(name));
        // The compiler passes over a folder.
        let mut there = paths.filter_map(|path| Some((std::fs::metadata(&path).ok()?, path)));
        let Some((metadata, path)) = there.find(|(metadata, _)| !metadata.is_dir()) else {
            absent.push(AbsentHeader { name: name.to_owned(), place });
            continue;
        };
        if let Some(kind) = files::irregular(metadata.file_type()) {
            return Err(CompileError::Irregular { path, kind, place });
        }
        if stands_for(&path, folders).is_some() {
            absent.push(AbsentHeader { name: name.to_owned(), place });
        }
        found.push(path);
    }
    Ok(found)
}

/// Files that show a folder of torch's own headers.
const OF_TORCH: [&str; 2] = ["ATen/ATen.h", "c10/macros/Macros.h"];

/// The header of this program that is read in place of one of torch's own, whose declarations are the host's by the
/// thousand; `None` for other files.
fn stands_for(path: &Path, folders: &Folders) -> Option<&'static str> {
    let include = &folders.places().include;
    let has_torch = include.iter().any(|folder| OF_TORCH.iter().all(|name| folder.path.join(name).is_file()));
    let mut names = include.iter().filter_map(|folder| path.strip_prefix(&folder.path).ok()?.to_str());
    names.find_map(headers::found).filter(|header| has_torch && *header == headers::TORCH)
}

/// A folder outside of those of a source where a name in a directive leads to a file: the one around the file for a
/// name that leaves the folder of the directive, else one around the source's folders. `None` if there is none.
pub(super) fn folder_of(name: &str, place: Option<&SourcePlace>, places: &SourcePlaces) -> Option<PathBuf> {
    let includer = place.and_then(|place| Path::new(&*place.file).parent());
    let beside = includer.map(|folder| folder.join(name)).filter(|file| file.is_file());
    let of_file = beside.and_then(|file| {
        let folder = file.parent()?;
        Some(if folder.is_absolute() { without_dots(folder) } else { folder.to_owned() })
    });
    let around = || places.beside.iter().flat_map(|folder| folder.path.ancestors());
    of_file.or_else(|| around().find(|folder| folder.join(name).is_file()).map(Path::to_owned))
}

/// True if a text may include files by names that are not in its directives.
fn has_unknown_names(text: &str) -> bool {
    let includes = text.lines().filter_map(|line| line.trim_start().strip_prefix('#').map(str::trim_start));
    let mut names = includes.filter_map(|line| DIRECTIVES.iter().find_map(|word| line.strip_prefix(word)));
    text.contains("__has_include") || names.any(|name| !name.trim_start().starts_with(['"', '<']))
}

/// The names of files in a text's directives.
fn included<'a>(text: &'a str, file: &str) -> Vec<Included<'a>> {
    let mut found = Vec::new();
    let file: Arc<str> = file.into();
    for (line, written) in (1..).zip(text.lines()) {
        let Some(directive) = written.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        let Some(word) = DIRECTIVES.iter().find_map(|word| directive.strip_prefix(word)) else { continue };
        let word = word.trim_start();
        let (end, is_quoted) = if word.starts_with('"') { ('"', true) } else { ('>', false) };
        let Some(name) = word.strip_prefix(['"', '<']).and_then(|name| name.split(end).next()) else { continue };
        let column = u32::try_from(written.len() - word.len() + 1).unwrap_or_default();
        found.push(Included { name, is_quoted, place: SourcePlace { file: file.clone(), line, column } });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_directives() {
        let text = "#include \"a b.h\" // first\n  #  include <c/d.h>\n#include NAME\nint include;\n\
                    #include_next \"e.h\"\n#include <f.h\n#embed \"g\"\n";
        let found = included(text, "k.cl").into_iter();
        let found: Vec<_> = found
            .map(|Included { name, is_quoted, place }| {
                (name, is_quoted, format!("{}:{}:{}", place.file, place.line, place.column))
            })
            .collect();
        let expected = [
            ("a b.h", true, "k.cl:1:10"),
            ("c/d.h", false, "k.cl:2:14"),
            ("e.h", true, "k.cl:5:15"),
            ("f.h", false, "k.cl:6:10"),
            ("g", true, "k.cl:7:8"),
        ];
        assert_eq!(found, expected.map(|(name, is_quoted, place)| (name, is_quoted, place.to_owned())));
    }
}
