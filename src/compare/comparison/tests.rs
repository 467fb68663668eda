//! Comparisons of small spaces, and planted contradictions.

use super::*;
use crate::models::maxplus;
use crate::source::SourceReader;

const SPEC: &str = "
kernel: tiles
parameters: { WG: { values: [2, 4, 8] }, TS: { values: [2, 4, 8] } }
launch: { work_items: 32 / TS, work_group: WG }
body: [ { loop: { count: TS, body: [ { load: { array: a } }, { compute: { per_item: 3 } } ] } }, { store: { array: b } } ]
";

fn spec() -> Spec {
    Spec::parse(SPEC, "tiles.yaml").unwrap()
}

#[test]
fn on_a_lockstep_gpu_the_models_that_are_exact_agree_with_the_machine() {
    let profile = Profile::resolve("abstract-tiny").unwrap();
    let comparison = compare(&spec(), &profile, &SourceReader::default(), &[], Selection::Some).unwrap();
    assert_eq!((comparison.rows.len(), comparison.complete), (9, true));
    // The wave model and the efficiency are of real GPUs.
    assert_eq!(comparison.pairs.len(), 6);
    assert!(comparison.choices[4].is_none() && comparison.choices[5].is_none());
    let exact = Predictor::MaxPlus(maxplus::Variant::Operations);
    let pair = comparison.pairs.iter().find(|pair| pair.models == [Predictor::Machine, exact]).unwrap();
    assert_eq!((pair.of, pair.kendall_tau, pair.spearman_rho, &pair.most), (9, Some(1.0), Some(1.0), &None));
    for row in &comparison.rows {
        assert_eq!(row.costs[0], row.costs[2]);
    }
}

#[test]
fn a_real_gpu_has_all_pairs_and_the_farthest_configuration_has_reasons() {
    let profile = Profile::resolve("volta").unwrap();
    let comparison = compare(&spec(), &profile, &SourceReader::default(), &[], Selection::All).unwrap();
    assert_eq!(comparison.pairs.len(), 15);
    let mut told = 0;
    for Pair { most, .. } in &comparison.pairs {
        let Some(Apart { ranks: [a, b], terms: [Some(x), Some(y)], .. }) = most else { continue };
        assert!((a - b).abs() > 0.0);
        assert!(x.share > 0.0 && x.share <= 1.0 + 1e-9 && y.share > 0.0 && y.share <= 1.0 + 1e-9, "{x:?} {y:?}");
        told += 1;
    }
    assert!(told > 0);
    let machine = comparison.choices[0].unwrap();
    assert_eq!(machine.relative, Some(1.0));
    assert!(comparison.choices.iter().flatten().all(|choice| choice.relative >= Some(1.0)));
}

#[test]
fn what_is_proved_comes_first_and_must_be_the_native_time() {
    let profile = Profile::resolve("volta").unwrap();
    let comparison = compare(&spec(), &profile, &SourceReader::default(), &[], Selection::All).unwrap();
    let last = comparison.rows.last().unwrap();
    let ticks = last.costs[0].and_then(PredictedCost::ticks).unwrap();
    let proved = |ticks| [(last.configuration.clone(), ticks)];
    let again = compare(&spec(), &profile, &SourceReader::default(), &proved(ticks), Selection::All).unwrap();
    assert_eq!((&again.rows[0].configuration, again.rows[0].proved), (&last.configuration, Some(ticks)));
    assert_eq!(again.rows.len(), comparison.rows.len());
    let wrong =
        compare(&spec(), &profile, &SourceReader::default(), &proved(ticks.after()), Selection::All).unwrap_err();
    assert!(wrong.to_string().contains(&format!("{ticks} ticks by the evaluator and {}", ticks.after())), "{wrong}");
}

#[test]
fn a_bound_above_the_time_is_an_error_with_both_values() {
    let mut costs = vec![None; Predictor::ALL.len()];
    (costs[0], costs[1]) = (Some(PredictedCost::Ticks(70)), Some(PredictedCost::Ticks(71)));
    let row = Row { configuration: Configuration(vec![2, 4]), proved: None, costs };
    let sound = [false; 6];
    assert!(check(&spec(), &row, &sound).is_ok());
    let error = check(&spec(), &row, &[false, true, false, false, false, false]).unwrap_err().to_string();
    assert!(error.contains("70 ticks") && error.contains("bound 71 by max_plus_naive"), "{error}");
}

#[test]
fn of_a_large_space_the_same_hundred_are_drawn() {
    let spec = SPEC.replacen("values: [2, 4, 8]", "range: { from: 1, to: 400 }", 1);
    let spec = Spec::parse(&spec, "tiles.yaml").unwrap();
    let profile = Profile::resolve("abstract-fermi").unwrap();
    let sample = compare(&spec, &profile, &SourceReader::default(), &[], Selection::Some).unwrap();
    assert_eq!((sample.rows.len(), sample.complete), (100, false));
    assert_eq!(compare(&spec, &profile, &SourceReader::default(), &[], Selection::Some).unwrap(), sample);
}
