//! Temporary folders that go with the process that made them, at the latest with the next run if it was killed.
//!
//! They lie in one folder of the user's own, `autotune.UID` among the system's temporary files. A temporary folder has a marker
//! that names it, and is locked by the kernel, whose locks end with their process. What has the marker, the owner and no lock was
//! left behind by a killed process and is removed. Whatever lacks one of the three is not touched: so a process that is killed
//! before it has written the marker leaves an empty folder.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt;
use thiserror::Error;

use super::own_folder::Exposed;
use crate::files;
use crate::files::own_folder;

/// How names of folders begin.
const PREFIX: &str = "run-";
/// The file that makes a folder one of ours.
const MARKER: &str = ".autotune-scratch";
/// Bytes; no marker has more.
const LONGEST_MARKER: u64 = 1024;
/// What others must not have in the user's own folder: any permission.
const FORBIDDEN: u32 = 0o077;

/// Why there is no temporary folder.
#[derive(Debug, Error)]
pub enum ScratchError {
    /// The system's folder for temporary files is missing.
    #[error("the folder for temporary files, `{}`, does not exist", .0.display())]
    Missing(PathBuf),
    /// It is something else.
    #[error("`{}` is not a folder, and cannot have temporary files", .0.display())]
    NoFolder(PathBuf),
    /// Others can change what this program would put there.
    #[error("the folder for temporary files of this user is not safe: {0}")]
    Exposed(Exposed),
    /// It cannot be used.
    #[error("cannot make a temporary folder in `{}`: {why}", place.display())]
    File {
        /// Where it should be.
        place: PathBuf,
        /// What the system says.
        why: io::Error,
    },
}

impl ScratchError {
    /// How to mend it.
    pub(crate) fn help(&self) -> String {
        let elsewhere = "name another place for temporary files with the variable TMPDIR, such as `TMPDIR=/var/tmp`";
        let mend = match self {
            Self::Missing(place) => Some(format!("make it with `mkdir {}`", own_folder::word(place))),
            Self::Exposed(exposed) => exposed.mend().map(|command| format!("mend it with `{command}`")),
            _ => None,
        };
        mend.map_or(elsewhere.to_owned(), |mend| format!("{mend}, or {elsewhere}"))
    }

    /// Whether what the environment names cannot be used, and not something that may pass.
    pub(crate) fn is_of_the_environment(&self) -> bool {
        match self {
            Self::File { why, .. } => matches!(why.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem),
            _ => true,
        }
    }
}

/// A temporary folder of this process, removed with this value.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// A new folder among the system's temporary files; those of killed processes are removed first.
    ///
    /// # Errors
    /// There is no safe place for temporary files.
    pub(crate) fn new() -> Result<Self, ScratchError> {
        let place = system_folder();
        // Programs are started in other folders.
        let whole = std::path::absolute(&place).map_err(|_| ScratchError::Missing(place))?;
        Self::within(&whole)
    }

    fn within(place: &Path) -> Result<Self, ScratchError> {
        let room = room(place)?;
        sweep(&room);
        Self::made(&room).map_err(|why| ScratchError::File { place: room, why })
    }

    fn made(room: &Path) -> io::Result<Self> {
        let owner_alone = std::fs::Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix(PREFIX).permissions(owner_alone).tempdir_in(room)?;
        let lock = File::open(folder.path())?;
        lock.lock()?;
        // Only now may others take it for what a killed process has left.
        let marker = folder.path().join(MARKER);
        let mut marker = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(marker)?;
        marker.write_all(marker_of(folder.path()).as_bytes())?;
        Ok(Self { path: folder.keep(), _lock: lock })
    }

    /// Where it is.
    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is tried again by the next run.
        let _ = remove(&self.path);
    }
}

/// The system's folder for temporary files. An empty `TMPDIR` names none, as in a shell's `${TMPDIR:-/tmp}`.
pub(crate) fn system_folder() -> PathBuf {
    Some(std::env::temp_dir()).filter(|place| !place.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// The folder of this user's temporary folders, which nobody else may use.
fn room(place: &Path) -> Result<PathBuf, ScratchError> {
    let room = place.join(format!("autotune.{}", own_folder::user()));
    let failed = |why: io::Error| match why.kind() {
        ErrorKind::NotFound => ScratchError::Missing(place.to_owned()),
        ErrorKind::NotADirectory => ScratchError::NoFolder(place.to_owned()),
        _ => ScratchError::File { place: place.to_owned(), why },
    };
    own_folder::make(&room).map_err(failed)?;
    let found = std::fs::symlink_metadata(&room).map_err(failed)?;
    own_folder::check(&room, &found, FORBIDDEN).map_err(ScratchError::Exposed)?;
    Ok(room)
}

/// The text of a folder's marker. It names the folder: a copy of the folder has a marker that is not its own.
fn marker_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("autotune made the folder {name} for temporary files, and will remove it.\n")
}

/// Removes what killed processes have left. Whatever cannot be looked at is somebody else's.
fn sweep(room: &Path) {
    let Ok(entries) = fs::read_dir(room) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_ours(path)) {
        let lock = File::open(&path);
        // A folder that was locked until now may be gone.
        if lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok()) && is_ours(&path) {
            let _ = remove(&path);
        }
    }
}

/// Whether this program made a folder, for this user.
fn is_ours(folder: &Path) -> bool {
    let is_of_user = |path: &Path| {
        let found = std::fs::symlink_metadata(path).ok()?;
        (found.uid() == own_folder::user()).then_some(found.is_dir())
    };
    let marker = folder.join(MARKER);
    is_of_user(folder) == Some(true)
        && is_of_user(&marker) == Some(false)
        && files::kept(&marker, LONGEST_MARKER).text().is_ok_and(|text| text == marker_of(folder))
}

/// Removes a folder, its marker last: whoever is killed meanwhile leaves what the next run removes.
fn remove(folder: &Path) -> io::Result<()> {
    let marker = folder.join(MARKER);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.path() {
            path if path == marker => {}
            path if entry.file_type()?.is_dir() => fs::remove_dir_all(path)?,
            path => fs::remove_file(path)?,
        }
    }
    fs::remove_file(marker)?;
    fs::remove_dir(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_value_and_no_other_does() {
        let place = tempfile::tempdir().unwrap();
        let first = Scratch::within(place.path()).unwrap();
        fs::create_dir(first.path().join("proof")).unwrap();
        fs::write(first.path().join("proof/model.pml"), "init {}").unwrap();
        let second = Scratch::within(place.path()).unwrap();
        assert!(first.path().join("proof/model.pml").exists() && second.path().exists());
        drop((first, second));
        assert_eq!(fs::read_dir(room(place.path()).unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_goes_with_the_next_run() {
        let place = tempfile::tempdir().unwrap();
        let room = room(place.path()).unwrap();
        let left = room.join("run-left");
        fs::create_dir_all(left.join("proof")).unwrap();
        fs::write(left.join(MARKER), marker_of(&left)).unwrap();
        let copy = room.join("run-copy");
        fs::create_dir(&copy).unwrap();
        fs::copy(left.join(MARKER), copy.join(MARKER)).unwrap();
        let scratch = Scratch::within(place.path()).unwrap();
        assert!(!left.exists() && scratch.path().exists() && copy.join(MARKER).exists());
    }
}
