//! Tests that run real SPIN. They fail where it is missing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod closed_form;
mod element;
#[path = "../shared/lockstep.rs"]
mod lockstep;
mod planted;
#[path = "../shared/random_programs.rs"]
mod random_programs;
mod reference_models;
mod shipped;
mod warp;

use std::path::Path;

use autotune::machine::{Program, evaluate};
use autotune::model::{self, Candidate, Model};
use autotune::spin::process::Limits;
use autotune::spin::{ModelChecker, Settings, Toolchain, Wanted};

fn settings() -> Settings {
    let toolchain = Toolchain::find(&Wanted::default()).expect("these tests need SPIN and a C compiler");
    Settings { toolchain, limits: Limits::default(), memory_mib: 2048 }
}

/// Programs as the candidates of a model.
fn candidates(programs: &[Program]) -> Vec<Candidate<'_>> {
    let numbered = programs.iter().enumerate();
    numbered
        .map(|(number, program)| Candidate {
            label: format!("program={number}"),
            program,
            events: evaluate(program, u64::MAX).unwrap().events,
        })
        .collect()
}

fn warp_models(programs: &[Program]) -> Vec<Model> {
    model::warp("random", "abstract", &candidates(programs)).unwrap()
}

fn checker(model: Model, folder: &Path) -> ModelChecker {
    ModelChecker::new(model, folder.to_owned(), settings()).unwrap()
}
