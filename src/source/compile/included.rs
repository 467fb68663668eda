//! Files that a source includes by name, looked at before the compiler opens them: on a FIFO it would wait, from a device
//! it would read without end.
//!
//! A name that only the preprocessor knows is not found here. The compiler's limits then end it.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::headers;
use super::super::ir::SourcePlace;
use super::error::CompileError;
use super::place::Folders;
use super::text::{Joined, LONGEST_FILE};
use crate::files;

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

/// Checks that all files that a source includes by name, and that these include, are regular files. Returns the headers of
/// this program among them.
///
/// # Errors
/// [`CompileError::Irregular`] for the first one that is not.
pub(super) fn check(joined: &Joined, folders: &Folders) -> Result<BTreeSet<&'static str>, CompileError> {
    let mut seen = HashSet::new();
    let mut own = BTreeSet::new();
    let mut open = included_files(&joined.text, "", None, folders, &mut own)?;
    while let Some(path) = open.pop() {
        // What lies outside of the folders is neither read here nor by the compiler.
        if !seen.insert(path.clone()) || folders.check(&path).is_err() {
            continue;
        }
        // The compiler says why a file cannot be read.
        let Ok(bytes) = files::named(&path, LONGEST_FILE).bytes() else { continue };
        let text = String::from_utf8_lossy(&bytes);
        open.extend(included_files(&text, &path.to_string_lossy(), path.parent(), folders, &mut own)?);
    }
    Ok(own)
}

/// The files that a text includes by name, each the first of its name on the compiler's way through the folders. Headers of
/// this program, which come last on that way, are added to `own`.
fn included_files(
    text: &str,
    name: &str,
    own_folder: Option<&Path>,
    folders: &Folders,
    own: &mut BTreeSet<&'static str>,
) -> Result<Vec<PathBuf>, CompileError> {
    let mut found = Vec::new();
    for Included { name, is_quoted, place } in included(text, name) {
        let own_folder = own_folder.filter(|_| is_quoted);
        let paths = own_folder.into_iter().chain(folders.searched(is_quoted)).map(|folder| folder.join(name));
        // The compiler passes over a folder.
        let mut there = paths.filter_map(|path| Some((std::fs::metadata(&path).ok()?, path)));
        let Some((metadata, path)) = there.find(|(metadata, _)| !metadata.is_dir()) else {
            own.extend(headers::found(name));
            continue;
        };
        if let Some(kind) = files::irregular(metadata.file_type()) {
            return Err(CompileError::Irregular { path, kind, place });
        }
        found.push(path);
    }
    Ok(found)
}

/// The names of files in a text's directives. A `#line` says which file and line the next line is.
fn included<'a>(text: &'a str, file: &str) -> Vec<Included<'a>> {
    let mut found = Vec::new();
    let (mut file, mut line): (Arc<str>, u32) = (file.into(), 0);
    for written in text.lines() {
        line += 1;
        let Some(directive) = written.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if let Some(name) = directive.strip_prefix("line 1 \"").and_then(|name| name.strip_suffix('"')) {
            (file, line) = (name.into(), 0);
        }
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
        let text = "#line 1 \"k.cl\"\n#include \"a b.h\" // first\n  #  include <c/d.h>\n#include NAME\nint include;\n\
                    #line 1 \"l.cl\"\n#include_next \"e.h\"\n#include <f.h\n#embed \"g\"\n";
        let found = included(text, "").into_iter();
        let found: Vec<_> = found
            .map(|one| (one.name, one.is_quoted, format!("{}:{}:{}", one.place.file, one.place.line, one.place.column)))
            .collect();
        let expected = [
            ("a b.h", true, "k.cl:1:10"),
            ("c/d.h", false, "k.cl:2:14"),
            ("e.h", true, "l.cl:1:15"),
            ("f.h", false, "l.cl:2:10"),
            ("g", true, "l.cl:3:8"),
        ];
        assert_eq!(found, expected.map(|(name, is_quoted, place)| (name, is_quoted, place.to_owned())));
    }
}
