//! Standard output and standard error.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use super::failure::Failure;
use super::verbosity::{Verbosity, verbosity};
use crate::render::plot::Picture;
use autotune_base::text::{self, Inferred, inferred_lines};
use autotune_base::user_error::message;

/// Prints text that ends with a newline. A closed pipe is not a failure.
pub(super) fn text(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::Output),
    }
}

/// Prints what follows from the text of a source, as the first lines of an answer.
pub(super) fn inferred(all: &[Inferred]) -> Result<(), Failure> {
    if all.is_empty() { Ok(()) } else { self::text(&format!("{}\n", inferred_lines(all))) }
}

/// The path of the regular file that receives standard output; `None` if there is no such file or the system does not
/// name it.
pub(super) fn file() -> Option<PathBuf> {
    fs_err::read_link("/proc/self/fd/1").ok().filter(|path| path.is_file())
}

/// The width of the terminal in columns; `None` if standard output is not a terminal.
pub(super) fn columns() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns.into())
}

/// Returns a value as JSON that ends with a newline.
pub(super) fn to_json(value: &impl Serialize) -> io::Result<String> {
    Ok(text::json::to_json(value)?)
}

/// Returns a temporary file in the folder of a file, which it replaces as a whole once it is persisted.
pub(super) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().permissions(PermissionsExt::from_mode(0o666)).tempfile_in(folder)
}

/// Writes a picture into a file, as SVG.
pub(super) fn picture(path: &Path, picture: &Picture) -> Result<(), Failure> {
    Ok(fs_err::write(path, picture.svg()?)?)
}

/// Prints all failures but the last, and returns the last.
pub(super) fn all<const N: usize>(ends: [Result<(), Failure>; N]) -> Result<(), Failure> {
    let mut last = Ok(());
    for failure in ends.into_iter().filter_map(Result::err) {
        if let Err(before) = std::mem::replace(&mut last, Err(failure)) {
            error(&before);
        }
    }
    last
}

/// Prints a note on standard error, unless `--quiet` is given. A note changes no result.
#[expect(clippy::print_stderr, reason = "this is the one place where notes are printed")]
pub(super) fn note(text: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("note: {text}");
    }
}

/// Prints a warning and its help on standard error, unless `--quiet` is given.
#[expect(clippy::print_stderr, reason = "this is the one place where warnings are printed")]
pub(super) fn warning(shown: &str, help: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("{shown}\nhelp: {help}");
    }
}

/// Prints a line of progress on standard error, unless `--quiet` is given.
#[expect(clippy::print_stderr, reason = "this is the one place where progress is printed in lines")]
pub(super) fn progress(text: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("{text}");
    }
}

/// Prints a command to be pasted on standard error.
#[expect(clippy::print_stderr, reason = "this belongs to an error")]
pub(super) fn command(command: &str) {
    eprintln!("{command}");
}

/// Prints a failure and its help on standard error.
#[expect(clippy::print_stderr, reason = "this is the one place where errors are printed")]
pub(super) fn error(failure: &Failure) {
    eprintln!("error: {}", message(failure));
    if let Some(help) = failure.help() {
        eprintln!("help: {help}");
    }
}
