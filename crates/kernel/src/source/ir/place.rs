//! Places of the source, from the compiler's notes for debuggers.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The folder, in the compiler's notes, of headers that have the names of others.
const OWN_FOLDER: &str = "autotune_headers/";

/// The deepest nesting of scopes that is followed.
const DEEPEST: usize = 64;

/// A place of the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file as the compiler names it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl SourcePlace {
    /// True for a place in a file of the user; false for one in a file that autotune gives to the compiler, or in one of the
    /// compiler.
    #[must_use]
    pub fn is_users(&self) -> bool {
        let is_own = |name: &str| name.starts_with("autotune_");
        let is_headers = self.file.starts_with('<') || self.file.starts_with(OWN_FOLDER) || is_own(&self.file);
        !is_headers && !self.file.rsplit('/').next().is_some_and(is_own)
    }
}

/// The notes of a module, by their number.
#[derive(Debug, Default)]
pub(in crate::source) struct Notes<'a>(HashMap<&'a str, &'a str>);

impl<'a> Notes<'a> {
    /// Takes a line `!12 = !DILocation(line: 3, …)`; other lines are left out.
    pub(in crate::source) fn take(&mut self, line: &'a str) {
        let Some((number, note)) = line.strip_prefix('!').and_then(|line| line.split_once(" = ")) else { return };
        self.0.insert(number, note.strip_prefix("distinct ").unwrap_or(note));
    }

    /// The note of this number; `None` if there is none.
    pub(in crate::source) fn get(&self, number: &str) -> Option<&'a str> {
        self.0.get(number).copied()
    }

    /// The place where the function of a note begins; `None` if the note does not say it.
    pub(super) fn beginning(&self, function: &str) -> Option<SourcePlace> {
        let note = self.get(function)?;
        let file = self.get(field(note, "file")?.strip_prefix('!')?)?;
        let file = path(field(file, "directory").unwrap_or_default(), field(file, "filename")?);
        Some(SourcePlace { file, line: field(note, "line")?.parse().ok()?, column: 0 })
    }

    /// The words of a list: `!{!"uint", !"float*"}`.
    pub(super) fn words(&self, number: &str) -> Vec<&'a str> {
        let list = self.get(number).unwrap_or_default();
        list.split('"').skip(1).step_by(2).collect()
    }

    /// The numbers of kernels' names: `!{ptr @name, !"kernel", i32 1}`.
    pub(super) fn kernels(&self) -> Vec<&'a str> {
        let kernel = |note: &&'a str| {
            note.contains(r#"!"kernel""#).then(|| {
                let name = note.split_once('@')?.1;
                let name = name.split_once(',').map_or(name, |(name, _)| name);
                Some(name.trim_matches('"'))
            })?
        };
        self.0.values().filter_map(kernel).collect()
    }

    /// The number that an annotation gives a kernel: `!{ptr @name, !"minctasm", i32 2}`; `None` if there is none.
    pub(super) fn number(&self, kernel: &str, what: &str) -> Option<u64> {
        let number = |note: &&'a str| {
            let (named, number) = note.split_once(what)?;
            let name = named.split_once('@')?.1.split_once(',')?.0;
            let number = number.strip_prefix("\", i32 ")?.trim_end_matches('}');
            (name.trim_matches('"') == kernel && named.ends_with('"')).then(|| number.parse().ok())?
        };
        self.0.values().find_map(number)
    }

    /// The numbers of a note such as `!{i32 16, i32 8, i32 1}`; `None` if it has anything else.
    pub(super) fn numbers(&self, number: &str) -> Option<Vec<u64>> {
        let listed = self.0.get(number)?.strip_prefix("!{")?.strip_suffix('}')?;
        listed.split(", ").map(|number| number.strip_prefix("i32 ")?.parse().ok()).collect()
    }

    /// The places of a `!dbg` note, from the innermost function outwards.
    pub(in crate::source) fn places(&self, number: &str) -> Arc<[SourcePlace]> {
        let mut places = Vec::new();
        let mut next = Some(number);
        while let Some(note) = next.and_then(|number| self.0.get(number))
            && places.len() < DEEPEST
        {
            let line = field(note, "line").and_then(|line| line.parse().ok()).unwrap_or(0);
            let column = field(note, "column").and_then(|column| column.parse().ok()).unwrap_or(0);
            if let Some(file) = self.file(field(note, "scope").unwrap_or_default())
                && line > 0
            {
                places.push(SourcePlace { file, line, column });
            }
            next = field(note, "inlinedAt").and_then(|at| at.strip_prefix('!'));
        }
        places.into()
    }

    /// The file of a scope: its own or that of the scope around it.
    fn file(&self, scope: &str) -> Option<Arc<str>> {
        let mut scope = scope.strip_prefix('!')?;
        for _ in 0..DEEPEST {
            let note = self.0.get(scope)?;
            if let Some(file) = field(note, "file") {
                let file = self.0.get(file.strip_prefix('!')?)?;
                return Some(path(field(file, "directory").unwrap_or_default(), field(file, "filename")?));
            }
            scope = field(note, "scope")?.strip_prefix('!')?;
        }
        None
    }
}

/// The files that a module names; messages may quote their lines.
pub(in crate::source) fn named_files(text: &str) -> BTreeSet<Arc<str>> {
    let notes = text.match_indices("!DIFile(").filter_map(|(at, _)| text[at..].lines().next());
    let named = |note| Some(path(field(note, "directory").unwrap_or_default(), field(note, "filename")?));
    notes.filter_map(named).collect()
}

fn path(directory: &str, file: &str) -> Arc<str> {
    if directory.is_empty() || file.starts_with('/') { file.into() } else { format!("{directory}/{file}").into() }
}

/// The value of a note's field, without quotation marks.
pub(super) fn field<'a>(note: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = note.split_once('(')?.1;
    loop {
        let (key, value) = rest.split_once(": ")?;
        let (value, after) = if let Some(text) = value.strip_prefix('"') {
            text.split_once('"')?
        } else {
            value.split_at(value.find([',', ')']).unwrap_or(value.len()))
        };
        let after = after.trim_start_matches([',', ')']);
        if key.trim() == name {
            return Some(value);
        }
        rest = after;
    }
}
