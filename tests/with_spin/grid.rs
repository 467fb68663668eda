//! Barriers of all groups: SPIN's times in each form and granularity against the evaluator's, and models with such a barrier
//! broken.

use autotune::machine::{Program, evaluate};
use autotune::model::{self, Form, Model};
use autotune::spin::pan_output::End;
use autotune::spin::{Found, SpinError};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::generic::{assert_refused, with_tables};
use crate::grid_programs::{grid_programs, without_grid};
use crate::random_programs::{Shape, in_units, lengthened};
use crate::{NONE, candidates, checker, plain, warp_models};

const SHAPE: Shape = Shape { dispatchers: 4, resident_groups: 4, warps: 3, iterations: 9, queues: 0 };

/// Random programs, every second with starts; long ones have waits in two words.
fn varied(number: usize, is_long: bool) -> Vec<Program> {
    let mut random = StdRng::seed_from_u64(51);
    let queued = grid_programs(52, Shape { queues: 3, ..SHAPE }).take(number / 2);
    let all = grid_programs(51, SHAPE).take(number / 2).chain(queued);
    let long = all.map(|program| if is_long { lengthened(&mut random, program) } else { program });
    long.filter(|program| program.check().is_ok()).collect()
}

fn ticks(program: &Program) -> u64 {
    evaluate(program, u64::MAX).unwrap().ticks
}

fn times(model: Model) -> Result<Vec<u64>, SpinError> {
    let folder = tempfile::tempdir().unwrap();
    let mut ends: Vec<End> = checker(model, folder.path()).ends(NONE)?.0;
    ends.sort_unstable();
    assert!(ends.iter().all(|end| end.done));
    Ok(ends.iter().map(|end| end.ticks).collect())
}

/// Checks the times of all programs, and the optimum with its proof.
fn assert_times(model: Model, programs: &[Program]) {
    let expected: Vec<u64> = programs.iter().map(ticks).collect();
    assert_eq!(times(model.clone()).unwrap(), expected);
    let folder = tempfile::tempdir().unwrap();
    let mut checker = checker(model, folder.path());
    let optimum = *expected.iter().min().unwrap();
    assert_eq!(checker.find(optimum).unwrap().0, Found::None);
    let (Found::Witnesses(found), _) = checker.find(optimum + 1).unwrap() else { panic!("no witness") };
    assert_eq!((found[0].ticks, expected[usize::from(found[0].configuration)]), (optimum, optimum));
}

#[test]
fn spin_and_the_evaluator_agree_on_300_random_programs_in_each_form() {
    let programs = varied(300, false);
    assert_eq!(programs.len(), 300);
    let joined = programs.iter().filter(|program| ticks(program) != ticks(&without_grid(program))).count();
    assert!(joined >= 30, "barriers of a group take another time in only {joined} programs");
    for form in [Form::Roles, Form::Wave] {
        let models = warp_models(form, &programs);
        assert_eq!(models.len(), 1);
        assert_times(models.into_iter().next().unwrap(), &programs);
        assert_times(model::generic(form, &candidates(&programs)).unwrap().remove(0), &programs);
    }
}

#[test]
fn spin_and_the_evaluator_agree_on_waits_in_two_words() {
    let programs = varied(100, true);
    assert!(programs.len() > 60);
    for form in [Form::Roles, Form::Wave] {
        assert_times(warp_models(form, &programs).remove(0), &programs);
    }
    let programs: Vec<Program> = grid_programs(53, SHAPE).take(20).map(|program| in_units(1 << 30, program)).collect();
    assert_times(model::generic(Form::Wave, &candidates(&programs)).unwrap().remove(0), &programs);
}

/// Without acceleration a model runs all events.
#[test]
fn models_with_and_without_acceleration_agree() {
    let long: Vec<Program> = grid_programs(54, Shape { iterations: 60, ..SHAPE }).take(40).collect();
    let skipped = long.iter().filter(|program| evaluate(program, u64::MAX).unwrap().skips > 0).count();
    assert!(skipped >= 10, "only {skipped} programs accelerated");
    let [fast, slow] =
        [|model: Model| model, plain].map(|change| times(change(warp_models(Form::Wave, &long).remove(0))));
    let expected: Vec<u64> = long.iter().map(ticks).collect();
    assert_eq!((fast.unwrap(), slow.unwrap()), (expected.clone(), expected));
}

/// Each change of a line that a barrier of all groups alone has is found by a time or by a fault.
#[test]
fn a_broken_barrier_of_all_groups_is_found() {
    let programs = varied(60, false);
    let expected: Vec<u64> = programs.iter().map(ticks).collect();
    let arrives = "arrived[GROUPS]++";
    let mutants = [
        (Form::Wave, ":: arrived[GROUPS] == warps ->", ":: arrived[GROUPS] == warps_per_group ->"),
        (Form::Wave, ":: arrived[GROUPS] == warps ->", ":: arrived[GROUPS] == warps + 1 ->"),
        (Form::Wave, "        arrived[GROUPS] = 0;\n", ""),
        (Form::Wave, arrives, "arrived[GROUPS] = arrived[GROUPS] + 2"),
        (
            Form::Wave,
            ":: kind(counter[warp]) == GRID_BARRIER -> arrive_at_grid(warp)",
            ":: kind(counter[warp]) == GRID_BARRIER -> arrive(group(warp), warp)",
        ),
        (Form::Roles, "d_step { arrive_at_grid(arrival) };", "d_step { arrive(group(arrival), arrival) };"),
        (
            Form::Roles,
            "(kind(counter[warp]) == GRID_BARRIER -> GRID :",
            "(kind(counter[warp]) == GRID_BARRIER -> BARRIER_OF :",
        ),
        (Form::Roles, "    run grid_barrier();\n", ""),
    ];
    for (form, from, by) in mutants {
        let mut model = warp_models(form, &programs).remove(0);
        assert_eq!(model.text.matches(from).count(), 1, "{from}");
        model.text = model.text.replace(from, by);
        assert!(!times(model).is_ok_and(|times| times == expected), "{by} instead of {from}");
    }
}

/// Two groups of three warps on one multiprocessor: a barrier of all groups, between uses of memory.
const TABLES: &str = "1 4\n1 1 2 2 3 1 0 0\n0 3 20\n13 1 0\n0 3 20\n6 0 0\n";

#[test]
fn tables_with_a_barrier_that_never_opens_are_no_verdict() {
    let program = grid_programs(55, SHAPE).next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checker = with_tables(&program, TABLES, folder.path());
    let changes = [
        ("more groups than run at the same time", "1 1 2 2 3", "1 1 3 2 3", "a barrier that never opens"),
        ("more groups of the fullest multiprocessor", "1 1 2 2 3", "2 1 5 2 3", "a barrier that never opens"),
        ("too costly a barrier", "13 1 0", "13 1073741824 0", "a wait that is too long"),
        ("an unknown kind", "13 1 0", "14 1 0", "a wrong row"),
    ];
    assert_refused(&mut checker, &folder.path().join("tables.txt"), TABLES, &changes);
}

#[test]
fn models_without_such_a_barrier_have_no_part_for_it() {
    let none: Vec<Program> = grid_programs(56, SHAPE).take(1).map(|program| without_grid(&program)).collect();
    for form in [Form::Roles, Form::Wave] {
        assert!(!warp_models(form, &none)[0].text.contains("grid"));
    }
}
