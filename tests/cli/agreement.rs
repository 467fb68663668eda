//! Agreement of two ways to one notion: registers, spills and groups by every command; a proof and an evaluation; a page and a
//! text. Bodies and their sources are held equal in `bodies`.

use super::registers::{GROUP, LIVE, folder, live};
use super::*;

/// A number behind a key of an extracted body; `None` if the body lacks the key.
fn stated(body: &str, key: &str) -> Option<u64> {
    body.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(": ")?.parse().ok())
}

/// The words that `inspect` counts are those that `extract` states, and those that `explain` finds on the critical path; the
/// group that `inspect` shows is the middle one; the groups that are resident are those of the price.
#[test]
fn commands_agree_about_registers_spills_and_groups() {
    let folder = folder(&live(GROUP), LIVE);
    let gpus =
        [("a100", "estimate", [false, true]), ("gtx480", "estimate", [true, true]), ("mi50", "amd", [false, true])];
    for (gpu, origin, spills) in gpus {
        for (configuration, spills) in ["WG=256", "WG=1024"].into_iter().zip(spills) {
            let ask = |command: &str, more: &[&str]| {
                let question = [command, "spec.yaml", "--gpu", gpu, "--quiet", "--config", configuration];
                run(autotune().current_dir(folder.path()).args(question).args(more))
            };
            let answer = |command: &str, schema: &str| json(&ask(command, &["--format", "json"]), schema);
            let [inspection, explanation, evaluation] =
                [("inspect", "inspection.json"), ("explain", "explanation.json"), ("evaluate", "evaluation.json")]
                    .map(|(command, schema)| answer(command, schema));
            let body = ask("extract", &[]).stdout;
            let (resources, time) = (&inspection["resources"], &explanation["time"]);
            let words = resources["spilled"].as_u64().unwrap();
            assert_eq!(words > 0, spills, "{configuration} on {gpu}: {words} words spill");
            assert_eq!(words, stated(&body, "spilled").unwrap_or(0), "{configuration} on {gpu}: {body}");
            let path = time["path"].as_array().unwrap();
            let waits = path.iter().any(|part| part["statement"] == "registers that spill");
            assert_eq!(waits, spills, "{configuration} on {gpu}: {time}");
            assert_eq!(resources["registers_from"], origin, "{gpu}");
            let groups = inspection["launch"]["groups"][0].as_u64().unwrap();
            assert_eq!(inspection["launch"]["group"], serde_json::json!([(groups - 1) / 2, 0, 0]));
            let evaluated = &evaluation["configurations"][0];
            assert_eq!(time["ticks"], evaluated["ticks"]);
            assert_eq!(time["resident_groups"], evaluated["occupancy"]["resident_groups"]);
            assert_eq!(time["limit"], evaluated["occupancy"]["limit"]);
        }
    }
}

#[test]
fn the_group_that_is_shown_is_the_middle_one_along_each_axis() {
    let question = ["inspect", "examples/kernels/transpose.yaml", "--gpu", "a100", "--config", "TS=16,ROWS=1,PAD=0"];
    let inspection = json(&run(autotune().args(question).args(["--format", "json"])), "inspection.json");
    assert_eq!(inspection["launch"]["groups"], serde_json::json!([256, 256, 1]));
    assert_eq!(inspection["launch"]["group"], serde_json::json!([127, 127, 0]));
    let text = run(autotune().args(question)).stdout;
    assert!(text.contains("group 127,127,0"), "{text}");
}

/// The proof prunes configurations whose time may reach 2^60 ticks. An evaluation leaves their times open, which is status 3, and
/// has those of all others.
#[test]
fn what_is_proved_is_evaluated() {
    let question = ["tuning-specs/abstract_kernel.yaml", "--gpu", "fermi", "--set", "size=2^30", "--format", "json"];
    let proved = run(autotune().args(question));
    assert_eq!(proved.status, 0, "{}", proved.stderr);
    let proved = json(&proved, "result.json");
    let evaluated = run(autotune().arg("evaluate").args(question));
    assert_eq!(evaluated.status, 3, "{}", evaluated.stderr);
    let evaluated = json(&evaluated, "evaluation.json");
    let configurations = evaluated["configurations"].as_array().unwrap();
    let fastest = configurations.iter().filter(|one| one["ticks"].is_u64()).min_by_key(|one| one["ticks"].as_u64());
    let fastest = fastest.unwrap();
    assert_eq!(proved["verdict"], "proved");
    for value in ["ticks", "parameters"] {
        assert_eq!(fastest[value], proved["optimum"][value]);
    }
    assert_eq!(configurations.len(), proved["configurations"].as_array().unwrap().len());
}

/// Every number of ticks and of configurations in a text is on the page of the same answer.
#[test]
fn a_page_has_the_numbers_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi", "--no-cost", "--report"];
    let ended = run(autotune().args(question).arg(folder.path()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == ',';
    let numbers = ended.stdout.split(|letter| !is_of_number(letter)).map(|number| number.trim_matches(','));
    let numbers: Vec<&str> = numbers.filter(|number| number.len() > 2).collect();
    assert!(numbers.len() > 20, "{}", ended.stdout);
    for number in numbers {
        assert!(page.contains(number), "the page lacks {number} of\n{}", ended.stdout);
    }
}

/// The sums that `diff` compares are those of the lines that `inspect` shows, and its time is the evaluator's.
#[test]
fn a_comparison_counts_what_an_inspection_shows() {
    for (kernel, gpu, configuration) in [
        ("transpose", "a100", "TS=32,ROWS=8,PAD=1"),
        ("vector_add", "a100", "WG=128,ITEMS=2,VEC=1"),
        ("reduction", "mi50", "WG=256,TS=8,VEC=4"),
        ("convolution", "a100", "block_x=32,block_y=4,tile_x=1,tile_y=1,read_only=1"),
        ("minimum", "a100", "WG=64,TS=16"),
    ] {
        let spec = format!("examples/kernels/{kernel}.yaml");
        let ask = |words: &[&str], schema: &str| {
            let question = ["--gpu", gpu, "--quiet", "--config", configuration, "--format", "json"];
            json(&run(autotune().args(words).args(question)), schema)
        };
        let inspection = ask(&["inspect", &spec], "inspection.json");
        let evaluation = ask(&["evaluate", &spec], "evaluation.json");
        let difference = ask(&["diff", &spec, &spec], "diff.json");
        let counted = &difference["gpus"][0]["configurations"][0]["new"];
        let files = inspection["files"].as_array().unwrap();
        let lines = || files.iter().flat_map(|file| file["lines"].as_array().unwrap());
        let number = |of: &Value| of.as_f64().unwrap_or(0.0);
        let each = |of: &Value, name: &str| number(&of[name]) * number(&of["executions"]);
        let accesses = |name: &'static str| {
            lines().flat_map(|line| line["accesses"].as_array().unwrap()).map(|access| each(access, name)).sum::<f64>()
        };
        let of_lines = |name: &'static str| lines().map(|line| number(&line[name])).sum::<f64>();
        for (name, shown) in [
            ("instructions", of_lines("instructions")),
            ("fp32", of_lines("fp32")),
            ("barriers", of_lines("barriers")),
            ("sectors", accesses("sectors")),
            ("passes", accesses("passes")),
        ] {
            let sum = number(&counted["amounts"][name]);
            assert!((sum - shown).abs() < 1e-6 * shown.max(1.0), "{kernel} on {gpu}: {name} are {sum} and {shown}");
        }
        assert_eq!(counted["ticks"], evaluation["configurations"][0]["ticks"], "{kernel} on {gpu}");
        assert_eq!(counted["registers"]["value"], inspection["resources"]["registers"], "{kernel} on {gpu}");
        assert_eq!(difference["failing"], 0);
    }
}
