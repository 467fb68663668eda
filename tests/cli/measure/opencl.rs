//! A real program: an `OpenCL` kernel on this computer's processor, from its source to the measured best.

use super::super::readme::{block, page};
use super::*;

/// The one command of the book, in a shell.
#[test]
fn the_books_command_measures_an_opencl_kernel() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = root.join("target/measured");
    let _ = std::fs::remove_dir_all(&out);
    let guide = page("guide/measure.md");
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", block(&guide, "sh")]).current_dir(root).env("PATH", path).envs(crate::isolated());
    let ended = run(&mut shell);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(
        ended.stdout.contains("\nbest      TS=") && ended.stdout.contains(" ms (median of 3 runs)"),
        "{}",
        ended.stdout
    );
    let results = std::fs::read_to_string(out.join("results.json")).unwrap();
    let report = json(&Ended { status: 0, stdout: results, stderr: String::new() }, "measure.json");
    let runs = report["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["status"] == "ok"), "{runs:?}");
    let suggested = runs.iter().filter(|run| run["purpose"] == "suggested").count();
    assert_eq!((suggested, &report["best"]["runs"], &report["best"]["confirmed"]), (4, &3.into(), &true.into()));
    for file in ["runs.csv", "t4.json", "kernel_tuner.json", "best.h", "index.html", "journal.jsonl"] {
        assert!(out.join(file).exists(), "{file}");
    }
}

/// The script that measures the examples, on this computer's processor: each configuration is timed, and computes what it should.
#[test]
fn the_examples_spaces_are_measured_and_what_they_compute_is_checked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let large = ("minimum,transpose", "--every 30", [("minimum", 5), ("transpose", 2)]);
    let small =
        ("fft,back_propagation", "--every 3 --set lines=64 --set inputs=256", [("fft", 4), ("back_propagation", 7)]);
    for (kernels, options, tables) in [large, small] {
        let out = tempfile::tempdir().unwrap();
        let mut script = Command::new(root.join("target/python/bin/python"));
        script.arg(root.join("ci/on_gpu")).arg(out.path()).env("ON_GPU_PLATFORM", "Portable");
        let ended = run(script.args(["--kernels", kernels, "--runs", "1"]).args(options.split(' ')));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        for (kernel, rows) in tables {
            let table = std::fs::read_to_string(out.path().join(format!("{kernel}.csv"))).unwrap();
            let (header, measured) = table.split_once('\n').unwrap();
            assert!(header.ends_with(",time_ms,warm_ms,spread,status,registers,spilled_bytes"), "{header}");
            let right = measured.lines().filter(|row| row.contains(",ok,")).count();
            assert_eq!((right, measured.lines().count()), (rows, rows), "{table}{}", ended.stderr);
        }
    }
}

/// A kernel that computes something wrong is found by `--verify`.
#[test]
fn a_wrong_kernel_is_never_timed() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/measure");
    for file in ["build", "benchmark.c", "matmul.cl"] {
        std::fs::copy(example.join(file), folder.path().join(file)).unwrap();
    }
    let kernel = std::fs::read_to_string(example.join("matmul.cl")).unwrap();
    std::fs::write(folder.path().join("matmul.cl"), kernel.replace("k < TS", "k < TS - 1")).unwrap();
    let at = folder.path().display();
    let mut command = autotune();
    command.args(["measure", "tuning-specs/matmul_tiled.yaml", "--gpu", "volta", "--set", "size=64", "--runs", "1"]);
    command.args(["--format", "json", "--out", folder.path().join("out").to_str().unwrap()]);
    command.args(["--build", &format!("{at}/build {at}/matmul 64"), "--verify", &format!("{at}/matmul check")]);
    let ended = run(command.args(["--run", &format!("{at}/matmul")]));
    let report = json(&ended, "measure.json");
    assert_eq!((ended.status, &report["runs"][0]["status"]), (1, &"wrong".into()), "{}", ended.stderr);
    let output = std::fs::read_to_string(folder.path().join("out/outputs/0001.txt")).unwrap();
    assert!(output.contains("matmul check\nit ended with exit status 1: C[0][0] is "), "{output}");
}
