//! Checksums of what is kept or quoted.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// SHA-256 of all parts, one after the other, in hexadecimal digits.
#[must_use]
pub(crate) fn sha256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut sum = Sha256::new();
    parts.into_iter().for_each(|part| sum.update(part));
    HEXLOWER.encode(&sum.finalize())
}
