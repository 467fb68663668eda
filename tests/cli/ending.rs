//! Kernels whose branches on data stand one after the other, in no other's side: their analysis ends, in each language.

use std::time::Duration;

use super::*;

/// The clock's limit of a question: each must end long before by itself.
const LATEST: Duration = Duration::from_secs(60);

/// The end of a command about a kernel in `tests/cli/ending`.
fn asked(command: &str, file: &str, options: &[&str]) -> Ended {
    let path = format!("tests/cli/ending/{file}");
    let output = autotune().args([command, &path, "--gpu", "a100"]).args(options).timeout(LATEST).output().unwrap();
    assert!(output.status.code().is_some(), "{command} {file} {options:?} does not end");
    ended(output)
}

const LAUNCH: [&str; 4] = ["--work-items", "2048", "--work-group", "32"];

#[test]
fn a_loop_on_data_before_a_branch_is_asked_for_its_iterations() {
    let cases: [(&str, &[&str], &str); 3] = [
        ("endless.cu", &["--kernel", "sum"], "trip@3"),
        ("endless.cl", &["--argument", "count=16"], "trip@3"),
        ("branches.cl", &["--kernel", "halves", "--argument", "n=1024"], "trip@12"),
    ];
    for (file, options, question) in cases {
        for command in ["evaluate", "check"] {
            let ended = asked(command, file, &[&LAUNCH[..], options].concat());
            let told = ended.stdout + &ended.stderr;
            assert!(told.contains(&format!("`--assume {question}=…`")), "{command} {file}: {told}");
        }
        let assumed = format!("{question}=16");
        let ended = asked("evaluate", file, &[&LAUNCH[..], options, &["--assume", &assumed]].concat());
        assert!(ended.status == 0 && ended.stdout.contains("microseconds"), "{file}: {}", ended.stderr);
    }
}

#[test]
fn branches_on_data_one_after_the_other_have_times() {
    let n = ["--argument", "n=1024"];
    let cases: [(&str, &[&str]); 6] = [
        ("argmax.cu", &n),
        ("branches.cl", &["--kernel", "least", "--argument", "n=1024"]),
        ("branches.cl", &["--kernel", "two", "--argument", "n=1024"]),
        ("chosen.cl", &[]),
        ("endless.cu", &["--kernel", "before", "--assume", "trip@20=16"]),
        ("helper.cu", &["--argument", "arg=3"]),
    ];
    for (file, options) in cases {
        let ended = asked("evaluate", file, &[&LAUNCH[..], options].concat());
        assert!(ended.status == 0 && ended.stdout.contains("microseconds"), "{file} {options:?}: {}", ended.stderr);
        assert_eq!(asked("inspect", file, &[&LAUNCH[..], options].concat()).status, 0, "{file}");
    }
}
