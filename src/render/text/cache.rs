//! The size of a cache.

use bytesize::ByteSize;

use crate::result::CacheReport;

/// Returns the report: a line about the entries, and a line about the key that signs them.
#[must_use]
pub fn to_text(report: &CacheReport) -> String {
    let CacheReport { folder, entries, removed, .. } = report;
    let size = ByteSize::b(report.bytes).display().iec();
    let key = match (&report.unusable, &report.key) {
        (Some(why), _) => format!("the cache is not used, {why}\n"),
        (None, Some(key)) => format!("signed with {key}\n"),
        (None, None) => String::new(),
    };
    format!("{folder}: {}{entries} entries, {size}\n{key}", if *removed { "removed " } else { "" })
}
