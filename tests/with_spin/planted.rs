//! Faults that invalidate a search, planted into good models.

use autotune::model::{Model, ModelError};
use autotune::proof::{Proof, ProofContext, ProofError, Question, StopReason, Strategy, TimeComparison, TuningError};
use autotune::search::Bracket;
use autotune::source::SourceReader;
use autotune::space::{Estimates, Pruning, Survey};
use autotune::spec::Spec;
use autotune::spin::pan_output::ModelFault;
use autotune::spin::{Settings, SpinError};
use autotune::ticks::Ticks;
use autotune::{gpu, proof};

use crate::settings;

/// Four work-group sizes: WG = 2 takes 1,280 ticks, the others take 640.
const KERNEL: &str = "
kernel: planted
problem: { size: 64 }
parameters: { WG: { values: [2, 4, 8, 16] } }
launch: { work_items: size, work_group: WG }
body:
  - loop: { count: 3, body: [ { load: { array: input } }, barrier ] }
  - store: { array: output }
";

/// Proves the optimum with self-contained models that `plant` has changed.
fn prove_with(plant: impl Fn(&mut Model), settings: Settings) -> Result<Proof, ProofError> {
    prove_models(proof::models, plant, settings)
}

/// A function that makes the models of a question.
type Make = fn(&Question, &Survey, &Estimates) -> Result<Vec<Model>, ModelError>;

fn prove_models(make: Make, plant: impl Fn(&mut Model), settings: Settings) -> Result<Proof, ProofError> {
    prove_by(Strategy::Guess, TimeComparison::IfShort, make, plant, settings)
}

fn prove_by(
    strategy: Strategy,
    comparison: TimeComparison,
    make: Make,
    plant: impl Fn(&mut Model),
    settings: Settings,
) -> Result<Proof, ProofError> {
    let spec = Spec::parse(KERNEL, "planted").unwrap();
    let profile = &gpu::find("abstract-tiny").unwrap().profile;
    let reader = SourceReader::default();
    let asked = Question::new(&spec, profile, &reader, "abstract-tiny");
    let question = Question { no_prune: true, strategy, comparison, ..asked };
    let folder = tempfile::tempdir().unwrap();
    let limits = settings.limits.clone();
    let survey = autotune::space::survey(&spec, profile, &reader, None, &limits).unwrap().unwrap();
    let estimates = autotune::space::estimate(&spec, &survey, Pruning::None, &limits).unwrap();
    let mut models = make(&question, &survey, &estimates).unwrap();
    models.iter_mut().for_each(plant);
    let context = ProofContext { settings, folder: folder.path().to_owned() };
    proof::prove(&question, &survey, &estimates, models, &context)
}

fn replace(model: &mut Model, what: &str, by: &str) {
    assert!(model.text.contains(what), "the model has no `{what}`");
    model.text = model.text.replace(what, by);
}

#[test]
fn the_unchanged_model_is_proved() {
    let proof = prove_with(|_| {}, settings()).unwrap();
    assert_eq!((proof.ticks.get(), proof.ties.len()), (640, 3));
    let model = &proof.models[0];
    assert_eq!((model.ends.done, model.ends.cut), (3, 1));
    assert_eq!(
        model.runs.iter().map(|run| (run.bound.get(), run.ticks.map(Ticks::get))).collect::<Vec<_>>(),
        [(641, Some(640)), (640, None)]
    );
}

/// Warps of one configuration wait for a warp that never comes, which under a claim alone looks like "not faster".
#[test]
fn a_configuration_whose_barrier_never_opens_is_found() {
    for configuration in 0..4 {
        let never = format!("arrived[barrier] == warps_per_group + (configuration == {configuration})");
        let plant = |model: &mut Model| replace(model, "arrived[barrier] == warps_per_group", &never);
        let Err(ProofError::Failed(TuningError::Spin(SpinError::Fault { fault, .. }))) = prove_with(plant, settings())
        else {
            panic!("proved although configuration {configuration} is stuck")
        };
        assert_eq!(fault, ModelFault::Assertion("(finished==warps)".to_owned()));
    }
}

/// The fault of the test above, in the model that a proof checks, whose tables come from a file.
#[test]
fn the_model_with_its_tables_in_a_file_is_no_less_careful() {
    let proof = prove_models(proof::checked_models, |_| {}, settings()).unwrap();
    assert_eq!((proof.ticks.get(), proof.ties.len(), proof.models[0].ends.done), (640, 3, 3));
    let never = "arrived[barrier] == warps_per_group + (configuration == 2)";
    let stuck = |model: &mut Model| replace(model, "arrived[barrier] == warps_per_group", never);
    let Err(ProofError::Failed(TuningError::Spin(SpinError::Fault { fault, .. }))) =
        prove_models(proof::checked_models, stuck, settings())
    else {
        panic!("proved although a configuration is stuck")
    };
    assert_eq!(fault, ModelFault::Assertion("(finished==warps)".to_owned()));
    let unchosen = |model: &mut Model| replace(model, "configuration < last ->", "configuration < last - 1 ->");
    let Err(ProofError::Failed(TuningError::NoProof(why))) = prove_models(proof::checked_models, unchosen, settings())
    else {
        panic!("proved although a configuration was never chosen")
    };
    assert!(why.contains("SPIN chose only 3"), "{why}");
}

/// A message that is never received: no assertion fails, and only the search for invalid end states finds it.
#[test]
fn a_configuration_that_blocks_silently_is_found() {
    let plant = |model: &mut Model| {
        replace(model, "to ! partner, NOBODY\n", "to ! partner + 100 * (configuration == 3), NOBODY\n");
    };
    let Err(ProofError::Failed(TuningError::Spin(SpinError::Fault { fault, .. }))) = prove_with(plant, settings())
    else {
        panic!("proved although a configuration is stuck")
    };
    assert_eq!(fault, ModelFault::InvalidEndState);
}

#[test]
fn a_configuration_that_spin_never_chooses_is_found() {
    let plant = |model: &mut Model| replace(model, ":: configuration = 2 ", ":: false -> configuration = 2 ");
    let Err(ProofError::Failed(TuningError::NoProof(why))) = prove_with(plant, settings()) else {
        panic!("proved although a configuration was never chosen")
    };
    assert!(why.contains("SPIN chose only 3"), "{why}");
}

/// The times are the model's own: a changed latency moves SPIN's optimum away from the evaluator's.
#[test]
fn the_optimum_follows_the_latencies_in_the_text() {
    let plant = |model: &mut Model| replace(model, "DISPATCHER, 10, 10", "DISPATCHER, 7, 7");
    let (reason, bracket) = disagreement(prove_with(plant, settings()));
    assert!(reason.contains("the optimum takes 640 ticks by the evaluator, and 448 by bisection"), "{reason}");
    assert_eq!((bracket.lower.get(), bracket.upper.get()), (640 * 7 / 10, 640));
}

/// The reason and the interval of an answer that evaluator and model disagree about.
fn disagreement(proved: Result<Proof, ProofError>) -> (String, Bracket) {
    let Err(ProofError::Open { bracket: Some(bracket), stopped: StopReason::Disagreement, reason }) = proved else {
        panic!("evaluator and model disagree, and this is not said: {proved:?}")
    };
    (reason, bracket)
}

#[test]
fn a_wrong_guess_is_told_with_both_values() {
    let plant = |model: &mut Model| replace(model, "DISPATCHER, 10, 10", "DISPATCHER, 11, 11");
    for strategy in [Strategy::Guess, Strategy::Bisection] {
        let proved = prove_by(strategy, TimeComparison::IfShort, proof::models, plant, settings());
        let (reason, bracket) = disagreement(proved);
        assert!(reason.contains("the optimum takes 640 ticks by the evaluator, and 704 by bisection"), "{reason}");
        assert_eq!((bracket.lower.get(), bracket.upper.get()), (640, 640));
    }
}

#[test]
fn depth_and_state_vector_are_raised_as_often_as_needed() {
    let plant = |model: &mut Model| {
        model.depth = 7;
        model.vector_bytes = 32;
    };
    assert_eq!(prove_with(plant, settings()).unwrap().ticks, Ticks::new(640));
}

#[test]
fn a_search_beyond_its_memory_is_no_proof() {
    let plant = |model: &mut Model| model.depth = 100_000_000;
    let Err(ProofError::Open { stopped, bracket, .. }) = prove_with(plant, Settings { memory_mib: 16, ..settings() })
    else {
        panic!("proved in no memory")
    };
    assert_eq!((stopped, bracket.map(|open| open.upper.get())), (StopReason::Memory, Some(640)));
}

/// A run that is cut before MT would count as "not faster", and a tie would be lost in silence.
#[test]
fn a_run_that_is_cut_early_is_found_by_its_time() {
    for (strategy, cut, time) in [
        // The ties are cut: configurations 1 and 2 take the optimum's time.
        (Strategy::Guess, "cut || configuration == 1", "was cut at 640 ticks, before MT = 641"),
        // The first run is slow and all others are cut at once, so the slow one would be the optimum.
        (Strategy::BranchAndBound, "cut || configuration != 0", "ticks, before MT = 1280"),
    ] {
        let plant = |model: &mut Model| replace(model, "        :: cut ->", &format!("        :: {cut} ->"));
        let proved = prove_by(strategy, TimeComparison::Never, proof::checked_models, plant, settings());
        let Err(ProofError::Failed(TuningError::NoProof(why))) = proved else {
            panic!("{strategy:?}: proved although runs were cut early")
        };
        assert!(why.contains(time), "{why}");
    }
}

/// Without DONE the property does not cover a run; only the search for ends finds that.
#[test]
fn a_run_that_never_sets_done_is_found() {
    for configuration in 0..4 {
        let never = format!("DONE = (configuration != {configuration})");
        let plant = |model: &mut Model| replace(model, "DONE = true", &never);
        let proved =
            prove_by(Strategy::BranchAndBound, TimeComparison::Never, proof::checked_models, plant, settings());
        let Err(ProofError::Failed(TuningError::Spin(SpinError::Fault { fault, .. }))) = proved else {
            panic!("proved although configuration {configuration} is never DONE")
        };
        assert_eq!(fault, ModelFault::Assertion("DONE".to_owned()));
    }
}

/// The slowest configuration takes too long in the model: a proof stops looking before that shows.
#[test]
fn a_wrong_time_of_a_loser_is_found_by_the_search_without_a_bound() {
    let plant = |model: &mut Model| {
        replace(model, "add_low(launch)", "add_low(launch + (configuration == 3 -> 5 : 0))");
    };
    let proved = |comparison| prove_by(Strategy::Guess, comparison, proof::checked_models, plant, settings());
    assert!(proved(TimeComparison::Never).unwrap().models.iter().all(|model| model.comparison.is_none()));
    for comparison in [TimeComparison::IfShort, TimeComparison::Always] {
        let Err(ProofError::Failed(TuningError::WrongTime { native, checked, .. })) = proved(comparison) else {
            panic!("proved although a time is wrong")
        };
        assert_eq!((native.get(), checked.get()), (1280, 1285));
    }
    let right = prove_by(Strategy::Guess, TimeComparison::IfShort, proof::checked_models, |_| {}, settings()).unwrap();
    assert!(right.models[0].comparison.unwrap().states >= 4);
}
