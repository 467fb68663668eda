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
