//! `autotune check` of several GPUs: what fits where.

use super::*;

/// 36 KiB of local memory for each 256 work items.
const SPEC: &str = "
kernel: large
parameters: { WG: { values: [256, 512] } }
launch: { work_items: 65536, work_group: WG }
resources: { local_memory: 144 * WG, registers: 32, dynamic: true }
body: [ { compute: {} } ]
";

fn check(more: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("large.yaml");
    std::fs::write(&spec, SPEC).unwrap();
    run(autotune().arg("check").arg(spec).args(more))
}

#[test]
fn the_matrix_follows_the_schema_and_counts_each_configuration_once() {
    let ended = check(&["--gpu", "arch:Kepler, a100,rtx4090", "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let result = json(&ended, "diagnosis.json");
    let gpus = result["fits"]["gpus"].as_array().unwrap();
    let of = |name: &str| gpus.iter().find(|gpu| gpu["gpu"] == name).unwrap();
    assert_eq!((&of("gtx-titan")["feasible"], &of("a100-40gb")["feasible"]), (&1.into(), &2.into()));
    assert_eq!(of("gtx-titan")["refused"], serde_json::json!([{"rule": "local_memory", "configurations": 1}]));
    assert_eq!(gpus.last().unwrap()["gpu"], "rtx4090", "the order is that of the list");
    assert_eq!(result["fits"]["everywhere"]["listed"], serde_json::json!([{"WG": 256}]));
    assert_eq!(result["gpu"], gpus[0]["gpu"], "errors and warnings are of the first GPU");
}

#[test]
fn a_required_target_without_a_configuration_ends_with_4() {
    assert_eq!(check(&["--require", "sm_75, gfx90a"]).status, 0);
    let one = check(&["--gpu", "a100", "--config", "WG=512", "--require", "sm_80,sm_75"]);
    assert_eq!(one.status, 4, "{}{}", one.stdout, one.stderr);
    assert!(one.stdout.contains("required, and without a configuration: rtx2080ti"), "{}", one.stdout);
    // A GPU that is asked for and not required may go without.
    assert_eq!(check(&["--gpu", "all", "--config", "WG=512", "--require", "sm_80"]).status, 0);
    assert_eq!(check(&["--gpu", "arch:Turing", "--config", "WG=512"]).status, 4);
}

/// A GPU that refuses all is in the matrix alone.
#[test]
fn errors_and_warnings_are_of_the_first_gpu_that_something_fits() {
    let ended = check(&["--gpu", "8600gt,a100,h100", "--format", "json"]);
    let result = json(&ended, "diagnosis.json");
    assert_eq!((ended.status, &result["gpu"]), (0, &"a100-40gb".into()));
    assert_eq!(result["errors"], serde_json::json!([]));
    assert_eq!(result["fits"]["gpus"][0]["feasible"], 0);
    let none = check(&["--gpu", "8600gt,9600mgt", "--format", "json"]);
    assert_eq!((none.status, &json(&none, "diagnosis.json")["gpu"]), (4, &"8600gt".into()));
}

#[test]
fn unknown_targets_gpus_and_configurations_are_named() {
    for (more, expected) in [
        (&["--require", "sm_74"][..], "no shipped GPU has the target `sm_74`; did you mean `sm_7"),
        (&["--gpu", "a100,arch:Amper"], "no shipped GPU has the architecture `Amper`; did you mean `Ampere`?"),
        (&["--gpu", "a100,h100", "--config", "WG=100"], "100 is not in the domain of `WG`"),
    ] {
        let ended = check(more);
        assert!(ended.status == 2 && ended.stderr.contains(expected), "{} {}", ended.status, ended.stderr);
    }
}
