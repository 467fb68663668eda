//! Exact acceleration and the cut: they change only the cost of a search.

use autotune::machine::{Program, Server, Statement, evaluate, evaluate_plain};
use autotune::model::{self, Candidate, Form, Model};
use autotune::spin::pan_output::End;

use crate::random_programs::{Shape, in_units, programs};
use crate::{NONE, checker, lockstep, plain, side_by_side, uncut, warp_models};

/// Loops long enough for repetitions; groups and warps enough for periods of several iterations.
const LOOPS: Shape = Shape { dispatchers: 3, resident_groups: 3, warps: 4, iterations: 24, queues: 0 };

fn ends(model: Model, bound: u64) -> Vec<End> {
    let folder = tempfile::tempdir().unwrap();
    let mut ends = checker(model, folder.path()).ends(bound).unwrap().0;
    ends.sort_unstable();
    ends
}

fn only(models: Vec<Model>) -> Model {
    let [model] = <[Model; 1]>::try_from(models).expect("one model holds them");
    model
}

#[test]
fn accelerated_and_plain_models_are_equal_on_a_thousand_programs() {
    for seed in 100..102 {
        let some: Vec<Program> = programs(seed, LOOPS).take(500).collect();
        let model = || only(warp_models(Form::Wave, &some));
        let accelerated = ends(model(), NONE);
        assert_eq!(accelerated, ends(plain(model()), NONE));
        for (program, end) in some.iter().zip(&accelerated) {
            assert_eq!(end.ticks, evaluate_plain(program, u64::MAX).unwrap().ticks, "{program:?}");
        }
    }
}

#[test]
fn the_form_of_roles_skips_the_same() {
    let some: Vec<Program> = programs(102, LOOPS).filter(|program| events(program) < 2000).take(200).collect();
    let of = |form| only(warp_models(form, &some));
    assert_eq!(ends(of(Form::Roles), NONE), ends(of(Form::Wave), NONE));
}

fn events(program: &Program) -> u64 {
    evaluate_plain(program, u64::MAX).unwrap().events
}

/// Candidates with too many events to run them one by one.
fn long_model(form: Form, programs: &[Program]) -> Model {
    let numbered = programs.iter().enumerate();
    let candidates: Vec<Candidate> = numbered
        .map(|(number, program)| {
            let events = evaluate(program, 1_000_000).unwrap().stepped;
            Candidate { label: format!("program={number}"), program, events, uncut_events: events }
        })
        .collect();
    only(model::warp("random", "abstract", form, &candidates).unwrap())
}

/// All loops `times` as long.
fn lengthened(body: &[Statement], times: u64) -> Vec<Statement> {
    let longer = |statement: &Statement| match statement {
        Statement::Loop { count, body } => Statement::Loop { count: count * times, body: lengthened(body, times) },
        other => other.clone(),
    };
    body.iter().map(longer).collect()
}

#[test]
fn loops_of_up_to_2_to_the_30_iterations_take_their_closed_form() {
    let mut some = Vec::new();
    for times in [1 << 5, 1 << 20, 1 << 22, 1 << 24, 1 << 28] {
        for (number, random) in programs(103, Shape { iterations: 4, ..LOOPS }).take(70).enumerate() {
            let body = lengthened(&random.body, times);
            let configuration = lockstep::random(number, Program { body, ..random });
            if configuration.program.check().is_ok() {
                some.push((configuration.closed_form(), configuration.program));
            }
        }
    }
    let beyond = some.iter().filter(|(ticks, _)| *ticks > 1 << 40).count();
    assert!(beyond > 20, "only {beyond} take more than 2^40 ticks");
    assert_ends(&some);
}

/// The evaluator skips by a scheme of its own: it compares other states, in another order.
#[test]
fn spin_and_the_evaluator_skip_to_the_same_times() {
    let mut some = Vec::new();
    for times in [1 << 6, 1 << 12, 1 << 18, 1 << 26] {
        for random in programs(105, Shape { iterations: 3, ..LOOPS }).take(80) {
            let body = lengthened(&random.body, times);
            let program = Program { body, ..random };
            // Some programs do not repeat for long.
            let evaluation = program.check().ok().and_then(|()| evaluate(&program, 20_000).ok());
            if let Some(evaluation) = evaluation.filter(|evaluation| evaluation.skips > 0) {
                some.push((evaluation.ticks, program));
            }
        }
    }
    assert!(some.iter().filter(|(ticks, _)| *ticks > 1 << 40).count() > 5, "{}", some.len());
    assert_ends(&some);
}

/// Dispatcher 0 has two warps and takes 6 ticks an iteration, dispatcher 1 has one warp and takes 5: 16 edges pass
/// before the state repeats.
#[test]
fn repetitions_of_more_edges_than_warps_are_found() {
    let dispatched = Statement::Use { server: Server::Dispatcher, occupancy: 3, latency: 5 };
    let body = vec![Statement::Loop { count: 1 << 28, body: vec![dispatched] }];
    let drifting = Program { dispatchers: 2, warps_per_group: 3, ..side_by_side(1, body) };
    let evaluation = evaluate(&drifting, 1000).unwrap();
    assert_eq!(evaluation.longest_period, 5);
    assert_ends(&[(evaluation.ticks, drifting)]);
}

/// Warps that queue at the memory keep it busy to the end.
#[test]
fn saturated_servers_take_their_closed_form() {
    let mut some = Vec::new();
    for warps in 1..=6 {
        for count in [1, 2, 7, 100, 99_999, (1 << 30) - 1, 1 << 30] {
            for (occupancy, latency) in [(1, 1), (3, 3), (4, 9), (7, 15), (20, 31)] {
                if warps * occupancy < latency {
                    continue;
                }
                let memory = Statement::Use { server: Server::Memory, occupancy, latency };
                let body = vec![Statement::Loop { count, body: vec![memory] }];
                let program = Program { dispatchers: 2, passes: 3, launch: 5, ..side_by_side(warps, body) };
                some.push((5 + 3 * ((count * warps - 1) * occupancy + latency), program));
            }
        }
    }
    assert_ends(&some);
}

/// A warp queues behind others' long services, then waits for a long latency of its own: nearly 2^31 ticks in all.
#[test]
fn the_longest_waits_fit_into_32_bits() {
    let mut some = Vec::new();
    for warps in 2..=5 {
        let (occupancy, latency) = (((1 << 30) - 1) / warps, (1 << 30) - 1);
        let queue = Statement::Use { server: Server::Memory, occupancy, latency: occupancy };
        let wait = Statement::Use { server: Server::Memory, occupancy: 0, latency };
        for body in [vec![queue.clone(), wait.clone()], vec![Statement::Loop { count: 9, body: vec![queue, wait] }]] {
            let program = side_by_side(warps, body);
            some.push((evaluate_plain(&program, u64::MAX).unwrap().ticks, program));
        }
    }
    assert!(some[0].0 > 3 << 29);
    assert_ends(&some);
}

/// Checks that every program ends at the time beside it, in both forms.
pub(crate) fn assert_ends(some: &[(u64, Program)]) {
    let programs: Vec<Program> = some.iter().map(|(_, program)| program.clone()).collect();
    for form in [Form::Roles, Form::Wave] {
        let ends = ends(long_model(form, &programs), NONE);
        assert_eq!(ends.len(), some.len());
        for (end, (ticks, program)) in ends.iter().zip(some) {
            assert_eq!((end.done, end.ticks), (true, *ticks), "{}", serde_json::to_string(program).unwrap());
        }
    }
}

/// A run of 5 and then 7 ticks is cut where it reaches the bound, unless it ends there.
#[test]
fn a_run_is_cut_at_the_bound_and_ends_at_it() {
    let of = |latency| Statement::Use { server: Server::Memory, occupancy: 1, latency };
    let program =
        |groups, first, second| Program { resident_groups: 1, ..side_by_side(groups, vec![of(first), of(second)]) };
    // The second program ends 2^30 ticks after a bound of 8.
    let (short, long) = (program(1, 5, 7), program(4, 1, (1 << 28) + 1));
    let later = (1 << 30) + 8;
    // The rest is another wave.
    let rest = Program { resident_groups: 2, ..program(3, 5, 7) };
    for form in [Form::Roles, Form::Wave] {
        for (program, total, cuts) in [
            (&short, 12, &[(13, true, 12), (12, true, 12), (11, false, 12), (6, false, 12), (5, false, 5)][..]),
            (&rest, 13 + 12, &[(25, true, 25), (14, false, 18), (5, false, 5)][..]),
            (&long, later, &[(later, true, later), (8, false, later), (4, false, 4)][..]),
        ] {
            let model = || only(warp_models(form, std::slice::from_ref(program)));
            for &(bound, done, ticks) in cuts {
                assert_eq!(ends(model(), bound), [End { configuration: 0.into(), done, ticks }], "under {bound}");
            }
            assert_eq!(ends(uncut(model()), 5), [End { configuration: 0.into(), done: true, ticks: total }]);
        }
    }
}

/// The switches do not change verdicts, counterexamples and ends.
#[test]
fn verdicts_and_trails_are_the_same_with_and_without_cut_and_acceleration() {
    let some: Vec<Program> = programs(104, Shape { iterations: 9, ..LOOPS }).take(60).collect();
    let mut times: Vec<u64> = some.iter().map(|program| evaluate_plain(program, u64::MAX).unwrap().ticks).collect();
    let of = |form| only(warp_models(form, &some));
    let mut bounds = times.clone();
    bounds.sort_unstable();
    let bounds = [0, 1, 10, 40].map(|at| bounds[at]);
    times.dedup();
    for form in [Form::Roles, Form::Wave] {
        let variants = [of(form), plain(of(form)), uncut(of(form)), plain(uncut(of(form)))];
        let answers = variants.map(|model| {
            let folder = tempfile::tempdir().unwrap();
            let mut checker = checker(model, folder.path());
            bounds.map(|bound| {
                let ends = checker.ends(bound + 1).unwrap().0;
                let mut done: Vec<End> = ends.into_iter().filter(|end| end.done && end.ticks <= bound).collect();
                done.sort_unstable();
                (checker.find_all(bound).unwrap().0, checker.find_all(bound + 1).unwrap().0, done)
            })
        });
        for answer in &answers {
            assert_eq!(*answer, answers[0]);
        }
    }
}

/// A part of the acceleration to leave out, and a program whose time changes without it.
struct Mutant {
    what: &'static str,
    from: &'static str,
    to: &'static str,
    program: &'static str,
}

const MUTANTS: [Mutant; 19] = [
    Mutant {
        what: "busy servers",
        from: "same_busy(i)",
        to: "true",
        program: r#"{"multiprocessors":1,"dispatchers":1,"groups":5,"resident_groups":3,"warps_per_group":2,"passes":1,"launch":0,"body":[{"use":{"server":"memory","occupancy":3,"latency":3}},{"loop":{"count":3,"body":[{"loop":{"count":3,"body":[{"barrier":{"cost":1}}]}},{"use":{"server":"memory","occupancy":3,"latency":23}}]}},{"use":{"server":"memory","occupancy":2,"latency":2}}]}"#,
    },
    Mutant {
        what: "counters",
        from: "counter[i] == then_counter(i) && ",
        to: "",
        program: r#"{"multiprocessors":1,"dispatchers":2,"groups":3,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"memory","occupancy":0,"latency":0}},{"loop":{"count":5,"body":[{"use":{"server":"memory","occupancy":0,"latency":6}}]}}]}"#,
    },
    Mutant {
        what: "wakes",
        from: " && same_wake(i)",
        to: "",
        program: r#"{"multiprocessors":1,"dispatchers":3,"groups":3,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"local","occupancy":2,"latency":7}},{"loop":{"count":6,"body":[{"barrier":{"cost":1}}]}}]}"#,
    },
    Mutant {
        what: "other warps' iterations",
        from: "-> compare_left(i)\n",
        to: "-> if :: i == edge_warp -> compare_left(i) :: else fi\n",
        program: UNEQUAL_LOOPS,
    },
    Mutant {
        what: "the warp with the fewest iterations",
        from: "(left(warp, j) - 1) / gone < again",
        to: "warp == edge_warp",
        program: UNEQUAL_LOOPS,
    },
    Mutant {
        what: "at most one level",
        from: ":: loops_differ > 1 -> again = 0\n            :: loops_differ == 1 && ",
        to: ":: ",
        program: r#"{"multiprocessors":1,"dispatchers":2,"groups":3,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"loop":{"count":10,"body":[{"use":{"server":"dispatcher","occupancy":10,"latency":41}},{"loop":{"count":4,"body":[{"use":{"server":"memory","occupancy":10,"latency":10}}]}}]}}]}"#,
    },
    Mutant {
        what: "two levels at once",
        from: "loops_differ > 1 -> again = 0",
        to: "loops_differ > 2 -> again = 0",
        program: TWO_DISPATCHERS,
    },
    Mutant {
        what: "no repetition where two levels differ",
        from: "loops_differ > 1 -> again = 0",
        to: "loops_differ > 1 -> skip",
        program: TWO_LEVELS,
    },
    Mutant {
        what: "the rest of a server that was busier then",
        from: "same_busy(i)",
        to: "busy[i] <= then_busy(i)",
        program: OTHER_OCCUPANCY,
    },
    Mutant {
        what: "the rest of a server that is busier now",
        from: "same_busy(i)",
        to: "busy[i] >= then_busy(i)",
        program: EARLY_LOCAL,
    },
    Mutant {
        what: "how busy a server is",
        from: "same_busy(i)",
        to: "(busy[i] > 0) == (then_busy(i) > 0)",
        program: EARLY_MEMORY,
    },
    Mutant { what: "the memory's rest", from: "same_busy(i)", to: "i == MEMORY || same_busy(i)", program: LATE_MEMORY },
    Mutant {
        what: "the local memory's rest",
        from: "same_busy(i)",
        to: "i == LOCAL || same_busy(i)",
        program: EARLY_LOCAL,
    },
    Mutant {
        what: "the dispatchers' rests",
        from: "again > 0 && i < 2 + dispatchers ->",
        to: "again > 0 && i < 2 ->",
        program: LATE_DISPATCHER,
    },
    Mutant {
        what: "the last dispatcher's rest",
        from: "again > 0 && i < 2 + dispatchers ->",
        to: "again > 0 && i < 1 + dispatchers ->",
        program: LATE_DISPATCHER,
    },
    Mutant {
        what: "the iteration that a warp must keep",
        from: "(left(warp, j) - 1) / gone",
        to: "left(warp, j) / gone",
        program: r#"{"multiprocessors":1,"dispatchers":1,"groups":1,"resident_groups":1,"warps_per_group":1,"passes":1,"launch":0,"body":[{"loop":{"count":8,"body":[{"use":{"server":"dispatcher","occupancy":4,"latency":4}}]}}]}"#,
    },
    Mutant {
        what: "the borrow of the time since the snapshot",
        from: "span_low < 0 -> span_high--; ",
        to: "span_low < 0 -> ",
        program: CARRIES,
    },
    Mutant {
        what: "the carry of its double",
        from: "span_low >= BASE -> span_high++; ",
        to: "span_low >= BASE -> ",
        program: CARRIES,
    },
    Mutant {
        what: "forgetting the full wave's snapshots",
        from: ";\n    forget_snapshots()",
        to: ";\n    if :: wave == 1 -> forget_snapshots() :: else fi",
        program: r#"{"multiprocessors":1,"dispatchers":2,"groups":3,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"loop":{"count":7,"body":[{"use":{"server":"dispatcher","occupancy":4,"latency":41}}]}}]}"#,
    },
];

/// The skipped time is just below 2^30 before the last addition, and above it afterwards.
const CARRIES: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":1,"resident_groups":1,"warps_per_group":1,"passes":1,"launch":1000000000,"body":[{"loop":{"count":9,"body":[{"use":{"server":"memory","occupancy":1,"latency":715827883}}]}}]}"#;

/// One warp is an iteration behind the other.
const UNEQUAL_LOOPS: &str = r#"{"multiprocessors":1,"dispatchers":3,"groups":3,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"local","occupancy":4,"latency":44}},{"loop":{"count":5,"body":[{"use":{"server":"local","occupancy":4,"latency":4}}]}}]}"#;

/// Two warps leave the inner loop at different times: they share its server.
const TWO_LEVELS: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":2,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"loop":{"count":5,"body":[{"loop":{"count":2,"body":[{"use":{"server":"memory","occupancy":1,"latency":1}}]}},{"use":{"server":"memory","occupancy":0,"latency":0}}]}}]}"#;

/// The statement before the loop occupies the memory as long as the loop's last statement does, with another latency.
/// So warps wake as they do in the loop, but the memory's rest differs.
const LATE_MEMORY: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":2,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"memory","occupancy":1,"latency":1}},{"loop":{"count":3,"body":[{"loop":{"count":2,"body":[{"barrier":{"cost":0}}]}},{"use":{"server":"memory","occupancy":1,"latency":2}}]}}]}"#;

/// A variant of [`LATE_MEMORY`] whose latency is shorter in the loop.
const EARLY_MEMORY: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":2,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"memory","occupancy":2,"latency":3}},{"loop":{"count":3,"body":[{"loop":{"count":2,"body":[{"barrier":{"cost":0}}]}},{"use":{"server":"memory","occupancy":2,"latency":2}}]}}]}"#;

/// A variant of [`EARLY_MEMORY`] at the local memory.
const EARLY_LOCAL: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":2,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"local","occupancy":2,"latency":3}},{"loop":{"count":3,"body":[{"loop":{"count":2,"body":[{"use":{"server":"dispatcher","occupancy":0,"latency":0}}]}},{"use":{"server":"local","occupancy":2,"latency":2}}]}}]}"#;

/// A variant of [`LATE_MEMORY`] at the only dispatcher.
const LATE_DISPATCHER: &str = r#"{"multiprocessors":1,"dispatchers":1,"groups":2,"resident_groups":2,"warps_per_group":1,"passes":1,"launch":0,"body":[{"use":{"server":"dispatcher","occupancy":1,"latency":1}},{"loop":{"count":3,"body":[{"loop":{"count":2,"body":[{"use":{"server":"local","occupancy":0,"latency":0}}]}},{"use":{"server":"dispatcher","occupancy":1,"latency":2}}]}}]}"#;

/// A statement before a loop has the latency of the loop's last statement and another occupancy.
const OTHER_OCCUPANCY: &str = r#"{"multiprocessors":1,"dispatchers":2,"groups":1,"resident_groups":1,"warps_per_group":2,"passes":1,"launch":0,"body":[{"use":{"server":"local","occupancy":8,"latency":9}},{"loop":{"count":4,"body":[{"loop":{"count":3,"body":[{"use":{"server":"dispatcher","occupancy":1,"latency":1}}]}},{"use":{"server":"local","occupancy":3,"latency":3}},{"use":{"server":"local","occupancy":5,"latency":9}}]}}]}"#;

/// Two dispatchers with different numbers of warps leave the inner loop at different times.
const TWO_DISPATCHERS: &str = r#"{"multiprocessors":1,"dispatchers":2,"groups":1,"resident_groups":1,"warps_per_group":3,"passes":1,"launch":0,"body":[{"loop":{"count":7,"body":[{"loop":{"count":2,"body":[{"use":{"server":"dispatcher","occupancy":2,"latency":3}}]}}]}}]}"#;

/// The unchanged model: a weaker comparison in it changes the time of one of these programs.
#[test]
fn programs_made_for_the_comparisons_end_at_their_times() {
    assert_ends(&made_for_the_comparisons());
}

/// The programs beside the parts that they need, and their times.
pub(crate) fn made_for_the_comparisons() -> Vec<(u64, Program)> {
    let made = MUTANTS.iter().map(|mutant| {
        let program: Program = serde_json::from_str(mutant.program).unwrap();
        let ticks = evaluate_plain(&program, u64::MAX).unwrap().ticks;
        assert_eq!(evaluate(&program, u64::MAX).unwrap().ticks, ticks, "{}", mutant.what);
        (ticks, program)
    });
    made.collect()
}

/// Checks that a model of a program ends at another time, or fails its own assertion, with `to` in the place of `from`.
fn assert_needed(what: &str, program: &Program, from: &str, to: &str) {
    let model = only(warp_models(Form::Wave, std::slice::from_ref(program)));
    let ticks = evaluate_plain(program, u64::MAX).unwrap().ticks;
    assert_eq!(ends(model.clone(), NONE)[0].ticks, ticks, "{what}");
    assert!(model.text.contains(from), "{what}: the model has no `{from}`");
    let mutant = Model { text: model.text.replace(from, to), ..model };
    let folder = tempfile::tempdir().unwrap();
    match checker(mutant, folder.path()).ends(NONE) {
        Ok((ends, _)) => assert_ne!(ends[0].ticks, ticks, "with `{to}` for {what} nothing changes"),
        Err(error) => assert!(error.to_string().contains("gone>0"), "{what}: {error}"),
    }
}

#[test]
fn every_part_is_needed() {
    for Mutant { what, from, to, program } in MUTANTS {
        assert_needed(what, &serde_json::from_str(program).unwrap(), from, to);
    }
}

/// With ticks in units of 2^30 all low words are 0: the high words alone tell two states apart. With short ticks the low
/// words alone do.
#[test]
fn both_words_of_waits_are_needed() {
    for (what, from, high, low) in [
        ("busy servers", "same_busy(i)", "busy_high[i] == then_busy_high(i)", "busy[i] == then_busy(i)"),
        ("wakes", "same_wake(i)", "wake_high[i] == then_wake_high(i)", "wake[i] == then_wake(i)"),
    ] {
        let mutant = MUTANTS.iter().find(|mutant| mutant.what == what).unwrap();
        let short: Program = serde_json::from_str(mutant.program).unwrap();
        assert_needed(what, &in_units(1 << 30, short.clone()), from, low);
        // A long launch makes the model wide.
        assert_needed(what, &Program { launch: 1 << 31, ..short }, from, high);
    }
}
