//! The model of every order of simultaneous events against the native explorer.

use std::collections::BTreeSet;

use autotune::machine::{Program, Queue, Reduction, Server, Statement, evaluate, explore};
use autotune::model::{self, ExploredWave, Model, every_order};
use autotune::spin::pan_output::Claim;
use autotune::spin::{Found, ModelChecker, Settings};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::lockstep::{Configuration, TINY};
use crate::random_programs::{Shape, lengthened, programs};
use crate::tiny_programs::tiny_programs;
use crate::{checker, settings};

/// The number of random programs: all where `PROPTEST_CASES` asks for thousands.
fn cases(few: usize, most: usize) -> usize {
    let asked: usize = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(0);
    if asked >= 4_000 { most } else { few }
}

/// A wave's least and greatest time and its states by the native explorer.
fn native(wave: &Program) -> (u64, u64, u64) {
    let found = explore(wave, Reduction::On, u64::MAX, &|| false).unwrap();
    (found.least, found.greatest, found.states)
}

/// The checker of a wave in every order; `change` is made to its text.
fn checker_of(wave: &Program, change: impl Fn(String) -> String, folder: &std::path::Path) -> ModelChecker {
    let events = evaluate(wave, u64::MAX).unwrap().events;
    let mut model = every_order("a wave", &ExploredWave { program: wave, states: 100, events }).unwrap();
    model.text = change(model.text);
    checker(model, folder)
}

/// The times of all behaviours that SPIN finds, and the states that it stores.
fn times(wave: &Program, change: impl Fn(String) -> String) -> (BTreeSet<u64>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let (ends, statistics) = checker_of(wave, change, folder.path()).uncut_ends().unwrap();
    assert!(ends.iter().all(|end| end.done && usize::from(end.configuration) == 0));
    (ends.iter().map(|end| end.ticks).collect(), statistics.states)
}

fn unchanged(text: String) -> String {
    text
}

/// Programs of every kind: with starts, with latencies of 0, with barriers of the grid, and with ticks beyond one word.
fn some_programs(number: usize) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(82);
    let every_seventh_long =
        move |(turn, program)| if turn % 7 == 6 { lengthened(&mut random, program) } else { program };
    let mixed = tiny_programs(81, 4).enumerate().map(every_seventh_long);
    let few = |program: &Program| program.check().is_ok() && evaluate(program, u64::MAX).unwrap().events <= 40;
    mixed.filter(few).take(number)
}

#[test]
fn the_extremes_of_random_programs_are_the_explorers() {
    let mut apart = 0;
    for program in some_programs(cases(40, 3_000)) {
        for (_, wave) in program.wave_programs() {
            let (least, greatest, _) = native(&wave);
            let (found, _) = times(&wave, unchanged);
            let text = serde_json::to_string(&wave).unwrap();
            assert_eq!((found.first(), found.last()), (Some(&least), Some(&greatest)), "{text}");
            apart += usize::from(least < greatest);
        }
    }
    assert!(apart > 0, "no program's time depends on the order");
}

#[test]
fn both_properties_hold_at_the_extremes_and_nowhere_between() {
    let wave =
        tiny_programs(84, 4).flat_map(|program| program.wave_programs().map(|(_, wave)| wave).collect::<Vec<_>>());
    let apart = wave.filter(|wave| {
        let (least, greatest, _) = native(wave);
        least + 1 < greatest
    });
    for wave in apart.take(2) {
        let (least, greatest, _) = native(&wave);
        let folder = tempfile::tempdir().unwrap();
        let mut checker = checker_of(&wave, unchanged, folder.path());
        let mut found = |claim, bound| match checker.find_extreme(claim, bound).unwrap().0 {
            Found::None => None,
            Found::Witnesses(ends) => Some(ends[0].ticks),
        };
        assert_eq!(found(Claim::Least, least), None);
        assert_eq!(found(Claim::Least, least + 1), Some(least));
        assert_eq!(found(Claim::Greatest, greatest), None);
        assert_eq!(found(Claim::Greatest, greatest - 1), Some(greatest));
        assert!(found(Claim::Greatest, least).is_some_and(|ticks| ticks > least));
    }
}

fn wave(dispatchers: u64, groups: u64, warps_per_group: u64, body: Vec<Statement>) -> Program {
    let (multiprocessors, passes, launch) = (1, 1, 0);
    Program { multiprocessors, dispatchers, groups, resident_groups: groups, warps_per_group, passes, launch, body }
}

/// Where a warp may come to a server at the same instant, all servers are branched on: with the reduction to one server the least
/// time of the first program is lost.
#[test]
fn the_reduction_to_one_server_is_made_only_where_it_may_be() {
    let start = |server, occupancy, latency| Statement::Start { server, occupancy, latency, queue: Queue::A };
    let service = |server, occupancy, latency| Statement::Use { server, occupancy, latency };
    let starts = wave(
        1,
        1,
        3,
        vec![start(Server::Dispatcher, 1, 1), start(Server::Memory, 2, 6), service(Server::Memory, 1, 1)],
    );
    let at_once = wave(
        2,
        3,
        1,
        vec![service(Server::Dispatcher, 0, 0), service(Server::Memory, 1, 1), service(Server::Dispatcher, 2, 6)],
    );
    for (program, least) in [(&starts, 10), (&at_once, 9)] {
        assert_eq!(times(program, unchanged).0.first(), Some(&least));
    }
    let everywhere = |text: String| {
        let changed = text.replace("-> one_server = false", "-> skip");
        assert_ne!(changed, text);
        changed
    };
    assert!(times(&starts, everywhere).0.first() > Some(&10), "the reduction would be right here");
}

/// Without sorting, and with every ready warp offered, the times are the same and the states are more.
#[test]
fn symmetries_leave_states_out_and_no_times() {
    let all = |text: String| {
        let changed = text
            .replace("    sort_dispatchers(1);\n", "")
            .replace("    sort_dispatchers(warps_per_group);\n", "")
            .replace("    sort_warps();\n    sort_groups();\n", "")
            .replace("            compare_with_twins(at);\n", "            order = 1;\n")
            .replace(":: one_server && offers > 1", ":: false && offers > 1");
        assert_eq!(text.lines().count() - changed.lines().count(), 4);
        changed
    };
    let mut states = [0, 0];
    for program in some_programs(cases(12, 300)) {
        for (_, wave) in program.wave_programs() {
            let (reduced, plain) = (times(&wave, unchanged), times(&wave, all));
            let extremes = |times: &BTreeSet<u64>| (times.first().copied(), times.last().copied());
            assert_eq!(extremes(&reduced.0), extremes(&plain.0), "{}", serde_json::to_string(&wave).unwrap());
            states[0] += reduced.1;
            states[1] += plain.1;
        }
    }
    assert!(states[0] < states[1], "{states:?} states");
}

/// Each state is reached at one time where every order takes one time. So SPIN stores the native explorer's states, and four of the
/// host: both leave the same states out by sorting and by the reduction to one server.
#[test]
fn where_every_order_takes_one_time_the_states_are_the_explorers() {
    // States that are equal by two exchanges after each other: one of both sorts misses some of them.
    const MISSED: [usize; 7] = [96, 97, 118, 128, 131, 144, 170];
    let shape = Shape { dispatchers: 4, resident_groups: 6, warps: 4, iterations: 2, queues: 2 };
    let mut compared = 0;
    for (number, program) in programs(85, shape).take(200).enumerate().filter(|(number, _)| !MISSED.contains(number)) {
        for (_, wave) in program.wave_programs() {
            let warps = wave.largest_wave() * wave.warps_per_group;
            if !(3..=8).contains(&warps) || evaluate(&wave, u64::MAX).unwrap().events > 60 {
                continue;
            }
            let Ok(native) = explore(&wave, Reduction::On, 700, &|| false) else { continue };
            if native.least == native.greatest && native.states >= 14 {
                let text = serde_json::to_string(&wave).unwrap();
                assert_eq!(times(&wave, unchanged).1, native.states + 4, "program {number}: {text}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 30);
}

/// The model of granularity `element` whose elements take their turns in any order: a scheduler chooses among those that are ready.
fn freely_interleaved(model: Model) -> Model {
    let chosen = "        do
        :: state[turn] == READY -> break
        :: else -> turn = (turn + 1) % (used_multiprocessors * used_elements)
        od;
        partner = ELEMENT + turn
";
    let scheduler = "proctype scheduler() {
end_idle:
    do
    :: to ? eval(SCHEDULER), _, _;
       atomic {
        if
        :: state[0] == READY -> turn = 0
        :: state[1] == READY -> turn = 1
        :: state[2] == READY -> turn = 2
        :: state[3] == READY -> turn = 3
        fi;
        to ! ELEMENT + turn, act, 0
       }
    od
}

/* The clock: a tick passes";
    let mut text = model.text;
    for (from, to) in [
        (chosen, "        partner = SCHEDULER\n"),
        ("mtype = { go, ", "#define SCHEDULER 254\nmtype = { go, "),
        ("/* The clock: a tick passes", scheduler),
        ("    run clock();\n", "    run clock();\n    run scheduler();\n"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Model { text, ..model }
}

/// Explores all orders of the elements: each configuration has its closed form's time alone, however the elements of the paper's
/// processor interleave. Returns the number of states that SPIN stores.
fn elements_in_every_order(size: u64, memory_mib: u64) -> u64 {
    let configurations = TINY.abstract_kernels(size);
    let candidates: Vec<_> = configurations.iter().map(Configuration::element_candidate).collect();
    let model = model::element("abstract_kernel", "abstract-tiny", &candidates).unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { memory_mib, ..settings() };
    let mut checker = ModelChecker::new(freely_interleaved(model), folder.path().to_owned(), settings).unwrap();
    let (ends, statistics) = checker.uncut_ends().unwrap();
    let found: BTreeSet<(usize, u64)> = ends.iter().map(|end| (end.configuration.into(), end.ticks)).collect();
    let closed = configurations.iter().map(Configuration::closed_form).enumerate().collect();
    assert_eq!(found, closed, "size {size}");
    statistics.states
}

#[test]
fn on_a_lockstep_gpu_no_order_of_the_elements_matters() {
    for (size, states) in [(8, 7_565), (16, 59_626), (32, 350_865)] {
        let found = elements_in_every_order(size, 2_048);
        assert!(found >= states, "size {size}: {found} states");
    }
}

/// Sizes that take minutes.
#[test]
#[ignore = "minutes, and 4 GiB"]
fn no_order_of_the_elements_matters_at_larger_sizes() {
    for (size, states) in [(64, 1_830_618), (128, 8_982_949)] {
        let found = elements_in_every_order(size, 4_096);
        assert!(found >= states, "size {size}: {found} states");
    }
}
