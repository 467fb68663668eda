//! The files of a question: the source, its own headers, and host code.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::commands;
use super::error::InferenceError;
use super::function::{File, FileKind};
use super::python;
use crate::spec::SourceOptions;
use autotune_base::files;
use autotune_kernel::source::{Word, words};

/// The most bytes of a file.
const LONGEST: u64 = 16 * files::MIB;
/// The most headers that are read.
const MOST_HEADERS: usize = 200;

/// The files that were read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) files: Vec<File>,
    /// The number of files, from the first, that may have the kernel.
    pub(super) of_kernel: usize,
    /// The lines of launches, or of commands, that host files are named with: `main.cu:88`.
    pub(super) lines: Vec<(usize, u32)>,
}

/// The folders of headers.
struct Searched<'a> {
    include: &'a [PathBuf],
    /// The folder that headers have to lie in, without links; `None` if they may lie anywhere.
    root: Option<PathBuf>,
}

impl Searched<'_> {
    fn may_read(&self, path: &Path) -> bool {
        self.root.as_ref().is_none_or(|root| path.canonicalize().is_ok_and(|whole| whole.starts_with(root)))
    }
}

/// Reads the source with the headers that it includes in quotes, and host code with its own.
pub(super) fn read(given: &SourceOptions, hosts: &[PathBuf], root: Option<&Path>) -> Result<Read, InferenceError> {
    let root = root.map(|root| root.canonicalize().unwrap_or_else(|_| root.to_owned()));
    let searched = Searched { include: &given.include, root };
    let mut read = Read { files: Vec::new(), of_kernel: 0, lines: Vec::new() };
    let mut seen = HashSet::new();
    read.add(&given.file, &searched, &mut seen)?;
    read.of_kernel = read.files.len();
    for host in hosts {
        let (path, line) = host_with_line(host);
        let next = read.files.len();
        read.add(&path, &searched, &mut seen)?;
        if let Some(line) = line {
            let name = path.display().to_string();
            let file = read.files.iter().position(|file| file.name == name).unwrap_or(next);
            read.lines.push((file, line));
        }
    }
    Ok(read)
}

/// The path of a host file, and the line behind it: `main.cu:88`; `None` for a file without one.
#[must_use]
pub fn host_with_line(host: &Path) -> (PathBuf, Option<u32>) {
    let split = host.to_str().and_then(|text| text.rsplit_once(':'));
    match split.and_then(|(path, line)| Some((path, line.parse().ok()?))) {
        Some((path, line)) if !host.exists() => (path.into(), Some(line)),
        _ => (host.to_owned(), None),
    }
}

impl Read {
    fn add(&mut self, path: &Path, searched: &Searched<'_>, seen: &mut HashSet<PathBuf>) -> Result<(), InferenceError> {
        let named = files::named(path, LONGEST);
        let bytes = named.bytes().map_err(|why| InferenceError::Read { path: path.to_owned(), why })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !seen.insert(path.to_owned()) {
            return Ok(());
        }
        let headers = included(&text);
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_source = self.files.is_empty();
        let kind = match path.extension() {
            Some(ending) if ending == "py" => FileKind::Python(python::as_statements(&text)),
            _ if commands::are_in(path, &text) => FileKind::Commands,
            _ => FileKind::C,
        };
        self.files.push(File { name: path.display().to_string(), text, kind });
        for header in headers {
            let folders = std::iter::once(folder).chain(searched.include.iter().map(PathBuf::as_path));
            let found = folders.map(|folder| folder.join(&header)).find(|path| path.is_file());
            // A header outside of the source's folders is not read without the user's word.
            let found = found.filter(|path| (!is_source || !path.starts_with("..")) && searched.may_read(path));
            let Some(found) = found else { continue };
            if self.files.len() < MOST_HEADERS && !seen.contains(&found) {
                // What cannot be read has no launch.
                let _ = self.add(&found, searched, seen);
            }
        }
        Ok(())
    }
}

/// The headers that a text includes in quotes.
fn included(text: &str) -> Vec<String> {
    let all = words(text);
    let directives = all.iter().filter_map(Word::directive).filter(|(kind, _)| *kind == "include");
    let named = directives.filter_map(|(_, rest)| rest.trim().strip_prefix('"')?.split('"').next());
    named.map(ToOwned::to_owned).collect()
}
