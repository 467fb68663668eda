//! The doubts about an answer about several scenarios.

use indexmap::IndexSet;

use super::doubt::Doubt;
use super::evaluated::{label, of_question, subject, times_of};
use crate::result::{FleetConfiguration, FleetReport, FleetTime, FleetWorst, Values, Verdict};
use autotune_base::text::words::named;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::Slowdown;
use autotune_engine::proof::Question;
use autotune_lowering::space::SpaceError;

/// The doubts about an answer about several scenarios; empty if it is believed. `questions` are the scenarios that it should
/// be about, and `weights` are theirs.
#[must_use]
pub fn doubts_of_fleet(report: &FleetReport, questions: &[Question], weights: &[u32]) -> Vec<Doubt> {
    let contradictions: Vec<Doubt> = contradictions_of_fleet(report).into_iter().map(Doubt::Contradiction).collect();
    if !contradictions.is_empty() {
        return contradictions;
    }
    if report.scenarios.len() != questions.len() {
        let scenarios = |number: usize| format!("{number} scenarios");
        return vec![Doubt::OtherQuestion {
            told: scenarios(report.scenarios.len()),
            asked: scenarios(questions.len()),
        }];
    }
    for ((scenario, question), weight) in report.scenarios.iter().zip(questions).zip(weights) {
        let told = (subject(&report.kernel, &scenario.gpu, &scenario.problem), scenario.weight);
        let asked = (of_question(question), *weight);
        if told != asked {
            let [told, asked] = [told, asked].map(|(subject, weight)| format!("{subject}, weight {weight}"));
            return vec![Doubt::OtherQuestion { told, asked }];
        }
    }
    let claims = |(scenario, question): (usize, &Question)| {
        evaluated_in(report, scenario, question).unwrap_or_else(|why| vec![Doubt::NotEvaluated(why)])
    };
    questions.iter().enumerate().flat_map(claims).collect()
}

/// The doubts about the times that an answer gives to configurations in one scenario.
fn evaluated_in(report: &FleetReport, scenario: usize, question: &Question) -> Result<Vec<Doubt>, SpaceError> {
    let optimum = report.scenarios[scenario].optimum.as_ref().map(|optimum| (&optimum.parameters, optimum.ticks));
    let one = listed(report).filter_map(|one| Some((&one.parameters, one.times.get(scenario)?.ticks)));
    let several = report.variants.iter();
    let several = several.filter_map(|one| Some((&one.parameters, one.times.get(scenario)?.as_ref()?.ticks)));
    let told: IndexSet<(String, Ticks)> =
        optimum.into_iter().chain(one).chain(several).map(|(parameters, ticks)| (label(parameters), ticks)).collect();
    times_of(told, None, question)
}

/// The configurations that an answer lists with a time in each scenario.
fn listed(report: &FleetReport) -> impl Iterator<Item = &FleetConfiguration> {
    let ties = report.ties.iter().flatten();
    report.optimum.iter().chain(ties).chain(&report.best).chain(&report.surely_launches)
}

/// Sentences, one for each claim of an answer about several scenarios that another claim contradicts; empty if no claims
/// contradict each other.
fn contradictions_of_fleet(report: &FleetReport) -> Vec<String> {
    let optima: Vec<Option<Ticks>> =
        report.scenarios.iter().map(|scenario| scenario.optimum.as_ref().map(|optimum| optimum.ticks)).collect();
    let mut found = Vec::new();
    for one in listed(report) {
        let times: Vec<Option<&FleetTime>> = one.times.iter().map(Some).collect();
        faults(&one.parameters, &times, &optima, &mut found);
        // A slowdown over an optimum that is not proved cannot be computed again.
        if optima.iter().all(Option::is_some) && greatest(&times, &optima).as_ref() != Some(&one.worst) {
            found.push(format!("{} has another worst slowdown than its times", name(&one.parameters)));
        }
    }
    for one in &report.variants {
        let times: Vec<Option<&FleetTime>> = one.times.iter().map(Option::as_ref).collect();
        faults(&one.parameters, &times, &optima, &mut found);
    }
    together(report, &optima, &mut found);
    for (launch, taken) in report.may_not_launch.iter().filter_map(|launch| Some((launch, launch.instead.as_ref()?))) {
        let time = report.variants.get(taken.variant).and_then(|one| one.times.get(launch.scenario)?.as_ref());
        if time.is_none_or(|time| time.ticks != taken.ticks) {
            found.push(format!("variant {} takes another time in scenario {}", taken.variant, launch.scenario));
        }
    }
    let is_proved = report.verdict == Verdict::Proved;
    if is_proved != report.proof.is_some() || is_proved && report.worst().is_none() {
        found.push("the verdict is not that of its proof".to_owned());
    }
    if is_proved && (optima.iter().any(Option::is_none) || report.stopped.is_some()) {
        found.push("it is marked proved, and a part of the proof is missing".to_owned());
    }
    if let (Some(optimum), Some(first)) = (&report.optimum, report.best.first())
        && (optimum != first || !report.best.is_sorted_by(|one, next| slowdown(&one.worst) <= slowdown(&next.worst)))
    {
        found.push("another configuration is listed as better than the optimum".to_owned());
    }
    let is_tied =
        |tie: &FleetConfiguration| report.worst().is_some_and(|worst| slowdown(worst) == slowdown(&tie.worst));
    if !report.ties.iter().flatten().all(is_tied) {
        found.push("a tie is not as good as the optimum".to_owned());
    }
    found
}

/// Adds what contradicts the times of a configuration.
fn faults(parameters: &Values, times: &[Option<&FleetTime>], optima: &[Option<Ticks>], found: &mut Vec<String>) {
    if times.len() != optima.len() {
        found.push(format!("{} has {} times for {} scenarios", name(parameters), times.len(), optima.len()));
        return;
    }
    for (scenario, (time, optimum)) in times.iter().zip(optima).enumerate() {
        let (Some(time), Some(optimum)) = (time, optimum) else { continue };
        let slowdown = Slowdown::new(time.ticks, *optimum).rounded();
        if time.ticks < *optimum || slowdown.to_bits() != time.slowdown.to_bits() {
            found.push(format!("{} has a wrong slowdown in scenario {scenario}", name(parameters)));
        }
    }
}

/// Adds what contradicts the claim about the variants together.
fn together(report: &FleetReport, optima: &[Option<Ticks>], found: &mut Vec<String>) {
    let Some(together) = &report.together else { return };
    if together.times.len() != optima.len() {
        found.push(format!("{} scenarios have a variant, of {}", together.times.len(), optima.len()));
        return;
    }
    let times: Vec<Option<&FleetTime>> = (0..optima.len())
        .map(|scenario| {
            let taken = &together.times[scenario];
            let fastest = report.variants.iter().filter_map(|one| one.times.get(scenario)?.as_ref());
            let fastest = fastest.min_by_key(|time| time.ticks)?;
            let variant = report.variants.get(taken.variant)?.times.get(scenario)?.as_ref()?;
            (variant.ticks == taken.ticks && fastest.ticks == taken.ticks).then_some(variant)
        })
        .collect();
    if optima.iter().all(Option::is_some) && greatest(&times, optima).as_ref() != Some(&together.worst) {
        found.push("the variants do not have this worst slowdown together".to_owned());
    }
}

/// The worst slowdown of these times; `None` where one is missing.
fn greatest(times: &[Option<&FleetTime>], optima: &[Option<Ticks>]) -> Option<FleetWorst> {
    let slowdowns =
        times.iter().zip(optima).map(|(time, optimum)| Some(Slowdown::new(time.as_ref()?.ticks, (*optimum)?)));
    let slowdowns: Vec<Slowdown> = slowdowns.collect::<Option<_>>()?;
    let worst = *slowdowns.iter().max()?;
    let scenario = slowdowns.iter().position(|one| *one == worst)?;
    Some(FleetWorst::new(worst, scenario))
}

fn slowdown(worst: &FleetWorst) -> Slowdown {
    Slowdown::new(Ticks::new(worst.numerator), Ticks::new(worst.denominator))
}

fn name(parameters: &Values) -> String {
    named(&label(parameters)).to_owned()
}
