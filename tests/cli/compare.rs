//! `autotune compare` and `autotune explain`.

use super::*;

/// Every text and page that names several models says which one to use.
#[test]
fn it_is_told_which_model_to_use() {
    let question = ["tuning-specs/transpose.yaml", "--gpu", "gtx1050"];
    let set = ["--measured", "tests/data/measured/coulomb__rtx2080ti.csv.gz"];
    let validate = [&["validate", "tuning-specs/measured/coulomb.yaml", "--gpu", "turing"], &set[..]].concat();
    let of = |command: &'static str| [&[command], &question[..]].concat();
    for arguments in [of("compare"), of("predict"), of("efficiency"), validate] {
        let printed = run(autotune().args(&arguments)).stdout;
        let line =
            "\nuse       the machine: the proof is about it; the formulas are the literature's, for comparison\n";
        assert!(printed.contains(line), "{arguments:?}: {printed}");
    }
    let folder = tempfile::tempdir().unwrap();
    let printed = run(autotune().args(question).arg("--report").arg(folder.path())).stdout;
    assert!(printed.contains("\nformulas  the literature's, for comparison; use the machine's optimum\n"), "{printed}");
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(
        page.contains("Use the machine&#39;s optimum") || page.contains("Use the machine's optimum"),
        "no word on the page"
    );
}

const VECTOR_ADD: [&str; 3] = ["tuning-specs/vector_add.yaml", "--gpu", "volta"];

fn compared(options: &[&str]) -> Value {
    json(&run(autotune().arg("compare").args(options).args(["--format", "json"])), "comparison.json")
}

fn explained(status: i32, options: &[&str]) -> Value {
    let ended = run(autotune().arg("explain").args(options).args(["--format", "json"]));
    assert_eq!(ended.status, status, "{}", ended.stderr);
    json(&ended, "explanation.json")
}

#[test]
fn the_optimum_is_proved_and_every_model_has_its_choice_and_pairs() {
    let result = compared(&VECTOR_ADD);
    let proved = json(&run(autotune().args(VECTOR_ADD).args(["--format", "json"])), "result.json");
    let optimum = &result["configurations"][0];
    assert_eq!(
        (&optimum["parameters"], &optimum["proved"]),
        (&proved["optimum"]["parameters"], &proved["optimum"]["ticks"])
    );
    assert_eq!(optimum["costs"]["machine"].as_f64(), proved["optimum"]["ticks"].as_f64());
    assert_eq!(result["configurations"].as_array().unwrap().len(), 1);
    let models = result["winners"].as_object().unwrap();
    assert_eq!((models.len(), result["agreement"].as_array().unwrap().len()), (6, 15));
    for (model, winner) in models {
        let [best, mean, worst] = ["best", "mean", "worst"].map(|key| winner["relative"][key].as_f64().unwrap());
        assert!(1.0 <= best && best <= mean && mean <= worst, "{model}: {winner}");
    }
    assert_eq!(models["machine"]["relative"], serde_json::json!({ "best": 1.0, "mean": 1.0, "worst": 1.0 }));
    // The cross-check beside the proof compares the same rankings.
    let tau = &result["agreement"][1]["kendall_tau"];
    assert_eq!(tau, &proved["analysis"]["kendall_tau"]["max_plus_operations"]);
}

#[test]
fn all_shows_every_configuration_and_top_proves_more_of_them() {
    let result = compared(&[&SMALL[..], &["--all", "--top", "3", "--no-cache"]].concat());
    let rows = result["configurations"].as_array().unwrap();
    assert_eq!((rows.len(), &result["compared"], &result["complete"]), (9, &9.into(), &true.into()));
    let proved = rows.iter().filter(|row| !row["proved"].is_null());
    assert!(proved.clone().count() >= 3);
    for row in proved {
        assert_eq!(row["proved"].as_f64(), row["costs"]["machine"].as_f64());
    }
    assert_eq!(rows[0]["costs"]["waves"], Value::Null);
}

#[test]
fn of_a_large_space_a_hundred_others_are_compared() {
    let spec = ["tuning-specs/measured/convolution_milo17.yaml", "--gpu", "mi50"];
    let result = compared(&spec);
    assert_eq!((&result["complete"], &result["winners"]["machine"]["relative"]["worst"]), (&false.into(), &1.0.into()));
    assert_eq!(result["compared"], 101);
}

#[test]
fn no_answer_depends_on_how_many_configurations_are_proved() {
    let question = ["tuning-specs/transpose.yaml", "--gpu", "gtx1050"];
    let top = |count: &str| compared(&[&question[..], &["--top", count]].concat());
    let (mut one, mut all) = (top("1"), top("44"));
    let [of_one, of_all] = [&mut one, &mut all].map(|result| result["configurations"].take());
    assert_eq!(one, all);
    assert_eq!((of_one.as_array().unwrap().len(), of_all.as_array().unwrap().len()), (1, 44));
    assert_eq!(of_one[0], of_all[0]);
    // The wave model puts 8 of the 44 first.
    let waves = &one["winners"]["waves"];
    assert_eq!(waves["equals"], 7);
    let rounded = ["best", "mean", "worst"].map(|key| format!("{:.2}", waves["relative"][key].as_f64().unwrap()));
    assert_eq!(rounded, ["1.00", "1.62", "1.87"]);
}

/// R of each configuration is that of `autotune efficiency`, and the model puts the greatest first.
#[test]
fn the_efficiency_is_r_and_the_greatest_is_first() {
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi"];
    let result = compared(&[&question[..], &["--all"]].concat());
    let rated = run(autotune().arg("efficiency").args(question).args(["--format", "json"]));
    let rated = json(&rated, "efficiency.json");
    let rated = |row: &Value| {
        let mut all = rated["configurations"].as_array().unwrap().iter();
        all.find(|one| one["parameters"] == row["parameters"]).unwrap()["r"].as_f64().unwrap()
    };
    let rows = result["configurations"].as_array().unwrap();
    let shown: Vec<f64> = rows.iter().map(|row| row["costs"]["efficiency"].as_f64().unwrap()).collect();
    assert_eq!(shown, rows.iter().map(rated).collect::<Vec<_>>());
    assert!(shown.iter().all(|r| 0.0 < *r && *r <= 1.0), "{shown:?}");
    let greatest = shown.iter().copied().fold(0.0, f64::max);
    let winner = &result["winners"]["efficiency"];
    let first = rows.iter().find(|row| row["parameters"] == winner["parameters"]).unwrap();
    assert_eq!(first["costs"]["efficiency"], greatest);
    assert_eq!(
        shown.iter().filter(|r| r.total_cmp(&greatest).is_eq()).count() as u64,
        winner["equals"].as_u64().unwrap() + 1
    );
}

#[test]
fn each_column_has_its_unit_and_the_machines_time_stands_beside_the_wave_models() {
    let result = compared(&VECTOR_ADD);
    let units =
        ["machine", "max_plus_naive", "waves", "efficiency"].map(|model| result["units"][model].as_str().unwrap());
    assert_eq!(units, ["ticks", "ticks", "us", "none"]);
    let proved = json(&run(autotune().args(VECTOR_ADD).args(["--format", "json"])), "result.json");
    let optimum = &result["configurations"][0];
    assert_eq!(optimum["microseconds"], proved["optimum"]["microseconds"]);
    let quotient = optimum["microseconds"].as_f64().unwrap() / optimum["costs"]["waves"].as_f64().unwrap();
    assert_eq!(optimum["machine_by_waves"].as_f64(), Some(quotient));
    // A machine on paper has neither a clock nor the wave model.
    let paper = &compared(&SMALL)["configurations"][0];
    assert_eq!((&paper["microseconds"], &paper["machine_by_waves"]), (&Value::Null, &Value::Null));
    let printed = run(autotune().arg("compare").args(SMALL)).stdout;
    let columns: Vec<&str> = printed.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(columns.iter().filter(|column| **column == "machine").count(), 1, "{printed}");
    assert_eq!(
        printed.lines().nth(3).unwrap().split_whitespace().collect::<Vec<_>>(),
        ["ticks", "ticks", "ticks", "ticks", "ticks", "us"]
    );
}

#[test]
fn shares_of_the_critical_path_and_the_launch_are_the_whole_time() {
    let config = ["--config", "WG=128,ITEMS=2,VEC=1"];
    let time = &explained(0, &[&VECTOR_ADD[..], &config].concat())["time"];
    let path = time["path"].as_array().unwrap();
    let sum: f64 = path.iter().map(|spent| spent["share"].as_f64().unwrap()).sum();
    let launch = time["launch"].as_f64().unwrap() / time["ticks"].as_f64().unwrap();
    assert!((sum + launch - 1.0).abs() < 1e-9, "{sum} and {launch}");
    let evaluated = run(autotune().arg("evaluate").args(VECTOR_ADD).args(config).args(["--format", "json"]));
    let evaluated = &json(&evaluated, "evaluation.json")["configurations"][0];
    assert_eq!(time["ticks"], evaluated["ticks"]);
    assert_eq!(time["limit"], evaluated["occupancy"]["limit"]);
}

#[test]
fn what_cannot_run_is_explained_by_the_rule_and_its_values() {
    let spec = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--config", "TS=64,ROWS=1,COLS=1"];
    let result = explained(4, &spec);
    assert_eq!((&result["refused"]["reason"], &result["time"]), (&"work_group: 4096 > 1024".into(), &Value::Null));
    assert!(!result["changes"].as_array().unwrap().is_empty());
    let without = run(autotune().arg("explain").args(VECTOR_ADD));
    assert_eq!((without.status, without.stdout.as_str()), (2, ""));
    assert!(without.stderr.contains("--config"), "{}", without.stderr);
}
