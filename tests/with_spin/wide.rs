//! Waits in two words: programs whose waits reach 2^30 ticks, and up to nearly 2^60.

use autotune::machine::{Program, Server, Statement, evaluate, evaluate_plain};
use autotune::model::{self, Form, Model};
use autotune::spin::Found;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::generic::assert_refused;
use crate::random_programs::{Shape, lengthened, programs};
use crate::{NONE, candidates, checker, plain, side_by_side, warp_models};

const SHAPE: Shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 12, queues: 0 };

/// Random programs with long waits, which end before 2^60 ticks.
fn long_programs(seed: u64) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(seed);
    let long = programs(seed, SHAPE).map(move |program| lengthened(&mut random, program));
    long.filter(|program| program.check().is_ok() && evaluate_plain(program, 3_000).is_ok())
}

fn is_wide(model: &Model) -> bool {
    model.text.contains("int wake_high[WARPS]")
}

/// Checks the time of every end, the optimum and its proof in a model of these programs.
fn assert_exact(model: Model, programs: &[Program]) {
    assert!(is_wide(&model));
    let ticks: Vec<u64> = programs.iter().map(|program| evaluate_plain(program, u64::MAX).unwrap().ticks).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(model, folder.path());
    let (mut ends, _) = checker.ends(NONE).unwrap();
    ends.sort_unstable();
    for (end, program) in ends.iter().zip(programs) {
        assert_eq!(
            (end.done, end.ticks),
            (true, ticks[usize::from(end.configuration)]),
            "{}",
            serde_json::to_string(program).unwrap()
        );
    }
    assert_eq!(ends.len(), programs.len());
    let optimum = *ticks.iter().min().unwrap();
    assert_eq!(checker.find(optimum).unwrap().0, Found::None);
    let (Found::Witnesses(found), _) = checker.find(optimum + 1).unwrap() else { panic!("no witness") };
    assert_eq!(found[0].ticks, optimum);
}

#[test]
fn spin_and_the_evaluator_agree_on_long_programs() {
    for seed in 300..303 {
        let some: Vec<Program> = long_programs(seed).take(150).collect();
        assert!(some.iter().filter(|program| evaluate(program, u64::MAX).unwrap().ticks > 1 << 50).count() > 10);
        for form in [Form::Roles, Form::Wave] {
            assert_exact(warp_models(form, &some).remove(0), &some);
            assert_exact(model::generic(form, &candidates(&some)).unwrap().remove(0), &some);
        }
        assert_exact(plain(warp_models(Form::Wave, &some).remove(0)), &some);
    }
}

/// One long program makes a model wide. The others take the times that they have in a narrow model.
#[test]
fn short_programs_beside_a_long_one_keep_their_times() {
    let mut some: Vec<Program> = programs(310, SHAPE).take(150).collect();
    assert!(!is_wide(&warp_models(Form::Wave, &some)[0]));
    some.push(long_programs(311).next().unwrap());
    for form in [Form::Roles, Form::Wave] {
        assert_exact(warp_models(form, &some).remove(0), &some);
    }
}

/// A queue of `warps` services, and then a latency of each warp.
fn queue(warps: u64, launch: u64, occupancy: u64, latency: u64) -> Program {
    let used = |occupancy, latency| Statement::Use { server: Server::Memory, occupancy, latency };
    Program { launch, ..side_by_side(warps, vec![used(occupancy, occupancy), used(0, latency)]) }
}

#[test]
fn waits_carry_at_every_edge_of_their_words() {
    let (low, high) = (1u64 << 30, 1u64 << 58);
    let numbers = [1, low - 1, low, low + 1, 2 * low - 1, 2 * low, high / low * low - 1, high, high + 1];
    let mut some = Vec::new();
    for occupancy in numbers {
        for latency in numbers {
            some.extend([0, low - 1, 2 * low, high].map(|launch| queue(3, launch, occupancy, latency)));
        }
    }
    some.retain(|program| program.check().is_ok());
    assert!(some.len() > 200, "{}", some.len());
    for form in [Form::Roles, Form::Wave] {
        assert_exact(warp_models(form, &some).remove(0), &some);
    }
}

/// A wait of 2^30 ticks is the shortest that needs two words, and a launch of 2^31.
#[test]
fn a_model_is_wide_from_the_first_number_that_needs_it() {
    let base = 1 << 30;
    for (program, wide) in [
        (queue(1, 0, base - 1, base - 1), false),
        (queue(1, 0, 1, base), true),
        (queue(2, 0, base / 2 - 1, 1), false),
        (queue(2, 0, base / 2, 1), true),
        (queue(1, 2 * base - 1, 1, 1), false),
        (queue(1, 2 * base, 1, 1), true),
    ] {
        let models = warp_models(Form::Wave, std::slice::from_ref(&program));
        assert_eq!(is_wide(&models[0]), wide, "{program:?}");
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let folder = tempfile::tempdir().unwrap();
        let ends = checker(models.into_iter().next().unwrap(), folder.path()).ends(NONE).unwrap().0;
        assert_eq!(ends[0].ticks, ticks);
    }
}

#[test]
fn a_bad_wide_table_file_is_no_verdict() {
    const TABLES: &str = "1 2\n1 1 3 3 1 1 3 0 7\n0 3 20 5 6\n6 0 0 0 0\n";
    let program = queue(3, 0, 1 << 40, 1 << 40);
    let model = model::generic(Form::Wave, &candidates(&[program])).unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(Model { tables: Some(TABLES.to_owned()), ..model }, folder.path());
    let (Found::Witnesses(found), _) = checker.find(NONE).unwrap() else { panic!("no witness") };
    // The launch, two services before the last warp's, and its latency.
    assert_eq!(found[0].ticks, (7 << 30) + 3 + 2 * ((5 << 30) + 3) + (6 << 30) + 20);
    let changes = [
        ("a low word beyond its base", "0 3 20 5 6", "0 3 1073741824 5 6", "too long in the table file: 1073741824"),
        (
            "a low word of an occupancy beyond its base",
            "0 3 20 5 6",
            "0 1073741824 20 5 7",
            "too long in the table file: 1073741824",
        ),
        ("an occupancy above the latency", "0 3 20 5 6", "0 3 20 6 5", "too long in the table file: 5368709140"),
        ("too long a queue", "0 3 20 5 6", "0 0 0 357913942 357913942", "a wait that is too long"),
        ("too costly a barrier", "0 3 20 5 6", "3 0 0 1073741824 0", "too long in the table file: 1152921504606846976"),
        ("a low word of a launch beyond its base", "1 3 0 7", "1 1073741824 0 7", "a launch that is too long"),
        ("too long a launch", "1 3 0 7", "1 3 0 1073741824", "a launch that is too long"),
        ("narrow rows", "0 3 20 5 6\n6 0 0 0 0", "0 3 20\n6 0 0", "a wrong number of a row"),
    ];
    assert_refused(&mut checker, &folder.path().join("tables.txt"), TABLES, &changes);
}
