//! What is kept from earlier proofs (`schemas/cache.json`).

use bytesize::ByteSize;
use serde::Serialize;

use crate::files::cache::Usage;

/// What is kept, or what was removed.
#[derive(Debug, Serialize)]
pub struct CacheReport {
    schema: &'static str,
    folder: String,
    entries: u64,
    bytes: u64,
    /// Whether this was removed.
    removed: bool,
}

impl CacheReport {
    /// Of the cache in this folder.
    #[must_use]
    pub fn new(folder: String, usage: Usage, removed: bool) -> Self {
        Self { schema: "autotune.cache/1", folder, entries: usage.entries as u64, bytes: usage.bytes, removed }
    }

    /// A line.
    #[must_use]
    pub fn for_people(&self) -> String {
        let Self { folder, entries, removed, .. } = self;
        let size = ByteSize::b(self.bytes).display().iec();
        format!("{folder}: {}{entries} entries, {size}\n", if *removed { "removed " } else { "" })
    }
}
