//! Configurations that are refused for what their kernel does: each makes itself infeasible, with rule, place and reason;
//! the others go on. Only if none is left, the command ends with the error.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::verify::sha256;
use super::{Ended, autotune, json, run};

/// A kernel that does something else for each value of `DO`; 1 and 2 can run.
const KERNEL: &str = "\
#if DO == 9
#error not this one
#endif
__kernel void k(__global float *a, __global float *b) {
    __local float tile[WG];
    int i = get_local_id(0);
#if DO == 4
    if (i == 7) return;
#endif
    tile[i] = a[get_global_id(0)];
#if DO == 3
    if (i < 16)
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = tile[WG - 1 - i];
#if DO == 5
    s = tile[i + 1];
#elif DO == 6
    int lane;
    __asm__ volatile(\"frob.u32 %0, %%laneid;\" : \"=r\"(lane));
    s += lane;
#elif DO == 7
    while (1) a[i] = s;
#elif DO == 8
    for (long j = 0; j < 1L << 61; ++j) b[i] += s;
#endif
    for (int j = 0; j < DO; ++j) s += a[get_global_id(0) + j * 4096];
    b[get_global_id(0)] = s;
}
";

/// The rule and the place of each refusal.
const REFUSED: [(u64, &str, &str); 7] = [
    (
        3,
        "barrier",
        "k.cl:14:5: 16 of the group's 32 work items do not reach this barrier: work item 0 does, work item 16 does not",
    ),
    (
        4,
        "barrier",
        "k.cl:14:5: some work items of the group have returned before this barrier, which OpenCL does not allow",
    ),
    (5, "local_array", "k.cl:17:9: this reaches byte 128 of the local array `tile`, which has 128"),
    (
        6,
        "instruction",
        "k.cl:20:5: `frob.u32` is not part of the machine: this instruction of inline assembly is not known",
    ),
    (7, "endless_loop", "k.cl:23:5: this loop does not end"),
    (8, "time", "k.cl:25:46: the work here takes 2^60 ticks or more"),
    (9, "compilation", "k.cl:2:2: not this one"),
];

fn folder(kernel: &str, values: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!(
        "kernel: k\nproblem: {{ n: 4096 }}\nparameters: {{ WG: {{ values: [32] }}, DO: {{ values: {values} }} }}\n\
         launch: {{ work_items: n, work_group: WG }}\nsource: {{ file: k.cl }}\n"
    );
    fs::write(folder.path().join("k.cl"), kernel).unwrap();
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    folder
}

fn ask(folder: &Path, arguments: &[&str]) -> Ended {
    run(autotune().current_dir(folder).args(arguments))
}

fn evaluated(folder: &Path, gpu: &str) -> Value {
    let ended = ask(folder, &["evaluate", "k.yaml", "--gpu", gpu, "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    json(&ended, "evaluation.json")
}

#[test]
fn what_one_configuration_does_is_refused_and_the_others_have_times() {
    let folder = folder(KERNEL, "[1, 2, 3, 4, 5, 6, 7, 8, 9]");
    let report = evaluated(folder.path(), "volta");
    let rows = report["configurations"].as_array().unwrap();
    let row = |done: u64| rows.iter().find(|row| row["parameters"]["DO"] == done).unwrap();
    assert!(row(1)["ticks"].as_u64() < row(2)["ticks"].as_u64(), "{report}");
    for (done, rule, why) in REFUSED {
        assert_eq!(row(done)["reason"], format!("{rule}: {why}"));
        assert_eq!(row(done)["ticks"], Value::Null);
    }
    let refused = report["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 6);
    assert_eq!((&refused[0]["rule"], &refused[0]["configurations"]), (&json!("barrier"), &json!(2)));
    assert_eq!(refused[0]["listed"][0], json!({ "parameters": { "WG": 32, "DO": 3 }, "reason": REFUSED[0].2 }));
}

/// Text, JSON and page name what was refused.
#[test]
fn an_answer_names_what_was_refused() {
    let folder = folder(KERNEL, "[1, 2, 3, 4, 5]");
    let ended = ask(folder.path(), &["k.yaml", "--gpu", "volta", "--no-cost", "--report", "page"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let lines = "refused   2 by barrier: the first is WG=32 DO=3, k.cl:14:5: 16 of the group's 32 work items do not reach this barrier: work item 0 does, work item 16 does not\n          \
                 1 by local_array: WG=32 DO=5, k.cl:17:9: this reaches byte 128 of the local array `tile`, which has 128\n";
    assert!(ended.stdout.contains(lines), "{}", ended.stdout);
    assert!(ended.stdout.contains("of 5 configurations 3 are infeasible"), "{}", ended.stdout);
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("2 by <code>barrier</code>, first <code>WG=32 DO=3</code>: k.cl:14:5"), "{page}");
    let top = ask(folder.path(), &["evaluate", "k.yaml", "--gpu", "volta", "--top", "1"]);
    assert!(top.stdout.contains(lines), "{}", top.stdout);
    let result = json(&ask(folder.path(), &["k.yaml", "--gpu", "volta", "--format", "json"]), "result.json");
    assert_eq!(result["optimum"]["parameters"]["DO"], 1);
    let counts: Vec<_> = result["refused"].as_array().unwrap().iter().map(|one| &one["configurations"]).collect();
    assert_eq!(counts, [&json!(2), &json!(1)]);
}

/// The commands about a space, and those about a configuration.
#[test]
fn all_commands_agree() {
    let folder = folder(KERNEL, "[1, 2, 3, 4, 5]");
    let with = |arguments: &[&str]| ask(folder.path(), &[arguments, &["k.yaml", "--gpu", "volta"]].concat());
    for command in ["graph", "suggest", "inspect", "check", "locality", "predict"] {
        let ended = with(&[command]);
        assert_eq!(ended.status, 0, "{command}: {}{}", ended.stdout, ended.stderr);
    }
    let checked = with(&["check"]).stdout;
    assert!(checked.contains("barrier") && checked.contains("local_array"), "{checked}");
    for (done, rule, why) in &REFUSED[..3] {
        let config = format!("WG=32,DO={done}");
        let explained = with(&["explain", "--config", &config]);
        assert_eq!(explained.status, 4, "{}", explained.stderr);
        assert!(explained.stdout.contains(&format!("{rule}: {why}")), "{}", explained.stdout);
        for command in ["inspect", "evaluate", "graph", "locality"] {
            let ended = with(&[command, "--config", &config]);
            let message = why.split_once(": ").unwrap().1;
            assert_eq!(ended.status, 4, "{command}: {}{}", ended.stdout, ended.stderr);
            assert!(ended.stderr.contains(message) && ended.stdout.is_empty(), "{command}: {}", ended.stderr);
        }
    }
}

/// The first refusal is shown in the user's file; so is that of a spec of one configuration.
#[test]
fn a_space_of_which_nothing_is_left_ends_the_command() {
    for values in ["[3, 4, 5]", "[3]"] {
        let folder = folder(KERNEL, values);
        for command in [&["evaluate"][..], &["graph"], &["inspect"], &["check"], &[]] {
            let ended = ask(folder.path(), &[command, &["k.yaml", "--gpu", "volta"]].concat());
            assert_eq!(ended.status, 4, "{command:?}: {}{}", ended.stdout, ended.stderr);
            let shown = if command == ["check"] { &ended.stdout } else { &ended.stderr };
            for part in [
                "16 of the group's 32 work items",
                "k.cl:14:5",
                "barrier(CLK_LOCAL_MEM_FENCE);",
                "help: all work items",
            ] {
                assert!(shown.contains(part), "{command:?}: {shown}");
            }
        }
    }
}

/// `verify` derives a refusal again, and does not believe it.
#[test]
fn a_kept_refusal_is_derived_again() {
    let folder = folder(KERNEL, "[1, 2, 3, 4, 5]");
    let kept = folder.path().join("kept");
    let asked = ask(folder.path(), &["k.yaml", "--gpu", "volta", "--keep", "kept"]);
    assert_eq!(asked.status, 0, "{}", asked.stderr);
    let elsewhere = tempfile::tempdir().unwrap();
    let verify = || run(autotune().current_dir(elsewhere.path()).arg("verify").arg(&kept));
    let verified = verify();
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    let checked = Command::new("python3").arg(kept.join("check.py")).arg(&kept).output().unwrap();
    assert!(
        checked.status.success(),
        "{}{}",
        String::from_utf8_lossy(&checked.stdout),
        String::from_utf8_lossy(&checked.stderr)
    );
    // A folder that calls the barrier's configuration something else is not verified.
    let result = kept.join("result.json");
    let text = fs::read_to_string(&result).unwrap();
    let forged =
        text.replace("16 of the group's 32 work items do not reach", "17 of the group's 32 work items do not reach");
    assert_ne!(forged, text);
    fs::write(&result, &forged).unwrap();
    let sums = fs::read_to_string(kept.join("SHA256SUMS")).unwrap();
    let sealed = sums.replace(&sha256(text.as_bytes()), &sha256(forged.as_bytes()));
    fs::write(kept.join("SHA256SUMS"), sealed).unwrap();
    let refused = verify();
    assert_eq!(refused.status, 1, "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains("17 of the group's"), "{}", refused.stderr);
}

/// Early returns, which OpenCL forbids, are a warning in CUDA.
#[test]
fn work_items_that_have_returned_are_a_warning_in_cuda() {
    let kernel = "\
extern \"C\" __global__ void k(float *a, float *b) {
    __shared__ float tile[WG];
    if (threadIdx.x == 7) return;
    tile[threadIdx.x] = a[blockIdx.x * WG + threadIdx.x];
    __syncthreads();
    b[blockIdx.x * WG + threadIdx.x] = tile[WG - 1 - threadIdx.x] + DO;
}
";
    let folder = folder(kernel, "[1]");
    fs::rename(folder.path().join("k.cl"), folder.path().join("k.cu")).unwrap();
    let spec = fs::read_to_string(folder.path().join("k.yaml")).unwrap();
    fs::write(folder.path().join("k.yaml"), spec.replace("k.cl", "k.cu")).unwrap();
    let ended = ask(folder.path(), &["evaluate", "k.yaml", "--gpu", "volta"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("some work items have returned before this barrier"), "{}", ended.stderr);
}

/// A spec by hand: a divergent barrier, and a count of 2^60 ticks.
#[test]
fn a_spec_by_hand_has_refused_configurations() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "\
kernel: by_hand
parameters: { P: { values: [1, 2, 3, 4] } }
launch: { work_items: 'P == 4 ? 1099511627776 : 65536', work_group: 64 }
body:
  - branch: { divergent: P == 2, then: [barrier] }
  - compute: { per_item: 'P == 3 ? 1152921504606846976 : 5' }
";
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    for gpu in ["volta", "abstract-tiny"] {
        let report = evaluated(folder.path(), gpu);
        let reasons: Vec<_> = report["configurations"].as_array().unwrap().iter().map(|row| &row["reason"]).collect();
        let place = "spec:5:41: a barrier in a divergent branch is undefined: not all work items of the group reach it";
        assert_eq!(reasons[1], &json!(format!("barrier: {place}")), "{gpu}");
        assert_eq!(reasons[2], &json!("time: spec:6:5: the work here takes 2^60 ticks or more"), "{gpu}");
        assert_eq!(
            reasons[3],
            &json!("range: groups is 17179869184, but its range in a program is 0 to 2147483647"),
            "{gpu}"
        );
        assert!(report["configurations"][0]["ticks"].is_u64());
    }
    let one = spec.replace("[1, 2, 3, 4]", "[2]");
    fs::write(folder.path().join("k.yaml"), one).unwrap();
    let ended = ask(folder.path(), &["evaluate", "k.yaml", "--gpu", "volta"]);
    assert_eq!(ended.status, 4);
    assert!(
        ended.stderr.contains("k.yaml:5:41") && ended.stderr.contains("help: move the barrier"),
        "{}",
        ended.stderr
    );
}

/// A covariance, as in `PolyBench`: each iteration of the outer loop has other work items, and the sums of their shares have more
/// than 128 bits.
#[test]
fn a_triangular_loop_has_a_time() {
    let kernel = "\
__kernel void k(int n, __global float *data, __global float *out) {
    int j1 = get_global_id(0) + 1;
    for (int j2 = j1; j2 < n + 1; ++j2) {
        out[j1 * (n + 1) + j2] = 0;
        for (int i = 1; i < n + 1; ++i) out[j1 * (n + 1) + j2] += data[i * (n + 1) + j1] * data[i * (n + 1) + j2];
        out[j2 * (n + 1) + j1] = out[j1 * (n + 1) + j2];
    }
}
";
    let folder = folder(kernel, "[1]");
    let spec = fs::read_to_string(folder.path().join("k.yaml")).unwrap();
    let spec = spec.replace("4096", "256").replace("values: [32]", "values: [64, 128]");
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    for gpu in ["fermi", "turing"] {
        let report = evaluated(folder.path(), gpu);
        let rows = report["configurations"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["ticks"].as_u64() > Some(10_000_000)), "{gpu}: {report}");
    }
}

/// A time whose upper bound is beyond the evaluator's is not known; the others are.
#[test]
fn a_time_that_may_be_too_long_does_not_end_an_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "\
kernel: long
parameters: { P: { values: [1, 2] } }
launch: { work_items: 1048576, work_group: 1024 }
body: [ loop: { count: 'P == 2 ? 1000000000 : 5', body: [ { compute: { per_item: 40000 } }, barrier ] } ]
";
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    let ended = ask(folder.path(), &["evaluate", "k.yaml", "--gpu", "volta", "--format", "json"]);
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let report = json(&ended, "evaluation.json");
    let rows = report["configurations"].as_array().unwrap();
    assert!(rows[0]["ticks"].is_u64() && rows[1]["ticks"].is_null(), "{report}");
    assert!(rows[1]["unknown"].as_str().unwrap().starts_with("its time may reach "), "{report}");
}

/// With 64 rounds a group of 32 work items passes the end of its array, and those of 64 and 128 do not.
#[test]
fn an_assumption_that_refuses_a_configuration_leaves_the_others() {
    let kernel = "\
__global__ void staged(const int *n, const float *x, float *y) {
    __shared__ float s[WG];
    int left = n[blockIdx.x];
    float sum = 0;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(left, WG); ++j) sum += s[j];
    y[blockIdx.x * WG + threadIdx.x] = sum;
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), kernel).unwrap();
    let question = ["evaluate", "k.cu", "--gpu", "a100", "--parameter", "WG=32,64,128", "--work-items", "4096"];
    let more = ["--work-group", "WG", "--assume", "trip@7=64", "--format", "json"];
    let ended = ask(folder.path(), &[&question[..], &more].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let report = json(&ended, "evaluation.json");
    let rows = report["configurations"].as_array().unwrap();
    let reason = rows[0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("reaches byte 252 of the local array `s`, which has 128"), "{report}");
    assert!(rows[1..].iter().all(|row| row["ticks"].is_u64()), "{report}");
}
