//! Kernels with a planted error are refused, warned of, or counted as not looked at; those that only look unsafe are not.

use std::path::Path;

use serde_json::Value;

use super::{Ended, autotune, json, run};

const FOLDER: &str = "tests/cli/planted";

/// Checks a kernel for groups of 64 and of 256 work items, in two dimensions for those that have it in their name.
fn check(file: &str, options: &[&str]) -> Ended {
    let is_flat = !file.contains("2d");
    let (sizes, items, group) = if is_flat { ("WG=64,256", "n", "WG") } else { ("WG=128", "64,64", "16,WG/16") };
    let mut command = autotune();
    command.args(["check", &format!("{FOLDER}/{file}"), "--kernel", "k", "--gpu", "a100", "--problem", "n=4096"]);
    command.args(["--parameter", sizes, "--work-items", items, "--work-group", group, "--safety"]);
    if file.contains("partial") || file.starts_with("f09") {
        command.args(["--argument", "m=4090"]);
    }
    run(command.args(options))
}

fn files(first: char) -> Vec<String> {
    let all = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)).unwrap();
    let names = all.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_numbered = |name: &String| name.starts_with(first) && name.as_bytes()[1].is_ascii_digit();
    let mut names: Vec<String> = names.filter(is_numbered).collect();
    names.sort_unstable();
    names
}

/// The words of a warning about what work items do to the same bytes.
const DOUBTS: [&str; 4] = ["go one after the other", "the last one wins", "no barrier lies", "no wait for"];

#[test]
fn planted_errors_are_found_or_counted_as_not_looked_at() {
    let names = files('r');
    assert_eq!(names.len(), 30);
    let mut counted = Vec::new();
    for name in names {
        let report: Value = json(&check(&name, &["--format", "json"]), "diagnosis.json");
        let safety = &report["safety"];
        let list = |list: &str| safety[list].as_array().unwrap().len();
        let warned = report["warnings"].to_string();
        if list("found") > 0 || list("doubted") > 0 || DOUBTS.iter().any(|words| warned.contains(words)) {
            continue;
        }
        if safety["not_executed"] != 0 {
            // A barrier of a part of the group is refused by its name.
            assert!(name == "r27_named_barrier.cu", "{name}: {report}");
            continue;
        }
        assert!(list("not_looked_at") > 0, "{name}: {report}");
        counted.push(name);
    }
    assert_eq!(counted, ["r13_volatile_warp.cu", "r14_volatile_across_warps.cu"]);
}

#[test]
fn what_only_looks_unsafe_has_no_finding() {
    let names = files('f');
    assert_eq!(names.len(), 10);
    for name in names {
        let ended = check(&name, &[]);
        assert!(
            ended.status == 0 && ended.stdout.contains("no barrier, race or mask error"),
            "{name}: {}",
            ended.stdout
        );
        let text = ended.stdout + &ended.stderr;
        assert!(!DOUBTS.iter().any(|words| text.contains(words)) && !text.contains("not looked at"), "{name}: {text}");
    }
}

/// An error in one group of 97 is found in each configuration.
#[test]
fn an_error_in_groups_with_a_remainder_is_found_for_every_size() {
    let report = json(&check("r07_group97.cl", &["--format", "json"]), "diagnosis.json");
    let found = report["safety"]["found"].as_array().unwrap();
    let names: Vec<&str> = found.iter().map(|one| one["configuration"].as_str().unwrap()).collect();
    assert_eq!(names, ["WG=64", "WG=256"]);
}

/// The barrier is left out in one group or in a few; a condition stands behind another one.
#[test]
fn a_condition_behind_another_one_is_looked_for_in_the_group_that_reaches_it() {
    for condition in [
        "gx == 0 && gy == ny - 1",
        "gx == nx - 1 && gy == 0",
        "gx == nx - 1 && gy == 2",
        "gx == 1 && gy == 1",
        "gx == 0 && gy % 2 == 1",
        "gx == 1 && gy > 2 && gy + gx == 5",
    ] {
        let ended =
            run(autotune().args(["check", "tests/cli/planted/corner.cl", "--kernel", "k", "--gpu", "a100"]).args([
                "--define",
                &format!("COND={condition}"),
                "--work-items",
                "64,64",
                "--work-group",
                "16,8",
                "--safety",
            ]));
        assert_eq!(ended.status, 4, "{condition}: {}", ended.stdout);
        assert!(ended.stdout.contains("no barrier lies between"), "{condition}: {}", ended.stdout);
    }
}

/// Groups that are too many to be executed are counted.
#[test]
fn groups_that_go_another_way_and_are_not_executed_are_counted() {
    let command = |groups: &str| {
        run(autotune().args(["check", "tests/cli/planted/corner.cl", "--kernel", "k", "--gpu", "a100"]).args([
            "--define",
            "COND=gx * gx == 4000000",
            "--work-items",
            groups,
            "--work-group",
            "16,8",
            "--safety",
            "--format",
            "json",
        ]))
    };
    let report = json(&command("65536,8"), "diagnosis.json");
    let left = &report["safety"]["not_looked_at"][0]["groups"];
    assert!(left.as_u64().is_some_and(|groups| groups > 2000), "{report}");
    let few = json(&command("64,8"), "diagnosis.json");
    assert_eq!(few["safety"]["not_looked_at"], Value::Array(Vec::new()), "{few}");
}

#[test]
fn two_groups_that_store_other_values_to_one_word_are_warned_of() {
    for (name, words) in [
        ("neighbour_constant.cl", "of a group beside it stores it"),
        ("all_groups_store.cl", "of a group beside it stores it here too"),
        ("r21_global_far.cl", "of the group at a distance of 8 along x"),
    ] {
        let ended = check(name, &[]);
        assert!(ended.status == 0 && ended.stdout.contains(words), "{name}: {}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn a_barrier_of_a_part_of_the_group_is_refused_by_name_and_line() {
    let ended = check("named_barrier.cu", &[]);
    // All 64 work items of the smaller group wait.
    assert!(ended.stdout.contains("1 configuration and "), "{}", ended.stdout);
    for name in ["named_barrier.cu", "named_barrier2.cu"] {
        let folder = format!("{FOLDER}/{name}");
        let ended = run(autotune()
            .args(["evaluate", &folder, "--kernel", "k", "--gpu", "a100", "--define", "WG=256"])
            .args(["--work-items", "4096", "--work-group", "256"]));
        assert_ne!(ended.status, 0);
        let words = "`bar.sync` is not part of the machine: barriers of a part of the group come in a later version";
        assert!((ended.stderr.clone() + &ended.stdout).contains(words), "{name}: {}{}", ended.stdout, ended.stderr);
        assert!((ended.stderr + &ended.stdout).contains(&format!("{name}:1:")), "{name}");
    }
}

#[test]
fn nothing_is_claimed_of_what_was_not_compiled() {
    // `COND` is not defined.
    let ended = run(autotune()
        .args(["check", "tests/cli/planted/corner.cl", "--kernel", "k", "--gpu", "a100"])
        .args(["--work-items", "64,64", "--work-group", "16,8", "--safety"]));
    assert!(ended.stdout.contains("nothing was looked at") && !ended.stdout.contains("no barrier"), "{}", ended.stdout);
}

/// Two groups meet at a distance beyond those that are tried: nothing is claimed of their accesses, and the answer counts them.
#[test]
fn accesses_of_two_groups_that_are_too_many_to_compare_are_counted() {
    let of = |step: &str, format: &[&str]| {
        run(autotune()
            .args(["check", "tests/cli/planted/far_strided.cl", "--kernel", "k", "--gpu", "a100"])
            .args(["--work-items", "4096", "--work-group", "64", "--argument", &format!("step={step}"), "--safety"])
            .args(format))
    };
    let report = json(&of("64", &["--format", "json"]), "diagnosis.json");
    assert_eq!(report["safety"]["not_looked_at"][0]["pairs"], 1, "{report}");
    let text = of("64", &[]).stdout;
    assert!(text.contains("not looked at: up to 1 pairs of accesses of two groups"), "{text}");
    // Groups whose words lie between those of all others meet at no distance.
    let report = json(&of("128", &["--format", "json"]), "diagnosis.json");
    assert_eq!(report["safety"]["not_looked_at"], Value::Array(Vec::new()), "{report}");
}
