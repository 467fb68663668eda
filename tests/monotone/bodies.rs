//! Random bodies, and the same with one change for the worse, on each GPU.

use autotune::source::SourceReader;
use autotune::spec::Spec;
use rayon::prelude::*;

use super::changes::worse_pairs;
use super::drawn::Draw;
use super::findings::{Finding, assert_monotone};
use super::pairs::{Pair, Version};
use super::{GPUS, Time, cases, gain, only_time, profile};

/// The times of a version on each GPU.
fn all_times(pair: &Pair, version: Version) -> Vec<Option<Time>> {
    let (text, reader) = (pair.spec(version), SourceReader::default());
    let spec = Spec::parse(&text, "drawn.yaml").unwrap_or_else(|why| panic!("{why}\n{text}"));
    let time = |gpu| only_time(&spec, profile(gpu), &reader).unwrap_or_else(|why| panic!("{gpu}: {why}"));
    GPUS.into_iter().map(time).collect()
}

/// Both times of a pair, the better version's first; `None` if one is left out, or has an error.
fn times(pair: &Pair, gpu: &str) -> Option<[Time; 2]> {
    let reader = SourceReader::default();
    let time = |version| {
        let spec = Spec::parse(&pair.spec(version), "drawn.yaml").ok()?;
        only_time(&spec, profile(gpu), &reader).ok()?
    };
    Some([time(Version::Better)?, time(Version::Worse)?])
}

/// The smallest pair that is reached by leaving out what half of the gain does not need, and its times.
fn reduced(kind: &str, mut pair: Pair, gpu: &str) -> (Pair, [Time; 2]) {
    let gained = |pair: &Pair| times(pair, gpu).and_then(|[better, worse]| gain(kind, worse, better));
    let half = gained(&pair).unwrap() / 2;
    while let Some(smaller) =
        pair.smaller().into_iter().find(|smaller| gained(smaller).is_some_and(|gain| gain >= half))
    {
        pair = smaller;
    }
    let times = times(&pair, gpu).unwrap();
    (pair, times)
}

/// The number of comparisons of one body with some kinds of changes, and what was found.
fn compared(seed: u64) -> (usize, Vec<(Pair, Finding)>) {
    let mut draw = Draw::new(seed);
    let pair = draw.pair();
    let mut found = Vec::new();
    let mut number = 0;
    let times = all_times(&pair, Version::Better);
    for (kind, pair) in worse_pairs(&pair, draw.random()) {
        for ((gpu, better), worse) in GPUS.into_iter().zip(&times).zip(all_times(&pair, Version::Worse)) {
            let (Some(better), Some(worse)) = (*better, worse) else { continue };
            number += 1;
            assert_eq!(better.resident_groups, worse.resident_groups, "{}", pair.spec(Version::Worse));
            if let Some(gain) = gain(kind, worse, better) {
                let ticks = [better.ticks, worse.ticks];
                found.push((pair.clone(), Finding { kind, gpu, seed, ticks, gain }));
            }
        }
    }
    (number, found)
}

/// A finding with its pair, made small.
fn example(pair: &Pair, finding: &Finding) -> String {
    let (pair, [better, worse]) = reduced(finding.kind, pair.clone(), finding.gpu);
    let finding = Finding { ticks: [better.ticks, worse.ticks], ..finding.clone() };
    finding.with(&pair.spec(Version::Better), &pair.spec(Version::Worse))
}

/// CI has 32 bodies. `PROPTEST_CASES=10000 cargo test --test monotone bodies` has 10,000.
#[test]
fn worse_bodies_never_take_less_time() {
    let number = cases(32);
    let all = (0..number).into_par_iter().map(compared).collect();
    assert_monotone(all, 40 * number, 6, example);
}
