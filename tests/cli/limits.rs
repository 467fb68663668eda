//! Limits and interrupts: known results are printed, and nothing is left behind.

use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// A compiler whose every program runs for ever and has a child.
fn endless(folder: &Path) -> PathBuf {
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && { echo fake; exit; }\nwhile [ \"$1\" != -o ]; do shift; done\n\
                printf '#!/bin/sh\\ntrap : INT\\nsleep 600 & wait\\nsleep 600\\n' > \"$2\"\nchmod +x \"$2\"\n";
    script(folder, "fake-cc", text)
}

fn is_best_effort(ended: &Ended, stopped: &str) -> Value {
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let result = json(ended, "result.json");
    assert_eq!((&result["verdict"], &result["stopped"]), (&"best_effort".into(), &stopped.into()));
    assert!(result["interval"]["lower"].as_u64().unwrap() <= result["interval"]["upper"].as_u64().unwrap());
    assert_eq!(result["best_known"]["ticks"], result["interval"]["upper"]);
    result
}

/// The ticks of a configuration, by a question about it alone.
fn evaluated(question: &[&str], parameters: &Value) -> Value {
    let printed = run(autotune().arg("evaluate").args(question).args(["--format", "json"])).stdout;
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let mut rows = printed["configurations"].as_array().unwrap().iter();
    rows.find(|row| row["parameters"] == *parameters).unwrap()["ticks"].clone()
}

#[test]
fn a_memory_limit_leaves_the_interval_open() {
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--form", "roles"];
    let ended = run(autotune().args(question).args(["--memory", "16MiB", "--format", "json"]));
    let result = is_best_effort(&ended, "memory");
    assert!(result["reason"].as_str().unwrap().contains("memory limit"));
    let best = &result["best_known"];
    assert_eq!(best["ticks"], evaluated(&question[..3], &best["parameters"]));
    let printed = run(autotune().args(question).args(["--memory", "16MiB"])).stdout;
    assert!(printed.contains("\nbest      TS=") && printed.contains("by the evaluator, not proved\n"), "{printed}");
}

#[test]
fn a_time_limit_leaves_the_interval_open() {
    let folder = tempfile::tempdir().unwrap();
    let limited = ["--time-limit", "2s", "--format", "json"];
    let ended = run(autotune().args(SMALL).args(limited).env("AUTOTUNE_CC", endless(folder.path())));
    let result = is_best_effort(&ended, "time");
    assert_eq!(result["interval"], serde_json::json!({"lower": 136, "upper": 136}));
    let proved = json(&run(autotune().args(SMALL).args(["--format", "json"])), "result.json");
    assert_eq!(result["best_known"]["parameters"], proved["optimum"]["parameters"]);
    assert_eq!(result["best_known"]["microseconds"], Value::Null);
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.starts_with("the time limit was reached during the "), "{reason}");
}

/// A simulation knows the time of a run; a search for ever faster runs knows none before it ends.
#[test]
fn without_the_native_guess_only_what_spin_ran_is_the_best_known() {
    let folder = tempfile::tempdir().unwrap();
    let compiler = endless(folder.path());
    let ask = |strategy: &str| {
        let limited = ["--time-limit", "2s", "--format", "json", "--strategy", strategy];
        let ended = run(autotune().args(SMALL).args(limited).env("AUTOTUNE_CC", &compiler));
        assert_eq!(ended.status, 3, "{}", ended.stderr);
        json(&ended, "result.json")
    };
    let blind = ask("blind");
    let best = &blind["best_known"];
    assert_eq!(best["ticks"], blind["interval"]["upper"]);
    assert!(best.is_null() || best["ticks"] == evaluated(&SMALL, &best["parameters"]), "{blind}");
    let bounding = ask("branch-and-bound");
    assert_eq!((&bounding["interval"]["upper"], &bounding["best_known"]), (&Value::Null, &Value::Null));
}

/// Hundreds of proofs do not fit into the time. Those made by then stay, and the interval does not exclude them.
#[test]
fn a_limit_among_the_best_leaves_what_is_proved() {
    let question = ["tuning-specs/reduction.yaml", "--gpu", "fermi", "--format", "json", "--no-analysis"];
    let optimum = json(&run(autotune().args(question)), "result.json")["optimum"]["ticks"].as_u64().unwrap();
    let limited = ["--top", "1000", "--time-limit", "3s", "--no-cache"];
    let ended = run(autotune().args(question).args(limited));
    let result = json(&ended, "result.json");
    assert_eq!((ended.status, &result["stopped"]), (3, &"time".into()));
    if result["verdict"] == "proved" {
        assert_eq!((&result["optimum"]["ticks"], &result["top"][0]["ticks"]), (&optimum.into(), &optimum.into()));
        assert!(result["reason"].as_str().unwrap().contains("best is not proved"), "{}", result["reason"]);
    } else {
        // A slow computer may not finish the first proof.
        let end = |name: &str| result["interval"][name].as_u64().unwrap_or(u64::MAX);
        assert!(end("lower") <= optimum && optimum <= end("upper"), "{}", result["interval"]);
    }
}

#[test]
fn ctrl_c_tells_what_is_known_and_leaves_nothing_behind() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        ends_by(&[signal]);
    }
}

/// The search goes on after SIGINT; after a second signal, which may come at once, nobody waits for it.
#[test]
fn a_second_signal_ends_the_search_at_once() {
    let waited = ends_by(&[Signal::SIGINT, Signal::SIGTERM]);
    assert!(waited < Duration::from_millis(1500), "{waited:?}, as after a single signal");
}

/// Sends signals to a run whose search never ends; how long it took to end.
fn ends_by(signals: &[Signal]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let child = Process::new(assert_cmd::cargo::cargo_bin("autotune"))
        .args(SMALL)
        .args(["--format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("AUTOTUNE_CC", endless(folder.path()))
        .env("TMPDIR", temporary.path())
        .env("XDG_CACHE_HOME", &*CACHE)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let began = Instant::now();
    while pids_in(temporary.path()).len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "the search never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    let asked = Instant::now();
    for signal in signals {
        kill(pid, *signal).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let waited = asked.elapsed();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let ended =
        Ended { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) };
    is_best_effort(&ended, "interrupt");
    let room = temporary.path().join(format!("autotune.{}", nix::unistd::geteuid()));
    assert_eq!(std::fs::read_dir(room).unwrap().count(), 0, "files are left");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 1, "files are left beside the user's folder");
    assert!(pids_in(temporary.path()).is_empty(), "processes are left");
    waited
}

/// Processes that run in this folder.
fn pids_in(folder: &Path) -> Vec<u32> {
    let programs = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let entry = entry.ok()?;
        let working = std::fs::read_link(entry.path().join("cwd")).ok()?;
        working.starts_with(folder).then(|| entry.file_name().to_string_lossy().parse().ok())?
    });
    programs.collect()
}
