//! The folder of a cache: its entries, their number and size.
//!
//! The folder belongs to its owner alone: a cache that others may write is refused. Only regular files of the owner
//! whose name and first bytes are those of an entry are counted or removed.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::files;
use crate::files::own_folder::{self, Exposed};

/// A folder of entries.
#[derive(Debug, Clone)]
pub struct CacheFolder {
    path: PathBuf,
    /// The greatest total size in bytes; beyond it, the oldest entries are removed.
    pub(super) most: u64,
}

/// The number and size of a cache's entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of entries.
    pub entries: usize,
    /// The total size of the entries, in bytes.
    pub bytes: u64,
}

/// The greatest total size, in bytes: that of some thousand proofs or some hundred checkers.
const MOST: u64 = 256 << 20;
/// The number of digits of a name, and of the signature at the start of an entry.
pub(super) const DIGITS: usize = 64;
/// The permission that others must not have on the folder: to write.
const FORBIDDEN: u32 = 0o022;
/// The extensions of entries, and of files that are to become entries.
const ENTRY: &str = "entry";
pub(super) const UNFINISHED: &str = "unfinished";

impl CacheFolder {
    /// The folder at this path, which need not exist.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, most: MOST }
    }

    /// The folder of the user's cache: `autotune` in `XDG_CACHE_HOME` or `~/.cache`; `None` without a home folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        dirs::cache_dir().map(|folder| Self::new(folder.join("autotune")))
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of an entry with this name.
    pub(super) fn entry(&self, name: &str) -> PathBuf {
        self.path.join(name).with_extension(ENTRY)
    }

    /// Checks that only this user can put entries into the folder. A folder that does not exist yet is safe.
    ///
    /// # Errors
    /// If another user owns the folder or may write it.
    pub fn check(&self) -> Result<(), Exposed> {
        match std::fs::metadata(&self.path) {
            Ok(found) if found.is_dir() => own_folder::check(&self.path, &found, FORBIDDEN),
            // A path that is missing or not a folder has no entries.
            _ => Ok(()),
        }
    }

    /// Removes the oldest entries until the total size is within the limit. Only what is to be removed is opened: a cache
    /// may have ten thousands of entries.
    pub(super) fn evict(&self) -> io::Result<()> {
        let aged = |path: PathBuf| {
            let metadata = fs::symlink_metadata(&path).ok()?;
            Some((metadata.modified().ok()?, metadata.len(), path))
        };
        let mut files: Vec<_> = self.named()?.into_iter().filter_map(aged).collect();
        let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
        if bytes <= self.most {
            return Ok(());
        }
        files.sort();
        for (_, size, path) in files {
            if bytes <= self.most {
                break;
            }
            if is_ours(&path) {
                // Another program may have removed it.
                let _ = fs::remove_file(path);
                bytes -= size;
            }
        }
        Ok(())
    }

    /// The number and size of the entries.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn usage(&self) -> io::Result<Usage> {
        let mut usage = Usage::default();
        for path in self.files()? {
            // Another program may be clearing the cache.
            if let Ok(metadata) = fs::symlink_metadata(path) {
                usage.entries += 1;
                usage.bytes += metadata.len();
            }
        }
        Ok(usage)
    }

    /// Removes all entries and the files that killed programs left; other files in the folder stay.
    ///
    /// # Errors
    /// If the folder cannot be read, or an entry cannot be removed.
    pub fn clear(&self) -> io::Result<Usage> {
        let usage = self.usage()?;
        for path in self.files()? {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(usage)
    }

    /// The files that this program made.
    fn files(&self) -> io::Result<Vec<PathBuf>> {
        Ok(self.named()?.into_iter().filter(|path| is_ours(path)).collect())
    }

    /// The files whose name has the form of this program's.
    fn named(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if is_named(&path) {
                files.push(path);
            }
        }
        Ok(files)
    }
}

/// True for a file whose name has the form of an entry or of its unfinished form.
fn is_named(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.rsplit_once('.') {
        Some((key, ENTRY)) => is_name(key.as_bytes()),
        Some((begun, UNFINISHED)) => begun.split_once('-').is_some_and(|(key, _)| is_name(key.as_bytes())),
        _ => false,
    }
}

/// True for a file of such a name that this program made for this user: what is finished begins with a signature.
fn is_ours(path: &Path) -> bool {
    let is_of_user = |found: std::fs::Metadata| found.is_file() && found.uid() == own_folder::user();
    let is_begun = path.extension().is_some_and(|end| end == UNFINISHED) || begins_like_an_entry(path);
    is_begun && std::fs::symlink_metadata(path).is_ok_and(is_of_user)
}

fn begins_like_an_entry(path: &Path) -> bool {
    files::kept(path, DIGITS as u64).beginning().is_ok_and(|beginning| is_name(&beginning))
}

fn is_name(digits: &[u8]) -> bool {
    digits.len() == DIGITS && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}
