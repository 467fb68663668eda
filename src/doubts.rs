//! The gate before results that were read from a disk: nothing of the cache, a journal or a kept folder counts before
//! its claims were held against each other and, where the question is known, against the native evaluator.

mod contradictions;

use indexmap::IndexSet;
use thiserror::Error;

use crate::compare::{PredictedCost, Predictor};
use crate::lowering::Feasibility;
use crate::proof::Question;
use crate::result::{Report, Values, problem};
use crate::space::{Case, Space, SpaceError, each};
use crate::spec::Configuration;
use crate::text::words;
use crate::ticks::Ticks;

pub use contradictions::contradictions;

/// A reason why a result that was read is not believed.
#[derive(Debug, Error)]
pub enum Doubt {
    /// A claim that another claim of the result contradicts.
    #[error("{0}")]
    Contradiction(String),
    /// The result answers another question.
    #[error("it is of {told}, not of {asked}")]
    OtherQuestion {
        /// The kernel, the GPU and the problem sizes of the result.
        told: String,
        /// The kernel, the GPU and the problem sizes of the question.
        asked: String,
    },
    /// A configuration is said to take a time, and has none.
    #[error("{} has no time by the evaluator: {why}", words::named(configuration))]
    NoTime {
        /// The configuration's label, `A=1,B=2`.
        configuration: String,
        /// The reason.
        why: String,
    },
    /// A configuration takes another time.
    #[error("{} takes {native} ticks by the evaluator, not {told}", words::named(configuration))]
    OtherTime {
        /// The configuration's label, `A=1,B=2`.
        configuration: String,
        /// The time by the evaluator.
        native: Ticks,
        /// The time that the result states.
        told: Ticks,
    },
    /// The optimum has work groups of another size.
    #[error("{} has work groups of {native}, not of {told}", words::named(configuration))]
    OtherGroup {
        /// The optimum's label, `A=1,B=2`.
        configuration: String,
        /// The work items of a group.
        native: u64,
        /// The work items that the result states.
        told: u64,
    },
    /// The ticks are another number of microseconds.
    #[error("{ticks} ticks are {}, not {}", in_microseconds(*.native), in_microseconds(*.told))]
    OtherClock {
        /// The time.
        ticks: Ticks,
        /// The time by the profile's clock, in microseconds; `None` without a clock.
        native: Option<f64>,
        /// The time that the result states, in microseconds.
        told: Option<f64>,
    },
    /// The evaluator cannot be asked here, so it does not confirm the result, and does not refute it either.
    #[error("the evaluator cannot be asked: {0}")]
    NotEvaluated(SpaceError),
}

/// The doubts about a result; empty if it is believed. `question` is the one that the result should answer; `None` if it
/// is not known, so that the result's claims are only held against each other.
#[must_use]
pub fn doubts(report: &Report, question: Option<&Question>) -> Vec<Doubt> {
    let contradictions: Vec<Doubt> = contradictions(report).into_iter().map(Doubt::Contradiction).collect();
    let Some(question) = question.filter(|_| contradictions.is_empty()) else { return contradictions };
    let (told, asked) = (subject(&report.kernel, &report.gpu, &report.problem), of_question(question));
    if told != asked {
        return vec![Doubt::OtherQuestion { told, asked }];
    }
    let times = evaluated_again(report, question).unwrap_or_else(|why| vec![Doubt::NotEvaluated(why)]);
    times.into_iter().chain(other_clock(report, question)).collect()
}

fn of_question(question: &Question) -> String {
    subject(&question.spec.kernel, question.gpu, &problem(question.spec))
}

fn subject(kernel: &str, gpu: &str, problem: &Values) -> String {
    let sizes = problem.iter().map(|(name, size)| format!(", {name}={size}"));
    words::printable(&format!("{kernel} on {gpu}{}", sizes.collect::<String>()))
}

/// The doubts about the times that a result gives to configurations by their names: the optimum, its ties, the best, the
/// choice, and the best that is known.
fn evaluated_again(report: &Report, question: &Question) -> Result<Vec<Doubt>, SpaceError> {
    let space = Space::new(question.spec, &question.profile.names(question.spec.has_dynamic_local_memory()))?;
    let mut doubts = Vec::new();
    let mut claims: Vec<(Configuration, String, Ticks)> = Vec::new();
    for (label, ticks) in told(report) {
        match space.configuration(&label) {
            Ok(configuration) => claims.push((configuration, label, ticks)),
            Err(why) => doubts.push(Doubt::NoTime { configuration: label, why: why.to_string() }),
        }
    }
    let configurations: Vec<Configuration> = claims.iter().map(|(configuration, ..)| configuration.clone()).collect();
    let answers = each(question.spec, question.profile, question.reader, &configurations, evaluated)?;
    let named = report.optimum.as_ref().map(|optimum| (label(&optimum.parameters), optimum.work_group));
    for ((_, configuration, told), answer) in claims.into_iter().zip(answers) {
        let group = named.as_ref().filter(|(optimum, _)| *optimum == configuration).map(|(_, group)| *group);
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

/// The labels of the configurations whose times a result states by their names, and these times; the optimum first.
fn told(report: &Report) -> IndexSet<(String, Ticks)> {
    let optimum = report.optimum.iter().map(|optimum| (&optimum.parameters, optimum.ticks));
    let tied = report
        .optimum
        .iter()
        .flat_map(|optimum| report.ties.iter().flatten().map(|parameters| (parameters, optimum.ticks)));
    let places = report.top.iter().flatten().map(|place| (&place.parameters, place.ticks));
    let near = report.near.iter().flat_map(|near| &near.best).map(|best| (&best.parameters, best.ticks));
    let choice = report.choice().map(|choice| (&choice.parameters, choice.ticks));
    let recommended = report.recommended.iter().map(|found| (&found.parameters, found.ticks));
    let known = report.best_known.iter().map(|best| (&best.parameters, best.ticks));
    let all = optimum.chain(tied).chain(places).chain(near).chain(choice).chain(recommended).chain(known);
    all.map(|(parameters, ticks)| (label(parameters), ticks)).collect()
}

/// A configuration as the command line names it: `A=1,B=2`.
fn label(parameters: &Values) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

fn other_clock(report: &Report, question: &Question) -> Option<Doubt> {
    let optimum = report.optimum.iter().map(|optimum| (optimum.ticks, optimum.microseconds));
    let known = report.best_known.iter().map(|best| (best.ticks, best.microseconds));
    optimum.chain(known).find_map(|(ticks, told)| {
        let native = question.profile.microseconds(ticks.get());
        (native != told).then_some(Doubt::OtherClock { ticks, native, told })
    })
}

fn in_microseconds(time: Option<f64>) -> String {
    time.map_or("no microseconds".to_owned(), |time| format!("{time} microseconds"))
}
