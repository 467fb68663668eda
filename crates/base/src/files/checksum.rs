//! Checksums of what is kept or quoted.

use std::hash::{Hash, Hasher};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// SHA-256 of all parts, one after the other, in hexadecimal digits.
#[must_use]
pub fn sha256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut sum = Sha256::new();
    parts.into_iter().for_each(|part| sum.update(part));
    HEXLOWER.encode(&sum.finalize())
}

/// SHA-256 of all that tells a value from others by [`Hash`], in hexadecimal digits. Another build of this program may have
/// another sum for an equal value.
#[must_use]
pub fn sha256_of(value: &impl Hash) -> String {
    let mut sum = Sum(Sha256::new());
    value.hash(&mut sum);
    HEXLOWER.encode(&sum.0.finalize())
}

/// A sum of what a value feeds to it.
struct Sum(Sha256);

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The beginning of the sum; [`sha256_of`] takes all of it.
    fn finish(&self) -> u64 {
        let whole = self.0.clone().finalize();
        whole.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that came from a value's text for developers would change with a name, and could be equal for different values.
    #[test]
    fn sums_of_values_differ_where_a_part_differs() {
        assert_eq!(sha256_of(&("a", 1_u64)), sha256_of(&("a", 1_u64)));
        assert_ne!(sha256_of(&("a", "bc")), sha256_of(&("ab", "c")));
        assert_ne!(sha256_of(&(vec![1_u32], vec![2_u32, 3])), sha256_of(&(vec![1_u32, 2], vec![3_u32])));
        assert_ne!(sha256_of(&None::<u32>), sha256_of(&Some(0_u32)));
    }
}
