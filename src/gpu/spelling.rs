//! Guesses the meaning of an unknown GPU name: another spelling of a known name, or another chip of a vendor.
//!
//! The names of chips differ in few letters and digits (`a10` and `a100`, `b200` and `h200`): a similar name is usually
//! another chip.

use super::Vendor;
use super::profile::Profile;
use super::profile_file::Shipped;

/// Words before or behind a chip's name that do not distinguish chips.
const DECORATION: [&str; 8] = ["nvidia", "geforce", "quadro", "tesla", "amd", "radeon", "instinct", "gpu"];
/// Series whose numbers identify the chip without the series.
const SERIES: [&str; 2] = ["gtx", "rtx"];
/// Words that only NVIDIA's names have.
const OF_NVIDIA: [&str; 7] = ["nvidia", "geforce", "quadro", "tesla", "gtx", "rtx", "titan"];
/// Words that only AMD's names have.
const OF_AMD: [&str; 3] = ["amd", "radeon", "instinct"];
/// NVIDIA's architectures, and the letters before the first digit of NVIDIA's other names.
const NVIDIA: &str = "gt gts gb gh a b c h k l m p t v sm blackwell rubin lovelace hopper ampere turing volta pascal maxwell kepler fermi";
/// AMD's architectures, and the letters before the first digit of AMD's other names.
const AMD: &str = "mi rx prow prov pro w r hd vega fury gfx gcn rdna cdna";

/// The known name of which `name` is another spelling: only case, separators or the vendor's words differ. In a word
/// without digits, which is an architecture, one letter may be wrong. `None` if there is no such name.
pub(super) fn spelling(name: &str, known: &'static [Shipped]) -> Option<&'static str> {
    let wanted = plain(name);
    let names = || known.iter().flat_map(|shipped| shipped.profile.names_and_aliases());
    // Names of Titans differ in letters, as other chips' names do in digits.
    let is_architecture = |word: &str| !word.contains(|c: char| c.is_ascii_digit()) && !word.contains("titan");
    let is_typing_error = |candidate: &&str| {
        let candidate = plain(candidate);
        let both = is_architecture(&wanted) && is_architecture(&candidate);
        both && wanted.len() > 3 && strsim::osa_distance(&wanted, &candidate) == 1
    };
    names().find(|candidate| !wanted.is_empty() && plain(candidate) == wanted).or_else(|| names().find(is_typing_error))
}

/// The vendor of a chip; `None` if the name does not show it.
pub(super) fn vendor(name: &str) -> Option<Vendor> {
    let plain = letters_and_digits(name);
    let letters: String = plain.chars().take_while(|c| !c.is_ascii_digit()).collect();
    let says = |words: &[&str], beginnings: &str| {
        words.iter().any(|word| plain.contains(word)) || beginnings.split(' ').any(|beginning| beginning == letters)
    };
    if says(&OF_NVIDIA, NVIDIA) { Some(Vendor::Nvidia) } else { says(&OF_AMD, AMD).then_some(Vendor::Amd) }
}

/// The names of a vendor's profiles.
pub(super) fn names_of(vendor: Vendor, known: &'static [Shipped]) -> impl Iterator<Item = &'static str> {
    known.iter().filter_map(move |shipped| match &shipped.profile {
        Profile::Pipelined(gpu) if vendor == gpu.vendor => Some(shipped.profile.name()),
        _ => None,
    })
}

/// A name in lower case without separators and words that do not distinguish chips.
fn plain(name: &str) -> String {
    let mut plain = letters_and_digits(name);
    for word in DECORATION {
        plain = plain.replace(word, "");
    }
    for series in SERIES {
        if let Some(number) =
            plain.strip_prefix(series).filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        {
            return number.to_owned();
        }
    }
    plain
}

fn letters_and_digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::shipped;
    use super::*;

    #[test]
    fn other_spellings_of_one_chip_are_known() {
        for (name, meant) in [
            ("RTX 2080 Ti", "rtx2080ti"),
            ("rtx-2080-ti", "rtx2080ti"),
            ("2080ti", "rtx2080ti"),
            ("NVIDIA GeForce RTX 3060 Laptop GPU", "rtx3060-laptop"),
            ("nvidia a100", "a100"),
            ("Tesla V100", "v100"),
            ("amd mi250x", "mi250x"),
            ("Radeon PRO W6600", "pro-w6600"),
            ("titan_rtx", "titan-rtx"),
            ("ferni", "fermi"),
            ("turning", "turing"),
            ("vlota", "volta"),
        ] {
            assert_eq!(spelling(name, shipped()), Some(meant), "{name}");
        }
    }

    #[test]
    fn other_chips_are_not_taken_for_a_known_one() {
        for (name, vendor) in [
            ("mi300x", Some(Vendor::Amd)),
            ("mi250", Some(Vendor::Amd)),
            ("rx7900xtx", Some(Vendor::Amd)),
            ("gfx942", Some(Vendor::Amd)),
            ("AMD Strix Halo", Some(Vendor::Amd)),
            ("a10", Some(Vendor::Nvidia)),
            ("b200", Some(Vendor::Nvidia)),
            ("h20", Some(Vendor::Nvidia)),
            ("a100-80gb", Some(Vendor::Nvidia)),
            ("rtx3080ti", Some(Vendor::Nvidia)),
            ("gtx1060", Some(Vendor::Nvidia)),
            ("blackwell", Some(Vendor::Nvidia)),
            ("GTX TITAN X", Some(Vendor::Nvidia)),
            ("titan v", Some(Vendor::Nvidia)),
            ("Quadro RTX 6000", Some(Vendor::Nvidia)),
            ("Radeon R9 290X", Some(Vendor::Amd)),
            ("arc-a770", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!((spelling(name, shipped()), super::vendor(name)), (None, vendor), "{name}");
        }
    }

    #[test]
    fn shipped_names_say_whose_they_are() {
        for shipped in shipped() {
            let Profile::Pipelined(gpu) = &shipped.profile else { continue };
            let said = shipped.profile.names_and_aliases().filter_map(vendor).collect::<Vec<_>>();
            assert!(said.iter().all(|vendor| *vendor == gpu.vendor), "{}", gpu.name);
        }
    }

    #[test]
    fn what_is_left_out_tells_no_two_chips_apart() {
        let mut owners = HashMap::new();
        for shipped in shipped() {
            for name in shipped.profile.names_and_aliases() {
                let owner = shipped.profile.name();
                assert_eq!(*owners.entry(plain(name)).or_insert(owner), owner, "{name}");
            }
        }
    }
}
