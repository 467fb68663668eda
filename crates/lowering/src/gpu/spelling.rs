//! Guesses the meaning of an unknown GPU name: another spelling of a known name, or another chip of a vendor.
//!
//! The names of chips differ in few letters and digits (`a10` and `a100`, `b200` and `h200`): a similar name is usually
//! another chip.

use std::cmp::Ordering;

use super::Vendor;
use super::profile::Profile;
use super::profile_file::ProfileFile;

/// The most names that are suggested for an unknown one.
const NEAREST: usize = 5;
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
const AMD: &str = "mi rx prow prov pro aipror w r hd vega fury gfx gcn rdna cdna";

/// The known name that `name` spells in another way: only case, separators or the vendor's words differ. In a word
/// without digits, which is an architecture, one letter may be wrong. `None` if there is no such name.
pub(super) fn spelling<'a>(name: &str, known: &(impl Iterator<Item = &'a str> + Clone)) -> Option<&'a str> {
    let wanted = plain(name);
    // Names of Titans differ in letters, as other chips' names do in digits.
    let is_architecture = |word: &str| !word.contains(|c: char| c.is_ascii_digit()) && !word.contains("titan");
    let is_typing_error = |candidate: &&str| {
        let candidate = plain(candidate);
        let both = is_architecture(&wanted) && is_architecture(&candidate);
        both && wanted.len() > 3 && strsim::osa_distance(&wanted, &candidate) == 1
    };
    let is_wanted = |candidate: &&str| !wanted.is_empty() && plain(candidate) == wanted;
    known.clone().find(is_wanted).or_else(|| known.clone().find(is_typing_error))
}

/// The known name of the chip that a vendor's tool calls `name`, such as `NVIDIA A100-SXM4-40GB`: what the name says of board
/// and memory counts only where a profile's name says it too. `None` if there is no such name.
pub(super) fn of_tool<'a>(name: &str, known: &(impl Iterator<Item = &'a str> + Clone)) -> Option<&'a str> {
    let words: Vec<&str> = name.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
    let is_memory = |word: &str| {
        let word = word.to_ascii_lowercase();
        word.starts_with("hbm") || word.strip_suffix("gb").is_some_and(|size| size.bytes().all(|c| c.is_ascii_digit()))
    };
    let is_board = |word: &str| {
        let word = word.to_ascii_lowercase();
        word == "pcie" || word.strip_prefix("sxm").is_some_and(|form| form.bytes().all(|c| c.is_ascii_digit()))
    };
    let without = |board: bool, memory: bool| -> String {
        let left = words.iter().filter(|word| !(board && is_board(word) || memory && is_memory(word)));
        plain(&left.copied().collect::<String>())
    };
    let forms = [without(false, false), without(true, false), without(false, true), without(true, true)];
    forms.iter().filter(|form| !form.is_empty()).find_map(|form| known.clone().find(|known| plain(known) == *form))
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

/// The names of a vendor's profiles that are nearest to `name`, the nearest first: of the same series with the nearest
/// number, then the most similar.
pub(super) fn nearest<'a>(name: &str, vendor: Vendor, known: &[&'a ProfileFile]) -> Vec<&'a str> {
    let of_vendor = |file: &&&ProfileFile| matches!(&file.profile, Profile::Pipelined(gpu) if gpu.vendor == vendor);
    let distance = |file: &ProfileFile| {
        let each = file.profile.names_and_aliases().map(|known| distance(name, known));
        each.min_by(compare).unwrap_or((true, u64::MAX, 1.0))
    };
    let mut found: Vec<_> = known.iter().filter(of_vendor).map(|file| (distance(file), file.profile.name())).collect();
    found.sort_by(|(one, _), (other, _)| compare(one, other));
    found.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}

/// The distance of two names: true if their series differ, then the difference of their numbers, then the difference
/// of their characters from 0 to 1.
type Distance = (bool, u64, f64);

fn compare(one: &Distance, other: &Distance) -> Ordering {
    (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2))
}

fn distance(one: &str, other: &str) -> Distance {
    let ((series, number), (other_series, other_number)) = (series(one), series(other));
    let apart = number.zip(other_number).map_or(u64::MAX, |(one, other)| one.abs_diff(other));
    (series != other_series, apart, 1.0 - strsim::jaro_winkler(&plain(one), &plain(other)))
}

/// The letters before the first number of a name without the vendor's words, and that number.
fn series(name: &str) -> (String, Option<u64>) {
    let lower = DECORATION.iter().fold(name.to_ascii_lowercase(), |name, word| name.replace(word, ""));
    let (letters, rest) = lower.split_at(lower.find(|c: char| c.is_ascii_digit()).unwrap_or(lower.len()));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (letters_and_digits(letters), digits.parse().ok())
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

    use super::super::{shipped, shipped_names};
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
            assert_eq!(spelling(name, &shipped_names()), Some(meant), "{name}");
        }
    }

    #[test]
    fn names_of_drivers_are_known() {
        for (name, meant) in [
            ("NVIDIA A100-SXM4-40GB", Some("a100-40gb")),
            ("NVIDIA A100 80GB PCIe", Some("a100-80gb")),
            ("NVIDIA H100 80GB HBM3", Some("h100")),
            ("NVIDIA H100 PCIe", Some("h100-pcie")),
            ("Tesla V100-SXM2-16GB", Some("v100")),
            ("NVIDIA GH200 480GB", Some("gh200")),
            ("NVIDIA GeForce RTX 4070 SUPER", Some("rtx4070-super")),
            ("AMD Instinct MI250X", Some("mi250x")),
            ("Radeon RX 7900 XTX", Some("rx7900xtx")),
            ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", Some("rtx-pro-6000-blackwell-workstation-edition")),
            ("NVIDIA RTX PRO 6000 Blackwell Server Edition", Some("rtx-pro-6000-blackwell-server-edition")),
            ("NVIDIA GB10", Some("gb10")),
            ("NVIDIA B300 SXM6 AC", Some("b300-sxm6-ac")),
            ("NVIDIA GeForce RTX 5060 Ti", Some("rtx5060ti")),
            ("AMD Instinct MI325X", Some("mi325x")),
            ("AMD Instinct MI355X", Some("mi355x")),
            ("AMD Radeon 8060S Graphics", Some("radeon-8060s-graphics")),
            ("AMD Radeon RX 9070 XT", Some("rx9070xt")),
            ("AMD Radeon AI PRO R9700", Some("ai-pro-r9700")),
            ("NVIDIA H100 NVL", None),
            ("AMD EPYC 7763 64-Core Processor", None),
        ] {
            assert_eq!(of_tool(name, &shipped_names()), meant, "{name}");
        }
    }

    #[test]
    fn other_chips_are_not_taken_for_a_known_one() {
        for (name, vendor) in [
            ("mi308x", Some(Vendor::Amd)),
            ("mi250", Some(Vendor::Amd)),
            ("rx7900", Some(Vendor::Amd)),
            ("gfx942", Some(Vendor::Amd)),
            ("AMD Strix Point", Some(Vendor::Amd)),
            ("AI PRO R9600D", Some(Vendor::Amd)),
            ("a30", Some(Vendor::Nvidia)),
            ("b100", Some(Vendor::Nvidia)),
            ("gb200", Some(Vendor::Nvidia)),
            ("rtx-pro-5000", Some(Vendor::Nvidia)),
            ("h20", Some(Vendor::Nvidia)),
            ("a100-96gb", Some(Vendor::Nvidia)),
            ("rtx3080ti", Some(Vendor::Nvidia)),
            ("gtx1060", Some(Vendor::Nvidia)),
            ("rtx5060", Some(Vendor::Nvidia)),
            ("rubin", Some(Vendor::Nvidia)),
            ("GTX TITAN X", Some(Vendor::Nvidia)),
            ("titan v", Some(Vendor::Nvidia)),
            ("Quadro RTX 6000", Some(Vendor::Nvidia)),
            ("Radeon R9 290X", Some(Vendor::Amd)),
            ("arc-a770", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!((spelling(name, &shipped_names()), super::vendor(name)), (None, vendor), "{name}");
        }
    }

    #[test]
    fn the_nearest_names_are_of_the_series() {
        for (name, vendor, first) in [
            ("mi308x", Vendor::Amd, "mi300x"),
            ("rx7900xt", Vendor::Amd, "rx7900xtx"),
            ("rtx5090d", Vendor::Nvidia, "rtx5090"),
            ("a100-sxm", Vendor::Nvidia, "a100-40gb"),
            ("b100", Vendor::Nvidia, "b200"),
            ("rtx-pro-4500", Vendor::Nvidia, "rtx-pro-6000"),
        ] {
            let found = nearest(name, vendor, &shipped());
            assert_eq!((found.len(), found[0]), (NEAREST, first), "{name}: {found:?}");
        }
        let series = nearest("rtx4050", Vendor::Nvidia, &shipped());
        assert!(series.iter().all(|name| name.starts_with("rtx40")), "{series:?}");
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
