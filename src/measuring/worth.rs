//! The further runs that are expected to be worth their time, from the courses of suggestions on measured spaces.
//!
//! ```text
//! state = (ln runs, ln (1 + runs since the best rose by more than 0.5 %))
//! weight of a state of a course = exp(-2 |state - state of the course|^2)
//! gain(m) = weighted mean of 1 - best after the runs / best after m further runs
//! worth = the m of 0 to 20 with the greatest gain(m) - m * price
//! ```
//!
//! Both numbers of a state say how much is left to gain; the corrected ranking's own expected gain hardly does.
//! `ci/suggested --courses` writes the table, and `ci/suggested --worth` shows how well it advises.

use std::sync::LazyLock;

use serde::Deserialize;

const TABLE: &str = include_str!("courses.csv");
/// The number of runs of each course.
const RUNS: usize = 70;
/// The most further runs that are looked at.
pub const FURTHER_RUNS: usize = 20;
/// The distance that lets a state count e^(-1/2) of an equal one.
const REACH: f64 = 0.5;
/// A best that rises by this fraction or less has not risen.
const RISE: f64 = 0.005;

/// A line of the table: a run that was the best of a set so far.
#[derive(Debug, Deserialize)]
struct Line {
    set: String,
    /// The number of the run, from 1.
    run: usize,
    /// The best time of the set divided by that of the run.
    best: f64,
}

/// A state of a course that is followed by [`FURTHER_RUNS`] runs.
#[derive(Debug)]
struct State {
    place: [f64; 2],
    /// The gain of the first 1, 2 ... further runs.
    gains: [f64; FURTHER_RUNS],
}

/// The number of further runs that are expected to be worth their time, at most [`FURTHER_RUNS`]. `times` are the best times after
/// each run; infinite before one succeeded. A run is worth its time while it gains `price` of the best in the mean.
pub(super) fn worthwhile_runs(times: &[f64], price: f64) -> usize {
    if times.last().is_none_or(|time| time.is_infinite()) {
        // The first run that succeeds is worth its time.
        return (1 + among(place(1, 0), price, states())).min(FURTHER_RUNS);
    }
    let speeds: Vec<f64> = times.iter().map(|time| 1.0 / time).collect();
    among(place(times.len(), since_rise(&speeds)), price, states())
}

/// The number of further runs with the greatest gain beyond their price.
fn among<'a>(here: [f64; 2], price: f64, states: impl IntoIterator<Item = &'a State>) -> usize {
    let (mut all, mut gains) = (0.0, [0.0; FURTHER_RUNS]);
    for state in states {
        let squares: f64 = here.iter().zip(&state.place).map(|(here, there)| ((here - there) / REACH).powi(2)).sum();
        let weight = libm::exp(-squares / 2.0);
        all += weight;
        for (sum, gain) in gains.iter_mut().zip(&state.gains) {
            *sum += weight * gain;
        }
    }
    let (mut best, mut runs) = (0.0, 0);
    for (further, gain) in (1..).zip(gains) {
        let net = gain / all - price * f64::from(further);
        if net > best {
            (best, runs) = (net, further);
        }
    }
    usize::try_from(runs).unwrap_or_default()
}

/// The number of the last runs that have not made the best faster by more than [`RISE`]. `speeds` are the best ones after each
/// run.
fn since_rise(speeds: &[f64]) -> usize {
    let Some((last, before)) = speeds.split_last() else { return 0 };
    before.iter().rev().take_while(|speed| **speed >= last * (1.0 - RISE)).count()
}

/// The place of a state.
#[expect(clippy::cast_precision_loss, reason = "runs are far below 2^53")]
fn place(runs: usize, since_rise: usize) -> [f64; 2] {
    [libm::log(runs as f64), libm::log(1.0 + since_rise as f64)]
}

/// The states of all courses.
fn states() -> &'static [State] {
    static STATES: LazyLock<Vec<State>> =
        LazyLock::new(|| lines().chunk_by(|one, other| one.set == other.set).flat_map(states_of).collect());
    &STATES
}

/// The lines of the table.
fn lines() -> Vec<Line> {
    let rows = csv::Reader::from_reader(TABLE.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("the table is part of the program and tested")
}

/// The best fraction after each run of a course; 0 before one succeeded.
fn speeds(course: &[Line]) -> Vec<f64> {
    let best_after = |run: usize| course.iter().rev().find(|line| line.run <= run).map_or(0.0, |line| line.best);
    (1..=RUNS).map(best_after).collect()
}

/// The states of one course.
fn states_of(course: &[Line]) -> Vec<State> {
    let speeds = speeds(course);
    let state = |runs: usize| State {
        place: place(runs, since_rise(&speeds[..runs])),
        gains: std::array::from_fn(|further| 1.0 - speeds[runs - 1] / speeds[runs + further]),
    };
    let first = speeds.iter().take_while(|speed| **speed == 0.0).count() + 1;
    (first..=RUNS - FURTHER_RUNS).map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of each course.
    fn courses(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
        lines.chunk_by(|one, other| one.set == other.set)
    }

    /// The family of a course's kernel.
    fn family(course: &[Line]) -> &str {
        course[0].set.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap()
    }

    /// Each course stops where those of all other families of kernels let no further run be worth its time.
    #[test]
    fn courses_that_stop_as_advised_lose_little_to_longer_ones() {
        let lines = lines();
        let (mut runs, mut right, mut lost) = (0, 0, 0.0);
        for course in courses(&lines) {
            let others: Vec<State> =
                courses(&lines).filter(|other| family(other) != family(course)).flat_map(states_of).collect();
            let speeds = speeds(course);
            let is_worth = |known: &usize| among(place(*known, since_rise(&speeds[..*known])), 0.001, &others) > 0;
            let stop = (1..RUNS - FURTHER_RUNS).find(|known| !is_worth(known)).unwrap_or(RUNS - FURTHER_RUNS);
            runs += stop;
            right += usize::from(speeds[stop - 1] / speeds[stop + 9] > 0.99);
            lost += 1.0 - speeds[stop - 1] / speeds[RUNS - 1];
        }
        let all = courses(&lines).count();
        assert!((15 * all..25 * all).contains(&runs), "{runs} runs of {all} courses");
        assert!(right * 100 >= 80 * all, "{right} of {all} are right");
        #[expect(clippy::cast_precision_loss, reason = "there are few")]
        let mean = lost / all as f64;
        assert!(mean < 0.025, "{mean}");
    }

    #[test]
    fn runs_that_stop_to_gain_are_no_longer_worth_their_time() {
        let flat = |runs: usize| worthwhile_runs(&vec![1.0; runs], 0.001);
        assert!(
            flat(1) > flat(10) && flat(10) > flat(15) && flat(25) == 0,
            "{} {} {} {}",
            flat(1),
            flat(10),
            flat(15),
            flat(25)
        );
        // A better run makes others worth it again.
        let mut times = vec![1.0; 15];
        times.push(0.8);
        assert!(worthwhile_runs(&times, 0.001) > 0);
        // The dearer a run, the fewer are worth it; free ones all are.
        assert!(worthwhile_runs(&times, 0.01) < worthwhile_runs(&times, 0.001));
        assert_eq!(worthwhile_runs(&[1.0], 0.0), FURTHER_RUNS);
        // Before the first success there is all to gain.
        assert!(worthwhile_runs(&[], 0.001) >= flat(1) && worthwhile_runs(&[f64::INFINITY; 30], 0.001) >= flat(1));
    }

    #[test]
    fn a_rise_is_counted_from_its_run() {
        assert_eq!(since_rise(&[0.5, 0.9, 0.9, 0.902, 0.902]), 3);
        assert_eq!(since_rise(&[0.5, 0.9]), 0);
        assert_eq!(since_rise(&[0.9]), 0);
        assert_eq!(since_rise(&[0.0, 0.0, 0.7]), 0);
    }
}
