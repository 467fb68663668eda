//! Temporary folders that are removed with the process that made them, or by the next run if it was killed.
//!
//! The folders lie in one folder of this user, `autotune.UID` among the system's temporary files. A temporary folder
//! has a marker that names it, and it is locked by the kernel until its process ends. A folder with the marker and the
//! owner, but without a lock, was left by a killed process and is removed. A folder that lacks the marker or belongs to
//! another user stays: so a process that is killed before it has made the marker leaves an empty folder. An empty marker
//! counts in a folder that holds nothing else: its process was killed before it had written the name.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt;
use thiserror::Error;

use super::checksum::sha256;
use super::own_folder::Exposed;
use crate::files;
use crate::files::own_folder;
use crate::user_error::{ExitStatus, UserError};

/// The prefix of the folders' names.
const PREFIX: &str = "run-";
/// The digits of a name that follows from a content.
const DIGITS: usize = 24;
/// The file that marks a folder as made by this program.
const MARKER: &str = ".autotune-scratch";
/// The greatest size of a marker, in bytes.
const LONGEST_MARKER: u64 = 1024;
/// The permissions that others must not have on the user's folder: all.
const FORBIDDEN: u32 = 0o077;

/// A reason why a temporary folder cannot be made.
#[derive(Debug, Error)]
pub enum ScratchError {
    /// The system's folder for temporary files is missing.
    #[error("the folder for temporary files, `{}`, does not exist", .0.display())]
    Missing(PathBuf),
    /// The system's place for temporary files is not a folder.
    #[error("`{}` is not a folder, so it cannot hold temporary files", .0.display())]
    NoFolder(PathBuf),
    /// Others can change the files that this program would put there.
    #[error("the folder for temporary files of this user is not safe: {0}")]
    Exposed(Exposed),
    /// The folder cannot be used.
    #[error("cannot make a temporary folder in `{}`: {why}", place.display())]
    File {
        /// The folder where it should be made.
        place: PathBuf,
        /// The system's error.
        why: io::Error,
    },
}

impl UserError for ScratchError {
    /// A place that the environment names wrongly is unusable input; a full disk is a failure that may pass.
    fn status(&self) -> ExitStatus {
        match self {
            Self::File { why, .. } => match why.kind() {
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => ExitStatus::Unusable,
                _ => ExitStatus::Failure,
            },
            Self::NoFolder(_) | Self::Missing(_) | Self::Exposed(_) => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        let elsewhere = "name another place for temporary files with the variable TMPDIR, such as `TMPDIR=/var/tmp`";
        let mend = match self {
            Self::Missing(place) => Some(format!("make it with `mkdir {}`", own_folder::word(place))),
            Self::Exposed(exposed) => exposed.mend().map(|command| format!("mend it with `{command}`")),
            Self::NoFolder(_) | Self::File { .. } => None,
        };
        Some(mend.map_or(elsewhere.to_owned(), |mend| format!("{mend}, or {elsewhere}")))
    }
}

/// A temporary folder of this process, which is removed when this value is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes a folder among the system's temporary files, after removing those of killed processes.
    ///
    /// # Errors
    /// [`ScratchError`] if no safe place for temporary files exists.
    pub fn new() -> Result<Self, ScratchError> {
        let place = system_folder();
        // Programs are started in other folders, so a relative path would not do.
        let whole = std::path::absolute(&place).map_err(|_| ScratchError::Missing(place))?;
        Self::within(&whole)
    }

    /// Makes a folder whose name follows from these parts, so that what is compiled in it has the names of an earlier run;
    /// with another name while another process has that folder.
    ///
    /// # Errors
    /// As [`Scratch::new`].
    pub fn of_content(parts: &[&str]) -> Result<Self, ScratchError> {
        let place = system_folder();
        let whole = std::path::absolute(&place).map_err(|_| ScratchError::Missing(place))?;
        let room = room(&whole)?;
        sweep(&room);
        let name = format!("{PREFIX}{}", &sha256(parts.iter().map(|part| part.as_bytes()))[..DIGITS]);
        let made = Self::named(&room, &name);
        made.or_else(|_| Self::made(&room)).map_err(|why| ScratchError::File { place: room, why })
    }

    /// Makes the folder of this path, which lies outside the user's folder; one that a killed process left is emptied and taken
    /// over. `None` if another process has it.
    ///
    /// # Errors
    /// If the folder cannot be made, or something of another origin has its name.
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        let is_there = match fs::create_dir(path) {
            Err(why) if why.kind() == ErrorKind::AlreadyExists => true,
            made => made.map(|()| false)?,
        };
        let may_be_taken = || is_ours(path) || is_empty_of_user(path);
        if is_there && !may_be_taken() {
            let what = format!("`{}` is in the way, and not a temporary folder of autotune", path.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, what));
        }
        let lock = File::open(path)?;
        let is_same = || Some(lock.metadata().ok()?.ino() == fs::symlink_metadata(path).ok()?.ino());
        // Its process may have removed it a moment ago.
        if lock.try_lock().is_err() || is_same() != Some(true) || !may_be_taken() {
            return Ok(None);
        }
        let marker = path.join(MARKER);
        for entry in fs::read_dir(path)?.flatten().map(|entry| entry.path()).filter(|entry| *entry != marker) {
            if entry.is_dir() { fs::remove_dir_all(entry)? } else { fs::remove_file(entry)? }
        }
        fs::write(marker, marker_of(path))?;
        Ok(Some(Self { path: path.to_owned(), _lock: lock }))
    }

    fn within(place: &Path) -> Result<Self, ScratchError> {
        let room = room(place)?;
        sweep(&room);
        Self::made(&room).map_err(|why| ScratchError::File { place: room, why })
    }

    fn made(room: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).permissions(owner_alone()).tempdir_in(room)?;
        let lock = marked(folder.path())?;
        Ok(Self { path: folder.keep(), _lock: lock })
    }

    /// Makes a folder of this name, which must not exist.
    fn named(room: &Path, name: &str) -> io::Result<Self> {
        let path = room.join(name);
        fs::create_dir(&path)?;
        fs::set_permissions(&path, owner_alone())?;
        let lock = marked(&path)?;
        Ok(Self { path, _lock: lock })
    }

    /// The folder's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn owner_alone() -> std::fs::Permissions {
    std::fs::Permissions::from_mode(0o700)
}

/// Locks a new folder, and marks it as made by this program.
fn marked(folder: &Path) -> io::Result<File> {
    let lock = File::open(folder)?;
    lock.lock()?;
    // From now on, other processes may take the folder for that of a killed process.
    let marker = folder.join(MARKER);
    let mut marker = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(marker)?;
    marker.write_all(marker_of(folder).as_bytes())?;
    Ok(lock)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed now is removed by the next run.
        let _ = remove(&self.path);
    }
}

/// The system's folder for temporary files. An empty `TMPDIR` counts as unset, as in a shell's `${TMPDIR:-/tmp}`.
#[must_use]
pub(crate) fn system_folder() -> PathBuf {
    Some(std::env::temp_dir()).filter(|place| !place.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// The folder of this user's temporary folders, which other users cannot enter.
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

/// The text of a folder's marker. It contains the folder's name, so that the marker in a copy of the folder is invalid.
fn marker_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("autotune made the folder {name} for temporary files, and will remove it.\n")
}

/// Removes the folders of killed processes. An entry that cannot be examined belongs to somebody else.
fn sweep(room: &Path) {
    let Ok(entries) = fs::read_dir(room) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_ours(path)) {
        let lock = File::open(&path);
        // A folder that was locked a moment ago may be gone.
        if lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok()) && is_ours(&path) {
            let _ = remove(&path);
        }
    }
}

/// True for a folder of the user, false for something else of the user; `None` if it is missing or another user's.
fn is_of_user(path: &Path) -> Option<bool> {
    let found = std::fs::symlink_metadata(path).ok()?;
    (found.uid() == own_folder::user()).then_some(found.is_dir())
}

/// Returns true for an empty folder of the user: its process was killed before it had marked it.
fn is_empty_of_user(folder: &Path) -> bool {
    is_of_user(folder) == Some(true) && entries(folder) == Some(0)
}

/// Returns true for a folder that this program made for this user.
fn is_ours(folder: &Path) -> bool {
    let marker = folder.join(MARKER);
    is_of_user(folder) == Some(true)
        && is_of_user(&marker) == Some(false)
        && files::kept(&marker, LONGEST_MARKER)
            .text()
            .is_ok_and(|text| text == marker_of(folder) || text.is_empty() && entries(folder) == Some(1))
}

/// The number of entries in a folder; `None` if it cannot be read.
fn entries(folder: &Path) -> Option<usize> {
    fs::read_dir(folder).ok().map(Iterator::count)
}

/// Removes a folder, its marker last: if the process is killed meanwhile, the next run removes the rest.
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
    fn a_name_that_follows_from_a_content_is_had_by_one_at_a_time() {
        let first = Scratch::of_content(&["a", "b"]).unwrap();
        let path = first.path().to_owned();
        let beside = Scratch::of_content(&["a", "b"]).unwrap();
        assert_ne!(beside.path(), path);
        drop(first);
        assert!(!path.exists());
        assert_eq!(Scratch::of_content(&["a", "b"]).unwrap().path(), path);
    }

    #[test]
    fn a_folder_of_a_path_is_had_by_one_at_a_time_and_taken_over_from_a_killed_process() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(".kept.running");
        let first = Scratch::at(&path).unwrap().unwrap();
        assert!(Scratch::at(&path).unwrap().is_none());
        drop(first);
        assert!(!path.exists());
        fs::create_dir_all(path.join("whole")).unwrap();
        fs::write(path.join("whole/model.pml"), "init {}").unwrap();
        assert_eq!(Scratch::at(&path).unwrap_err().kind(), ErrorKind::AlreadyExists, "it has no marker");
        fs::write(path.join(MARKER), marker_of(&path)).unwrap();
        let taken = Scratch::at(&path).unwrap().unwrap();
        assert_eq!(entries(&path), Some(1));
        drop(taken);
        fs::create_dir(&path).unwrap();
        assert!(Scratch::at(&path).unwrap().is_some(), "its process was killed before it had marked it");
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
