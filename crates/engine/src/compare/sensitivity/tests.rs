//! The sensitivity, compared with the evaluation of whole spaces under each changed profile.

use super::*;
use crate::model::Form;
use crate::proof::recall;
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Changeable, Rate};
use autotune_lowering::space::{Pruning, estimate, known_survey};
use autotune_lowering::spec::Spec;

/// The kernels: with local memory, with copies and products of matrix units that are waited for later, without barriers.
const SPECS: [&str; 4] = ["matmul_tiled", "matmul_tensor_cores", "minimum", "vector_add"];

/// Operations that wait for each other's results, beside more that do not.
const CHAINED: &str = include_str!("../../../../../tests/data/chained.yaml");

/// The answer to a question and the neighbourhood of its optimum, without a model checker.
fn answered(question: &Question) -> (Answer, Near) {
    let Question { spec, profile, reader, .. } = question;
    let limits = Limits::default();
    let survey = known_survey(spec, profile, reader, None, &limits).unwrap().unwrap();
    let best = estimate(spec, &survey, Pruning::Best(1), &limits).unwrap().best().unwrap();
    let answer = recall(question, best, Form::Wave, &limits).unwrap().unwrap();
    let near = crate::compare::near::look(question, &answer).unwrap().unwrap();
    (answer, near)
}

/// The fastest time of a whole space in ticks, and the time of one of its configurations.
fn times(question: &Question, profile: &Profile, optimum: &autotune_lowering::spec::Configuration) -> (u64, u64) {
    let (spec, reader, limits) = (question.spec, question.reader, Limits::default());
    let time = |only| {
        let survey = known_survey(spec, profile, reader, only, &limits).unwrap().unwrap();
        estimate(spec, &survey, Pruning::Best(1), &limits).unwrap().best().unwrap().get()
    };
    (time(None), time(Some(optimum)))
}

#[test]
fn it_is_the_evaluation_of_all_configurations_under_each_change() {
    let reader = SourceReader::default();
    let (mut stays, mut overtaken) = (0, 0);
    let texts = SPECS.map(|name| (name, std::fs::read_to_string(format!("../../tuning-specs/{name}.yaml")).unwrap()));
    let specs = texts.into_iter().chain([("chained", CHAINED.to_owned())]);
    for ((name, text), gpu) in specs.zip(["gtx1080", "h100", "a100", "mi300x", "a100"]) {
        // The greatest spaces in part.
        let text = text.replace("STAGES: { range: { from: 2, to: 8 } }", "STAGES: { values: [3] }");
        let text = text.replace("BK: { powers_of_two: { from: 16, to: 128 } }", "BK: { values: [32] }");
        let text = text.replace("ROWS: { powers_of_two: { from: 1, to: 32 } }", "ROWS: { values: [2, 4, 8] }");
        let text = text.replace("COLS: { powers_of_two: { from: 1, to: 16 } }", "COLS: { values: [1, 4] }");
        let spec = Spec::parse(&text, name).unwrap();
        let profile = Profile::resolve(gpu).unwrap();
        let Profile::Pipelined(real) = &profile else { unreachable!("it is a real GPU") };
        let question = Question::new(&spec, &profile, &reader, gpu);
        let (answer, near) = answered(&question);
        let survey = answer.survey.as_ref().unwrap();
        let optimum = survey.entries.get(near.optimum.entry).configuration;
        let found = within(&question, &answer, &near, Allowance::unlimited()).unwrap();
        for value in Changeable::all(real) {
            for factor in [Rate::new(4, 5), Rate::new(5, 4)] {
                let changed = Profile::Pipelined(Box::new(value.scaled(real, factor)));
                let (least, own) = times(&question, &changed, &optimum);
                let told = found.overtaken.iter().find(|each| each.key == value.key && each.factor == factor);
                let told = told.map(|each| (each.least.get(), each.ticks.get()));
                assert_eq!(told, (least < own).then_some((least, own)), "{name} on {gpu}: {} x {factor}", value.key);
                *(if told.is_some() { &mut overtaken } else { &mut stays }) += 1;
            }
        }
        assert_eq!(found.tried, 2 * Changeable::all(real).count());
    }
    assert!(stays > 50 && overtaken > 5, "{stays} {overtaken}");
}
