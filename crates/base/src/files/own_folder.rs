//! Folders of this user alone: other users cannot put files into them.

use std::fs::{DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use thiserror::Error;

use crate::files;

/// The mode of folders that this program makes: all permissions for the owner, none for others.
const MODE: u32 = 0o700;

/// A folder that other users could change.
#[derive(Debug, Error)]
#[error("`{}` {flaw}", path.display())]
pub struct Exposed {
    path: PathBuf,
    flaw: String,
    mend: Option<String>,
}

impl Exposed {
    /// The shell command that mends it; `None` if no command does.
    #[must_use]
    pub fn mend(&self) -> Option<&str> {
        self.mend.as_deref()
    }

    fn at(path: &Path, flaw: String, mend: Option<String>) -> Self {
        Self { path: path.to_owned(), flaw, mend }
    }
}

/// A path as a word of a shell command.
pub fn word(path: &Path) -> String {
    let shown = path.display().to_string();
    shlex::try_quote(&shown).map(Into::into).unwrap_or_default()
}

/// Makes the folder for its owner alone; an existing folder stays as it is.
///
/// # Errors
/// If the folder cannot be made.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(MODE).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// The ID of this process's user.
#[must_use]
pub(crate) fn user() -> u32 {
    geteuid().as_raw()
}

/// Checks that an entry is a folder of this user, and that others have none of `permissions` on it.
///
/// # Errors
/// [`Exposed`] with kind, owner or mode if it is not.
pub(crate) fn check(path: &Path, found: &Metadata, permissions: u32) -> Result<(), Exposed> {
    if !found.is_dir() {
        let kind = files::irregular(found.file_type()).unwrap_or("a file");
        let mend = format!("mv {} {}", word(path), word(Path::new(&format!("{}.old", path.display()))));
        return Err(Exposed::at(path, format!("is {kind}, not a folder"), Some(mend)));
    }
    if found.uid() != user() {
        let flaw = format!("belongs to the user {}, but this process runs as the user {}", found.uid(), user());
        return Err(Exposed::at(path, flaw, None));
    }
    if found.mode() & permissions != 0 {
        let flaw = format!("has the mode {:04o}: others may use it", found.mode() & 0o7777);
        return Err(Exposed::at(path, flaw, Some(format!("chmod 700 {}", word(path)))));
    }
    Ok(())
}
