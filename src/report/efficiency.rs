//! Efficiencies (`schemas/efficiency.json`).

use comfy_table::CellAlignment;
use serde::Serialize;

use super::TO_USE;
use super::result::Values;
use super::terminal::{label, table};
use crate::models::efficiency::{Efficiency, Weights};
use crate::spec::{Configuration, Spec};

/// The efficiencies of configurations.
#[derive(Debug, Serialize)]
pub struct EfficiencyReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The exponents of K1 to K6.
    pub weights: Weights,
    /// The feasible configurations, the most efficient first.
    pub configurations: Vec<Rated>,
}

/// The efficiency of one configuration.
#[derive(Debug, Serialize)]
pub struct Rated {
    /// Its parameters.
    pub parameters: Values,
    /// R and its factors.
    #[serde(flatten)]
    pub efficiency: Efficiency,
}

impl EfficiencyReport {
    /// Of some configurations.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, weights: Weights, mut rated: Vec<(Configuration, Efficiency)>) -> Self {
        rated.sort_by(|(_, one), (_, two)| two.r.total_cmp(&one.r));
        let configurations = rated.into_iter().map(|(configuration, efficiency)| Rated {
            parameters: super::build::values(spec, &configuration),
            efficiency,
        });
        Self {
            schema: "autotune.efficiency/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            weights,
            configurations: configurations.collect(),
        }
    }

    /// As text.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut table = table(&["configuration", "R", "memory", "input", "output", "temporary", "loops", "branches"]);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        for Rated { parameters, efficiency } in &self.configurations {
            let Efficiency { r, memory, input, output, temporary, loops, branches } = efficiency;
            let factors = [r, memory, input, output, temporary, loops, branches].map(|factor| format!("{factor:.3}"));
            table.add_row([label(parameters)].into_iter().chain(factors).collect::<Vec<_>>());
        }
        format!("{} on {}: efficiency, K1 to K6\n\n{}\n\n{TO_USE}", self.kernel, self.gpu, table.trim_fmt())
    }
}
