//! The size of the cache, as a result states it.

use crate::files::cache::Usage;
use crate::result::CacheReport;

/// The report of a cache: its folder, its size, and true if its entries were removed.
#[must_use]
pub fn cache(folder: String, usage: Usage, removed: bool) -> CacheReport {
    let (entries, bytes) = (usage.entries as u64, usage.bytes);
    CacheReport { schema: CacheReport::SCHEMA, folder, entries, bytes, removed }
}
