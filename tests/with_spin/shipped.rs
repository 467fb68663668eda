//! Every shipped spec on a lockstep and on a real GPU: SPIN's time of each searched program is the evaluator's.

use autotune::index::ProgramId;
use autotune::limits::Limits;
use autotune::machine::evaluate_plain;
use autotune::proof::{Question, Strategy};
use autotune::source::SourceReader;
use autotune::space::{Pruning, UniqueProgram};
use autotune::spec::Spec;
use autotune::{gpu, proof};

use crate::{checker, gpus, shipped_specs};

/// Programs of a spec that are run to their end: every `n`-th of those with few events.
const RUN: usize = 24;
const MOST_EVENTS: u64 = 6_000;

fn assert_equal_times(spec: &Spec, gpu: &str) {
    let profile = &gpu::find(gpu).unwrap().profile;
    let reader = SourceReader::default();
    let mut survey = autotune::space::survey(spec, profile, &reader, None, &Limits::default()).unwrap().unwrap();
    assert!(!survey.programs.is_empty(), "nothing of {} fits {gpu}", spec.kernel);
    let is_short = |one: &UniqueProgram| evaluate_plain(&one.program, MOST_EVENTS).is_ok();
    let short: Vec<UniqueProgram> = survey.programs.iter().filter(is_short).collect();
    let step = short.len().div_ceil(RUN).max(1);
    survey.programs = short.into_iter().step_by(step).collect();
    let estimates = autotune::space::estimate(spec, &survey, Pruning::None, &Limits::default()).unwrap();
    // The candidates are the programs in the survey's order.
    let question =
        Question { strategy: Strategy::Bisection, no_prune: true, ..Question::new(spec, profile, &reader, gpu) };
    for model in proof::models(&question, &survey, &estimates).unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let members = model.candidates.clone();
        let (ends, _) = checker(model, folder.path()).ends((1 << 60) - 1).unwrap();
        assert_eq!(ends.len(), members.len());
        for end in ends {
            let program = ProgramId::from(usize::from(members[end.configuration]));
            let native = estimates.evaluations[program].unwrap().ticks;
            assert_eq!(end.ticks, native, "{} on {gpu}", spec.kernel);
            assert!(estimates.bounds[program].ticks <= end.ticks, "the bound of {} on {gpu} is unsound", spec.kernel);
        }
    }
}

#[test]
fn spin_and_the_evaluator_agree_on_every_shipped_spec() {
    for spec in shipped_specs() {
        for gpu in gpus(&spec) {
            assert_equal_times(&spec, gpu);
        }
    }
}
