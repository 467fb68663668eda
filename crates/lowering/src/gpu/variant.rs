//! Variants: profiles that name another profile as their `base` and state what differs.

use std::collections::HashSet;

use super::provenance::{self, ASSUMED, Fact, Provenance};

/// Keys whose values belong to one GPU alone: a variant without them has none.
const OF_ONE_GPU: [&str; 4] = ["name", "aliases", "base", "year"];

/// Keys whose values belong to a board. The base's value is a guess for another board, even of the same target.
const OF_A_BOARD: [&str; 14] = [
    "multiprocessors",
    "core_clock_mhz",
    "memory_bus_bits",
    "memory_bandwidth_GBps",
    "l2_bandwidth_bytes_per_cycle",
    "l2_size_bytes",
    "kernel_launch_overhead_us",
    "latency_l2_hit_cycles",
    "latency_dram_cycles",
    "grid_barrier_cycles",
    "latency_uncoalesced_extra_cycles",
    "uncoalesced_bandwidth_bytes_per_cycle",
    "launch_regression",
    "efficiency_weights",
];

/// Returns a variant's text with the values that it takes from its base. `stated` are the variant's keys, and
/// `base_text` is a complete text with one value a line.
///
/// The variant's lines come first and keep their numbers, so that errors show them as they are in the file. The key
/// `base` becomes a comment: the text is complete without it. A value of another board, and any value of another target,
/// is assumed.
pub(super) fn completed(variant: &str, stated: &HashSet<String>, base: &str, base_text: &str) -> String {
    let mut text = String::with_capacity(variant.len() + base_text.len());
    for line in variant.lines() {
        let is_base = line.split_once(':').is_some_and(|(key, _)| key.trim_end() == "base");
        text.push_str(if is_base { "# " } else { "" });
        text.push_str(line);
        text.push('\n');
    }
    text.extend(["\n# What is not stated above is taken from ", base, "\n"]);
    let rewriting = Rewriting::new(variant, stated, base, base_text);
    let mut section: Vec<&str> = Vec::new();
    for line in base_text.lines() {
        match provenance::fact(line) {
            Some(fact) if stated.contains(fact.key) || OF_ONE_GPU.contains(&fact.key) => {}
            Some(fact) => {
                section.drain(..).for_each(|line| text.extend([line, "\n"]));
                text.push_str(&rewriting.line(line, fact));
                text.push('\n');
            }
            None if line.is_empty() => section = vec![line],
            // A comment that follows an empty line begins a section.
            None if !section.is_empty() => section.push(line),
            None => {}
        }
    }
    text
}

/// The change of the comments of inherited values.
struct Rewriting<'a> {
    base: &'a str,
    /// True if the base is a real GPU, whose values have origins.
    has_origins: bool,
    /// True if both GPUs are of one target, which has the same multiprocessors and limits everywhere.
    same_target: bool,
}

impl<'a> Rewriting<'a> {
    fn new(variant: &str, stated: &HashSet<String>, base: &'a str, base_text: &str) -> Self {
        let target = |text: &str| {
            let mut facts = text.lines().filter_map(provenance::fact);
            facts.find(|fact| fact.key == "target").map(|fact| fact.value.to_owned())
        };
        let of_base = target(base_text);
        let same_target = of_base.is_some() && (!stated.contains("target") || target(variant) == of_base);
        let has_origins = base_text.lines().any(|line| line.starts_with("execution: pipelined"));
        Self { base, has_origins, same_target }
    }

    /// The line of an inherited value.
    fn line(&self, line: &str, Fact { key, value, origin }: Fact) -> String {
        let base = self.base;
        let why = match origin {
            Provenance::Assumed(why) => format!("{ASSUMED}as {base}: {why}"),
            Provenance::Source(_) if self.same_target && !OF_A_BOARD.contains(&key) => return line.to_owned(),
            Provenance::Source(source) => format!("{ASSUMED}as {base}: {source}"),
        };
        if !self.has_origins || provenance::identifies(key) {
            return line.to_owned();
        }
        let content = format!("{key}: {value}");
        format!("{content:<50} # {why}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "\
# GeForce RTX 1
name: one
aliases: [first]
execution: pipelined
target: sm_89      # what the compiler is given
year: 2022         # TechPowerUp

# Limits
warp_size: 32      # CCCL
max_warps: 48      # assumed: from memory

# Clock
core_clock_mhz: 2520 # TechPowerUp
";

    fn complete(variant: &str, stated: &[&str]) -> String {
        completed(variant, &stated.iter().map(|key| (*key).to_owned()).collect(), "one", BASE)
    }

    #[test]
    fn facts_of_the_target_keep_their_source_and_those_of_the_board_are_assumed() {
        let text = complete("name: two\nbase: one # a sibling\nmax_warps: 64 # CCCL\n", &["name", "base", "max_warps"]);
        insta::assert_snapshot!(text, @r"
        name: two
        # base: one # a sibling
        max_warps: 64 # CCCL

        # What is not stated above is taken from one
        execution: pipelined
        target: sm_89      # what the compiler is given

        # Limits
        warp_size: 32      # CCCL

        # Clock
        core_clock_mhz: 2520                               # assumed: as one: TechPowerUp
        ");
    }

    #[test]
    fn every_value_of_another_target_is_assumed() {
        let text = complete("name: two\nbase: one\ntarget: sm_120\n", &["name", "base", "target"]);
        for line in ["warp_size: 32", "max_warps: 48", "core_clock_mhz: 2520"] {
            let line = text.lines().find(|found| found.starts_with(line)).unwrap();
            assert!(line.contains(" # assumed: as one: "), "{line}");
        }
        assert!(!text.contains("sm_89") && !text.contains("2022"), "{text}");
    }
}
