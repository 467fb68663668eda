//! The search for races against an interpreter that follows each work item of each group of random kernels. They share no code.

mod interpreter;
mod language;

use std::fmt::Write as _;
use std::fs;

use interpreter::truth;
use language::{Launch, Maker, Numbered, Random, text};
use serde_json::Value;

use super::{autotune, json, run};

/// The kernels of a file: one is compiled for each value of a parameter.
const OF_A_FILE: i64 = 24;

/// The launches of the files in turn.
const LAUNCHES: [Launch; 5] = [
    Launch { items: [64, 1], groups: [5, 1] },
    Launch { items: [16, 4], groups: [4, 3] },
    Launch { items: [64, 1], groups: [12, 1] },
    Launch { items: [8, 8], groups: [3, 5] },
    // More groups than are all executed.
    Launch { items: [64, 1], groups: [150, 1] },
];

#[test]
fn random_kernels_are_judged_as_an_interpreter_judges_them() {
    let found: Vec<[u32; 3]> = (1..=3).map(judge).collect();
    let sum = |at: usize| found.iter().map(|found| found[at]).sum::<u32>();
    assert!(sum(0) > 5 && sum(1) > 0, "the kernels have errors: {found:?}");
}

#[test]
#[ignore = "minutes: a few in CI, hundreds here"]
fn hundreds_of_random_kernels_are_judged_as_an_interpreter_judges_them() {
    (1..=20).for_each(|seed| _ = judge(seed));
}

/// Judges the kernels of a seed. Returns the numbers of unsafe ones, of those whose groups meet, and of those of which some groups
/// were not looked at.
fn judge(seed: u64) -> [u32; 3] {
    let mut random = Random::new(seed);
    let launch = LAUNCHES[usize::try_from(seed).unwrap() % LAUNCHES.len()];
    let kernels: Vec<Vec<Numbered>> =
        (0..OF_A_FILE).map(|_| Maker { random: &mut random, launch, next: 0 }.kernel()).collect();
    let report = checked(&kernels, launch);
    assert_eq!(report["not_executed"], 0, "seed {seed}: {report}");
    let mut numbers = [0; 3];
    for (number, kernel) in kernels.iter().enumerate() {
        let name = format!("K={number}");
        let of = |list: &str| {
            let all = report[list].as_array().unwrap();
            all.iter().find(|one| one["configuration"] == name.as_str()).cloned()
        };
        let [found, doubted, left] = ["found", "doubted", "not_looked_at"].map(of);
        let truth = truth(kernel, launch);
        let case = || {
            format!("seed {seed}, {name}, {launch:?}: {truth:?}\n{found:?}\n{doubted:?}\n{left:?}\n{}", text(kernel))
        };
        if found.is_some() {
            assert!(truth.unsafe_group.is_some() || truth.may_be_unsafe, "no group is unsafe: {}", case());
            numbers[0] += 1;
            continue;
        }
        assert!(truth.unsafe_group.is_none() || left.is_some(), "an unsafe group is not found: {}", case());
        assert!(
            doubted.is_none() || truth.between.is_some() || truth.unsafe_group.is_some(),
            "no two groups meet: {}",
            case()
        );
        assert!(
            truth.between.is_none() || doubted.is_some() || left.is_some(),
            "groups that meet are not found: {}",
            case()
        );
        numbers[1] += u32::from(doubted.is_some());
        numbers[2] += u32::from(left.is_some());
    }
    numbers
}

/// The answer of `check --safety` about kernels of a launch.
fn checked(kernels: &[Vec<Numbered>], launch: Launch) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut source = String::from("__kernel void k(__global const float *a, __global float *o, __global float *r) {\n");
    source += "__local float t[64];\nint x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0), gy = get_group_id(1);\n";
    source += "int i = get_global_id(1) * get_global_size(0) + get_global_id(0), j = 0;\nfloat s = 0, v = a[i];\nt[y * get_local_size(0) + x] = v;\nbarrier(3);\n";
    for (number, kernel) in kernels.iter().enumerate() {
        let _ = writeln!(source, "#if K == {number}\n{}#endif", text(kernel));
    }
    source += "barrier(3);\nr[i] = s + t[x];\n}\n";
    fs::write(folder.path().join("k.cl"), source).unwrap();
    let all: Vec<String> = (0..kernels.len()).map(|number| number.to_string()).collect();
    let Launch { items: [width, height], groups: [across, down] } = launch;
    let ended =
        run(autotune().current_dir(folder.path()).args(["check", "k.cl", "--kernel", "k", "--gpu", "a100"]).args([
            "--parameter",
            &format!("K={}", all.join(",")),
            "--work-items",
            &format!("{},{}", width * across, height * down),
            "--work-group",
            &format!("{width},{height}"),
            "--safety",
            "--format",
            "json",
        ]));
    assert!([0, 4].contains(&ended.status), "{}{}", ended.stdout, ended.stderr);
    json(&ended, "diagnosis.json")["safety"].clone()
}
