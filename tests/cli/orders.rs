//! The optimum in every order of simultaneous events: `--schedules any`.

use super::*;

/// The optimum wins in every order, though its time depends on it.
pub(super) const EVERY: [&str; 5] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--set", "size=32"];
/// Another configuration may win.
pub(super) const SOME: [&str; 5] = ["tuning-specs/minimum.yaml", "--gpu", "fermi", "--set", "size=16384"];

fn asked(question: &[&str], options: &[&str]) -> Ended {
    run(autotune().args(question).args(["--schedules", "any"]).args(options))
}

fn report(question: &[&str], options: &[&str]) -> (Value, i32) {
    let ended = asked(question, &[options, &["--format", "json", "--no-analysis"]].concat());
    (json(&ended, "result.json"), ended.status)
}

#[test]
fn an_optimum_that_wins_in_every_order_has_all_others_behind_its_greatest_time() {
    let (report, status) = report(&EVERY, &[]);
    let (schedules, optimum) = (&report["schedules"], report["optimum"]["ticks"].as_u64().unwrap());
    let number = |name: &str| schedules[name].as_u64().unwrap();
    assert_eq!((status, &schedules["verdict"]), (0, &"every".into()));
    assert!(number("least") <= optimum && optimum < number("greatest"), "{schedules}");
    assert!(number("others_least") >= number("greatest"));
    let explored = schedules["explored"].as_array().unwrap();
    assert_eq!(explored[0]["parameters"], report["optimum"]["parameters"]);
    for one in explored {
        let waves = one["waves"].as_array().unwrap();
        // SPIN stores the time with each state, and a state before the first choice and behind the last.
        assert!(waves.iter().all(|wave| wave["checked_states"].as_u64() > wave["states"].as_u64()), "{one}");
    }
    let counts = &report["proof"]["configurations"];
    let runnable = counts["all"].as_u64().unwrap() - counts["infeasible"].as_u64().unwrap();
    let others = number("by_bounds") + number("alike") + number("undecided");
    assert_eq!(others + explored.len() as u64, runnable);
    let printed = asked(&EVERY, &["--no-analysis"]).stdout;
    assert!(
        printed.contains("\nschedules optimal in every order of simultaneous events: it takes 115,542 to"),
        "{printed}"
    );
}

#[test]
fn a_configuration_that_may_win_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    let (report, status) = report(&SOME, &["--report", page.to_str().unwrap()]);
    let schedules = &report["schedules"];
    assert_eq!((status, &schedules["verdict"]), (0, &"some".into()));
    let rival = &schedules["may_win"][0];
    assert!(rival["ticks"].as_u64() < schedules["greatest"].as_u64() && rival["ticks"] != report["optimum"]["ticks"]);
    // The rival's own run is the one that may win.
    let parameters = rival["parameters"].as_object().unwrap();
    let config: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(rival["ticks"], evaluated_ticks(&[&SOME[..], &["--config", &config.join(",")]].concat()));
    let page = std::fs::read_to_string(page.join("index.html")).unwrap();
    assert!(page.contains("<h2 id=\"orders\">Every order</h2>") && page.contains("may win by"), "{page}");
    assert!(page.contains("ticks\"><rect class=\"near-1\""), "{page}");
}

#[test]
fn a_limit_leaves_the_question_open_and_the_optimum_proved() {
    let question = ["tuning-specs/vector_add.yaml", "--gpu", "fermi", "--set", "size=8192"];
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let (report, status) = report(&question, &["--time-limit", "8s", "--keep", kept.to_str().unwrap()]);
    assert_eq!((status, &report["verdict"], &report["schedules"]["verdict"]), (3, &"proved".into(), &"open".into()));
    assert!(report["schedules"]["reason"].as_str().unwrap().contains("time limit"), "{report}");
    // An open question claims nothing: it has no models, and three programs confirm the optimum without it.
    assert!(!kept.join("schedules").exists());
    let verified = run(autotune().arg("verify").arg(&kept));
    assert!(verified.stdout.contains("other orders of simultaneous events are open"), "{}", verified.stderr);
    let python = run(Command::new("python3").arg("check.py").current_dir(&kept));
    let script = run(Command::new("sh").arg("check.sh").current_dir(&kept));
    assert_eq!([verified.status, python.status, script.status], [0, 0, 0], "{} {}", python.stdout, script.stdout);
    let ended = asked(&question, &["--time-limit", "8s", "--require-proof"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
}

#[test]
fn the_order_of_the_warps_is_the_default_and_what_it_was() {
    let usual = run(autotune().args(SMALL).args(["--format", "json", "--no-cost", "--no-cache"]));
    let fifo = run(autotune().args(SMALL).args(["--format", "json", "--no-cost", "--no-cache", "--schedules", "fifo"]));
    assert_eq!(usual.stdout, fifo.stdout);
    assert!(json(&usual, "result.json")["schedules"].is_null());
}

/// On a lockstep GPU no order matters.
#[test]
fn compare_has_both_extremes_beside_the_proof() {
    let ended = run(autotune().arg("compare").args(SMALL).args(["--schedules", "any", "--all", "--format", "json"]));
    let report = json(&ended, "comparison.json");
    for one in report["configurations"].as_array().unwrap() {
        let (least, greatest) = (&one["schedules"]["least"], &one["schedules"]["greatest"]);
        assert_eq!((least, greatest), (&one["costs"]["machine"], &one["costs"]["machine"]), "{one}");
    }
    let printed = run(autotune().arg("compare").args(SMALL).args(["--schedules", "any"])).stdout;
    let heading = printed.lines().nth(2).unwrap().split_whitespace().take(4).collect::<Vec<_>>();
    assert_eq!(heading, ["configuration", "proved", "least", "greatest"]);
}

#[test]
fn questions_about_several_sizes_refuse_every_order_by_name() {
    let ended = run(autotune().args(["table", "tuning-specs/minimum.yaml", "--gpu", "fermi", "--schedules", "any"]));
    assert!(ended.status == 2 && ended.stderr.contains("--schedules"), "{}", ended.stderr);
}

/// A model that contradicts the evaluator: here SPIN adds 5 ticks to each launch.
#[test]
fn after_a_wrong_guess_a_bisection_follows_and_the_model_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "#!/bin/sh\n[ \"$1\" = -V ] || sed -i 's/add_low(launch)/add_low(launch + 5)/' model.pml\nexec spin \"$@\"\n";
    let spin = script(folder.path(), "spin", text);
    let ended = run(autotune().args(SMALL).args(["--no-cache", "--format", "json"]).env("AUTOTUNE_SPIN", &spin));
    let report = json(&ended, "result.json");
    assert_eq!(
        (ended.status, &report["verdict"], &report["stopped"]),
        (1, &"best_effort".into(), &"disagreement".into())
    );
    let reason = report["reason"].as_str().unwrap();
    assert!(
        reason.contains("takes 136 ticks by the evaluator, and 141 by bisection with the model (WG=4 TS=8)"),
        "{reason}"
    );
    assert_eq!(report["interval"], serde_json::json!({"lower": 136, "upper": 136}));
    let place = ended.stderr.split('`').nth(1).unwrap_or_else(|| panic!("no folder in {}", ended.stderr));
    let model = std::fs::read_to_string(Path::new(place).join("proof/model-1/model.pml")).unwrap();
    assert!(model.contains("add_low(launch + 5)"));
    std::fs::remove_dir_all(place).unwrap();
}
