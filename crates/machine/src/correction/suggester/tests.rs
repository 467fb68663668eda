//! The picks of the definition, `tests/oracle/corrected.py`, as `ci/suggested --picks` has written them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::*;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/suggested").join(name)
}

/// A row and its time; `None` if it failed.
type Told = (usize, Option<f64>);

/// The runs that were known before the first pick, and the picks with their times, one at a time.
#[derive(Deserialize)]
struct Picks {
    told: Vec<Told>,
    picks: Vec<Told>,
}

/// The suggester with the second opinion, by its definition: the row that it begins with, and the times that both models
/// expect. As it is if a row lacks a time by the wave model.
fn with_both_models(suggester: Suggester, predictions: &[f64], waves: &[Option<f64>]) -> Suggester {
    let Some(waves) = waves.iter().copied().collect::<Option<Vec<f64>>>().filter(|waves| !waves.is_empty()) else {
        return suggester;
    };
    let predicted: Vec<usize> = (0..predictions.len()).filter(|&row| predictions[row] > 0.0).collect();
    let least = predicted.iter().map(|&row| predictions[row]).fold(f64::INFINITY, f64::min);
    let least_waves = waves.iter().copied().fold(f64::INFINITY, f64::min);
    let key = |&row: &usize| {
        let (machine, waves) = (predictions[row] / least, waves[row] / least_waves);
        (machine.powi(5).max(waves.powi(3)), predictions[row], row)
    };
    let start = predicted.iter().map(key).reduce(|one, other| if other < one { other } else { one });
    let expected = |(prediction, waves): (&f64, &f64)| prediction.max(least * (waves / least_waves).powf(0.6));
    let expected: Vec<f64> = predictions.iter().zip(&waves).map(expected).collect();
    suggester.starting_at(start.map(|(.., row)| row)).expecting(&expected)
}

/// The suggester of rows of values; a value is where it stands in numeric order.
fn suggester(rows: &[Vec<i64>], predictions: &[f64]) -> Suggester {
    let values = |parameter: usize| {
        let mut values: Vec<i64> = rows.iter().map(|row| row[parameter]).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let domains: Vec<Vec<i64>> = (0..rows[0].len()).map(values).collect();
    let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
    Suggester::new(predictions, Positions::of(&rows, &domains))
}

/// The predicted rows of a measured set.
fn measured_set(name: &str) -> Suggester {
    let packed = std::fs::File::open(file(&format!("{name}.csv.gz"))).unwrap();
    let (mut rows, mut predictions, mut waves) = (Vec::new(), Vec::new(), Vec::new());
    for record in csv::Reader::from_reader(GzDecoder::new(packed)).into_records() {
        let record = record.unwrap();
        let parameters = record.len() - 2;
        rows.push(record.iter().take(parameters).map(|value| value.parse().unwrap()).collect::<Vec<i64>>());
        predictions.push(record[parameters].parse().unwrap());
        waves.push(record[parameters + 1].parse().ok());
    }
    with_both_models(suggester(&rows, &predictions), &predictions, &waves)
}

#[test]
fn the_first_picks_of_ten_measured_sets_are_those_of_the_definition() {
    assert_picks(20);
}

#[test]
#[ignore = "twenty of each set in CI"]
fn the_first_fifty_picks_of_ten_measured_sets_are_those_of_the_definition() {
    assert_picks(50);
}

/// Compares so many picks of each simulation.
fn assert_picks(most: usize) {
    let sets: BTreeMap<String, Vec<Picks>> =
        serde_json::from_slice(&std::fs::read(file("picks.json")).unwrap()).unwrap();
    assert_eq!(sets.len(), 10);
    let (mut failed, mut beyond) = (0, 0);
    for (name, simulations) in sets {
        for Picks { told, picks } in simulations {
            let mut suggester = measured_set(&name);
            for &(row, time) in &told {
                beyond += usize::from(!suggester.candidates().contains(&row));
                suggester.tell(row, time);
            }
            assert_eq!(picks.len(), 50);
            for (place, &(row, time)) in picks.iter().take(most).enumerate() {
                let picked = suggester.next(1)[0].row;
                assert_eq!(picked, row, "pick {place} of {name}, after {} told rows", told.len());
                suggester.tell(row, time);
                failed += usize::from(time.is_none());
            }
        }
    }
    assert!(failed > 0 && beyond > 0, "{failed} runs failed, {beyond} were beyond the candidates");
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Step {
    Tell { tell: Told },
    Next { next: usize, picks: Vec<usize> },
}

#[derive(Deserialize)]
struct Case {
    parameters: Vec<Vec<i64>>,
    predictions: Vec<f64>,
    waves: Option<Vec<f64>>,
    steps: Vec<Step>,
}

/// Ties, rows without a prediction, failed and repeated runs, batches, and more asked than is left.
#[test]
fn the_picks_of_random_spaces_are_those_of_the_definition() {
    let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(file("random.json")).unwrap()).unwrap();
    assert_eq!(cases.len(), 40);
    for (number, case) in cases.iter().enumerate() {
        let waves = case.waves.iter().flatten().copied().map(Some).collect::<Vec<_>>();
        let known = suggester(&case.parameters, &case.predictions);
        let mut suggester = with_both_models(known, &case.predictions, &waves);
        for (place, step) in case.steps.iter().enumerate() {
            match step {
                Step::Tell { tell: (row, time) } => suggester.tell(*row, *time),
                Step::Next { next, picks } => {
                    let picked: Vec<usize> = suggester.next(*next).iter().map(|proposal| proposal.row).collect();
                    assert_eq!(picked, *picks, "step {place} of case {number}");
                }
            }
        }
    }
}

/// A line of rows of equal predictions.
fn line(rows: i64) -> Suggester {
    let rows: Vec<Vec<i64>> = (0..rows).map(|value| vec![value]).collect();
    suggester(&rows, &vec![2.0; rows.len()])
}

#[test]
fn the_best_is_the_least_median() {
    let mut suggester = line(3);
    assert_eq!(suggester.best(), None);
    for (row, time) in [(0, 1.0), (0, 5.0), (0, 6.0), (1, 4.0), (1, 4.5), (2, 4.3)] {
        suggester.tell(row, Some(time));
    }
    // One lucky run of row 0 is not its median.
    assert_eq!(suggester.best(), Some((1, 4.25)));
    suggester.tell(1, None);
    assert_eq!(suggester.best(), Some((1, 4.25)), "a failed run has no time");
}

#[test]
fn noise_of_repeated_runs_leaves_more_open() {
    let known = |times: [f64; 2]| {
        let mut suggester = line(5);
        for time in times {
            suggester.tell(0, Some(time));
        }
        suggester.corrected(0).unwrap()
    };
    let (quiet, noisy) = (known([3.0, 3.01]), known([2.0, 4.5]));
    assert!(quiet.deviation < 0.03 && noisy.deviation > 0.3, "{quiet:?} {noisy:?}");
    assert!((quiet.time - 3.005).abs() < 0.01, "{quiet:?}");
}

#[test]
fn the_units_of_times_do_not_matter() {
    let picks = |unit: f64| {
        let mut suggester = line(9);
        for (row, time) in [(4, Some(3.0)), (8, None), (0, Some(5.0))] {
            suggester.tell(row, time.map(|time| time * unit));
        }
        let gain = suggester.greatest_expected_gain();
        (suggester.next(3), (gain * 1e9).round())
    };
    assert_eq!(picks(1.0), picks(1e6));
}

#[test]
fn a_gain_is_certain_before_the_first_time_and_none_after_the_last_row() {
    let mut suggester = line(2);
    assert_eq!(suggester.next(5).iter().map(|one| one.row).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(suggester.next(1)[0].reason, ProposalReason::First);
    suggester.tell(0, None);
    assert!((suggester.greatest_expected_gain() - 1.0).abs() < 1e-12);
    suggester.tell(1, Some(1.0));
    assert_eq!((suggester.greatest_expected_gain(), suggester.next(1)), (0.0, Vec::new()));
}

#[test]
fn a_row_without_a_prediction_is_left_out() {
    let rows: Vec<Vec<i64>> = (0..3).map(|value| vec![value]).collect();
    let mut suggester = suggester(&rows, &[f64::NAN, 1.0, 0.0]);
    suggester.tell(0, Some(1e-9));
    assert_eq!((suggester.best(), suggester.corrected(0), suggester.candidates()), (None, None, &[1][..]));
    assert_eq!(suggester.next(9), [Proposal { row: 1, reason: ProposalReason::First }]);
}

#[test]
fn runs_beyond_the_limit_are_still_known_as_measured() {
    let mut suggester = line(3);
    for _ in 0..CORRECTING_RUNS {
        suggester.runs.push(CorrectingRun { row: 0, expected: 0.0, log: Some(0.0) });
    }
    suggester.tell(1, Some(0.5));
    assert_eq!((suggester.runs.len(), suggester.best(), suggester.taken[1]), (CORRECTING_RUNS, Some((1, 0.5)), true));
}
