#![expect(clippy::float_cmp, reason = "a weight at a bound is the bound")]

use proptest::prelude::*;

use super::*;

const GIVEN: Weights = Weights([1.0, 0.8, 0.64, 0.512, 0.4096, 0.32768]);

/// Runs whose times are exactly c * product of `K_i` ^ -`w_i`.
fn planted(rows: &[[f64; 6]], weights: [f64; 6], constant: f64) -> Vec<FactorRun> {
    let time = |factors: &[f64; 6]| {
        factors.iter().zip(weights).fold(constant, |time, (factor, weight)| time * factor.powf(-weight))
    };
    rows.iter().map(|factors| FactorRun { factors: *factors, time: time(factors) }).collect()
}

/// The sum of squares that weights leave, by its definition: each set has the constant that leaves least.
fn left_by_definition(sets: &[Vec<FactorRun>], weights: &[f64]) -> f64 {
    let of_set = |set: &Vec<FactorRun>| {
        let log_cost = |run: &FactorRun| -> f64 { run.factors.iter().zip(weights).map(|(k, w)| -w * k.ln()).sum() };
        let errors: Vec<f64> = set.iter().map(|run| run.time.ln() - log_cost(run)).collect();
        let mean = errors.iter().sum::<f64>() / errors.iter().map(|_| 1.0).sum::<f64>();
        errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>()
    };
    sets.iter().map(of_set).sum()
}

/// The least sum of squares with weights from 0 to 1000, by descent: along each weight to the place where three values of the
/// parabola put its bottom, again and again.
fn least_by_descent(sets: &[Vec<FactorRun>]) -> f64 {
    let mut weights = [0.0; 6];
    let left = |weights: &[f64; 6], place: usize, at: f64| {
        let mut tried = *weights;
        tried[place] = at;
        left_by_definition(sets, &tried)
    };
    for _ in 0..300 {
        for place in 0..6 {
            let [at_0, at_1, at_2] = [0.0, 1.0, 2.0].map(|at| left(&weights, place, at));
            let curvature = 0.5 * (at_2 - 2.0 * at_1 + at_0);
            if curvature > 1e-12 {
                let slope = at_1 - at_0 - curvature;
                weights[place] = (-slope / (2.0 * curvature)).clamp(0.0, 1000.0);
            }
        }
    }
    left_by_definition(sets, &weights)
}

fn factors() -> impl Strategy<Value = [f64; 6]> {
    proptest::array::uniform6(0.01..1.0_f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn planted_weights_are_found(
        rows in proptest::collection::vec(factors(), 24..60),
        weights in proptest::array::uniform6(0.0..5.0_f64),
        zero in 0..12_usize,
        constants in proptest::array::uniform3(1e-3..1e3_f64),
    ) {
        let planted_weights: [f64; 6] = std::array::from_fn(|place| if place == zero { 0.0 } else { weights[place] });
        let each = rows.len() / 3;
        let sets: Vec<Vec<FactorRun>> =
            rows.chunks(each).take(3).zip(constants).map(|(rows, c)| planted(rows, planted_weights, c)).collect();
        let found = fit(&sets, &GIVEN).unwrap();
        for (found, planted) in found.weights.0.iter().zip(planted_weights) {
            prop_assert!((found - planted).abs() < 1e-6, "{found} is not {planted}");
        }
        prop_assert_eq!(found.origins, [WeightOrigin::Fitted; 6]);
        prop_assert!(found.explained > 1.0 - 1e-9);
    }

    #[test]
    fn noisy_times_leave_as_little_as_descent_finds(
        rows in proptest::collection::vec((factors(), 0.1..10.0_f64), 20..40),
    ) {
        // Times have nothing to do with the factors, so that about half of the weights end at 0.
        let runs: Vec<FactorRun> = rows.iter().map(|(factors, time)| FactorRun { factors: *factors, time: *time }).collect();
        let sets = [runs[..9].to_vec(), runs[9..].to_vec()];
        let found = fit(&sets, &GIVEN).unwrap();
        prop_assert!(found.weights.0.iter().all(|weight| (0.0..=1000.0).contains(weight)));
        let (left, least) = (left_by_definition(&sets, &found.weights.0), least_by_descent(&sets));
        prop_assert!((left - least).abs() < 1e-7 * least, "{left} is not {least}");
        let all = left_by_definition(&sets, &[0.0; 6]);
        prop_assert!((found.explained - (1.0 - left / all)).abs() < 1e-9);
    }
}

/// Factors with this K1 and K2, and all others the same.
fn two(memory: f64, input: f64) -> [f64; 6] {
    [memory, input, 0.5, 1.0, 1.0, 1.0]
}

#[test]
fn a_constant_factor_keeps_its_weight_and_a_dependent_one_is_named() {
    let rows = [two(0.1, 0.5), two(0.2, 0.9), two(0.3, 0.4), two(0.9, 0.7), two(0.5, 0.6)];
    let found = fit(&[planted(&rows, [2.0, 0.5, 0.0, 0.0, 0.0, 0.0], 3.0)], &GIVEN).unwrap();
    assert_eq!(found.weights.0[2..], GIVEN.0[2..]);
    assert!((found.weights.0[0] - 2.0).abs() < 1e-9 && (found.weights.0[1] - 0.5).abs() < 1e-9);
    let [fitted, constant] = [WeightOrigin::Fitted, WeightOrigin::Constant];
    assert_eq!(found.origins, [fitted, fitted, constant, constant, constant, constant]);
    // K2 is the square of K1: the first of equally good weights is K1's own.
    let rows = [0.1, 0.2, 0.3, 0.9].map(|memory: f64| two(memory, memory.powi(2)));
    let found = fit(&[planted(&rows, [1.0, 0.5, 0.0, 0.0, 0.0, 0.0], 3.0)], &GIVEN).unwrap();
    assert_eq!(found.origins[..3], [WeightOrigin::Fitted, WeightOrigin::Dependent, WeightOrigin::Constant]);
    assert!((found.weights.0[0] - 2.0).abs() < 1e-9 && found.weights.0[1] == 0.0, "{:?}", found.weights);
    // A set of its own constant is constant, even if another set has another one.
    let sets = [[0.1, 0.1], [0.7, 0.7]].map(|values| planted(&values.map(|memory| two(memory, 0.5)), [1.0; 6], 1.0));
    assert_eq!(fit(&sets, &GIVEN), Err(FitError::Constant { runs: 4 }));
}

#[test]
fn weights_stay_within_bounds() {
    let rows = [two(0.1, 0.5), two(0.2, 0.9), two(0.3, 0.4), two(0.9, 0.7), two(0.5, 0.6)];
    // The worse K1 is, the faster the run.
    let found = fit(&[planted(&rows, [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1.0)], &GIVEN).unwrap();
    assert_eq!(found.weights.0[0], 0.0);
    assert!(found.origins[0] == WeightOrigin::Fitted && found.explained < 0.5);
    let near_1 = rows.map(|[memory, input, ..]| two(1.0 - memory / 100.0, input));
    let found = fit(&[planted(&near_1, [2000.0, 0.5, 0.0, 0.0, 0.0, 0.0], 1.0)], &GIVEN).unwrap();
    assert_eq!(found.weights.0[0], 1000.0);
    let same = rows.map(|factors| FactorRun { factors, time: 4.0 }).to_vec();
    let found = fit(&[same], &GIVEN).unwrap();
    assert_eq!((found.weights.0[0], found.weights.0[1], found.explained), (0.0, 0.0, 0.0));
}

#[test]
fn too_few_runs_are_named_with_their_number() {
    let rows = [two(0.1, 0.5), two(0.2, 0.9), two(0.3, 0.4)];
    let error = fit(&[planted(&rows, [1.0; 6], 1.0)], &GIVEN).unwrap_err();
    assert_eq!(error.to_string(), "too few runs succeeded: 3 runs of 1 set, and 2 weights need at least 4");
    assert!(error.help().unwrap().contains("add another file by `--measured`"));
    assert_eq!(fit::<Vec<FactorRun>>(&[], &GIVEN), Err(FitError::TooFew { runs: 0, sets: 0, weights: 0 }));
    let constant = fit(&[planted(&[two(0.1, 0.5); 3], [1.0; 6], 1.0)], &GIVEN).unwrap_err();
    assert!(constant.help().unwrap().contains("differ in memory access"), "{constant}");
}
