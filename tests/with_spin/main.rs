//! Tests that run real SPIN. They fail without it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod acceleration;
mod bounds;
mod closed_form;
mod element;
mod forms;
mod generic;
mod grid;
#[path = "../shared/grid_programs.rs"]
mod grid_programs;
#[path = "../shared/lockstep.rs"]
mod lockstep;
#[path = "../shared/one_warp.rs"]
mod one_warp;
mod orders;
mod planted;
#[path = "../shared/random_programs.rs"]
mod random_programs;
mod reference_models;
mod shipped;
mod starts;
mod strategies;
#[path = "../shared/tiny_programs.rs"]
mod tiny_programs;
mod warp;
mod wide;

use std::path::{Path, PathBuf};

use autotune::limits::Limits;
use autotune::machine::{Program, Statement, evaluate};
use autotune::model::{self, Candidate, Form, Model};
use autotune::spec::{self, Spec};
use autotune::spin::{ModelChecker, Settings, ToolPaths, Toolchain};

/// A bound that no run reaches.
const NONE: u64 = (1 << 60) - 1;

/// The shipped specs, with few stages and rows where there are thousands of configurations.
fn shipped_specs() -> Vec<Spec> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let yaml = files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    let fewer = [
        ("STAGES: { range: { from: 2, to: ", "STAGES: { values: [2] } # "),
        ("EACH: { values: [8, ", "EACH: { values: [8] } # "),
    ];
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = fewer.iter().fold(text, |text, (all, some)| text.replace(all, some));
        let spec = Spec::parse(&text, &path.to_string_lossy()).unwrap();
        assert_eq!(path.file_stem().unwrap().to_str().unwrap(), spec.kernel);
        spec
    };
    let specs: Vec<Spec> = yaml.map(read).collect();
    assert!(specs.len() >= 10);
    specs
}

/// The GPUs that shipped specs are tried on: a lockstep one and two real ones. Only newer ones have what copies and matrix
/// instructions need.
fn gpus(spec: &Spec) -> [&'static str; 3] {
    let is_new = spec::Statement::all(&spec.body).any(spec::Statement::keeps_order);
    ["abstract-fermi", if is_new { "a100" } else { "fermi" }, "rtx2080ti"]
}

fn settings() -> Settings {
    let toolchain = Toolchain::find(&ToolPaths::default(), None).expect("these tests need SPIN and a C compiler");
    Settings { toolchain, limits: Limits::default(), memory_mib: 2048, cache: None, record: None, replays_all: false }
}

/// Groups of one warp each, all of them resident on one multiprocessor.
fn side_by_side(groups: u64, body: Vec<Statement>) -> Program {
    Program {
        multiprocessors: 1,
        dispatchers: 1,
        groups,
        resident_groups: groups,
        warps_per_group: 1,
        passes: 1,
        launch: 0,
        body,
    }
}

/// Programs as the candidates of a model.
fn candidates(programs: &[Program]) -> Vec<Candidate<'_>> {
    let numbered = programs.iter().enumerate();
    numbered
        .map(|(number, program)| {
            let events = evaluate(program, u64::MAX).unwrap().events;
            Candidate { label: format!("program={number}"), program, events, uncut_events: events }
        })
        .collect()
}

fn warp_models(form: Form, programs: &[Program]) -> Vec<Model> {
    model::warp("random", "abstract", form, &candidates(programs)).unwrap()
}

/// The model with acceleration switched off.
fn plain(model: Model) -> Model {
    switch_off(model, "#define ACCELERATE  1")
}

/// The model whose clock does not stop at MT.
fn uncut(model: Model) -> Model {
    switch_off(model, "#define CUT         1")
}

fn switch_off(model: Model, switch: &str) -> Model {
    assert_eq!(model.text.matches(switch).count(), 1);
    let off = switch.replace(" 1", " 0");
    Model { text: model.text.replace(switch, &off), ..model }
}

fn checker(model: Model, folder: &Path) -> ModelChecker {
    ModelChecker::new(model, folder.to_owned(), settings()).unwrap()
}
