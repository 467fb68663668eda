//! A cooperative launch: all groups meet at a barrier, which needs them at the same time.

use std::fs;

use super::*;

const SPEC: &str = "examples/cooperative/normalize.yaml";

/// Returns the output of `check` for one configuration of a copy of the example that has another text in place of its barrier.
fn checked_with(barrier: &str) -> String {
    checked(barrier, "128", &[]).stdout
}

/// Runs `check` for these numbers of groups.
fn checked(barrier: &str, groups: &str, options: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string("examples/cooperative/normalize.cu").unwrap();
    assert!(source.contains("    grid.sync();\n"));
    fs::write(folder.path().join("normalize.cu"), source.replace("    grid.sync();\n", barrier)).unwrap();
    let all = ["{ powers_of_two: { from: 128, to: 512 } }", "{ powers_of_two: { from: 64, to: 1024 } }"];
    let spec = fs::read_to_string(SPEC).unwrap();
    assert!(all.iter().all(|domain| spec.contains(domain)));
    let spec = spec.replace(all[0], "{ values: [256] }").replace(all[1], &format!("{{ values: [{groups}] }}"));
    let file = folder.path().join("normalize.yaml");
    fs::write(&file, spec).unwrap();
    run(autotune().current_dir(folder.path()).args(["check", "normalize.yaml", "--gpu", "v100"]).args(options))
}

#[test]
fn a_barrier_that_some_groups_do_not_reach_is_refused_with_its_line_and_their_number() {
    let one = |condition: &str, groups: &str| {
        checked(&format!("    if ({condition})\n        grid.sync();\n"), groups, &["--safety"])
    };
    let refused = |shown: &Ended, groups: u32, why: &str| {
        let line = format!(
            "  BLOCK=256 GROUPS={groups}  barrier: normalize.cu:34:9: {why} this barrier of all groups: group "
        );
        assert!(shown.stdout.contains(&line), "{line}\n{}", shown.stdout);
    };
    let first = one("blockIdx.x == 0", "64, 128");
    assert_eq!(first.status, 4, "{}", first.stdout);
    refused(&first, 64, "63 of the launch's 64 groups do not reach");
    refused(&first, 128, "127 of the launch's 128 groups do not reach");
    assert!(first.stdout.contains(" does, group 63,0,0 does not\n"), "{}", first.stdout);
    // Whoever has no such group goes on.
    let all_but_77 = one("blockIdx.x != 77", "64, 128");
    assert_eq!(all_but_77.status, 0, "{}", all_but_77.stdout);
    refused(&all_but_77, 128, "1 of the launch's 128 groups does not reach");
    assert!(all_but_77.stdout.contains("1 of 2 configurations can run on v100"), "{}", all_but_77.stdout);
    let halves = one("blockIdx.x < 64", "64, 128");
    refused(&halves, 128, "64 of the launch's 128 groups do not reach");
    assert!(!halves.stdout.contains("GROUPS=64 "), "{}", halves.stdout);
}

#[test]
fn groups_may_meet_at_different_lines_but_not_a_different_number_of_times() {
    let both = "    if (blockIdx.x % 3 == 1)\n        grid.sync();\n    else\n        grid.sync();\n";
    let shown = checked(both, "64", &[]);
    assert!(shown.stdout.contains("1 of 1 configurations can run on v100"), "{}", shown.stdout);
    let more = format!("{both}    for (int i = 0; i < blockIdx.x % 4; i++)\n        grid.sync();\n");
    let shown = checked(&more, "64", &["--safety"]);
    let why = "normalize.cu:38:9: 48 of the launch's 64 groups pass fewer barriers of all groups than others: group 3,0,0 passes \
               4, group 0,0,0 passes 1\n";
    assert!(shown.stdout.contains(why), "{}", shown.stdout);
    // Nothing is claimed where data decides: all groups may find the same.
    let on_data = checked("    if (numbers[0] > 0 && blockIdx.x == 0)\n        grid.sync();\n", "64", &[]);
    assert!(on_data.stdout.contains("1 of 1 configurations can run on v100"), "{}", on_data.stdout);
}

#[test]
fn the_barrier_orders_what_groups_store_and_what_others_load() {
    let warned = "nothing makes the groups of a launch go one after the other";
    let round = |last: &str| {
        checked_with(&format!(
            "    for (int round = 0; round < 4; round++) {{\n        parts[blockIdx.x] = own;\n        grid.sync();\n        \
             own += parts[(blockIdx.x + 1) % GROUPS];\n{last}    }}\n    grid.sync();\n"
        ))
    };
    let ordered = [checked_with("    grid.sync();\n"), round("        grid.sync();\n")];
    for shown in ordered {
        assert!(shown.contains("0 errors, 0 warnings"), "{shown}");
    }
    // A round's store may come before another group has loaded in the round before.
    for raced in [checked_with("    __syncthreads();\n"), round("")] {
        assert!(raced.contains(warned) && raced.contains("0 errors, 1 warning"), "{raced}");
    }
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
    assert!(extracted.stdout.contains("- barrier: grid   # normalize.cu:33"), "{}", extracted.stdout);
    let body = folder.path().join("body.yaml");
    fs::write(&body, &extracted.stdout).unwrap();
    let times = [SPEC, body.to_str().unwrap()].map(|spec| evaluated_ticks(&[&[spec], &configuration[..]].concat()));
    assert!(times[0].abs_diff(times[1]) * 200 <= times[0], "{times:?}");
}
