//! `validate --per-launch`: measured times of one launch beside predictions of all.

use super::failures::assert_fails;
use super::*;

/// A problem size takes twice as many launches as the one half as large. The launches of a configuration share its work.
const SPEC: &str = "kernel: steps
problem: { size: 65536 }
parameters: { STEPS: { values: [1, 2, 4, 8] } }
launch: { work_items: 65536, work_group: 64, times: STEPS * size / 65536 }
body: [ { compute: { kind: any, per_item: 8000 / STEPS } } ]
";

const MEASURED: &str = "size,STEPS,time_ms
65536,1,8\n65536,2,3\n65536,4,2.5\n65536,8,\n131072,1,8\n131072,2,3\n131072,4,2.5\n131072,8,\n";

/// The question, and the folder of its files.
fn question(spec: &str, measured: &str) -> (tempfile::TempDir, Command) {
    let folder = tempfile::tempdir().unwrap();
    let [spec_file, runs] = ["steps.yaml", "runs.csv"].map(|name| folder.path().join(name));
    std::fs::write(&spec_file, spec).unwrap();
    std::fs::write(&runs, measured).unwrap();
    let mut command = autotune();
    command.arg("validate").arg(spec_file).args(["--gpu", "volta", "--measured"]).arg(runs);
    (folder, command)
}

/// A column of the table of runs.
fn column(path: &Path, name: &str) -> Vec<String> {
    let mut table = csv::Reader::from_path(path).unwrap();
    let place = table.headers().unwrap().iter().position(|header| header == name).unwrap();
    table.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

#[test]
fn a_measured_launch_counts_as_often_as_its_configuration_launches() {
    let (folder, mut command) = question(SPEC, MEASURED);
    let file = folder.path().join("rows.csv");
    let result = json(&run(command.args(["--per-launch", "--format", "json", "--rows"]).arg(&file)), "validation.json");
    assert_eq!(column(&file, "launches"), ["1", "2", "4", "8", "2", "4", "8", "16"]);
    let all = ["8000", "6000", "10000", "", "16000", "12000", "20000", ""];
    assert_eq!(column(&file, "measured_us"), all, "a run that failed still did");
    let fractions = ["0.7500", "1.0000", "0.6000", "0.0000"];
    assert_eq!(column(&file, "fraction"), [fractions, fractions].concat());
    // The prediction knows that each launch costs: one is best, with which 6 / 8 of the best are reached.
    assert_eq!(result["models"]["machine"]["first"], 0.75);
    assert_eq!((&result["rows"], &result["valid"]), (&8.into(), &6.into()));
}

#[test]
fn without_the_option_times_are_of_all_launches() {
    let (folder, mut command) = question(SPEC, MEASURED);
    let file = folder.path().join("rows.csv");
    let result = json(&run(command.args(["--format", "json", "--rows"]).arg(&file)), "validation.json");
    assert_eq!(column(&file, "measured_us"), ["8000", "3000", "2500", "", "8000", "3000", "2500", ""]);
    assert_eq!(result["models"]["machine"]["first"], 2.5 / 8.0);
}

#[test]
fn launches_that_are_none_are_2_and_say_where() {
    let (_folder, mut command) = question(&SPEC.replace("STEPS * size", "(STEPS - 1) * size"), MEASURED);
    assert_fails(command.arg("--per-launch"), 2, &["(STEPS - 1) * size / 65536", "at least 1", "STEPS = 1"]);
}
