//! Branch and bound finds the optimum of bisection, for every form, granularity and place of the tables.

use std::path::Path;
use std::sync::LazyLock;

use autotune::machine::{Program, evaluate};
use autotune::model::{self, Form, Model};
use autotune::proof::{
    Event, Finding, Granularity, ModelProof, Proof, ProofContext, ProofError, Question, Strategy, TuningError,
};
use autotune::source::SourceReader;
use autotune::space::{ConfigurationStatus, Entry, Pruning, Survey, UniqueProgram};
use autotune::spec::{Configuration, Spec};
use autotune::spin::pan_output::End;
use autotune::{gpu, proof};

use crate::random_programs::{Shape, programs};
use crate::{NONE, candidates, checker, gpus, settings, shipped_specs, warp_models};

/// The reader of sources, which the specs here do not have.
static READER: LazyLock<SourceReader> = LazyLock::new(SourceReader::default);

fn question<'a>(spec: &'a Spec, gpu: &'a str, granularity: Granularity, strategy: Strategy) -> Question<'a> {
    let profile = &gpu::find(gpu).unwrap().profile;
    Question { granularity, strategy, ..Question::new(spec, profile, &READER, gpu) }
}

fn proof(question: &Question) -> Proof {
    let folder = tempfile::tempdir().unwrap();
    let context = ProofContext { settings: settings(), folder: folder.path().to_owned() };
    match proof::tune(question, &context, &mut |_| {}).unwrap().finding {
        Finding::Proved { proof, .. } => proof,
        other => panic!("not proved: {other:?}"),
    }
}

fn assert_same_as_bisection(spec: &Spec, gpu: &str, granularity: Granularity) {
    let bisection = proof(&question(spec, gpu, granularity, Strategy::Guess));
    let bounding = proof(&question(spec, gpu, granularity, Strategy::BranchAndBound));
    assert_eq!((bounding.ticks, &bounding.ties), (bisection.ticks, &bisection.ties), "{} on {gpu}", spec.kernel);
    // Each model goes on from the time that the one before has reached.
    let ran = |model: &ModelProof| model.runs.iter().map(|run| (run.bound, run.ticks)).collect::<Vec<_>>();
    let (found, none) = ((bounding.ticks.after(), Some(bounding.ticks)), (bounding.ticks, None));
    assert!(bounding.models.iter().all(|model| ran(model).last() == Some(&none)));
    assert_eq!(bounding.models.iter().filter(|model| ran(model).contains(&found)).count(), 1);
    let improvements = |model: &ModelProof| model.descent.unwrap().improvements;
    assert!(bounding.models.iter().all(|model| improvements(model) <= model.configurations));
    assert!(bounding.models.iter().map(improvements).sum::<usize>() > 0);
    assert!(bisection.models.iter().all(|model| model.descent.is_none()));
}

fn shipped(kernel: &str) -> Spec {
    Spec::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tuning-specs/{kernel}.yaml"))).unwrap()
}

#[test]
fn the_optimum_and_its_ties_are_those_of_bisection_for_every_shipped_spec() {
    for spec in shipped_specs() {
        for gpu in gpus(&spec) {
            assert_same_as_bisection(&spec, gpu, Granularity::Warp);
        }
    }
}

/// The optimum and the ties of these programs, as if a spec had been lowered to them, in models with their tables in a
/// file.
fn proof_of(programs: &[Program], form: Form, strategy: Strategy) -> Proof {
    let values: Vec<String> = (0..programs.len()).map(|number| number.to_string()).collect();
    let text = SPEC.replace("NUMBERS", &values.join(", "));
    let spec = Spec::parse(&text, "random").unwrap();
    let entry = |number: usize| Entry {
        configuration: Configuration(vec![i64::try_from(number).unwrap()]),
        limit: None,
        waves: None,
        status: ConfigurationStatus::Program(number.into()),
    };
    let distinct = |(entry, program): (usize, &Program)| UniqueProgram {
        entry: entry.into(),
        program: program.clone(),
        work_group: 1,
        too_long: None,
    };
    let survey = Survey {
        all: programs.len() as u128,
        entries: (0..programs.len()).map(entry).collect(),
        programs: programs.iter().enumerate().map(distinct).collect(),
        ..Survey::default()
    };
    let settings = settings();
    let estimates = autotune::space::estimate(&spec, &survey, Pruning::None, &settings.limits).unwrap();
    let asked = Question { form: Some(form), ..question(&spec, "fermi", Granularity::Warp, strategy) };
    let models = proof::checked_models(&asked, &survey, &estimates).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let context = ProofContext { settings, folder: folder.path().to_owned() };
    proof::prove(&asked, &survey, &estimates, models, &context).unwrap()
}

const SPEC: &str = "
kernel: random
parameters: { NUMBER: { values: [NUMBERS] } }
launch: { work_items: 1, work_group: 1 }
body: [ barrier ]
";

#[test]
fn the_optimum_and_its_ties_are_those_of_bisection_for_random_programs() {
    let shape = Shape { dispatchers: 3, resident_groups: 3, warps: 3, iterations: 3, queues: 0 };
    let mut several = 0;
    for (set, form) in (0..30).zip([Form::Roles, Form::Wave].into_iter().cycle()) {
        let mut some: Vec<Program> = programs(300 + set, shape).take(6).collect();
        // A program appears again, before and after the others, as a tie.
        let fastest = some.iter().min_by_key(|program| evaluate(program, u64::MAX).unwrap().ticks).unwrap().clone();
        let slow_start = Program { launch: fastest.launch + 1, ..fastest.clone() };
        some.extend([slow_start, fastest]);
        let bisection = proof_of(&some, form, Strategy::Guess);
        let bounding = proof_of(&some, form, Strategy::BranchAndBound);
        assert_eq!((bounding.ticks, &bounding.ties), (bisection.ticks, &bisection.ties), "set {set}");
        several += usize::from(bounding.ties.len() > 1);
    }
    assert!(several >= 30);
}

#[test]
fn granularity_element_has_a_falling_bound_too() {
    let mut spec = shipped("abstract_kernel");
    spec.set("size", 16).unwrap();
    assert_same_as_bisection(&spec, "abstract-tiny", Granularity::Element);
}

/// Checks that each run ends at its own time, or is cut at the least end before it.
fn assert_descends(model: Model, programs: &[Program]) {
    let folder = tempfile::tempdir().unwrap();
    let (ends, _) = checker(model, folder.path()).descend(NONE).unwrap();
    let mut bound = NONE;
    let mut chosen: Vec<usize> = ends.iter().map(|end| end.configuration.into()).collect();
    for End { configuration, done, ticks } in ends {
        let native = evaluate(&programs[usize::from(configuration)], u64::MAX).unwrap().ticks;
        if done {
            assert_eq!(ticks, native, "configuration {configuration}");
        } else {
            assert!((bound..=native).contains(&ticks), "configuration {configuration}");
        }
        assert!(native == bound || done == (native < bound), "configuration {configuration} under {bound}");
        bound = bound.min(native);
    }
    chosen.sort_unstable();
    assert_eq!(chosen, (0..programs.len()).collect::<Vec<_>>());
    assert_eq!(Some(bound), programs.iter().map(|program| evaluate(program, u64::MAX).unwrap().ticks).min());
}

#[test]
fn every_configuration_runs_under_the_least_time_before_it() {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 4, queues: 0 };
    for (seed, form, number) in [(11, Form::Roles, 120), (12, Form::Wave, 120), (13, Form::Wave, 500)] {
        let some: Vec<Program> = programs(seed, shape).take(number).collect();
        assert_descends(warp_models(form, &some).remove(0), &some);
        assert_descends(model::generic(form, &candidates(&some)).unwrap().remove(0), &some);
    }
}

#[test]
fn a_bound_that_falls_too_far_is_found_by_the_times_of_cuts() {
    let spec = shipped("abstract_kernel");
    let question = question(&spec, "fermi", Granularity::Warp, Strategy::BranchAndBound);
    let settings = settings();
    let survey =
        autotune::space::survey(&spec, question.profile, question.reader, None, &settings.limits).unwrap().unwrap();
    let estimates = autotune::space::estimate(&spec, &survey, Pruning::None, &settings.limits).unwrap();
    let mut models = proof::checked_models(&question, &survey, &estimates).unwrap();
    for model in &mut models {
        assert!(model.text.contains("bound = time;"));
        model.text = model.text.replace("bound = time;", "bound = time / 2;");
    }
    let folder = tempfile::tempdir().unwrap();
    let context = ProofContext { settings, folder: folder.path().to_owned() };
    match proof::prove(&question, &survey, &estimates, models, &context) {
        Err(ProofError::Failed(TuningError::NoProof(why))) => assert!(why.contains("before MT = "), "{why}"),
        other => panic!("proved with a bound that excludes the optimum: {other:?}"),
    }
}

/// The ranks that were proved before a limit stay; the next one leaves nothing that looks like a proof.
#[test]
fn a_place_that_is_not_proved_leaves_no_folder() {
    let spec = shipped("abstract_kernel");
    let asked = question(&spec, "abstract-tiny", Granularity::Warp, Strategy::Guess);
    let asked = Question { top: 50, ..asked };
    let folder = tempfile::tempdir().unwrap();
    let settings = settings();
    let interrupt = settings.limits.interrupt.clone();
    let context = ProofContext { settings, folder: folder.path().to_owned() };
    let mut places = 1;
    let mut stop = |event| {
        places += usize::from(matches!(event, Event::Top(_)));
        if places == 3 {
            interrupt.raise();
        }
    };
    let Finding::Proved { top, stopped, .. } = proof::tune(&asked, &context, &mut stop).unwrap().finding else {
        panic!("not even the first is proved")
    };
    // Each place covers all programs of one time.
    let times = top.chunk_by(|(_, one), (_, other)| one == other).count();
    assert_eq!((times, stopped.is_some()), (2, true));
    let folders = ["proof", "top-2", "top-3"].map(|name| folder.path().join(name).exists());
    assert_eq!(folders, [true, true, false]);
}
