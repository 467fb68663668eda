//! Mistakes of the command line: the advice corrects them, and never leads to another mistake.

use super::failures::assert_fails;
use super::*;

const EVALUATE: [&str; 4] = ["evaluate", "tuning-specs/vector_add.yaml", "--gpu", "fermi"];

#[test]
fn a_command_that_is_written_wrong_is_suggested() {
    for (wrong, right) in [("evalute", "evaluate"), ("comapre", "compare"), ("explian", "explain"), ("gpu", "gpus")] {
        let words = [format!("no command is called `{wrong}`"), format!("did you mean `autotune {right}`?")];
        let words = words.each_ref().map(String::as_str);
        assert_fails(autotune().args([wrong, EVALUATE[1], "--gpu", "fermi"]), 2, &words);
        assert_fails(autotune().args(["-v", wrong]), 2, &words);
    }
    // A word that is not like a command, or may be a file, is a spec.
    assert_fails(autotune().args(["nosuch", "--gpu", "fermi"]), 2, &["cannot use spec `nosuch`"]);
    assert_fails(autotune().args(["./evalute", "--gpu", "fermi"]), 2, &["cannot use spec `./evalute`"]);
    assert_fails(autotune().args(["evalute.yaml", "--gpu", "fermi"]), 2, &["cannot use spec `evalute.yaml`"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(EVALUATE[1], folder.path().join("evalute")).unwrap();
    let ended = run(autotune().current_dir(folder.path()).args(["evalute", "--gpu", "fermi"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}

#[test]
fn gpus_are_known_in_capitals_and_a_chip_is_not_taken_for_another() {
    let asked = |gpu: &str| run(autotune().args(&EVALUATE[..3]).arg(gpu));
    assert!(asked("Fermi").stdout.starts_with("vector_add on fermi"), "one question has one answer");
    assert_eq!(asked("Fermi").stdout, asked("fermi").stdout);
    for (spelt, meant) in [("RTX 2080 Ti", "rtx2080ti"), ("NVIDIA A100", "a100"), ("titan_rtx", "titan-rtx")] {
        let ended = asked(spelt);
        assert!(ended.status == 2 && ended.stderr.contains(&format!("did you mean `{meant}`?")), "{}", ended.stderr);
    }
    for (chip, others, foreign) in
        [("mi308x", "are `mi300x`", "h200"), ("a30", "are `a10`", "mi50"), ("rtx5050", "are `rtx5060ti`", "mi50")]
    {
        let ended = asked(chip);
        assert!(ended.status == 2 && !ended.stderr.contains("did you mean"), "{}", ended.stderr);
        assert!(ended.stderr.contains(others) && !ended.stderr.contains(foreign), "{}", ended.stderr);
        assert!(ended.stderr.contains("> mine.yaml"), "{}", ended.stderr);
    }
}

#[test]
fn problem_sizes_have_units_and_powers() {
    let asked = |size: &str| run(autotune().args(EVALUATE).args(["--set", size]));
    let plain = asked("size=131072");
    assert_eq!(plain.status, 0, "{}", plain.stderr);
    for size in ["size=128k", "size=2^17", "size=2**17"] {
        assert_eq!(asked(size).stdout, plain.stdout, "{size}");
    }
    let ended = asked("size=128kB");
    assert!(ended.status == 2 && ended.stderr.contains("128k (k, M and G are 1024"), "{}", ended.stderr);
}

#[test]
fn memory_without_a_unit_is_not_silently_bytes() {
    let words = ["'4' for '--memory <SIZE>'", "without a unit it means 4 bytes; write 4G or 4M for GiB or MiB"];
    assert_fails(autotune().args(SMALL).args(["--memory", "4"]), 2, &words);
    for memory in ["1G", "1GiB", "1024M", "1073741824"] {
        let ended = run(autotune().args(SMALL).args(["--memory", memory]));
        assert_eq!(ended.status, 0, "{memory}: {}", ended.stderr);
    }
    let help = run(autotune().arg("--help")).stdout;
    assert!(help.contains("Memory of one search, with its unit: 512M or 4GiB"), "{help}");
}

/// Clap would advise `-- -1`, which turns the number into a spec.
#[test]
fn negative_numbers_are_told_from_options() {
    for (option, value, words) in [
        ("--memory", "-1", "not a size of memory such as 512M"),
        ("--memory", "-1GiB", "not a size of memory such as 512M"),
        ("--top", "-1", "-1 is not in 1..=1000"),
        ("--within", "-1", "`-1` is not a percentage from 0 to 100"),
        ("--within", "-0.5%", "`-0.5%` is not a percentage from 0 to 100"),
        ("--time-limit", "-1s", "not a time such as 90s"),
        ("--config", "-1", "`-1` is not of the form `NAME=VALUE`"),
        ("--config", "TS=-1,WG=2", "-1 is not in the domain of `TS`"),
        ("--set", "-4", "not of the form NAME=VALUE"),
        ("--set", "size=-4", "`-4` is negative: a problem size counts something"),
    ] {
        let ended = run(autotune().args(&SMALL[..3]).args([option, value]));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{option} {value}");
        assert!(ended.stderr.contains(words) && !ended.stderr.contains("-- -"), "{option} {value}: {}", ended.stderr);
    }
    assert_fails(
        autotune().args(["batch", "jobs.yaml", "--dry-run", "--jobs", "-1"]),
        2,
        &["not a whole number from 1"],
    );
}

#[test]
fn a_missing_folder_for_temporary_files_is_told_and_an_empty_name_is_none() {
    let words = ["the folder for temporary files, `/nope`, does not exist", "the variable TMPDIR"];
    assert_fails(autotune().args(SMALL).env("TMPDIR", "/nope"), 2, &words);
    let ended = run(autotune().args(SMALL).arg("--no-cache").env("TMPDIR", ""));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}
