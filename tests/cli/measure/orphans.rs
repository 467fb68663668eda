//! Processes that a benchmark starts in a session of their own end with it; those of others live on.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// Leaves two processes behind, each in a session of its own and without a parent. `run` first looks for those that were
/// left before.
const SCRIPT: &str = r#"#!/bin/sh
cd "$1" || exit 9
if test "$2" = run && test -e left; then
    while read -r pid; do
        kill -0 "$pid" 2>/dev/null && echo "$pid" >> alive
    done < left
fi
leave='echo $$ >> left; : > "left-$1"; exec sleep 100'
(setsid sh -c "$leave" leave $$-1 &)
(setsid sh -c "(setsid sh -c '$leave' leave \$1 &); exec sleep 100" leave $$-2 &)
while ! test -e left-$$-1 || ! test -e left-$$-2; do sleep 0.01; done
test "$2" = end && sleep 100
echo 1 us
"#;

fn is_there(pid: i32) -> bool {
    kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH)
}

/// The processes that the script left behind.
fn left(gpu: &Replay) -> Vec<i32> {
    let left = std::fs::read_to_string(gpu.folder.path().join("left")).unwrap();
    left.lines().map(|pid| pid.parse().unwrap()).collect()
}

#[test]
fn what_a_benchmark_leaves_in_a_session_of_its_own_ends_with_it() {
    let gpu = Replay::new("");
    script(gpu.folder.path(), "leave", SCRIPT);
    let at = gpu.folder.path().display();
    let [build, run_with, endless] = ["build", "run", "end"].map(|word| format!("{at}/leave {at} {word}"));
    let ended = run(&mut gpu.other_command(&run_with, &["--build", &build, "--jobs", "2", "--runs", "4"]));
    let report = json(&ended, "measure.json");
    let runs = report["runs"].as_array().unwrap();
    assert!(ended.status == 0 && runs.iter().all(|run| run["status"] == "ok"), "{}", ended.stderr);
    assert!(left(&gpu).len() > 2 * runs.len(), "each run leaves two, and each build");
    assert!(!gpu.folder.path().join("alive").exists(), "a run began beside what another command had left");
    // A command that is stopped leaves nothing, either.
    std::fs::remove_dir_all(gpu.out()).unwrap();
    let ended = run(&mut gpu.other_command(&endless, &["--runs", "1", "--run-limit", "2s"]));
    assert_eq!(json(&ended, "measure.json")["runs"][0]["status"], "timed_out");
    let alive: Vec<i32> = left(&gpu).into_iter().filter(|pid| is_there(*pid)).collect();
    assert!(alive.is_empty(), "processes {alive:?} live on");
}

/// The shell that becomes this program has a child already, and another process is a stranger's.
#[test]
fn what_is_not_the_benchmarks_lives_on() {
    let gpu = Replay::new("");
    script(gpu.folder.path(), "leave", SCRIPT);
    let at = gpu.folder.path().display();
    let mut stranger = std::process::Command::new("setsid").args(["sleep", "100"]).spawn().unwrap();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "sleep 100 >/dev/null 2>&1 & echo $! > \"$0\"; exec \"$@\""]).arg(gpu.folder.path().join("own"));
    shell.arg(assert_cmd::cargo::cargo_bin("autotune")).current_dir(env!("CARGO_MANIFEST_DIR"));
    shell.args(gpu.arguments(&format!("{at}/leave {at} run"), &["--runs", "2"])).env("AUTOTUNE_CONFIG", "");
    let ended = ended(shell.output().unwrap());
    let own = std::fs::read_to_string(gpu.folder.path().join("own")).unwrap().trim().parse().unwrap();
    let lives = [own, i32::try_from(stranger.id()).unwrap()].map(is_there);
    let _ = kill(Pid::from_raw(own), Signal::SIGKILL);
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    assert_eq!((ended.status, lives), (0, [true; 2]), "{}", ended.stderr);
    assert!(!left(&gpu).into_iter().any(is_there), "processes live on");
}
