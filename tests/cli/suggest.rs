//! `autotune suggest`: what to measure next, once or as a child that answers requests.

use std::collections::BTreeSet;

use super::failures::assert_fails;
use super::*;

const SPEC: &str = "kernel: sum
problem: { size: 65536 }
parameters: { WG: { values: [32, 64, 128, 256, 2048] }, ITEMS: { values: [1, 2, 4] } }
constraints: [ WG != 128 ]
launch: { work_items: size, work_group: WG }
body: [ { compute: { kind: any, per_item: 100 * ITEMS * WG } } ]
";

/// A folder with the spec, and the question about it.
fn question() -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("sum.yaml");
    std::fs::write(&spec, SPEC).unwrap();
    let question = ["suggest", spec.to_str().unwrap(), "--gpu", "volta"].map(str::to_owned).to_vec();
    (folder, question)
}

/// The path of a new file with this text.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn suggested(question: &[String], more: &[&str]) -> (Value, String) {
    let ended = run(autotune().args(question).args(more).args(["--format", "json"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    (json(&ended, "suggest.json"), ended.stderr)
}

#[test]
fn the_first_suggestion_is_the_best_of_evaluate() {
    let (_folder, question) = question();
    let (result, notes) = suggested(&question, &[]);
    let evaluate = ["evaluate", &question[1], "--gpu", "volta", "--top", "1", "--format", "json"];
    let best = json(&run(autotune().args(evaluate)), "evaluation.json")["configurations"][0].clone();
    let next = &result["next"][0];
    assert_eq!((&next["parameters"], &next["reason"]), (&best["parameters"], &"first".into()));
    let [predicted, microseconds] = [&next["predicted_ms"], &best["microseconds"]].map(|time| time.as_f64().unwrap());
    assert!((predicted * 1e3 / microseconds - 1.0).abs() < 1e-12 && next["corrected_ms"].as_f64().unwrap() > 0.0);
    assert_eq!((&result["measured"]["runs"], &result["measured"]["best"]), (&0.into(), &Value::Null));
    assert_eq!((&result["expected_gain"], &result["stop"], notes.as_str()), (&1.0.into(), &false.into(), ""));
    assert_eq!(result["model"], serde_json::json!({"scale": null, "spearman": null, "residuals": []}));
}

#[test]
fn runs_of_several_files_correct_the_ranking() {
    let (folder, question) = question();
    let one =
        file(&folder, "one.csv", "WG,ITEMS,time_ms,noise\n32,1,2.0,0\n32,2,40,0\n64,1,,0\n128,1,1,0\n2048,1,,0\n");
    let other = file(&folder, "two.csv", "ITEMS;WG;size;time_ms\n1;32;65536;2,2\n1;256;1024;9,5\n");
    let (result, notes) = suggested(&question, &["--measured", &one, &other, "--next", "3", "--until", "0"]);
    assert_eq!((&result["measured"]["runs"], &result["measured"]["failed"]), (&4.into(), &1.into()));
    let best = serde_json::json!({"parameters": {"WG": 32, "ITEMS": 1}, "time_ms": 2.1});
    assert_eq!(result["measured"]["best"], best);
    let told: BTreeSet<String> = [[32, 1], [32, 2], [64, 1]]
        .map(|[work_group, items]| serde_json::json!({"WG": work_group, "ITEMS": items}).to_string())
        .into();
    let next = result["next"].as_array().unwrap();
    assert!(next.len() == 3 && next.iter().all(|one| !told.contains(&one["parameters"].to_string())), "{next:?}");
    assert!(next.iter().all(|one| one["deviation"].as_f64().unwrap() > 1.0 && one["reason"] != "first"), "{next:?}");
    let residuals = result["model"]["residuals"].as_array().unwrap();
    assert_eq!(
        (&residuals[0]["parameter"], &residuals[0]["value"], &residuals[0]["runs"]),
        (&"ITEMS".into(), &2.into(), &1.into())
    );
    for note in [
        "mean nothing here: `noise`",
        "2 rows that spec and GPU do not allow, such as WG=128 ITEMS=1: WG != 128",
        "1 row of other problem sizes, such as size=1024",
    ] {
        assert!(notes.contains(note), "{note} is not in {notes}");
    }
    let text = run(autotune().args(&question).args(["--measured", &one, "--measured", &other])).stdout;
    assert!(
        text.contains("sum on volta: 4 runs measured, 1 of them failed")
            && text.contains("\nbest      WG=32 ITEMS=1: 2.100 ms\n"),
        "{text}"
    );
}

#[test]
fn when_nothing_is_expected_to_be_faster_the_list_is_empty() {
    let (folder, question) = question();
    // As predicted, to the digit: only noise is left.
    let evaluate = ["evaluate", &question[1], "--gpu", "volta", "--format", "json"];
    let all = json(&run(autotune().args(evaluate)), "evaluation.json");
    let row = |one: &Value| Some((one["parameters"].clone(), one["microseconds"].as_f64()?));
    let rows: Vec<(Value, f64)> = all["configurations"].as_array().unwrap().iter().filter_map(row).collect();
    let lines = |rows: &[(Value, f64)]| -> String {
        let line = |(one, time): &(Value, f64)| format!("{},{},{time}\n", one["WG"], one["ITEMS"]);
        rows.iter().map(line).collect()
    };
    let header = "WG,ITEMS,time_us\n";
    let most = file(&folder, "most.csv", &(header.to_owned() + &lines(&rows[..8])));
    let (result, _) = suggested(&question, &["--measured", &most]);
    assert_eq!((&result["stop"], &result["next"]), (&true.into(), &serde_json::json!([])));
    assert!(result["expected_gain"].as_f64().unwrap() < 0.01);
    let ended = run(autotune().args(&question).args(["--measured", &most]));
    assert!(ended.status == 0 && ended.stdout.contains("no configuration is expected to be more than 1 % faster"));
    let (result, _) = suggested(&question, &["--measured", &most, "--until", "0%"]);
    assert_eq!((&result["stop"], result["next"].as_array().unwrap().len()), (&false.into(), 1));
    let whole = file(&folder, "all.csv", &(header.to_owned() + &lines(&rows)));
    let (result, _) = suggested(&question, &["--measured", &whole, "--until", "0"]);
    assert_eq!((&result["stop"], &result["expected_gain"]), (&true.into(), &0.0.into()));
    let ended = run(autotune().args(&question).args(["--measured", &whole, "--format", "flags"]));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""));
    assert!(ended.stderr.contains("no configuration is expected to be more"), "{}", ended.stderr);
}

#[test]
fn a_file_in_which_nothing_ran_yet_is_read() {
    let (folder, question) = question();
    let empty = file(&folder, "empty.csv", "WG,ITEMS,time_ms\n");
    let (result, _) = suggested(&question, &["--measured", &empty]);
    assert_eq!(result["next"][0]["reason"], "first");
    let failed = file(&folder, "failed.csv", "WG,ITEMS,time_ms\n32,1,\n");
    let (result, _) = suggested(&question, &["--measured", &failed]);
    assert_eq!((&result["measured"]["failed"], &result["expected_gain"]), (&1.into(), &1.0.into()));
    assert_ne!(result["next"][0]["parameters"], serde_json::json!({"WG": 32, "ITEMS": 1}));
}

#[test]
fn suggestions_are_tables_flags_and_what_kernel_tuner_measures() {
    let (_folder, question) = question();
    let ask = |format: &str| {
        let ended = run(autotune().args(&question).args(["--next", "2", "--format", format]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended.stdout
    };
    let (result, _) = suggested(&question, &["--next", "2"]);
    let values = |place: usize, name: &str| result["next"][place]["parameters"][name].to_string();
    let [first, second] = [0, 1].map(|place| (values(place, "WG"), values(place, "ITEMS")));
    let flags = |(work_group, items): &(String, String)| format!("-DWG={work_group} -DITEMS={items}\n");
    assert_eq!(ask("flags"), flags(&first) + &flags(&second));
    let csv = ask("csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "WG,ITEMS,predicted_ms,corrected_ms,deviation,work_group,reason");
    assert!(
        lines.len() == 3 && lines[1].starts_with(&format!("{},{},", first.0, first.1)) && lines[1].ends_with(",first")
    );
    let tuner: Value = serde_json::from_str(&ask("kernel-tuner")).unwrap();
    // What Python makes of the restriction, over all values of the parameters.
    let script = "import itertools, json, sys
tuner = json.load(sys.stdin)
names, domains = zip(*tuner['tune_params'].items())
allowed = [dict(zip(names, values)) for values in itertools.product(*domains)]
print(json.dumps([one for one in allowed if all(eval(text, {}, one) for text in tuner['restrictions'])]))";
    let mut python = assert_cmd::Command::new("python3");
    let measured = run(python.args(["-I", "-c", script]).write_stdin(tuner.to_string())).stdout;
    let measured: BTreeSet<String> =
        serde_json::from_str::<Vec<Value>>(&measured).unwrap().iter().map(Value::to_string).collect();
    let expected: BTreeSet<String> = (0..2).map(|place| result["next"][place]["parameters"].to_string()).collect();
    assert_eq!(measured, expected);
}

#[test]
fn only_listed_configurations_are_suggested() {
    let (folder, question) = question();
    let list = file(&folder, "list.csv", "ITEMS,WG\n4,256\n2,64\n1,128\n");
    let (result, _) = suggested(&question, &["--among", &list, "--next", "9"]);
    let next: Vec<&Value> = result["next"].as_array().unwrap().iter().map(|one| &one["parameters"]).collect();
    assert_eq!(next, [&serde_json::json!({"WG": 64, "ITEMS": 2}), &serde_json::json!({"WG": 256, "ITEMS": 4})]);
    let (result, _) = suggested(&question, &["--config", "WG=256,ITEMS=4", "--next", "9"]);
    assert_eq!(result["next"].as_array().unwrap().len(), 1);
    let refused = file(&folder, "refused.csv", "ITEMS,WG\n1,128\n");
    assert_fails(autotune().args(&question).args(["--among", &refused]), 4, &["no configuration can run: WG != 128"]);
    assert_fails(autotune().args(&question).args(["--until", "-1"]), 2, &["--until", "percent"]);
    let times = file(&folder, "times.csv", "WG,ITEMS,time\n32,1,3\n");
    assert_fails(autotune().args(&question).args(["--measured", &times]), 2, &["unit of the column `time`", "--unit"]);
    let (result, _) = suggested(&question, &["--measured", &times, "--unit", "us"]);
    assert_eq!(result["measured"]["best"]["time_ms"], 0.003);
}

#[test]
fn a_gpu_without_a_clock_has_ticks() {
    let (folder, question) = question();
    let question: Vec<String> = [&question[..3], &["abstract-tiny", "--set", "size=64"].map(str::to_owned)].concat();
    let runs = file(&folder, "runs.csv", "WG,ITEMS,time_ticks\n32,1,70000\n");
    let (result, _) = suggested(&question, &["--measured", &runs]);
    assert_eq!(result["measured"]["best"]["time_ticks"], 70000.0);
    let next = result["next"][0].as_object().unwrap();
    assert!(
        next.contains_key("predicted_ticks")
            && next.contains_key("corrected_ticks")
            && !next.contains_key("predicted_ms")
    );
}

/// The lines of a child that is asked these lines, each checked against its schema.
fn served(question: &[String], more: &[&str], lines: &[&str]) -> Vec<Value> {
    let ended = run(autotune().args(question).args(more).arg("--serve").write_stdin(lines.join("\n")));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let replies = ended.stdout.lines();
    replies
        .map(|line| {
            let one = Ended { status: 0, stdout: line.to_owned(), stderr: String::new() };
            json(&one, "serve_reply.json")
        })
        .collect()
}

#[test]
fn a_child_answers_each_line() {
    let (folder, question) = question();
    let requests = [
        r#"{"request": "ranked", "count": 2}"#,
        r#"{"request": "next", "count": 2}"#,
        r#"{"request": "tell", "parameters": {"WG": 32, "ITEMS": 1}, "time": 2.5}"#,
        "",
        r#"{"request": "tell", "parameters": {"ITEMS": 1, "WG": 64}, "time": null}"#,
        r#"{"request": "tell", "parameters": {"WG": 128, "ITEMS": 1}, "time": 1}"#,
        r#"{"request": "next"}"#,
    ];
    for request in requests.iter().filter(|request| !request.is_empty()) {
        json(&Ended { status: 0, stdout: (*request).to_owned(), stderr: String::new() }, "serve_request.json");
    }
    let replies = served(&question, &[], &requests);
    assert_eq!(replies.len(), 7);
    assert_eq!((&replies[0]["schema"], &replies[0]["feasible"]), (&"autotune.serve/1".into(), &9.into()));
    assert_eq!((&replies[0]["parameters"], &replies[0]["unit"]), (&serde_json::json!(["WG", "ITEMS"]), &"ms".into()));
    let ranked = replies[1]["ranked"].as_array().unwrap();
    assert_eq!((ranked.len(), &ranked[0]["parameters"]), (2, &replies[2]["next"][0]["parameters"]));
    assert_eq!((&replies[3], &replies[4]), (&serde_json::json!({"told": true}), &serde_json::json!({"told": true})));
    assert_eq!(replies[5], serde_json::json!({"told": false, "reason": "WG != 128"}));
    assert_eq!((&replies[6]["measured"]["runs"], &replies[6]["measured"]["failed"]), (&2.into(), &1.into()));
    // As if the runs had been read from a file.
    let runs = file(&folder, "runs.csv", "WG,ITEMS,time_ms\n32,1,2.5\n64,1,\n");
    assert_eq!(replies[6], suggested(&question, &["--measured", &runs]).0);
}

#[test]
fn a_line_that_is_no_request_is_answered_and_the_next_one_too() {
    let (_folder, question) = question();
    let wrong = [
        "next",
        r#"{"request": "stop"}"#,
        r#"{"request": "next", "count": 0}"#,
        r#"{"request": "next", "counts": 1}"#,
        r#"{"request": "tell", "parameters": {"WG": 32}, "time": 1}"#,
        r#"{"request": "tell", "parameters": {"WG": 32, "ITEMS": 1, "TS": 1}, "time": 1}"#,
        r#"{"request": "tell", "parameters": {"WG": 32, "ITEMS": 1}, "time": -1}"#,
    ];
    let replies = served(&question, &[], &[&wrong[..], &[r#"{"request": "next"}"#]].concat());
    assert_eq!(replies.len(), wrong.len() + 2);
    for (reply, why) in replies[1..].iter().zip(["expected", "stop", "from 1", "counts", "`ITEMS`", "`TS`", "above 0"])
    {
        assert!(reply["error"].as_str().unwrap().contains(why), "{why} is not in {reply}");
    }
    assert_eq!(replies[wrong.len() + 1]["next"][0]["reason"], "first");
}

#[test]
fn a_line_that_is_too_long_is_answered_and_the_next_one_is_read() {
    let (_folder, question) = question();
    let next = r#"{"request": "next"}"#;
    let long = |bytes: usize| format!("{next}{}", " ".repeat(bytes - next.len()));
    let [longest, too_long, endless] = [1 << 20, (1 << 20) + 1, 5 << 20].map(long);
    let replies = served(&question, &[], &[&longest, &too_long, next, &endless, next, &endless]);
    let answers: Vec<bool> = replies[1..].iter().map(|reply| reply["error"].is_null()).collect();
    assert_eq!(answers, [true, false, true, false, true, false]);
    assert_eq!(replies[2]["error"], "a request has at most 1048576 bytes");
    assert_eq!(replies[1], replies[5]);
}

#[test]
fn the_books_python_speaks_to_the_child() {
    let page = crate::readme::page("reference/serve.md");
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut python = assert_cmd::Command::new("python3");
    python.args(["-I", "-c", crate::readme::block(&page, "python")]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let ended = run(python.env("PATH", path).envs(crate::isolated()));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, crate::readme::block(&page, "text")), "{}", ended.stderr);
}
