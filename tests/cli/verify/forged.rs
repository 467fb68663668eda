//! Folders that are changed and sealed anew, as a forger would: the proof itself tells.

use super::*;

#[test]
fn a_model_or_table_that_is_changed_is_found_by_the_result_and_by_its_times() {
    let kept = Kept::new();
    for (name, field, from, by) in [
        ("model.pml", "sha256", "time_is_at_least_MT) }", "true) }"),
        ("tables.txt", "tables_sha256", " 10 10\n", " 9 9\n"),
    ] {
        let file = format!("{MODEL}/{name}");
        let (good, result) = (kept.read(&file), kept.read("result.json"));
        kept.replace(&file, from, by);
        kept.seal();
        kept.assert_refused(&file, "as result.json says");
        // The result follows: then only the searches tell.
        let hash = sha256(kept.read(&file).as_bytes());
        kept.edit(|result| result["proof"]["models"][0][field] = hash.into());
        kept.assert_refused(MODEL, if name == "model.pml" { "" } else { "the property does not hold at 136" });
        kept.write(&file, &good);
        kept.write("result.json", &result);
    }
    kept.replace(&format!("{MODEL}/model.pml"), "proctype", "proctipe");
    kept.seal();
    kept.assert_refused(&format!("{MODEL}/model.pml"), "it cannot be repeated");
}

fn one_more(result: &mut Value) {
    let one = serde_json::json!({"parameters": {"WG": 64, "TS": 64}, "status": "checked", "ticks": 500});
    result["configurations"].as_array_mut().unwrap().push(one);
}

/// Each is at odds with another claim, or with what SPIN says.
const FORGERIES: [Forgery; 12] = [
    ("result.json", "10 configurations are listed, 9 are counted", one_more),
    ("result.json", "10 searched configurations are listed", |result| {
        one_more(result);
        let counts = &mut result["proof"]["configurations"];
        (counts["all"], counts["pruned"]) = (10.into(), 1.into());
    }),
    ("proof", "do not hold WG=64 TS=64, which was to be searched", |result| {
        one_more(result);
        let proof = &mut result["proof"];
        (proof["configurations"]["all"], proof["configurations"]["checked"]) = (10.into(), 10.into());
        proof["models"][0]["configurations"] = 10.into();
    }),
    ("result.json", "is not about the optimum's 135", |result| result["optimum"]["ticks"] = 135.into()),
    ("result.json", "no run in which the property holds at 135", |result| {
        result["optimum"]["ticks"] = 135.into();
        result["proof"]["property"] = "[] (DONE -> (time >= 135))".into();
    }),
    ("result.json", "the run at 138 says", |result| result["proof"]["models"][0]["runs"][1]["bound"] = 138.into()),
    ("result.json", "no run has a counterexample of 136", |result| {
        result["proof"]["models"][0]["runs"].as_array_mut().unwrap().retain(|run| run["holds"] == true);
    }),
    ("proof/model-1/*-pan-136.txt", "no output of pan says", |result| {
        result["proof"]["models"][0]["runs"][1]["states"] = 1.into();
    }),
    ("proof/model-1/model.pml", "runs end 2 in DONE before T + 1, 7 in CUT", |result| {
        result["proof"]["models"][0]["ends"] = serde_json::json!({"done": 1, "cut": 8, "stuck": 0});
    }),
    ("result.json", "at odds with the optimum", |result| {
        let list = result["configurations"].as_array_mut().unwrap();
        list.iter_mut().find(|one| one["status"] == "checked").unwrap()["ticks"] = 136.into();
    }),
    ("result.json", "it is no result", |result| result["optimum"]["parameters"] = 3.into()),
    ("result.json", "do not begin with the optimum", |result| result["top"][0]["ticks"] = 137.into()),
];

#[test]
fn a_changed_claim_is_found() {
    assert_all_refused(&FORGERIES);
}

/// The result names another configuration consistently: SPIN and the trail show the true one.
#[test]
fn another_configuration_as_optimum_is_found() {
    let kept = Kept::new();
    let result = kept.read("result.json");
    assert!(result.contains("\"WG\": 4") && result.contains("\"TS\": 8"));
    let swapped = |value: &Value| match (value["WG"].as_u64(), value["TS"].as_u64()) {
        (Some(4), Some(8)) => serde_json::json!({"WG": 4, "TS": 4}),
        (Some(4), Some(4)) => serde_json::json!({"WG": 4, "TS": 8}),
        _ => value.clone(),
    };
    kept.edit(|result| {
        result["optimum"]["parameters"] = swapped(&result["optimum"]["parameters"]);
        result["optimum"]["tile"]["TS"] = 4.into();
        for list in ["configurations", "top"] {
            for one in result[list].as_array_mut().unwrap() {
                one["parameters"] = swapped(&one["parameters"]);
            }
        }
    });
    kept.assert_refused(&kept.file(&format!("{MODEL}/witnesses"), "-137-"), "its replay shows WG=4 TS=8 in 136 ticks");
    kept.assert_refused("proof", "WG=4 TS=4 does not end at 136");
}

#[test]
fn an_output_or_a_model_that_is_missing_is_found_though_sealed() {
    let kept = Kept::new();
    let output = kept.file(MODEL, "-pan-136.txt");
    kept.replace(&output, "errors: 0", "errors: 1");
    kept.seal();
    kept.assert_refused(&format!("{MODEL}/*-pan-136.txt"), "no output of pan says what result.json does");
    kept.replace(&output, "errors: 1", "errors: 0");
    let ends = kept.file(MODEL, "-pan_ends-137.txt");
    std::fs::remove_file(kept.path(&ends)).unwrap();
    kept.seal();
    kept.assert_refused(&format!("{MODEL}/*-pan_ends-137.txt"), "shows how all runs end");
    std::fs::remove_dir_all(kept.path("top-2")).unwrap();
    kept.seal();
    kept.assert_refused("top-2", "it holds 0 models");
}

#[test]
fn a_trail_of_another_run_or_none_is_found_though_sealed() {
    let kept = Kept::new();
    let trail = kept.file(&format!("{MODEL}/witnesses"), "-137-");
    let other = kept.file("top-2/model-1/witnesses", ".trail");
    std::fs::write(kept.path(&trail), "-4:-4:-4\n1:0:0\n").unwrap();
    kept.seal();
    kept.assert_refused(&trail, "its replay does not end in DONE");
    // The numbers of configurations are those of another model.
    std::fs::copy(kept.path(&other), kept.path(&trail)).unwrap();
    std::fs::remove_dir_all(kept.path("top-2/model-1/witnesses")).unwrap();
    kept.seal();
    kept.assert_refused("top-2", "no trail shows");
    std::fs::remove_dir_all(kept.path(&format!("{MODEL}/witnesses"))).unwrap();
    kept.seal();
    kept.assert_refused("proof", "no trail shows a configuration that takes 136 ticks");
}

/// The second best is proved among all but the best.
#[test]
fn a_place_whose_models_lack_configurations_is_found() {
    let kept = Kept::new();
    let members = kept.read("top-2/model-1/configurations.txt");
    let last = members.lines().last().unwrap();
    kept.replace("top-2/model-1/configurations.txt", &format!("{last}\n"), "");
    kept.seal();
    kept.assert_refused("top-2", "which was to be searched");
    kept.assert_refused("top-2/model-1/configurations.txt", "SPIN ran 8 configurations, not each of 7 once");
}
