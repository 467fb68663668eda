//! Near ties and preferences, as users meet them: compared with a brute force over `evaluate`'s times of each
//! configuration.

use std::collections::BTreeSet;
use std::process::Command as Process;

use super::failures::assert_fails;
use super::*;

const TRANSPOSE: [&str; 3] = ["tuning-specs/transpose.yaml", "--gpu", "volta"];
/// An expert's choice by hand: tiles of 32, padded, moved by 32 x 8 work items.
const EXPERTS: [&str; 4] = ["--within", "2", "--prefer", "TS == 32 && lines == 8, PAD == 1"];

/// A configuration's values in the order of the parameters, and its ticks.
pub(super) type Timed = (Vec<i64>, u64);

/// Every configuration that can run, with its time by the evaluator, in the space's order.
pub(super) fn evaluated(question: &[&str]) -> (Vec<String>, Vec<Timed>) {
    let ended = run(autotune().arg("evaluate").args(question).args(["--format", "json"]));
    let result = json(&ended, "evaluation.json");
    let all = result["configurations"].as_array().unwrap();
    let names = all[0]["parameters"].as_object().unwrap().keys().cloned().collect();
    let timed = all.iter().filter_map(|one| {
        let values = one["parameters"].as_object().unwrap().values().map(|value| value.as_i64().unwrap());
        Some((values.collect(), one["ticks"].as_u64()?))
    });
    (names, timed.collect())
}

fn tuned(question: &[&str], options: &[&str]) -> Value {
    let ended = run(autotune().args(question).args(["--format", "json"]).args(options));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    json(&ended, "result.json")
}

fn values(parameters: &Value) -> Vec<i64> {
    parameters.as_object().unwrap().values().map(|value| value.as_i64().unwrap()).collect()
}

/// Checks a result's claims about near ties by brute force; `millionths` of a percent are asked for.
fn assert_near(question: &[&str], millionths: u64) -> Value {
    let percent = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    let result = tuned(question, &["--within", &percent]);
    let (names, all) = evaluated(question);
    let least = all.iter().map(|(_, ticks)| *ticks).min().unwrap();
    assert_eq!(result["optimum"]["ticks"], least);
    let mut asked = BTreeSet::from([1_000_000, 2_000_000, millionths]).into_iter();
    for within in result["near"]["within"].as_array().unwrap() {
        let millionths = asked.next().unwrap();
        assert!(
            (within["percent"].as_f64().unwrap() * 1e6 - f64::from(u32::try_from(millionths).unwrap())).abs() < 0.5
        );
        let limit = (100_000_000 + u128::from(millionths)) * u128::from(least);
        let is_near = |ticks: u64| 100_000_000 * u128::from(ticks) <= limit;
        let near: Vec<&Timed> = all.iter().filter(|(_, ticks)| is_near(*ticks)).collect();
        assert_eq!((&within["configurations"], &within["not_evaluated"]), (&near.len().into(), &0.into()));
        let mut printed = within["parameters"].as_array().unwrap().iter();
        for (place, name) in names.iter().enumerate() {
            let of = |timed: &[&Timed]| timed.iter().map(|(values, _)| values[place]).collect::<BTreeSet<i64>>();
            let taken = of(&near);
            if of(&all.iter().collect::<Vec<_>>()).len() < 2 {
                continue;
            }
            let leaves = near.iter().any(|(one, _)| {
                all.iter().any(|(other, ticks)| {
                    !is_near(*ticks) && (0..names.len()).all(|at| (one[at] != other[at]) == (at == place))
                })
            });
            let parameter = printed.next().unwrap();
            assert_eq!(parameter["name"], name.as_str());
            assert_eq!(parameter["matters"], taken.len() < 2 || leaves, "{name} within {millionths}");
            let listed = parameter["values"].as_array().unwrap().iter().map(|value| value.as_i64().unwrap());
            assert_eq!(listed.collect::<BTreeSet<i64>>(), taken);
        }
        assert!(printed.next().is_none());
    }
    assert!(asked.next().is_none());
    result
}

/// 44 configurations are feasible; most of them are as good as the optimum, as far as the machine can distinguish.
#[test]
fn counts_and_what_matters_are_those_of_brute_force() {
    assert_eq!(evaluated(&TRANSPOSE).1.len(), 44);
    for millionths in [0, 50_000, 71_948, 1_000_000, 1_500_000, 99_999_999] {
        let result = assert_near(&TRANSPOSE, millionths);
        let counts = result["near"]["within"].as_array().unwrap().iter();
        let of = |percent: u64| counts.clone().find(|one| one["percent"] == percent).unwrap()["configurations"].clone();
        assert_eq!((of(1), of(2)), (36.into(), 36.into()));
    }
    assert_near(&["tuning-specs/reduction.yaml", "--gpu", "fermi"], 10_000_000);
    assert_near(&["tuning-specs/vector_add.yaml", "--gpu", "mi50"], 5_000_000);
    assert_near(&SMALL, 50_000_000);
}

/// The best are in the evaluator's order, although lower bounds exclude some of them from the proof.
#[test]
fn the_best_are_told_in_their_true_order() {
    let questions = [&TRANSPOSE[..], &["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi"], &SMALL];
    for question in questions {
        let (_, mut all) = evaluated(question);
        all.sort_by_key(|(_, ticks)| *ticks);
        let times: Vec<u64> = all.iter().map(|(_, ticks)| *ticks).collect();
        let result = tuned(question, &[]);
        let best = result["near"]["best"].as_array().unwrap();
        assert_eq!(best.iter().map(|one| one["ticks"].as_u64().unwrap()).collect::<Vec<_>>(), times[..5]);
        assert!(best.iter().all(|one| all.contains(&(values(&one["parameters"]), one["ticks"].as_u64().unwrap()))));
        let listed = result["configurations"].as_array().unwrap();
        let status =
            |one: &Value| &listed.iter().find(|other| other["parameters"] == one["parameters"]).unwrap()["status"];
        assert!(question != TRANSPOSE || best.iter().any(|one| status(one) == "pruned"));
    }
}

/// N configurations are proved, not N programs: a program's configurations are all among them.
#[test]
fn top_proves_configurations() {
    for question in [&TRANSPOSE[..], &SMALL] {
        let (_, mut all) = evaluated(question);
        all.sort_by_key(|(_, ticks)| *ticks);
        for most in [2, 3, 4, 9] {
            let result = tuned(question, &["--top", &most.to_string()]);
            let top = result["top"].as_array().unwrap();
            let times: Vec<u64> = top.iter().map(|one| one["ticks"].as_u64().unwrap()).collect();
            assert_eq!(times, all[..most].iter().map(|(_, ticks)| *ticks).collect::<Vec<_>>(), "{most}");
            let named: BTreeSet<Vec<i64>> = top.iter().map(|one| values(&one["parameters"])).collect();
            assert_eq!(named.len(), most);
            let begins = result["near"]["best"].as_array().unwrap().iter().take(most);
            assert!(begins.zip(top).all(|(best, top)| best["parameters"] == top["parameters"]));
        }
    }
    // TS=8 ROWS=4 has one program with PAD=0 and PAD=1.
    let result = tuned(&TRANSPOSE, &["--top", "19"]);
    assert_eq!(values(&result["top"][18]["parameters"]), [8, 4, 1]);
    assert_eq!(values(&result["top"][18]["same_as"]), [8, 4, 0]);
}

#[test]
fn the_experts_configuration_is_chosen_where_it_is_near() {
    let result = tuned(&TRANSPOSE, &EXPERTS);
    let (near, optimum) = (&result["near"], result["optimum"]["ticks"].as_u64().unwrap());
    assert_eq!(
        (values(&near["chosen"]["parameters"]), near["chosen"]["work_group"].as_u64()),
        (vec![32, 4, 1], Some(256))
    );
    let (_, all) = evaluated(&TRANSPOSE);
    let ticks = near["chosen"]["ticks"].as_u64().unwrap();
    assert!(all.contains(&(vec![32, 4, 1], ticks)) && ticks > optimum && 100 * ticks <= 102 * optimum);
    assert_eq!(near["chosen_by"], "TS == 32 && lines == 8, PAD == 1");
    let printed = run(autotune().args(TRANSPOSE).args(EXPERTS)).stdout;
    let line = "chosen    TS=32 ROWS=4 PAD=1, 0.05 % above the proved optimum, preferred by TS == 32 && lines == 8, PAD == 1\n";
    assert!(printed.contains(line) && printed.contains("\noptimum   TS=32 ROWS=32 PAD=1, "), "{printed}");
    // The expert's choice is too slow for these percentages; of the two exact ties one is preferred.
    let strict = tuned(&TRANSPOSE, &[&["--within", "0.04"], &EXPERTS[2..]].concat());
    assert_eq!(values(&strict["optimum"]["parameters"]), [32, 32, 1]);
    assert_eq!(strict["near"]["chosen_by"], "PAD == 1, the least time");
    assert!(tuned(&TRANSPOSE, &EXPERTS[2..])["near"]["chosen"].is_null());
}

/// An honoured preference is shown even if it picks the optimum; ties are distinguished by the values that differ.
#[test]
fn a_preferred_optimum_is_told_with_what_decided() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--within", "2", "--prefer", "TS == 32"];
    let printed = run(autotune().args(TRANSPOSE).args(options).arg("--report").arg(folder.path())).stdout;
    assert!(
        printed
            .contains("\nchosen    the optimum, preferred by TS == 32, the least time, the order of the space\nrecommended  the optimum: "),
        "{printed}"
    );
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(
        page.contains("Chosen is the optimum, preferred by TS == 32, the least time, the order of the space."),
        "{page}"
    );
    assert!(!run(autotune().args(TRANSPOSE).args(&options[..2])).stdout.contains("\nchosen "));
    let tile = tuned(&SMALL, &[])["optimum"]["parameters"]["TS"].clone();
    let options = ["--within", "100", "--prefer", &format!("TS == {tile}")];
    let near = tuned(&SMALL, &options)["near"].clone();
    let all = format!("TS == {tile}, the least time, the larger work group");
    assert_eq!((&near["chosen_by"], &near["optimum_by"]), (&all.as_str().into(), &"the larger work group".into()));
    let printed = run(autotune().args(SMALL).args(options)).stdout;
    assert!(printed.contains("\nas fast   with WG=4; preferred is the larger work group\n"), "{printed}");
    assert!(printed.contains(&format!("\nchosen    the optimum, preferred by {all}\n")), "{printed}");
}

/// Counts are shown even if the optimum is alone within the percentage.
#[test]
fn counts_are_told_beside_an_optimum_alone() {
    let printed = run(autotune().args(["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--within", "0"])).stdout;
    let line = "\nnear ties 1 of 77 within 0 %, 2 within 1 %, 2 within 2 %; within 0 %: the optimum only\n";
    assert!(printed.contains(line), "{printed}");
}

/// The export has the chosen configuration.
#[test]
fn exports_take_the_choice() {
    let ask = |format| run(autotune().args(TRANSPOSE).args(EXPERTS).args(["--format", format])).stdout;
    assert_eq!(ask("flags"), "-DTS=32 -DROWS=4 -DPAD=1\n");
    assert_eq!(ask("shell"), "TS=32\nROWS=4\nPAD=1\n");
    let header = ask("header");
    for words in [
        "0.05 % above the proved optimum, preferred by TS == 32",
        "optimum TS=32 ROWS=32 PAD=1: 4344224",
        "#define ROWS 4",
    ] {
        assert!(header.contains(words), "{header}");
    }
    let restrictions: Value = serde_json::from_str(&ask("restrictions")).unwrap();
    assert_eq!(restrictions["x0"], serde_json::json!([32, 4, 1]));
    assert_eq!(values(&restrictions["promising"][0]["parameters"]), [32, 32, 1]);
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("result.json");
    std::fs::write(&kept, ask("json")).unwrap();
    let exported = run(autotune().arg("export").arg(&kept).args(["--format", "flags"]));
    assert_eq!((exported.status, exported.stdout), (0, ask("flags")));
}

/// Another preference does not need another proof: the known one stands, and the choice is made again.
#[test]
fn another_choice_is_made_beside_the_known_proof() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |options: &[&str]| {
        let mut command = autotune();
        command
            .env("XDG_CACHE_HOME", folder.path())
            .args(TRANSPOSE)
            .args(["--format", "json", "--top", "3"])
            .args(options);
        run(&mut command)
    };
    let known = |options: &[&str]| json(&ask(options), "result.json")["cost"]["cached"].as_bool().unwrap();
    assert!(!known(&[]));
    for options in [&EXPERTS[..], &["--prefer", "max ROWS, min registers"], &["--within", "12.5"], &[]] {
        assert!(known(options), "{options:?}");
        let printed = ask(&[options, &["--no-cost"]].concat()).stdout;
        assert_eq!(printed, ask(&[options, &["--no-cost", "--no-cache"]].concat()).stdout, "{options:?}");
    }
}

/// The choice is part of the kept folder, and is verified.
#[test]
fn a_kept_proof_has_its_choice() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let printed = run(autotune().args(TRANSPOSE).args(EXPERTS).arg("--keep").arg(&kept));
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let verify = || run(autotune().arg("verify").arg(&kept));
    assert_eq!(verify().status, 0, "{}", verify().stderr);
    let check = || Process::new("python3").arg(kept.join("check.py")).output().unwrap();
    assert!(check().status.success(), "{}", String::from_utf8_lossy(&check().stdout));
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(kept.join("kept.json")).unwrap()).unwrap();
    assert_eq!(
        (&manifest["questions"][0]["prefer"], &manifest["questions"][0]["options"]["within"]),
        (&EXPERTS[3].into(), &2.into())
    );
}

#[test]
fn preferences_that_cannot_be_read_are_2_and_say_where() {
    let fails = |prefer: &str, printed: &[&str]| {
        assert_fails(autotune().args(TRANSPOSE).args(["--prefer", prefer]), 2, printed);
    };
    fails("max TS, min ROW", &["unknown name `ROW`", "--prefer:1:13", "did you mean `ROWS`?"]);
    fails("TS", &["`TS` is not a preference", "--prefer:1:1", "`max E`, `min E`, or a condition"]);
    fails("max TS,, PAD == 1", &["found the end of the expression", "--prefer:1:8"]);
    fails("", &["found the end of the expression", "--prefer:1:1"]);
    fails("max (TS, ROWS)", &["`max (TS, ROWS)` is not a preference", "--prefer:1:1"]);
    fails("min max", &["--prefer:1:5"]);
    fails("max TS ROWS", &["--prefer:1:8", "`ROWS`"]);
    fails("max work_groups", &["did you mean `work_group`?"]);
    fails(
        "max frobnicate",
        &["unknown name `frobnicate`", "configuration's `work_group`, `registers` and `local_memory`"],
    );
    fails("min 1 / PAD", &["division by zero", "--prefer:1:5", "PAD = 0"]);
    fails("min concurrent", &["`concurrent`", "footprint"]);
    for percent in ["-1", "101", "1.2345678", "two", "2%"] {
        assert_fails(autotune().args(TRANSPOSE).args(["--within", percent]), 2, &[percent]);
    }
}

#[test]
fn a_specs_own_preferences_are_read_and_told_where_they_are_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.yaml");
    let text = std::fs::read_to_string("tuning-specs/transpose.yaml").unwrap();
    let spec = path.to_str().unwrap();
    let write = |prefer: &str| std::fs::write(&path, format!("{text}prefer: {prefer}\n")).unwrap();
    let line = text.lines().count() + 1;
    let fails = |prefer: &str, printed: &[&str]| {
        write(prefer);
        assert_fails(autotune().args([spec, "--gpu", "volta"]), 2, printed);
    };
    fails("[min ROWS, max ROW]", &["unknown name `ROW`", &format!("own.yaml:{line}:24"), "did you mean `ROWS`?"]);
    fails("[max(TS, ROWS) == 4]", &["own.yaml", "comma"]);
    fails("[PAD]", &["`PAD` is not a preference", &format!("own.yaml:{line}:10")]);
    fails("[3]", &["`3` is not a preference"]);
    fails("max TS", &["own.yaml", "a list"]);
    fails("\n  - min registers\n  - 'max  TS *  ROW'", &["unknown name `ROW`", &format!("own.yaml:{}:17", line + 2)]);
    write("[TS == 32 && lines == 8, 'max(PAD, 1) == PAD']");
    let own = tuned(&[spec, "--gpu", "volta"], &["--within", "2"]);
    assert_eq!(values(&own["near"]["chosen"]["parameters"]), [32, 4, 1]);
    assert_eq!(own["near"]["prefer"], serde_json::json!(["TS == 32 && lines == 8", "max(PAD, 1) == PAD"]));
    let other = tuned(&[spec, "--gpu", "volta"], &["--within", "2", "--prefer", "max TS, min ROWS"]);
    assert_eq!(
        (values(&other["near"]["chosen"]["parameters"])[0], &other["near"]["prefer"][0]),
        (64, &"max TS".into())
    );
}

/// Optimum, near ties, the five best, the proof in three lines, the measurements: together they fit on a terminal's
/// screen.
#[test]
fn an_answer_stays_on_one_screen() {
    for question in [&TRANSPOSE[..], &["tuning-specs/convolution_2d.yaml", "--gpu", "ampere"], &SMALL] {
        let printed = run(autotune().args(question).args(["--no-cache"])).stdout;
        assert!(printed.lines().count() <= 24, "{printed}");
        let lines: Vec<&str> = printed.lines().collect();
        let proof = lines.iter().position(|line| line.starts_with("proof ")).unwrap();
        assert!(
            lines[proof + 1].starts_with("          of ") && lines[proof + 2].starts_with("          spin "),
            "{printed}"
        );
        // Nothing is expected of a machine on paper.
        let behind = if question.contains(&"abstract-tiny") { "formulas  " } else { "expected  " };
        assert!(lines[proof + 3].starts_with(behind), "{printed}");
        let table = lines.iter().position(|line| line.starts_with(" configuration ")).unwrap();
        assert_eq!(lines[table + 6], "", "{printed}");
    }
}

/// An answer says what its optimum is expected to be worth on the real GPU. Of a machine on paper nothing was measured, and a
/// single configuration leaves nothing to pick.
#[test]
fn an_answer_says_what_its_optimum_is_expected_to_be_worth() {
    let spec = "tuning-specs/vector_add.yaml";
    let result = tuned(&[spec, "--gpu", "ampere"], &[]);
    let (expected, configurations) = (&result["expected"], &result["proof"]["configurations"]);
    let fraction = |of: &str| expected[of].as_f64().unwrap();
    assert!(0.3 < fraction("bound") && fraction("bound") < fraction("value") && fraction("value") < 1.0, "{expected}");
    let feasible = configurations["all"].as_u64().unwrap() - configurations["infeasible"].as_u64().unwrap();
    assert_eq!(expected["traits"]["configurations"], feasible);
    let printed = run(autotune().args([spec, "--gpu", "ampere"])).stdout;
    let line =
        format!("\nexpected  {:.2} of the best speed (90 % bound {:.2})\n", fraction("value"), fraction("bound"));
    assert!(printed.contains(&line), "{printed}");
    let small = run(autotune().args(SMALL)).stdout;
    assert!(small.contains("\nas fast   with WG=4; preferred is the larger work group\n"), "{small}");
    assert!(!small.contains("\nexpected  "), "{small}");
    let alone = tuned(&[spec, "--gpu", "ampere"], &["--config", "WG=64,ITEMS=8,VEC=4"]);
    assert_eq!(alone["expected"], serde_json::Value::Null);
}

/// The page shows the result's near ties, choice and expectation; a batch counts the near ties of each job.
#[test]
fn page_and_batch_tell_the_near_ties() {
    let folder = tempfile::tempdir().unwrap();
    let (page, batch) = (folder.path().join("page"), folder.path().join("batch"));
    let ended = run(autotune().args(TRANSPOSE).args(EXPERTS).args(["--format", "json", "--report"]).arg(&page));
    let within = json(&ended, "result.json")["near"]["within"].clone();
    let text = std::fs::read_to_string(page.join("index.html")).unwrap();
    let section = &text[text.find("<h2 id=\"near\">").unwrap()..];
    let section = &section[..section.find("</section>").unwrap()];
    for words in
        ["<code>TS=32 ROWS=4 PAD=1</code>: 0.05 % above the proved optimum, preferred by TS == 32", "<p>Expected: 0."]
    {
        assert!(section.contains(words), "{section}");
    }
    for one in within.as_array().unwrap() {
        let row = format!("{} %</td><td class=\"n\">{}</td>", one["percent"], one["configurations"]);
        assert!(section.contains(&row), "{section}");
    }
    let list = folder.path().join("jobs.yaml");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs/transpose.yaml");
    std::fs::write(&list, format!("jobs: [ {{ specs: [{}], gpus: [volta] }} ]\n", spec.display())).unwrap();
    let answer = |format: &str| {
        let mut command = autotune();
        command.arg("batch").arg(&list).arg("--out").arg(&batch).args(["--quiet", "--resume", "--format", format]);
        run(command.arg("--report").arg(&page))
    };
    let jobs = json(&answer("json"), "batch_summary.json")["jobs"].clone();
    assert_eq!(jobs[0]["near"]["within"], within);
    assert!(answer("text").stdout.contains("  36   36  "), "{}", answer("text").stdout);
    let text = std::fs::read_to_string(page.join("index.html")).unwrap();
    assert!(text.contains("within 1 %</th>") && text.contains("<td class=\"n\">36<td class=\"n\">36"), "{text}");
}
