//! Temporary folders that go with the process that made them, at the latest with the next run if it was killed.
//!
//! A folder in use is locked by the kernel, whose locks end with their process: what is not locked was left behind.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempDir;

/// How names of folders begin, and of those that are not locked yet.
const PREFIX: &str = "autotune-";
const UNLOCKED: &str = ".new-autotune-";

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
    /// There is no place for temporary files.
    pub(crate) fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    fn within(place: &Path) -> io::Result<Self> {
        sweep(place);
        let folder = tempfile::Builder::new().prefix(UNLOCKED).tempdir_in(place)?;
        let lock = File::open(folder.path())?;
        lock.lock()?;
        // Only now has it a name that others look at.
        let name = folder.path().file_name().unwrap_or_default().to_string_lossy().replacen(UNLOCKED, PREFIX, 1);
        let path = place.join(name);
        fs::rename(TempDir::keep(folder), &path)?;
        Ok(Self { path, _lock: lock })
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
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes what killed processes have left. Whatever cannot be looked at is somebody else's.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let lock = File::open(entry.path());
            if lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_value_and_no_other_does() {
        let place = tempfile::tempdir().unwrap();
        let first = Scratch::within(place.path()).unwrap();
        fs::write(first.path().join("model.pml"), "init {}").unwrap();
        let second = Scratch::within(place.path()).unwrap();
        assert!(first.path().join("model.pml").exists() && second.path().exists());
        drop((first, second));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_goes_with_the_next_run() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join("autotune-left");
        fs::create_dir_all(left.join("proof")).unwrap();
        fs::create_dir(place.path().join("others")).unwrap();
        let scratch = Scratch::within(place.path()).unwrap();
        assert!(!left.exists() && scratch.path().exists() && place.path().join("others").exists());
    }
}
