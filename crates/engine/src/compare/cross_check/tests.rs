//! Rankings over real spaces, and planted mistakes.

use super::super::near::look;
use super::*;
use crate::model::Form;
use crate::proof::{CostEstimate, Timing};
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::space::{Pruning, UniqueProgram, estimate, survey};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::Program;
use typed_index_collections::TiVec;

/// Asks as if the native optimum had been proved.
fn asked<T>(spec: &Spec, gpu: &str, pruning: Pruning, then: impl FnOnce(&Question, &mut Answer) -> T) -> T {
    let profile = Profile::resolve(gpu).unwrap();
    let limits = Limits::default();
    let survey = survey(spec, &profile, &SourceReader::default(), None, &limits).unwrap().unwrap();
    let estimates = estimate(spec, &survey, pruning, &limits).unwrap();
    let ticks = estimates.best().unwrap();
    let is_best = |&program: &ProgramId| {
        estimates.evaluations[program].is_some_and(|evaluation| Ticks::from(evaluation.ticks) == ticks)
    };
    let ties: Vec<ProgramId> = survey.programs.keys().filter(is_best).collect();
    let proof = Proof {
        ticks,
        program: ties[0],
        ties,
        form: Form::Wave,
        models: Vec::new(),
        expected_cost: CostEstimate { states: 0, events: 0, memory_mib: 0.0, seconds: 0.0 },
    };
    let finding = Finding::Proved { proof, top: Vec::new(), stopped: None };
    let mut answer = Answer { survey: Some(survey), estimates, finding, cost: Timing::default() };
    let reader = SourceReader::default();
    let question = Question::new(spec, &profile, &reader, gpu);
    then(&question, &mut answer)
}

fn near(question: &Question, answer: &Answer) -> Near {
    look(question, answer).unwrap().unwrap()
}

fn shipped(name: &str) -> Spec {
    let path = format!("{}/../../tuning-specs/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    Spec::load(path.as_ref()).unwrap()
}

fn compared(spec: &Spec, gpu: &str, pruning: Pruning) -> CrossCheck {
    asked(spec, gpu, pruning, |question, answer| {
        cross_check(question, answer, &near(question, answer)).unwrap().unwrap()
    })
}

#[test]
fn on_the_papers_kernel_operations_rank_as_the_machine_does() {
    let spec = shipped("abstract_kernel");
    let check = compared(&spec, "abstract-fermi", Pruning::Best(1));
    assert_eq!((check.kendall_tau[1], check.kendall_tau[2]), (Some(1.0), Some(1.0)));
    assert_eq!(check.times.operations, check.times.serialized);
    assert!(check.times.naive < check.times.operations);
    let winner = check.winner;
    assert_eq!((winner.model, winner.ticks.map(u128::from)), (Variant::Operations, Some(check.times.operations)));
}

#[test]
fn a_first_choice_among_equal_configurations_is_their_mean() {
    let spec = shipped("abstract_kernel");
    let winner = compared(&spec, "fermi", Pruning::Best(1)).winner;
    // The times of all configurations by the model and by the machine, one by one.
    let (times, optimum) = asked(&spec, "fermi", Pruning::None, |question, answer| {
        let survey = answer.survey.as_ref().unwrap();
        let time = |(_, program): (EntryId, ProgramId)| {
            let program = &survey.programs.get(program).program;
            let native: Ticks = evaluate(program, u64::MAX).unwrap().ticks.into();
            (Kernel::of_program(program).unwrap().times().unwrap().naive, native.to_f64())
        };
        let optimum = near(question, answer).optimum.entry;
        (survey.runnable().map(time).collect::<Vec<_>>(), survey.runnable().position(|(entry, _)| entry == optimum))
    });
    let least = times.iter().map(|(by_model, _)| *by_model).min().unwrap();
    let tied: Vec<f64> = times.iter().filter(|(by_model, _)| *by_model == least).map(|(_, native)| *native).collect();
    assert_eq!((winner.model, winner.equals, tied.len()), (Variant::Naive, 5, 6));
    let (optimum, sum) = (times[optimum.unwrap()].1, tied.iter().sum::<f64>());
    let relative = winner.relative.unwrap();
    assert!((relative.mean - sum / 6.0 / optimum).abs() < 1e-12, "{relative:?}");
    let ends = [tied.iter().copied().fold(f64::INFINITY, f64::min), tied.iter().copied().fold(0.0, f64::max)];
    assert_eq!([relative.best, relative.worst].map(f64::to_bits), ends.map(|end| (end / optimum).to_bits()));
    assert!(relative.best < relative.mean && relative.mean < relative.worst, "{relative:?}");
}

#[test]
fn what_pruning_left_out_is_evaluated_for_the_ranking() {
    let spec = shipped("matmul_tiled");
    let pruned = compared(&spec, "fermi", Pruning::Best(1));
    assert_eq!(pruned, compared(&spec, "fermi", Pruning::None));
    assert_eq!(pruned.of, 77);
    assert!(pruned.winner.ticks.is_some());
}

#[test]
fn a_bound_above_a_time_is_an_error_with_both_values() {
    let spec = shipped("matmul_tiled");
    let error = asked(&spec, "fermi", Pruning::Best(1), |question, answer| {
        let near = near(question, answer);
        let Finding::Proved { proof, .. } = &mut answer.finding else { panic!("not proved") };
        proof.ticks = Ticks::new(1_000);
        cross_check(question, answer, &near).unwrap_err()
    });
    let CrossCheckError::UnsoundBound { value, ticks, model: Variant::Naive, .. } = error else { panic!("{error}") };
    assert_eq!(ticks, Ticks::new(1_000));
    assert!(error.to_string().contains(&format!("1000 ticks, below its lower bound {value}")), "{error}");
}

#[test]
fn what_takes_too_many_events_is_left_out_and_said() {
    let spec = shipped("abstract_kernel");
    let of = asked(&spec, "fermi", Pruning::Best(1), |question, answer| {
        let slow = |program: &Program| Program {
            resident_groups: EVENTS_OF_ONE,
            groups: u64::from(u32::MAX >> 1),
            ..program.clone()
        };
        let survey = answer.survey.as_mut().unwrap();
        let last = survey.programs.keys().last().unwrap();
        answer.estimates.evaluations[last] = None;
        let mut programs: TiVec<_, UniqueProgram> = survey.programs.iter().collect();
        programs[last].program = slow(&programs[last].program);
        survey.programs = programs.into_iter().collect();
        let mut near = near(question, answer);
        near.times[last] = None;
        cross_check(question, answer, &near).unwrap().unwrap().of
    });
    let all = compared(&spec, "fermi", Pruning::Best(1)).of;
    assert!(of < all, "{of} of {all}");
}

#[test]
fn nothing_proved_is_nothing_to_compare_with() {
    let spec = shipped("abstract_kernel");
    asked(&spec, "fermi", Pruning::Best(1), |question, answer| {
        let near = near(question, answer);
        answer.finding = Finding::Infeasible;
        assert_eq!(cross_check(question, answer, &near).unwrap(), None);
    });
}
