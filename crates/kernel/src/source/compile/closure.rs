//! The files that a source includes, as far as compilations have met them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::asked::asks_target;
use super::error::CompileError;
use super::macros::Macros;
use super::text::{Joined, LONGEST_FILE, identifiers, joins_identifiers, makes_identifiers, splits_lines};
use autotune_base::files;
use autotune_base::files::cache::Key;
use autotune_base::files::checksum::sha256;

/// The included files with what of them matters. A file that no compilation has met is not there; so a result counts for
/// a key only if all files that made it are there.
#[derive(Debug)]
pub(super) struct Closure {
    /// The checksum of each file.
    files: BTreeMap<PathBuf, String>,
    /// The folders that the compiler searches for included files.
    searched: Vec<PathBuf>,
    /// Other files that the compiler may find first under the name of an included one: a new one makes another key.
    rivals: BTreeSet<PathBuf>,
    identifiers: HashSet<String>,
    /// True if any macro may matter, because the text makes identifiers.
    all_matter: bool,
    /// True if a text makes identifiers from parts.
    joins: bool,
    /// True if a text asks for more of its target than macros say.
    asks_target: bool,
    /// All that every compilation of the source depends on.
    base: String,
}

impl Closure {
    pub(super) fn new(joined: &Joined, searched: Vec<PathBuf>, base: String) -> Self {
        let (files, rivals, identifiers) = (BTreeMap::new(), BTreeSet::new(), HashSet::new());
        let (all_matter, joins, asks_target) = (false, false, false);
        let mut closure = Self { files, searched, rivals, identifiers, all_matter, joins, asks_target, base };
        closure.read(&joined.text);
        closure
    }

    fn read(&mut self, text: &str) {
        self.all_matter |= makes_identifiers(text);
        self.joins |= joins_identifiers(text);
        // A name may stand on two lines.
        let spliced = splits_lines(text).then(|| text.replace("\\\r\n", "").replace("\\\n", ""));
        for identifier in identifiers(text).chain(spliced.iter().flat_map(|text| identifiers(text))) {
            self.asks_target |= asks_target(identifier);
            if !self.identifiers.contains(identifier) {
                self.identifiers.insert(identifier.to_owned());
            }
        }
    }

    /// True if what the source and the files that it includes mean may depend on these macros of a target, or on more of it.
    pub(super) fn asks(&self, macros: &BTreeSet<String>) -> bool {
        let is_made = |name: &str| {
            // The first part of a joined name is a word of the text.
            self.joins && self.identifiers.iter().any(|part| name.len() > part.len() && name.starts_with(part.as_str()))
        };
        self.asks_target || macros.iter().any(|name| self.identifiers.contains(name) || is_made(name))
    }

    /// The key of all that every compilation of the source depends on.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// True if the source or an included file has an identifier.
    pub(super) fn names(&self, identifier: &str) -> bool {
        self.identifiers.contains(identifier)
    }

    /// The paths of the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Adds files. Returns true if one is new.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn add<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>) -> Result<bool, CompileError> {
        let mut has_new = false;
        for path in paths {
            if self.files.contains_key(path) {
                continue;
            }
            let bytes = files::named(path, LONGEST_FILE).bytes().map_err(CompileError::Source)?;
            // The compiler reads this one before it knows any macro of a configuration.
            if path.file_name().is_none_or(|name| name != "opencl-c-base.h") {
                self.read(&String::from_utf8_lossy(&bytes));
            }
            self.files.insert(path.to_owned(), sha256([bytes.as_slice()]));
            has_new = true;
        }
        if has_new {
            self.rivals = self.rivals();
        }
        Ok(has_new)
    }

    /// The files, beside the included ones, that stand under one of their names in a folder that is searched or has an
    /// included file.
    fn rivals(&self) -> BTreeSet<PathBuf> {
        let of_files = self.files.keys().filter_map(|file| file.parent());
        let folders: BTreeSet<&Path> = self.searched.iter().map(PathBuf::as_path).chain(of_files).collect();
        let names: BTreeSet<PathBuf> = self.files.keys().flat_map(|file| self.names_of(file)).collect();
        let paths = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
        paths.filter(|path| !self.files.contains_key(path) && path.is_file()).collect()
    }

    /// The names that a file may have been included by: its path from a searched folder or from one below it.
    fn names_of(&self, file: &Path) -> Vec<PathBuf> {
        let below = self.searched.iter().filter_map(|folder| file.strip_prefix(folder).ok());
        let longest = below.max_by_key(|path| path.components().count()).or(file.file_name().map(Path::new));
        let components: Vec<_> = longest.into_iter().flat_map(Path::components).collect();
        (0..components.len()).map(|first| components[first..].iter().collect()).collect()
    }

    /// The key of a configuration's compilation: equal keys have equal outputs.
    pub(super) fn key(&self, macros: &Macros, arguments: &HashSet<String>) -> Key {
        let mut parts = vec!["compiled".to_owned(), self.base.clone()];
        for (path, sum) in &self.files {
            parts.extend([path.display().to_string(), sum.clone()]);
        }
        parts.extend(self.rivals.iter().map(|path| path.display().to_string()));
        let matters = |name: &str| self.all_matter || self.identifiers.contains(name);
        let macros = macros.all(arguments).into_iter().filter(|(name, _)| matters(name));
        parts.extend(macros.map(|(name, value)| format!("{name}={value}")));
        Key::of(parts.iter().map(String::as_str))
    }
}

/// The files that a compilation read, from the text for `make` that the compiler writes.
pub(super) fn read_files(text: &str) -> Vec<PathBuf> {
    let Some((_, list)) = text.split_once(": ") else { return Vec::new() };
    let mut files = Vec::new();
    let mut file = String::new();
    let mut letters = list.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => file.extend(letters.next()),
            ('\\', Some('\n')) => _ = letters.next(),
            (' ' | '\n', _) => {
                if !file.is_empty() {
                    files.push(PathBuf::from(std::mem::take(&mut file)));
                }
            }
            _ => file.push(letter),
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_included_files_may_have_spaces_and_signs() {
        let text = "out.ll: /s/main.cl \\\n  /u/my\\ file.h /u/a$$b.h \\\n  /u/\\#c.h\n";
        let names: Vec<_> = read_files(text).iter().map(|path| path.display().to_string()).collect();
        assert_eq!(names, ["/s/main.cl", "/u/my file.h", "/u/a$b.h", "/u/#c.h"]);
    }
}
