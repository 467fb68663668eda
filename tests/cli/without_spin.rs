//! A system without SPIN, a C compiler or clang: the native evaluator answers, nothing is called proved, and each message
//! has the command that installs what is missing.

use std::os::unix::fs::symlink;

use super::failures::assert_fails;
use super::*;

const QUESTION: [&str; 3] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "volta"];

/// A system whose search path has these programs of this one, and a package manager.
struct System {
    folder: tempfile::TempDir,
}

impl System {
    fn with(programs: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for program in programs {
            symlink(which::which(program).unwrap(), folder.path().join(program)).unwrap();
        }
        script(folder.path(), "apt-get", "#!/bin/sh\n");
        Self { folder }
    }

    fn autotune(&self) -> Command {
        let mut command = autotune();
        command.env("PATH", self.folder.path()).env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command
    }
}

#[test]
fn without_spin_the_evaluator_answers_and_nothing_is_proved() {
    let system = System::with(&["gcc"]);
    let text = run(system.autotune().args(QUESTION));
    assert_eq!((text.status, text.stderr.as_str()), (3, ""));
    for line in [
        "\nNOT PROVED: SPIN is not installed (",
        "apt-get install spin)\nopen ",
        "\nbest      TS=32 ROWS=8 COLS=4: 4,798,666 ticks (196.0 microseconds) by the evaluator, not proved\n",
    ] {
        assert!(text.stdout.contains(line), "{line}{}", text.stdout);
    }
    let pages = system.folder.path().join("pages");
    let asked = run(system.autotune().args(QUESTION).args(["--format", "json", "--report"]).arg(&pages));
    let report = json(&asked, "result.json");
    assert_eq!((asked.status, &report["verdict"], &report["stopped"]), (3, &"best_effort".into(), &"checker".into()));
    assert_eq!((&report["interval"]["upper"], &report["best_known"]["ticks"]), (&4_798_666.into(), &4_798_666.into()));
    let page = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(page.contains("not proved</span> SPIN is not installed (") && !page.contains("Stopped by"), "{page}");
    let exported = run(system.autotune().args(QUESTION).args(["--format", "header"]));
    assert_eq!((exported.status, exported.stdout.as_str()), (3, ""));
    assert!(exported.stderr.starts_with("note: there is nothing to print: SPIN is not installed ("));
    // Nothing was cached as proved: with SPIN, the same question is proved by a search.
    let mut proving = autotune();
    proving.env("XDG_CACHE_HOME", system.folder.path().join("cache"));
    let proved = json(&run(proving.args(QUESTION).args(["--format", "json"])), "result.json");
    assert_eq!((&proved["verdict"], &proved["optimum"]["ticks"]), (&"proved".into(), &4_798_666.into()));
    assert_eq!(proved["cost"]["cached"], false);
}

#[test]
fn several_scenarios_are_answered_without_spin() {
    let system = System::with(&["gcc"]);
    for (variants, chosen) in [("1", "best"), ("2", "variants")] {
        let asked = [&QUESTION[..2], &["volta,fermi", "--variants", variants]].concat();
        let text = run(system.autotune().args(&asked));
        assert_eq!(text.status, 3, "{}", text.stderr);
        assert!(text.stdout.contains("\nNOT PROVED: SPIN is not installed ("), "{}", text.stdout);
        let report = json(&run(system.autotune().args(&asked).args(["--format", "json"])), "fleet.json");
        assert_eq!((&report["verdict"], &report["stopped"]), (&"best_effort".into(), &"checker".into()));
        let proved = json(&run(autotune().args(&asked).args(["--format", "json"])), "fleet.json");
        assert_eq!(report[chosen][0], proved[chosen][0]);
        assert!(report["scenarios"][0]["optimum"].is_null());
    }
    let table = ["table", QUESTION[0], "--gpu", "volta", "--set", "size=512,1024", "--prove"];
    let words = ["the table is not proved: SPIN is not installed (", "help: leave `--prove` out"];
    assert_fails(system.autotune().args(table), 3, &words);
    let nowhere = run(system.autotune().args([&QUESTION[..2], &["a100,h100", "--set", "size=7"]].concat()));
    assert_eq!(nowhere.status, 4, "{}", nowhere.stderr);
}

#[test]
fn what_only_spin_can_give_is_refused_without_it() {
    let system = System::with(&["gcc"]);
    let kept = system.folder.path().join("kept");
    let words =
        ["cannot find SPIN: no `spin` on the search path\nhelp: install it: `", "apt-get install spin`, or name"];
    assert_fails(system.autotune().args(QUESTION).arg("--keep").arg(&kept), 1, &words);
    assert!(!kept.exists());
    assert_fails(system.autotune().args(QUESTION).args(["--strategy", "bisection"]), 1, &words);
    assert_fails(system.autotune().args(QUESTION).args(["--strategy", "branch-and-bound"]), 1, &words);
    assert_fails(system.autotune().arg("compare").args(QUESTION), 1, &words);
    assert_fails(system.autotune().arg("verify").arg(system.folder.path()), 1, &words);
    let fleet = [&QUESTION[..2], &["volta,fermi", "--keep"]].concat();
    assert_fails(system.autotune().args(fleet).arg(&kept), 1, &words);
}

#[test]
fn an_answer_that_must_be_proved_is_else_an_error() {
    let system = System::with(&["gcc"]);
    let missing = ["it is not proved: SPIN is not installed (", "4,798,666 ticks by the evaluator", "--require-proof"];
    assert_fails(system.autotune().args(QUESTION).arg("--require-proof"), 1, &missing);
    let fleet = [&QUESTION[..2], &["volta,fermi", "--require-proof"]].concat();
    assert_fails(system.autotune().args(fleet), 1, &missing[..1]);
    let limited = [&QUESTION[..], &["--time-limit", "1ms", "--no-cache", "--require-proof"]].concat();
    assert_fails(autotune().args(&limited), 1, &["it is not proved: the time limit was reached"]);
    assert_eq!(run(autotune().args(SMALL).arg("--require-proof")).status, 0);
    let infeasible = [&QUESTION[..], &["--set", "size=7", "--require-proof"]].concat();
    assert_eq!(run(autotune().args(infeasible)).status, 4);
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    let compiler = run(System::with(&["spin"]).autotune().args(SMALL)).stdout;
    assert!(compiler.contains("\nNOT PROVED: a C compiler is not installed (") && compiler.contains("install gcc)"));
    let both = run(System::with(&[]).autotune().args(SMALL)).stdout;
    assert!(
        both.contains("\nNOT PROVED: SPIN and a C compiler are not installed (") && both.contains("install spin gcc)")
    );
}

#[test]
fn without_clang_a_sources_error_has_the_command_that_installs_it() {
    let asked = ["examples/kernels/transpose.yaml", "--gpu", "volta"];
    let words = ["cannot find clang: no `clang` on the search path", "help: install it: `", "apt-get install clang`"];
    assert_fails(System::with(&["spin", "gcc"]).autotune().args(asked), 1, &words);
}
