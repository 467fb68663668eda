//! The reader of sources: which clang it starts, when, and how often.

use std::path::Path;

use autotune::gpu;
use autotune::lowering::{Lowered, Lowering, LoweringError};
use autotune::session::Inputs;
use autotune::source::{SourceReader, Tools};
use autotune::spec::{Configuration, Spec};

use super::once::Counted;

const KERNEL: &str = "__kernel void k(__global int *a) { a[get_global_id(0)] = WG; }\n";
const SPEC: &str = "kernel: k\nproblem: { n: 4096 }\nparameters: { WG: { values: [32, 64] } }\n\
                    launch: { work_items: n, work_group: WG }\nsource: { file: k.cl }\n";
const BODY: &str = "kernel: k\nparameters: { WG: { values: [32, 64] } }\n\
                    launch: { work_items: 4096, work_group: WG }\nbody: [ { store: { array: a } } ]\n";

/// A folder with a kernel and its spec.
fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cl"), KERNEL).unwrap();
    std::fs::write(folder.path().join("k.yaml"), SPEC).unwrap();
    folder
}

/// A reader that starts this clang, without the user's cache.
fn reader(clang: &Path) -> SourceReader {
    SourceReader::new(Tools { clang: Some(clang.to_owned()), no_cache: true, ..Tools::default() })
}

/// Both configurations, lowered for one GPU.
fn lowered(spec: &Spec, reader: &SourceReader) -> Result<Vec<Lowered>, LoweringError> {
    let profile = &gpu::find("volta").unwrap().profile;
    let lowering = Lowering::new(spec, profile, reader);
    [32, 64].map(|wg| lowering.lower(&Configuration(vec![wg])).map(|one| one.feasible().unwrap())).into_iter().collect()
}

#[test]
fn a_reader_starts_the_clang_that_its_user_names_and_no_other() {
    let (folder, named, other) = (written(), Counted::new(), Counted::new());
    let spec = Spec::load(&folder.path().join("k.yaml")).unwrap();
    lowered(&spec, &reader(&named.clang.path)).unwrap();
    assert_eq!((named.count(), other.count()), (2, 0));
    lowered(&spec, &reader(&other.clang.path)).unwrap();
    assert_eq!((named.count(), other.count()), (2, 2), "the spec remembers no clang");
}

#[test]
fn a_reader_starts_nothing_before_a_source_is_read() {
    let (folder, reader) = (written(), reader(Path::new("/nowhere/clang")));
    let body = Spec::parse(BODY, "body.yaml").unwrap();
    assert_eq!(lowered(&body, &reader).unwrap(), lowered(&body, &SourceReader::default()).unwrap());
    let spec = Spec::load(&folder.path().join("k.yaml")).unwrap();
    let why = lowered(&spec, &reader).unwrap_err().to_string();
    assert!(why.contains("/nowhere/clang"), "{why}");
}

#[test]
fn a_spec_is_a_value_and_equal_sources_are_compiled_once_by_a_reader() {
    fn assert_plain<T: Clone + PartialEq + Send + Sync + 'static>(_: &T) {}
    let (folder, counted) = (written(), Counted::new());
    let read = || Spec::load(&folder.path().join("k.yaml")).unwrap();
    let (one, other, reader) = (read(), read(), reader(&counted.clang.path));
    assert_plain(&one);
    let first = lowered(&one, &reader).unwrap();
    assert_eq!(one, other, "what is read of a source stays outside the spec");
    assert_eq!(lowered(&other, &reader).unwrap(), first);
    assert_eq!(lowered(&one.clone(), &reader).unwrap(), first);
    assert_eq!(counted.count(), 2, "once for each configuration");
    let fast = SPEC.replace("file: k.cl", "file: k.cl, options: [-cl-fast-relaxed-math]");
    std::fs::write(folder.path().join("k.yaml"), fast).unwrap();
    assert_ne!(read(), one);
    lowered(&read(), &reader).unwrap();
    assert_eq!(counted.count(), 4, "another source of the same reader");
}

#[test]
fn inputs_are_read_and_answered_by_one_reader() {
    let (folder, counted) = (written(), Counted::new());
    let reader = reader(&counted.clang.path);
    let inputs = Inputs::read(folder.path().join("k.yaml"), "volta", &reader).unwrap();
    let times = inputs.ask(|case| case.lowered.program.clone()).unwrap();
    assert_eq!((times.len(), counted.count()), (2, 2));
    assert_eq!(inputs.files(), [folder.path().join("k.yaml"), folder.path().join("k.cl")]);
}
