//! Checksums of what is kept or quoted.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// SHA-256 of all parts, one after the other, in hexadecimal digits.
#[must_use]
pub(crate) fn sha256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut sum = Sha256::new();
    parts.into_iter().for_each(|part| sum.update(part));
    sum.finalize().iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
