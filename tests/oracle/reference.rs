//! Queries to `machine.py`.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use autotune::machine::Program;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/machine.py");

/// The programs' times.
pub(crate) fn times(programs: &[Program]) -> Vec<u64> {
    answers(&[MACHINE, "evaluate", "-"], programs).iter().map(|line| line.parse().unwrap()).collect()
}

/// The programs' least and greatest times over all orders of simultaneous events.
pub(crate) fn extremes(programs: &[Program]) -> Vec<(u64, u64)> {
    let pair = |line: &String| {
        let (least, greatest) = line.split_once(' ').unwrap();
        (least.parse().unwrap(), greatest.parse().unwrap())
    };
    answers(&[MACHINE, "bounds", "-"], programs).iter().map(pair).collect()
}

/// One line for each program, by two Python processes with this command line.
pub(crate) fn answers(command: &[&str], programs: &[Program]) -> Vec<String> {
    let (left, right) = programs.split_at(programs.len() / 2);
    let answers = thread::scope(|scope| {
        let right = scope.spawn(|| ask(command, right));
        [ask(command, left), right.join().unwrap()].concat()
    });
    assert_eq!(answers.len(), programs.len());
    answers
}

fn ask(command: &[&str], programs: &[Program]) -> Vec<String> {
    let mut python = Command::new("python3")
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs python3");
    let lines: String = programs.iter().map(|program| serde_json::to_string(program).unwrap() + "\n").collect();
    let mut input = python.stdin.take().unwrap();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{command:?} failed");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}
