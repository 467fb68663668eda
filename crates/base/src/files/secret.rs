//! The secret of a user: the tool signs with it what it puts into the cache.
//!
//! The secret lies in the user's state folder and never in the cache, because people copy and share caches. It is made
//! once: written beside its place and moved there, unless another process was faster. So all processes have one secret,
//! and none reads a half-written one. A file in its place that the tool would not have made is refused and left alone.

use std::fmt;
use std::fs::{DirBuilder, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use rand::Rng;
use sha2::Sha256;
use thiserror::Error;

use crate::files;
use crate::files::own_folder::{self, Exposed, word};

/// The file's name in the tool's state folder.
const FILE: &str = "cache.key";
/// The file's bytes: a block of SHA-256, the longest key that HMAC takes as it is.
const LENGTH: usize = 64;
/// The permissions on the state folder that others must not have: to write.
const FORBIDDEN_ON_FOLDER: u32 = 0o022;
/// The permissions on the file that others must not have: all.
const FORBIDDEN: u32 = 0o077;
/// The mode of folders that are missing on the way to the state folder, as XDG's specification wants it.
const MODE: u32 = 0o700;

/// A key for HMAC-SHA-256.
#[derive(Clone)]
pub struct Secret([u8; LENGTH]);

/// A reason why the user's secret cannot be used.
#[derive(Debug, Error)]
pub enum SecretError {
    /// The state folder is not known.
    #[error("there is no folder for its key: neither XDG_STATE_HOME nor a home folder is known")]
    NoFolder,
    /// Others could replace the file.
    #[error("its key is not safe: {0}")]
    Exposed(Exposed),
    /// The file or its folder cannot be made or read.
    #[error("its key `{}` cannot be made or read: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// The file belongs to another user.
    #[error("its key `{}` belongs to the user {owner}, but this process runs as the user {user}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The file's owner.
        owner: u32,
        /// The user of this process.
        user: u32,
    },
    /// Others may read or write the file.
    #[error("its key `{}` has the mode {mode:04o}: others may know it", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The file's permissions.
        mode: u32,
    },
    /// The file has another length than the tool's.
    #[error("its key `{}` has {length} bytes, not {LENGTH}: autotune did not make it", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The file's length, in bytes.
        length: u64,
    },
}

impl Secret {
    /// A new secret that no other process knows.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; LENGTH];
        rand::rng().fill_bytes(&mut bytes);
        Self(bytes)
    }

    /// The file of the user's secret: `autotune/cache.key` in `XDG_STATE_HOME` or `~/.local/state`. On a system without
    /// state folders, it is in the folder of applications' data. `None` without a home folder.
    #[must_use]
    pub fn path_of_user() -> Option<PathBuf> {
        let state = dirs::state_dir().or_else(dirs::data_local_dir)?;
        Some(state.join("autotune").join(FILE))
    }

    /// The user's secret, which is made if it is missing.
    ///
    /// # Errors
    /// If the secret cannot be made, or the file in its place is not as the tool makes it.
    pub fn of_user() -> Result<Self, SecretError> {
        Self::in_file(&Self::path_of_user().ok_or(SecretError::NoFolder)?)
    }

    /// Checks that the user's secret can be used if it is there. Nothing is made.
    ///
    /// # Errors
    /// If the secret, or the file in its place, cannot be used.
    pub fn check_of_user() -> Result<(), SecretError> {
        Self::read(&Self::path_of_user().ok_or(SecretError::NoFolder)?).map(|_| ())
    }

    /// The secret in a file, which is made if it is missing.
    ///
    /// # Errors
    /// As [`Secret::of_user`].
    pub fn in_file(path: &Path) -> Result<Self, SecretError> {
        let failed = |why| SecretError::File { path: path.to_owned(), why };
        if let Some(secret) = Self::read(path)? {
            return Ok(secret);
        }
        Self::random().put(path).map_err(failed)?;
        // Another process may have been faster: then the secret is that one's.
        Self::read(path)?.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))
    }

    /// The secret in a file; `None` if the file is missing.
    fn read(path: &Path) -> Result<Option<Self>, SecretError> {
        let failed = |why| SecretError::File { path: path.to_owned(), why };
        let folder = folder_of(path);
        if let Ok(found) = std::fs::metadata(folder) {
            own_folder::check(folder, &found, FORBIDDEN_ON_FOLDER).map_err(SecretError::Exposed)?;
        }
        let mut file = match files::kept(path, files::MIB).unnamed().open() {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(failed)?,
        };
        check(path, &file.metadata().map_err(failed)?)?;
        let mut bytes = [0; LENGTH];
        file.read_exact(&mut bytes).map_err(failed)?;
        Ok(Some(Self(bytes)))
    }

    /// Writes the secret to a file, unless the file exists: then that one stays.
    fn put(&self, path: &Path) -> io::Result<()> {
        let folder = folder_of(path);
        if let Some(state) = folder.parent() {
            DirBuilder::new().recursive(true).mode(MODE).create(state)?;
        }
        own_folder::make(folder)?;
        // Such a file is its owner's alone from the beginning.
        let mut file = tempfile::Builder::new().prefix(&format!("{FILE}-")).tempfile_in(folder)?;
        file.write_all(&self.0)?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(path).map_err(|error| error.error) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            put => put.map(|_: File| ()),
        }
    }

    /// The signature of these parts, one after the other, in hexadecimal digits.
    #[must_use]
    pub(super) fn sign(&self, parts: &[&[u8]]) -> String {
        HEXLOWER.encode(&self.mac(parts).finalize().into_bytes())
    }

    /// Returns true if this is the signature of these parts. The time that it takes does not depend on the signature.
    #[must_use]
    pub(super) fn has_signed(&self, parts: &[&[u8]], signature: &[u8]) -> bool {
        HEXLOWER.decode(signature).is_ok_and(|bytes| self.mac(parts).verify_slice(&bytes).is_ok())
    }

    fn mac(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::new(&self.0.into());
        for part in parts {
            mac.update(part);
        }
        mac
    }
}

/// A secret is not printed.
impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Secret").finish_non_exhaustive()
    }
}

impl SecretError {
    /// Advice on how to mend the error.
    #[must_use]
    pub fn help(&self) -> String {
        let elsewhere = "name another folder with the variable XDG_STATE_HOME";
        match self {
            Self::NoFolder | Self::Foreign { .. } | Self::File { .. } => elsewhere.to_owned(),
            Self::Exposed(exposed) => match exposed.mend() {
                Some(command) => format!("mend it with `{command}`, or {elsewhere}"),
                None => elsewhere.to_owned(),
            },
            Self::Open { path, .. } | Self::Length { path, .. } => {
                format!("`rm {}` makes room for a new key; what the cache has is then made anew", word(path))
            }
        }
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Checks that the tool could have made the file for this user.
fn check(path: &Path, found: &Metadata) -> Result<(), SecretError> {
    let (path, mode, length) = (path.to_owned(), found.mode() & 0o7777, found.len());
    if found.uid() != own_folder::user() {
        return Err(SecretError::Foreign { path, owner: found.uid(), user: own_folder::user() });
    }
    if mode & FORBIDDEN != 0 {
        return Err(SecretError::Open { path, mode });
    }
    if length == LENGTH as u64 { Ok(()) } else { Err(SecretError::Length { path, length }) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A folder, and the path of a secret two folders below.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/autotune").join(FILE);
        (folder, path)
    }

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn a_secret_is_made_once_for_its_owner_alone() {
        let (_folder, path) = place();
        let secret = Secret::in_file(&path).unwrap();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(std::fs::read(&path).unwrap(), secret.0);
        assert_eq!(Secret::in_file(&path).unwrap().0, secret.0);
        assert_ne!(Secret::random().0, secret.0);
        assert!(!format!("{secret:?}").contains(&secret.0[0].to_string()), "{secret:?}");
    }

    #[test]
    fn those_who_begin_together_have_one_secret() {
        for _ in 0..20 {
            let (_folder, path) = place();
            let barrier = std::sync::Barrier::new(8);
            let begun = || {
                barrier.wait();
                Secret::in_file(&path).unwrap().0
            };
            let secrets: Vec<[u8; LENGTH]> = std::thread::scope(|scope| {
                let running = [(); 8].map(|()| scope.spawn(begun));
                running.map(|one| one.join().unwrap()).into()
            });
            assert!(secrets.iter().all(|secret| *secret == secrets[0]));
            assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
        }
    }

    /// RFC 4231, test case 2: a short key, which zeros make as long as a block.
    #[test]
    fn a_signature_is_hmac_sha_256() {
        let mut bytes = [0; LENGTH];
        bytes[..4].copy_from_slice(b"Jefe");
        let secret = Secret(bytes);
        let signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(secret.sign(&[b"what do ya want ", b"for nothing?"]), signature);
        assert!(secret.has_signed(&[b"what do ya want for nothing?"], signature.as_bytes()));
        assert!(!secret.has_signed(&[b"what do ya want for nothing!"], signature.as_bytes()));
        assert!(!secret.has_signed(&[b"what do ya want for nothing?"], &signature.as_bytes()[..62]));
        assert!(!Secret::random().has_signed(&[b"what do ya want for nothing?"], signature.as_bytes()));
    }

    #[test]
    fn a_file_that_the_tool_did_not_make_is_refused_and_left_alone() {
        type Spoil = fn(&Path);
        let spoilers: [(Spoil, &str); 7] = [
            (|path| std::fs::write(path, "short").unwrap(), "has 5 bytes, not 64"),
            (|path| std::fs::write(path, [7; LENGTH + 1]).unwrap(), "has 65 bytes, not 64"),
            (|path| std::fs::write(path, "").unwrap(), "has 0 bytes, not 64"),
            (|path| std::fs::create_dir(path).unwrap(), "it is a folder"),
            (|path| symlink("elsewhere", path).unwrap(), "it is a link"),
            (|path| symlink("key", path).unwrap(), "it is a link"),
            (|path| std::fs::File::create(path).unwrap().set_len(1 << 40).unwrap(), "more than 1.0 MiB"),
        ];
        for (spoil, words) in spoilers {
            let (_folder, path) = place();
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path.with_file_name("key"), [7; LENGTH]).unwrap();
            spoil(&path);
            if path.is_file() {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            }
            let before = std::fs::symlink_metadata(&path).unwrap();
            for _ in 0..2 {
                let error = Secret::in_file(&path).unwrap_err();
                assert!(error.to_string().contains(words), "{error}");
                assert!(!error.help().is_empty());
            }
            let after = std::fs::symlink_metadata(&path).unwrap();
            assert_eq!((after.len(), after.modified().unwrap()), (before.len(), before.modified().unwrap()));
        }
    }

    #[test]
    fn a_secret_that_others_may_know_or_replace_is_refused() {
        let (_folder, path) = place();
        let secret = Secret::in_file(&path).unwrap();
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        for open in [0o640, 0o602, 0o644, 0o601] {
            set(&path, open);
            let error = Secret::in_file(&path).unwrap_err();
            assert!(error.to_string().contains(&format!("has the mode {open:04o}: others may know it")), "{error}");
            assert!(error.help().contains(&format!("rm {}", path.display())), "{}", error.help());
        }
        set(&path, 0o400);
        assert_eq!(Secret::in_file(&path).unwrap().0, secret.0);
        set(path.parent().unwrap(), 0o770);
        let error = Secret::in_file(&path).unwrap_err();
        assert!(error.to_string().contains("has the mode 0770") && error.help().contains("chmod 700"), "{error}");
    }

    #[test]
    fn a_place_in_which_nothing_can_be_made_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("state"), "not a folder").unwrap();
        let error = Secret::in_file(&folder.path().join("state/autotune").join(FILE)).unwrap_err();
        assert!(matches!(error, SecretError::File { .. }) && error.to_string().contains("cannot be made"), "{error}");
        assert!(error.help().contains("XDG_STATE_HOME"));
    }
}
