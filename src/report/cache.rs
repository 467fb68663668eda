/// Of the cache in this folder.
#[must_use]
pub fn new(folder: String, usage: Usage, removed: bool) -> Self {
    Self { schema: "autotune.cache/1", folder, entries: usage.entries as u64, bytes: usage.bytes, removed }
}

