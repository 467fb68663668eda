//! The findings as a text: counts by kind and GPU, and the smallest example of each kind.

use std::collections::BTreeMap;
use std::fmt::Write;

use rayon::prelude::*;

/// More work that takes less time.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) kind: &'static str,
    pub(crate) gpu: &'static str,
    /// The seed of the case, which is its number.
    pub(crate) seed: u64,
    /// The ticks of the better version and of the worse one.
    pub(crate) ticks: [u64; 2],
    /// The hundredths of the time that more work gains.
    pub(crate) gain: u64,
}

/// Fails if more work took less time. `all` has the number of comparisons of each case with its findings; there are more than
/// `least` comparisons. `reduced` makes a case small and writes it; the shortest of `examples` of each kind are shown.
pub(crate) fn assert_monotone<Case: Sync>(
    all: Vec<(usize, Vec<(Case, Finding)>)>,
    least: u64,
    examples: usize,
    reduced: impl Fn(&Case, &Finding) -> String + Sync,
) {
    let compared: usize = all.iter().map(|(number, _)| number).sum();
    assert!(compared as u64 > least, "only {compared} comparisons");
    let found: Vec<_> = all.into_iter().flat_map(|(_, found)| found).collect();
    let findings: Vec<_> = found.iter().map(|(_, finding)| finding).collect();
    let example = |kind: &str| {
        let mut of_kind: Vec<_> = found.iter().filter(|(_, finding)| finding.kind == kind).collect();
        of_kind.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.gain));
        let greatest = of_kind.into_par_iter().take(examples);
        greatest.map(|(case, finding)| reduced(case, finding)).min_by_key(String::len).unwrap()
    };
    assert!(found.is_empty(), "{}", summary(compared, &findings, example));
}

/// The counts of what was found, with the greatest gain, and an example of each kind.
fn summary(compared: usize, found: &[&Finding], example: impl Fn(&str) -> String) -> String {
    let mut kinds: BTreeMap<&str, BTreeMap<&str, (usize, u64)>> = BTreeMap::new();
    for finding in found {
        let (count, most) = kinds.entry(finding.kind).or_default().entry(finding.gpu).or_default();
        (*count, *most) = (*count + 1, finding.gain.max(*most));
    }
    let mut text = format!("{} of {compared} comparisons: more work takes less time\n", found.len());
    for (kind, by_gpu) in &kinds {
        let by_gpu: Vec<_> =
            by_gpu.iter().map(|(gpu, (count, most))| format!("{count} on {gpu} (to {most} %)")).collect();
        writeln!(text, "{kind}: {}", by_gpu.join(", ")).unwrap();
    }
    for kind in kinds.keys() {
        writeln!(text, "\n## {kind}: {}", example(kind)).unwrap();
    }
    text
}

impl Finding {
    /// The finding with the texts of both versions.
    pub(crate) fn with(&self, better: &str, worse: &str) -> String {
        let Self { gpu, seed, ticks: [first, last], .. } = self;
        format!("{first} and {last} ticks on {gpu}, seed {seed}\n{}", beside(better, worse))
    }
}

/// Two texts in one: lines of the first alone begin with `-`, of the second alone with `+`.
fn beside(first: &str, last: &str) -> String {
    let diff = similar::TextDiff::from_lines(first, last);
    let line = |change: similar::Change<&str>| format!("{}{change}", change.tag());
    diff.iter_all_changes().map(line).collect()
}
