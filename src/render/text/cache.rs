//! The size of a cache.

use bytesize::ByteSize;

use crate::result::CacheReport;

/// Returns the report as one line.
#[must_use]
pub fn to_text(report: &CacheReport) -> String {
    let CacheReport { folder, entries, removed, .. } = report;
    let size = ByteSize::b(report.bytes).display().iec();
    format!("{folder}: {}{entries} entries, {size}\n", if *removed { "removed " } else { "" })
}
