//! Measurements that are killed at any moment, and go on as if nothing had happened.

use std::process::Stdio;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

const OPTIONS: [&str; 6] = ["--runs", "6", "--repeat", "2", "--resume", "--quiet"];

/// The result of an undisturbed measurement, and its time.
static UNDISTURBED: LazyLock<(Value, Duration)> = LazyLock::new(|| {
    let began = Instant::now();
    let (report, ended) = Replay::new("").measured(&OPTIONS);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    (report, began.elapsed())
});

#[test]
#[expect(clippy::print_stdout, reason = "a failure can be repeated with the seed")]
fn a_killed_measurement_goes_on_as_if_nothing_had_happened() {
    let seed = std::env::var("AUTOTUNE_SEED").map_or_else(|_| rand::random(), |seed| seed.parse().unwrap());
    println!("AUTOTUNE_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let (undisturbed, time) = &*UNDISTURBED;
    let mut kills = 0;
    for _ in 0..6 {
        let gpu = Replay::new("");
        loop {
            let mut child = gpu.process(&OPTIONS).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let until = time.mul_f64(random.random_range(0.0..0.8));
            std::thread::sleep(until);
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
            kills += 1;
            if random.random_range(0..3) == 0 {
                break;
            }
        }
        let (report, ended) = gpu.measured(&OPTIONS);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_eq!(report, *undisturbed, "after {}", gpu.file("journal.jsonl"));
    }
    assert!(kills >= 4, "only {kills} were killed");
}

/// The last line of the journal is torn at each of its places.
#[test]
fn a_torn_line_is_measured_again() {
    let gpu = Replay::new("");
    gpu.measured(&OPTIONS);
    let whole = gpu.file("journal.jsonl");
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    for length in [last + 1, usize::midpoint(last, whole.len()), whole.len() - 1] {
        std::fs::write(gpu.out().join("journal.jsonl"), &whole[..length]).unwrap();
        let (report, ended) = gpu.measured(&OPTIONS);
        assert_eq!((ended.status, &report), (0, &UNDISTURBED.0), "{}", ended.stderr);
    }
    let damaged = whole.replacen("\"pick\":0", "\"pick\":1", 1);
    std::fs::write(gpu.out().join("journal.jsonl"), damaged).unwrap();
    assert_fails(&mut gpu.command(&OPTIONS), 2, &["is damaged: its checksum is wrong"]);
}

/// A benchmark that kills this program loses it no run; one that interrupts it ends it in order.
#[test]
fn a_benchmark_that_kills_us_loses_nothing() {
    for (signal, code) in [("KILL", None), ("INT", Some(3)), ("TERM", Some(3))] {
        let gpu = Replay::new(&format!("killer={signal}"));
        let ended = gpu.process(&OPTIONS).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), code, "{signal}");
        let (report, ended) = gpu.measured(&OPTIONS);
        assert_eq!((ended.status, &report), (0, &UNDISTURBED.0), "{signal}: {}", ended.stderr);
    }
}

#[test]
fn ctrl_c_keeps_all_and_says_so() {
    let gpu = Replay::new("");
    let mut child = gpu.process(&["--runs", "200", "--until", "0"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("four runs ended", || {
        assert!(child.try_wait().unwrap().is_none(), "the tool ended");
        let journal = std::fs::read_to_string(gpu.out().join("journal.jsonl"));
        journal.is_ok_and(|text| text.matches("ended").count() >= 4)
    });
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let report = json(&Ended { status: 3, stdout, stderr: String::new() }, "measure.json");
    let runs = report["runs"].as_array().unwrap().len();
    assert_eq!((output.status.code(), &report["ended"]), (Some(3), &"interrupt".into()), "{stderr}");
    assert!(runs >= 4 && report["best"]["confirmed"] == false);
    assert!(stderr.contains(&format!("interrupted: all {runs} runs are kept in")), "{stderr}");
    assert!(gpu.out().join("results.json").exists() && gpu.out().join("index.html").exists());
}
