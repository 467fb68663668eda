//! The explorer of all orders of simultaneous events against `machine.py`, and against itself without its reductions.

use autotune::machine::{Program, Reduction, evaluate, explore, greatest_bound, lower_bound};

use super::random_programs::{Shape, programs};
use super::reference;
use super::tiny_programs::tiny_programs;

/// The programs whose waves have few events: all of their orders are tried. Behind the first thousand they have fewer, since the
/// definition takes 200 times as long for 18 events as for 15.
fn tried(programs: impl Iterator<Item = Program>, number: usize) -> impl Iterator<Item = Program> {
    let mut count = 0;
    let few = move |program: &Program| {
        let is_tried = evaluate(program, u64::MAX).unwrap().events <= if count < 1_000 { 24 } else { 16 };
        count += usize::from(is_tried);
        is_tried
    };
    programs.filter(few).take(number)
}

/// The number of programs of a test: `most` where `PROPTEST_CASES` asks for thousands.
fn cases(few: usize, most: usize) -> usize {
    if super::cases(10) == 10 { most } else { few }
}

fn extremes(program: &Program, reduction: Reduction) -> (u64, u64) {
    let explored = explore(program, reduction, u64::MAX, &|| false).unwrap();
    (explored.least, explored.greatest)
}

fn text(program: &Program) -> String {
    serde_json::to_string(program).unwrap()
}

#[test]
fn the_extremes_of_random_programs_are_those_of_the_reference() {
    let programs: Vec<Program> = tried(tiny_programs(71, 3), cases(600, 100_000)).collect();
    let (mut apart, mut faster) = (0, 0);
    for (program, expected) in programs.iter().zip(reference::extremes(&programs)) {
        assert_eq!(extremes(program, Reduction::On), expected, "{}", text(program));
        let ticks = evaluate(program, u64::MAX).unwrap().ticks;
        assert!((expected.0..=expected.1).contains(&ticks), "{ticks} in {expected:?}: {}", text(program));
        apart += usize::from(expected.0 < expected.1);
        faster += usize::from(expected.0 < ticks);
    }
    assert!(apart > programs.len() / 75, "only {apart} programs whose time depends on the order");
    assert!(faster > programs.len() / 300, "only {faster} programs that another order makes faster");
}

#[test]
fn reductions_leave_the_extremes_as_they_are() {
    let (mut apart, mut states) = (0, [0; 2]);
    let larger = Shape { dispatchers: 4, resident_groups: 4, warps: 4, iterations: 2, queues: 2 };
    let few = |program: &Program| {
        let warps = program.largest_wave() * program.warps_per_group;
        (2..=4).contains(&warps)
    };
    let larger = tried(programs(72, larger).filter(few), cases(200, 5_000));
    for program in tried(tiny_programs(73, 4), cases(400, 20_000)).chain(larger) {
        let [reduced, plain] =
            [Reduction::On, Reduction::Off].map(|reduction| explore(&program, reduction, u64::MAX, &|| false).unwrap());
        assert_eq!((reduced.least, reduced.greatest), (plain.least, plain.greatest), "{}", text(&program));
        apart += usize::from(plain.least < plain.greatest);
        states[0] += reduced.states;
        states[1] += plain.states;
    }
    assert!(apart >= 20, "only {apart} programs whose time depends on the order");
    assert!(states[0] * 2 < states[1], "{states:?} states with and without reductions");
}

#[test]
fn bounds_hold_in_every_order() {
    let mut met = 0;
    for program in tried(tiny_programs(74, 3), cases(2_000, 50_000)) {
        let (least, greatest) = extremes(&program, Reduction::On);
        assert!(lower_bound(&program).ticks <= least, "{}", text(&program));
        let bound = greatest_bound(&program);
        assert!(greatest <= bound, "{greatest} > {bound}: {}", text(&program));
        met += usize::from(greatest == bound);
    }
    assert!(met > 100, "only {met} programs reach the greatest bound");
}
