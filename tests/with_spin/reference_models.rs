//! The commented reference models of `promela/`: they equal the rendered ones, and plain SPIN accepts and runs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use autotune::model::{self, Candidate, ElementCandidate, Form, Model};

use crate::checker;
use crate::lockstep::{Configuration, TINY};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("promela")
}

/// The abstract kernel of size 16 on `abstract-tiny`, in both granularities, by file name.
fn rendered(configurations: &[Configuration]) -> [(&'static str, Model); 2] {
    let (kernel, gpu) = ("abstract_kernel", "abstract-tiny");
    let warps: Vec<Candidate> = configurations.iter().map(Configuration::candidate).collect();
    let elements: Vec<ElementCandidate> = configurations.iter().map(Configuration::element_candidate).collect();
    [
        ("abstract_kernel-warp.pml", model::warp(kernel, gpu, Form::Roles, &warps).unwrap().remove(0)),
        ("abstract_kernel-element.pml", model::element(kernel, gpu, &elements).unwrap().remove(0)),
    ]
}

#[test]
fn they_are_what_is_rendered_now() {
    let new = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, model) in rendered(&TINY.abstract_kernels(16)) {
        std::fs::write(new.join(name), &model.text).unwrap();
        let kept = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
        let update = format!("cp {} {}", new.join(name).display(), folder().display());
        assert!(kept == model.text, "the model has changed; if that is right: {update}");
    }
}

#[test]
fn plain_spin_runs_each_to_done_and_pan_proves_its_optimum() {
    let configurations = TINY.abstract_kernels(16);
    let optimum = configurations.iter().map(Configuration::closed_form).min().unwrap();
    let models = rendered(&configurations);
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["abstract_kernel-element.pml", "abstract_kernel-warp.pml"]);
    for (name, model) in models {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let mut checker = checker(Model { text, ..model }, directory.path());
        let end = checker.simulate().unwrap();
        assert_eq!(end.ticks, configurations[usize::from(end.configuration)].closed_form(), "{name}");
        let (ends, _) = checker.ends(optimum + 1).unwrap();
        assert_eq!(ends.iter().filter(|end| end.done).map(|end| end.ticks).min(), Some(optimum), "{name}");
        assert_eq!(ends.len(), configurations.len(), "{name}");
        assert_bound_falls(directory.path(), optimum);
    }
}

/// A branch and bound by hand, without an initial bound: the least end is the optimum, and slower runs after it are
/// cut.
fn assert_bound_falls(folder: &Path, optimum: u64) {
    let mut search = Command::new(folder.join("pan_ends"));
    let output =
        search.arg("-m10000").env("AUTOTUNE_DESCEND", "1").env_remove("AUTOTUNE_MT").current_dir(folder).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let least =
        text.lines().filter(|line| line.contains(" DONE at ")).filter_map(|line| line.rsplit(' ').next()?.parse().ok());
    assert_eq!(least.min(), Some(optimum), "{text}");
    assert!(text.contains(" CUT at "), "{text}");
}
