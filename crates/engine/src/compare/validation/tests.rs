//! Small files whose figures can be computed by hand.
use super::*;

const SPEC: &str = "
kernel: sum
problem: { size: 65536 }
parameters: { WG: { values: [32, 64, 128, 256, 2048] }, ITEMS: { values: [1, 2] } }
constraints: [ WG != 128 ]
launch: { work_items: size, work_group: WG }
body: [ { compute: { kind: any, per_item: 100 * ITEMS * WG } } ]
";

fn run(work_group: i64, items: i64, milliseconds: Option<f64>) -> MeasuredRun {
    MeasuredRun { configuration: Configuration(vec![work_group, items]), milliseconds }
}

fn validated(scenarios: Vec<(i64, Vec<MeasuredRun>)>) -> Validation {
    let scenario = |(size, runs)| Scenario { problem: vec![("size".to_owned(), size)], runs };
    let measured = Measurements {
        scenarios: scenarios.into_iter().map(scenario).collect(),
        ignored: Vec::new(),
        repeated: None,
        other_device: None,
    };
    let spec = Spec::parse(SPEC, "sum.yaml").unwrap();
    validate(&spec, &Profile::resolve("volta").unwrap(), &SourceReader::default(), &Predictor::ALL, &measured).unwrap()
}

/// The machine ranks WG=32 first, then 64, then 256 (more work each); 128 and 2048 are refused.
fn runs() -> Vec<MeasuredRun> {
    vec![
        run(2048, 1, None),
        run(256, 1, Some(4.0)),
        run(64, 1, None),
        run(128, 1, Some(1.0)),
        run(32, 1, Some(2.0)),
        run(32, 2, Some(5.0)),
    ]
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn a_failed_run_of_a_configuration_that_ran_counts_for_nothing() {
    let with = |more: &[MeasuredRun]| validated(vec![(65536, [&runs(), more].concat())]);
    let (plain, failed) = (with(&[]), with(&[run(32, 1, None), run(256, 1, None)]));
    assert_eq!((failed.overall.rows, failed.overall.valid), (6, 4));
    assert_eq!(failed.overall.models.len(), plain.overall.models.len());
    for (one, other) in failed.overall.models.iter().zip(&plain.overall.models) {
        assert_eq!(one, other);
    }
    assert_eq!(with(&[run(64, 1, None)]).overall.rows, 7, "64 never ran");
}

#[test]
fn figures_of_a_small_file() {
    let validation = validated(vec![(65536, runs())]);
    assert_eq!((validation.scenarios.len(), validation.silent.len()), (0, 0));
    let findings = &validation.overall;
    assert_eq!((findings.rows, findings.valid), (6, 4));
    assert_eq!(
        findings.feasibility,
        FeasibilityErrors { predicted_but_failed: 1, refused_but_ran: 1, ..FeasibilityErrors::default() }
    );
    let (model, score) = findings.models[0];
    assert_eq!(model, Predictor::Machine);
    near(score.picks.first, 0.5);
    // The two refused ones are in random order after the other four: the fifth is the optimum in one of two cases.
    near(score.picks.best_of.five, f64::midpoint(0.5, 1.0));
    near(score.picks.best_of.ten, 1.0);
    near(score.picks.runs_to_95_percent, 5.5);
    near(findings.random.first, (0.25 + 1.0 + 0.5 + 0.2) / 6.0);
    near(findings.random.runs_to_95_percent, 3.5);
    assert_eq!(findings.rules, Rules { largest: Some(0.25), of_256: Some(0.25), of_32_by_8: None });
}

/// Each time of a run that succeeded and was predicted is set to a multiple of its prediction.
#[test]
fn time_errors_are_of_what_ran_and_was_predicted() {
    let volta = Profile::resolve("volta").unwrap();
    let compared = validated(vec![(65536, runs())]).compared.remove(0).runs;
    let predicted = |place: usize| compared[place].load.as_ref().unwrap().microseconds(&volta).unwrap() / 1e3;
    let mut runs = runs();
    // Predicted over measured is 2, 4/3 and 1/2: errors 1, 1/3 and 1/2; factors of pairs 3/2, 4 and 8/3.
    for (place, factor) in [(1, 2.0), (4, 4.0 / 3.0), (5, 0.5)] {
        runs[place].milliseconds = Some(predicted(place) / factor);
    }
    let validation = validated(vec![(65536, runs)]);
    let error = validation.overall.time_error.unwrap();
    near(error.median, 0.5);
    near(error.mean, (1.0 + 1.0 / 3.0 + 0.5) / 3.0);
    // The work group of 32 with one item remains the fastest.
    near(error.fastest_median, 1.0 / 3.0);
    near(error.fastest_mean, 1.0 / 3.0);
    near(error.ratio.unwrap(), 8.0 / 3.0 - 1.0);
    let refused = validated(vec![(65536, vec![run(128, 1, Some(1.0))])]);
    assert_eq!(refused.overall.time_error, None);
}

/// All four that are predicted are among the first five picks; the optimum is refused.
#[test]
fn corrected_picks_are_of_what_is_predicted() {
    let validation = validated(vec![(65536, runs())]);
    let (_, score) = validation.overall.models[0];
    assert_eq!(score.corrected, CorrectedPicks { five: 0.5, ten: 0.5 });
    let corrected: Vec<Option<f64>> = validation.compared[0].runs.iter().map(|run| run.corrected).collect();
    assert_eq!(corrected.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true, false, true, true]);
    // Runs that succeeded are near their times; that of 64 failed, which counts as twice the slowest.
    for (corrected, time) in [(corrected[1], 4.0), (corrected[2], 10.0), (corrected[4], 2.0), (corrected[5], 5.0)] {
        assert!((corrected.unwrap() / time - 1.0).abs() < 0.02, "{corrected:?} is not {time}");
    }
}

/// Four fast predictions, then the optimum of the runs, twice as fast as predicted: correction finds it sooner.
#[test]
fn a_correction_moves_what_is_like_the_fast_runs_forward() {
    let times = [[8.0, 4.0, 2.0, 1.0], [16.0, 8.0, 4.0, 0.5]];
    let values = [32, 64, 256];
    let all = values.into_iter().flat_map(|work_group| [1, 2].map(|items| (work_group, items)));
    let runs = all.map(|(work_group, items)| {
        let place = values.iter().position(|value| *value == work_group).unwrap();
        run(work_group, items, Some(times[usize::try_from(items).unwrap() - 1][place]))
    });
    let validation = validated(vec![(65536, runs.collect())]);
    let (_, score) = validation.overall.models[0];
    assert!(score.corrected.five >= score.picks.best_of.five, "{score:?}");
    near(score.corrected.ten, 1.0);
}

/// Predicted times grow with the work group, and with the items; measured ones do not grow with the items.
#[test]
fn residuals_name_the_values_that_are_predicted_wrongly() {
    let runs = |unit: f64| {
        let all = [32, 64, 256].into_iter().flat_map(|work_group| [1, 2].map(|items| (work_group, items)));
        #[expect(clippy::cast_precision_loss, reason = "a work group is small")]
        all.map(|(work_group, items)| run(work_group, items, Some(work_group as f64 * unit))).collect::<Vec<_>>()
    };
    // Each problem size is in proportion to its own scale.
    let residuals = validated(vec![(65536, runs(1.0)), (32768, runs(100.0))]).residuals;
    let of = |parameter: usize, value: i64| {
        let found =
            residuals.iter().find(|residual| (residual.parameter, residual.value) == (parameter, value)).unwrap();
        (found.factor, found.runs)
    };
    let ((one, runs_of_one), (two, runs_of_two)) = (of(1, 1), of(1, 2));
    assert_eq!((runs_of_one, runs_of_two), (6, 6));
    assert!(one > 1.2 && two < 0.8, "{one} and {two}");
}

#[test]
fn correlations_are_of_what_ran_and_was_predicted() {
    let (_, score) = validated(vec![(65536, runs())]).overall.models[0];
    // Cost order 32x1 < 32x2 < 256 against times 2, 5, 4.
    near(score.kendall.unwrap(), 1.0 / 3.0);
    near(score.spearman.unwrap(), 0.5);
}

#[test]
fn several_sizes_are_means_and_sums() {
    let slow = vec![run(32, 1, Some(9.0)), run(64, 1, Some(3.0))];
    let validation = validated(vec![(65536, runs()), (1024, slow), (512, vec![run(32, 1, None)])]);
    // No run of the last problem size succeeded.
    assert_eq!(validation.scenarios.len(), 2);
    assert_eq!(validation.scenarios[1].0, [("size".to_owned(), 1024)]);
    assert_eq!((validation.overall.rows, validation.overall.valid), (8, 6));
    let (_, score) = validation.overall.models[0];
    near(score.picks.first, f64::midpoint(0.5, 1.0 / 3.0));
    near(score.picks.runs_to_95_percent, f64::midpoint(5.5, 2.0));
    assert_eq!(validation.overall.rules.largest, Some(f64::midpoint(0.25, 1.0)));
}

#[test]
fn runs_stand_beside_their_predictions() {
    let compared = validated(vec![(65536, runs())]).compared;
    assert_eq!((compared.len(), compared[0].runs.len()), (1, 6));
    for (beside, run) in compared[0].runs.iter().zip(runs()) {
        assert_eq!((&beside.configuration, beside.milliseconds), (&run.configuration, run.milliseconds));
    }
    let costs: Vec<Option<f64>> = compared[0].runs.iter().map(|run| run.costs.first().copied().flatten()).collect();
    assert_eq!(costs.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true, false, true, true]);
    assert!(costs[4] < costs[2] && costs[2] < costs[1], "{costs:?}");
}

#[test]
fn a_run_has_its_load_or_the_rule_that_it_breaks() {
    let runs = validated(vec![(65536, runs())]).compared.remove(0).runs;
    assert_eq!(runs[0].load, Err("work_group: 2048 > 1024".to_owned()));
    assert_eq!(runs[3].load, Err("WG != 128".to_owned()));
    for run in [&runs[1], &runs[2], &runs[4], &runs[5]] {
        let load = run.load.as_ref().unwrap();
        let items = run.configuration.0[0].unsigned_abs();
        assert_eq!((load.work_group, load.groups, load.warps_per_group), (items, 65536 / items, items / 32));
        assert_eq!(Some(load.ticks.as_ref().unwrap().to_f64()), run.costs[0]);
        // Nothing but computing: the dispatchers are never idle, and no byte moves.
        assert_eq!((load.limited_by, load.busy[0], load.busy[1]), (Some("dispatcher"), 0.0, 0.0));
        assert!(load.busy[2] > 0.95 && load.busy[2] <= 1.0 && load.latency <= 1.0, "{load:?}");
        assert_eq!(load.demand.map(|demand| demand.dram_bytes), Some(0.0));
    }
}

#[test]
fn where_all_is_refused_every_model_picks_at_random() {
    let findings = validated(vec![(65536, vec![run(128, 1, Some(1.0)), run(2048, 1, None)])]).overall;
    assert_eq!(findings.feasibility, FeasibilityErrors { refused_but_ran: 1, ..FeasibilityErrors::default() });
    assert_eq!(findings.models.iter().map(|(model, _)| *model).collect::<Vec<_>>(), Predictor::ALL);
    for (_, score) in &findings.models {
        assert_eq!((score.picks, score.spearman, score.kendall), (findings.random, None, None));
        near(score.picks.first, 0.5);
    }
}
