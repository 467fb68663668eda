//! Help, completions, manual, defaults, colours, and the amount of output.

use std::process::Command as Process;

use super::*;

const COMMANDS: [&str; 19] = [
    "evaluate",
    "locality",
    "model",
    "compare",
    "explain",
    "graph",
    "predict",
    "efficiency",
    "validate",
    "suggest",
    "measure",
    "gpus",
    "export",
    "batch",
    "verify",
    "cache",
    "doctor",
    "completions",
    "man",
];

#[test]
fn every_command_is_in_help_manual_and_completions() {
    let printed = |arguments: &[&str]| {
        let ended = run(autotune().args(arguments));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended.stdout
    };
    let help = printed(&["--help"]);
    let folder = tempfile::tempdir().unwrap();
    printed(&["man", "--out", folder.path().to_str().unwrap()]);
    let candidates = printed(&["complete", "zsh", "1", "autotune", ""]);
    let scripts = ["elvish", "powershell"].map(|shell| printed(&["completions", shell]));
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in the help");
        assert!(candidates.contains(&format!("\n{command}\t")), "{command} is not completed");
        assert!(scripts.iter().all(|script| script.contains(command)), "{command} is not completed");
        let page = std::fs::read_to_string(folder.path().join(format!("autotune-{command}.1"))).unwrap();
        assert!(page.contains(".TH autotune-"), "{page}");
    }
    let main = std::fs::read_to_string(folder.path().join("autotune.1")).unwrap();
    assert!(main.contains("Exit status: 0 proved") && main.contains(r"\-\-time\-limit"), "{main}");
    assert!(printed(&["man"]).contains("autotune"));
}

/// Every name that `--gpu` takes is completed, and the help does not list them all.
#[test]
fn gpus_names_are_completed() {
    let gpus = json(&run(autotune().args(["gpus", "--format", "json"])), "gpus.json");
    let gpus = gpus["gpus"].as_array().unwrap().iter();
    let names = gpus.flat_map(|gpu| [&gpu["name"]].into_iter().chain(gpu["aliases"].as_array().unwrap()));
    let names: Vec<&str> = names.map(|name| name.as_str().unwrap()).collect();
    let printed = |arguments: &[&str]| run(autotune().args(arguments)).stdout;
    let candidates = printed(&["complete", "zsh", "3", "autotune", "evaluate", "--gpu", ""]);
    let completed: Vec<&str> = candidates.lines().filter_map(|line| line.strip_suffix('\t')).collect();
    assert_eq!(completed, names);
    assert!(!printed(&["evaluate", "--help"]).contains("rtx4090"));
}

#[test]
fn defaults_come_from_a_file_and_yield_to_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.yaml");
    let ask = |defaults: &str, arguments: &[&str]| {
        std::fs::write(&file, defaults).unwrap();
        run(autotune().args(arguments).env("AUTOTUNE_CONFIG", &file))
    };
    let evaluate = ["evaluate", "tuning-specs/vector_add.yaml"];
    let ended = ask("gpu: volta\nformat: json\njobs: 2\n", &evaluate);
    assert_eq!(json(&ended, "evaluation.json")["gpu"], "volta");
    let ended = ask("gpu: volta\n", &[evaluate[0], evaluate[1], "--gpu", "fermi"]);
    assert!(ended.stdout.starts_with("vector_add on fermi"), "{}", ended.stdout);
    let wrong = [
        ("gpus: volta", "`gpus` is not a valid option; did you mean `gpu`?", ":1:1"),
        ("gpu: volta\nmemory: much", "invalid value 'much' for '--memory <SIZE>'", ":2:9"),
        ("format: yaml", "invalid value 'yaml' for '--format", ":1:9"),
        ("gpu: [volta]", "", ":1:6"),
    ];
    for (defaults, what, place) in wrong {
        let ended = ask(defaults, &evaluate);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(what) && ended.stderr.contains(place), "{}", ended.stderr);
        assert!(ended.stderr.contains("help: `AUTOTUNE_CONFIG=` leaves your defaults out"));
    }
    let ended = run(autotune().arg("gpus").env("AUTOTUNE_CONFIG", folder.path().join("none.yaml")));
    assert!(ended.status == 2 && ended.stderr.contains("none.yaml"), "{}", ended.stderr);
}

#[test]
fn steps_are_told_on_request_and_never_on_standard_output() {
    let ask = |arguments: &[&str]| run(autotune().args(SMALL).args(["--no-cache", "--no-cost"]).args(arguments));
    let (usual, verbose, commands, quiet) = (ask(&[]), ask(&["-v"]), ask(&["-vv"]), ask(&["--quiet"]));
    assert_eq!((usual.stderr.as_str(), quiet.stderr.as_str()), ("", ""));
    assert!(verbose.stderr.contains("INFO model.translate: "), "{}", verbose.stderr);
    assert!(!verbose.stderr.contains("pan.c") && commands.stderr.contains("-o pan pan.c"), "{}", commands.stderr);
    assert!([verbose.stdout, commands.stdout, quiet.stdout].iter().all(|stdout| *stdout == usual.stdout));
    let both = ask(&["-v", "-q"]);
    assert_eq!(both.status, 2, "{}", both.stderr);
    let first = run(autotune().args(["-v", "gpus", "fermi"]));
    assert_eq!(first.status, 0, "options of all commands may stand before the command: {}", first.stderr);
}

#[test]
fn what_stands_before_a_command_is_not_silently_left_out() {
    let refused = |arguments: &[&str], words: &str| {
        let ended = run(autotune().args(arguments));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.starts_with(&format!("error: {words}\nhelp: a command comes first")), "{}", ended.stderr);
    };
    refused(&[&SMALL[..], &["gpus"]].concat(), "a SPEC stands before the command `gpus`");
    refused(&[SMALL[0], "gpus"], "a SPEC stands before the command `gpus`");
    refused(&["--format", "json", "gpus"], "`--format` stands before the command `gpus`");
    refused(&["--gpu", "volta", "batch", "x.yaml", "--dry-run"], "`--gpu` stands before the command `batch`");
    refused(&["--no-cache", "compare", SMALL[0], "--gpu", "fermi"], "`--no-cache` stands before the command `compare`");
    let usage = "Usage: autotune SPEC --gpu GPU [OPTIONS]\n       autotune COMMAND …\n";
    for arguments in [&["--help"][..], &["nosuch"]] {
        let ended = run(autotune().args(arguments));
        assert!((ended.stdout + &ended.stderr).contains(usage), "{}", ended.stderr);
    }
}

/// The examples of every `--help`, in one shell and in a folder with the project's files.
#[test]
fn examples_of_help_run() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["tuning-specs", "tests", "examples"] {
        std::os::unix::fs::symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(name), folder.path().join(name)).unwrap();
    }
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    for command in COMMANDS {
        let help = run(autotune().args([command, "--help"])).stdout;
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command} has none: {help}"));
        let script: String = examples.split("\n\n").next().unwrap().to_owned();
        assert!(script.contains(&format!("autotune {command}")), "{script}");
        // A batch needs a job list, and one of its examples a cluster.
        if command == "batch" {
            continue;
        }
        let mut shell = Process::new("bash");
        shell.args(["-euo", "pipefail", "-c", &script]).current_dir(folder.path());
        shell.env("PATH", &path).envs(isolated()).env("XDG_CACHE_HOME", folder.path().join("cache"));
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    for (command, statuses) in [("export", "0 printed"), ("verify", "0 the proof holds")] {
        let help = run(autotune().args([command, "--help"])).stdout;
        assert!(help.contains(&format!("Exit status: {statuses}, ")), "{help}");
    }
}

/// On a terminal a long step shows the share that is done, and leaves nothing behind; in a pipe there is nothing.
#[test]
fn a_terminal_shows_the_share_of_a_long_step() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("wide.yaml");
    let text = "kernel: wide\nparameters: { a: { range: { from: 1, to: 400 } }, b: { range: { from: 1, to: 400 } } }\n\
                varies: [ fp32 ]\nlaunch: { work_items: 4096, work_group: 64 }\nbody: [ compute: { per_item: a * b } ]\n";
    std::fs::write(&spec, text).unwrap();
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let command = format!("{} {} --gpu abstract-fermi --no-cache --no-analysis", binary.display(), spec.display());
    let mut terminal = Process::new("script");
    terminal.args(["-qec", &command, "/dev/null"]).envs(isolated()).env("TERM", "xterm");
    let shown = String::from_utf8(terminal.output().unwrap().stdout).unwrap();
    let shares = shown.split('\r').filter(|line| line.contains("lowering 160,000 configurations"));
    let shares: std::collections::BTreeSet<&str> =
        shares.filter_map(|line| line.split(" % ").next()?.split_whitespace().last()).collect();
    assert!(!shares.is_empty(), "no share in {shown:?}");
    let piped = run(autotune().arg(&spec).args(["--gpu", "abstract-fermi", "--no-cache", "--no-analysis"]));
    assert_eq!((piped.status, piped.stderr.as_str()), (0, ""));
}

/// Output on a terminal has colours, unless the user wants none.
#[test]
fn no_color_is_heeded() {
    let ask = |no_color: &str| {
        let command =
            format!("{} --help; {0} -v gpus fermi; {0} --nonsense", assert_cmd::cargo::cargo_bin("autotune").display());
        let mut terminal = Process::new("script");
        terminal
            .args(["-qec", &command, "/dev/null"])
            .env("AUTOTUNE_CONFIG", "")
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color);
        String::from_utf8(terminal.output().expect("script, of util-linux, is needed for this test").stdout).unwrap()
    };
    let colour = "\u{1b}[1m";
    assert!(ask("").contains(colour));
    assert!(!ask("1").contains('\u{1b}'), "{}", ask("1"));
}
