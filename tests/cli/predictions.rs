//! `autotune predict` and `autotune efficiency`: the formulas' values for a configuration.

use super::failures::assert_fails;
use super::*;

const MATMUL: [&str; 3] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "gtx1050"];
const ONE: [&str; 2] = ["--config", "TS=32,ROWS=8,COLS=4"];

fn ask(command: &str, options: &[&str]) -> Value {
    let ended = run(autotune().arg(command).args(MATMUL).args(["--format", "json"]).args(options));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    json(&ended, &format!("{}.json", if command == "predict" { "prediction" } else { command }))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn predictions_are_sorted_and_one_has_its_terms() {
    let all = ask("predict", &[]);
    let configurations = all["configurations"].as_array().unwrap();
    let times: Vec<_> = configurations.iter().map(|one| number(&one["microseconds"])).collect();
    assert!(times.len() > 20 && times.is_sorted() && all["terms"].is_null());
    let one = ask("predict", &ONE);
    let terms = &one["terms"];
    let named = configurations.iter().find(|other| other["parameters"] == one["configurations"][0]["parameters"]);
    assert_eq!(named, Some(&one["configurations"][0]));
    // The terms make up the time: launches * (launch + sum over waves).
    let waves = terms["waves"].as_array().unwrap();
    let cycles: f64 = waves.iter().map(|wave| number(&wave["count"]) * number(&wave["cycles"])).sum();
    let sum = number(&terms["launches"]) * (number(&terms["launch"]["microseconds"]) + cycles / 1455.0);
    assert!((sum - number(&terms["microseconds"])).abs() < 1e-6 * sum, "{sum}");
    let groups: f64 = waves.iter().map(|wave| number(&wave["count"]) * number(&wave["groups"])).sum();
    assert!((groups - number(&terms["launch"]["groups"])).abs() < 0.5);
    let left_out: Vec<_> = terms["left_out"].as_array().unwrap().iter().map(|one| one["term"].clone()).collect();
    assert_eq!(left_out, ["launch_of_groups", "barriers"]);
}

#[test]
fn efficiencies_are_sorted_and_follow_the_weights() {
    let all = ask("efficiency", &[]);
    let r: Vec<_> = all["configurations"].as_array().unwrap().iter().map(|one| number(&one["r"])).collect();
    assert!(r.is_sorted_by(|one, two| one >= two) && r.iter().all(|r| *r > 0.0 && *r <= 1.0));
    let weighted = ask("efficiency", &["--weights", "0,0,1,0,0,0"]);
    assert_eq!(weighted["weights"], serde_json::json!([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]));
    for one in weighted["configurations"].as_array().unwrap() {
        assert_eq!(one["r"], one["output"]);
    }
}

/// K5 by its definition, from the iterations of work items that are counted one by one.
fn k5_of_work_items(loops: &[&[u32]]) -> f64 {
    let mut product = 1.0;
    for items in loops {
        let counts: std::collections::BTreeSet<u32> = items.iter().copied().collect();
        let number =
            |wanted: &dyn Fn(u32) -> bool| items.iter().map(|one| f64::from(u8::from(wanted(*one)))).sum::<f64>();
        let share = |count: u32| number(&|one| one == count) / number(&|_| true);
        let mut likeliest = *counts.first().unwrap();
        for count in &counts {
            if share(*count) > share(likeliest) {
                likeliest = *count;
            }
        }
        for count in &counts {
            product /= 1.0 + share(*count) * f64::from(count.abs_diff(likeliest));
        }
    }
    product
}

/// A kernel with two loops whose ends depend on data; the second is there if U is 2.
const ROWS: &str = "\
kernel void rows(global const int *ends, global const float *in, global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < ends[i]; ++j)
        sum += in[i + j * 1024];
#if U == 2
    for (int j = 0; j < ends[i + 1024]; ++j)
        sum *= in[i + j * 1024];
#endif
    out[i] = sum;
}
";

#[test]
fn distributions_of_iterations_are_k5_and_their_mean_is_the_machines() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.cl"), ROWS).unwrap();
    let ask = |command: &str, first: &str, second: &str| {
        let launch =
            ["rows.cl", "--gpu", "gtx1050", "--work-items", "1024", "--work-group", "64", "--parameter", "U=1,2"];
        let assume = ["--assume", &format!("trip@4={first}"), "--assume", &format!("trip@7={second}")];
        let ended = run(autotune()
            .current_dir(folder.path())
            .arg(command)
            .args(launch)
            .args(assume)
            .args(["--format", "json"]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let schema = if command == "efficiency" { "efficiency.json" } else { "evaluation.json" };
        let mut all = json(&ended, schema)["configurations"].as_array().unwrap().clone();
        all.sort_by_key(|one| one["parameters"]["U"].as_i64());
        all
    };
    // Of 20 work items, 15 run 10 iterations of the first loop, and 5 run 14; of the second 12, 5 and 3.
    let first: Vec<u32> = [vec![10; 15], vec![14; 5]].concat();
    let second: Vec<u32> = [vec![3; 5], vec![8; 12], vec![20; 3]].concat();
    let stated = ["10:0.75,14:0.25", "3:0.25,8:0.6,20:0.15"];
    let [one, two] = &ask("efficiency", stated[0], stated[1])[..] else { panic!("two configurations") };
    for (rated, loops) in [(one, &[&first[..]][..]), (two, &[&first[..], &second[..]])] {
        let k5 = k5_of_work_items(loops);
        assert!((number(&rated["loops"]) - k5).abs() < 1e-12 && k5 < 0.6, "{rated}");
    }
    // The mean of the second is 8.55.
    let mean = |items: &[u32]| (f64::from(items.iter().sum::<u32>()) / 20.0).round().to_string();
    assert_eq!((mean(&first), mean(&second)), ("11".to_owned(), "9".to_owned()));
    let ticks = |all: &[Value]| all.iter().map(|one| one["ticks"].as_u64().unwrap()).collect::<Vec<_>>();
    let distributed = ticks(&ask("evaluate", stated[0], stated[1]));
    assert_eq!(distributed, ticks(&ask("evaluate", &mean(&first), &mean(&second))));
    assert_ne!(distributed, ticks(&ask("evaluate", "14", "20")));
    // A fixed number is no uncertainty.
    assert!(ask("efficiency", "11", "9").iter().all(|rated| rated["loops"] == 1.0));
}

#[test]
fn a_bodys_distribution_is_its_mean_for_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |command: &str, count: &str| {
        let body = format!("[ {{ loop: {{ count: {count}, body: [ {{ load: {{ array: a }} }} ] }} }} ]");
        let spec =
            "kernel: k\nparameters: { WG: { values: [64, 256] } }\nlaunch: { work_items: 65536, work_group: WG }\n";
        std::fs::write(folder.path().join("k.yaml"), format!("{spec}body: {body}\n")).unwrap();
        let ended = run(autotune()
            .current_dir(folder.path())
            .args([command, "k.yaml", "--gpu", "gtx1050", "--format", "json"]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        serde_json::from_str::<Value>(&ended.stdout).unwrap()["configurations"].clone()
    };
    assert_eq!(ask("evaluate", "{ 10: 0.75, 14: 0.25 }"), ask("evaluate", "11"));
    assert_eq!(ask("evaluate", "{ 10: 0.5, 13: 0.5 }"), ask("evaluate", "12"));
    assert_ne!(ask("evaluate", "{ 10: 0.75, 14: 0.25 }"), ask("evaluate", "14"));
    assert_eq!(ask("efficiency", "{ 10: 0.75, 14: 0.25 }")[0]["loops"], 0.5);
}

/// A kernel whose K1, K2 and K3 vary, each in its own way.
const RATED: [&str; 3] = ["tuning-specs/floyd_warshall.yaml", "--gpu", "gtx1050"];

/// Files of runs whose times are planted: c * product of K^-w, with a constant for each file.
fn planted(folder: &Path, weights: [f64; 6], constants: &[f64]) -> Vec<String> {
    let rated = run(autotune().arg("efficiency").args(RATED).args(["--format", "json"]));
    let rated = json(&rated, "efficiency.json");
    let file = |(place, constant): (usize, &f64)| {
        let mut csv = String::new();
        for one in rated["configurations"].as_array().unwrap() {
            let factors =
                ["memory", "input", "output", "temporary", "loops", "branches"].map(|name| number(&one[name]));
            let time = factors.iter().zip(weights).fold(*constant, |time, (factor, weight)| time / factor.powf(weight));
            let of = one["parameters"].as_object().unwrap();
            if csv.is_empty() {
                csv = of.keys().cloned().chain(["time_ms\n".to_owned()]).collect::<Vec<_>>().join(",");
            }
            csv += &of.values().map(Value::to_string).chain([format!("{time:e}\n")]).collect::<Vec<_>>().join(",");
        }
        let path = folder.join(format!("runs{place}.csv"));
        std::fs::write(&path, csv).unwrap();
        path.to_str().unwrap().to_owned()
    };
    constants.iter().enumerate().map(file).collect()
}

#[test]
fn weights_are_those_that_measured_times_follow() {
    let folder = tempfile::tempdir().unwrap();
    let planted_weights = [0.7, 0.25, 1.5, 0.0, 0.0, 0.0];
    let files = planted(folder.path(), planted_weights, &[3.0, 1e-4]);
    let ask = |files: &[String]| {
        let ended =
            run(autotune().arg("efficiency").args(RATED).arg("--measured").args(files).args(["--format", "json"]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        json(&ended, "efficiency_fit.json")
    };
    let fit = ask(&files);
    let origins: Vec<&str> =
        fit["factors"].as_array().unwrap().iter().map(|factor| factor["origin"].as_str().unwrap()).collect();
    assert_eq!(origins, ["fitted", "fitted", "fitted", "constant", "constant", "constant"]);
    for (place, factor) in fit["factors"].as_array().unwrap().iter().enumerate() {
        let (found, given) = (number(&fit["weights"][place]), number(&fit["given_weights"][place]));
        if origins[place] == "fitted" {
            assert!((found - planted_weights[place]).abs() < 1e-6, "{factor}: {found}");
        } else {
            assert_eq!((found.to_bits(), &factor["least"]), (given.to_bits(), &factor["greatest"]), "{factor}");
        }
    }
    assert!(number(&fit["explained"]) > 1.0 - 1e-9);
    // Times that follow R are ranked as they are, by weights that know nothing of the set.
    for set in fit["sets"].as_array().unwrap() {
        assert_eq!((&set["left_out"]["first"], &set["left_out"]["spearman"]), (&1.0.into(), &1.0.into()), "{set}");
    }
    let alone = ask(&files[..1]);
    assert!(alone["left_out"].is_null() && alone["sets"][0]["left_out"].is_null());
    let text = run(autotune().arg("efficiency").args(RATED).args(["--measured", &files[0]]));
    assert!(text.stdout.contains("left out  no other set"), "{}", text.stdout);
}

#[test]
fn given_weights_are_scored_as_validate_scores_them() {
    let set = ["tuning-specs/measured/coulomb.yaml", "--gpu", "rtx2080ti"];
    let measured = ["--measured", "tests/data/measured/coulomb__rtx2080ti.csv.gz", "--format", "json"];
    let fit = json(&run(autotune().arg("efficiency").args(set).args(measured)), "efficiency_fit.json");
    let validated = json(&run(autotune().arg("validate").args(set).args(measured)), "validation.json");
    let by_validate = &validated["models"]["efficiency"];
    for figure in ["first", "best_of", "runs_to_95_percent", "spearman", "kendall"] {
        assert_eq!(fit["given"][figure], by_validate[figure], "{figure}");
    }
    assert_eq!(
        (&fit["sets"][0]["rows"], fit["sets"][0]["problem"].as_object().unwrap().len()),
        (&validated["rows"], 0)
    );
    // Least squares of these very runs: no other weights leave less, and they explain something.
    assert!(number(&fit["explained"]) > 0.0, "{}", fit["explained"]);
}

#[test]
fn measurements_that_fit_no_weights_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, rows: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, rows).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let fails = |options: &[&str], printed: &[&str]| {
        assert_fails(autotune().arg("efficiency").args(RATED).args(options), 2, printed);
    };
    let few = file("few.csv", "TS,ROWS,DOWN,KEEP,STAGED,time_ms\n32,1,1,1,0,3\n");
    fails(&["--measured", &few], &["too few runs succeeded: 1 run of 1 set", "help: measure more configurations"]);
    let same = file("same.csv", "TS,ROWS,DOWN,KEEP,STAGED,time_ms\n32,1,1,1,0,3\n32,1,1,1,0,4\n32,1,1,1,0,5\n");
    fails(&["--measured", &same], &["is the same for all 3 runs", "help: measure configurations that differ"]);
    for time in ["0", "-1", "NaN", "x"] {
        let bad = file("bad.csv", &format!("TS,ROWS,DOWN,KEEP,STAGED,time_ms\n32,1,1,1,0,3\n32,2,1,1,0,{time}\n"));
        fails(&["--measured", &bad], &["bad.csv", "line 3", "is not a time: a number greater than 0", "help: "]);
    }
    let other = file("other.csv", "WG,time_ms\n32,3\n");
    fails(&["--measured", &other], &["other.csv", "the file has no column `TS`, a parameter of the spec", "help: "]);
    let failed = file("failed.csv", "TS,ROWS,DOWN,KEEP,STAGED,time_ms\n32,1,1,1,0,\n");
    fails(&["--measured", &failed], &["none of the 1 runs succeeded"]);
    fails(&["--measured", &few, &few], &["names `", "twice", "help: name it once"]);
    fails(&["--measured", "nowhere.csv"], &["nowhere.csv"]);
    fails(&["--unit", "ms"], &["--measured"]);
    fails(&["--measured", &few, "--config", "TS=32,ROWS=1,DOWN=1,KEEP=1,STAGED=0"], &["--config"]);
    let small = file("small.csv", "WG,TS,time_ticks\n4,2,3\n4,4,5\n");
    let lockstep = ["`abstract-tiny` is lockstep", "help: `autotune gpus` lists real ones"];
    assert_fails(autotune().arg("efficiency").args(SMALL).args(["--measured", &small]), 2, &lockstep);
}

#[test]
fn what_formulas_cannot_say_is_told() {
    for command in ["predict", "efficiency"] {
        let printed = ["`abstract-tiny` is lockstep", "help: `autotune gpus` lists real ones"];
        assert_fails(autotune().arg(command).args(SMALL), 2, &printed);
        let refused = ["--config", "TS=64,ROWS=1,COLS=1"];
        assert_fails(autotune().arg(command).args(MATMUL).args(refused), 4, &["the configuration cannot run"]);
    }
    let weights =
        |text| assert_fails(autotune().arg("efficiency").args(MATMUL).args(["--weights", text]), 2, &["weight"]);
    for text in ["1,2", "1,1,1,1,1,x", "1,1,1,1,1,1,1", ""] {
        weights(text);
    }
}

/// The terms of the wave model that a GPU lacks, by three commands; with a profile that has all, none is named.
#[test]
fn the_terms_that_a_gpu_lacks_are_named_wherever_the_wave_model_speaks() {
    let ask = |command: &[&str], gpu: &str, format: &str| {
        let question = ["tuning-specs/transpose.yaml", "--gpu", gpu, "--set", "size=256"];
        let ended = run(autotune().args(command).args(question).args(["--format", format]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended
    };
    let named = |terms: &Value| -> Vec<String> {
        let terms = terms.as_array().unwrap().iter();
        let mut terms: Vec<String> = terms.map(|one| one["term"].as_str().unwrap().to_owned()).collect();
        terms.sort();
        terms
    };
    let lacking = ["barriers", "launch_of_groups", "uncoalesced_bandwidth", "uncoalesced_latency"];
    assert_eq!(named(&json(&ask(&["predict"], "gtx1050", "json"), "prediction.json")["left_out"]), lacking);
    assert_eq!(named(&json(&ask(&["compare"], "gtx1050", "json"), "comparison.json")["waves_left_out"]), lacking);
    assert_eq!(named(&json(&ask(&[], "gtx1050", "json"), "result.json")["recommended"]["left_out"]), lacking);
    let words = "without launch_of_groups, uncoalesced_latency, uncoalesced_bandwidth, barriers: this GPU's profile lacks them\n";
    for (command, before) in [(&["compare"][..], "waves     "), (&[], " by the wave model\n             ")] {
        let text = ask(command, "gtx1050", "text").stdout;
        assert!(text.contains(&format!("{before}{words}")), "{text}");
    }
    // All that a body needs, for each size of a group.
    let folder = tempfile::tempdir().unwrap();
    let mut profile = "base: gtx1050\nname: whole\nlatency_uncoalesced_extra_cycles: 280\n\
                       uncoalesced_bandwidth_bytes_per_cycle: 64\nlaunch_regression:\n"
        .to_owned();
    profile.extend((1..=32).map(|warps| format!("  - {{ warps: {warps}, per_group_us: 0.0005, fixed_us: 3 }}\n")));
    let path = folder.path().join("whole.yaml");
    std::fs::write(&path, profile).unwrap();
    let whole = path.to_str().unwrap();
    assert!(named(&json(&ask(&["compare"], whole, "json"), "comparison.json")["waves_left_out"]).is_empty());
    let proved = json(&ask(&[], whole, "json"), "result.json");
    assert!(proved["recommended"].is_object() && proved["recommended"]["left_out"].is_null(), "{proved}");
    assert!(!ask(&[], whole, "text").stdout.contains("without launch"));
}
