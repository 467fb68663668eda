//! The data of plots. They are shown only; no JSON holds them.

use super::{RooflinePoint, Values};

/// A comparison: times over the parameters, and the configurations under the GPU's roofs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPlot {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The compared configurations with the machine's times in ticks; `None` where the machine says nothing.
    pub times: Vec<(Vec<i64>, Option<f64>)>,
    /// The configurations under the roofs; `None` for a lockstep GPU, which has none.
    pub roofline: Option<RooflineReport>,
}

/// The roofs of a GPU, and where configurations are under them.
#[derive(Debug, Clone, PartialEq)]
pub struct RooflineReport {
    /// 10^9 single-precision operations per second of all multiprocessors; a multiply-add is one.
    pub operations: f64,
    /// 10^9 bytes per second that DRAM reaches.
    pub bandwidth: f64,
    /// The optimum, or the first of those that are compared.
    pub optimum: RooflinePoint,
    /// The other configurations.
    pub others: Vec<RooflinePoint>,
}

impl RooflineReport {
    /// The 10^9 operations per second that no program of this intensity exceeds.
    #[must_use]
    pub fn roof(&self, intensity: f64) -> f64 {
        self.operations.min(self.bandwidth * intensity)
    }

    /// The operations for each byte from which on the dispatchers bound a program.
    #[must_use]
    pub fn ridge(&self) -> f64 {
        self.operations / self.bandwidth
    }
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
    /// What the model predicts.
    pub quantity: PredictedQuantity,
    /// The amount of `quantity` that a cost of 1 is.
    pub factor: f64,
    /// The runs of each problem size.
    pub sizes: Vec<SizePlot>,
}

/// The quantity that a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictedQuantity {
    /// A time, as the measured times are.
    Milliseconds,
    /// A time of a GPU without a clock.
    Ticks,
    /// The inverse of an efficiency.
    InverseEfficiency,
}

/// The runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct SizePlot {
    /// The problem size.
    pub problem: Values,
    /// The runs, in the order of the measurements.
    pub runs: Vec<PlottedRun>,
    /// The ranks of measured time and cost of each run that has both, from 1.
    pub ranks: Vec<(f64, f64)>,
    /// Spearman's rho of the two; `None` if one of them is everywhere the same.
    pub rho: Option<f64>,
}

/// A measured run beside its prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct PlottedRun {
    /// The values of the parameters.
    pub values: Vec<i64>,
    /// The measured time; `None` if the run failed.
    pub milliseconds: Option<f64>,
    /// The model's cost; `None` if it says nothing.
    pub cost: Option<f64>,
}
