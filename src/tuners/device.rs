//! Compares a driver's name of a device, such as `NVIDIA GeForce RTX 2080 Ti`, with a profile's names, such as
//! `rtx2080ti`.

use autotune_lowering::gpu::Profile;

/// Words behind a name that make it another device.
const VARIANTS: [&str; 9] = ["ti", "super", "laptop", "mobile", "max", "m", "x", "xt", "xtx"];

/// True if consecutive words of the device's name are a name or alias of the profile.
pub(super) fn is(device: &str, profile: &Profile) -> bool {
    let lower = device.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    profile.names_and_aliases().any(|name| is_among(&words, &plain(name)))
}

fn is_among(words: &[&str], name: &str) -> bool {
    let joined = |first: usize, end: usize| words[first..end].concat() == name;
    let is_variant = |end: usize| words.get(end).is_some_and(|word| VARIANTS.contains(word));
    (0..words.len()).any(|first| (first + 1..=words.len()).any(|end| joined(first, end) && !is_variant(end)))
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_names_are_known_and_variants_told_apart() {
        let is = |device: &str, gpu: &str| is(device, &Profile::resolve(gpu).unwrap());
        for (device, gpu) in [
            ("NVIDIA GeForce RTX 2080 Ti", "turing"),
            ("Tesla V100-PCIE-16GB", "volta"),
            ("NVIDIA A100-PCIE-40GB", "a100"),
            ("NVIDIA GeForce RTX 3060 Laptop GPU", "rtx3060laptop"),
            ("AMD Radeon PRO W6600", "w6600"),
            ("NVIDIA TITAN RTX", "titanrtx"),
        ] {
            assert!(is(device, gpu), "{device} is {gpu}");
        }
        for (device, gpu) in [
            ("GeForce GTX 980 Ti", "gtx980"),
            ("GeForce GTX TITAN X", "gtxtitan"),
            ("NVIDIA GeForce RTX 2080 Ti", "volta"),
            ("", "volta"),
        ] {
            assert!(!is(device, gpu), "{device} is not {gpu}");
        }
    }
}
