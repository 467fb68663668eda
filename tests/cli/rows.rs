//! `validate --rows FILE`: the table of measured runs, and the files that it does not replace.

use std::collections::BTreeMap;

use super::failures::assert_fails;
use super::*;

const SPEC: &str = "kernel: sum
problem: { size: 65536, other: 1 }
parameters: { WG: { values: [32, 64, 128, 256, 2048] }, ITEMS: { values: [1, 2] } }
constraints: [ WG != 128 ]
launch: { work_items: size, work_group: WG }
resources: { registers: 20 + 4 * ITEMS }
body: [ { load: { array: a } }, { compute: { kind: any, per_item: 100 * ITEMS * WG } } ]
";

/// A folder with the spec and the measurements, and the arguments that compare them.
fn question(measured: &str) -> (tempfile::TempDir, [String; 6]) {
    let folder = tempfile::tempdir().unwrap();
    let [spec, runs] = ["sum.yaml", "runs.csv"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&spec, SPEC).unwrap();
    std::fs::write(&runs, measured).unwrap();
    let arguments = ["validate", &spec, "--gpu", "volta", "--measured", &runs].map(str::to_owned);
    (folder, arguments)
}

/// The rows of a table, each as cells by the names of their columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(path).unwrap().into_deserialize().map(Result::unwrap).collect()
}

#[test]
fn each_run_stands_beside_its_prediction() {
    let measured = "size,WG,ITEMS,time_ms
65536,256,1,0.4\n65536,32,1,0.2\n65536,128,1,0.1\n65536,2048,1,\n65536,64,1,\n1024,32,1,3\n1024,32,2,3\n";
    let (folder, question) = question(measured);
    let file = folder.path().join("rows.csv");
    let ended = run(autotune().args(&question).arg("--rows").arg(&file));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(ended.stdout, run(autotune().args(&question)).stdout);
    let rows = rows(&file);
    let column = |name: &str| rows.iter().map(|row| row[name].as_str()).collect::<Vec<_>>();
    assert_eq!(column("size"), ["65536", "65536", "65536", "65536", "65536", "1024", "1024"]);
    assert_eq!(column("WG"), ["256", "32", "128", "2048", "64", "32", "32"]);
    assert_eq!(column("status"), ["ok", "ok", "infeasible", "infeasible", "ok", "ok", "ok"]);
    assert_eq!(column("reason"), ["", "", "WG != 128", "work_group: 2048 > 1024", "", "", ""]);
    assert_eq!(column("measured_us"), ["400", "200", "100", "", "", "3000", "3000"]);
    assert_eq!(column("fraction"), ["0.2500", "0.5000", "1.0000", "0.0000", "0.0000", "1.0000", "1.0000"]);
    // Only runs that succeeded and were predicted have ranks, among those of their problem size.
    assert_eq!(column("measured_rank"), ["2", "1", "", "", "", "1.5", "1.5"]);
    assert_eq!(column("predicted_rank"), ["2", "1", "", "", "", "1", "2"]);
    assert_eq!(column("corrected_rank")[..5], ["2", "1", "", "", ""]);
    assert_eq!(column("groups"), ["256", "2048", "", "", "1024", "32", "32"]);
    assert_eq!(column("warps_per_group"), ["8", "1", "", "", "2", "1", "1"]);
    // 64 warps of a multiprocessor, or 32 groups; 80 multiprocessors take 256 groups in one wave.
    assert_eq!(column("resident_groups"), ["8", "32", "", "", "32", "32", "32"]);
    assert_eq!(column("resident_limit"), ["warps", "groups", "", "", "groups", "groups", "groups"]);
    assert_eq!(column("registers"), ["24", "24", "", "", "24", "24", "28"]);
    assert_eq!(column("l2_bytes"), ["1024", "128", "", "", "256", "128", "128"]);
    assert_eq!(column("limited_by"), ["dispatcher", "dispatcher", "", "", "dispatcher", "latency", "latency"]);
    let number = |row: usize, name: &str| rows[row][name].parse::<f64>().unwrap();
    for row in [0, 1, 4, 5, 6] {
        assert!(["memory", "local", "dispatcher"].iter().all(|server| number(row, &format!("busy_{server}")) <= 1.0));
    }
    assert!(number(0, "busy_dispatcher") > 0.9, "{:?}", rows[0]);
    assert!((number(0, "predicted_per_measured") - number(0, "predicted_us") / 400.0).abs() < 1e-4);
}

#[test]
fn the_book_explains_every_column() {
    let (folder, question) = question("WG,ITEMS,time_ms\n64,2,1\n");
    let file = folder.path().join("rows.csv");
    assert_eq!(run(autotune().args(&question).arg("--rows").arg(&file)).status, 0);
    let page = crate::readme::page("guide/validate.md");
    let explained =
        |column: &&String| ["WG", "ITEMS"].contains(&column.as_str()) || page.contains(&format!("`{column}`"));
    assert_eq!(rows(&file)[0].keys().find(|column| !explained(column)), None);
}

#[test]
fn times_are_those_of_evaluate() {
    let (folder, question) = question("WG,ITEMS,time_ms\n64,2,1\n");
    let file = folder.path().join("rows.csv");
    assert_eq!(run(autotune().args(&question).arg("--rows").arg(&file)).status, 0);
    let evaluate = ["evaluate", &question[1], "--gpu", "volta", "--config", "WG=64,ITEMS=2", "--format", "json"];
    let evaluated = json(&run(autotune().args(evaluate)), "evaluation.json");
    let row = &rows(&file)[0];
    assert_eq!(row["ticks"], evaluated["configurations"][0]["ticks"].to_string());
    assert_eq!(row["predicted_us"], evaluated["configurations"][0]["microseconds"].to_string());
}

#[test]
fn only_a_table_of_runs_is_replaced() {
    let (folder, question) = question("WG,ITEMS,time_ms\n64,2,1\n");
    let measured = std::fs::read_to_string(&question[5]).unwrap();
    let into = |path: &str| {
        let mut command = autotune();
        command.args(&question).args(["--rows", path]);
        command
    };
    assert_fails(&mut into(&question[5]), 2, &["runs.csv", "is not a table of `--rows`", "name another file"]);
    assert_eq!(std::fs::read_to_string(&question[5]).unwrap(), measured);
    let missing = folder.path().join("no/rows.csv");
    assert_fails(&mut into(missing.to_str().unwrap()), 2, &["cannot write a table of `--rows`", "no/rows.csv"]);
    assert_fails(
        &mut into(folder.path().to_str().unwrap()),
        2,
        &["cannot write a table of `--rows`", "it is a folder"],
    );
    let file = folder.path().join("rows.csv");
    let write = || {
        assert_eq!(run(&mut into(file.to_str().unwrap())).status, 0);
        std::fs::read_to_string(&file).unwrap()
    };
    assert_eq!(write(), write());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "a temporary file is left");
}

#[test]
fn a_parameter_with_the_name_of_a_column_is_told() {
    let (folder, question) = question("groups,ITEMS,time_ms\n64,2,1\n");
    std::fs::write(&question[1], SPEC.replace("WG", "groups")).unwrap();
    let file = folder.path().join("rows.csv");
    let ended = run(autotune().args(&question).arg("--rows").arg(&file));
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("`groups`, which is a column of every table"), "{}", ended.stderr);
    // The answer stands.
    assert!(ended.stdout.contains("machine") && !file.exists());
}
