//! The size of the cache, as a result states it.

use crate::files::cache::{CacheFolder, Usage};
use crate::files::secret::{Secret, SecretError};
use crate::result::CacheReport;

/// The report of a cache: its folder, its size, true if its entries were removed, and the key that signs them.
#[must_use]
pub fn cache(folder: &CacheFolder, usage: Usage, removed: bool, secret: Result<(), SecretError>) -> CacheReport {
    CacheReport {
        schema: CacheReport::SCHEMA,
        folder: folder.path().display().to_string(),
        entries: usage.entries as u64,
        bytes: usage.bytes,
        key: Secret::path_of_user().map(|path| path.display().to_string()),
        unusable: secret.err().map(|why| format!("{why}; {}", why.help())),
        removed,
    }
}
