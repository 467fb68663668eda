//! Groups at the edges of a launch that do something wrong, where neither the middle group nor those in the corners do: the fastest
//! configurations are refused for it, until the answer is safe.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Ended, autotune, json, run};

/// The last group along x is partial where `WX` does not divide 96, and a barrier lies in the condition. The groups of the first
/// and the last row return, those in the corners too. Wide groups are faster: each work item does less.
const KERNEL: &str = "\
__kernel void k(__global float *a, __global float *b) {
    __local float tile[WX];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0);
    if (get_group_id(1) == 0) return;
    if (get_group_id(1) == get_num_groups(1) - 1) return;
    if (x < 96) {
        tile[i] = a[y * 96 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = tile[WX - 1 - i];
        for (int j = 0; j < 512 / WX; ++j) s += a[y * 96 + x + j * 4096];
        b[y * 96 + x] = s;
    }
}
";

/// The refusal of the group that lies at the end of x and in the middle of y.
const WRONG: &str = "barrier: k.cl:8:9: in group 1,3,0, some work items of the group have returned before this barrier, \
                     which OpenCL does not allow";

fn folder(widths: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!(
        "kernel: k\nparameters: {{ WX: {{ values: {widths} }} }}\n\
         launch: {{ work_items: [\"ceil_div(96, WX) * WX\", 8], work_group: [WX, 1] }}\nsource: {{ file: k.cl }}\n"
    );
    fs::write(folder.path().join("k.cl"), KERNEL).unwrap();
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    folder
}

fn ask(folder: &Path, arguments: &[&str]) -> Ended {
    run(autotune().current_dir(folder).args(arguments))
}

fn reasons(folder: &Path, arguments: &[&str]) -> Vec<(Value, Value)> {
    let ended = ask(folder, &[&["evaluate", "k.yaml", "--gpu", "volta", "--format", "json"], arguments].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let report = json(&ended, "evaluation.json");
    let rows = report["configurations"].as_array().unwrap();
    rows.iter().map(|row| (row["parameters"]["WX"].clone(), row["reason"].clone())).collect()
}

/// The proof is that of the others, and the answer says that the refused one would be faster.
#[test]
fn the_optimum_is_safe_at_all_edges() {
    let folder = folder("[32, 48, 64]");
    let rows = reasons(folder.path(), &[]);
    assert_eq!(rows, [(json!(32), Value::Null), (json!(48), Value::Null), (json!(64), json!(WRONG))]);
    // What the cache says of the edges is the same.
    assert_eq!(reasons(folder.path(), &[]), rows);
    let ended = ask(folder.path(), &["k.yaml", "--gpu", "volta", "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let result = json(&ended, "result.json");
    assert_eq!((&result["optimum"]["parameters"]["WX"], &result["verdict"]), (&json!(48), &json!("proved")));
    let safety = &result["source"]["safety"];
    assert_eq!((&safety["unsafe_edge"], &safety["edges_not_executed"]), (&Value::Null, &Value::Null));
    assert_eq!((&safety["faster"]["configuration"], &safety["faster"]["rule"]), (&json!("WX=64"), &json!("barrier")));
    let text = ask(folder.path(), &["k.yaml", "--gpu", "volta"]).stdout;
    assert!(text.contains("1 by barrier: WX=64, k.cl:8:9: in group 1,3,0,"), "{text}");
    let kept = ["k.yaml", "--gpu", "volta", "--no-cost", "--keep", "kept"];
    assert_eq!(ask(folder.path(), &kept).status, 0);
    let verified = ask(folder.path(), &["verify", "kept"]);
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
}

/// A configuration that is asked for alone is refused in the user's file.
#[test]
fn an_unsafe_configuration_alone_ends_the_command() {
    let folder = folder("[32, 48, 64]");
    for command in ["evaluate", "inspect", "graph"] {
        let ended = ask(folder.path(), &[command, "k.yaml", "--gpu", "volta", "--config", "WX=64"]);
        assert_eq!(ended.status, 4, "{}{}", ended.stdout, ended.stderr);
        assert!(ended.stderr.contains("in group 1,3,0, some work items of the group"), "{}", ended.stderr);
        assert!(ended.stderr.contains("8 |         barrier(CLK_LOCAL_MEM_FENCE);"), "{}", ended.stderr);
    }
    let explained = ask(folder.path(), &["explain", "k.yaml", "--gpu", "volta", "--config", "WX=64"]);
    assert!(
        explained.status == 4 && explained.stdout.contains("in group 1,3,0, some work items"),
        "{}",
        explained.stdout
    );
}

/// Of the slow ones only the executed groups are known, unless all edges are asked for.
#[test]
fn slow_configurations_are_searched_by_check() {
    let folder = folder("[5, 32, 48]");
    assert_eq!(reasons(folder.path(), &[]), [5, 32, 48].map(|width| (json!(width), Value::Null)));
    let result = json(&ask(folder.path(), &["k.yaml", "--gpu", "volta", "--format", "json"]), "result.json");
    let left = &result["source"]["safety"]["edges_not_executed"];
    assert_eq!(left, &json!({ "count": 1, "configurations": ["WX=5"] }));
    let text = ask(folder.path(), &["k.yaml", "--gpu", "volta"]).stdout;
    assert!(text.contains("edge groups not executed: WX=5\n"), "{text}");
    let ended = ask(folder.path(), &["check", "k.yaml", "--gpu", "volta", "--safety", "--format", "json"]);
    let checked = json(&ended, "diagnosis.json");
    let found = checked["safety"]["found"].as_array().unwrap();
    assert_eq!((found.len(), &found[0]["configuration"]), (1, &json!("WX=5")), "{checked}");
    let reason = found[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("group 19,3,0: barrier: k.cl:8:9: some work items"), "{reason}");
}

#[test]
fn a_spec_without_a_source_has_nothing_to_execute() {
    let ended = run(autotune().args(["check", "tuning-specs/reduction.yaml", "--gpu", "a100", "--safety"]));
    assert!(
        ended.status == 0 && ended.stderr.starts_with("note: nothing is executed for `--safety`"),
        "{}",
        ended.stderr
    );
}
