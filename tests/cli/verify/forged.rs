//! Folders that are changed and sealed again, as a forger would.

use super::*;

/// The hash in the result is changed with the model: only the model made from the inputs shows the forgery.
#[test]
fn a_model_or_table_that_is_changed_is_found_though_the_result_follows() {
    let kept = Kept::new();
    let owned = kept.path("owned");
    for (name, field, from, by) in [
        ("model.pml", "sha256", "time_is_at_least_MT) }", "true) }"),
        ("model.pml", "sha256", "add_low(launch)", "add_low(launch + (configuration < 2 -> 500 : 0))"),
        ("model.pml", "sha256", "read_tables(); }", "read_tables(); system(\"touch owned\"); }"),
        ("tables.txt", "tables_sha256", " 10 10\n", " 9 9\n"),
    ] {
        let file = format!("{MODEL}/{name}");
        let (good, result) = (kept.read(&file), kept.read("result.json"));
        kept.replace(&file, from, by);
        let hash = sha256(kept.read(&file).as_bytes());
        kept.edit(|result| result["proof"]["models"][0][field] = hash.into());
        kept.assert_refused(&file, "the repeated proof has");
        kept.write(&file, &good);
        kept.write("result.json", &result);
    }
    assert!(!owned.exists(), "C code of the folder was run");
}

/// The labels of two configurations are exchanged in every file that names them.
#[test]
fn configurations_that_change_their_names_are_found() {
    let kept = Kept::of(&["--no-prune", "--no-analysis", "--prefer", "min WG"]);
    let swapped = |value: &Value| match (value["WG"].as_u64(), value["TS"].as_u64()) {
        (Some(4), Some(8)) => serde_json::json!({"WG": 4, "TS": 4}),
        (Some(4), Some(4)) => serde_json::json!({"WG": 4, "TS": 8}),
        _ => value.clone(),
    };
    let list = format!("{MODEL}/configurations.txt");
    let text = kept.read(&list).replace("WG=4 TS=8", "x").replace("WG=4 TS=4", "WG=4 TS=8").replace('x', "WG=4 TS=4");
    kept.write(&list, &text);
    kept.edit(|result| {
        result.as_object_mut().unwrap().remove("near");
        result["optimum"]["parameters"] = swapped(&result["optimum"]["parameters"]);
        result["optimum"]["tile"]["TS"] = 4.into();
        for one in result["configurations"].as_array_mut().unwrap() {
            one["parameters"] = swapped(&one["parameters"]);
        }
    });
    kept.assert_refused("result.json", "optimum.parameters.TS is 4, the repeated proof has 8");
    kept.assert_refused(&list, "the repeated proof has `WG=4 TS=8`");
}

/// The two fastest are claimed to be pruned, infeasible or equal to another, and are in no model.
#[test]
fn configurations_that_are_left_out_are_found() {
    for (status, more) in [
        ("pruned", serde_json::json!({"bound": 1_000_000, "by": "memory"})),
        ("infeasible", serde_json::json!({"reason": "work_group <= 1"})),
    ] {
        let kept = Kept::of(&["--no-prune", "--no-analysis"]);
        kept.edit(|result| {
            result.as_object_mut().unwrap().remove("near");
            for one in result["configurations"].as_array_mut().unwrap() {
                if one["status"] == "optimum" {
                    let parameters = one["parameters"].clone();
                    *one = more.clone();
                    (one["parameters"], one["status"]) = (parameters, status.into());
                } else if one["ticks"] == 232 {
                    one["status"] = "optimum".into();
                }
            }
            result["optimum"]["ticks"] = 232.into();
            result["optimum"]["parameters"]["TS"] = 4.into();
            result["optimum"]["tile"]["TS"] = 4.into();
            result["ties"] = serde_json::json!([{"WG": 4, "TS": 4}]);
            let proof = &mut result["proof"];
            proof["property"] = "[] (DONE -> (time >= 232))".into();
            (proof["configurations"]["checked"], proof["configurations"][status]) = (7.into(), 2.into());
            let model = &mut proof["models"][0];
            model["configurations"] = 7.into();
            model["ends"] = serde_json::json!({"done": 2, "cut": 5, "stuck": 0});
            (model["runs"][0]["bound"], model["runs"][0]["ticks"]) = (233.into(), 232.into());
            model["runs"][1]["bound"] = 232.into();
        });
        kept.assert_refused("result.json", "optimum.ticks is 232, the repeated proof has 136");
    }
}

fn one_more(result: &mut Value) {
    let one = serde_json::json!({"parameters": {"WG": 64, "TS": 64}, "status": "checked", "ticks": 500});
    result["configurations"].as_array_mut().unwrap().push(one);
}

/// Changes that contradict another claim.
const FORGERIES: [Forgery; 23] = [
    ("result.json", "10 configurations are listed, 9 are counted", one_more),
    ("result.json", "10 searched configurations are listed", |result| {
        one_more(result);
        let counts = &mut result["proof"]["configurations"];
        (counts["all"], counts["pruned"]) = (10.into(), 1.into());
    }),
    ("result.json", "is not about the optimum's 135", |result| result["optimum"]["ticks"] = 135.into()),
    ("result.json", "no run where the property holds at 135", |result| {
        result["optimum"]["ticks"] = 135.into();
        result["proof"]["property"] = "[] (DONE -> (time >= 135))".into();
    }),
    ("result.json", "the run at 138 says", |result| result["proof"]["models"][0]["runs"][1]["bound"] = 138.into()),
    ("result.json", "no run has a counterexample of 136", |result| {
        result["proof"]["models"][0]["runs"].as_array_mut().unwrap().retain(|run| run["holds"] == true);
    }),
    ("result.json", "a search of model 1 did not run each of its 9 configurations", |result| {
        result["proof"]["models"][0]["runs"][1]["states"] = 8.into();
    }),
    ("result.json", "2 programs are listed as optimal, but 1 runs end before 137", |result| {
        result["proof"]["models"][0]["ends"] = serde_json::json!({"done": 1, "cut": 8, "stuck": 0});
    }),
    ("result.json", "not each of the 9 configurations of model 1 has ended", |result| {
        result["proof"]["models"][0]["ends"] = serde_json::json!({"done": 2, "cut": 6, "stuck": 0});
    }),
    ("result.json", "at odds with the optimum", |result| {
        let list = result["configurations"].as_array_mut().unwrap();
        list.iter_mut().find(|one| one["status"] == "checked").unwrap()["ticks"] = 136.into();
    }),
    ("result.json", "it is not a result", |result| result["optimum"]["parameters"] = 3.into()),
    ("result.json", "do not begin with the optimum", |result| result["top"][0]["ticks"] = 137.into()),
    ("result.json", "3 configurations are said to be within 1 %, listed are 2 to 2", |result| {
        for within in result["near"]["within"].as_array_mut().unwrap() {
            within["configurations"] = 3.into();
        }
    }),
    ("result.json", "or do not grow with them", |result| result["near"]["within"][1]["percent"] = 1.into()),
    ("result.json", "1 configurations are said to be within 1 %, but 2 are optimal", |result| {
        result["near"]["within"][0]["configurations"] = 1.into();
    }),
    ("result.json", "what is in common within 2 % does not hold of the optimum", |result| {
        result["near"]["within"][1]["parameters"][0]["values"] = serde_json::json!([2, 4]);
    }),
    ("result.json", "the best in true order do not begin with the optimum", |result| {
        result["near"]["best"].as_array_mut().unwrap().swap(0, 1);
    }),
    ("result.json", "is proved to be among the best where", |result| {
        let third = result["near"]["best"][3]["parameters"].clone();
        result["near"]["best"][2]["parameters"] = third;
    }),
    ("result.json", "is said to take 230 ticks, which the list of configurations contradicts", |result| {
        result["near"]["best"][4]["ticks"] = 230.into();
    }),
    ("result.json", "but is not within the requested percentage", |result| {
        result["near"]["chosen"] = serde_json::json!(
            {"parameters": {"WG": 4, "TS": 4}, "work_group": 4, "tile": {"TS": 4}, "ticks": 232, "microseconds": null}
        );
    }),
    ("result.json", "is preferred to others, but by nothing", |result| result["near"]["chosen_by"] = Value::Null),
    ("result.json", "is preferred to others, but by nothing", |result| result["near"]["optimum_by"] = Value::Null),
    ("result.json", "2 configurations are said to be within 99 %, but 4 of them have times", |result| {
        result["near"]["within"][1]["percent"] = 99.into();
    }),
];

#[test]
fn a_claim_that_another_one_contradicts_is_found() {
    assert_all_refused(&FORGERIES);
}
