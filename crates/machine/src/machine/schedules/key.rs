//! A state in few bytes.

/// A state's words, each in as few bytes as it needs (LEB128).
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key(Box<[u8]>);

impl Key {
    pub(super) fn new(words: &[u64]) -> Self {
        let mut bytes = Vec::with_capacity(words.len() * 2);
        for &word in words {
            // The greatest word stands for a warp that another one wakes, and is frequent.
            let mut rest = word.wrapping_add(1);
            while rest >= 0x80 {
                bytes.push(rest.to_le_bytes()[0] | 0x80);
                rest >>= 7;
            }
            bytes.push(rest.to_le_bytes()[0]);
        }
        Self(bytes.into_boxed_slice())
    }

    /// Writes the words.
    pub(super) fn read(&self, words: &mut Vec<u64>) {
        words.clear();
        let (mut word, mut shift) = (0, 0);
        for &byte in &self.0 {
            word |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                words.push(u64::wrapping_sub(word, 1));
                (word, shift) = (0, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_size_come_back() {
        let words = vec![0, 1, 126, 127, 128, 1 << 32, u64::MAX - 1, u64::MAX, u64::MAX >> 1];
        let mut read = vec![3];
        Key::new(&words).read(&mut read);
        assert_eq!(read, words);
        assert_eq!(Key::new(&[u64::MAX; 4]).0.len(), 4);
    }
}
