//! The size of the cache of earlier proofs (`schemas/cache.json`).

use serde::Serialize;

use autotune_base::files::cache::{CacheFolder, Usage};
use autotune_base::files::secret::{Secret, SecretError};

/// The result of `autotune cache --format json`: the cache of earlier proofs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CacheReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = CacheReport::SCHEMA)))]
    pub schema: &'static str,
    /// The folder of the cache.
    pub folder: String,
    /// The number of entries.
    pub entries: u64,
    /// The total size of all entries, in bytes.
    pub bytes: u64,
    /// The file of the key that signs entries, which is made with the first one; absent without a home folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The reason why the key, and with it the cache, is not used; absent if it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
    /// True if `clear` has removed the entries, which are then counted as they were before.
    pub removed: bool,
}

impl CacheReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.cache/1";

    /// The report of a cache: its folder, its size, true if its entries were removed, and the key that signs them.
    #[must_use]
    pub fn new(folder: &CacheFolder, usage: Usage, removed: bool, secret: Result<(), SecretError>) -> Self {
        Self {
            schema: Self::SCHEMA,
            folder: folder.path().display().to_string(),
            entries: usage.entries as u64,
            bytes: usage.bytes,
            key: Secret::path_of_user().map(|path| path.display().to_string()),
            unusable: secret.err().map(|why| format!("{why}; {}", why.help())),
            removed,
        }
    }
}
