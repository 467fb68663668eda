//! Times that cannot be what they seem.

use super::*;

/// The runs of a command that prints a text.
fn printed(text: &str, more: &[&str]) -> (Vec<Value>, Ended) {
    let gpu = Replay::new("");
    let ended = run(&mut gpu.other_command(&format!("echo '{text}'"), &[&["--runs", "3"], more].concat()));
    (json(&ended, "measure.json")["runs"].as_array().unwrap().clone(), ended)
}

#[test]
fn a_time_with_separators_fails_its_run() {
    for (text, more, shown) in [
        ("time: 1,234.5 ms", &[][..], "`1,234.5`"),
        ("1,5 ms", &[], "`1,5`"),
        ("1,5", &["--unit", "ms"], "`1,5`"),
        ("took 1,234.5 ms", &["--time-pattern", "took (?<time>[0-9.,]+)"], "`1,234.5`"),
        ("took 1,234.5 ms", &["--time-pattern", "(?<time>[0-9.]+) ms"], "`1,234.5`"),
    ] {
        let (runs, ended) = printed(text, more);
        assert_eq!((ended.status, runs.len()), (1, 3), "{}", ended.stderr);
        for run in runs {
            let reason = run["reason"].as_str().unwrap();
            assert!(run["status"] == "no_time" && reason.contains(shown) && reason.contains("separators"), "{run}");
        }
    }
}

#[test]
fn a_time_above_that_of_its_command_is_doubted_once() {
    let (runs, ended) = printed("50000 ms", &[]);
    assert!(runs.iter().all(|run| run["status"] == "ok"), "{runs:?}");
    let warning = "warning: run 1 prints a time of 50000 ms, but its command took ";
    assert_eq!(
        (ended.stderr.matches(warning).count(), ended.stderr.matches("warning: ").count()),
        (1, 1),
        "{}",
        ended.stderr
    );
    let (_, ended) = printed("1 ns", &[]);
    assert!(!ended.stderr.contains("warning: "), "{}", ended.stderr);
}

#[test]
fn a_time_above_the_limit_fails_its_run() {
    for (text, reason) in [
        ("1e300 s", "its time of 1e303 ms is above the `--run-limit` of 1m"),
        ("61000 ms", "its time of 6.1e4 ms is above the `--run-limit` of 1m"),
        ("1e308 s", "its time is inf ms, and not a finite number above 0"),
    ] {
        let (runs, ended) = printed(text, &[]);
        assert_eq!(ended.status, 1, "{}", ended.stderr);
        assert!(runs.iter().all(|run| run["status"] == "no_time" && run["reason"] == reason), "{runs:?}");
    }
}
