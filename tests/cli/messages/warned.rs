//! Warnings of every command.

use super::*;

/// A spec with two warnings, which `{unused}` and `{varies}` silence.
const SPEC: &str = "\
kernel: scale
problem: { size: 4096 }
parameters:
  WG: { values: [64, 128] }
  OTHER: { values: [0, 1] }
unused: [{unused}]
varies: [{varies}]
launch: { work_items: size, work_group: WG }
resources: { registers: 16 }
body:
  - load: { array: a, index: [gx * WG + lx], shape: [size] }
  - compute: { per_item: 2.5 }
  - store: { array: b, per_item: WG / 64 }
";

fn spec(unused: &str, varies: &str) -> String {
    SPEC.replace("{unused}", unused).replace("{varies}", varies)
}

const PARAMETER: &str = "warning: no launch, resource, statement or constraint uses the parameter `OTHER`";
const WORK: &str = "warning: the bytes stored to `b` depend on the configuration: \
                    16384 with WG=64 OTHER=0, 32768 with WG=128 OTHER=0";
const CONFIGURATION: [&str; 2] = ["--config", "WG=64,OTHER=0"];

/// The commands that ask about a spec on a GPU, and their further arguments.
const QUESTIONS: [(&str, &[&str]); 11] = [
    ("", &["--no-cache"]),
    ("", &["--format", "csv"]),
    ("", &["--format", "restrictions"]),
    ("evaluate", &[]),
    ("evaluate", &["--format", "json"]),
    ("compare", &[]),
    ("compare", &["--format", "json"]),
    ("locality", &[]),
    ("predict", &[]),
    ("efficiency", &[]),
    ("model", &[]),
];

/// The commands about one configuration, for which work is not compared.
const QUESTIONS_OF_ONE: [(&str, &[&str]); 5] =
    [("explain", &[]), ("graph", &[]), ("locality", &[]), ("predict", &[]), ("", &["--format", "flags"])];

#[test]
fn every_command_tells_warnings_on_standard_error_and_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.yaml");
    let ask = |(command, options): (&str, &[&str]), more: &[&str], text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut asked = autotune();
        asked.current_dir(folder.path()).args(Some(command).filter(|command| !command.is_empty()));
        let ended = run(asked.args(["k.yaml", "--gpu", "volta"]).args(options).args(more));
        assert_eq!(ended.status, 0, "{command} {options:?}: {}", ended.stderr);
        // A repeated proof takes another time.
        let timeless = ended.stdout.lines().filter(|line| !line.starts_with("time ") && !line.starts_with("expected "));
        (timeless.map(str::to_owned).collect::<Vec<_>>(), ended.stderr)
    };
    let both = spec("", "");
    for (question, more, work) in QUESTIONS
        .iter()
        .map(|question| (*question, &[][..], WORK))
        .chain(QUESTIONS_OF_ONE.iter().map(|question| (*question, &CONFIGURATION[..], "")))
    {
        let (stdout, stderr) = ask(question, more, &both);
        assert!(stderr.contains(PARAMETER) && stderr.contains("k.yaml:5:3\n"), "{question:?}: {stderr}");
        assert!(stderr.contains(work) && stderr.contains("WG / 64") != work.is_empty(), "{question:?}: {stderr}");
        assert!(
            stderr.contains("help: use it in the spec, give it one value, or write `unused: [OTHER]`"),
            "{question:?}: {stderr}"
        );
        let (silent, nothing) = ask(question, &[more, &["--quiet"]].concat(), &both);
        assert_eq!((silent, nothing.as_str()), (stdout.clone(), ""), "{question:?}, quietly");
        let (meant, printed) = ask(question, more, &spec("OTHER", "b"));
        assert!(!printed.contains("warning"), "{question:?}: {printed}");
        if question != ("model", &[]) {
            assert_eq!(meant, stdout, "{question:?}: what is printed changes no answer");
        }
    }
}

#[test]
fn a_validation_warns_too() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file(&folder, "k.yaml", &spec("", ""));
    let table = "WG,OTHER,time_ms\n64,0,1.0\n128,0,2.0\n64,1,1.0\n128,1,2.0\n";
    let measured = file(&folder, "measured.csv", table);
    let ended = run(autotune().args(["validate", &spec, "--gpu", "volta", "--measured", &measured]));
    assert!(ended.status == 0 && ended.stderr.contains(PARAMETER) && ended.stderr.contains(WORK), "{}", ended.stderr);
}

#[test]
fn a_result_holds_its_warnings_from_the_cache_too() {
    let folder = tempfile::tempdir().unwrap();
    let doubtful = file(&folder, "k.yaml", &spec("", ""));
    let ask = |options: &[&str]| {
        let ended = run(autotune().args([&doubtful, "--gpu", "volta", "--format", "json"]).args(options));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        json(&ended, "result.json")
    };
    let proved = ask(&[]);
    let warnings = proved["warnings"].as_array().unwrap();
    assert_eq!(
        warnings.iter().map(|one| one["kind"].as_str().unwrap()).collect::<Vec<_>>(),
        ["unused_parameter", "work_varies"]
    );
    assert_eq!((lines(&proved["warnings"]), &warnings[0]["column"]), (vec![5, 13], &3.into()));
    assert!(warnings.iter().all(|one| one["file"] == doubtful.as_str() && one["help"].is_string()), "{warnings:?}");
    assert!(WORK.ends_with(warnings[1]["message"].as_str().unwrap()));
    let known = ask(&[]);
    assert_eq!(
        (&known["cost"]["cached"], &proved["cost"]["cached"]),
        (&true.into(), &false.into()),
        "{:#}",
        known["cost"]
    );
    assert_eq!(known["warnings"], proved["warnings"]);
    // The work of a single configuration is not compared.
    assert_eq!(messages(&ask(&CONFIGURATION)["warnings"]).len(), 1);
    // The same question for a file of another name has the warnings of that file.
    let other = file(&folder, "other.yaml", &spec("", ""));
    let ended = run(autotune().args([&other, "--gpu", "volta", "--format", "json"]));
    assert_eq!(json(&ended, "result.json")["warnings"][0]["file"], other.as_str());
    let clean = file(&folder, "clean.yaml", &spec("OTHER", "b"));
    let ended = run(autotune().args([&clean, "--gpu", "volta", "--format", "json"]));
    assert!(json(&ended, "result.json")["warnings"].is_null(), "{}", ended.stdout);
}

#[test]
fn a_profile_of_ones_own_is_doubted_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(autotune().args(["gpus", "v100"])).stdout;
    let clock = printed.lines().find(|line| line.starts_with("core_clock_mhz:")).unwrap();
    let profile = file(&folder, "mine.yaml", &printed.replace(clock, "core_clock_mhz: 1.53"));
    let line = printed.lines().position(|line| line == clock).unwrap() + 1;
    let asked = |command: &str| run(autotune().args([command, "tuning-specs/transpose.yaml", "--gpu", &profile]));
    let ended = asked("evaluate");
    let words = "warning: `core_clock_mhz` is 1.53, but GPUs so far have 100 to 5000";
    assert!(
        ended.stderr.contains(words) && ended.stderr.contains(&format!("{profile}:{line}:1\n")),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("core_clock_mhz: 1.53\n"), "the line is shown: {}", ended.stderr);
    let checked = asked("check");
    assert!(checked.status == 0 && checked.stdout.contains(words), "{}", checked.stdout);
}

/// Every command that reads a kernel accepts decimals and means.
#[test]
fn means_are_understood_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let with = |name: &str, [load, compute, store]: [&str; 3]| {
        let text = format!(
            "kernel: mean\nproblem: {{ size: 65536 }}\nparameters:\n  WG: {{ values: [64, 128] }}\n\
             launch: {{ work_items: size, work_group: WG }}\nbody:\n  - load: {{ array: a, per_item: {load} }}\n\
             {pad}- local: {{ per_item: {load} }}\n{pad}- compute: {{ per_item: {compute} }}\n{pad}- store: {{ array: b, per_item: {store} }}\n",
            pad = "  "
        );
        file(&folder, name, &text)
    };
    let mean = with("mean.yaml", ["2.5", "'mean(35, 2)'", "4 * 0.25 + 0.5"]);
    let whole = with("whole.yaml", ["2", "18", "1"]);
    let same = with("same.yaml", ["'mean(4, 2)'", "18.0", "0.5 + 0.5"]);
    for (command, options) in QUESTIONS.iter().chain(&QUESTIONS_OF_ONE) {
        let ask = |spec: &str| {
            let mut asked = autotune();
            asked
                .args(Some(*command).filter(|command| !command.is_empty()))
                .args([spec, "--gpu", "volta"])
                .args(*options);
            let is_of_one = QUESTIONS_OF_ONE.contains(&(*command, *options));
            let ended = run(asked.args(if is_of_one { &["--config", "WG=64"][..] } else { &[] }));
            assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{command} {options:?}");
            ended
                .stdout
                .lines()
                .filter(|line| !line.starts_with("time ") && !line.starts_with("expected "))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let [mean, whole, same] = [&mean, &whole, &same].map(|spec| ask(spec));
        assert!(!mean.is_empty(), "{command} {options:?}");
        if *command != "model" {
            assert_eq!(same, whole, "{command} {options:?}: a whole mean is the integer");
        }
    }
}
