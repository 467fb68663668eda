use super::*;
use autotune_base::user_error::UserError;
use autotune_machine::machine::Program;

const WORK: Statement = Statement::Use { server: Server::Dispatcher, occupancy: 3, latency: 3 };

/// Groups of 12 work items on three multiprocessors of 8 elements and 2 dispatchers.
fn program() -> Program {
    Program {
        multiprocessors: 3,
        dispatchers: 2,
        groups: 7,
        resident_groups: 1,
        warps_per_group: 2,
        passes: 2,
        launch: 5,
        body: vec![Statement::Loop { count: 4, body: vec![WORK, Statement::barrier(0)] }],
    }
}

fn of(program: &Program, processing_elements: u64, work_group: u64) -> ElementCandidate<'_> {
    let candidate = Candidate { label: format!("WG={work_group}"), program, events: 0, uncut_events: 0 };
    ElementCandidate { candidate, processing_elements, work_group, cut: u64::MAX }
}

fn refusal(program: &Program, processing_elements: u64, work_group: u64) -> String {
    element("k", "g", &[of(program, processing_elements, work_group)]).unwrap_err().to_string()
}

#[test]
fn sizes_are_those_of_the_elements_that_work() {
    let program = program();
    let candidate = of(&program, 8, 12);
    assert_eq!(candidate.processes(), 3 + 3 * (2 + 2 + 8));
    assert_eq!(candidate.ticks(), 5 + 3 * 2 * 12);
    let turns_and_barriers = 12 + 2 * 4 + 2;
    let messages = 7 * (2 * (8 * turns_and_barriers + 3 * 2) + 2 * 3) + 77;
    assert_eq!(candidate.messages(), messages);
    assert_eq!(candidate.messages_until_cut(), messages);
    let cut = ElementCandidate { cut: 7, ..candidate };
    assert_eq!(cut.messages_until_cut(), messages / 11 + 1000);
    cut.check().unwrap();
}

#[test]
fn more_than_255_processes_are_refused_with_the_numbers_and_advice() {
    let large = Program { passes: 1, groups: 2, ..program() };
    element("k", "g", &[of(&large, 122, 122)]).unwrap();
    let error = element("k", "g", &[of(&large, 124, 124)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`WG=124` needs 259 processes (host, clock, claim and 2 multiprocessors, each with a barrier, 2 dispatchers and \
         124 processing elements), but SPIN runs at most 255"
    );
    assert!(error.help().unwrap().contains("--granularity warp"));
}

#[test]
fn a_time_or_a_run_beyond_a_word_is_refused() {
    let long = Program { launch: 1 << 30, ..program() };
    assert!(refusal(&long, 8, 12).contains("the time of the launch is 1073741896"));
    let timeless = vec![Statement::Loop { count: 1 << 30, body: vec![Statement::barrier(0)] }];
    assert!(refusal(&Program { body: timeless, ..program() }, 8, 12).contains("the number of messages is"));
}

#[test]
fn what_is_not_lockstep_is_refused_with_its_reason() {
    let memory = Statement::Use { server: Server::Memory, occupancy: 2, latency: 5 };
    let pipelined = Program { body: vec![Statement::Loop { count: 2, body: vec![memory] }], ..program() };
    assert_eq!(
        refusal(&pipelined, 8, 12),
        "the program of `WG=12` is not a lockstep GPU's: a statement uses Memory for 2 of its 5 ticks, but on a lockstep GPU \
         it must use the dispatcher for all of them"
    );
    let slow_barrier = Program { body: vec![Statement::barrier(1)], ..program() };
    assert!(refusal(&slow_barrier, 8, 12).contains("a barrier costs 1 ticks, not 0"));
    let resident = Program { resident_groups: 2, ..program() };
    assert!(refusal(&resident, 8, 12).contains("its resident_groups is 2"));
}

#[test]
fn numbers_that_contradict_the_work_group_are_refused() {
    let program = program();
    for (processing_elements, work_group, field) in [
        (8, 4, "its warps_per_group is 2,"),
        (4, 12, "its passes is 2,"),
        (9, 12, "its dispatchers is 2,"),
        (0, 12, "its processing elements is 0,"),
        (8, 1 << 31, "its work items of a group is 2147483648,"),
    ] {
        let message = refusal(&program, processing_elements, work_group);
        assert!(message.contains(field), "{message}");
    }
    // Two launches: twice the passes.
    element("k", "g", &[of(&Program { passes: 4, ..program.clone() }, 8, 12)]).unwrap();
}
