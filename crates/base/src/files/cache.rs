//! The cache of compiled checkers, finished proofs, compiler's outputs and lowered configurations, in the user's cache
//! folder.
//!
//! An entry is a file that begins with a signature of its name and its content, made with the user's [`Secret`]. An
//! entry whose signature is wrong is removed and counts as missing. So a content counts only if a process of somebody
//! who knows the secret put it there. The name follows from the secret and from a key, which is a checksum of
//! everything that the content depends on: two secrets in one folder do not get into each other's way. Files appear by
//! renaming, so parallel programs see only whole entries and need no locks.

mod folder;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;
use thiserror::Error;

use super::checksum::{sha256, sha256_of};
use super::own_folder::{self, Exposed};
use super::secret::{Secret, SecretError};
use super::version::KEPT_VERSION;
use crate::files;
use folder::{DIGITS, UNFINISHED};

pub use folder::{CacheFolder, Usage};

/// A folder of entries, and the secret that signs them.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: CacheFolder,
    secret: Secret,
    /// Bytes written since the entries were last measured, which takes longer than writing one.
    unmeasured: Arc<AtomicU64>,
}

/// The key of an entry: a checksum of everything that its content depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

/// A reason why the user's cache cannot be used.
#[derive(Debug, Error)]
pub enum CacheError {
    /// Others may write to its folder.
    #[error(transparent)]
    Exposed(Exposed),
    /// Its entries cannot be signed.
    #[error(transparent)]
    Secret(#[from] SecretError),
}

/// The share of the greatest total size that may be written before the entries are measured again.
const UNMEASURED: u64 = 64;
/// The first parts of what is signed: a name is not a signature.
const NAME: &[u8] = b"name";
const ENTRY: &[u8] = b"entry";

impl Key {
    /// The key of content that depends on these parts and on the version of what is kept.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        // Each part is represented by its checksum, so that different lists of parts have different keys.
        let sums: Vec<String> = parts.into_iter().map(|part| sha256([part.as_bytes()])).collect();
        let version = std::iter::once(KEPT_VERSION.as_bytes());
        Self(sha256(version.chain(sums.iter().map(String::as_bytes))))
    }

    /// The key of content that depends on these parts and on this build of the program.
    pub fn of_build<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let parts = Self::of(parts);
        let program = std::env::current_exe().and_then(std::fs::metadata);
        let program = program.ok().map(|found| (found.len(), found.modified().ok()));
        Self::of([sha256_of(&program).as_str(), parts.text()])
    }

    /// The key's hexadecimal digits.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Cache {
    /// The cache in this folder, which need not exist, with entries that are signed with this secret.
    #[must_use]
    pub fn new(folder: PathBuf, secret: Secret) -> Self {
        Self::in_folder(CacheFolder::new(folder), secret)
    }

    /// The user's cache: `autotune` in `XDG_CACHE_HOME` or `~/.cache`; `None` without a home folder. The user's secret
    /// is made if it is missing.
    ///
    /// # Errors
    /// If others may write to the folder, or the secret cannot be used.
    pub fn of_user() -> Result<Option<Self>, CacheError> {
        let Some(folder) = CacheFolder::of_user() else { return Ok(None) };
        folder.check().map_err(CacheError::Exposed)?;
        Ok(Some(Self::in_folder(folder, Secret::of_user()?)))
    }

    fn in_folder(folder: CacheFolder, secret: Secret) -> Self {
        // Earlier programs may have written much: the first entry is measured with all others.
        let unmeasured = Arc::new(folder.most.into());
        Self { folder, secret, unmeasured }
    }

    /// The content of an entry; `None` if it is missing, cannot be read or is not signed with this cache's secret. An
    /// entry that is not signed so is removed.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut content = files::kept(&self.path(key), self.folder.most).bytes().ok()?;
        let signed = content.split_at_checked(DIGITS);
        if signed.is_some_and(|(signature, rest)| self.secret.has_signed(&entry(&self.name(key), rest), signature)) {
            return Some(content.split_off(DIGITS));
        }
        self.remove(key);
        None
    }

    /// True if there is an entry, which may be unusable.
    #[must_use]
    pub fn has(&self, key: &Key) -> bool {
        self.path(key).is_file()
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
        let (folder, name) = (self.folder.path(), self.name(key));
        folder.parent().map_or(Ok(()), fs::create_dir_all)?;
        own_folder::make(folder)?;
        let mut names = tempfile::Builder::new();
        let mut file = names.prefix(&format!("{name}-")).suffix(&format!(".{UNFINISHED}")).tempfile_in(folder)?;
        file.write_all(self.secret.sign(&entry(&name, content)).as_bytes())?;
        file.write_all(content)?;
        file.persist(self.path(key))?;
        let (size, most) = (content.len() as u64, self.folder.most / UNMEASURED);
        if self.unmeasured.fetch_add(size, Ordering::Relaxed).saturating_add(size) < most {
            return Ok(());
        }
        self.unmeasured.store(0, Ordering::Relaxed);
        self.folder.evict()
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.entry(&self.name(key))
    }

    /// The name of a key's entry, in hexadecimal digits.
    fn name(&self, key: &Key) -> String {
        self.secret.sign(&[NAME, key.0.as_bytes()])
    }
}

/// The signed parts of an entry.
fn entry<'a>(name: &'a str, content: &'a [u8]) -> [&'a [u8]; 3] {
    [ENTRY, name.as_bytes(), content]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("autotune"), Secret::random());
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
        assert_eq!(cache.folder.usage().unwrap(), Usage { entries: 1, bytes: 64 + 7 });
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
            assert_eq!(cache.folder.usage().unwrap().entries, 0);
        }
    }

    #[test]
    fn an_entry_under_anothers_name_is_discarded() {
        let (_folder, cache) = cache();
        cache.put(&Key::of(["a"]), b"content").unwrap();
        fs::rename(cache.path(&Key::of(["a"])), cache.path(&Key::of(["b"]))).unwrap();
        assert_eq!(cache.get(&Key::of(["b"])), None);
    }

    /// The names of both differ, so neither removes what the other one has put there.
    #[test]
    fn two_secrets_share_a_folder_and_nothing_in_it() {
        let (_folder, cache) = cache();
        let other = Cache::new(cache.folder.path().to_owned(), Secret::random());
        let key = Key::of(["a"]);
        cache.put(&key, b"content").unwrap();
        assert_eq!(other.get(&key), None);
        other.put(&key, b"other").unwrap();
        assert_eq!((cache.get(&key).unwrap(), other.get(&key).unwrap()), (b"content".to_vec(), b"other".to_vec()));
        // A copy under the other's name does not become the other's entry.
        fs::copy(cache.path(&key), other.path(&key)).unwrap();
        assert_eq!(other.get(&key), None);
    }

    #[test]
    fn a_content_with_a_checksum_that_anybody_can_compute_is_discarded() {
        let (_folder, cache) = cache();
        let key = Key::of(["a"]);
        cache.put(&key, b"content").unwrap();
        for signed in [&cache.name(&key), key.text()] {
            let forged = [sha256([signed.as_bytes(), b"forged"]).as_bytes(), b"forged"].concat();
            fs::write(cache.path(&key), forged).unwrap();
            assert_eq!(cache.get(&key), None, "the checksum of earlier versions");
        }
    }

    #[test]
    fn the_oldest_entries_go_first() {
        let (_folder, cache) = cache();
        let mut cache = cache;
        cache.folder.most = 3 * 71;
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
        assert_eq!((left, cache.folder.usage().unwrap().entries), ([false, true, false, false, true], 3));
    }

    #[test]
    fn clearing_leaves_what_is_no_entry() {
        let (_folder, cache) = cache();
        assert_eq!(cache.folder.clear().unwrap(), Usage::default());
        cache.put(&Key::of(["a"]), b"content").unwrap();
        let (digits, others) = ("0".repeat(64), "f".repeat(64));
        fs::write(cache.folder.path().join(format!("{digits}-Ab12cd.unfinished")), "half").unwrap();
        let foreign =
            ["notes.txt", "my.entry", "left.unfinished", &format!("{others}.entry"), &format!("{others}.txt")];
        for name in foreign {
            fs::write(cache.folder.path().join(name), "mine, and not the tool's; ".repeat(9)).unwrap();
        }
        std::os::unix::fs::symlink("notes.txt", cache.folder.path().join(format!("{digits}.entry"))).unwrap();
        assert_eq!(cache.folder.clear().unwrap().entries, 2);
        assert_eq!(cache.folder.usage().unwrap(), Usage::default());
        assert_eq!(fs::read_dir(cache.folder.path()).unwrap().count(), foreign.len() + 1);
    }

    #[test]
    fn a_folder_that_is_named_like_an_entry_is_left_alone() {
        let (_folder, cache) = cache();
        cache.put(&Key::of(["a"]), b"content").unwrap();
        fs::create_dir(cache.folder.path().join("mine.entry")).unwrap();
        assert_eq!(cache.folder.usage().unwrap(), Usage { entries: 1, bytes: 64 + 7 });
        assert_eq!(cache.folder.clear().unwrap().entries, 1);
        assert!(cache.folder.path().join("mine.entry").is_dir());
    }
}
