//! The proof of an optimum.

use serde::{Deserialize, Serialize};

use autotune_base::index::ProgramId;
use autotune_base::ticks::Ticks;
use autotune_engine::model::Form;
use autotune_engine::proof::{Descent, Ends, ModelProof, Proof, Question, Run};
use autotune_engine::spin::pan_output::Statistics;
use autotune_lowering::space::Survey;

/// A proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ProofReport {
    /// The property that holds for the optimum.
    #[cfg_attr(test, schemars(regex(pattern = r"^\[\] \(DONE -> \(time >= [0-9]+\)\)$")))]
    pub property: String,
    /// The model checker and its version.
    pub checker: String,
    /// The strategy of the search for the optimum.
    #[cfg_attr(test, schemars(with = "autotune_engine::proof::Strategy"))]
    pub strategy: String,
    /// The parts of the machine that the models follow: `warp` is the most loaded multiprocessor by warps, `element`
    /// all multiprocessors by processing elements.
    #[cfg_attr(test, schemars(with = "autotune_engine::proof::Granularity"))]
    pub granularity: String,
    /// The form of the models: the processes that play the machine.
    pub form: Form,
    /// The numbers of configurations: all = infeasible + pruned + equal + checked.
    pub configurations: Configurations,
    /// The models that SPIN searched.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub models: Vec<ModelReport>,
}

/// The numbers of configurations by their part in a proof: all = infeasible + pruned + equal + checked.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Configurations {
    /// The number of configurations of the domains.
    pub all: u128,
    /// The number of configurations that cannot run.
    pub infeasible: u128,
    /// The number of configurations that a lower bound excludes.
    pub pruned: u128,
    /// The number of configurations whose program SPIN searched for an earlier configuration.
    pub equal: u128,
    /// The number of configurations that SPIN searched, one for each program.
    pub checked: u128,
}

/// One model of a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ModelReport {
    /// The SHA-256 of the model's text.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
    /// The SHA-256 of the tables that the model reads from a file; absent if it holds its tables itself.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_sha256: Option<String>,
    /// The number of configurations that the model chooses from.
    pub configurations: usize,
    /// The search of branch and bound, which finds the optimum but does not prove it; absent for other strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent: Option<DescentReport>,
    /// The searches of the property, each with a bound MT; `steps` is the depth that pan reached.
    pub runs: Vec<RunReport>,
    /// The ends of the model's runs at MT = optimum + 1 tick.
    pub ends: EndsReport,
    /// The search without a bound: each configuration took the native evaluator's time. Present if all runs together
    /// have fewer than 100,000 events, or with `--check-all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<SearchReport>,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SearchReport {
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// A search that lowered its bound whenever it found a faster run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DescentReport {
    /// The number of runs that were faster than all before them.
    pub improvements: usize,
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// One search of the property.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RunReport {
    /// The bound MT, in ticks.
    pub bound: Ticks,
    /// True if the property holds.
    pub holds: bool,
    /// The time of the counterexample in ticks; absent if the property holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<Ticks>,
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// The numbers of a model's runs by their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EndsReport {
    /// The number of runs that end before MT.
    pub done: usize,
    /// The number of runs that do not end before MT.
    pub cut: usize,
    /// The number of runs that get stuck, which is 0 in every proof.
    #[cfg_attr(test, schemars(extend("const" = 0)))]
    pub stuck: usize,
}

impl ProofReport {
    /// The report of a proof. `searched` are the programs that SPIN searched, in the survey's order; `checker` is SPIN's
    /// name and version.
    pub(super) fn new(
        question: &Question,
        survey: &Survey,
        proof: &Proof,
        searched: &[ProgramId],
        checker: &str,
    ) -> Self {
        Self {
            property: format!("[] (DONE -> (time >= {}))", proof.ticks),
            checker: checker.to_owned(),
            strategy: question.strategy.name().to_owned(),
            granularity: question.granularity.name().to_owned(),
            form: proof.form,
            configurations: Configurations::new(survey, proof, searched),
            models: proof.models.iter().map(ModelReport::from).collect(),
        }
    }
}

impl Configurations {
    fn new(survey: &Survey, proof: &Proof, searched: &[ProgramId]) -> Self {
        let is_pruned = |program: &ProgramId| searched.binary_search(program).is_err();
        let pruned = survey.runnable().filter(|(_, program)| is_pruned(program)).count() as u128;
        let checked = proof.models.iter().map(|model| model.configurations as u128).sum();
        Self {
            all: survey.all,
            infeasible: survey.infeasible(),
            pruned,
            equal: survey.feasible() - checked - pruned,
            checked,
        }
    }
}

impl From<&ModelProof> for ModelReport {
    fn from(model: &ModelProof) -> Self {
        Self {
            sha256: model.sha256.clone(),
            tables_sha256: model.tables_sha256.clone(),
            configurations: model.configurations,
            descent: model.descent.map(DescentReport::from),
            runs: model.runs.iter().copied().map(RunReport::from).collect(),
            ends: model.ends.into(),
            comparison: model.comparison.map(SearchReport::from),
        }
    }
}

impl From<Statistics> for SearchReport {
    fn from(Statistics { states, steps, .. }: Statistics) -> Self {
        Self { states, steps }
    }
}

impl From<Descent> for DescentReport {
    fn from(Descent { improvements, statistics: Statistics { states, steps, .. } }: Descent) -> Self {
        Self { improvements, states, steps }
    }
}

impl From<Run> for RunReport {
    fn from(Run { bound, ticks, statistics: Statistics { states, steps, .. } }: Run) -> Self {
        Self { bound, holds: ticks.is_none(), ticks, states, steps }
    }
}

impl From<Ends> for EndsReport {
    fn from(Ends { done, cut }: Ends) -> Self {
        Self { done, cut, stuck: 0 }
    }
}
