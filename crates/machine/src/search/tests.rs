//! Searches with a scripted checker: the times of its runs are known.

use proptest::prelude::*;

use super::*;

/// A checker whose runs end at these times; it gives up after `patience` answers.
struct Scripted {
    times: Vec<u64>,
    patience: usize,
    asked: Vec<Probe>,
}

#[derive(Debug, PartialEq)]
struct GaveUp;

impl Scripted {
    fn new(times: &[u64]) -> Self {
        Self { times: times.to_vec(), patience: usize::MAX, asked: Vec::new() }
    }

    fn bounds(&self) -> Vec<u64> {
        self.asked.iter().map(|probe| probe.bound.get()).collect()
    }

    fn is_before(&self, bound: u64) -> Option<Witness> {
        // The slowest of the runs that end in time: a checker need not find the fastest first.
        let runs = self.times.iter().enumerate().filter(|(_, time)| **time < bound);
        runs.max_by_key(|(_, time)| **time)
            .map(|(candidate, &ticks)| Witness { candidate: candidate.into(), ticks: ticks.into() })
    }
}

impl Checker for Scripted {
    type Error = GaveUp;

    fn check(&mut self, probe: Probe) -> Result<BoundCheck, GaveUp> {
        if self.asked.len() == self.patience {
            return Err(GaveUp);
        }
        self.asked.push(probe);
        Ok(self.is_before(probe.bound.get()).map_or(BoundCheck::Holds, BoundCheck::Witness))
    }
}

fn bracket(lower: u64, upper: u64) -> Bracket {
    Bracket { lower: lower.into(), upper: upper.into() }
}

#[test]
fn a_right_guess_takes_two_answers() {
    let mut checker = Scripted::new(&[30, 20, 50]);
    let witness = confirm(&mut checker, bracket(0, 20)).unwrap();
    assert_eq!((witness, checker.bounds()), (Witness { candidate: 1.into(), ticks: Ticks::new(20) }, vec![21, 20]));
}

#[test]
fn a_wrong_guess_is_told_with_both_values() {
    for (guess, found) in [(19, None), (25, Some(20))] {
        let mut checker = Scripted::new(&[30, 20, 50]);
        let Err(Unfinished::Disagreement(told)) = confirm(&mut checker, bracket(0, guess)) else {
            panic!("{guess} was confirmed")
        };
        assert_eq!((told.expected.get(), told.found.map(|run| run.ticks.get())), (guess, found));
    }
}

#[test]
fn without_an_answer_the_bracket_stays_open() {
    let mut checker = Scripted { patience: 2, ..Scripted::new(&[100, 70]) };
    let Err(Unfinished::NoAnswer { bracket: open, error }) = bisect(&mut checker, bracket(0, 100)) else {
        panic!("an optimum without answers")
    };
    // 51 holds, 76 has the run of 70.
    assert_eq!((open, error), (bracket(51, 70), GaveUp));
}

#[test]
fn both_bounds_of_the_optimum_are_asked_for_once() {
    let mut known = Scripted::new(&[20]);
    bisect(&mut known, bracket(20, 20)).unwrap();
    assert_eq!(known.bounds(), [20, 21]);
    // 16 holds and 18 has a run of 17, then 17 holds: only the witness is asked for again.
    let mut halved = Scripted::new(&[20, 17]);
    bisect(&mut halved, bracket(10, 20)).unwrap();
    assert_eq!(halved.bounds().iter().filter(|&&bound| bound == 17).count(), 1);
}

#[test]
fn the_most_answers_are_counted_from_what_is_left_of_the_bracket() {
    let mut checker = Scripted::new(&[1_000_016, 1_000_001]);
    bisect(&mut checker, bracket(1_000_000, 1_000_016)).unwrap();
    // 16 ticks are halved five times at most, and one answer more confirms the last.
    assert_eq!((checker.asked[0].number, checker.asked[0].most), (1, 1 + 5 + 1));
    assert!(checker.asked.iter().all(|probe| probe.most <= 1 + 5 + 1 + 1));
}

proptest! {
    #[test]
    fn bisection_finds_the_least_time(times in prop::collection::vec(0u64..1_000_000, 1..20)) {
        let mut checker = Scripted::new(&times);
        let found = bisect(&mut checker, bracket(0, times[0])).unwrap();
        let least = *times.iter().min().unwrap();
        prop_assert_eq!(found.ticks.get(), least);
        prop_assert!(checker.bounds().contains(&least) && checker.bounds().contains(&(least + 1)));
        prop_assert!(checker.asked.len() <= times[0].max(1).ilog2() as usize + 3);
        prop_assert!(checker.asked.iter().all(|probe| probe.number <= probe.most));
    }

    #[test]
    fn giving_up_never_closes_the_bracket_wrongly(times in prop::collection::vec(0u64..1000, 1..9), patience in 0usize..12) {
        let mut checker = Scripted { patience, ..Scripted::new(&times) };
        if let Err(Unfinished::NoAnswer { bracket, .. }) = bisect(&mut checker, bracket(0, times[0])) {
            let least = *times.iter().min().unwrap();
            prop_assert!(bracket.lower.get() <= least && least <= bracket.upper.get());
        }
    }
}
