//! The example kernels without their specs: by a comment, or by the host that launches them.

use std::path::Path;

use serde_json::Value;

use super::autotune;

fn json(arguments: &[&str]) -> Value {
    let output = autotune().args(arguments).args(["--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The fastest configuration: its values in the order of their names in the spec, and its time.
fn fastest(arguments: &[&str], names: &[&str]) -> (Vec<i64>, u64) {
    let report = json(&[&["evaluate", "--gpu", "a100", "--top", "1"], arguments].concat());
    let best = &report["configurations"][0];
    let value = |name: &&str| best["parameters"][name].as_i64().unwrap_or_else(|| panic!("{name}: {best}"));
    (names.iter().map(value).collect(), best["ticks"].as_u64().unwrap())
}

/// A kernel with its host and its spec, and the names of the parameters in the text and in the spec.
type Hosted = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// The kernels that hosts launch; those of [`LARGE`] too.
const HOSTS: [Hosted; 8] = [
    ("rms_norm.cu", "", "rms_norm.yaml", &["THREADS"], &["THREADS"]),
    (
        "vector_add.cu",
        "vector_add.cu",
        "vector_add_cuda.yaml",
        &["threads", "items", "lanes"],
        &["block_size_x", "ITEMS", "VEC"],
    ),
    ("reduction.cu", "reduction.cu", "reduction_cuda.yaml", &["BLOCK", "count"], &["block_size_x", "TS"]),
    ("transpose.cu", "transpose.cu", "transpose_cuda.yaml", &["tile", "elements"], &["TS", "ROWS"]),
    ("vector_add.cl", "vector_add.c", "vector_add.yaml", &["WG", "ITEMS", "VEC"], &["WG", "ITEMS", "VEC"]),
    ("reduction.cl", "reduction.c", "reduction.yaml", &["WG", "TS", "VEC"], &["WG", "TS", "VEC"]),
    ("transpose.cl", "transpose.c", "transpose.yaml", &["TS", "ROWS"], &["TS", "ROWS"]),
    ("minimum.cl", "minimum.c", "minimum.yaml", &["WG", "TS"], &["WG", "TS"]),
];

/// The kernels whose configurations take clang half a minute.
const LARGE: [Hosted; 3] = [
    (
        "matmul_tiled.cu",
        "matmul_tiled.cu",
        "matmul_tiled_cuda.yaml",
        &["tile", "rows", "columns"],
        &["TS", "ROWS", "COLS"],
    ),
    ("matmul_half2.cu", "matmul_half2.cu", "matmul_half2.yaml", &["tile", "rows", "pairs"], &["TS", "ROWS", "COLS"]),
    (
        "softmax_async.cu",
        "softmax_async.cu",
        "softmax_async.yaml",
        &["THREADS", "EACH", "STAGES"],
        &["THREADS", "EACH", "STAGES"],
    ),
];

#[test]
fn a_host_file_leads_to_the_optimum_of_the_spec() {
    lead_to_the_optima_of_the_specs(&HOSTS);
}

#[test]
#[ignore = "minutes"]
fn a_host_file_of_a_large_space_leads_to_the_optimum_of_the_spec() {
    lead_to_the_optima_of_the_specs(&LARGE);
}

fn lead_to_the_optima_of_the_specs(hosted: &[Hosted]) {
    for &(kernel, host, spec, names, of_spec) in hosted {
        let (kernel, spec) = (format!("examples/kernels/{kernel}"), format!("examples/kernels/{spec}"));
        let host = format!("examples/hosts/{host}");
        let hosts = if Path::new(&host).is_file() { vec!["--host", host.as_str()] } else { Vec::new() };
        let inferred = fastest(&[&[kernel.as_str()], &hosts[..]].concat(), names);
        assert_eq!(inferred, fastest(&[&spec], of_spec), "{kernel} and {spec}");
    }
}

/// A comment says what the spec says.
#[test]
fn a_comment_is_the_spec() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/kernels");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let ending = path.extension().unwrap_or_default();
        if ["yaml", "md", "py"].iter().any(|other| ending == *other) || !text.contains("autotune:\n") {
            continue;
        }
        let spec = ["", "_cuda"]
            .map(|ending| folder.join(format!("{}{ending}.yaml", path.file_stem().unwrap().to_string_lossy())));
        let spec =
            spec.into_iter().find(|spec| std::fs::read_to_string(spec).is_ok_and(|text| text.contains(&name))).unwrap();
        let read = |path: &Path| {
            let spec = autotune::spec::Spec::load(path).unwrap();
            let parameters: Vec<String> = spec.parameters.iter().map(|one| one.name.clone()).collect();
            (
                spec.kernel.clone(),
                spec.problem.clone(),
                parameters,
                spec.constraints.len(),
                spec.launch.work_items.len(),
            )
        };
        let comment = autotune::inference::commented_specs(&text, false).remove(0);
        let comment = comment.to_source(&path, if comment.has("source") { "" } else { "source: {}\n" });
        let comment_path = folder.join(&name);
        let commented = autotune::spec::Spec::diagnose(&comment, None).unwrap_or_else(|why| panic!("{why:?}"));
        let own = (
            commented.kernel.clone(),
            commented.problem.clone(),
            commented.parameters.iter().map(|one| one.name.clone()).collect::<Vec<_>>(),
            commented.constraints.len(),
            commented.launch.work_items.len(),
        );
        assert_eq!(own, read(&spec), "{}", comment_path.display());
        count += 1;
    }
    assert_eq!(count, 15);
}

/// The spec of a comment says the same in a file of its own.
#[test]
fn a_comment_prints_as_a_whole_spec() {
    for options in [&[][..], &["--parameter", "WG=64"]] {
        let question = ["examples/kernels/matmul.cl", "--gpu", "fermi", "--print-spec"];
        let output = autotune().args(question).args(options).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let spec = autotune::spec::Spec::parse(&text, "spec.yaml").unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(spec.kernel_source.unwrap().source.files, [Path::new("examples/kernels/matmul.cl")]);
        assert!(!text.starts_with('\n'), "{text}");
    }
}

/// A kept proof of an inferred kernel holds without its host, for one scenario and for two.
#[test]
fn a_proof_of_an_inferred_kernel_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    for (name, gpu) in [("one", "a100"), ("two", "a100,v100")] {
        let kept = folder.path().join(name);
        let kept = kept.to_str().unwrap();
        let asked = ["examples/kernels/rms_norm.cu", "--set", "rows=64", "--gpu", gpu, "--keep", kept];
        let report = json(&[&asked[..], &["--parameter", "THREADS=128,256"]].concat());
        assert_eq!(report["inferred"][0]["name"], "rms_norm", "{report}");
        let verified = autotune().args(["verify", kept]).output().unwrap();
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    }
}

/// Each answer in text begins with what was inferred; a file of another language has it as comments, or not.
#[test]
fn every_answer_begins_with_what_was_inferred() {
    let asked = |command: &[&str]| {
        let question =
            ["examples/kernels/rms_norm.cu", "--set", "rows=64", "--gpu", "a100", "--parameter", "THREADS=128"];
        let output = autotune().args(command).args(question).output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = "kernel    rms_norm (examples/kernels/rms_norm.cu:29)\n";
    for command in [&[][..], &["evaluate"], &["inspect"], &["explain"], &["check"], &["compare"]] {
        assert!(asked(command).starts_with(first), "{command:?}: {}", asked(command));
    }
    let body = asked(&["extract"]);
    assert!(body.starts_with(&format!("# {first}")), "{body}");
    autotune::spec::Spec::parse(&body, "body.yaml").unwrap_or_else(|why| panic!("{why}\n{body}"));
    assert!(asked(&["model"]).starts_with("/* "));
}
