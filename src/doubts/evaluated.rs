//! The times that a result states, held against the native evaluator.

use super::doubt::Doubt;
use crate::result::{Values, problem};
use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::{PredictedCost, Predictor};
use autotune_engine::proof::Question;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::space::{Case, Space, SpaceError, each};
use autotune_lowering::spec::Configuration;

/// The kernel, the GPU and the problem sizes of a question, in words.
pub(super) fn of_question(question: &Question) -> String {
    subject(&question.spec.kernel, question.gpu, &problem(question.spec))
}

/// A kernel, a GPU and problem sizes, in words.
pub(super) fn subject(kernel: &str, gpu: &str, problem: &Values) -> String {
    let sizes = problem.iter().map(|(name, size)| format!(", {name}={size}"));
    words::printable(&format!("{kernel} on {gpu}{}", sizes.collect::<String>()))
}

/// The doubts about the times that a result gives to configurations by their labels. `named` has the work items that the
/// result gives to the groups of a configuration; `None` if it gives none.
pub(super) fn times_of(
    told: impl IntoIterator<Item = (String, Ticks)>,
    named: Option<&(String, u64)>,
    question: &Question,
) -> Result<Vec<Doubt>, SpaceError> {
    let space = Space::new(question.spec, &question.profile.names(question.spec.has_dynamic_local_memory()))?;
    let mut doubts = Vec::new();
    let mut claims: Vec<(Configuration, String, Ticks)> = Vec::new();
    for (label, ticks) in told {
        match space.configuration(&label) {
            Ok(configuration) => claims.push((configuration, label, ticks)),
            Err(why) => doubts.push(Doubt::NoTime { configuration: label, why: why.to_string() }),
        }
    }
    let configurations: Vec<Configuration> = claims.iter().map(|(configuration, ..)| configuration.clone()).collect();
    let answers = each(question.spec, question.profile, question.reader, &configurations, evaluated)?;
    for ((_, configuration, told), answer) in claims.into_iter().zip(answers) {
        let group = named.filter(|(optimum, _)| *optimum == configuration).map(|(_, group)| *group);
        doubts.extend(match answer {
            Feasibility::Feasible(Ok((native, _))) if native != told => {
                Some(Doubt::OtherTime { configuration, native, told })
            }
            Feasibility::Feasible(Ok((_, native))) => {
                group.filter(|told| *told != native).map(|told| Doubt::OtherGroup { configuration, native, told })
            }
            Feasibility::Feasible(Err(why)) | Feasibility::Infeasible(why) => {
                Some(Doubt::NoTime { configuration, why })
            }
        });
    }
    Ok(doubts)
}

/// The time of a configuration and the work items of its groups, or the reason why it has no time.
fn evaluated(case: &Case) -> Result<(Ticks, u64), String> {
    let cost = Predictor::Machine.predict(case).map_err(|why| why.to_string())?;
    let ticks = PredictedCost::ticks(cost).ok_or("it takes too long")?;
    Ok((ticks, case.lowered.work_group))
}

/// A configuration as the command line names it: `A=1,B=2`.
pub(super) fn label(parameters: &Values) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}
