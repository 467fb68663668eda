//! Limits and interrupts: known results are printed, and nothing is left behind.

use std::io::{BufRead, BufReader, Read};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// A compiler whose every program runs for ever and has a child. After SIGINT the program goes on, and writes a line into
/// `probes` ten times a second.
fn endless(folder: &Path) -> PathBuf {
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && { echo fake; exit; }\nwhile [ \"$1\" != -o ]; do shift; done\n\
                printf '#!/bin/sh\\ntrap : INT\\nsleep 600 & wait\\n\
                while echo >> PROBES; do sleep 0.1; done\\n' > \"$2\"\nchmod +x \"$2\"\n";
    script(folder, "fake-cc", &text.replace("PROBES", folder.join("probes").to_str().unwrap()))
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
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100", "--form", "roles"];
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
    let bisecting = ask("bisection");
    let best = &bisecting["best_known"];
    assert_eq!(best["ticks"], bisecting["interval"]["upper"]);
    assert!(best.is_null() || best["ticks"] == evaluated(&SMALL, &best["parameters"]), "{bisecting}");
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
    let probes = ends_by(&[Signal::SIGINT, Signal::SIGTERM]);
    assert!(probes < 10, "{probes} probes, as after a single signal");
}

/// A space of a million configurations, all of them feasible; the last of them is the fastest.
const WIDE: &str = "
kernel: wide
parameters: { a: { range: { from: 1, to: 1000 } }, b: { range: { from: 1, to: 1000 } } }
varies: [ fp32 ]
launch: { work_items: 4096, work_group: 64 }
body: [ compute: { per_item: 1001 * (1001 - a) + 1001 - b } ]
";

/// A space of 10^9 configurations, of which a condition leaves a thousandth only when all parameters have values.
const SPARSE: &str = "
kernel: sparse
parameters:
  a: { range: { from: 1, to: 1000 } }
  b: { range: { from: 1, to: 1000 } }
  c: { range: { from: 1, to: 1000 } }
constraints: [ (7 * a + 13 * b + 11 * c + a * b * c) % 1009 == 0 ]
varies: [ fp32 ]
launch: { work_items: 4096, work_group: 64 }
body: [ compute: { per_item: a + 1000 * b + 1000 * c } ]
";

/// Ctrl-C at each step before SPIN's: the best time known is shown, with its configuration.
#[test]
fn ctrl_c_before_the_proof_shows_the_best_time_known() {
    let steps = [
        (SPARSE, "space.enumerate", &[][..], " % of the space were enumerated"),
        (WIDE, "space.lower", &[][..], " of 1,000,000 configurations were lowered"),
        (&WIDE.replace("1000 }", "500 }"), "space.evaluate", &["--no-prune"][..], "before a model was made"),
    ];
    for (spec, step, options, reason) in steps {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.yaml");
        std::fs::write(&path, spec).unwrap();
        let question = [path.to_str().unwrap(), "--gpu", "abstract-fermi"];
        let ended = interrupted_at(step, &[&question[..], &["--format", "json", "-v"], options].concat());
        let result = is_best_effort(&ended, "interrupt");
        let why = result["reason"].as_str().unwrap();
        assert!(why.starts_with("it was interrupted ") && why.ends_with(reason), "{step}: {why}");
        let best = &result["best_known"];
        let parameters = best["parameters"].as_object().unwrap().iter();
        let config: Vec<_> = parameters.map(|(name, value)| format!("{name}={value}")).collect();
        let config = config.join(",");
        let question = [&question[..], &["--config", &config]].concat();
        assert_eq!(best["ticks"], evaluated(&question, &best["parameters"]), "{step}");
        assert!(result["configurations"].as_array().unwrap().is_empty(), "{step}: a part of the space is not a list");
    }
}

/// Runs the tool, and sends SIGINT as soon as it logs a step.
fn interrupted_at(step: &str, arguments: &[&str]) -> Ended {
    let mut child = process(Path::new(env!("CARGO_MANIFEST_DIR"))).args(arguments).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut stderr = String::new();
    while !stderr.contains(step) {
        assert!(log.read_line(&mut stderr).unwrap() > 0, "{step} never began:\n{stderr}");
    }
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        log.read_to_string(&mut rest).unwrap();
        rest
    });
    wait_until("the interrupted run ends", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    stderr += &rest.join().unwrap();
    Ended { status: output.status.code().unwrap(), stdout: String::from_utf8(output.stdout).unwrap(), stderr }
}

/// A time limit that is over at once still leaves a time.
#[test]
fn a_time_limit_before_the_proof_leaves_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.yaml");
    std::fs::write(&path, WIDE).unwrap();
    let question = [path.to_str().unwrap(), "--gpu", "abstract-fermi", "--time-limit", "1ms"];
    let result = is_best_effort(&run(autotune().args(question).args(["--format", "json"])), "time");
    assert_eq!(result["best_known"]["parameters"], serde_json::json!({ "a": 1, "b": 256 }));
    let told = run(autotune().args(question)).stdout;
    assert!(told.contains("\nbest      a=1 b=256: ") && told.contains("by the evaluator, not proved\n"), "{told}");
}

/// Sends signals to a run whose search never ends, and returns how often the search has probed since.
fn ends_by(signals: &[Signal]) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let child = process(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(SMALL)
        .args(["--format", "json"])
        .env("AUTOTUNE_CC", endless(folder.path()))
        .env("TMPDIR", temporary.path())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    wait_until("the search starts", || pids_in(temporary.path()).len() >= 2);
    for signal in signals {
        kill(pid, *signal).unwrap();
    }
    let ended = ended(child.wait_with_output().unwrap());
    is_best_effort(&ended, "interrupt");
    let room = temporary.path().join(format!("autotune.{}", nix::unistd::geteuid()));
    assert_eq!(std::fs::read_dir(room).unwrap().count(), 0, "files are left");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 1, "files are left beside the user's folder");
    assert!(pids_in(temporary.path()).is_empty(), "processes are left");
    std::fs::read_to_string(folder.path().join("probes")).map_or(0, |probes| probes.lines().count())
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
