//! Granularity `element`: SPIN's times against the closed form, the native evaluator and granularity `warp`.

use std::fs;
use std::process::Command;

use autotune::machine::{Program, Statement, evaluate};
use autotune::model::{self, ElementCandidate, Form, Model};
use autotune::spin::pan_output::{End, ModelFault};
use autotune::spin::{Found, SpinError};

use crate::grid_programs::grid_programs;
use crate::lockstep::{self, Configuration, Lockstep, TINY, work};
use crate::random_programs::{Shape, programs};
use crate::{NONE, checker};

fn element_model(configurations: &[Configuration]) -> Model {
    let candidates: Vec<ElementCandidate> = configurations.iter().map(Configuration::element_candidate).collect();
    let models = model::element("abstract_kernel", "abstract-tiny", &candidates).unwrap();
    assert_eq!(models.len(), 1);
    models.into_iter().next().unwrap()
}

fn warp_model(configurations: &[Configuration]) -> Model {
    let candidates: Vec<_> = configurations.iter().map(Configuration::candidate).collect();
    model::warp("abstract_kernel", "abstract-tiny", Form::Roles, &candidates).unwrap().remove(0)
}

/// The end of each configuration, by its number.
fn sorted(mut ends: Vec<End>) -> Vec<End> {
    ends.sort_unstable();
    ends
}

/// Checks that every configuration ends at its closed form, that the optimum is proved, and that a bound cuts slower
/// runs and loses none.
fn assert_closed_form(configurations: &[Configuration]) {
    let folder = tempfile::tempdir().unwrap();
    let model = element_model(configurations);
    let depth = model.depth;
    let mut checker = checker(model, folder.path());
    let expected: Vec<End> = configurations
        .iter()
        .map(Configuration::closed_form)
        .enumerate()
        .map(|(configuration, ticks)| End { configuration: configuration.into(), done: true, ticks })
        .collect();
    let (ends, statistics) = checker.ends(NONE).unwrap();
    assert_eq!(sorted(ends), expected);
    assert!(statistics.states <= configurations.len() as u64 + 1, "{} states", statistics.states);
    assert_eq!(checker.model().depth, depth, "the depth was estimated too small");

    let optimum = expected.iter().map(|end| end.ticks).min().unwrap();
    assert_eq!(checker.find(optimum).unwrap().0, Found::None);
    let (Found::Witnesses(found), _) = checker.find(optimum + 1).unwrap() else { panic!("no witness") };
    assert_eq!(found[0], expected[usize::from(found[0].configuration)]);
    assert_eq!(found[0].ticks, optimum);
    let cut = |end: &End| {
        let bound = configurations[usize::from(end.configuration)].program.launch.max(optimum + 1);
        End { done: end.ticks <= bound, ticks: end.ticks.min(bound), ..*end }
    };
    assert_eq!(sorted(checker.ends(optimum + 1).unwrap().0), expected.iter().map(cut).collect::<Vec<_>>());
}

#[test]
fn the_abstract_kernel_takes_its_closed_form_on_a_grid() {
    for multiprocessors in [1, 3] {
        for (processing_elements, dispatchers) in [(4, 2), (3, 1), (8, 4)] {
            for global_memory in [1, 10] {
                let gpu = Lockstep { multiprocessors, processing_elements, dispatchers, global_memory };
                let mut configurations = gpu.abstract_kernels(16);
                // Groups that fill neither warps nor passes, and a last one that is not full.
                configurations.extend([1, 3, 5, 6, 9, 11, 17].map(|work_group| gpu.abstract_kernel(12, work_group, 3)));
                for Configuration { program, .. } in &configurations {
                    program.check().unwrap();
                }
                assert_closed_form(&configurations);
            }
        }
    }
}

#[test]
fn random_bodies_take_their_closed_form_and_the_evaluator_agrees() {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 20, iterations: 3, queues: 0 };
    for seed in 0..3 {
        let configurations: Vec<Configuration> = programs(seed, shape)
            .take(60)
            .enumerate()
            .map(|(number, program)| lockstep::random(number, program))
            .collect();
        for configuration in &configurations {
            let ticks = evaluate(&configuration.program, u64::MAX).unwrap().ticks;
            assert_eq!(ticks, configuration.closed_form(), "{configuration:?}");
        }
        assert_closed_form(&configurations);
    }
}

/// The barrier of a group and that of all groups take no time where all elements go in step: equal times alone show little.
#[test]
fn random_bodies_with_barriers_of_all_groups_take_their_closed_form() {
    let shape = Shape { dispatchers: 3, resident_groups: 3, warps: 12, iterations: 3, queues: 0 };
    let one_group_each = |program: Program| Program { groups: program.groups.min(program.multiprocessors), ..program };
    let all = grid_programs(61, shape).map(one_group_each).enumerate();
    let few = |configuration: &Configuration| configuration.processes() < 254;
    let configurations: Vec<Configuration> =
        all.map(|(number, program)| lockstep::random(number, program)).filter(few).take(60).collect();
    assert!(configurations.iter().all(|configuration| configuration.program.check().is_ok()));
    assert_closed_form(&configurations);
}

#[test]
fn a_barrier_of_all_groups_joins_multiprocessors_that_differ() {
    let gpu = Lockstep { multiprocessors: 2, ..TINY };
    let rounds = |barrier| {
        let body = vec![work(10), barrier, work(1), Statement::barrier_of_grid(0)];
        let program = gpu.program(2, 4, vec![Statement::Loop { count: 3, body }]);
        Configuration { label: "rounds".to_owned(), program, gpu, work_group: 4 }
    };
    let mut model = element_model(&[rounds(Statement::barrier_of_grid(0)), rounds(Statement::barrier(0))]);
    let begins = "ticks_left[element] = latency(counter[element])";
    assert!(model.text.contains(begins));
    // The second multiprocessor is slower in the work of 10 ticks, the first one in that of 1.
    let differ = format!("{begins} + (multiprocessor == (latency(counter[element]) == 10 -> 1 : 0) -> 5 : 0)");
    model.text = model.text.replace(begins, &differ);
    let folder = tempfile::tempdir().unwrap();
    let (ends, _) = checker(model.clone(), folder.path()).ends(NONE).unwrap();
    let times: Vec<u64> = sorted(ends).iter().map(|end| end.ticks).collect();
    assert_eq!(times, [3 * (15 + 6), 3 * 16]);
    for (from, by) in [
        (":: arrived == used_multiprocessors * used_elements ->", ":: arrived == used_elements * used_elements ->"),
        ("    run grid_barrier();\n", ""),
        (
            ":: kind(counter[element]) == GRID_BARRIER ->\n        rest(element, WAITING, GRID)",
            ":: kind(counter[element]) == GRID_BARRIER ->\n        rest(element, WAITING, BARRIER_OF + multiprocessor)",
        ),
    ] {
        assert_eq!(model.text.matches(from).count(), 1, "{from}");
        let mutant = Model { text: model.text.replace(from, by), ..model.clone() };
        let folder = tempfile::tempdir().unwrap();
        let found = checker(mutant, folder.path()).ends(NONE);
        assert!(
            !found.is_ok_and(|(ends, _)| sorted(ends).iter().map(|end| end.ticks).eq(times.iter().copied())),
            "{by}"
        );
    }
}

#[test]
fn element_and_warp_agree() {
    let gpu = Lockstep { multiprocessors: 2, ..TINY };
    let configurations = gpu.abstract_kernels(32);
    let [by_element, by_warp] = [element_model(&configurations), warp_model(&configurations)].map(|model| {
        let folder = tempfile::tempdir().unwrap();
        sorted(checker(model, folder.path()).ends(NONE).unwrap().0)
    });
    assert_eq!(by_element, by_warp);
}

/// The number of processes by SPIN's line `16 processes created`.
fn processes_created(model: &Model) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.pml");
    fs::write(&file, &model.text).unwrap();
    let output = Command::new("spin").arg(&file).current_dir(folder.path()).output().expect("SPIN is needed");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_suffix(" processes created"));
    line.unwrap_or_else(|| panic!("no count of processes in\n{text}")).parse().unwrap()
}

#[test]
fn there_is_a_process_for_each_processing_element_that_works() {
    let gpu = Lockstep { multiprocessors: 3, processing_elements: 8, dispatchers: 4, global_memory: 2 };
    for (size, work_group, expected) in [
        (16, 8, 2 + 2 * (2 + 4 + 8)),  // two groups for three multiprocessors
        (64, 16, 2 + 3 * (2 + 4 + 8)), // a group in two passes
        (64, 3, 2 + 3 * (2 + 2 + 3)),  // a warp that is not full, dispatchers without a warp
        (2, 2, 2 + (2 + 1 + 2)),       // one group of one warp
    ] {
        let configuration = gpu.abstract_kernel(size, work_group, size);
        assert_eq!(configuration.processes(), expected);
        assert_eq!(processes_created(&element_model(&[configuration])), expected);
    }
}

#[test]
fn spin_runs_the_255_processes_that_are_not_refused() {
    let gpu = Lockstep { multiprocessors: 3, processing_elements: 80, dispatchers: 2, global_memory: 3 };
    let configuration = gpu.abstract_kernel(480, 160, 480);
    assert_eq!(configuration.processes() + 1, 255);
    assert_closed_form(&[configuration]);
}

#[test]
fn time_follows_a_latency_that_is_changed_in_the_text() {
    let configurations = [TINY.abstract_kernel(16, 4, 8), TINY.abstract_kernel(16, 4, 2)];
    let mut model = element_model(&configurations);
    model.text = model.text.replace("DISPATCHER, 10, 10", "DISPATCHER, 0, 0");
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(model, folder.path());
    let times: Vec<u64> = sorted(checker.ends(NONE).unwrap().0).iter().map(|end| end.ticks).collect();
    assert_eq!(times, [4 * 2 * 2, 4 * 8 * 2]);
    assert_eq!(checker.find(16).unwrap().0, Found::None);
    assert!(matches!(checker.find(17).unwrap().0, Found::Witnesses(_)));
}

#[test]
fn a_barrier_joins_elements_that_differ() {
    // Equal elements never wait, so element 0 is made slower in global memory, element 1 in local memory.
    let rounds = 8;
    let mut model = element_model(&[TINY.abstract_kernel(4, 4, 4), TINY.abstract_kernel(4 * rounds, 4, 4)]);
    let begins = "ticks_left[element] = latency(counter[element])";
    assert!(model.text.contains(begins));
    let differ = format!("{begins} + (element == (latency(counter[element]) == 10 -> 0 : 1) -> 1 : 0)");
    model.text = model.text.replace(begins, &differ);
    let folder = tempfile::tempdir().unwrap();
    let (ends, _) = checker(model, folder.path()).ends(NONE).unwrap();
    let times: Vec<u64> = sorted(ends).iter().map(|end| end.ticks).collect();
    assert_eq!(times, [11 + 4 + 11, rounds * (rounds * (11 + 4) + 11)]);
}

#[test]
fn a_launch_that_gets_stuck_is_a_fault_and_no_proof() {
    // WG=2 waits for ever at a barrier that wants a third element; the others, faster and slower, end.
    let mut configurations = vec![TINY.abstract_kernel(16, 4, 16), TINY.abstract_kernel(16, 2, 8)];
    let no_barrier = TINY.program(4, 4, vec![work(900)]);
    configurations.push(Configuration { label: "slow".to_owned(), program: no_barrier, gpu: TINY, work_group: 4 });
    let mut model = element_model(&configurations);
    let opens = ":: arrived == used_elements ->";
    assert!(model.text.contains(opens));
    model.text = model.text.replace(opens, ":: arrived == used_elements + (used_elements == 2) ->");
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(model, folder.path());
    let stuck = ModelFault::Assertion("(running>0)".to_owned());
    for error in [checker.ends(NONE).unwrap_err(), checker.find(60).unwrap_err()] {
        assert!(matches!(&error, SpinError::Fault { fault, .. } if *fault == stuck), "{error}");
    }
}

#[test]
fn a_simulation_ends_in_done() {
    let folder = tempfile::tempdir().unwrap();
    let configurations = TINY.abstract_kernels(16);
    let end = checker(element_model(&configurations), folder.path()).simulate().unwrap();
    assert_eq!(end.ticks, configurations[usize::from(end.configuration)].closed_form());
}
