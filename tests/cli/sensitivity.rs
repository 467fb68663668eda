//! The sensitivity of an optimum to the values of a profile, compared with `evaluate` under profiles with one value changed
//! by hand.

use super::near::{Timed, evaluated};
use super::*;

const SPEC: &str = "tuning-specs/matmul_tiled.yaml";

/// The space's times under a GTX 1080 with one other value.
fn with(line: &str) -> Vec<Timed> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.yaml");
    std::fs::write(&file, format!("name: mine\nbase: gtx1080\n{line}\n")).unwrap();
    evaluated(&[SPEC, "--gpu", file.to_str().unwrap()]).1
}

fn result(question: &[&str]) -> Value {
    json(&run(autotune().args(question).args(["--format", "json", "--quiet", "--no-cache"])), "result.json")
}

#[test]
fn an_answer_says_which_values_of_the_profile_its_optimum_depends_on() {
    let result = result(&[SPEC, "--gpu", "gtx1080"]);
    let values = |parameters: &Value| -> Vec<i64> {
        parameters.as_object().unwrap().values().map(|value| value.as_i64().unwrap()).collect()
    };
    let optimum = values(&result["optimum"]["parameters"]);
    let overtaken = result["sensitivity"]["overtaken"].as_array().unwrap();
    // The profile says 8 instructions (assumed), 25 cycles, and 128 bytes (assumed).
    let changed = [
        ("warp_instructions_per_cycle", 0.8, "6.4", true),
        ("latency_shared_load_cycles", 1.25, "31.25", false),
        ("shared_bytes_per_cycle", 0.8, "102.4", true),
        ("shared_bytes_per_cycle", 1.25, "160", true),
    ];
    for (key, factor, value, is_assumed) in changed {
        let all = with(&format!("{key}: {value}"));
        let own = all.iter().find(|(values, _)| *values == optimum).unwrap().1;
        let (fastest, least) = all.iter().min_by_key(|(_, ticks)| *ticks).unwrap();
        let told = overtaken.iter().find(|each| each["value"] == key && each["factor"] == factor);
        assert_eq!(told.is_some(), *least < own, "{key} x {factor}");
        if let Some(told) = told {
            assert_eq!((&told["ticks"], &told["least"]), (&own.into(), &(*least).into()));
            assert_eq!((values(&told["fastest"]), &told["assumed"]), (fastest.clone(), &is_assumed.into()));
        }
    }
    let overtaken_by: Vec<&Value> = overtaken.iter().map(|each| &each["value"]).collect();
    assert_eq!(
        overtaken_by,
        ["warp_instructions_per_cycle", "latency_dram_cycles", "latency_shared_load_cycles"],
        "assumed values stand first"
    );
}

/// Of the two values of V, one waits for its own results and the other one has more to issue: on an A100 with a latency of 5
/// cycles in place of 4, the other one is faster.
#[test]
fn an_optimum_that_depends_on_the_latency_of_arithmetic_says_so() {
    let result = result(&["tests/data/chained.yaml", "--gpu", "a100"]);
    let told = result["sensitivity"]["overtaken"].as_array().unwrap();
    let keys: Vec<&Value> = told.iter().map(|each| &each["value"]).collect();
    assert_eq!(keys, ["latency_fp32_fma_cycles"], "{result}");
    assert_eq!((&told[0]["factor"], &told[0]["fastest"]["V"]), (&1.25.into(), &1.into()));
}

#[test]
fn without_the_analysis_on_an_abstract_processor_or_where_it_is_dear_nothing_is_said() {
    for question in [
        &[SPEC, "--gpu", "gtx1080", "--no-analysis"][..],
        &["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny"],
        &["tuning-specs/softmax_rows.yaml", "--gpu", "a100"],
        &[SPEC, "--gpu", "gtx1080", "--config", "TS=32,ROWS=8,COLS=4"],
    ] {
        assert_eq!(result(question)["sensitivity"], Value::Null, "{question:?}");
    }
}

#[test]
fn an_answer_from_the_cache_says_what_a_proof_says() {
    let cache = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/transpose.yaml", "--gpu", "fermi", "--no-cost"];
    let preferring = ["--within", "2", "--prefer", "max ROWS"];
    let known = |options: &[&str]| {
        let mut command = autotune();
        command.env("XDG_CACHE_HOME", cache.path()).args(question).args(["--format", "json"]).args(options);
        json(&run(&mut command), "result.json")
    };
    let proved = known(&[]);
    assert!(proved["sensitivity"]["tried"].is_u64(), "{proved}");
    assert_eq!(known(&["--no-analysis"])["sensitivity"], Value::Null);
    assert_eq!(known(&preferring), result(&[&question[..], &preferring].concat()));
    assert_ne!(known(&preferring)["optimum"], proved["optimum"], "another of the ties is preferred");
}
