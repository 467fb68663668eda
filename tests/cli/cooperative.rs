//! A cooperative launch: all groups meet at a barrier, which needs them at the same time.

use std::fs;

use super::*;

const SPEC: &str = "examples/cooperative/normalize.yaml";

/// A copy of the example whose kernel has one text in place of another.
fn changed(folder: &Path, from: &str, by: &str) -> String {
    let source = fs::read_to_string("examples/cooperative/normalize.cu").unwrap();
    assert!(source.contains(from));
    fs::write(folder.join("normalize.cu"), source.replace(from, by)).unwrap();
    let spec = folder.join("normalize.yaml");
    fs::copy(SPEC, &spec).unwrap();
    spec.to_str().unwrap().to_owned()
}

#[test]
fn the_barrier_orders_what_groups_store_and_what_others_load() {
    let folder = tempfile::tempdir().unwrap();
    let apart = ["--gpu", "v100", "--config", "BLOCK=256,GROUPS=128"];
    let warned = "nothing makes the groups of a launch go one after the other";
    let kept = run(autotune().args(["inspect", SPEC]).args(apart));
    assert_eq!(kept.status, 0, "{}", kept.stderr);
    assert!(!kept.stderr.contains(warned) && kept.stdout.contains("37 |     grid.sync();"), "{}", kept.stderr);
    let without = changed(folder.path(), "    grid.sync();\n", "    __syncthreads();\n");
    let raced = run(autotune().args(["inspect", &without]).args(apart));
    assert!(raced.stderr.contains(warned), "{}", raced.stderr);
    // What follows the barrier is beside what precedes it in the next round of a loop, unless another one stands between.
    let loop_of = |last: &str| {
        let body = format!(
            "    for (int round = 0; round < 4; round++) {{\n        parts[blockIdx.x] = own;\n        grid.sync();\n        own += parts[(blockIdx.x + 1) % GROUPS];\n{last}    }}\n"
        );
        changed(folder.path(), "    grid.sync();\n", &body)
    };
    let raced = run(autotune().args(["inspect", &loop_of("")]).args(apart));
    assert!(raced.stderr.contains(warned), "{}", raced.stderr);
    let ordered = run(autotune().args(["inspect", &loop_of("        grid.sync();\n")]).args(apart));
    assert_eq!(ordered.status, 0, "{}", ordered.stderr);
    let of_parts = ordered.stderr.lines().filter(|line| line.contains(warned)).count();
    assert_eq!(of_parts, 0, "{}", ordered.stderr);
}

#[test]
fn its_optimum_is_proved_and_what_does_not_fit_is_refused_with_the_numbers() {
    let ended = run(autotune().args([SPEC, "--gpu", "v100", "--format", "json", "--quiet"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let result = json(&ended, "result.json");
    assert_eq!(result["verdict"], "proved");
    let refused = "resident_groups: a barrier of all groups needs them at the same time: the launch has 1024 groups, but 80 \
                   multiprocessors run 8 each";
    let listed = result["configurations"].as_array().unwrap();
    let of = |block: u64| {
        listed.iter().find(|one| one["parameters"] == serde_json::json!({ "BLOCK": block, "GROUPS": 1024 })).unwrap()
    };
    assert_eq!((&of(256)["status"], &of(256)["reason"]), (&"infeasible".into(), &refused.into()));
    assert_ne!(of(128)["status"], "infeasible");
    let counted = run(autotune().args(["check", SPEC, "--gpu", "v100"]));
    assert!(counted.stdout.contains("12 of 15 configurations can run on v100"), "{}", counted.stdout);
}

#[test]
fn a_kept_proof_is_repeated_by_its_three_checkers() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let proved = run(autotune().args([SPEC, "--gpu", "v100", "--quiet", "--keep"]).arg(&kept));
    assert_eq!(proved.status, 0, "{}", proved.stderr);
    let programs = fs::read(kept.join("programs.jsonl.gz")).unwrap();
    assert!(!programs.is_empty());
    let verified = run(autotune().arg("verify").arg(&kept));
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    let by_python = run(Command::new("python3").arg(kept.join("check.py")));
    assert_eq!(by_python.stdout.lines().last(), Some("optimum confirmed"), "{}", by_python.stdout);
    let by_shell = run(Command::new("sh").arg(kept.join("check.sh")));
    assert_eq!(by_shell.status, 0, "{}{}", by_shell.stdout, by_shell.stderr);
}

#[test]
fn the_extracted_body_has_the_barrier_and_the_sources_time() {
    let folder = tempfile::tempdir().unwrap();
    let configuration = ["--gpu", "v100", "--config", "BLOCK=256,GROUPS=128"];
    let extracted = run(autotune().args(["extract", SPEC]).args(configuration));
    assert!(extracted.stdout.contains("- barrier: grid  # normalize.cu:37"), "{}", extracted.stdout);
    let body = folder.path().join("body.yaml");
    fs::write(&body, &extracted.stdout).unwrap();
    let times = [SPEC, body.to_str().unwrap()].map(|spec| evaluated_ticks(&[&[spec], &configuration[..]].concat()));
    assert!(times[0].abs_diff(times[1]) * 200 <= times[0], "{times:?}");
}
