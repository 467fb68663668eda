//! The gate before results that were read from a disk: nothing of the cache, a journal or a kept folder counts before
//! its claims were held against each other and, where the question is known, against the native evaluator.

mod contradictions;
mod doubt;
mod evaluated;
mod fleet;

use indexmap::IndexSet;

use crate::result::Report;
use autotune_base::ticks::Ticks;
use autotune_engine::proof::Question;
use evaluated::{label, of_question, subject, times_of};

pub use contradictions::contradictions;
pub use doubt::Doubt;
pub use fleet::doubts_of_fleet;

/// The doubts about a result; empty if it is believed. `question` is the one that the result should answer; `None` if it
/// is not known, so that the result's claims are only held against each other.
#[must_use]
pub fn doubts(report: &Report, question: Option<&Question>) -> Vec<Doubt> {
    let contradictions: Vec<Doubt> = contradictions(report).into_iter().map(Doubt::Contradiction).collect();
    let Some(question) = question.filter(|_| contradictions.is_empty()) else { return contradictions };
    let (about, asked) = (subject(&report.kernel, &report.gpu, &report.problem), of_question(question));
    if about != asked {
        return vec![Doubt::OtherQuestion { told: about, asked }];
    }
    let named = report.optimum.as_ref().map(|optimum| (label(&optimum.parameters), optimum.work_group));
    let times = times_of(told(report), named.as_ref(), question).unwrap_or_else(|why| vec![Doubt::NotEvaluated(why)]);
    times.into_iter().chain(other_clock(report, question)).collect()
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

fn other_clock(report: &Report, question: &Question) -> Option<Doubt> {
    let optimum = report.optimum.iter().map(|optimum| (optimum.ticks, optimum.microseconds));
    let known = report.best_known.iter().map(|best| (best.ticks, best.microseconds));
    let recommended = report.recommended.iter().map(|found| (found.ticks, found.microseconds));
    let choice = report.choice().map(|choice| (choice.ticks, choice.microseconds));
    optimum.chain(known).chain(recommended).chain(choice).find_map(|(ticks, told)| {
        let native = question.profile.microseconds(ticks.get());
        (native != told).then_some(Doubt::OtherClock { ticks, native, told })
    })
}
