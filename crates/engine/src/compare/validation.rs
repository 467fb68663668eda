//! Predictions against measurements: the quality of a ranking's first picks.
//!
//! A *fraction* is the best measured time divided by that of a pick; it is 0 for a pick that failed. Configurations
//! that a ranking ties are in random order. All values are exact expectations over these orders, without simulation.
//! Configurations that are refused come last.

mod assessment;
mod corrected;
mod expected;
mod launches;
mod load;
mod picks;
mod ranking;
mod recommended;
mod rules;
mod time_errors;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::Predictor;
use super::expected::Expected;
use super::measured::{MeasuredRun, Measurements, Scenario};
use assessment::{Assessment, assess};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::SpaceError;
use autotune_lowering::spec::{Configuration, Spec, SpecError};
use autotune_machine::correction::{Residuals, Suggester, ValueResidual};
use recommended::Opinions;

pub use corrected::CorrectedPicks;
pub use launches::of_all_launches;
pub use load::{GroupDemand, MachineLoad};
pub use picks::{BestOf, Picks};
pub(super) use ranking::RankPosition;
pub use ranking::RankingScore;
pub use rules::Rules;
pub use time_errors::TimeErrors;

/// A kernel's predictions against its measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// The findings of all problem sizes together: sums of counts, means of all other values.
    pub overall: Findings,
    /// The findings of each problem size; empty if the file has only one.
    pub scenarios: Vec<(Vec<(String, i64)>, Findings)>,
    /// The predictors that do not apply to some configurations.
    pub silent: Vec<Silence>,
    /// The runs themselves, by problem size.
    pub compared: Vec<Compared>,
    /// The residuals of the first predictor by values of parameters, the greatest first; over all problem sizes, each
    /// in proportion to its own scale.
    pub residuals: Vec<ValueResidual>,
}

/// The runs of a problem size beside their predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The problem sizes in the file.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<ComparedRun>,
}

/// A run beside its predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRun {
    /// The configuration that was run.
    pub configuration: Configuration,
    /// The measured time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
    /// The cost by each predictor (`None` if it does not apply); empty if the configuration was refused.
    pub costs: Vec<Option<f64>>,
    /// The cost by the first predictor as ten runs have corrected it; `None` if it does not apply.
    pub corrected: Option<f64>,
    /// The load on the machine, or the reason why the configuration was refused.
    pub load: Result<MachineLoad, String>,
}

/// The findings of one problem size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Findings {
    /// The number of configurations that were run.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub rows: usize,
    /// The number of runs that succeeded.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub valid: usize,
    /// The score of each predictor; without those that apply to no configuration that was not refused.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, Score>", extend("propertyNames" = { "enum": Predictor::ALL.map(Predictor::name) })))]
    #[serde(serialize_with = "by_name")]
    pub models: Vec<(Predictor, Score)>,
    /// The picks by machine and wave model together, which recommend; `None` where the wave model lacks terms.
    #[cfg_attr(feature = "schemas", schemars(extend("unevaluatedProperties" = false)))]
    pub recommended: Option<Picks>,
    /// The picks of a suggestion that knows no run: the recommended one first, then those that differ from each other.
    #[cfg_attr(feature = "schemas", schemars(extend("unevaluatedProperties" = false)))]
    pub shortlist: Picks,
    /// The machine's first pick as an answer would expect it from other measured spaces. `None` over several problem sizes, on
    /// a lockstep GPU, and without two configurations to pick from.
    pub expected: Option<Expected>,
    /// The picks of a tuner that picks at random.
    #[cfg_attr(feature = "schemas", schemars(extend("unevaluatedProperties" = false)))]
    pub random: Picks,
    /// The scores of rules that know only the work group.
    pub rules: Rules,
    /// The predictions of feasibility.
    pub feasibility: FeasibilityErrors,
    /// The error of the machine's times; `None` if it has none for any run that succeeded, as on a lockstep GPU.
    pub time_error: Option<TimeErrors>,
}

fn by_name<S: Serializer>(models: &[(Predictor, Score)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(models.iter().map(|(model, score)| (model.name(), score)))
}

/// The quality of a predictor's ranking.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Score {
    /// The quality of its picks.
    #[serde(flatten)]
    pub picks: Picks,
    /// The quality of its picks if each run corrects the ranking.
    pub corrected: CorrectedPicks,
    /// Spearman's rho of cost and time over the runs that succeeded and were predicted; `None` if either ties
    /// everything.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1, max = 1)))]
    pub spearman: Option<f64>,
    /// Kendall's tau-b over these runs; `None` if either ties everything.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1, max = 1)))]
    pub kendall: Option<f64>,
}

/// The predictions of feasibility against the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FeasibilityErrors {
    /// The number of configurations that failed, although no rule refused them and nothing said that they may not launch.
    pub predicted_but_failed: usize,
    /// The number of configurations that ran, although a rule refused them.
    pub refused_but_ran: usize,
    /// The number of configurations that failed and were said to be among those that may not launch.
    pub may_not_launch_and_failed: usize,
    /// The number of configurations that ran, although they were said to be among those that may not launch.
    pub may_not_launch_but_ran: usize,
}

/// A predictor that does not apply to some configurations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// The predictor.
    pub model: Predictor,
    /// The number of configurations.
    pub configurations: usize,
    /// The reason for the first of them.
    pub reason: String,
}

/// A reason why predictions cannot be made.
#[derive(Debug, Error)]
pub enum ValidationError {
    /// A problem size that cannot be set.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Configurations that cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
}

impl UserError for ValidationError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Analysis(error) => error.help(),
        }
    }
}

/// Compares predictions with measurements. Problem sizes without a successful run are left out.
///
/// # Errors
/// If a configuration cannot be assessed.
pub fn validate(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    models: &[Predictor],
    measured: &Measurements,
) -> Result<Validation, ValidationError> {
    let (mut silent, mut scenarios, mut compared, mut residuals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for scenario in &measured.scenarios {
        if let Some(found) = findings(spec, profile, reader, models, scenario, &mut silent)? {
            scenarios.push((scenario.problem.clone(), found.findings));
            compared.push(Compared { problem: scenario.problem.clone(), runs: found.runs });
            residuals.extend(found.residuals);
        }
    }
    let residuals: Vec<(&[i64], f64)> = residuals.iter().map(|(values, one)| (values.as_slice(), *one)).collect();
    let residuals = Residuals::of(&residuals).map_or(Vec::new(), |residuals| residuals.by_value);
    let overall = mean(&scenarios.iter().map(|(_, findings)| findings).collect::<Vec<_>>());
    if measured.scenarios.len() == 1 {
        scenarios.clear();
    }
    Ok(Validation { overall, scenarios, silent, compared, residuals })
}

/// The findings of one problem size, its runs, and their residuals by the first predictor.
struct Found {
    findings: Findings,
    runs: Vec<ComparedRun>,
    residuals: Vec<(Vec<i64>, f64)>,
}

/// The findings of one problem size; `None` if no run succeeded.
fn findings(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    models: &[Predictor],
    scenario: &Scenario,
    silent: &mut Vec<Silence>,
) -> Result<Option<Found>, ValidationError> {
    let spec = scenario.sized(spec)?;
    let runs = &scenario.telling_runs();
    let times: Vec<Option<f64>> = runs.iter().map(|run| run.milliseconds).collect();
    let Some(best) = times.iter().flatten().copied().reduce(f64::min) else { return Ok(None) };
    let configurations: Vec<Configuration> = runs.iter().map(|run| run.configuration.clone()).collect();
    let assessments = assess(&spec, profile, reader, models, &configurations)?;
    let fractions: Vec<f64> = times.iter().map(|time| time.map_or(0.0, |time| best / time)).collect();
    let positions = corrected::positions(&spec, profile, runs)?;
    let mut rankings = Vec::with_capacity(models.len());
    let scored = models.iter().enumerate().filter_map(|(place, &model)| {
        note_silence(model, place, &assessments, silent);
        let costs: Vec<_> = assessments.iter().map(|assessment| assessment.cost(place)).collect();
        let (picks, ranking) = corrected::simulated(&costs, &positions, &times, &fractions);
        rankings.push(ranking);
        Some((model, score(place, &assessments, &times, picks)?))
    });
    let models = scored.collect();
    let opinions = Opinions::new(&assessments, &fractions);
    let findings = Findings {
        rows: runs.len(),
        valid: times.iter().flatten().count(),
        models,
        recommended: opinions.picks(),
        shortlist: opinions.shortlist(positions),
        expected: expected::expected(profile, &assessments),
        random: Picks::new(std::slice::from_ref(&fractions)),
        rules: Rules::new(&spec, profile, &configurations, &fractions),
        feasibility: feasibility(&assessments, runs),
        time_error: TimeErrors::of(profile, &assessments, runs),
    };
    let residuals = corrected::residuals(0, &assessments, runs);
    let runs = compared(assessments, runs, rankings.first_mut());
    Ok(Some(Found { findings, runs, residuals }))
}

/// The runs beside their predictions. `ranking` is that of the first predictor, corrected by runs.
fn compared(
    assessments: Vec<Assessment>,
    runs: &[MeasuredRun],
    mut ranking: Option<&mut Suggester>,
) -> Vec<ComparedRun> {
    let beside = |(row, (assessment, run)): (usize, (Assessment, &MeasuredRun))| {
        let corrected = ranking.as_mut().and_then(|ranking| ranking.corrected(row)).map(|corrected| corrected.time);
        let (costs, load) = match assessment {
            Assessment::Refused(reason) => (Vec::new(), Err(reason)),
            Assessment::Predicted { costs, load } => {
                (costs.iter().map(|cost| Some(cost.as_ref().ok()?.value())).collect(), Ok(load))
            }
        };
        let (configuration, milliseconds) = (run.configuration.clone(), run.milliseconds);
        ComparedRun { configuration, milliseconds, costs, corrected, load }
    };
    assessments.into_iter().zip(runs).enumerate().map(beside).collect()
}

/// The score of the predictor of this index. `None` if it predicts no configuration although one was not refused; if
/// all were refused, that is its prediction.
fn score(place: usize, assessments: &[Assessment], times: &[Option<f64>], corrected: CorrectedPicks) -> Option<Score> {
    let standing = |assessment: &Assessment| match (assessment.cost(place), assessment) {
        (Some(cost), _) => RankPosition::Ranked(cost),
        (None, Assessment::Predicted { .. }) => RankPosition::Silent,
        (None, Assessment::Refused(_)) => RankPosition::Refused,
    };
    let standings: Vec<RankPosition> = assessments.iter().map(standing).collect();
    let RankingScore { picks, spearman, kendall } = RankingScore::new(&standings, times)?;
    Some(Score { picks, corrected, spearman, kendall })
}

fn note_silence(model: Predictor, place: usize, assessments: &[Assessment], silent: &mut Vec<Silence>) {
    let reasons = assessments.iter().filter_map(|assessment| match assessment {
        Assessment::Predicted { costs, .. } => costs[place].as_ref().err(),
        Assessment::Refused(_) => None,
    });
    for reason in reasons {
        match silent.iter_mut().find(|silence| silence.model == model) {
            Some(silence) => silence.configurations += 1,
            None => silent.push(Silence { model, configurations: 1, reason: reason.to_string() }),
        }
    }
}

fn feasibility(assessments: &[Assessment], runs: &[MeasuredRun]) -> FeasibilityErrors {
    let mut feasibility = FeasibilityErrors::default();
    for (assessment, run) in assessments.iter().zip(runs) {
        match (assessment, run.milliseconds) {
            (Assessment::Predicted { load, .. }, None) if load.may_not_launch() => {
                feasibility.may_not_launch_and_failed += 1;
            }
            (Assessment::Predicted { load, .. }, Some(_)) if load.may_not_launch() => {
                feasibility.may_not_launch_but_ran += 1;
            }
            (Assessment::Predicted { .. }, None) => feasibility.predicted_but_failed += 1,
            (Assessment::Refused(_), Some(_)) => feasibility.refused_but_ran += 1,
            _ => {}
        }
    }
    feasibility
}

/// The findings of several problem sizes together.
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
        recommended: Picks::mean(&all.iter().filter_map(|findings| findings.recommended).collect::<Vec<_>>()),
        shortlist: Picks::mean(&all.iter().map(|findings| findings.shortlist).collect::<Vec<_>>()).unwrap_or_default(),
        expected: if let [alone] = all { alone.expected } else { None },
        random: Picks::mean(&all.iter().map(|findings| findings.random).collect::<Vec<_>>()).unwrap_or_default(),
        rules: Rules::mean(&all.iter().map(|findings| findings.rules).collect::<Vec<_>>()),
        feasibility: FeasibilityErrors {
            predicted_but_failed: sum(|findings| findings.feasibility.predicted_but_failed),
            refused_but_ran: sum(|findings| findings.feasibility.refused_but_ran),
            may_not_launch_and_failed: sum(|findings| findings.feasibility.may_not_launch_and_failed),
            may_not_launch_but_ran: sum(|findings| findings.feasibility.may_not_launch_but_ran),
        },
        time_error: TimeErrors::mean(&all.iter().filter_map(|findings| findings.time_error).collect::<Vec<_>>()),
    }
}

impl Score {
    /// The means; correlations are averaged over those that exist. `None` without scores.
    fn mean(scores: &[Self]) -> Option<Self> {
        let ranking =
            |score: &Self| RankingScore { picks: score.picks, spearman: score.spearman, kendall: score.kendall };
        let RankingScore { picks, spearman, kendall } =
            RankingScore::mean(&scores.iter().map(ranking).collect::<Vec<_>>())?;
        let corrected = CorrectedPicks::mean(&scores.iter().map(|score| score.corrected).collect::<Vec<_>>())?;
        Some(Self { picks, corrected, spearman, kendall })
    }
}

#[cfg(test)]
mod tests;
