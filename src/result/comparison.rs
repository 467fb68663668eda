//! Proof, evaluator and formulas side by side (`schemas/comparison.json`).

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, PredictedCost, Term, Values, Verdict};

/// The result of `autotune compare SPEC --gpu GPU --format json`: the proof, the native evaluator and the formulas, side by
/// side. The model to use is the machine; the formulas are the literature's, for comparison.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ComparisonReport {
    /// The id of this schema.
    #[schemars(extend("const" = ComparisonReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[schemars(with = "Integers")]
    pub problem: Values,
    /// Whether the optimum is proved.
    #[schemars(extend("not" = { "const": "infeasible" }))]
    pub verdict: Verdict,
    /// The number of configurations that are compared.
    #[schemars(range(min = 1))]
    pub compared: usize,
    /// Whether these are all that can run; else they are what is proved and 100 others, drawn with a fixed seed.
    pub complete: bool,
    /// The first choice of each model; null where the model says nothing.
    pub winners: IndexMap<String, Option<FirstChoiceReport>>,
    /// Every pair of models that rank at least two of the same configurations.
    pub agreement: Vec<AgreementReport>,
    /// The optimum (without a proof the natively fastest); with `--all` everything that is compared, what is proved first.
    #[schemars(length(min = 1))]
    pub configurations: Vec<ComparedReport>,
}

impl ComparisonReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.comparison/1";
}

/// A model's first choice.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FirstChoiceReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The number of others that the model puts first too.
    pub equals: usize,
    /// The native time in ticks; null if it takes too many events.
    pub ticks: Option<u64>,
    /// That time over the optimum's.
    pub relative: Option<f64>,
}

/// Two rankings.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AgreementReport {
    /// The models that rank.
    pub models: [&'static str; 2],
    /// The number of configurations that both rank.
    #[schemars(range(min = 2))]
    pub of: usize,
    /// Kendall's tau-b; null if one of the two ties everything.
    #[schemars(range(min = -1, max = 1))]
    pub kendall_tau: Option<f64>,
    /// Spearman's rho; null if one of the two ties everything.
    #[schemars(range(min = -1, max = 1))]
    pub spearman_rho: Option<f64>,
    /// The configuration whose ranks are farthest apart; null if all ranks are equal.
    pub most: Option<ApartReport>,
}

/// A configuration that two models rank differently.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ApartReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its rank by each of the two, from 1; ties have the mean of their ranks.
    #[schemars(inner(range(min = 1)))]
    pub ranks: [f64; 2],
    /// The largest part of each of the two costs.
    pub terms: [Option<Term>; 2],
}

/// What is known of one configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ComparedReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The time that SPIN proved, in ticks; null where it did not.
    pub proved: Option<u64>,
    /// The cost by each model: ticks (machine, max-plus), microseconds (waves), the inverse of the efficiency; null where the
    /// model says nothing.
    pub costs: IndexMap<String, Option<PredictedCost>>,
}
