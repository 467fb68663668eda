//! The size of the cache of earlier proofs (`schemas/cache.json`).

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune cache --format json`: what is kept from earlier proofs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CacheReport {
    /// The id of this schema.
    #[schemars(extend("const" = CacheReport::SCHEMA))]
    pub schema: &'static str,
    /// The folder.
    pub folder: String,
    /// The number of entries.
    pub entries: u64,
    /// The bytes of all entries.
    pub bytes: u64,
    /// Whether `clear` has removed them.
    pub removed: bool,
}

impl CacheReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.cache/1";
}
