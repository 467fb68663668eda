//! Proof, evaluator and formulas side by side (`schemas/comparison.json`).

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value};

use super::TO_USE;
use super::result::{Values, Verdict};
use super::terminal::{grouped, label, table};
use crate::compare::comparison::{Apart, Comparison, ModelChoice, Pair, Row};
use crate::compare::{Predictor, Term};
use crate::spec::Spec;

/// The models of a kernel on a GPU.
#[derive(Debug, Serialize)]
pub struct ComparisonReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// Its problem sizes.
    pub problem: Values,
    /// Whether the optimum is proved.
    pub verdict: Verdict,
    /// How many configurations are compared.
    pub compared: usize,
    /// Whether these are all that can run.
    pub complete: bool,
    /// What each model puts first; null where it says nothing.
    pub winners: Map<String, Value>,
    /// Each pair of rankings.
    pub agreement: Vec<AgreementReport>,
    /// The optimum (or the natively fastest), or all that are compared.
    pub configurations: Vec<ComparedReport>,
}

/// What a model puts first.
#[derive(Debug, Serialize)]
struct WinnerReport {
    parameters: Values,
    equals: usize,
    ticks: Option<f64>,
    relative: Option<f64>,
}

/// Two rankings.
#[derive(Debug, Serialize)]
pub struct AgreementReport {
    /// Whose.
    pub models: [&'static str; 2],
    /// Over so many configurations.
    pub of: usize,
    /// Kendall's tau-b; none if one ranks nothing.
    pub kendall_tau: Option<f64>,
    /// Spearman's rho; likewise.
    pub spearman_rho: Option<f64>,
    /// Where they are farthest apart.
    pub most: Option<ApartReport>,
}

/// A configuration that two models rank differently.
#[derive(Debug, Serialize)]
pub struct ApartReport {
    /// Its parameters.
    pub parameters: Values,
    /// Its rank by each.
    pub ranks: [f64; 2],
    /// What each cost is mostly made of.
    pub terms: [Option<Term>; 2],
}

/// What is said of one configuration.
#[derive(Debug, Serialize)]
pub struct ComparedReport {
    /// Its parameters.
    pub parameters: Values,
    /// The time that SPIN proved, where it did.
    pub proved: Option<u64>,
    /// What each model says: ticks of the machine and of max-plus, microseconds of waves, the inverse of the efficiency.
    pub costs: Map<String, Value>,
}

impl ComparisonReport {
    /// As results tell it; with `all` each configuration that is compared.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, verdict: Verdict, comparison: &Comparison, all: bool) -> Self {
        let parameters = |row: usize| super::build::values(spec, &comparison.rows[row].configuration);
        let apart = |Apart { row, ranks, terms }: &Apart| ApartReport {
            parameters: parameters(*row),
            ranks: *ranks,
            terms: *terms,
        };
        let pair = |pair: &Pair| AgreementReport {
            models: pair.models.map(Predictor::name),
            of: pair.of,
            kendall_tau: pair.kendall_tau,
            spearman_rho: pair.spearman_rho,
            most: pair.most.as_ref().map(apart),
        };
        let winner = |(model, choice): (Predictor, &Option<ModelChoice>)| {
            let told = choice.map(|ModelChoice { row, equals, relative }| WinnerReport {
                parameters: parameters(row),
                equals,
                ticks: comparison.rows[row].costs[0],
                relative,
            });
            (model.name().to_owned(), serde_json::to_value(told).unwrap_or_default())
        };
        // Without a proof the machine's own choice stands for the optimum.
        let best = if comparison.rows[0].proved.is_some() { 0 } else { comparison.choices[0].map_or(0, |one| one.row) };
        let shown = if all { 0..comparison.rows.len() } else { best..best + 1 };
        Self {
            schema: "autotune.comparison/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            problem: spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect(),
            verdict,
            compared: comparison.rows.len(),
            complete: comparison.complete,
            winners: Predictor::ALL.into_iter().zip(&comparison.choices).map(winner).collect(),
            agreement: comparison.pairs.iter().map(pair).collect(),
            configurations: comparison.rows[shown].iter().map(|row| compared(spec, row)).collect(),
        }
    }

    /// As text.
    #[must_use]
    pub fn for_people(&self) -> String {
        let which = if self.complete { "all that can run" } else { "a sample" };
        format!(
            "{} on {}, {} configurations compared: {which}\n\n{}\n\n{}\n\n{TO_USE}\n{}",
            self.kernel,
            self.gpu,
            self.compared,
            self.costs(),
            self.choices(),
            self.agreements()
        )
    }

    fn costs(&self) -> String {
        let header: Vec<&str> =
            ["configuration", "proved"].into_iter().chain(Predictor::ALL.into_iter().map(Predictor::name)).collect();
        let mut rows = numbers(&header);
        for one in &self.configurations {
            let proved = one.proved.map_or(String::new(), grouped);
            let costs = one.costs.values().map(|cost| cost.as_f64().map_or("-".to_owned(), shown));
            rows.add_row([label(&one.parameters), proved].into_iter().chain(costs).collect::<Vec<_>>());
        }
        rows.trim_fmt()
    }

    fn choices(&self) -> String {
        let mut rows = table(&["model", "relative", "equal", "puts first"]);
        for (model, choice) in self.winners.iter().filter(|(_, choice)| !choice.is_null()) {
            let relative = choice["relative"].as_f64().map_or("-".to_owned(), |relative| format!("{relative:.2}"));
            let parameters = choice["parameters"].as_object().map_or(String::new(), label);
            rows.add_row([model.clone(), relative, choice["equals"].to_string(), parameters]);
        }
        rows.trim_fmt()
    }

    fn agreements(&self) -> String {
        let mut rows = table(&["rankings", "tau", "rho", "farthest apart", "ranks", "mostly"]);
        for AgreementReport { models: [a, b], kendall_tau, spearman_rho, most, .. } in &self.agreement {
            let number = |value: &Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
            let mut row = vec![format!("{a}, {b}"), number(kendall_tau), number(spearman_rho)];
            if let Some(ApartReport { parameters, ranks: [x, y], terms }) = most {
                row.extend([label(parameters), format!("{x} : {y}"), terms.map(term).join(" : ")]);
            }
            rows.add_row(row);
        }
        let mut text = rows.trim_fmt();
        let _ = writeln!(text);
        text
    }
}

fn compared(spec: &Spec, row: &Row) -> ComparedReport {
    ComparedReport {
        parameters: super::build::values(spec, &row.configuration),
        proved: row.proved,
        costs: Predictor::ALL
            .into_iter()
            .zip(&row.costs)
            .map(|(model, cost)| (model.name().to_owned(), (*cost).into()))
            .collect(),
    }
}

fn term(term: Option<Term>) -> String {
    term.map_or("-".to_owned(), |Term { name, share }| format!("{name} {:.0} %", 100.0 * share))
}

/// Ticks as they are, all else with its decimals.
fn shown(cost: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "costs are whole here, and positive")]
    let whole = cost as u64;
    if cost.fract() == 0.0 && cost >= 1000.0 { grouped(whole) } else { format!("{cost:.2}") }
}

/// A table whose first column is text and all others numbers.
fn numbers(header: &[&str]) -> comfy_table::Table {
    let mut table = table(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    table
}
