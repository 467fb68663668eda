//! `autotune extract`, with a real clang: shipped bodies are what their sources execute, a wrong one is found, and an
//! extracted one is the source's.

use std::path::Path;

use super::*;

/// Shipped specs that name their source, each with a few configurations.
const SHIPPED: [(&str, &[&str]); 7] = [
    ("vector_add", &["WG=64,ITEMS=2,VEC=4"]),
    ("minimum", &["WG=64,TS=16"]),
    ("matmul_tiled", &["TS=32,ROWS=4,COLS=2", "TS=16,ROWS=16,COLS=1"]),
    ("transpose", &["TS=32,ROWS=4,PAD=1", "TS=4,ROWS=1,PAD=0"]),
    ("reduction", &["WG=256,TS=16,VEC=4", "WG=32,TS=1,VEC=1", "WG=256,TS=2,VEC=8"]),
    // Rows of work items that share a warp; ghost rows that are whole work items, and parts of them.
    (
        "stencil_2d",
        &[
            "block_x=16,block_y=8,ROWS=8,DEPTH=2",
            "block_x=64,block_y=4,ROWS=8,DEPTH=4",
            "block_x=16,block_y=16,ROWS=1,DEPTH=3",
            "block_x=16,block_y=16,ROWS=2,DEPTH=3",
        ],
    ),
    // The last rounds of the copy leave warps idle.
    (
        "convolution_2d",
        &[
            "block_x=64,block_y=2,tile_x=1,tile_y=1,read_only=1",
            "block_x=16,block_y=8,tile_x=1,tile_y=4,read_only=0",
            "block_x=16,block_y=1,tile_x=2,tile_y=1,read_only=1",
        ],
    ),
];

/// A mask that compiles in a moment.
fn sizes(kernel: &str) -> &[&str] {
    if kernel == "convolution_2d" { &["--set", "filter=5"] } else { &[] }
}

fn checked(spec: &str, gpu: &str, more: &[&str]) -> Ended {
    run(autotune().args(["extract", "--check", spec, "--gpu", gpu, "--format", "json"]).args(more))
}

fn quantity<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["quantities"].as_array().unwrap().iter().find(|one| one["quantity"] == name).unwrap()
}

#[test]
fn shipped_bodies_are_what_their_sources_execute() {
    for gpu in ["volta", "mi50", "abstract-fermi"] {
        for (kernel, configurations) in SHIPPED {
            let spec = format!("tuning-specs/{kernel}.yaml");
            for configuration in configurations {
                let more = [&["--config", configuration], sizes(kernel)].concat();
                let ended = checked(&spec, gpu, &more);
                assert_eq!(ended.status, 0, "{configuration}: {}{}", ended.stdout, ended.stderr);
                let report = json(&ended, "source_agreement.json");
                assert_eq!((&report["configurations"], &report["agrees"]), (&1.into(), &true.into()));
                let judged = report["quantities"].as_array().unwrap().iter().filter(|one| one["judged"] == true);
                assert_eq!(judged.filter(|one| one["agreeing"] == 1).count(), 6, "{report}");
            }
        }
    }
}

/// By hand: 1024 / 32 pairs of tiles; 8 warps each load 4 words of A and 4 x 2 of B, and pass 2 barriers.
#[test]
fn counts_are_those_of_the_warps_of_a_group() {
    let ended = checked("tuning-specs/matmul_tiled.yaml", "volta", &["--config", "TS=32,ROWS=4,COLS=2"]);
    let report = json(&ended, "source_agreement.json");
    let expected = [
        ("global_loads", 32 * 8 * (4 + 8)),
        ("global_stores", 8 * 8),
        ("local_accesses", 32 * 8 * (12 + 32 * (4 + 2))),
        ("fp32", 1024 * 8 * 8),
        ("barriers", 2 * 32),
        ("local_memory", 4 * 32 * (32 + 64)),
    ];
    for (name, count) in expected {
        let one = quantity(&report, name);
        assert_eq!((one["body"].as_f64(), one["source"].as_f64()), (Some(f64::from(count)), Some(f64::from(count))));
    }
    assert_eq!(report["files"], serde_json::json!(["examples/kernels/matmul_tiled.cl"]));
}

/// A folder with a spec, which may be changed, and its kernel.
fn copied(kernel: &str, change: impl Fn(String) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = std::fs::read_to_string(root.join("tuning-specs").join(kernel)).unwrap();
    let spec = spec.replace("../examples/kernels/", "");
    std::fs::write(folder.path().join("spec.yaml"), change(spec)).unwrap();
    for file in std::fs::read_dir(root.join("examples/kernels")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

#[test]
fn a_wrong_body_is_found_with_both_places() {
    let wrong = |text: String| {
        let right = "per_item: ROWS\n      var: r\n      index: [gx * TS + ly + r * lines,";
        assert!(text.contains(right));
        text.replace(right, "per_item: 2 * ROWS\n      index: [gx * TS + ly,")
    };
    let folder = copied("transpose.yaml", wrong);
    let spec = folder.path().join("spec.yaml");
    let ended = checked(spec.to_str().unwrap(), "volta", &["--set", "size=128"]);
    assert_eq!(ended.status, 1);
    let advice = "error: the body is not what its source executes\nhelp: correct the statements";
    assert!(ended.stderr.contains(advice), "{}", ended.stderr);
    let report = json(&ended, "source_agreement.json");
    let stores = quantity(&report, "global_stores");
    assert_eq!((&report["agrees"], &stores["agreeing"]), (&false.into(), &0.into()));
    assert_eq!(quantity(&report, "global_loads")["agreeing"], report["configurations"]);
    // The first configuration: a group of one warp stores one element of a work item.
    assert_eq!(stores["parameters"], serde_json::json!({ "TS": 4, "ROWS": 1, "PAD": 0 }));
    assert_eq!((stores["body"].as_f64(), stores["source"].as_f64()), (Some(2.0), Some(1.0)));
    let text = std::fs::read_to_string(&spec).unwrap();
    let line = text.lines().position(|line| line.starts_with("  - store:")).unwrap() + 1;
    assert_eq!(stores["statements"][0]["line"], line);
    assert_eq!(stores["statements"][0]["array"], "output");
    let source = std::fs::read_to_string(folder.path().join("transpose.cl")).unwrap();
    let line = source.lines().position(|line| line.contains("out[(y2")).unwrap() + 1;
    assert_eq!(stores["lines"][0]["line"], line);
    assert_eq!(stores["lines"][0]["file"], folder.path().join("transpose.cl").display().to_string());
    let shown =
        run(autotune().args(["extract", "--check", spec.to_str().unwrap(), "--gpu", "volta", "--set", "size=128"]));
    assert!(shown.stdout.contains("\nglobal stores differ in TS=4 ROWS=1 PAD=0\n  body: 2\n"), "{}", shown.stdout);
}

/// The extracted spec stands beside the source: it is checked against it, and takes nearly the source's time.
#[test]
fn an_extracted_body_is_the_sources() {
    for (kernel, configurations) in SHIPPED {
        let without_body = |text: String| {
            let (begin, end) = (text.find("\nbody:\n").unwrap(), text.find("\nsource:").unwrap());
            let text = format!("{}{}", &text[..begin], &text[end..]);
            let kept = text.lines().filter(|line| !line.starts_with("varies:"));
            kept.collect::<Vec<_>>().join("\n")
        };
        let folder = copied(&format!("{kernel}.yaml"), without_body);
        let [source, body] = ["spec.yaml", "body.yaml"].map(|name| folder.path().join(name));
        let question = [&["--gpu", "volta", "--quiet"], sizes(kernel)].concat();
        let configured = [&question[..], &["--config", configurations[0]]].concat();
        let extracted = run(autotune().arg("extract").arg(&source).args(&configured));
        assert_eq!(extracted.status, 0, "{}", extracted.stderr);
        std::fs::write(&body, &extracted.stdout).unwrap();
        let ended = checked(body.to_str().unwrap(), "volta", &[]);
        assert_eq!(ended.status, 0, "{}\n{}{}", extracted.stdout, ended.stdout, ended.stderr);
        let ticks = |command: &mut Command| {
            let report = json(&run(command.args(["--format", "json"])), "evaluation.json");
            report["configurations"][0]["ticks"].as_f64().unwrap()
        };
        let of_source = ticks(autotune().arg("evaluate").arg(&source).args(&configured));
        let of_body = ticks(autotune().arg("evaluate").arg(&body).args(["--gpu", "volta", "--quiet"]));
        // The rounds of convolution's copy wait one after the other, which a body only says on average: 0.90 of the time.
        let most = if kernel == "convolution_2d" { 0.12 } else { 0.02 };
        assert!((of_body / of_source - 1.0).abs() < most, "{kernel}: {of_body} ticks for {of_source}");
    }
}

/// An exchange between lanes is an access to unnamed local memory, with the bytes of a word.
#[test]
fn an_extracted_body_with_exchanges_is_a_spec() {
    let folder = tempfile::tempdir().unwrap();
    let body = folder.path().join("body.yaml");
    for (example, configuration) in [("reduction_cuda", "block_size_x=512,TS=32"), ("rms_norm", "THREADS=256")] {
        let source = format!("examples/kernels/{example}.yaml");
        for gpu in ["a100", "mi50"] {
            let question = ["--gpu", gpu, "--quiet"];
            let text = run(autotune().args(["extract", &source, "--config", configuration]).args(question));
            assert_eq!(text.status, 0, "{}", text.stderr);
            std::fs::write(&body, &text.stdout).unwrap();
            let ended = run(autotune().arg("evaluate").arg(&body).args(question));
            assert_eq!(ended.status, 0, "{}{}", ended.stderr, text.stdout);
        }
    }
}

#[test]
fn a_spec_that_cannot_be_checked_is_told_what_it_lacks() {
    let ended = checked("tuning-specs/abstract_kernel.yaml", "volta", &[]);
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.starts_with("error: this spec names no kernel source\nhelp: write `source:"),
        "{}",
        ended.stderr
    );
}
