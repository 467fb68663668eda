//! `autotune gpus`: the list, what a profile assumes, and variants of a user.

use super::*;

fn gpus(arguments: &[&str]) -> Value {
    json(&run(autotune().arg("gpus").args(arguments).args(["--format", "json"])), "gpus.json")
}

/// The words of the row of a GPU.
fn row(table: &str, name: &str) -> Vec<String> {
    let rows = table.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    rows.into_iter().find(|words| words.first().is_some_and(|word| word == name)).unwrap_or_else(|| panic!("{table}"))
}

#[test]
fn the_list_shows_the_facts_of_each_gpu() {
    let table = run(autotune().arg("gpus")).stdout;
    assert_eq!(
        row(&table, "rtx4070")[..9],
        ["rtx4070", "NVIDIA", "Ada", "Lovelace", "sm_89", "2023", "46", "2475", "504.2"]
    );
    assert_eq!(row(&table, "mi300x")[..8], ["mi300x", "AMD", "CDNA", "gfx942", "2023", "304", "2100", "5324.8"]);
    assert_eq!(row(&table, "abstract-tiny")[..5], ["abstract-tiny", "abstract", "-", "-", "-"]);
    assert_eq!(row(&table, "a100-40gb").last().unwrap(), "a100", "the 80 GB card has a name of its own");
    let listed = gpus(&[]);
    for gpu in listed["gpus"].as_array().unwrap() {
        let words = row(&table, gpu["name"].as_str().unwrap());
        if gpu["execution"] == "pipelined" {
            let facts = &gpu["facts"];
            for shown in [&facts["year"], &gpu["multiprocessors"], &facts["assumed_values"]] {
                assert!(words.contains(&shown.to_string()), "{shown}: {words:?}");
            }
            let (assumed, values) = (facts["assumed_values"].as_u64().unwrap(), facts["values"].as_u64().unwrap());
            assert!(assumed < values && facts["target"].is_string(), "{gpu}");
        } else {
            assert_eq!(gpu["facts"], Value::Null);
        }
    }
}

#[test]
fn why_lists_each_assumed_value_with_its_reason() {
    let text = run(autotune().args(["gpus", "--why", "RTX4070"])).stdout;
    assert!(text.starts_with("rtx4070, a variant of rtx4090: "), "{text}");
    let line = |key: &str| text.lines().find(|line| line.trim_start().starts_with(key));
    assert!(
        line("latency_dram_cycles").unwrap().contains("636  as rtx4090: AI_kernels: measured on this board"),
        "{text}"
    );
    assert!(line("warp_accesses_per_cycle").unwrap().contains("as rtx4090: as GA10x: "), "{text}");
    // A fact of the board that a source gives, and a fact of the target.
    assert!(line("memory_bandwidth_GBps").is_none() && line("registers_per_sm").is_none(), "{text}");

    let found = gpus(&["--why", "rtx4070"])["gpus"][0].clone();
    let assumed = found["assumed"].as_array().unwrap();
    assert_eq!(
        (assumed.len() as u64, &found["facts"]["base"]),
        (found["facts"]["assumed_values"].as_u64().unwrap(), &"rtx4090".into())
    );
    for value in assumed {
        assert!(line(value["key"].as_str().unwrap()).unwrap().ends_with(value["why"].as_str().unwrap()), "{value}");
        let written = format!("{}: {} ", value["key"].as_str().unwrap(), value["value"].as_str().unwrap());
        assert!(found["profile"].as_str().unwrap().contains(&written), "{written}");
    }
    assert_eq!(gpus(&["rtx4070"])["gpus"][0]["assumed"], Value::Null);

    let tiny = run(autotune().args(["gpus", "abstract-tiny", "--why"])).stdout;
    assert!(tiny.contains("its values describe no GPU"), "{tiny}");
    assert_eq!(run(autotune().args(["gpus", "--why"])).status, 2);
    let unknown = run(autotune().args(["gpus", "--why", "rtx4075"]));
    assert!(
        unknown.status == 2 && unknown.stderr.contains("nearest profiles of NVIDIA are `rtx40"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_variant_is_printed_whole_and_answers_as_its_print() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, variant) = (folder.path().join("whole.yaml"), folder.path().join("variant.yaml"));
    let printed = run(autotune().args(["gpus", "rtx4070"])).stdout;
    assert!(printed.contains("multiprocessors: 46") && printed.contains("registers_per_sm: 65536"), "{printed}");
    std::fs::write(&whole, printed).unwrap();
    std::fs::write(&variant, "name: rtx4070\nbase: rtx4070\n").unwrap();
    let asked = |gpu: &str| {
        let ended = run(autotune().args(["evaluate", "tuning-specs/vector_add.yaml", "--gpu", gpu]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stdout
    };
    let shipped = asked("rtx4070");
    assert_eq!(asked(whole.to_str().unwrap()), shipped);
    assert_eq!(asked(variant.to_str().unwrap()), shipped);
    std::fs::write(&variant, "name: rtx4070\nbase: rtx4070\nmultiprocessors: 23\n").unwrap();
    assert_ne!(asked(variant.to_str().unwrap()), shipped);
}

/// A kept proof holds all values: it does not change with the profile of the base.
#[test]
fn a_proof_with_a_variant_is_kept_with_all_values() {
    let folder = tempfile::tempdir().unwrap();
    let (variant, kept) = (folder.path().join("mine.yaml"), folder.path().join("kept"));
    std::fs::write(&variant, "name: mine\nbase: abstract-tiny\nglobal_memory_ticks: 7\n").unwrap();
    let question = ["tuning-specs/abstract_kernel.yaml", "--set", "size=16", "--gpu"];
    let ended = run(autotune().args(question).arg(&variant).arg("--keep").arg(&kept));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let profile = std::fs::read_to_string(kept.join("inputs/profile.yaml")).unwrap();
    assert!(profile.contains("\nprocessing_elements: 4 ") && !profile.contains("\nbase:"), "{profile}");
    let ended = run(autotune().arg("verify").arg(&kept));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}
