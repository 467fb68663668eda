//! The calibration of the shipped table, and the rule by itself.

use super::spaces::lines;
use super::*;
use autotune_lowering::gpu;

/// The share of one bound for all spaces, as `BELOW` is that of the nearest's.
const BELOW_ONE: f64 = 0.1;

/// The share of spaces that lie above their bounds, and the mean gap from the expectation to the bound.
fn calibration(found: &[(&MeasuredSpace, Expected)]) -> (f64, f64) {
    let all: f64 = found.iter().map(|(space, _)| space.weight).sum();
    let above = found.iter().filter(|(space, expected)| space.first >= expected.bound);
    let above: f64 = above.map(|(space, _)| space.weight).sum();
    let gap: f64 = found.iter().map(|(space, Expected { value, bound, .. })| (value - bound) * space.weight).sum();
    (above / all, gap / all)
}

/// One expectation for all spaces: their mean, and the fraction below which this part of them lies.
fn one_for_all(traits: Traits, mut spaces: Vec<&MeasuredSpace>, part: f64) -> Expected {
    spaces.sort_by(|one, other| one.first.total_cmp(&other.first));
    let all: f64 = spaces.iter().map(|space| space.weight).sum();
    let value = spaces.iter().map(|space| space.first * space.weight).sum::<f64>() / all;
    let mut below = 0.0;
    let bound = spaces.iter().find(|space| {
        below += space.weight;
        below >= part * all
    });
    Expected { value, bound: bound.unwrap().first, traits }
}

/// Each measured space as all other families of kernels let it expect.
fn left_out(rule: impl Fn(Traits, Vec<&'static MeasuredSpace>) -> Expected) -> Vec<(&'static MeasuredSpace, Expected)> {
    let spaces = &measured().all;
    let lines = lines();
    // What a kernel's name begins with, up to the first character that is no letter.
    let families: Vec<&str> =
        lines.iter().map(|line| line.set.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap()).collect();
    let expected = |(place, space): (usize, &'static MeasuredSpace)| {
        let others = spaces.iter().zip(&families).filter(|(_, family)| **family != families[place]);
        (space, rule(lines[place].traits(), others.map(|(space, _)| space).collect()))
    };
    spaces.iter().enumerate().map(expected).collect()
}

#[test]
fn nine_of_ten_spaces_lie_above_bounds_from_other_families_of_kernels() {
    let deviations = &measured().deviations;
    let nearest = left_out(|traits, others| Expected::among(traits, deviations, others.into_iter()));
    let (above, gap) = calibration(&nearest);
    let one = |part: f64| calibration(&left_out(|traits, others| one_for_all(traits, others, part)));
    let (above_one, _) = one(BELOW_ONE);
    assert!((0.87..0.93).contains(&above) && (0.87..0.93).contains(&above_one), "{above} {above_one}");
    let parts = (1..=20).rev().map(|percent| f64::from(percent) / 100.0);
    let (_, gap_as_often) = parts.map(one).find(|(above_one, _)| *above_one >= above).unwrap();
    assert!(gap <= 0.8 * gap_as_often, "{gap} {gap_as_often}");
    for is_large in [false, true] {
        let of_size =
            |(_, expected): &&(&MeasuredSpace, Expected)| (expected.traits.configurations >= LARGE) == is_large;
        let (above, _) = calibration(&nearest.iter().filter(of_size).copied().collect::<Vec<_>>());
        // Of 44 large spaces, 37 lie above: 0.05 is one standard deviation.
        assert!((0.84..0.95).contains(&above), "large: {is_large}, {above}");
    }
    // The expectation is the mean of what happened.
    let mean = |of: fn(&(&MeasuredSpace, Expected)) -> f64| {
        let all: f64 = nearest.iter().map(|(space, _)| space.weight).sum();
        nearest.iter().map(|found| of(found) * found.0.weight).sum::<f64>() / all
    };
    let (expected, reached) = (mean(|(_, expected)| expected.value), mean(|(space, _)| space.first));
    assert!((expected - reached).abs() < 0.015, "{expected} {reached}");
}

#[test]
fn every_line_is_of_a_shipped_gpu_and_stands_there_once() {
    let lines = spaces::TABLE.lines().skip(1);
    let mut seen = std::collections::HashSet::new();
    for (line, space) in lines.zip(&measured().all) {
        let mut cells = line.split(',');
        let key: Vec<&str> = cells.by_ref().take(3).collect();
        assert!(gpu::find(key[1]).unwrap().profile.architecture().is_some(), "{line}");
        assert!(seen.insert(key), "{line}");
        assert!((0.0..=1.0).contains(&space.first) && space.logs.iter().all(Option::is_some), "{line}");
    }
    assert_eq!(seen.len(), measured().all.len());
}

/// A space whose logarithms of traits are these.
fn space(first: f64, logs: [f64; 3]) -> MeasuredSpace {
    MeasuredSpace { first, weight: 1.0, logs: logs.map(Some) }
}

#[test]
fn the_nearest_spaces_count_most() {
    let traits = Traits { configurations: 1, groups: 1, spread: None };
    // At the same place, a deviation and 2 reaches away, and beyond reach.
    let spaces =
        [space(0.5, [0.0, 9.0, 0.0]), space(0.7, [0.0, 0.0, 1.0]), space(1.0, [0.0, 0.0, 64.0 * 2.0_f64.ln()])];
    let expected = Expected::among(traits, &[1.0, 1.0, 1.0], spaces.iter());
    let (near, middle, far) = (1.0 + FAR, (-2.0_f64).exp() + FAR, FAR);
    let value = (0.5 * near + 0.7 * middle + far) / (near + middle + far);
    assert!((expected.value - value).abs() < 1e-4, "{expected:?}");
    assert!((expected.bound - 0.5).abs() < 1e-9);
    // From the far one's place, the others weigh 0.2 of 1.3: less than a sixth. With one more they weigh 0.3 of 1.4.
    let more = [space(0.7, [0.0, 0.0, 1.0])];
    for (more, bound) in [(&more[..0], 1.0), (&more, 0.7)] {
        let all = spaces.iter().chain(more);
        let far_away = Expected::among(Traits { groups: u64::MAX, ..traits }, &[1.0, 1.0, 1.0], all);
        assert!((far_away.bound - bound).abs() < 1e-9, "{far_away:?}");
    }
}

#[test]
fn nothing_is_expected_of_a_machine_on_paper_or_of_a_single_configuration() {
    let profile = |name: &str| autotune_lowering::gpu::Profile::resolve(name).unwrap();
    let waves = [Some(1.0), Some(2.0)];
    assert_eq!(Expected::of_space(&profile("abstract-tiny"), &waves, 4), None);
    assert_eq!(Expected::of_space(&profile("volta"), &waves[..1], 4), None);
    let known = Expected::of_space(&profile("volta"), &waves, 4).unwrap();
    let unknown = Expected::of_space(&profile("volta"), &[None, None], 4).unwrap();
    assert!(known.bound < known.value && unknown.bound < unknown.value, "{known:?} {unknown:?}");
    assert_eq!(known.in_words(), format!("{:.2} of the best speed (90 % bound {:.2})", known.value, known.bound));
}
