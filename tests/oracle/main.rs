//! The native evaluator and the bounds against `machine.py`, the executable definition of the abstract machine's timing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod acceleration;
mod bounds;
mod check_py;
mod grid;
mod maxplus;
mod python;
mod queues;
mod reference;
mod schedules;
mod sectors;
mod timeline;

#[path = "../shared/drifting_programs.rs"]
mod drifting_programs;
#[path = "../shared/grid_programs.rs"]
mod grid_programs;
#[path = "../shared/one_warp.rs"]
mod one_warp;
#[path = "../shared/random_programs.rs"]
mod random_programs;
#[path = "../shared/tiny_programs.rs"]
mod tiny_programs;

use autotune::machine::{Program, evaluate, evaluate_plain};
use drifting_programs::drifting_programs;
use rand::SeedableRng;
use rand::rngs::StdRng;
use random_programs::{Shape, lengthened, programs};

/// The number of random cases of a test: a tenth of `all`, or all of them where `PROPTEST_CASES` asks for thousands.
fn cases(all: usize) -> usize {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(0);
    if asked >= 1_000 { all } else { all / 10 }
}

/// Random programs with loops long enough to be accelerated, and short enough for the reference. Every seventh has ticks
/// of more than 32 bits.
fn varied_programs(seed: u64) -> impl Iterator<Item = Program> {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 12, queues: 0 };
    let mut ordinary = programs(seed, shape);
    let mut drifting = drifting_programs(seed);
    let alternately = (0..).map(move |turn| if turn % 10 == 0 { drifting.next() } else { ordinary.next() });
    let short = alternately.flatten().filter(|program| evaluate(program, u64::MAX).unwrap().events <= 2_000);
    let mut random = StdRng::seed_from_u64(seed);
    let long = move |(turn, program)| if turn % 7 == 0 { lengthened(&mut random, program) } else { program };
    (0..).zip(short).map(long).filter(|program| program.check().is_ok())
}

#[test]
fn the_evaluator_equals_the_reference_on_random_programs() {
    let programs: Vec<Program> = varied_programs(1).take(cases(100_000)).collect();
    let (mut uneven, mut accelerated, mut long_periods, mut long_and_accelerated) = (0, 0, 0, 0);
    for (program, expected) in programs.iter().zip(reference::times(&programs)) {
        program.check().unwrap();
        let evaluation = evaluate(program, u64::MAX).unwrap();
        let plain = evaluate_plain(program, u64::MAX).unwrap();
        let text = serde_json::to_string(program).unwrap();
        assert_eq!((evaluation.ticks, plain.ticks), (expected, expected), "{text}");
        assert_eq!((evaluation.events, plain.stepped), (plain.events, plain.events), "{text}");
        uneven += usize::from(!(program.resident_groups * program.warps_per_group).is_multiple_of(program.dispatchers));
        accelerated += usize::from(evaluation.skips > 0);
        long_periods += usize::from(evaluation.longest_period > 1);
        long_and_accelerated += usize::from(evaluation.skips > 0 && evaluation.ticks > 1 << 40);
    }
    assert!(uneven >= cases(10_000), "only {uneven} programs with R * W not divisible by ND");
    assert!(accelerated >= cases(30_000), "only {accelerated} programs accelerated");
    assert!(long_periods >= cases(1_000), "only {long_periods} programs accelerated with a period above 1");
    assert!(
        long_and_accelerated >= cases(1_000),
        "only {long_and_accelerated} programs of more than 2^40 ticks accelerated"
    );
}
