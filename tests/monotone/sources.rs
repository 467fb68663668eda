//! Random kernels, and the same with one line that asks for more, on each GPU.

use autotune::lowering::Lowering;
use autotune::spec::Configuration;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::findings::{Finding, assert_monotone};
use super::kernels::{Folder, reader};
use super::text::{Kernel, Line};
use super::{GPUS, Time, cases, gain, profile, time};

/// Kinds of changes of one kernel.
const KINDS: usize = 3;

/// Kernels with random kinds of changes that the lines allow, each at a random place.
fn worse_kernels(kernel: &Kernel, seed: u64) -> Vec<(&'static str, Kernel)> {
    let mut changed = changed(&kernel.lines);
    changed.shuffle(&mut StdRng::seed_from_u64(seed));
    let mut found: Vec<(&str, Kernel)> = Vec::new();
    for (kind, lines) in changed {
        if found.len() < KINDS && found.iter().all(|(other, _)| *other != kind) {
            found.push((kind, Kernel { lines, ..kernel.clone() }));
        }
    }
    found
}

/// Lines with each change of each of them.
fn changed(lines: &[Line]) -> Vec<(&'static str, Vec<Line>)> {
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let with = |by: Line| [&lines[..place], &[by], &lines[place + 1..]].concat();
        for (kind, worse) in &line.others {
            found.push((*kind, with(Line { worse: Some(worse.clone()), ..line.clone() })));
        }
        let inner = changed(&line.body).into_iter();
        found.extend(inner.map(|(kind, body)| (kind, with(Line { body, ..line.clone() }))));
    }
    found
}

/// The times of the better version and of each worse one, by GPU. A macro chooses the version, so each target is asked
/// to compile once.
fn all_times<'a>(better: &Kernel, worse: &[&Kernel], gpus: &[&'a str]) -> Vec<(&'a str, Vec<Option<Time>>)> {
    let (folder, reader) = (Folder::new(), reader());
    let versions = std::iter::once(better.version(false)).chain(worse.iter().map(|kernel| kernel.version(true)));
    let chosen = (0..).zip(versions).map(|(version, text)| format!("#if VERSION == {version}\n{text}#endif\n"));
    let text: String = chosen.collect();
    folder.write("drawn.cl", &text);
    let spec = folder.spec(&better.spec(worse.len() + 1));
    let configurations: Vec<_> = (0..).take(worse.len() + 1).map(|version| Configuration(vec![version])).collect();
    let on = |gpu: &&'a str| {
        let lowering = Lowering::new(&spec, profile(gpu), &reader);
        lowering.prepare(&configurations.iter().collect::<Vec<_>>());
        let time = |version| time(&lowering, version).unwrap_or_else(|why| panic!("{gpu}: {why}\n{text}"));
        (*gpu, configurations.iter().map(time).collect())
    };
    gpus.iter().map(on).collect()
}

/// Both times on a GPU; `None` if one is left out, or the versions differ in their resident groups.
fn comparable(better: Option<Time>, worse: Option<Time>) -> Option<[Time; 2]> {
    let times = [better?, worse?];
    (times[0].resident_groups == times[1].resident_groups).then_some(times)
}

/// The number of comparisons of one kernel, and what was found.
fn compared(seed: u64) -> (usize, Vec<(Kernel, Finding)>) {
    let better = Kernel::drawn(seed);
    let kernels = worse_kernels(&better, seed);
    let (mut number, mut found) = (0, Vec::new());
    let worse: Vec<_> = kernels.iter().map(|(_, kernel)| kernel).collect();
    for (gpu, times) in all_times(&better, &worse, &GPUS) {
        for ((kind, kernel), time) in kernels.iter().zip(&times[1..]) {
            let Some([better, worse]) = comparable(times[0], *time) else { continue };
            number += 1;
            if let Some(gain) = gain(kind, worse, better) {
                let ticks = [better.ticks, worse.ticks];
                found.push((kernel.clone(), Finding { kind, gpu, seed, ticks, gain }));
            }
        }
    }
    (number, found)
}

/// Lines without one that the versions share, or with a loop's lines in its place.
fn smaller(lines: &[Line]) -> Vec<Vec<Line>> {
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let with = |by: Vec<Line>| [&lines[..place], &by, &lines[place + 1..]].concat();
        if !line.differs() {
            found.push(with(Vec::new()));
        }
        let inner = smaller(&line.body).into_iter().filter(|body| !body.is_empty());
        found.extend(inner.map(|body| with(vec![Line { body, ..line.clone() }])));
    }
    found
}

/// The kernel without the lines that half of the gain does not need, and its times.
fn reduced(kind: &str, mut kernel: Kernel, gpu: &str) -> (Kernel, [Time; 2]) {
    let times = |kernel: &Kernel| {
        let (_, times) = all_times(kernel, &[kernel], &[gpu]).remove(0);
        comparable(times[0], times[1])
    };
    let gained = |kernel: &Kernel| times(kernel).and_then(|[better, worse]| gain(kind, worse, better));
    let half = gained(&kernel).unwrap() / 2;
    let with = |kernel: &Kernel, lines| Kernel { lines, ..kernel.clone() };
    while let Some(less) = smaller(&kernel.lines)
        .into_iter()
        .map(|lines| with(&kernel, lines))
        .find(|less| gained(less).is_some_and(|gain| gain >= half))
    {
        kernel = less;
    }
    let times = times(&kernel).unwrap();
    (kernel, times)
}

/// A finding with its kernel, made small.
fn example(kernel: &Kernel, finding: &Finding) -> String {
    let (kernel, [better, worse]) = reduced(finding.kind, kernel.clone(), finding.gpu);
    let finding = Finding { ticks: [better.ticks, worse.ticks], ..finding.clone() };
    finding.with(&kernel.version(false), &kernel.version(true)) + &kernel.launch()
}

fn assert_all_monotone(seeds: std::ops::Range<u64>) {
    let number = seeds.end - seeds.start;
    let all = seeds.into_par_iter().map(compared).collect();
    assert_monotone(all, 10 * number, 2, example);
}

#[test]
fn worse_kernels_never_take_less_time() {
    assert_all_monotone(0..8);
}

/// `PROPTEST_CASES` chooses another number.
#[test]
#[ignore = "minutes: 8 kernels in CI, 2,000 here"]
fn thousands_of_worse_kernels_never_take_less_time() {
    assert_all_monotone(0..cases(2_000));
}
