use super::*;
use autotune_base::text::Source;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Profile, find};
use autotune_lowering::space::Space;
use autotune_lowering::spec::{OuterSpace, Spec};

fn told(spec: &Spec, gpu: &str) -> Vec<Warning> {
    let shipped = find(gpu).unwrap();
    warnings(spec, &shipped.profile, &Source::new(gpu, &shipped.text))
}

fn warnings(spec: &Spec, profile: &Profile, profile_text: &Source) -> Vec<Warning> {
    findings(spec, profile, &SourceReader::default(), profile_text, None).iter().map(CheckFinding::warning).collect()
}

/// A kernel with one parameter P; `rest` is the rest of the spec, the body included.
fn spec(domain: &str, rest: &str) -> Spec {
    let text = format!("kernel: k\nparameters:\n  P: {{ values: {domain} }}\n{rest}");
    Spec::parse(&text, "k.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// The messages about a launch of 64 work items and some statements.
fn of_body(domain: &str, statements: &str) -> Vec<String> {
    let spec = spec(domain, &format!("launch: {{ work_items: 64, work_group: 64 }}\nbody: [{statements}]\n"));
    told(&spec, "volta").into_iter().map(|warning| warning.message).collect()
}

const STORE: &str = "{ store: { array: out, per_item: P } }";

mod execution;
mod footprints;
mod parameters;
mod queues;
mod work;

/// Every spec that comes with the program.
fn shipped_specs() -> Vec<std::path::PathBuf> {
    let folders = ["tuning-specs", "tuning-specs/measured", "spec-templates"];
    let files = folders.iter().flat_map(|folder| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
    });
    let mut specs: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    specs.sort();
    specs
}

/// Two GPUs for each spec: the other two take as long again.
#[test]
fn shipped_specs_have_no_warnings() {
    let specs = shipped_specs();
    assert!(specs.len() > 20, "{specs:?}");
    for (number, path) in specs.iter().enumerate() {
        let other = ["fermi", "abstract-fermi", "mi50"][number % 3];
        assert_without_warnings(path, &["volta", other]);
    }
}

#[test]
#[ignore = "two of them in CI"]
fn shipped_specs_have_no_warnings_on_four_gpus() {
    for path in shipped_specs() {
        assert_without_warnings(&path, &["volta", "fermi", "abstract-fermi", "mi50"]);
    }
}

fn assert_without_warnings(path: &std::path::Path, gpus: &[&str]) {
    let spec = Spec::load(path).unwrap_or_else(|error| panic!("{error}"));
    for gpu in gpus {
        assert_eq!(told(&spec, gpu), [], "{} on {gpu}", path.display());
    }
}

/// Every subject that a shipped spec lists in `varies` does vary: no warning is silenced in vain.
#[test]
fn what_shipped_specs_say_to_be_meant_is_so() {
    for path in shipped_specs() {
        let mut spec = Spec::load(&path).unwrap();
        let meant = std::mem::take(&mut spec.varies);
        let unused = std::mem::take(&mut spec.meant_unused);
        if meant.is_empty() && unused.is_empty() {
            continue;
        }
        // A subject varies if it does on one GPU.
        let mut left: Vec<String> = meant.iter().map(|name| format!("varies: [{name}]")).collect();
        left.extend(unused.iter().map(|name| format!("uses the parameter `{name}`")));
        for gpu in ["volta", "fermi", "mi50"] {
            if left.is_empty() {
                break;
            }
            let warnings = told(&spec, gpu);
            left.retain(|words| !warnings.iter().any(|each| each.help.contains(words) || each.message.contains(words)));
        }
        assert!(left.is_empty(), "{}: {left:?}", path.display());
    }
}

#[test]
fn an_interrupt_ends_the_comparison_of_a_large_space() {
    let text = "kernel: k\nparameters:\n  P: { range: { from: 1, to: 100000 } }\nlaunch: { work_items: 64, work_group: 64 }\n\
                body: [{ store: { array: out, per_item: P } }]\n";
    let spec = Spec::parse(text, "k.yaml").unwrap();
    let shipped = find("volta").unwrap();
    let (reader, source) = (SourceReader::default(), Source::new("volta", &shipped.text));
    let found = || findings(&spec, &shipped.profile, &reader, &source, None).len();
    assert_eq!(found(), 1, "the stored bytes vary");
    reader.tools().interrupt.raise();
    assert_eq!(found(), 0);
}
