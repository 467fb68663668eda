//! Limits and interrupts: what is known is told, and nothing is left behind.

use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// A kernel whose search takes long by elements: the clock ticks by one, nothing is skipped.
fn long(folder: &Path) -> PathBuf {
    let spec = folder.join("long.yaml");
    let text = "
kernel: long
problem: { n: 40000 }
parameters: { WG: { values: [8, 16] } }
launch: { work_items: WG, work_group: WG }
body: [ { loop: { count: n, body: [ { load: { array: a } }, barrier, { load: { array: b } } ] } } ]
";
    std::fs::write(&spec, text).unwrap();
    spec
}

fn is_best_effort(ended: &Ended, stopped: &str) -> Value {
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let result = json(ended, "result.json");
    assert_eq!((&result["verdict"], &result["stopped"]), (&"best_effort".into(), &stopped.into()));
    assert!(result["interval"]["lower"].as_u64().unwrap() <= result["interval"]["upper"].as_u64().unwrap());
    result
}

#[test]
fn a_memory_limit_leaves_the_interval_open() {
    let folder = tempfile::tempdir().unwrap();
    let spec = long(folder.path());
    let ended = run(autotune().args([
        spec.to_str().unwrap(),
        "--gpu",
        "abstract-tiny",
        "--granularity",
        "element",
        "--memory",
        "64MiB",
        "--format",
        "json",
    ]));
    let result = is_best_effort(&ended, "memory");
    assert!(result["reason"].as_str().unwrap().contains("memory limit"));
}

#[test]
fn a_time_limit_leaves_the_interval_open() {
    let folder = tempfile::tempdir().unwrap();
    let spec = long(folder.path());
    let ended = run(autotune().args([
        spec.to_str().unwrap(),
        "--gpu",
        "abstract-tiny",
        "--granularity",
        "element",
        "--time-limit",
        "2s",
        "--format",
        "json",
    ]));
    is_best_effort(&ended, "time");
}

#[test]
fn ctrl_c_tells_what_is_known_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let spec = long(folder.path());
    let child = Process::new(assert_cmd::cargo::cargo_bin("autotune"))
        .args([spec.to_str().unwrap(), "--gpu", "abstract-tiny", "--granularity", "element", "--format", "json"])
        .env("TMPDIR", temporary.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let began = Instant::now();
    while pids_in(temporary.path()).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "pan never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(pid, Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let ended =
        Ended { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) };
    is_best_effort(&ended, "interrupt");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0, "files are left");
    assert!(pids_in(temporary.path()).is_empty(), "processes are left");
}

/// Processes that run a program of this folder.
fn pids_in(folder: &Path) -> Vec<u32> {
    let programs = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let entry = entry.ok()?;
        let program = std::fs::read_link(entry.path().join("exe")).ok()?;
        program.starts_with(folder).then(|| entry.file_name().to_string_lossy().parse().ok())?
    });
    programs.collect()
}
