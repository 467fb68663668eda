//! The cache of compiled checkers and finished proofs, in the user's cache folder.
//!
//! An entry is a file named by its key, which is a checksum of everything on which the content depends. The file begins
//! with a checksum of key and content; an entry whose checksum is wrong is removed and counts as missing. Files appear
//! by renaming, so parallel programs see only whole entries and need no locks.
//!
//! The folder belongs to its owner alone: a cache that others may write is refused. Only regular files of the owner
//! that are named like entries and begin like them are counted or removed.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;

use super::checksum::sha256;
use super::own_folder::Exposed;
use crate::files;
use crate::files::own_folder;

/// A folder of entries.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// The total size, in bytes, beyond which the oldest entries are removed.
    most: u64,
    /// Bytes written since the entries were last measured, which takes longer than writing one.
    unmeasured: Arc<AtomicU64>,
}

/// The key of an entry: a checksum of everything on which its content depends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

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
/// The share of the greatest total size that may be written before the entries are measured again.
const UNMEASURED: u64 = 64;
/// The number of a checksum's digits.
const CHECKSUM: usize = 64;
/// The permission that others must not have on the folder: to write.
const FORBIDDEN: u32 = 0o022;
/// The extensions of entries, and of files that are to become entries.
const ENTRY: &str = "entry";
const UNFINISHED: &str = "unfinished";

impl Key {
    /// The key of content that depends on these parts and on this program's version.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        // Each part is represented by its checksum, so that different lists of parts have different keys.
        let sums: Vec<String> = parts.into_iter().map(|part| sha256([part.as_bytes()])).collect();
        let version = std::iter::once(env!("CARGO_PKG_VERSION").as_bytes());
        Self(sha256(version.chain(sums.iter().map(String::as_bytes))))
    }

    /// The key of content that depends on these parts and on this build of the program.
    pub fn of_build<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let parts = Self::of(parts);
        let program = std::env::current_exe().and_then(std::fs::metadata);
        let program = program.map_or(String::new(), |found| format!("{} {:?}", found.len(), found.modified().ok()));
        Self::of([program.as_str(), parts.text()])
    }

    /// The key's hexadecimal digits.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Cache {
    /// The cache in this folder, which need not exist.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        // Earlier programs may have written much: the first entry is measured with all others.
        Self { folder, most: MOST, unmeasured: Arc::new(MOST.into()) }
    }

    /// The user's cache: `autotune` in `XDG_CACHE_HOME` or `~/.cache`; `None` without a home folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        dirs::cache_dir().map(|folder| Self::at(folder.join("autotune")))
    }

    /// The cache's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that only this user can put entries into the folder. A folder that does not exist yet is safe.
    ///
    /// # Errors
    /// If another user owns the folder or may write it.
    pub fn check(&self) -> Result<(), Exposed> {
        match std::fs::metadata(&self.folder) {
            Ok(found) if found.is_dir() => own_folder::check(&self.folder, &found, FORBIDDEN),
            // A path that is missing or not a folder has no entries.
            _ => Ok(()),
        }
    }

    /// The content of an entry; `None` if it is missing, cannot be read or is damaged. A damaged entry is removed.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut content = files::kept(&self.path(key), MOST).bytes().ok()?;
        let whole = content.len() >= CHECKSUM && content[..CHECKSUM] == *checksum(key, &content[CHECKSUM..]).as_bytes();
        if whole {
            Some(content.split_off(CHECKSUM))
        } else {
            self.remove(key);
            None
        }
    }

    /// Removes an entry.
    pub fn remove(&self, key: &Key) {
        // Another program may have removed it already.
        let _ = fs::remove_file(self.path(key));
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn put(&self, key: &Key, content: &[u8]) -> io::Result<()> {
        self.folder.parent().map_or(Ok(()), fs::create_dir_all)?;
        own_folder::make(&self.folder)?;
        let mut names = tempfile::Builder::new();
        let mut file =
            names.prefix(&format!("{}-", key.0)).suffix(&format!(".{UNFINISHED}")).tempfile_in(&self.folder)?;
        file.write_all(checksum(key, content).as_bytes())?;
        file.write_all(content)?;
        file.persist(self.path(key))?;
        let size = content.len() as u64;
        if self.unmeasured.fetch_add(size, Ordering::Relaxed).saturating_add(size) < self.most / UNMEASURED {
            return Ok(());
        }
        self.unmeasured.store(0, Ordering::Relaxed);
        self.evict()
    }

    /// Removes the oldest entries until the total size is within the limit. Only what is to be removed is opened: a cache
    /// may have ten thousands of entries.
    fn evict(&self) -> io::Result<()> {
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

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(&key.0).with_extension(ENTRY)
    }

    /// The files that this program made.
    fn files(&self) -> io::Result<Vec<PathBuf>> {
        Ok(self.named()?.into_iter().filter(|path| is_ours(path)).collect())
    }

    /// The files that are named like this program's.
    fn named(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
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

/// True for a file that is named like an entry or like its unfinished form.
fn is_named(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.rsplit_once('.') {
        Some((key, ENTRY)) => is_checksum(key.as_bytes()),
        Some((begun, UNFINISHED)) => begun.split_once('-').is_some_and(|(key, _)| is_checksum(key.as_bytes())),
        _ => false,
    }
}

/// True for a file of such a name that this program made for this user: what is finished begins with a checksum.
fn is_ours(path: &Path) -> bool {
    let is_of_user = |found: std::fs::Metadata| found.is_file() && found.uid() == own_folder::user();
    let is_begun = path.extension().is_some_and(|end| end == UNFINISHED) || has_checksum(path);
    is_begun && std::fs::symlink_metadata(path).is_ok_and(is_of_user)
}

fn has_checksum(path: &Path) -> bool {
    files::kept(path, CHECKSUM as u64).beginning().is_ok_and(|beginning| is_checksum(&beginning))
}

fn is_checksum(digits: &[u8]) -> bool {
    digits.len() == CHECKSUM && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

fn checksum(key: &Key, content: &[u8]) -> String {
    sha256([key.0.as_bytes(), content])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("autotune"));
        (folder, cache)
    }

    #[test]
    fn what_was_put_comes_back_under_its_key_alone() {
        let (_folder, cache) = cache();
        let key = Key::of(["a", "bc"]);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"content").unwrap();
        cache.put(&key, b"content").unwrap();
        assert_eq!(cache.get(&key).unwrap(), b"content");
        assert_eq!(cache.get(&Key::of(["ab", "c"])), None);
        assert_eq!(cache.usage().unwrap(), Usage { entries: 1, bytes: 64 + 7 });
    }

    #[test]
    fn a_damaged_entry_is_discarded() {
        let (_folder, cache) = cache();
        let key = Key::of(["a"]);
        let damages: [fn(&mut Vec<u8>); 4] =
            [|all| all[0] ^= 1, |all| all[70] ^= 1, |all| all.truncate(66), |all| all.truncate(3)];
        for damage in damages {
            cache.put(&key, b"content").unwrap();
            let mut all = fs::read(cache.path(&key)).unwrap();
            damage(&mut all);
            fs::write(cache.path(&key), all).unwrap();
            assert_eq!(cache.get(&key), None);
            assert_eq!(cache.usage().unwrap().entries, 0);
        }
    }

    #[test]
    fn an_entry_under_anothers_name_is_discarded() {
        let (_folder, cache) = cache();
        cache.put(&Key::of(["a"]), b"content").unwrap();
        fs::rename(cache.path(&Key::of(["a"])), cache.path(&Key::of(["b"]))).unwrap();
        assert_eq!(cache.get(&Key::of(["b"])), None);
    }

    #[test]
    fn the_oldest_entries_go_first() {
        let (_folder, cache) = cache();
        let cache = Cache { most: 3 * 71, ..cache };
        let keys = ["a", "b", "c", "d", "e"].map(|name| Key::of([name]));
        for (key, age) in keys.iter().zip([50, 10, 40, 30, 20]) {
            cache.put(key, b"content").unwrap();
            let modified = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            if let Ok(file) = fs::File::options().append(true).open(cache.path(key)) {
                file.file().set_modified(modified).unwrap();
            }
        }
        cache.put(&Key::of(["f"]), b"content").unwrap();
        let left = keys.map(|key| cache.get(&key).is_some());
        assert_eq!((left, cache.usage().unwrap().entries), ([false, true, false, false, true], 3));
    }

    #[test]
    fn clearing_leaves_what_is_no_entry() {
        let (_folder, cache) = cache();
        assert_eq!(cache.clear().unwrap(), Usage::default());
        cache.put(&Key::of(["a"]), b"content").unwrap();
        let (digits, others) = ("0".repeat(64), "f".repeat(64));
        fs::write(cache.folder().join(format!("{digits}-Ab12cd.unfinished")), "half").unwrap();
        let foreign =
            ["notes.txt", "my.entry", "left.unfinished", &format!("{others}.entry"), &format!("{others}.txt")];
        for name in foreign {
            fs::write(cache.folder().join(name), "mine, and not the tool's; ".repeat(9)).unwrap();
        }
        std::os::unix::fs::symlink("notes.txt", cache.folder().join(format!("{digits}.entry"))).unwrap();
        assert_eq!(cache.clear().unwrap().entries, 2);
        assert_eq!(cache.usage().unwrap(), Usage::default());
        assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), foreign.len() + 1);
    }

    #[test]
    fn a_folder_that_is_named_like_an_entry_is_left_alone() {
        let (_folder, cache) = cache();
        cache.put(&Key::of(["a"]), b"content").unwrap();
        fs::create_dir(cache.folder().join("mine.entry")).unwrap();
        assert_eq!(cache.usage().unwrap(), Usage { entries: 1, bytes: 64 + 7 });
        assert_eq!(cache.clear().unwrap().entries, 1);
        assert!(cache.folder().join("mine.entry").is_dir());
    }
}
