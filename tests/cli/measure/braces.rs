//! Braces in commands: values, braces as such, and mistakes.

use sha2::{Digest, Sha256};

use super::*;

#[test]
fn a_word_in_braces_that_is_not_a_parameter_is_refused_with_its_place() {
    let gpu = Replay::new("");
    for (option, command, words) in [
        ("--run", "bench_{USE_SAO}", ["`{USE_SAO}` is not a parameter", "--run:1:7", "did you mean `{USE_SOA}`?"]),
        (
            "--run",
            "bench {}",
            ["`{}` is not a parameter", "bench {}\n  |       ^^", "the parameters are `WORK_GROUP_SIZE_X`"],
        ),
        ("--run", "bench {USE_SOA 1", ["`{` is not closed", "^^^^^^^^", "`{{` and `}}` stand for braces"]),
        ("--run", "bench USE_SOA}", ["`}` closes nothing", "--run:1:14", "`{{` and `}}` stand for braces"]),
        ("--build", "true {use_soa}", ["`{use_soa}` is not a parameter", "--build:1:6", "did you mean `{USE_SOA}`?"]),
        ("--verify", "${HOME}/check", ["`{HOME}` is not a parameter", "--verify:1:2", "`${{HOME}}` for a variable"]),
        (
            "--verify",
            "echo ${USE_SOA}",
            ["would become `$` and the value", "--verify:1:6", "`${{USE_SOA}}` for a variable"],
        ),
    ] {
        for shell in [&[][..], &["--shell"]] {
            let (run, more) = if option == "--run" { (command, vec![]) } else { ("true", vec![option, command]) };
            assert_fails(&mut gpu.other_command(run, &[&more, shell].concat()), 2, &words);
            assert!(!gpu.out().join("journal.jsonl").exists(), "{command}");
        }
    }
}

#[test]
fn doubled_braces_reach_the_command_as_braces() {
    let gpu = Replay::new("");
    let line = "test \"${{HOME:-none}}\" != none && {{ echo {Z_ITERATIONS}; }} | awk '{{ print $1 \" us\" }}'";
    for (command, more) in
        [(line.to_owned(), &["--shell"][..]), (format!("sh -c {}", shlex::try_quote(line).unwrap()), &[])]
    {
        let ended = run(&mut gpu.other_command(&command, &[more, &["--runs", "2", "--resume"]].concat()));
        let report = json(&ended, "measure.json");
        for run in report["runs"].as_array().unwrap() {
            let time = run["parameters"]["Z_ITERATIONS"].as_f64().map(|microseconds| microseconds / 1e3);
            assert_eq!((run["status"].as_str(), run["time_ms"].as_f64()), (Some("ok"), time), "{run}");
        }
        std::fs::remove_dir_all(gpu.out()).unwrap();
    }
}

/// A journal of an older version has times that rest on what was counted then.
#[test]
fn a_journal_of_an_older_version_is_not_gone_on_with() {
    let gpu = Replay::new("");
    assert_eq!(gpu.measured(&["--runs", "2"]).1.status, 0);
    let journal = gpu.file("journal.jsonl");
    let (first, rest) = journal.split_once('\n').unwrap();
    let event = first.rsplit_once(",\"sha256\":\"").unwrap().0.replace("+counts.5\"", "\"");
    let sum = data_encoding::HEXLOWER.encode(&Sha256::digest(format!("{event}}}")));
    std::fs::write(gpu.out().join("journal.jsonl"), format!("{event},\"sha256\":\"{sum}\"}}\n{rest}")).unwrap();
    let ended = run(&mut gpu.command(&["--runs", "4", "--resume"]));
    let told = concat!("it was made by autotune ", env!("CARGO_PKG_VERSION"), ", but this is autotune ");
    assert!(ended.status == 2 && ended.stderr.contains(told), "{}", ended.stderr);
    assert!(ended.stderr.contains("help: name another folder, which the same command"), "{}", ended.stderr);
}

/// In journals of earlier versions, a brace that did not belong to a parameter stood for itself.
#[test]
fn a_journal_with_single_braces_is_continued_by_doubled_ones() {
    let gpu = Replay::new("");
    let command = |body: &str| format!("sh -c 'echo {{Z_ITERATIONS}} us | awk \"{body}\"'");
    let measured = |body: &str, runs: &str| run(&mut gpu.other_command(&command(body), &["--resume", "--runs", runs]));
    assert_eq!(measured("{{print}}", "2").status, 0);
    let journal = gpu.file("journal.jsonl");
    let (first, rest) = journal.split_once('\n').unwrap();
    let event = first.rsplit_once(",\"sha256\":\"").unwrap().0.replace("{{print}}", "{print}");
    let sum = data_encoding::HEXLOWER.encode(&Sha256::digest(format!("{event}}}")));
    std::fs::write(gpu.out().join("journal.jsonl"), format!("{event},\"sha256\":\"{sum}\"}}\n{rest}")).unwrap();
    let ended = measured("{{print}}", "4");
    let report = json(&ended, "measure.json");
    let suggested = report["runs"].as_array().unwrap().iter().filter(|run| run["purpose"] == "suggested").count();
    assert_eq!((ended.status, suggested), (0, 4), "{}", ended.stderr);
    // It is that command alone.
    let other = measured("{{print $1}}", "4");
    assert!(other.status == 2 && other.stderr.contains("is of another measurement: its --run was"), "{}", other.stderr);
}
