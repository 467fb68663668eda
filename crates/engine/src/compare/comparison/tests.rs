//! Comparisons of small spaces, and planted contradictions.

use proptest::prelude::*;

use super::*;
use autotune_kernel::source::SourceReader;
use autotune_lowering::models::maxplus;

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
    assert_eq!(machine.relative, Some(Relative { best: 1.0, mean: 1.0, worst: 1.0 }));
    for choice in comparison.choices.iter().flatten() {
        let Relative { best, mean, worst } = choice.relative.unwrap();
        assert!(1.0 <= best && best <= mean && mean <= worst, "{choice:?}");
    }
}

#[test]
fn what_is_proved_keeps_its_place_and_must_be_the_native_time() {
    let profile = Profile::resolve("volta").unwrap();
    let comparison = compare(&spec(), &profile, &SourceReader::default(), &[], Selection::All).unwrap();
    assert_eq!((comparison.optimum, comparison.rows.iter().all(|row| row.proved.is_none())), (None, true));
    let last = comparison.rows.last().unwrap();
    let ticks = last.costs[0].and_then(PredictedCost::ticks).unwrap();
    let proved = |ticks| [(last.configuration.clone(), ticks)];
    let again = compare(&spec(), &profile, &SourceReader::default(), &proved(ticks), Selection::All).unwrap();
    assert_eq!((again.optimum, again.best(), again.rows[8].proved), (Some(8), 8, Some(ticks)));
    assert_eq!((again.rows.len(), again.beyond.len()), (comparison.rows.len(), 0));
    let wrong =
        compare(&spec(), &profile, &SourceReader::default(), &proved(ticks.after()), Selection::All).unwrap_err();
    assert!(wrong.to_string().contains(&format!("{ticks} ticks by the evaluator and {}", ticks.after())), "{wrong}");
}

/// Rows with these native times and with these costs by the wave model.
fn rows(ticks: &[u128], costs: &[f64]) -> Vec<Row> {
    let both = ticks.iter().zip(costs).zip(0..);
    let row = |((&ticks, &cost), value)| {
        let mut costs = vec![None; Predictor::ALL.len()];
        (costs[0], costs[4]) = (Some(PredictedCost::Ticks(ticks)), Some(PredictedCost::Real(cost)));
        Row { configuration: Configuration(vec![value]), proved: None, costs }
    };
    both.map(row).collect()
}

#[test]
fn a_column_of_equal_values_chooses_nothing() {
    let choice = first_choice(&rows(&[30, 10, 20, 60], &[0.0; 4]), None, 4).unwrap();
    let relative = Some(Relative { best: 1.0, mean: 3.0, worst: 6.0 });
    assert_eq!(choice, ModelChoice { row: 0, equals: 3, relative });
    let mut proved = rows(&[30, 10, 20, 60], &[0.0; 4]);
    proved[1].proved = Some(Ticks::new(10));
    assert_eq!(first_choice(&proved, Some(1), 4).unwrap(), choice);
}

#[test]
fn a_tied_configuration_without_a_time_leaves_the_quotients_open() {
    let mut slow = rows(&[30, 10, 20], &[1.0, 1.0, 2.0]);
    slow[1].costs[0] = None;
    assert_eq!(first_choice(&slow, None, 4).unwrap(), ModelChoice { row: 0, equals: 1, relative: None });
    slow[1].costs[4] = None;
    let relative = Some(Relative { best: 1.5, mean: 1.5, worst: 1.5 });
    assert_eq!(first_choice(&slow, None, 4).unwrap(), ModelChoice { row: 0, equals: 0, relative });
}

/// All orders of some things.
fn orders(things: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, others)) = things.split_first() else { return vec![Vec::new()] };
    let inserted = |order: Vec<usize>| {
        let at = move |place| [&order[..place], &[*first], &order[place..]].concat();
        (0..things.len()).map(at).collect::<Vec<_>>()
    };
    orders(others).into_iter().flat_map(inserted).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn first_choices_are_means_over_all_orders_of_equal_costs(
        column in proptest::collection::vec((1..9_u32, 0..3_u32), 1..7),
    ) {
        let (ticks, costs): (Vec<u32>, Vec<u32>) = column.into_iter().unzip();
        let optimum = f64::from(*ticks.iter().min().unwrap());
        let places: Vec<usize> = (0..ticks.len()).collect();
        let ascending = |order: &Vec<usize>| order.windows(2).all(|pair| costs[pair[0]] <= costs[pair[1]]);
        let first: Vec<f64> = orders(&places)
            .into_iter()
            .filter(ascending)
            .map(|order| f64::from(ticks[order[0]]) / optimum)
            .collect();
        let native: Vec<u128> = ticks.iter().copied().map(u128::from).collect();
        let predicted: Vec<f64> = costs.iter().copied().map(f64::from).collect();
        let found = first_choice(&rows(&native, &predicted), None, 4).unwrap().relative.unwrap();
        #[expect(clippy::cast_precision_loss, reason = "there are at most 720 orders")]
        let mean = first.iter().sum::<f64>() / first.len() as f64;
        prop_assert!((found.mean - mean).abs() < 1e-9, "{} is not {}", found.mean, mean);
        // The ends are quotients themselves, to the bit.
        let ends = [first.iter().copied().fold(f64::INFINITY, f64::min), first.iter().copied().fold(0.0, f64::max)];
        prop_assert_eq!([found.best, found.worst].map(f64::to_bits), ends.map(f64::to_bits));
    }
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
    let compared = |proved: &[(Configuration, Ticks)]| {
        compare(&spec, &profile, &SourceReader::default(), proved, Selection::Some).unwrap()
    };
    let sample = compared(&[]);
    assert_eq!((sample.rows.len(), sample.complete), (100, false));
    assert_eq!(compared(&[]), sample);
    // The optimum is added; what else is proved is listed, and changes no ranking.
    let all = compare(&spec, &profile, &SourceReader::default(), &[], Selection::All).unwrap();
    let drawn: HashSet<&Configuration> = sample.rows.iter().map(|row| &row.configuration).collect();
    let others = all.rows.iter().filter(|row| !drawn.contains(&row.configuration)).take(3);
    let proved = |row: &Row| Some((row.configuration.clone(), row.costs[0]?.ticks()?));
    let proved: Vec<(Configuration, Ticks)> = others.filter_map(proved).collect();
    let one = compared(&proved[..1]);
    assert_eq!((one.rows.len(), one.beyond.len(), one.rows[one.best()].proved), (101, 0, Some(proved[0].1)));
    let three = compared(&proved);
    assert_eq!(three.beyond.iter().map(|row| row.proved).collect::<Vec<_>>(), [Some(proved[1].1), Some(proved[2].1)]);
    assert_eq!(Comparison { beyond: Vec::new(), ..three }, one);
}
