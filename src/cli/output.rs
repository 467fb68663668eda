//! Standard output and standard error.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::failure::Failure;
use super::verbosity::{Verbosity, verbosity};
use crate::render::plot::Picture;
use crate::user_error::{UserError, message};

/// Prints text that ends with a newline. A reader that has gone away is no failure.
pub(super) fn text(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::Output),
    }
}

/// The regular file to which standard output goes, where the system tells.
pub(super) fn file() -> Option<PathBuf> {
    fs_err::read_link("/proc/self/fd/1").ok().filter(|path| path.is_file())
}

/// How wide standard output is, if it is a terminal.
pub(super) fn columns() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns.into())
}

/// One JSON object as text.
pub(super) fn to_json(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Draws a picture into a file.
pub(super) fn picture(path: &Path, picture: &Picture) -> Result<(), Failure> {
    Ok(fs_err::write(path, picture.svg()?)?)
}

/// Goes on after each failure: all but the last are told, and that one is left to the caller.
pub(super) fn all<const N: usize>(ends: [Result<(), Failure>; N]) -> Result<(), Failure> {
    let mut last = Ok(());
    for failure in ends.into_iter().filter_map(Result::err) {
        if let Err(before) = std::mem::replace(&mut last, Err(failure)) {
            error(&before);
        }
    }
    last
}

/// Tells something on standard error that changes no result.
#[expect(clippy::print_stderr, reason = "this is the one place where notes are told")]
pub(super) fn note(text: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("note: {text}");
    }
}

/// Tells a warning on standard error, and how to mend it.
#[expect(clippy::print_stderr, reason = "this is the one place where warnings are told")]
pub(super) fn warning(shown: &str, help: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("{shown}\nhelp: {help}");
    }
}

/// Tells of progress on standard error, in a line.
#[expect(clippy::print_stderr, reason = "this is the one place where progress is told in lines")]
pub(super) fn progress(text: &str) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("{text}");
    }
}

/// Tells on standard error why a command failed, and how to mend it.
#[expect(clippy::print_stderr, reason = "this is the one place where errors are told")]
pub(super) fn error(failure: &Failure) {
    eprintln!("error: {}", message(failure));
    if let Some(help) = failure.help() {
        eprintln!("help: {help}");
    }
}
