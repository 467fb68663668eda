//! The size of the cache of earlier proofs (`schemas/cache.json`).

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune cache --format json`: the cache of earlier proofs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CacheReport {
    /// The id of this schema.
    #[schemars(extend("const" = CacheReport::SCHEMA))]
    pub schema: &'static str,
    /// The folder of the cache.
    pub folder: String,
    /// The number of entries.
    pub entries: u64,
    /// The total size of all entries, in bytes.
    pub bytes: u64,
    /// True if `clear` has removed the entries, which are then counted as they were before.
    pub removed: bool,
}

impl CacheReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.cache/1";
}
