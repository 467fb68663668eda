//! The memory of one search, as the user gives it.

use std::ops::RangeInclusive;

use bytesize::ByteSize;

/// The bytes that a search may be allowed: pan counts in MiB, and its table and stack take some of them.
const ALLOWED: RangeInclusive<u64> = 16 << 20..=4 << 40;

/// Reads a size of memory with its unit. A single letter is binary, as for compilers, shells and Slurm: `4G` is `4GiB`,
/// but `4GB` has powers of ten. A number without a unit is in bytes.
///
/// # Errors
/// If the text is not a size, if a number without a unit is too small to be meant in bytes, or if the size is out of
/// range.
pub fn memory(text: &str) -> Result<ByteSize, String> {
    let text = text.trim();
    let letter = text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G', 't', 'T']).is_some();
    let size = if letter { format!("{text}iB").parse::<ByteSize>() } else { text.parse() };
    let size = size.map_err(|_| "it is not a size of memory such as 512M or 4GiB".to_owned())?;
    let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
    if ALLOWED.contains(&size.as_u64()) {
        Ok(size)
    } else if is_bare && size.as_u64() < *ALLOWED.start() {
        Err(format!("without a unit it means {text} bytes; write {text}G or {text}M for GiB or MiB"))
    } else {
        let [least, most] = [ALLOWED.start(), ALLOWED.end()].map(|bytes| ByteSize::b(*bytes));
        Err(format!("it is not between {least} and {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_alone_is_binary() {
        for (text, bytes) in [
            ("4G", 4 << 30),
            ("4g", 4 << 30),
            ("4GiB", 4 << 30),
            ("0.5G", 1 << 29),
            ("512M", 512 << 20),
            ("512MiB", 512 << 20),
            ("4GB", 4_000_000_000),
            ("32768k", 32 << 20),
            ("1T", 1 << 40),
            ("4294967296", 4 << 30),
        ] {
            assert_eq!(memory(text).map(|size| size.as_u64()), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn a_number_too_small_to_be_meant_asks_for_its_unit() {
        for text in ["4", "0", "4096"] {
            let why = memory(text).unwrap_err();
            assert!(why.contains(&format!("{text} bytes; write {text}G")), "{why}");
        }
        for text in ["-1", "-1G", "lots", "", "G", "4 apples"] {
            assert_eq!(memory(text).unwrap_err(), "it is not a size of memory such as 512M or 4GiB", "{text}");
        }
        for text in ["1k", "5T", "99999999999999999999"] {
            let why = memory(text).unwrap_err();
            assert!(why.starts_with("it is n"), "{text}: {why}");
        }
    }
}
