//! The origin of a profile's values: the comment behind each value names its source, or says why the value is assumed.

use std::collections::BTreeSet;

use super::number::UNKNOWN;

/// Keys that identify a GPU; their comments explain the key.
const IDENTITY: [&str; 7] = ["name", "aliases", "base", "execution", "vendor", "architecture", "target"];

/// The beginning of the comment of a value without a source.
pub(super) const ASSUMED: &str = "assumed: ";

/// The reason for a value without a comment.
const NOT_STATED: &str = "no source is stated";

/// A value of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact<'a> {
    /// The key of the profile.
    pub key: &'a str,
    /// The value as written.
    pub value: &'a str,
    /// The origin of the value.
    pub origin: Provenance<'a>,
}

/// The origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance<'a> {
    /// The name of a source, and a remark behind a colon if there is one.
    Source(&'a str),
    /// The reason to assume the value, or the GPU that it was taken from.
    Assumed(&'a str),
}

/// Returns the values of a profile's text except unknown ones and those that identify the GPU.
pub(super) fn facts(text: &str) -> impl Iterator<Item = Fact<'_>> {
    text.lines().filter_map(fact).filter(|fact| !identifies(fact.key) && fact.value != UNKNOWN)
}

/// Returns the keys of a profile's text whose values are assumed.
pub(super) fn assumed(text: &str) -> BTreeSet<String> {
    let assumed = facts(text).filter(|fact| matches!(fact.origin, Provenance::Assumed(_)));
    assumed.map(|fact| fact.key.to_owned()).collect()
}

/// The value of a line; `None` if no value begins in the line.
pub(super) fn fact(line: &str) -> Option<Fact<'_>> {
    let (content, comment) = line.split_once(" #").map_or((line, ""), |(content, comment)| (content, comment.trim()));
    let (key, value) = content.split_once(':').map(|(key, value)| (key.trim_end(), value))?;
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic());
    let origin = match comment.strip_prefix(ASSUMED) {
        Some(why) => Provenance::Assumed(why),
        None if comment.is_empty() => Provenance::Assumed(NOT_STATED),
        None => Provenance::Source(comment),
    };
    begins.then_some(Fact { key, value: value.trim(), origin })
}

/// Returns true if the key identifies a GPU.
pub(super) fn identifies(key: &str) -> bool {
    IDENTITY.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_sources_or_reasons() {
        let text = "\
# GeForce: a GPU, with: a colon
name: mine           # not a fact
target: sm_89        # neither

# Section: one
multiprocessors: 46  # TechPowerUp
core_clock_mhz: 2475 # assumed: from memory
memory_bus_bits: 192
l2_bandwidth_bytes_per_cycle: unknown # no source
launch_regression:
  - { warps: 1, per_group_us: 0.1, fixed_us: 3 }
";
        let found: Vec<Fact> = facts(text).collect();
        let stated = |key, value, origin| Fact { key, value, origin };
        assert_eq!(
            found,
            [
                stated("multiprocessors", "46", Provenance::Source("TechPowerUp")),
                stated("core_clock_mhz", "2475", Provenance::Assumed("from memory")),
                stated("memory_bus_bits", "192", Provenance::Assumed("no source is stated")),
                stated("launch_regression", "", Provenance::Assumed("no source is stated")),
            ]
        );
    }
}
