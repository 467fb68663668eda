//! SPIN itself proves the lower bounds: G(DONE -> time >= LB), of every configuration of several specs.

use std::path::Path;

use autotune::files::cache::Cache;
use autotune::files::secret::Secret;
use autotune::gpu;
use autotune::limits::Limits;
use autotune::machine::{evaluate, lower_bound};
use autotune::model::{self, Candidate, Form};
use autotune::source::SourceReader;
use autotune::spec::Spec;
use autotune::spin::{Found, ModelChecker, Settings};
use rayon::prelude::*;

use crate::settings;

/// Proves the bound of every so manieth program of a kernel, and returns their number.
fn prove_bounds(kernel: &str, gpu: &str, step: usize) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs").join(kernel).with_extension("yaml");
    let spec = Spec::load(&path).unwrap();
    let survey = autotune::space::survey(
        &spec,
        &gpu::find(gpu).unwrap().profile,
        &SourceReader::default(),
        None,
        &Limits::default(),
    )
    .unwrap()
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { cache: Some(Cache::new(folder.path().join("cache"), Secret::random())), ..settings() };
    let programs: Vec<_> = survey.programs.iter().step_by(step).collect();
    programs.par_iter().enumerate().for_each(|(number, distinct)| {
        let (program, bound) = (&distinct.program, lower_bound(&distinct.program));
        let evaluation = evaluate(program, u64::MAX).unwrap();
        let candidate =
            Candidate { label: String::new(), program, events: evaluation.stepped, uncut_events: evaluation.stepped };
        let model = model::generic(Form::Wave, &[candidate]).unwrap().remove(0);
        let folder = folder.path().join(number.to_string());
        let mut checker = ModelChecker::new(model, folder, settings.clone()).unwrap();
        let found = checker.find(bound.ticks).unwrap().0;
        assert_eq!(
            found,
            Found::None,
            "{kernel} on {gpu}: a run ends before the bound by {}, {}",
            bound.by,
            bound.ticks
        );
        // The claim is not vacuous: the run ends, at its time.
        let (Found::Witnesses(ends), _) = checker.find(evaluation.ticks + 1).unwrap() else { panic!("no run ends") };
        assert_eq!(ends[0].ticks, evaluation.ticks);
    });
    programs.len()
}

/// A quarter of the programs: all of them take a quarter of a minute.
#[test]
fn no_run_of_a_configuration_ends_before_its_lower_bound() {
    assert_bounds(4);
}

#[test]
#[ignore = "a quarter of them in CI"]
fn no_run_of_any_configuration_ends_before_its_lower_bound() {
    assert_bounds(1);
}

fn assert_bounds(step: usize) {
    let questions = [
        ("abstract_kernel", "abstract-fermi"),
        ("matmul_tiled", "fermi"),
        ("reduction", "volta"),
        ("stencil_2d", "rtx2080ti"),
        ("transpose", "fermi"),
    ];
    let proved: Vec<usize> = questions.map(|(kernel, gpu)| prove_bounds(kernel, gpu, step)).into();
    assert!(proved.iter().all(|&bounds| bounds * step >= 10), "{proved:?}");
}
