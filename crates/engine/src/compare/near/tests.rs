//! The definitions, compared with naive readings of them; and the counts of configurations that were left out.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::proof::recall;
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::models::predict::complete_time;
use autotune_lowering::space::{Case, Pruning, UniqueProgram, allowed, each, estimate, known_survey};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::ProgramError;
use typed_index_collections::TiVec;

/// The common values by definition: every pair of configurations is compared.
fn by_definition(domains: &[Vec<i64>], feasible: &[&[i64]], is_near: &[bool]) -> Vec<ParameterInCommon> {
    let pairs = || feasible.iter().zip(is_near);
    let near: Vec<&[i64]> = pairs().filter(|(_, near)| **near).map(|(one, _)| *one).collect();
    let mut told = Vec::new();
    for (place, domain) in domains.iter().enumerate() {
        if domain.len() < 2 || near.is_empty() {
            continue;
        }
        let values: Vec<i64> =
            domain.iter().copied().filter(|value| near.iter().any(|values| values[place] == *value)).collect();
        let alone = |one: &[i64], other: &[i64]| (0..domains.len()).all(|at| (one[at] != other[at]) == (at == place));
        let stays = near.iter().all(|values| pairs().all(|(other, near)| !alone(values, other) || *near));
        let matters = !(values.len() >= 2 && stays);
        let mut needs = Vec::new();
        for value in values.iter().filter(|_| matters) {
            let mut with = Vec::new();
            for other in (0..domains.len()).filter(|other| *other != place) {
                let of = |chosen: &[&[i64]]| chosen.iter().map(|values| values[other]).collect::<BTreeSet<i64>>();
                let having: Vec<&[i64]> = near.iter().copied().filter(|values| values[place] == *value).collect();
                let lacking: Vec<&[i64]> = near.iter().copied().filter(|values| values[place] != *value).collect();
                let all: Vec<&[i64]> = feasible.iter().copied().filter(|values| values[place] == *value).collect();
                let (have, lack) = (of(&having), of(&lacking));
                if have.len() == 1 && !lack.is_subset(&have) && of(&all).len() > 1 {
                    with.push((other, *have.first().unwrap()));
                }
            }
            if !with.is_empty() {
                needs.push(Need { value: *value, with });
            }
        }
        told.push(ParameterInCommon { place, matters, values, needs });
    }
    told
}

/// A space of up to 4 parameters, with two flags for each configuration: feasible and near.
fn spaces() -> impl Strategy<Value = (Vec<Vec<i64>>, Vec<(bool, bool)>)> {
    let domain = proptest::sample::subsequence(vec![3, 1, 4, 9], 1..=4).prop_shuffle();
    proptest::collection::vec(domain, 1..=4).prop_flat_map(|domains| {
        let size = domains.iter().map(Vec::len).product::<usize>();
        let mostly = prop_oneof![3 => Just((true, true)), 2 => Just((true, false)), 1 => Just((false, false))];
        (Just(domains), proptest::collection::vec(mostly, size))
    })
}

fn configurations(domains: &[Vec<i64>]) -> Vec<Vec<i64>> {
    domains.iter().fold(vec![Vec::new()], |begun, domain| {
        begun.iter().flat_map(|begin| domain.iter().map(move |value| [begin.as_slice(), &[*value]].concat())).collect()
    })
}

proptest! {
    #[test]
    fn what_is_in_common_is_its_definition((domains, kinds) in spaces()) {
        let all = configurations(&domains);
        let running = || all.iter().zip(&kinds).filter(|(_, (runs, _))| *runs);
        let feasible: Vec<&[i64]> = running().map(|(one, _)| one.as_slice()).collect();
        let near: Vec<bool> = running().map(|(_, (_, near))| *near).collect();
        prop_assert_eq!(in_common(&domains, &feasible, &near), by_definition(&domains, &feasible, &near));
    }
}

/// A takes as many ticks as its value, for every work group; R registers take 0 ticks.
const SPEC: &str = "
kernel: tied
parameters: { A: { values: [102, 100, 101, 103] }, WG: { values: [2, 4, 6, 8] }, R: { values: [9, 5] } }
launch: { work_items: 1, work_group: WG }
resources: { registers: R, local_memory: 8 * R }
body: [ { compute: { per_item: A } } ]
";

/// Applies `seen` to the neighbourhood of the optimum, as if it had been proved.
fn looked<T>(prefer: &str, within: Option<&str>, seen: impl Fn(&Near, &Survey) -> T) -> T {
    let mut spec = Spec::parse(SPEC, "tied.yaml").unwrap();
    if !prefer.is_empty() {
        spec.set_preferences(prefer).unwrap();
    }
    let profile = Profile::parse(PROFILE, "wide.yaml").unwrap();
    let within = within.map(|percent| percent.parse().unwrap());
    let reader = SourceReader::default();
    let question = Question { within, ..Question::new(&spec, &profile, &reader, "wide") };
    let limits = Limits::default();
    let answer = recall(&question, Ticks::new(100), crate::model::Form::Roles, &limits).unwrap().unwrap();
    seen(&look(&question, &answer).unwrap().unwrap(), answer.survey.as_ref().unwrap())
}

/// One group runs at a time, of any size; a warp has four work items.
const PROFILE: &str = "
name: wide
execution: lockstep
multiprocessors: 1
processing_elements: 8
dispatchers: 2
global_memory_ticks: 10
local_memory_ticks: 1
";

/// The chosen configuration and the criteria that decided.
fn chosen(prefer: &str, within: Option<&str>) -> (Vec<i64>, String) {
    looked(prefer, within, |near, survey| {
        let pick = near.chosen.unwrap_or(near.optimum);
        (survey.entries.get(pick.entry).configuration.0, near.chosen_by.join(", "))
    })
}

#[test]
fn a_time_at_the_limit_is_within_and_the_next_is_not() {
    for (percent, configurations) in
        [("0", 8), ("0.999999", 8), ("1", 16), ("1.5", 16), ("2", 24), ("2.999999", 24), ("3", 32)]
    {
        looked("", Some(percent), |near, _| {
            let within = near.within.iter().find(|within| within.percent.to_string() == percent).unwrap();
            assert_eq!((within.configurations, within.not_evaluated), (configurations, 0), "{percent}");
        });
    }
    let percents = |within| {
        looked("", within, |near, _| near.within.iter().map(|count| count.percent.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(percents(None), ["1", "2"]);
    assert_eq!(percents(Some("2")), ["1", "2"]);
    assert_eq!(percents(Some("1.5")), ["1", "1.5", "2"]);
}

#[test]
fn ties_are_ordered_by_warp_size_registers_and_space() {
    let usual = "a work group that is a multiple of the warp, the larger work group, fewer registers";
    assert_eq!(chosen("", None), (vec![100, 8, 5], usual.to_owned()));
    assert_eq!(chosen("", Some("2")), (vec![100, 8, 5], usual.to_owned()));
    assert_eq!(
        chosen("WG != 8", None),
        (vec![100, 4, 5], "WG != 8, ".to_owned() + "a work group that is a multiple of the warp, fewer registers")
    );
    assert_eq!(
        chosen("WG % 4 == 2, min WG", None),
        (vec![100, 2, 5], "WG % 4 == 2, min WG, fewer registers".to_owned())
    );
    looked("", None, |near, survey| {
        let best = near.best.iter().map(|(entry, ticks)| (survey.entries.get(*entry).configuration.0, *ticks));
        let ordered = [[100, 8, 5], [100, 8, 9], [100, 4, 5], [100, 4, 9], [100, 6, 5]];
        assert_eq!(best.collect::<Vec<_>>(), ordered.map(|values| (values.to_vec(), Ticks::new(100))));
    });
}

#[test]
fn preferences_choose_in_their_order_and_only_within_what_is_asked() {
    assert_eq!(chosen("max A", None).0, [100, 8, 5]);
    assert_eq!(
        chosen("max A", Some("2")),
        (
            vec![102, 8, 5],
            "max A, ".to_owned()
                + "a work group that is a multiple of the warp, the larger work group, fewer registers"
        )
    );
    assert_eq!(chosen("max A, min work_group, max registers", Some("2.5")).0, [102, 2, 9]);
    assert_eq!(chosen("min work_group, max A", Some("2.999999")).0, [102, 2, 5]);
    assert_eq!(chosen("A == 101 && WG == 6, max local_memory", Some("100")).0, [101, 6, 9]);
    // Configurations of equal preference are chosen by their time first.
    assert_eq!(chosen("WG == 6, R == 9", Some("3")).0, [100, 6, 9]);
    assert_eq!(chosen("max(WG, R) == 9, max (A + R)", Some("3")).0, [103, 8, 9]);
    assert_eq!(chosen("min gpu.warp_size * (A - 102) * (A - 102)", Some("2")).0, [102, 8, 5]);
}

#[test]
fn the_choice_has_its_own_work_group_though_another_has_its_program() {
    looked("WG == 6", None, |near, survey| {
        assert_eq!((near.optimum.work_group, near.optimum.ticks, near.chosen), (6, Ticks::new(100), None));
        let program = survey.entries.program(near.optimum.entry).unwrap();
        assert_ne!(survey.programs.entry(program), near.optimum.entry);
    });
}

/// Configurations that cannot be evaluated are counted for each percentage, unless their bound excludes them from it.
#[test]
fn what_is_not_evaluated_is_counted() {
    let spec = Spec::parse(SPEC, "tied.yaml").unwrap();
    let profile = Profile::parse(PROFILE, "wide.yaml").unwrap();
    let reader = SourceReader::default();
    let question = Question::new(&spec, &profile, &reader, "wide");
    let limits = Limits::default();
    let mut answer = recall(&question, Ticks::new(100), crate::model::Form::Roles, &limits).unwrap().unwrap();
    let survey = answer.survey.as_mut().unwrap();
    let slow = survey.entries.iter().find(|entry| entry.configuration.0 == [102, 8, 5]).unwrap();
    let program = slow.program().unwrap();
    let shared = survey.shared()[program];
    let mut programs: TiVec<_, UniqueProgram> = survey.programs.iter().collect();
    programs[program].too_long = Some(ProgramError::Zero("groups"));
    survey.programs = programs.into_iter().collect();
    answer.estimates.evaluations[program] = None;
    let near = look(&question, &answer).unwrap().unwrap();
    let counts: Vec<_> = near.within.iter().map(|within| (within.configurations, within.not_evaluated)).collect();
    assert_eq!(counts, [(16, 0), (24 - shared, shared)]);
    assert_eq!(near.not_evaluated, shared);
    assert!(shared > 0 && near.times[program].is_none());
}

#[test]
fn a_preference_without_a_value_is_an_error_before_any_proof() {
    let mut spec = Spec::parse(SPEC, "tied.yaml").unwrap();
    spec.set_preferences("min R, max 1 / (A - 103)").unwrap();
    let profile = Profile::parse(PROFILE, "wide.yaml").unwrap();
    let error =
        check_preferences(&Question::new(&spec, &profile, &SourceReader::default(), "wide"), &Limits::default())
            .unwrap_err()
            .to_string();
    for words in ["division by zero", "--prefer:1:12", "A = 103"] {
        assert!(error.contains(words), "{error}");
    }
    spec.set_preferences("min R").unwrap();
    check_preferences(&Question::new(&spec, &profile, &SourceReader::default(), "wide"), &Limits::default()).unwrap();
}

/// The recommended configuration by its definition: each configuration is lowered and evaluated by itself.
fn recommended_by_definition(question: &Question) -> Option<Vec<i64>> {
    let Question { spec, profile, reader, .. } = question;
    let all = allowed(spec, profile).unwrap();
    let times = |case: &Case| {
        let ticks = evaluate(&case.lowered.program, u64::MAX).unwrap().ticks;
        let waves = complete_time(profile, case.lowered);
        (case.configuration.0.clone(), ticks, waves)
    };
    let answers = each(spec, profile, reader, &all, times).unwrap();
    let mut known = Vec::new();
    for answer in answers {
        if let Feasibility::Feasible((values, ticks, waves)) = answer {
            known.push((values, Ticks::new(ticks).to_f64(), waves?));
        }
    }
    let least = known.iter().map(|(_, ticks, _)| *ticks).fold(f64::INFINITY, f64::min);
    let least_waves = known.iter().map(|(.., waves)| *waves).fold(f64::INFINITY, f64::min);
    // The third root of the fifth power is the order of max(m, w^(3/5)).
    let value = |ticks: f64, waves: f64| (ticks / least).powi(5).max((waves / least_waves).powi(3));
    let key = |(_, ticks, waves): &(Vec<i64>, f64, f64)| (value(*ticks, *waves), *ticks);
    let first = known.iter().reduce(|one, other| if key(other) < key(one) { other } else { one });
    first.map(|(values, ..)| values.clone())
}

/// Applies `seen` to the neighbourhood of the optimum of a shipped spec, as if it had been proved.
fn of_shipped(name: &str, gpu: &str, mut seen: impl FnMut(&Question, &Near, &Survey)) {
    let text = std::fs::read_to_string(format!("../../tuning-specs/{name}.yaml")).unwrap();
    let text = text.replace("STAGES: { range: { from: 2, to: 8 } }", "STAGES: { values: [3] }");
    let spec = Spec::parse(&text, name).unwrap();
    let profile = Profile::resolve(gpu).unwrap();
    let reader = SourceReader::default();
    let question = Question::new(&spec, &profile, &reader, gpu);
    let limits = Limits::default();
    let survey = known_survey(&spec, &profile, &reader, None, &limits).unwrap().unwrap();
    let least = estimate(&spec, &survey, Pruning::Best(1), &limits).unwrap().best().unwrap();
    let answer = recall(&question, least, crate::model::Form::Wave, &limits).unwrap().unwrap();
    seen(&question, &look(&question, &answer).unwrap().unwrap(), answer.survey.as_ref().unwrap());
}

#[test]
fn the_second_opinion_is_its_definition() {
    let mut others = 0;
    for (name, gpu) in [
        ("matmul_tiled", "gtx1080"),
        ("matmul_tiled", "volta"),
        ("transpose", "a100"),
        ("stencil_2d", "mi300x"),
        ("vector_add", "fermi"),
        ("softmax_rows", "h100"),
    ] {
        of_shipped(name, gpu, |question, near, survey| {
            let found = near.recommended.map(|found| survey.entries.get(found.pick.entry).configuration.0);
            assert_eq!(found, recommended_by_definition(question), "{name} on {gpu}");
            others += usize::from(near.recommended.is_some_and(|found| found.pick.entry != near.optimum.entry));
        });
    }
    assert!(others > 1, "{others} second opinions are not the optimum");
}

#[test]
fn nothing_is_recommended_where_the_wave_model_lacks_a_term() {
    looked("", None, |near, _| assert_eq!(near.recommended, None, "a lockstep GPU"));
    of_shipped("matmul_tensor_cores", "h100", |question, near, _| {
        assert_eq!((near.recommended, recommended_by_definition(question)), (None, None));
    });
}
