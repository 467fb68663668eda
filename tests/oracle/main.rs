//! The native evaluator against `machine.py`, the executable definition of the abstract machine's timing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use autotune::machine::{Program, evaluate};

#[path = "../shared/random_programs.rs"]
mod random_programs;

use random_programs::{Shape, programs};

/// Answers of `machine.py`, one a program.
fn reference(programs: &[Program]) -> Vec<u64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/machine.py");
    let mut python = Command::new("python3")
        .args([script, "evaluate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs python3");
    let lines: String = programs.iter().map(|program| serde_json::to_string(program).unwrap() + "\n").collect();
    let mut input = python.stdin.take().unwrap();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "machine.py failed");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_evaluator_equals_the_reference_on_100_000_random_programs() {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 5 };
    let all: Vec<Program> = programs(1, shape).take(100_000).collect();
    let uneven = all
        .iter()
        .filter(|program| !(program.resident_groups * program.warps_per_group).is_multiple_of(program.dispatchers));
    assert!(uneven.count() >= 10_000, "too few programs with R * W not divisible by ND");
    let (left, right) = all.split_at(all.len() / 2);
    let expected = thread::scope(|scope| {
        let other = scope.spawn(|| reference(right));
        let mut expected = reference(left);
        expected.extend(other.join().unwrap());
        expected
    });
    assert_eq!(expected.len(), all.len());
    for (program, expected) in all.iter().zip(expected) {
        program.check().unwrap();
        let ticks = evaluate(program, u64::MAX).unwrap().ticks;
        assert_eq!(ticks, expected, "{}", serde_json::to_string(program).unwrap());
    }
}
