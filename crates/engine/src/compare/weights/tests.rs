use super::*;

fn set(file: &str, runs: &[([f64; 2], f64)]) -> RatedSet {
    let run = |([memory, input], time): &([f64; 2], f64)| (Some([*memory, *input, 1.0, 1.0, 1.0, 1.0]), Some(*time));
    RatedSet { file: file.to_owned(), problem: Vec::new(), runs: runs.iter().map(run).collect() }
}

/// Sets whose times follow K1 alone, or K2 alone.
fn sets() -> [RatedSet; 3] {
    let [one, two, three, four] = [[0.1, 0.9], [0.4, 0.2], [0.8, 0.5], [0.9, 0.1]];
    let by = |factor: usize| [one, two, three, four].map(|factors| (factors, 1.0 / factors[factor]));
    let mut mixed = set("c", &by(0));
    mixed.runs.push((Some([0.5, 0.5, 1.0, 1.0, 1.0, 1.0]), None));
    mixed.runs.push((None, Some(0.5)));
    [set("a", &by(0)), set("b", &by(1)), mixed]
}

#[test]
fn a_set_is_scored_by_weights_that_do_not_know_it() {
    let [a, b, c] = sets();
    let fit_of = |sets: &[RatedSet]| fit_weights(sets, Weights::default()).unwrap();
    let all = fit_of(&[a.clone(), b.clone()]);
    // Each is ranked by the factor that decides in the other.
    let weights = |set: &RatedSet| fit(&[set.usable()], &Weights::default()).unwrap().weights;
    assert!((weights(&a).0[0] - 1.0).abs() < 1e-9 && weights(&a).0[1].abs() < 1e-9, "{:?}", weights(&a));
    assert_eq!(all.sets[0].scores.left_out, a.score(&weights(&b)));
    assert_eq!(all.sets[1].scores.left_out, b.score(&weights(&a)));
    // By K2 alone a's slowest run comes first: 0.9 / 0.1 times slower than its fastest.
    let first = all.sets[0].scores.left_out.unwrap().picks.first;
    assert!((first - 0.1 / 0.9).abs() < 1e-12, "{first}");
    assert_eq!(all.sets[0].scores.given, a.score(&Weights::default()).unwrap());
    let with_failure = fit_of(&[a.clone(), c.clone()]);
    assert_eq!((with_failure.sets[1].rows, with_failure.sets[1].fitted_rows), (6, 4));
    // The refused run is the fastest: it comes last, and every other one is a fraction of it.
    let first = with_failure.sets[1].scores.left_out.unwrap().picks.first;
    assert!((first - 0.5 * 0.9).abs() < 1e-12, "{first}");
    assert_eq!(with_failure.ranges[0].map(f64::to_bits), [0.1_f64, 0.9].map(f64::to_bits));
}

#[test]
fn one_set_has_no_other_that_could_judge_it() {
    let [a, ..] = sets();
    let alone = fit_weights(&[a], Weights::default()).unwrap();
    assert_eq!((alone.sets[0].scores.left_out, alone.overall.left_out), (None, None));
    assert_eq!(alone.overall.fitted.spearman, Some(1.0));
    assert_eq!(fit_weights(&[], Weights::default()), Err(FitError::TooFew { runs: 0, sets: 0, weights: 0 }));
}
