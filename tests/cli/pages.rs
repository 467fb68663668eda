//! `--report DIR`: the content of a page, and the cases without one. `tests/browser` tests the look of pages.

use super::failures::assert_fails;
use super::*;
use std::fs;

/// The page that a question writes, and the JSON that it prints.
fn page(arguments: &[&str], status: i32) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autotune().args(arguments).args(["--format", "json", "--report"]).arg(folder.path()));
    assert_eq!(ended.status, status, "{}", ended.stderr);
    (fs::read_to_string(folder.path().join("index.html")).unwrap(), json(&ended, "result.json"))
}

/// The cells of a table's rows, by the table's id.
fn rows(page: &str, table: &str) -> Vec<Vec<String>> {
    let table = &page[page.find(&format!("id=\"{table}\"")).unwrap()..];
    let body = &table[table.find("<tbody>").unwrap()..table.find("</tbody>").unwrap()];
    let cell = |cell: &str| cell[cell.find('>').unwrap() + 1..].trim().to_owned();
    body.split("<tr").skip(1).map(|row| row.split("<td").skip(1).map(cell).collect()).collect()
}

#[test]
fn a_page_has_the_results_numbers_and_the_same_bytes_for_the_same_question() {
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi", "--no-cost"];
    let (text, result) = page(&question, 0);
    let printed =
        run(autotune().args(["evaluate", "tuning-specs/reduction.yaml", "--gpu", "fermi", "--format", "json"]));
    let evaluated: Value = serde_json::from_str(&printed.stdout).unwrap();
    let ticks = |row: &[String]| row[3].replace(',', "").parse::<u64>().ok();
    let rows = rows(&text, "space");
    assert_eq!(rows.len(), result["configurations"].as_array().unwrap().len());
    // All times are the evaluator's, even those of pruned configurations; infeasible ones have none.
    for one in evaluated["configurations"].as_array().unwrap() {
        let values: Vec<String> = one["parameters"].as_object().unwrap().values().map(ToString::to_string).collect();
        let row = rows.iter().find(|row| row[..3] == values).unwrap();
        assert_eq!(ticks(row), one["ticks"].as_u64(), "{row:?}");
    }
    let by = |by: &str| rows.iter().filter(|row| row[5] == by).count();
    assert_eq!((by("proof"), by("evaluator"), by("bound")), (1, 215, 0));
    // The text is that of all kernels; the tables are this kernel's.
    for hash in ["sha256", "tables_sha256"] {
        assert!(text.contains(result["proof"]["models"][0][hash].as_str().unwrap()), "{hash}");
    }
    assert!(text.contains(
        "5 waves of 7 work groups, 513,668 ticks each; before them the launch takes 67,072 ticks. Together: 2,635,412"
    ));
    assert!(text.contains("left out: 3 more periods of"));
    assert_eq!(page(&question, 0).0, text);
    assert!(!text.contains("s of search") && page(&question[..3], 0).0.contains("had the answer"));
}

/// The text that a button copies.
fn copied(page: &str, id: &str) -> String {
    let text = &page[page.find(&format!("id=\"copy-{id}\"")).unwrap()..];
    let text = &text[text.find('>').unwrap() + 1..text.find("</pre>").unwrap()];
    text.replace("<span>", "").replace("</span>", "").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn a_page_gives_away_what_the_formats_print() {
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi", "--no-cost"];
    let (text, result) = page(&question, 0);
    for format in ["flags", "header"] {
        let printed = run(autotune().args(question).args(["--format", format]));
        assert_eq!(copied(&text, format), printed.stdout);
    }
    assert_eq!(serde_json::from_str::<Value>(&copied(&text, "json")).unwrap(), result);
    let (open, _) = page(&["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--set", "size=7"], 4);
    assert!(open.contains("copy-json") && !open.contains("copy-flags") && !open.contains("copy-header"));
}

#[test]
fn a_pages_bottleneck_is_what_explain_says_of_the_optimum() {
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi"];
    let (text, result) = page(&question, 0);
    let parameters = result["optimum"]["parameters"].as_object().unwrap();
    let configuration: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let explained =
        run(autotune().arg("explain").args(question).args(["--config", &configuration.join(","), "--format", "json"]));
    let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
    for server in explained["time"]["servers"].as_array().unwrap() {
        let share = 100.0 * server["share"].as_f64().unwrap();
        assert!(text.contains(&format!("<td class=\"n\">{share:.1} %</td>")), "{server}");
        assert!(text.contains(&format!("width=\"{share:.1}%\"")), "{server}");
    }
    let first = &explained["time"]["path"][0];
    let (statement, line) = (first["statement"].as_str().unwrap(), &first["line"]);
    assert!(text.contains(&format!("The critical path waits longest at {statement} (line {line})")), "{first}");
}

#[test]
fn the_histograms_bars_are_all_configurations_with_a_time() {
    for question in
        [["tuning-specs/reduction.yaml", "--gpu", "fermi"], ["tuning-specs/measured/gemm.yaml", "--gpu", "rtx2080ti"]]
    {
        let (text, result) = page(&question, 0);
        let bar = |class: &str| -> u64 {
            let begin = format!("<rect class=\"{class}\" data-count=\"");
            let bars = text.split(&begin).skip(1);
            bars.map(|bar| bar[..bar.find('"').unwrap()].parse::<u64>().unwrap()).sum()
        };
        let [first, second, slower] = ["near-1", "near-2", "slower"].map(bar);
        let counted = first + second + slower;
        let printed = text[text.find("id=\"times\"").unwrap()..].split("<p>").nth(1).unwrap().replace(',', "");
        assert!(printed.starts_with(&format!("{counted} of ")), "{printed}");
        let configurations = result["configurations"].as_array().unwrap();
        if configurations.len() as u64 == result["proof"]["configurations"]["all"].as_u64().unwrap() {
            let can_run = configurations.iter().filter(|one| one["status"] != "infeasible").count() as u64;
            let within = |place: usize| result["near"]["within"][place]["configurations"].as_u64().unwrap();
            assert_eq!((counted, first, first + second), (can_run, within(0), within(1)));
        } else {
            assert!(printed.contains("are drawn at random"), "{printed}");
        }
    }
}

#[test]
fn what_is_not_proved_has_a_page_that_says_so() {
    let spec = "tuning-specs/matmul_tiled.yaml";
    let (open, _) = page(&[spec, "--gpu", "fermi", "--no-cache", "--time-limit", "1ms"], 3);
    assert!(open.contains("not proved</span> Stopped by time") && !open.contains("id=\"timeline\""));
    let (infeasible, _) = page(&[spec, "--gpu", "fermi", "--set", "size=7"], 4);
    assert!(infeasible.contains("No configuration can run") && infeasible.contains("id=\"rules\""));
    let (one, _) = page(&[spec, "--gpu", "fermi", "--config", "TS=16,ROWS=2,COLS=8"], 0);
    assert!(one.contains("74,864,818") && !one.contains("id=\"heat\""));
}

/// A search that the memory limit ends: times are known, but no optimum.
#[test]
fn the_page_of_an_open_interval_claims_no_optimum() {
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100"];
    let limit = ["--form", "roles", "--memory", "16MiB", "--no-cache"];
    let (text, result) = page(&[question.as_slice(), limit.as_slice()].concat(), 3);
    let is_drawn = |words: &str| text.lines().any(|line| line == words);
    assert!(is_drawn("best known") && is_drawn("time / best known") && !is_drawn("optimum"));
    assert!(!text.contains("/ optimum") && !text.contains("Proved in") && text.contains("<p>Took "), "{text}");
    let rows = rows(&text, "space");
    let fate = |fate: &str| rows.iter().filter(|row| row[6] == fate).count();
    let listed = result["configurations"].as_array().unwrap();
    let checked = listed.iter().filter(|one| one["status"] == "checked").count();
    assert_eq!((fate("to be searched by SPIN"), fate("searched by SPIN")), (checked, 0));
    assert!(checked > 0 && rows.iter().all(|row| row[5] != "proof"));
    let best = &result["best_known"]["parameters"];
    for (name, value) in best.as_object().unwrap() {
        assert!(text.contains(&format!("<dt>{name}</dt><dd>{value}</dd>")), "{name}={value}");
    }
}

#[test]
fn the_page_of_a_space_in_which_nothing_runs_tells_no_time() {
    let (text, _) = page(&["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--set", "size=7"], 4);
    assert!(text.contains("<p>Took ") && text.contains("All 120 configurations of the space, in the space"));
    for claim in ["Proved in", "fastest", "evaluator", "<h2 id=\"optimum\">Optimum"] {
        assert!(!text.contains(claim), "{claim}");
    }
}

#[test]
fn of_a_large_space_the_page_shows_what_is_drawn_from_it() {
    let (text, result) = page(&["tuning-specs/measured/gemm.yaml", "--gpu", "rtx2080ti", "--no-cost"], 0);
    assert!(result["proof"]["configurations"]["all"].as_u64().unwrap() > 10_000);
    assert!(text.contains("of it are drawn at random") && text.contains("id=\"heat\"") && text.len() < 2 << 20);
    assert_eq!(rows(&text, "space").len(), result["configurations"].as_array().unwrap().len());
}

#[test]
fn a_strangers_words_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let spec = fs::read_to_string("tuning-specs/abstract_kernel.yaml").unwrap();
    let words = "</script><img src=x onerror=alert(1)>";
    let kernel = spec.lines().find(|line| line.starts_with("kernel:")).unwrap().to_owned();
    let spec = spec.replace(&kernel, "kernel: abstract_kernel").replacen(
        "description:",
        &format!("description: '{words}' #"),
        1,
    );
    let path = script(folder.path(), "hostile.yaml", &spec);
    let (text, _) = page(&[path.to_str().unwrap(), "--gpu", "abstract-tiny", "--set", "size=16"], 0);
    assert!(!text.contains("<img") && text.contains("&lt;img src=x onerror=alert(1)&gt;"), "{text}");
    assert_eq!(text.matches("</script>").count(), 1);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_the_proof() {
    // Without SPIN a proof is impossible, so only earlier messages appear.
    let unusable = |folder: &Path, words: &[&str]| {
        let mut command = autotune();
        let command =
            command.args(SMALL).arg("--no-cache").env("AUTOTUNE_SPIN", "/nowhere/spin").arg("--report").arg(folder);
        assert_fails(command, 2, words);
    };
    unusable(Path::new("/proc/pages"), &["cannot write pages into `/proc/pages`", "that you may write to"]);
    unusable(Path::new("Cargo.toml"), &["Cargo.toml"]);
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let both = run(autotune().args(SMALL).arg("--keep").arg(&kept).arg("--report").arg(kept.join(".")));
    assert!(both.status == 2 && both.stderr.contains("name two"), "{}", both.stderr);
    let mine = folder.path().join("index.html");
    fs::write(&mine, "<!doctype html><title>mine</title>").unwrap();
    unusable(folder.path(), &["index.html` is not a page of autotune", "move the file away"]);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "<!doctype html><title>mine</title>");
}

#[test]
fn a_page_replaces_one_of_an_earlier_run_and_leaves_nothing_else() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("new").join("pages");
    for size in ["size=16", "size=32"] {
        let ended = run(autotune().args(&SMALL[..4]).arg(size).arg("--report").arg(&folder));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
    }
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["index.html"]);
    assert!(fs::read_to_string(folder.join("index.html")).unwrap().contains("size = 32"));
}

/// The page that a comparison writes, and the JSON that it prints.
fn compared(arguments: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let ended =
        run(autotune().arg("compare").args(arguments).args(["--format", "json", "--report"]).arg(folder.path()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    (fs::read_to_string(folder.path().join("index.html")).unwrap(), json(&ended, "comparison.json"))
}

/// The parts of the bars of first choices: the percentages that stand before `attribute` ends.
fn bars(page: &str, attribute: &str) -> Vec<f64> {
    let parts = page.split(attribute).skip(1);
    parts.map(|part| part[..part.find('%').unwrap()].parse().unwrap()).collect()
}

#[test]
fn the_page_of_a_comparison_has_the_results_numbers() {
    let question = ["tuning-specs/transpose.yaml", "--gpu", "gtx1050", "--all"];
    let (text, result) = compared(&question);
    assert_eq!(compared(&question).0, text, "the same question gives the same bytes");
    assert!(!text.contains("http://") || text.matches("http://").count() == text.matches("http://www.w3.org").count());
    // A bar for each model that chooses, with the mean in the same place as in the result.
    let winners: Vec<&Value> = result["winners"].as_object().unwrap().values().collect();
    let part = |key: &str| winners.iter().map(|one| one["relative"][key].as_f64().unwrap()).collect::<Vec<_>>();
    let slowest = part("worst").into_iter().fold(1.0, f64::max);
    for (key, attribute) in [("best", "class=\"issue\" width=\""), ("mean", "class=\"memory\" x=\"")] {
        let drawn = bars(&text, attribute);
        assert_eq!(drawn.len(), 6);
        for (drawn, time) in drawn.into_iter().zip(part(key)) {
            assert!((drawn - 100.0 * time / slowest).abs() <= 0.05 + 1e-9, "{key}: {drawn} of {time}");
        }
    }
    assert_eq!(text.matches("<figure>").count(), 5);
    for (table, rows_of) in [("pairs", "agreement"), ("all", "configurations")] {
        assert_eq!(rows(&text, table).len(), result[rows_of].as_array().unwrap().len());
    }
    // The machine and the wave model: as in the text of the guide.
    assert_eq!(rows(&text, "pairs")[3], ["machine", "waves", "44", "0.14", "0.18"]);
    let apart = ["machine", "waves", "TS=64 ROWS=8 PAD=0", "39.0", "4.5", "local 93 %", "dram 100 %"];
    assert_eq!(rows(&text, "farthest")[3], apart);
    let optimum = &rows(&text, "all")[0];
    assert_eq!((optimum[0].as_str(), optimum[1].as_str()), ("TS=64 ROWS=32 PAD=1", "32,851,803"));
}

#[test]
fn a_comparison_overwrites_no_file_of_a_user_and_says_so_before_the_proof() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("index.html");
    fs::write(&mine, "<!doctype html><title>mine</title>").unwrap();
    let mut command = autotune();
    let command = command.arg("compare").args(SMALL).arg("--no-cache").env("AUTOTUNE_SPIN", "/nowhere/spin");
    assert_fails(command.arg("--report").arg(folder.path()), 2, &["index.html` is not a page of autotune"]);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "<!doctype html><title>mine</title>");
    fs::remove_file(&mine).unwrap();
    for _ in 0..2 {
        let ended = run(autotune().arg("compare").args(SMALL).arg("--report").arg(folder.path()));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
    }
    let kept = folder.path().join("kept");
    let both = run(autotune().arg("compare").args(SMALL).arg("--keep").arg(&kept).arg("--report").arg(kept.join(".")));
    assert!(both.status == 2 && both.stderr.contains("name two"), "{}", both.stderr);
}

#[test]
fn the_page_of_a_large_comparison_is_not_large() {
    let spec = ["tuning-specs/measured/convolution_milo17.yaml", "--gpu", "mi50", "--all"];
    let (text, result) = compared(&spec);
    assert!(text.len() < 2 << 20, "{} bytes", text.len());
    let all = result["configurations"].as_array().unwrap().len();
    assert!(text.contains(&format!("{} more configurations are in the JSON", all - 1000)), "of {all}");
    assert!(text.contains("500 points or fewer"));
}
