//! Batches that are killed in each of their phases and lose nothing.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

/// The event at which a phase begins, and the length of the phase in microseconds.
const PHASES: [(&str, u64); 6] = [
    ("input.read", 500),
    ("model.render", 2_000),
    ("model.translate", 120_000),
    ("checker.compile", 80_000),
    ("checker.search", 20_000),
    ("journal.write", 300),
];

/// One kill in each phase.
#[test]
fn a_killed_batch_loses_nothing() {
    kill_in_each_phase(1);
}

/// 60 kills: `cargo test --test batch -- --ignored`.
#[test]
#[ignore = "it takes minutes"]
fn a_batch_that_is_killed_again_and_again_loses_nothing() {
    kill_in_each_phase(10);
}

#[expect(clippy::print_stdout, reason = "a failure can be repeated with the seed")]
fn kill_in_each_phase(times: usize) {
    let seed = std::env::var("AUTOTUNE_SEED").map_or_else(|_| rand::random(), |seed| seed.parse().unwrap());
    println!("AUTOTUNE_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let mut counts = [0; PHASES.len()];
    let mut batches = 0;
    while let Some(phase) = (0..PHASES.len()).find(|phase| counts[*phase] < times) {
        batches += 1;
        assert!(batches <= times * PHASES.len() * 8, "the phases are missed: {counts:?}");
        let place = Place::new(JOBS);
        let jobs = if random.random() { "1" } else { "2" };
        let arguments = ["--out", "out", "--no-cache", "-v", "--resume", "--jobs", jobs];
        // A batch may be killed more than once.
        while let Some(last) = killed(&place, &arguments, phase, &mut random) {
            counts[last] += 1;
            if random.random() {
                break;
            }
        }
        is_whole(&place);
    }
    println!("{batches} batches, killed in {counts:?} of {PHASES:?}");
}

/// Starts the batch and kills it in a phase. Returns the phase in which it was; `None` if it had ended before.
fn killed(place: &Place, arguments: &[&str], phase: usize, random: &mut StdRng) -> Option<usize> {
    let mut child = place.batch(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let (event, microseconds) = PHASES[phase];
    let occurrence = random.random_range(0..8);
    let mut last = None;
    let mut note = |line: &str| {
        let began = PHASES.iter().position(|(event, _)| tells(line, event));
        last = if tells(line, "journal.written") { None } else { began.or(last) };
    };
    let mut seen = 0;
    for line in lines.by_ref() {
        note(&line);
        if tells(&line, event) {
            seen += 1;
            // Only the first jobs compile.
            if seen > occurrence || phase == 2 || phase == 3 {
                break;
            }
        }
    }
    std::thread::sleep(Duration::from_micros(random.random_range(0..microseconds)));
    child.kill().unwrap();
    lines.for_each(|line| note(&line));
    let ended = child.wait().unwrap();
    place.has_no_processes();
    if ended.code().is_some() { None } else { last }
}

/// Resumes the batch to its end and checks that its results are those of an undisturbed one and that nothing is left
/// behind.
fn is_whole(place: &Place) {
    let output = place.batch(&["--out", "out", "--no-cache", "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(place.results() == *UNDISTURBED, "results differ after {}", place.journal());
    assert!(place.temporary_files().is_empty(), "{:?}", place.temporary_files());
    let left: Vec<_> = std::fs::read_dir(place.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
