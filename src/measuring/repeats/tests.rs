//! Runs that are lucky, and runs that fail.

use super::*;

fn of(value: i64) -> Configuration {
    Configuration(vec![value])
}

/// Runs of configurations: the time of each, or `None` if it failed, and whether it confirms.
fn told(runs: &[(i64, Option<f64>, bool)]) -> RepeatedRuns {
    let mut told = RepeatedRuns::default();
    for (value, time, confirms) in runs {
        told.tell(&of(*value), time.map_or(RunEnd::Failed, RunEnd::Took), *confirms);
    }
    told
}

#[test]
fn the_best_three_are_measured_again_and_a_lucky_run_is_none() {
    let mut runs = told(&[(1, Some(5.0), false), (2, Some(1.0), false), (3, Some(4.0), false), (4, None, false)]);
    runs.tell(&of(5), RunEnd::Took(6.0), false);
    assert_eq!(runs.to_confirm(), [of(2), of(3), of(1)]);
    assert!(!runs.best().unwrap().confirmed);
    for (value, time) in [(2, 9.0), (3, 4.5), (1, 4.0)] {
        runs.tell(&of(value), RunEnd::Took(time), true);
        runs.tell(&of(value), RunEnd::Took(time), true);
    }
    // The lucky one is slow, so that another is among the best three.
    assert_eq!(runs.to_confirm(), [of(5)]);
    runs.tell(&of(5), RunEnd::Took(7.0), true);
    runs.tell(&of(5), RunEnd::Took(8.0), true);
    let best = runs.best().unwrap();
    assert_eq!((best.configuration, best.time, best.runs, best.confirmed), (of(1), 4.0, 3, true));
}

#[test]
fn a_failed_run_bars_no_configuration_that_runs() {
    let mut runs = told(&[(1, Some(1.0), false), (2, Some(2.0), false), (1, None, true)]);
    assert_eq!((runs.best().unwrap().configuration, runs.to_confirm()), (of(1), vec![of(1), of(2)]));
    for _ in 0..2 {
        runs.tell(&of(1), RunEnd::Took(1.0), true);
        runs.tell(&of(2), RunEnd::Took(2.0), true);
    }
    let best = runs.best().unwrap();
    assert_eq!((best.configuration, best.runs, best.failed, best.confirmed), (of(1), 3, 1, true));
    assert_eq!(runs.faster_with_failed_runs(), None);
    assert_eq!(told(&[(1, None, false)]).best(), None);
}

#[test]
fn two_failures_are_the_configurations_own_if_the_device_was_there_between() {
    let dead = told(&[(1, Some(1.0), false), (2, None, false), (2, None, false), (1, None, false)]);
    assert!(!dead.is_given_up(&of(2)), "the device may have been dead");
    assert_eq!(dead.to_repeat().collect::<Vec<_>>(), [&of(2)]);
    let own = told(&[(1, Some(1.0), false), (2, None, false), (1, Some(1.0), false), (2, None, false)]);
    assert!(own.is_given_up(&of(2)) && own.to_repeat().next().is_none());
    let mended = told(&[(1, Some(1.0), false), (2, None, false), (1, Some(1.0), false), (2, Some(3.0), false)]);
    assert!(!mended.is_given_up(&of(2)) && mended.has_run(&of(2)));
    let mut unbuilt = RepeatedRuns::default();
    unbuilt.tell(&of(1), RunEnd::Unbuildable, false);
    assert!(unbuilt.is_given_up(&of(1)));
}

/// A configuration that runs once and takes the device with it afterwards is named, and is not confirmed.
#[test]
fn what_is_faster_and_fails_is_named_beside_the_best() {
    let mut runs = told(&[(1, Some(1.0), false), (2, Some(2.0), false)]);
    for time in [None, None] {
        runs.tell(&of(1), time.map_or(RunEnd::Failed, RunEnd::Took), true);
        runs.tell(&of(2), RunEnd::Took(2.0), true);
    }
    assert!(runs.is_given_up(&of(1)) && runs.to_confirm().is_empty());
    let (best, faster) = (runs.best().unwrap(), runs.faster_with_failed_runs().unwrap());
    assert_eq!((best.configuration, best.time, best.confirmed), (of(2), 2.0, true));
    assert_eq!((faster.configuration, faster.time, faster.runs, faster.failed), (of(1), 1.0, 1, 2));
}

#[test]
fn a_probe_is_the_fastest_that_never_failed() {
    let runs = told(&[(1, Some(1.0), false), (2, Some(2.0), false), (3, Some(3.0), false), (1, None, true)]);
    assert_eq!(runs.probe(&of(1)), Some(&of(2)));
    assert_eq!(runs.probe(&of(2)), Some(&of(3)));
    assert_eq!(told(&[(1, Some(1.0), false), (1, None, true)]).probe(&of(1)), Some(&of(1)), "there is no other");
    assert_eq!(told(&[(1, None, false)]).probe(&of(1)), None);
}

#[test]
fn the_chase_of_lucky_runs_ends() {
    let mut runs = RepeatedRuns::default();
    (0..100_i32).for_each(|value| runs.tell(&of(value.into()), RunEnd::Took(f64::from(value) + 1.0), false));
    let mut chased = 0;
    while let Some(next) = runs.to_confirm().first().cloned() {
        (0..2).for_each(|_| runs.tell(&next, RunEnd::Took(1000.0), true));
        chased += 1;
    }
    assert_eq!(chased, MOST_CONFIRMED);
    assert!(runs.best().unwrap().confirmed);
}
