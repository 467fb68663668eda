//! Predictions against measurements: how good what a ranking picks first really is.
//!
//! A *fraction* is the best measured time divided by that of a pick, 0 for a pick that failed. What a ranking ties is in
//! random order; all values are exact expectations over these orders, nothing is simulated. Configurations that are refused
//! come last.

mod accuracy;
mod paired;
mod picks;
mod rules;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::agreement::{kendall, spearman};
use super::measured::{MeasuredRun, Measurements, Scenario};
use super::{Assessment, Predictor, assess};
use crate::gpu::Profile;
use crate::space::SpaceError;
use crate::spec::{Configuration, Spec, SpecError};

pub use accuracy::{Accuracy, MeasuredSpace, accuracy, measured_spaces};
pub use paired::{Paired, PairedSize, Quantity};
pub use picks::{BestOf, Picks};
pub use rules::Rules;

/// A kernel's predictions against its measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// Of all problem sizes together: sums of counts, means of all else.
    pub overall: Findings,
    /// Of each problem size; none if there is one only.
    pub scenarios: Vec<(Vec<(String, i64)>, Findings)>,
    /// Configurations that a model says nothing of.
    pub silent: Vec<Silence>,
    /// The runs themselves, by problem size.
    pub compared: Vec<Compared>,
}

/// The runs of a problem size beside what was predicted of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The problem sizes that the file tells.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<ComparedRun>,
}

/// A run beside what was predicted of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRun {
    /// What was tried.
    pub configuration: Configuration,
    /// How long it took; none if it failed.
    pub milliseconds: Option<f64>,
    /// What each of the models says, or nothing; empty if it was refused.
    pub costs: Vec<Option<f64>>,
}

/// What the runs of a problem size show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// Configurations that were tried.
    pub rows: usize,
    /// Of these, those that ran.
    pub valid: usize,
    /// Each model and how good it is; all but those that are silent wherever nothing is refused.
    #[serde(serialize_with = "by_name")]
    pub models: Vec<(Predictor, Score)>,
    /// A tuner that picks at random.
    pub random: Picks,
    /// Rules that know the work group only.
    pub rules: Rules,
    /// What can run at all.
    pub feasibility: Feasibility,
}

fn by_name<S: Serializer>(models: &[(Predictor, Score)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(models.iter().map(|(model, score)| (model.name(), score)))
}

/// How good a model's ranking is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// How good what it picks is.
    #[serde(flatten)]
    pub picks: Picks,
    /// Rank correlation of cost and time over what ran and was predicted; none if either is everywhere the same.
    pub spearman: Option<f64>,
    /// Kendall's tau-b, likewise.
    pub kendall: Option<f64>,
}

/// Predictions of what can run at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Feasibility {
    /// Configurations that failed, though nothing spoke against them.
    pub predicted_but_failed: usize,
    /// Configurations that ran, though they were refused.
    pub refused_but_ran: usize,
}

/// That a model says nothing of some configurations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// The model.
    pub model: Predictor,
    /// How many.
    pub configurations: usize,
    /// Why it says nothing of the first.
    pub reason: String,
}

/// Why predictions cannot be made.
#[derive(Debug, Error)]
pub enum ValidationError {
    /// A problem size cannot be set.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Configurations cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
}

impl ValidationError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Analysis(error) => error.help(),
        }
    }
}

/// Compares what the models predict with what was measured. Problem sizes in which nothing ran show nothing and are left
/// out.
///
/// # Errors
/// When a configuration cannot be assessed.
pub fn validate(
    spec: &Spec,
    profile: &Profile,
    models: &[Predictor],
    measured: &Measurements,
) -> Result<Validation, ValidationError> {
    let (mut silent, mut scenarios, mut compared) = (Vec::new(), Vec::new(), Vec::new());
    for scenario in &measured.scenarios {
        if let Some((findings, runs)) = findings(spec, profile, models, scenario, &mut silent)? {
            scenarios.push((scenario.problem.clone(), findings));
            compared.push(Compared { problem: scenario.problem.clone(), runs });
        }
    }
    let overall = mean(&scenarios.iter().map(|(_, findings)| findings).collect::<Vec<_>>());
    if measured.scenarios.len() == 1 {
        scenarios.clear();
    }
    Ok(Validation { overall, scenarios, silent, compared })
}

/// What the runs of one problem size show; nothing if none succeeded.
fn findings(
    spec: &Spec,
    profile: &Profile,
    models: &[Predictor],
    scenario: &Scenario,
    silent: &mut Vec<Silence>,
) -> Result<Option<(Findings, Vec<ComparedRun>)>, ValidationError> {
    let mut spec = spec.clone();
    for (name, value) in &scenario.problem {
        spec.set(name, *value)?;
    }
    let runs = &scenario.runs;
    let times: Vec<Option<f64>> = runs.iter().map(|run| run.milliseconds).collect();
    let Some(best) = times.iter().flatten().copied().reduce(f64::min) else { return Ok(None) };
    let configurations: Vec<Configuration> = runs.iter().map(|run| run.configuration.clone()).collect();
    let assessments = assess(&spec, profile, models, &configurations)?;
    let fractions: Vec<f64> = times.iter().map(|time| time.map_or(0.0, |time| best / time)).collect();
    let scored = models.iter().enumerate().filter_map(|(place, &model)| {
        note_silence(model, place, &assessments, silent);
        Some((model, score(place, &assessments, &times, &fractions)?))
    });
    let findings = Findings {
        rows: runs.len(),
        valid: times.iter().flatten().count(),
        models: scored.collect(),
        random: Picks::of(std::slice::from_ref(&fractions)),
        rules: Rules::of(&spec, profile, &configurations, &fractions),
        feasibility: feasibility(&assessments, runs),
    };
    Ok(Some((findings, compared(&assessments, runs))))
}

/// The runs beside what was predicted of them.
fn compared(assessments: &[Assessment], runs: &[MeasuredRun]) -> Vec<ComparedRun> {
    let beside = |(assessment, run): (&Assessment, &MeasuredRun)| ComparedRun {
        configuration: run.configuration.clone(),
        milliseconds: run.milliseconds,
        costs: match assessment {
            Assessment::Refused(_) => Vec::new(),
            Assessment::Predicted(costs) => costs.iter().map(|cost| cost.as_ref().ok().copied()).collect(),
        },
    };
    assessments.iter().zip(runs).map(beside).collect()
}

/// The cost that a model of this place gives.
fn cost(assessment: &Assessment, place: usize) -> Option<f64> {
    match assessment {
        Assessment::Predicted(predictions) => predictions[place].as_ref().ok().copied(),
        Assessment::Refused(_) => None,
    }
}

/// How good the model of this place is. None if it predicts nothing of what could be predicted; where all is refused, that is
/// its prediction.
fn score(place: usize, assessments: &[Assessment], times: &[Option<f64>], fractions: &[f64]) -> Option<Score> {
    let mut ranked: Vec<(f64, f64)> = Vec::new();
    let (mut silent, mut refused) = (Vec::new(), Vec::new());
    for (assessment, &fraction) in assessments.iter().zip(fractions) {
        match (cost(assessment, place), assessment) {
            (Some(cost), _) => ranked.push((cost, fraction)),
            (None, Assessment::Predicted(_)) => silent.push(fraction),
            (None, Assessment::Refused(_)) => refused.push(fraction),
        }
    }
    if ranked.is_empty() && !silent.is_empty() {
        return None;
    }
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let tied = ranked.chunk_by(|(a, _), (b, _)| a.total_cmp(b).is_eq());
    let mut groups: Vec<Vec<f64>> = tied.map(|group| group.iter().map(|(_, fraction)| *fraction).collect()).collect();
    groups.extend([silent, refused]);
    let both =
        assessments.iter().zip(times).filter_map(|(assessment, time)| Some((cost(assessment, place)?, (*time)?)));
    let (costs, times): (Vec<_>, Vec<_>) = both.unzip();
    Some(Score { picks: Picks::of(&groups), spearman: spearman(&costs, &times), kendall: kendall(&costs, &times) })
}

fn note_silence(model: Predictor, place: usize, assessments: &[Assessment], silent: &mut Vec<Silence>) {
    let reasons = assessments.iter().filter_map(|assessment| match assessment {
        Assessment::Predicted(predictions) => predictions[place].as_ref().err(),
        Assessment::Refused(_) => None,
    });
    for reason in reasons {
        match silent.iter_mut().find(|silence| silence.model == model) {
            Some(silence) => silence.configurations += 1,
            None => silent.push(Silence { model, configurations: 1, reason: reason.to_string() }),
        }
    }
}

fn feasibility(assessments: &[Assessment], runs: &[MeasuredRun]) -> Feasibility {
    let mut feasibility = Feasibility::default();
    for (assessment, run) in assessments.iter().zip(runs) {
        match (assessment, run.milliseconds) {
            (Assessment::Predicted(_), None) => feasibility.predicted_but_failed += 1,
            (Assessment::Refused(_), Some(_)) => feasibility.refused_but_ran += 1,
            _ => {}
        }
    }
    feasibility
}

/// Of several problem sizes together.
fn mean(all: &[&Findings]) -> Findings {
    let sum = |count: fn(&Findings) -> usize| all.iter().map(|findings| count(findings)).sum();
    let scores = |model: Predictor| {
        let of_model =
            move |findings: &&Findings| findings.models.iter().find(|(one, _)| *one == model).map(|(_, score)| *score);
        all.iter().filter_map(of_model).collect::<Vec<_>>()
    };
    let models = Predictor::ALL.into_iter().filter_map(|model| Some((model, Score::mean(&scores(model))?)));
    Findings {
        rows: sum(|findings| findings.rows),
        valid: sum(|findings| findings.valid),
        models: models.collect(),
        random: Picks::mean(&all.iter().map(|findings| findings.random).collect::<Vec<_>>()).unwrap_or_default(),
        rules: Rules::mean(&all.iter().map(|findings| findings.rules).collect::<Vec<_>>()),
        feasibility: Feasibility {
            predicted_but_failed: sum(|findings| findings.feasibility.predicted_but_failed),
            refused_but_ran: sum(|findings| findings.feasibility.refused_but_ran),
        },
    }
}

impl Score {
    /// Means; of the correlations over those that there are. None of nothing.
    fn mean(scores: &[Self]) -> Option<Self> {
        let picks = Picks::mean(&scores.iter().map(|score| score.picks).collect::<Vec<_>>())?;
        let correlation = |of: fn(&Self) -> Option<f64>| picks::mean(scores.iter().filter_map(of));
        Some(Self { picks, spearman: correlation(|score| score.spearman), kendall: correlation(|score| score.kendall) })
    }
}

#[cfg(test)]
mod tests;
