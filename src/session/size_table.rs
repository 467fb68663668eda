//! The decision for one of a few configurations by GPU and problem sizes, from native or proved times.

mod leaves;
mod proved;
mod scenarios;
mod times;

use indexmap::IndexMap;
use thiserror::Error;

use super::{Inputs, Request, SessionError};
use crate::result::{
    SizeTable, TableEntry, TableGpu, TableLaunch, TableTree, TableVerdict, TableWorst, Values, problem, values,
};
use autotune_base::text::words::{at_least, at_most, label};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_engine::compare::fleet::{Cells, EvaluatedScenarios, Slowdown, VariantSet, Variants, choose_variants};
use autotune_engine::explain::may_not_launch;
use autotune_engine::proof::Percent;
use leaves::Leaves;
use scenarios::{GpuScenarios, NONE};
use times::VariantTimes;

/// The most splits on the way to a leaf where variants may be slower than the fastest.
const DEEPEST: usize = 5;

/// A request for a table.
#[derive(Debug, Clone)]
pub struct SizeTableRequest {
    /// The values of each problem size in the order of the spec, ascending.
    pub sizes: Vec<(String, Vec<i64>)>,
    /// The most variants, 1 to [`MOST_VARIANTS`](autotune_engine::compare::fleet::MOST_VARIANTS).
    pub variants: usize,
    /// The percentage that a variant may be slower than the fastest one, for trees of at most 5 splits to a leaf; `None`
    /// for the fastest variant and trees as deep as needed.
    pub within: Option<Percent>,
    /// The command, as the table shows it.
    pub command: String,
}

/// A reason why there is no table.
#[derive(Debug, Error)]
pub enum SizeTableError {
    /// No configuration is feasible anywhere.
    #[error("no configuration is feasible for any of the {0} GPUs and problem sizes")]
    NothingFeasible(usize),
    /// No choice of variants has a configuration for each scenario.
    #[error(
        "no {0} configurations were found that serve all {2} GPUs and problem sizes; one alone serves at most {1} of them"
    )]
    NoChoice(usize, usize, usize),
    /// A tree that would be too deep.
    #[error(
        "{0} % is out of reach on {1}: no tree of at most {DEEPEST} splits to a leaf gives each size a variant so fast"
    )]
    OutOfReach(Percent, String),
    /// A proof that a limit stopped: the reason, and the ends of the interval of the least worst slowdown.
    #[error("the table is not proved: {reason}; the least worst slowdown is {} or more{}", at_least(*.lower), upper_end(*.upper))]
    NotProved {
        /// The reason in words.
        reason: String,
        /// True if more time may end the proof: neither did the user stop it, nor is a program missing.
        needs_time: bool,
        /// The lower end.
        lower: f64,
        /// The worst slowdown of variants that were run; `None` without any.
        upper: Option<f64>,
    },
}

fn upper_end(upper: Option<f64>) -> String {
    upper.map_or(String::new(), |upper| format!(", and at most {}", at_most(upper)))
}

impl UserError for SizeTableError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotProved { .. } => ExitStatus::BestEffort,
            _ => ExitStatus::Infeasible,
        }
    }

    fn help(&self) -> Option<String> {
        let advice = match self {
            Self::NothingFeasible(_) => "`autotune check SPEC --gpu LIST` shows which rule refuses what",
            Self::NoChoice(..) => "ask for more with `--variants`, or for fewer GPUs and sizes",
            Self::NotProved { needs_time: false, .. } => "leave `--prove` out for a table of evaluated times",
            Self::NotProved { .. } => "give it more time, or leave `--prove` out for a table of evaluated times",
            Self::OutOfReach(..) => "name a greater P, or leave `--within` out for a tree as deep as needed",
        };
        Some(advice.to_owned())
    }
}

/// The maker of a table: scenarios are added one by one, since a scenario's inputs need not be held.
pub struct SizeTableMaker {
    request: SizeTableRequest,
    evaluated: EvaluatedScenarios,
    gpus: Vec<GpuScenarios>,
}

impl SizeTableMaker {
    /// Returns the maker of a table without scenarios.
    #[must_use]
    pub fn new(request: SizeTableRequest) -> Self {
        Self { request, evaluated: EvaluatedScenarios::default(), gpus: Vec::new() }
    }

    /// Evaluates a scenario. The scenarios of a GPU come one after the other, all combinations of the values of sizes, those
    /// of the last size fastest.
    ///
    /// # Errors
    /// If a configuration cannot be lowered or evaluated.
    pub fn add(&mut self, inputs: Inputs) -> Result<(), SessionError> {
        let request = Request::default();
        self.evaluated.add(&request.question(&inputs), inputs.of_group)?;
        let problem = problem(&inputs.spec);
        if let Some(gpu) = self.gpus.last_mut().filter(|gpu| gpu.inputs.gpu == inputs.gpu) {
            gpu.problems.push(problem);
        } else {
            let first = self.evaluated.scenarios() - 1;
            self.gpus.push(GpuScenarios { inputs, first, problems: vec![problem] });
        }
        Ok(())
    }

    /// Chooses the variants, and makes the trees.
    ///
    /// # Errors
    /// If no variants, or no trees, meet the request.
    pub fn finish(self) -> Result<SizeTable, SizeTableError> {
        let chosen = self.choose()?;
        let times = VariantTimes::evaluated(&self.evaluated, &chosen);
        Trees { request: &self.request, gpus: &self.gpus, times: &times }.table()
    }

    fn choose(&self) -> Result<Variants, SizeTableError> {
        let configurations = self.evaluated.configurations.len();
        let feasible = (0..self.evaluated.scenarios()).filter_map(|one| Some((one, self.evaluated.optimum(one)?)));
        let slowdowns: Vec<Vec<Option<Slowdown>>> = feasible
            .map(|(scenario, optimum)| {
                let slowdown = |one| Some(Slowdown::new(self.evaluated.time(scenario, one)?, optimum));
                (0..configurations).map(slowdown).collect()
            })
            .collect();
        if slowdowns.is_empty() {
            return Err(SizeTableError::NothingFeasible(self.evaluated.scenarios()));
        }
        choose_variants(&slowdowns, self.request.variants).ok().flatten().ok_or_else(|| {
            let allowed = |one: usize| slowdowns.iter().filter(|of_scenario| of_scenario[one].is_some()).count();
            let most = (0..configurations).map(allowed).max().unwrap_or(0);
            SizeTableError::NoChoice(self.request.variants, most, slowdowns.len())
        })
    }
}

/// The maker of the trees of chosen variants.
struct Trees<'a> {
    request: &'a SizeTableRequest,
    gpus: &'a [GpuScenarios],
    times: &'a VariantTimes,
}

impl Trees<'_> {
    fn table(&self) -> Result<SizeTable, SizeTableError> {
        let spec = &self.gpus.first().ok_or(SizeTableError::NothingFeasible(0))?.inputs.spec;
        let mut worst = None;
        let mut gpus = IndexMap::new();
        for gpu in self.gpus {
            gpus.insert(gpu.inputs.gpu.clone(), self.gpu(gpu, &mut worst)?);
        }
        Ok(SizeTable {
            schema: SizeTable::SCHEMA.to_owned(),
            kernel: spec.kernel.clone(),
            verdict: if self.times.are_proved { TableVerdict::Proved } else { TableVerdict::Evaluated },
            command: self.request.command.clone(),
            problem: self.request.sizes.iter().cloned().collect(),
            variants: self.times.variants.iter().map(|one| values(spec, one)).collect(),
            worst: worst.map(|(_, worst)| worst).ok_or(SizeTableError::NothingFeasible(self.times.scenarios()))?,
            is_least: self.times.are_least,
            within: self.request.within,
            gpus,
        })
    }

    fn gpu(&self, gpu: &GpuScenarios, worst: &mut Option<(Slowdown, TableWorst)>) -> Result<TableGpu, SizeTableError> {
        let values: Vec<Vec<i64>> = self.request.sizes.iter().map(|(_, values)| values.clone()).collect();
        let sets: Vec<VariantSet> = (0..gpu.problems.len()).map(|cell| self.allowed(gpu.first + cell)).collect();
        let deepest = self.request.within.map(|_| DEEPEST);
        let tree = Cells { values: &values, sets: &sets }.decide(deepest);
        let tree = tree.ok_or_else(|| {
            SizeTableError::OutOfReach(self.request.within.unwrap_or(Percent::whole(0)), gpu.inputs.gpu.clone())
        })?;
        let (tree, bounds, taken) = Leaves { times: self.times, sizes: &self.request.sizes, gpu }.made(&tree);
        let mut sizes = IndexMap::new();
        for (cell, problem) in gpu.problems.iter().enumerate() {
            let variant = taken[cell];
            let ticks = variant.and_then(|variant| self.times.time(gpu.first + cell, variant));
            let slowdown = ticks.zip(self.times.optimum(gpu.first + cell));
            let slowdown = slowdown.map(|(ticks, optimum)| Slowdown::new(ticks, optimum));
            if let Some(slowdown) = slowdown.filter(|own| worst.as_ref().is_none_or(|(most, _)| own > most)) {
                *worst = Some((slowdown, worst_of(slowdown, &gpu.inputs.gpu, problem)));
            }
            let slowdown = slowdown.map(Slowdown::rounded);
            sizes.insert(label(problem), TableEntry { problem: problem.clone(), variant, ticks, slowdown });
        }
        let may_not_launch = self.launches(gpu, &tree);
        Ok(TableGpu { sizes, tree, bounds, may_not_launch })
    }

    /// The variants of a tree whose launch may fail, each at the first problem sizes that allow it.
    fn launches(&self, gpu: &GpuScenarios, tree: &TableTree) -> Vec<TableLaunch> {
        let launch = |variant: usize| {
            let mut cells = 0..gpu.problems.len();
            let cell = cells.find(|cell| self.times.time(gpu.first + cell, variant).is_some())?;
            let mut inputs = gpu.inputs.same();
            for (name, value) in &gpu.problems[cell] {
                inputs.spec.set(name, value.as_i64()?).ok()?;
            }
            let request = Request::default();
            let reason = may_not_launch(&request.question(&inputs), &self.times.variants[variant])?;
            Some(TableLaunch { variant, reason })
        };
        tree.variants().into_iter().filter_map(launch).collect()
    }

    /// The variants that a scenario may take.
    fn allowed(&self, scenario: usize) -> VariantSet {
        let variants = 0..self.times.variants.len();
        let times: Vec<_> = variants.map(|variant| self.times.time(scenario, variant)).collect();
        let Some(least) = times.iter().flatten().min() else { return NONE };
        let within = self.request.within.unwrap_or(Percent::whole(0));
        let is_allowed = |time: &Option<_>| time.is_some_and(|time| within.holds(time, *least));
        times.iter().enumerate().filter(|(_, time)| is_allowed(time)).fold(0, |set, (one, _)| set | 1 << one)
    }
}

fn worst_of(slowdown: Slowdown, gpu: &str, problem: &Values) -> TableWorst {
    TableWorst {
        numerator: slowdown.numerator(),
        denominator: slowdown.denominator(),
        slowdown: slowdown.rounded(),
        gpu: gpu.to_owned(),
        problem: problem.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_that_time_does_not_end_is_not_advised_to_take_more() {
        let help = |needs_time| {
            let reason = "it was stopped".to_owned();
            SizeTableError::NotProved { reason, needs_time, lower: 1.0, upper: None }.help().unwrap_or_default()
        };
        assert!(help(true).starts_with("give it more time, or leave `--prove` out"));
        assert!(help(false).starts_with("leave `--prove` out"));
    }
}
