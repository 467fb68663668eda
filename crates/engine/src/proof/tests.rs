//! Tests of the decisions before SPIN runs: programs, models, forms, cost estimates.

use super::candidates::{Candidates, Tables};
use super::*;
use crate::model::{Form, Model, ModelError, Uncut};
use autotune_base::index::{CandidateId, ProgramId};
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Estimates, Pruning, Survey, estimate, survey};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::Evaluation;

/// Ten configurations of five programs: A decides the times, B only the label.
const SPEC: &str = "
kernel: decided
parameters: { A: { values: [5, 1, 4, 2, 3] }, B: { values: [1, 2] } }
launch: { work_items: 64, work_group: 4 }
body: [ loop: { count: A, body: [ load: { array: input } ] } ]
";

/// Applies `seen` to the survey and the estimates of a question about `SPEC`.
fn decided<T>(change: impl Fn(&mut Question), seen: impl Fn(&Question, &Survey, &Estimates) -> T) -> T {
    let spec = Spec::parse(SPEC, "decided").unwrap();
    let profile = Profile::resolve("abstract-tiny").unwrap();
    let reader = SourceReader::default();
    let mut question = Question::new(&spec, &profile, &reader, "abstract-tiny");
    change(&mut question);
    let survey = survey(&spec, &profile, &SourceReader::default(), None, &Limits::default()).unwrap().unwrap();
    let estimates = estimate(&spec, &survey, question.pruning(), &Limits::default()).unwrap();
    seen(&question, &survey, &estimates)
}

fn model(form: Form, candidates: usize, uncut: u64) -> Model {
    Model {
        text: String::new(),
        tables: None,
        candidates: (0..candidates).map(CandidateId::from).collect(),
        form,
        vector_bytes: 1000,
        states: 0,
        depth: 1_000_000,
        events: 10,
        uncut: Uncut { depth: 0, events: uncut },
    }
}

#[test]
fn bisection_prunes_unless_it_must_not() {
    let searched = |no_prune, rank| {
        let change = |question: &mut Question| (question.no_prune, question.rank) = (no_prune, rank);
        decided(change, |question, _, estimates| {
            (question.pruning(), estimates.searched.len(), estimates.evaluations.iter().flatten().count())
        })
    };
    assert!(matches!(searched(false, false), (Pruning::Best(1), 1, 1)));
    assert!(matches!(searched(false, true), (Pruning::Rank(1), 1, 5)));
    assert!(matches!(searched(true, false), (Pruning::None, 5, 5)));
}

#[test]
fn granularity_element_has_no_form_of_waves() {
    let change = |question: &mut Question| {
        (question.granularity, question.form) = (Granularity::Element, Some(Form::Wave));
    };
    let refused = decided(change, |question, survey, estimates| models(question, survey, estimates).unwrap_err());
    assert!(matches!(refused, ModelError::NoWaveOfElements));
}

#[test]
fn candidates_are_named_by_their_configuration_and_taken_out_one_by_one() {
    let unpruned = |question: &mut Question| question.no_prune = true;
    decided(unpruned, |question, survey, estimates| {
        let mut candidates = Candidates::new(question, survey, estimates);
        let labels: Vec<String> = (0..5).map(|candidate| candidates.label_of(candidate.into())).collect();
        assert_eq!(labels, ["A=1 B=1", "A=2 B=1", "A=3 B=1", "A=4 B=1", "A=5 B=1"]);
        for left in (0..5).rev() {
            assert!(!candidates.is_empty());
            candidates.leave_out(&[candidates.programs[CandidateId::from(0)]]);
            assert_eq!(candidates.programs.len(), left);
        }
        assert!(candidates.is_empty());
    });
}

/// A run that is cut at MT has fewer events than a run to the end.
#[test]
fn the_events_of_a_model_are_those_before_the_cut() {
    let unpruned = |question: &mut Question| question.no_prune = true;
    decided(unpruned, |question, survey, estimates| {
        let candidates = Candidates::new(question, survey, estimates);
        let events: u64 = candidates.models(question, Tables::File).unwrap().iter().map(|model| model.events).sum();
        let stepped: u64 = estimates.evaluations.iter().flatten().map(|evaluation| evaluation.stepped).sum();
        assert!((1..=stepped).contains(&events), "{events} of {stepped}");
    });
    let few = Evaluation { ticks: 1_000_000, events: 1 << 20, stepped: 1 << 20, ..Evaluation::default() };
    decided(unpruned, |question, survey, estimates| {
        let (first, second) = (ProgramId::from(0), ProgramId::from(1));
        let mut evaluations = estimates.evaluations.clone();
        evaluations[first] = Some(few);
        let (bounds, searched) = (estimates.bounds.clone(), vec![first, second]);
        let slow = Estimates { bounds, evaluations, searched, stopped: false };
        let candidates = Candidates::new(question, survey, &slow);
        let fastest = slow.evaluations[second].unwrap();
        let before_cut = (1 << 20) * fastest.ticks / few.ticks + 1000;
        assert_eq!(candidates.expected_cost(&[model(Form::Roles, 2, 0)]).events, before_cut + fastest.stepped);
    });
}

#[test]
fn memory_and_time_grow_with_states_depth_and_events() {
    let one = model(Form::Roles, 1_000, 0);
    let expected_cost = CostEstimate::new(&[one.clone(), one], 1_000_000);
    let expected = 1.2 + (1_000.0 * 1_000.0 * 0.4 + 1_000_000.0 * 54.0) / 1_048_576.0;
    assert!((expected_cost.memory_mib - expected).abs() < 1e-6, "{expected_cost:?}");
    assert!((expected_cost.seconds - 3.0 * (2.0 * 0.015 + 8.0)).abs() < 1e-6, "{expected_cost:?}");
    assert_eq!((expected_cost.states, expected_cost.events), (1_001, 1_000_000));
}

#[test]
fn only_short_runs_are_compared_unless_that_is_asked_for() {
    let of = |uncut| [model(Form::Wave, 1, uncut), model(Form::Wave, 1, 1)];
    let made = [TimeComparison::Always, TimeComparison::Never, TimeComparison::IfShort]
        .map(|comparison| [99_998, 99_999, u64::MAX].map(|uncut| comparison.is_made_of(&of(uncut))));
    assert_eq!(made, [[true; 3], [false; 3], [true, false, false]]);
}

/// Each time belongs to two configurations.
#[test]
fn a_known_optimum_comes_with_as_many_of_the_best_as_asked_for() {
    for (asked, given) in [(1, 1), (2, 1), (3, 2), (5, 3), (10, 5)] {
        let change = |question: &mut Question| question.top = asked;
        decided(change, |question, survey, estimates| {
            let best = estimates.best().unwrap();
            let answer = recall(question, best, Form::Roles, &Limits::default()).unwrap().unwrap();
            let Finding::Proved { top, .. } = answer.finding else { panic!("{:?}", answer.finding) };
            let value_of_a = |program: ProgramId| survey.entries.get(survey.programs.entry(program)).configuration.0[0];
            let found: Vec<i64> = top.iter().map(|(program, _)| value_of_a(*program)).collect();
            assert_eq!(found, (1..=given).collect::<Vec<_>>(), "{asked} asked for");
            assert!(top.is_sorted_by(|one, two| one.1 < two.1));
        });
    }
}
