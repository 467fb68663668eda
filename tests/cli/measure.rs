//! `autotune measure`: the user's own benchmark, on GPUs that replay a measured set.

mod braces;
mod kills;
mod opencl;
mod orphans;
mod profile;
mod replay;
mod times;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::failures::assert_fails;
use super::*;
use replay::Replay;

#[test]
fn a_replayed_gpu_is_measured_to_its_best() {
    let gpu = Replay::new("");
    let (report, ended) = gpu.measured(&["--runs", "8"]);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!((ended.status, &report["ended"]), (0, &"runs".into()), "{}", ended.stderr);
    // Eight configurations, and the best three twice more; other configurations may be among the best then.
    let purposes: Vec<&str> = runs.iter().map(|run| run["purpose"].as_str().unwrap()).collect();
    assert!(purposes[..8].iter().all(|purpose| *purpose == "suggested") && purposes.len() == 14, "{purposes:?}");
    assert!(purposes[8..].iter().all(|purpose| *purpose == "confirmed"));
    for (number, run) in runs.iter().enumerate() {
        assert_eq!(run["number"], number + 1);
        assert_eq!(run["time_ms"].as_f64(), gpu.time(&run["parameters"]), "{run}");
    }
    let least = runs.iter().filter_map(|run| run["time_ms"].as_f64()).fold(f64::INFINITY, f64::min);
    let best = &report["best"];
    let found = (best["time_ms"].as_f64(), &best["runs"], &best["confirmed"]);
    assert_eq!(found, (Some(least), &3.into(), &true.into()));
    let suggest = json(&Replay::suggest(&[]), "suggest.json");
    assert_eq!(suggest["next"][0]["parameters"], runs[0]["parameters"], "the first is the best by prediction");
    let first = &report["first"];
    let fraction = least / first["time_ms"].as_f64().unwrap();
    assert!((first["fraction"].as_f64().unwrap() - fraction).abs() < 1e-12);
    // One line for each run, below a header.
    assert_eq!(ended.stderr.lines().filter(|line| line.contains("USE_SOA=")).count(), 14, "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().filter(|line| line.contains("  again")).count(), 6);
}

#[test]
fn the_results_are_read_back_in_every_form() {
    let gpu = Replay::new("");
    let (report, _) = gpu.measured(&["--runs", "5"]);
    assert_eq!(serde_json::from_str::<Value>(&gpu.file("results.json")).unwrap(), report);
    for form in ["runs.csv", "t4.json", "kernel_tuner.json"] {
        let path = gpu.out().join(form);
        let known = json(&Replay::suggest(&["--measured", path.to_str().unwrap()]), "suggest.json");
        let best = &known["measured"]["best"];
        assert_eq!(best["parameters"], report["best"]["parameters"], "{form}");
        assert_eq!(best["time_ms"], report["best"]["time_ms"], "{form}");
        let rows = if form == "runs.csv" { report["runs"].as_array().unwrap().len() } else { 5 };
        assert_eq!(known["measured"]["runs"], rows, "{form}");
        if form == "runs.csv" {
            assert_eq!(known["model"], report["model"]);
        }
    }
    let schema: Value = serde_json::from_str(include_str!("../../schemas/third-party/T4-1.0.0-results.json")).unwrap();
    let t4: Value = serde_json::from_str(&gpu.file("t4.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &t4), "{t4}");
    let header = gpu.file("best.h");
    for (name, value) in report["best"]["parameters"].as_object().unwrap() {
        assert!(header.contains(&format!("#define {name} {value}\n")), "{header}");
    }
    let page = gpu.file("index.html");
    for part in ["id=\"against\"", "id=\"so-far\"", "id=\"residuals\"", "confirmed</span>"] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<tr><td class=\"n\">").count(), report["runs"].as_array().unwrap().len());
}

/// Deviations of 20 %, every seventh run five times slower, and a third of the configurations with a second mode.
#[test]
fn noise_outliers_and_modes_give_no_lucky_best() {
    let gpu = Replay::new("noise=1");
    let (report, ended) = gpu.measured(&["--runs", "15", "--repeat", "3", "--until", "0"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let best = &report["best"];
    assert!(best["runs"].as_u64().unwrap() >= 6 && best["confirmed"] == true, "{best}");
    let runs = report["runs"].as_array().unwrap();
    let mut times: Vec<f64> = runs
        .iter()
        .filter(|run| run["parameters"] == best["parameters"])
        .map(|run| run["time_ms"].as_f64().unwrap())
        .collect();
    times.sort_by(f64::total_cmp);
    let median = f64::midpoint(times[times.len() / 2], times[(times.len() - 1) / 2]);
    assert_eq!(best["time_ms"].as_f64(), Some(median));
    let least = runs.iter().filter_map(|run| gpu.time(&run["parameters"])).fold(f64::INFINITY, f64::min);
    let true_time = gpu.time(&best["parameters"]).unwrap();
    assert!(true_time < 1.5 * least, "{true_time} ms, and the best measured one takes {least} ms");
}

#[test]
fn what_fails_is_kept_and_stops_nothing() {
    let gpu = Replay::new("trouble=1");
    let began = Instant::now();
    let (report, ended) = gpu.measured(&["--runs", "14", "--run-limit", "3s", "--until", "0"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(began.elapsed() < Duration::from_secs(300), "it hangs");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for run in report["runs"].as_array().unwrap() {
        let status = run["status"].as_str().unwrap();
        *seen.entry(status.to_owned()).or_default() += 1;
        let expected = match run["number"].as_i64().unwrap() {
            2 | 14 => ("timed_out", "it took longer than 3s"),
            4 => ("run_failed", "it was killed by signal 9"),
            6 => ("run_failed", "it was killed by signal 15"),
            8 => ("no_time", "its output has no number with a unit of time, such as `12.3 ms`"),
            10 => ("run_failed", "it ended with exit status 7: no such kernel"),
            12 => ("run_failed", "its output is too long"),
            _ => ("ok", ""),
        };
        assert_eq!((status, run["reason"].as_str().unwrap_or_default()), expected, "{run}");
        assert_eq!(run["time_ms"].is_null(), status != "ok");
        if status != "ok" {
            let output = gpu.file(run["output"].as_str().unwrap());
            assert!(output.contains(expected.1) && output.contains("--- standard output ---"), "{output}");
            assert!(output.len() < 200_000, "{} bytes are kept", output.len());
        }
    }
    let counts: Vec<(&str, usize)> = seen.iter().map(|(status, runs)| (status.as_str(), *runs)).collect();
    assert_eq!(counts[0], ("no_time", 1));
    assert_eq!(counts[2..], [("run_failed", 4), ("timed_out", 2)]);
    assert_eq!(report["best"]["confirmed"], true);
}

/// A device that is gone from its seventh run on, until somebody brings it back.
#[test]
fn a_device_that_is_gone_is_asked_for_and_what_failed_is_repeated() {
    let gpu = Replay::new("dies=7");
    let purposes = |report: &Value, status: &str| -> Vec<String> {
        let runs = report["runs"].as_array().unwrap().iter().filter(|run| run["status"] == status);
        runs.map(|run| run["purpose"].as_str().unwrap().to_owned()).collect()
    };
    let (report, ended) = gpu.measured(&["--runs", "10", "--until", "0"]);
    assert_eq!((ended.status, &report["ended"]), (3, &"device".into()), "{}", ended.stderr);
    assert!(ended.stderr.contains("is the device still there? All 9 runs are kept in"), "{}", ended.stderr);
    assert!(ended.stderr.contains("probe  it ended with exit status 7: device lost"), "{}", ended.stderr);
    assert_eq!(purposes(&report, "run_failed"), ["suggested", "suggested", "probe"]);
    let (report, ended) = gpu.measured(&["--runs", "10", "--until", "0", "--resume"]);
    assert_eq!((ended.status, &report["ended"]), (3, &"device".into()), "{}", ended.stderr);
    assert_eq!(purposes(&report, "run_failed")[3..], ["probe"], "nothing else is tried");
    std::fs::remove_file(gpu.folder.path().join("dead")).unwrap();
    let (report, ended) = gpu.measured(&["--runs", "10", "--until", "0", "--resume"]);
    assert_eq!((ended.status, &report["ended"]), (0, &"runs".into()), "{}", ended.stderr);
    assert_eq!(purposes(&report, "ok")[6..9], ["probe", "repeated", "repeated"]);
    let runs = report["runs"].as_array().unwrap();
    let least = runs.iter().filter_map(|run| run["time_ms"].as_f64()).fold(f64::INFINITY, f64::min);
    assert_eq!((report["best"]["time_ms"].as_f64(), &report["best"]["confirmed"]), (Some(least), &true.into()));
}

/// The fastest configuration runs once, and fails whenever it is measured again.
#[test]
fn what_is_faster_and_fails_is_named_and_is_no_success() {
    let gpu = Replay::new("");
    let (whole, _) = gpu.measured(&["--runs", "5", "--until", "0"]);
    let gpu = Replay::new(&format!("fails={}", Replay::key(&whole["best"]["parameters"])));
    let (report, ended) = gpu.measured(&["--runs", "5", "--until", "0"]);
    let faster = &report["faster_with_failed_runs"];
    assert_eq!((ended.status, &faster["parameters"]), (3, &whole["best"]["parameters"]), "{}", ended.stderr);
    assert_eq!((&faster["runs"], &faster["failed"]), (&1.into(), &2.into()));
    assert!(report["best"]["time_ms"].as_f64() > faster["time_ms"].as_f64() && report["best"]["confirmed"] == true);
    assert!(gpu.file("index.html").contains("faster, but with failed runs"));
}

#[test]
fn a_measurement_without_a_success_is_a_failure() {
    let gpu = Replay::new("");
    let ended = run(&mut gpu.other_command("false", &["--runs", "3"]));
    let report = json(&ended, "measure.json");
    assert_eq!((ended.status, &report["best"]), (1, &Value::Null));
    assert_eq!(report["runs"][2]["reason"], "it ended with exit status 1");
    assert!(!gpu.out().join("best.h").exists() && gpu.out().join("outputs/0003.txt").exists());
    assert!(gpu.file("index.html").contains("No run succeeded"));
}

/// Each configuration is built, then checked once, then run; what is measured again is built again.
#[test]
fn builds_come_several_at_a_time_and_runs_alone() {
    let gpu = Replay::new("log=1");
    let log = gpu.folder.path().join("log");
    let shown = log.to_str().unwrap();
    let build = format!("sh -c 'echo begin >> {shown}; sleep 2; echo built $AUTOTUNE_FLAGS >> {shown}'");
    let verify = format!("sh -c 'echo checked $AUTOTUNE_FLAGS >> {shown}'");
    let more = ["--build", &build, "--verify", &verify, "--jobs", "3", "--runs", "6", "--repeat", "2"];
    let (report, ended) = gpu.measured(&more);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    // Three builds are under way before the first has ended, and nothing else is.
    assert_eq!(lines[..3], ["begin"; 3]);
    assert!(lines[3..6].iter().all(|line| line.starts_with("built -D")), "{log}");
    let flags = |run: &Value| -> String {
        let parameters = run["parameters"].as_object().unwrap();
        parameters.iter().map(|(name, value)| format!("-D{name}={value}")).collect::<Vec<_>>().join(" ")
    };
    let first = flags(&report["runs"][0]);
    assert_eq!(lines[6..9], [format!("checked {first}"), format!("run {first}"), format!("run {first}")]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("checked")).count(), 6);
    assert_eq!(lines.iter().filter(|line| line.starts_with("built")).count(), 9);
}

#[test]
fn a_wrong_or_unbuilt_configuration_is_never_timed() {
    let gpu = Replay::new("log=1");
    let build = "sh -c 'test $AUTOTUNE_USE_SOA = 0 || {{ echo no such option >&2; exit 1; }}'";
    let verify = "sh -c 'test $AUTOTUNE_WORK_GROUP_SIZE_X = 32'";
    let (report, _) = gpu.measured(&["--build", build, "--verify", verify, "--runs", "12", "--until", "0"]);
    for run in report["runs"].as_array().unwrap() {
        let status = match (&run["parameters"]["USE_SOA"], &run["parameters"]["WORK_GROUP_SIZE_X"]) {
            (soa, _) if *soa == 1 => "build_failed",
            (_, size) if *size == 16 => "wrong",
            _ => "ok",
        };
        assert_eq!(run["status"], status, "{run}");
    }
    let timed = std::fs::read_to_string(gpu.folder.path().join("log")).unwrap();
    assert!(!timed.contains("-DUSE_SOA=1") && !timed.contains("SIZE_X=16"), "{timed}");
}

#[test]
fn mistakes_are_named_before_anything_runs() {
    let gpu = Replay::new("");
    for (command, more, words) in [
        ("./a 'b", vec![], "a quote is not closed"),
        ("", vec![], "it is empty"),
        ("no-such-program {USE_SOA}", vec![], "the program `no-such-program` is not found"),
        ("true", vec!["--time-pattern", "(.*) ms"], "it has no group named `time`"),
        ("true", vec!["--time-pattern", "("], "it is not a regular expression"),
        ("true", vec!["--jobs", "2"], "--build"),
        ("true", vec!["--runs", "0"], "it is not a whole number from 1"),
        ("true", vec!["--until", "200%"], "it is not a share in percent"),
    ] {
        let ended = run(&mut gpu.other_command(command, &more));
        assert!(ended.status == 2 && ended.stderr.contains(words), "{words}: {}", ended.stderr);
        assert!(!gpu.out().join("journal.jsonl").exists(), "{words}");
    }
}

#[test]
fn a_journal_is_continued_by_the_same_question_alone() {
    let gpu = Replay::new("");
    gpu.measured(&["--runs", "3"]);
    assert_fails(&mut gpu.command(&["--runs", "3"]), 2, &["already has the journal of a measurement", "`--resume`"]);
    assert_fails(
        &mut gpu.other_command("true", &["--resume"]),
        2,
        &["is of another measurement: its --run was", "and is `true`"],
    );
    let (more, _) = gpu.measured(&["--runs", "5", "--resume"]);
    let runs = more["runs"].as_array().unwrap();
    assert_eq!(runs.iter().filter(|run| run["purpose"] == "suggested").count(), 5);
    for line in gpu.file("journal.jsonl").lines() {
        json(&Ended { status: 0, stdout: line.to_owned(), stderr: String::new() }, "measure_journal.json");
    }
    std::fs::write(gpu.out().join("results.json"), "mine").unwrap();
    assert_fails(&mut gpu.command(&["--resume"]), 2, &["exists, and autotune did not write it"]);
}

#[test]
fn no_form_of_somebody_else_is_replaced() {
    for name in ["runs.csv", "best.h", "t4.json", "kernel_tuner.json"] {
        let gpu = Replay::new("");
        std::fs::create_dir(gpu.out()).unwrap();
        std::fs::write(gpu.out().join(name), "three days of GPU time").unwrap();
        assert_fails(&mut gpu.command(&["--runs", "1"]), 2, &[name, "exists, and autotune did not write it"]);
        assert_eq!(gpu.file(name), "three days of GPU time");
    }
}

/// Neither a spec nor a job list can make this program run something.
/// A line whose checksum is right is not torn: it is not cut off, though it is the last.
#[test]
fn a_run_that_contradicts_itself_or_its_choice_is_refused() {
    use sha2::{Digest, Sha256};
    let gpu = Replay::new("");
    gpu.measured(&["--runs", "1", "--repeat", "1"]);
    let path = gpu.out().join("journal.jsonl");
    let whole = gpu.file("journal.jsonl");
    let run_of = whole.lines().position(|line| line.starts_with("{\"event\":\"ended\"")).unwrap();
    let lies = [
        ("\"status\":\"ok\"", "\"status\":\"wrong\"", "run 1 has the status `wrong` and a time of "),
        ("\"time_ms\":", "\"time_ms\":-", "run 1 took no time"),
        ("\"reason\":null", "\"reason\":\"slow\"", "run 1 has the status `ok` and slow"),
        ("\"WORK_GROUP_SIZE_Y\":", "\"WORK_GROUP_SIZE_Y\":1", "run 1 is of WORK_GROUP_SIZE_X="),
        ("\"purpose\":\"suggested\"", "\"purpose\":\"confirmed\"", "run 1 has another purpose or prediction"),
    ];
    for (what, by, words) in lies {
        let (event, _) = whole.lines().nth(run_of).unwrap().rsplit_once(",\"sha256\":").unwrap();
        let forged = event.replacen(what, by, 1) + "}";
        assert_ne!(forged, format!("{event}}}"), "{words}");
        let sum = data_encoding::HEXLOWER.encode(&Sha256::digest(&forged));
        let before: String = whole.split_inclusive('\n').take(run_of).collect();
        let journal = format!("{before}{},\"sha256\":\"{sum}\"}}\n", forged.strip_suffix('}').unwrap());
        std::fs::write(&path, &journal).unwrap();
        let line = format!("line {} of `{}` is damaged: ", run_of + 1, path.display());
        assert_fails(&mut gpu.command(&["--runs", "1", "--repeat", "1", "--resume"]), 2, &[&line, words, "help: "]);
        assert_eq!(gpu.file("journal.jsonl"), journal);
    }
}

#[test]
fn only_the_command_line_names_commands() {
    let gpu = Replay::new("");
    let spec = gpu.folder.path().join("own.yaml");
    for key in ["run", "build", "verify", "measure"] {
        let marker = gpu.folder.path().join("marker");
        std::fs::write(&spec, format!("{key}: touch {}\n{}", marker.display(), Replay::spec())).unwrap();
        let mut command = autotune();
        command.args(["measure", spec.to_str().unwrap(), "--gpu", "volta", "--run", "true"]);
        assert_fails(&mut command, 2, &[key]);
        assert!(!marker.exists());
    }
}
