//! Small spaces, and runs whose answers are known.
use super::*;
use autotune_kernel::source::SourceReader;

const SPEC: &str = "
kernel: sum
problem: { size: 65536 }
parameters: { WG: { values: [32, 64, 128, 256, 2048] }, ITEMS: { values: [1, 2, 4] } }
constraints: [ WG != 128 ]
launch: { work_items: size, work_group: WG }
body: [ { compute: { kind: any, per_item: 100 * ITEMS * WG } } ]
";

fn inputs(gpu: &str) -> (Spec, Profile) {
    (Spec::parse(SPEC, "sum.yaml").unwrap(), Profile::resolve(gpu).unwrap())
}

fn run(work_group: i64, items: i64, milliseconds: Option<f64>) -> MeasuredRun {
    MeasuredRun { configuration: Configuration(vec![work_group, items]), milliseconds }
}

#[test]
fn the_first_suggestion_is_the_best_prediction() {
    let (spec, profile) = inputs("volta");
    let reader = SourceReader::default();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, None).unwrap();
    assert_eq!((space.feasible(), space.ranked().count()), (9, 9));
    let first = space.next(1).remove(0);
    assert_eq!(
        (first.configuration.0.as_slice(), first.work_group, first.reason),
        (&[32, 1][..], 32, ProposalReason::First)
    );
    assert_eq!(space.ranked().next().unwrap(), (&first.configuration, first.predicted));
    assert!((first.corrected.time - first.predicted).abs() < 1e-9 * first.predicted);
    assert_eq!((space.best(), space.runs(), space.notes().scale), (None, 0, None));
}

#[test]
fn runs_correct_what_is_near() {
    let (spec, profile) = inputs("volta");
    let reader = SourceReader::default();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, None).unwrap();
    let predicted: HashMap<Configuration, f64> = space.ranked().map(|(one, time)| (one.clone(), time)).collect();
    let time = |work_group: i64, items: i64| predicted[&Configuration(vec![work_group, items])];
    // Twice as slow as predicted; with four items ten times as slow.
    let runs = [
        run(32, 1, Some(2.0 * time(32, 1))),
        run(64, 1, Some(2.0 * time(64, 1))),
        run(32, 4, Some(20.0 * time(32, 4))),
        run(256, 1, None),
    ];
    assert_eq!(space.tell(&runs).unwrap(), []);
    assert_eq!((space.runs(), space.failed()), (4, 1));
    assert_eq!(space.best(), Some(BestMeasured { configuration: Configuration(vec![32, 1]), time: 2.0 * time(32, 1) }));
    let factor = |space: &mut CorrectedSpace, work_group, items| {
        let configuration = Configuration(vec![work_group, items]);
        space.corrected(&configuration).unwrap().time / predicted[&configuration]
    };
    let (far, near) = (factor(&mut space, 64, 2), factor(&mut space, 64, 4));
    assert!(near > 1.2 * far && near > 2.0, "{near} beside {far}");
    let notes = space.notes();
    assert!((notes.scale.unwrap() - 2.0).abs() < 1e-9 && notes.spearman == Some(1.0), "{notes:?}");
    let slowest = &notes.residuals[0];
    assert_eq!((slowest.parameter, slowest.value, slowest.runs), (1, 4, 1));
    assert!((slowest.factor - 10.0).abs() < 1e-9, "{slowest:?}");
}

/// No more runs are worth their time than configurations are left, none after a long course without a gain, and none where the
/// advice is to stop.
#[test]
fn runs_are_worth_their_time_while_they_gain_and_configurations_are_left() {
    let (_, profile) = inputs("volta");
    let reader = SourceReader::default();
    let items = (1..=8).map(|items| items.to_string()).collect::<Vec<_>>().join(", ");
    let spec = Spec::parse(&SPEC.replace("[1, 2, 4]", &format!("[{items}]")), "sum.yaml").unwrap();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, None).unwrap();
    assert!(space.advise(1, 0.01).worthwhile_runs > 9);
    // The slowest prediction: all others are expected to be faster.
    space.tell(&[run(256, 8, Some(1.0))]).unwrap();
    let first = space.advise(1, 0.01).worthwhile_runs;
    assert!(first > 9, "{first}");
    // Further runs of it tell nothing of others.
    space.tell(&vec![run(256, 8, Some(1.0)); 14]).unwrap();
    assert_eq!(space.advise(1, 0.01).worthwhile_runs, first);
    let slow: Vec<MeasuredRun> =
        (1..=7).flat_map(|items| [run(256, items, Some(1.0)), run(64, items, Some(1.0))]).collect();
    space.tell(&slow).unwrap();
    let advice = space.advise(1, 0.01);
    assert_eq!((advice.stop, advice.worthwhile_runs), (false, 0));
    // A faster run, and more is worth it.
    space.tell(&[run(64, 8, Some(0.8))]).unwrap();
    assert!((1..=8).contains(&space.advise(1, 0.01).worthwhile_runs));
    let stopped = space.advise(1, 1.0);
    assert_eq!((stopped.stop, stopped.worthwhile_runs), (true, 0));
}

#[test]
fn what_the_spec_forbids_corrects_nothing_and_has_its_rule() {
    let (spec, profile) = inputs("volta");
    let reader = SourceReader::default();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, None).unwrap();
    let refused =
        space.tell(&[run(128, 1, Some(1.0)), run(2048, 1, None), run(7, 1, Some(1.0)), run(32, 1, Some(3.0))]);
    let reasons: Vec<String> = refused.unwrap().into_iter().map(|run| run.reason).collect();
    assert_eq!(reasons, ["WG != 128", "work_group: 2048 > 1024", "7 is not in the domain of WG"]);
    assert_eq!((space.runs(), space.failed(), space.best().unwrap().time), (1, 0, 3.0));
}

#[test]
fn a_list_is_all_that_is_suggested() {
    let (spec, profile) = inputs("volta");
    let list = [[256, 2], [128, 1], [64, 4], [256, 2]].map(|values| Configuration(values.to_vec()));
    let reader = SourceReader::default();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, Some(&list)).unwrap();
    let next: Vec<Vec<i64>> = space.next(9).into_iter().map(|one| one.configuration.0).collect();
    assert_eq!(next, [[64, 4], [256, 2]]);
    let refused = space.tell(&[run(32, 1, Some(1.0))]).unwrap();
    assert!(refused[0].reason.contains("not among"), "{refused:?}");
    let infeasible = CorrectedSpace::of(&spec, &profile, &SourceReader::default(), Some(&list[1..2])).unwrap_err();
    assert_eq!(infeasible.to_string(), "no configuration can run: WG != 128");
}

#[test]
fn without_a_clock_times_are_ticks() {
    let (mut spec, profile) = inputs("abstract-tiny");
    spec.set("size", 64).unwrap();
    let list = [Configuration(vec![32, 1])];
    let reader = SourceReader::default();
    let space = CorrectedSpace::of(&spec, &profile, &reader, Some(&list)).unwrap();
    let (_, ticks) = space.ranked().next().unwrap();
    assert!(ticks > 1000.0 && ticks.fract() == 0.0, "{ticks}");
}

/// 8,000 configurations of different times; the slowest are not evaluated at first.
#[test]
fn a_run_beyond_the_candidates_corrects_them() {
    let spec = "
kernel: wide
parameters: { A: { range: { from: 1, to: 80 } }, B: { range: { from: 1, to: 100 } } }
launch: { work_items: 64, work_group: 4 }
body: [ compute: { per_item: (A - 1) * 100 + B } ]
";
    let (spec, profile) = (Spec::parse(spec, "wide.yaml").unwrap(), Profile::resolve("abstract-tiny").unwrap());
    let reader = SourceReader::default();
    let mut space = CorrectedSpace::of(&spec, &profile, &reader, None).unwrap();
    assert_eq!((space.feasible(), space.ranked().count()), (8000, 5000));
    let slowest = run(80, 100, Some(1e9));
    assert_eq!(space.corrected(&slowest.configuration), None);
    assert_eq!(space.tell(std::slice::from_ref(&slowest)).unwrap(), []);
    let corrected = space.corrected(&slowest.configuration).unwrap();
    assert!((corrected.time / 1e9 - 1.0).abs() < 0.01, "{corrected:?}");
    assert_eq!((space.runs(), space.best().unwrap().time), (1, 1e9));
}
