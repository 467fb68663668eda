//! Proof, evaluator and formulas side by side (`schemas/comparison.json`).

use indexmap::IndexMap;
use serde::Serialize;

use super::prediction::lacking;
use super::values::{Values, problem, values};
use super::{SchedulesReport, Verdict};
use autotune_base::index::EntryId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::comparison::{Apart, Comparison, ModelChoice, Pair, Row};
use autotune_engine::compare::{PredictedCost, Predictor, Relative, Term, Unit};
use autotune_lowering::gpu::Profile;
use autotune_lowering::models::predict::LeftOut;
use autotune_lowering::space::{self, Survey};
use autotune_lowering::spec::Spec;

/// The result of `autotune compare SPEC --gpu GPU --format json`: the proof, the native evaluator and the formulas,
/// side by side. The machine is the model to use; the formulas are from the literature, for comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ComparisonReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = ComparisonReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The state of the knowledge about the optimum.
    #[cfg_attr(test, schemars(extend("not" = { "const": "infeasible" })))]
    pub verdict: Verdict,
    /// The number of configurations that are compared.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub compared: usize,
    /// True if these are all feasible configurations. False for a sample: the proved optimum and 100 others, drawn with a
    /// fixed seed.
    pub complete: bool,
    /// The unit of each model's costs. The efficiency is without one: it is above 0 and at most 1, and the larger, the
    /// better. Of all others, less is better.
    pub units: IndexMap<String, Unit>,
    /// The first choice of each model; null if the model does not predict any of the compared configurations.
    pub winners: IndexMap<String, Option<FirstChoiceReport>>,
    /// Every pair of models that both rank at least 2 configurations.
    pub agreement: Vec<AgreementReport>,
    /// The terms of the wave model that a compared configuration needs but the GPU's profile lacks.
    pub waves_left_out: Vec<LeftOut>,
    /// The optimum (without a proof the natively fastest configuration) is the first. With `--top N` the other proved ones
    /// follow, at most N in all, the fastest first. With `--all` all others follow, in the space's order.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub configurations: Vec<ComparedReport>,
}

impl ComparisonReport {
    /// The terms of the wave model that the GPU's profile lacks, in words; `None` if it lacks none.
    #[must_use]
    pub fn waves_without(&self) -> Option<String> {
        lacking(&self.waves_left_out)
    }

    /// Adds the times over all orders of simultaneous events to the listed configurations.
    pub fn add_orders(&mut self, spec: &Spec, survey: &Survey, limits: &Limits) {
        let entry_of = |one: &ComparedReport| {
            survey
                .entries
                .keys()
                .find(|&entry| values(spec, &survey.entries.get(entry).configuration) == one.parameters)
        };
        let found: Vec<Option<EntryId>> = self.configurations.iter().map(entry_of).collect();
        let entries: Vec<EntryId> = found.iter().flatten().copied().collect();
        let mut orders = space::orders(survey, &entries, limits).into_iter();
        for (one, entry) in self.configurations.iter_mut().zip(found) {
            one.schedules = entry.and_then(|_| orders.next().flatten()).as_ref().map(SchedulesReport::new);
        }
    }

    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.comparison/2";

    /// The report of a comparison. It lists the compared configurations that are `shown`.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        gpu: &str,
        verdict: Verdict,
        comparison: &Comparison,
        shown: Shown,
    ) -> Self {
        let rows = &comparison.rows;
        let winner = |(model, choice): (Predictor, &Option<ModelChoice>)| {
            (model.name().to_owned(), choice.map(|choice| FirstChoiceReport::new(spec, rows, choice)))
        };
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            problem: problem(spec),
            verdict,
            compared: rows.len(),
            complete: comparison.complete,
            units: Predictor::ALL.map(|model| (model.name().to_owned(), model.unit())).into_iter().collect(),
            winners: Predictor::ALL.into_iter().zip(&comparison.choices).map(winner).collect(),
            waves_left_out: comparison.waves_lack.iter().copied().collect(),
            agreement: comparison.pairs.iter().map(|pair| AgreementReport::new(spec, rows, pair)).collect(),
            configurations: shown
                .of(comparison)
                .into_iter()
                .map(|row| ComparedReport::new(spec, profile, row))
                .collect(),
        }
    }
}

/// The compared configurations that a report lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// All of them: the best one, then the others in the space's order.
    All,
    /// The proved ones, at most this number, the fastest first. Without a proof the natively fastest one.
    Proved(usize),
}

impl Shown {
    fn of(self, comparison: &Comparison) -> Vec<&Row> {
        let Comparison { rows, beyond, .. } = comparison;
        let best = &rows[comparison.best()];
        let most = match self {
            Self::All => {
                let others = rows.iter().filter(|row| !std::ptr::eq(*row, best));
                return [best].into_iter().chain(others).collect();
            }
            Self::Proved(most) => most,
        };
        let mut proved: Vec<&Row> = rows.iter().chain(beyond).filter(|row| row.proved.is_some()).collect();
        // The optimum is the preferred one of several equal ones.
        proved.sort_by_key(|row| (row.proved, !std::ptr::eq(*row, best)));
        proved.truncate(most);
        if proved.is_empty() { vec![best] } else { proved }
    }
}

/// A model's first choice. A model that ties several configurations first chooses none of them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FirstChoiceReport {
    /// The configuration; of several of equal cost the first in the space's order.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of other configurations of equal cost by the model.
    pub equals: usize,
    /// The native time of `parameters` in ticks; null if its evaluation takes too many events.
    pub ticks: Option<Ticks>,
    /// The native time of the first choice divided by the optimum's (without a proof: by the least native time),
    /// over all orders of the configurations of equal cost; null if one of these times is not known.
    pub relative: Option<Relative>,
}

/// The agreement of two models' rankings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AgreementReport {
    /// The two models.
    pub models: [&'static str; 2],
    /// The number of configurations that both rank.
    #[cfg_attr(test, schemars(range(min = 2)))]
    pub of: usize,
    /// Kendall's tau-b; null if either model ties everything.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub kendall_tau: Option<f64>,
    /// Spearman's rho; null if either model ties everything.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub spearman_rho: Option<f64>,
    /// The configuration whose ranks differ most; null if all ranks are equal.
    pub most: Option<ApartReport>,
}

/// A configuration that two models rank differently.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ApartReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The configuration's rank by each of the two models, counted from 1; ties have the mean of their ranks.
    #[cfg_attr(test, schemars(inner(range(min = 1))))]
    pub ranks: [f64; 2],
    /// The largest part of the cost by each of the two models; null if it is not known.
    pub terms: [Option<Term>; 2],
}

/// The times and costs of one configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ComparedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time that SPIN proved, in ticks; null if SPIN did not prove it.
    pub proved: Option<Ticks>,
    /// The cost by each model, in the unit that `units` names. Null if the model does not apply.
    pub costs: IndexMap<String, Option<PredictedCost>>,
    /// The machine's time in microseconds, beside `waves`; null if the GPU does not have a clock, or the evaluation takes
    /// too many events.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub microseconds: Option<f64>,
    /// `microseconds` divided by the time of the wave model; null if one of the two is not known.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub machine_by_waves: Option<f64>,
    /// The machine's time over all orders of simultaneous events; absent unless `--schedules any` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<SchedulesReport>,
}

impl FirstChoiceReport {
    fn new(spec: &Spec, rows: &[Row], ModelChoice { row, equals, relative }: ModelChoice) -> Self {
        let ticks = rows[row].costs[0].and_then(PredictedCost::ticks);
        Self { parameters: values(spec, &rows[row].configuration), equals, ticks, relative }
    }
}

impl AgreementReport {
    fn new(spec: &Spec, rows: &[Row], pair: &Pair) -> Self {
        let apart = |Apart { row, ranks, terms }: &Apart| ApartReport {
            parameters: values(spec, &rows[*row].configuration),
            ranks: *ranks,
            terms: *terms,
        };
        Self {
            models: pair.models.map(Predictor::name),
            of: pair.of,
            kendall_tau: pair.kendall_tau,
            spearman_rho: pair.spearman_rho,
            most: pair.most.as_ref().map(apart),
        }
    }
}

impl ComparedReport {
    fn new(spec: &Spec, profile: &Profile, row: &Row) -> Self {
        let costs = Predictor::ALL.into_iter().zip(&row.costs);
        let ticks = row.cost(Predictor::Machine).and_then(PredictedCost::ticks).or(row.proved);
        let microseconds = ticks.and_then(|ticks| profile.microseconds(ticks.into()));
        let by_waves = row.cost(Predictor::Waves).map(PredictedCost::value).filter(|waves| *waves > 0.0);
        Self {
            parameters: values(spec, &row.configuration),
            proved: row.proved,
            costs: costs.map(|(model, cost)| (model.name().to_owned(), *cost)).collect(),
            microseconds,
            machine_by_waves: microseconds.zip(by_waves).map(|(machine, waves)| machine / waves),
            schedules: None,
        }
    }
}
