//! `check.py` checks kept proofs with Python alone: its times and its lower bounds are those of this program.

use autotune::machine::{Program, evaluate, lower_bound};

use super::{reference, varied_programs};

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/drive_check.py");
const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/certificate/check.py");

#[test]
fn check_py_computes_the_times_and_the_bounds_of_10_000_random_programs() {
    let programs: Vec<Program> = varied_programs(8).take(10_000).collect();
    for (program, line) in programs.iter().zip(reference::answers(&[DRIVER, CHECK], &programs)) {
        let (bound, ticks) = (lower_bound(program).ticks, evaluate(program, u64::MAX).unwrap().ticks);
        assert_eq!(line, format!("{bound} {ticks}"), "{}", serde_json::to_string(program).unwrap());
    }
}
