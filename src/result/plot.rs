//! The data of plots, which are shown only and never written as JSON.

use super::values::Values;
use autotune_engine::compare::agreement::{ranks, spearman};
use autotune_engine::compare::comparison::{Comparison, Row};
use autotune_engine::compare::validation::{Compared, ComparedRun, Validation};
use autotune_engine::compare::{PredictedCost, Predictor};
use autotune_engine::explain::roofline::PlacedConfigurations;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::Spec;

/// The plot of a comparison: times over the parameters, the ranks by each model beside the machine's, and the
/// configurations under the GPU's roofs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPlot {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The compared configurations as parameter values, with the machine's times in ticks; `None` if the machine does
    /// not predict a time.
    pub times: Vec<(Vec<i64>, Option<f64>)>,
    /// The ranks by every other model that predicts a configuration.
    pub models: Vec<RankPlot>,
    /// The configurations under the roofs. `None` for a lockstep GPU, or if the best compared configuration does not
    /// have a time or does not use both the dispatchers and global memory.
    pub roofline: Option<PlacedConfigurations>,
}

/// The ranks of configurations by the machine and by another model.
#[derive(Debug, Clone, PartialEq)]
pub struct RankPlot {
    /// The model's name.
    pub model: &'static str,
    /// The ranks by the machine and by the model of each configuration that has both costs, counted from 1; ties have
    /// the mean of their ranks.
    pub ranks: Vec<(f64, f64)>,
    /// Kendall's tau-b of the two rankings, from -1 to 1; `None` if either ties everything.
    pub tau: Option<f64>,
}

/// One model's predictions beside measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationPlot {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The model's name.
    pub model: &'static str,
    /// The number of measured runs.
    pub rows: usize,
    /// The number of runs that succeeded.
    pub valid: usize,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The quantity that the model predicts.
    pub quantity: PredictedQuantity,
    /// The amount of `quantity` that equals a cost of 1.
    pub factor: f64,
    /// The runs of each problem size.
    pub sizes: Vec<SizePlot>,
}

/// The quantity that a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictedQuantity {
    /// A time in milliseconds, as the measured times are.
    Milliseconds,
    /// A time in ticks, of a GPU without a clock.
    Ticks,
    /// The inverse of an efficiency, without a unit.
    InverseEfficiency,
}

/// The runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct SizePlot {
    /// The problem sizes by their names.
    pub problem: Values,
    /// The runs, in the order of the measurements.
    pub runs: Vec<PlottedRun>,
    /// The ranks of measured time and cost of each run that has both, counted from 1; ties have the mean of their
    /// ranks.
    pub ranks: Vec<(f64, f64)>,
    /// Spearman's rho of measured time and cost, from -1 to 1; `None` if either ties everything.
    pub rho: Option<f64>,
}

/// A measured run beside its prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct PlottedRun {
    /// The values of the parameters, in the spec's order.
    pub values: Vec<i64>,
    /// The measured time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
    /// The model's cost in units of `factor`; `None` if the model does not predict this configuration.
    pub cost: Option<f64>,
}

impl ComparisonPlot {
    /// The plot of a comparison, whose configurations are `placed` under the roofs of the GPU.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, comparison: &Comparison, placed: Option<PlacedConfigurations>) -> Self {
        // The machine's time equals the proved one if there is a proof.
        let times = comparison
            .rows
            .iter()
            .map(|row| (row.configuration.0.clone(), row.cost(Predictor::Machine).map(PredictedCost::value)));
        Self {
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: parameters(spec),
            times: times.collect(),
            models: Predictor::ALL.into_iter().skip(1).filter_map(|model| RankPlot::new(comparison, model)).collect(),
            roofline: placed,
        }
    }
}

impl RankPlot {
    /// The ranks by a model beside the machine's; `None` if no configuration has both costs.
    fn new(comparison: &Comparison, model: Predictor) -> Option<Self> {
        let rank = |row: &Row, model| row.cost(model).map(PredictedCost::rank);
        let both = comparison.rows.iter().filter_map(|row| Some((rank(row, Predictor::Machine)?, rank(row, model)?)));
        let (by_machine, by_model): (Vec<f64>, Vec<f64>) = both.unzip();
        let pair = comparison.pairs.iter().find(|pair| pair.models == [Predictor::Machine, model]);
        let ranks: Vec<(f64, f64)> = ranks(&by_machine).into_iter().zip(ranks(&by_model)).collect();
        let tau = pair.and_then(|pair| pair.kendall_tau);
        (!ranks.is_empty()).then_some(Self { model: model.name(), ranks, tau })
    }
}

impl ValidationPlot {
    /// The plot of one model's predictions beside measurements. `place` is the model's index among the validated
    /// models.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        gpu: &str,
        (place, model): (usize, Predictor),
        validation: &Validation,
    ) -> Self {
        let (quantity, factor) = PredictedQuantity::of_model(model, profile);
        Self {
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            model: model.name(),
            rows: validation.overall.rows,
            valid: validation.overall.valid,
            parameters: parameters(spec),
            quantity,
            factor,
            sizes: validation.compared.iter().map(|compared| SizePlot::new(compared, place)).collect(),
        }
    }
}

fn parameters(spec: &Spec) -> Vec<String> {
    spec.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}

impl PredictedQuantity {
    /// The quantity that a model predicts, and the amount of it that equals a cost of 1.
    fn of_model(model: Predictor, profile: &Profile) -> (Self, f64) {
        // Times are proportional to ticks.
        const MANY: u32 = 1 << 30;
        match (model, profile.microseconds(MANY.into())) {
            (Predictor::Machine | Predictor::MaxPlus(_), Some(microseconds)) => {
                (Self::Milliseconds, microseconds / f64::from(MANY) / 1000.0)
            }
            (Predictor::Machine | Predictor::MaxPlus(_), None) => (Self::Ticks, 1.0),
            (Predictor::Waves, _) => (Self::Milliseconds, 1e-3),
            (Predictor::Efficiency, _) => (Self::InverseEfficiency, 1.0),
        }
    }
}

impl SizePlot {
    fn new(compared: &Compared, model: usize) -> Self {
        let run = |run: &ComparedRun| PlottedRun {
            values: run.configuration.0.clone(),
            milliseconds: run.milliseconds,
            cost: run.costs.get(model).copied().flatten(),
        };
        let runs: Vec<PlottedRun> = compared.runs.iter().map(run).collect();
        let both = runs.iter().filter_map(|run| Some((run.milliseconds?, run.cost?)));
        let (times, costs): (Vec<f64>, Vec<f64>) = both.unzip();
        Self {
            problem: compared.problem.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
            ranks: ranks(&times).into_iter().zip(ranks(&costs)).collect(),
            rho: spearman(&times, &costs),
            runs,
        }
    }
}
