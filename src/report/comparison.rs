//! Proof, evaluator and formulas side by side, as a result states them.

use super::values::{problem, values};
use crate::compare::comparison::{Apart, Comparison, ModelChoice, Pair, Row};
use crate::compare::{PredictedCost, Predictor};
use crate::result::{AgreementReport, ApartReport, ComparedReport, ComparisonReport, FirstChoiceReport, Verdict};
use crate::spec::Spec;

/// The report of a comparison. With `all` it lists every compared configuration, otherwise only the optimum, or
/// without a proof the natively fastest one.
#[must_use]
pub fn comparison(spec: &Spec, gpu: &str, verdict: Verdict, comparison: &Comparison, all: bool) -> ComparisonReport {
    let parameters = |row: usize| values(spec, &comparison.rows[row].configuration);
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
        let first = choice.map(|ModelChoice { row, equals, relative }| FirstChoiceReport {
            parameters: parameters(row),
            equals,
            ticks: comparison.rows[row].costs[0].and_then(PredictedCost::ticks),
            relative,
        });
        (model.name().to_owned(), first)
    };
    // Without a proof the machine's own choice stands for the optimum.
    let best = if comparison.rows[0].proved.is_some() { 0 } else { comparison.choices[0].map_or(0, |one| one.row) };
    let shown = if all { 0..comparison.rows.len() } else { best..best + 1 };
    ComparisonReport {
        schema: ComparisonReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        problem: problem(spec),
        verdict,
        compared: comparison.rows.len(),
        complete: comparison.complete,
        winners: Predictor::ALL.into_iter().zip(&comparison.choices).map(winner).collect(),
        agreement: comparison.pairs.iter().map(pair).collect(),
        configurations: comparison.rows[shown].iter().map(|row| compared(spec, row)).collect(),
    }
}

fn compared(spec: &Spec, row: &Row) -> ComparedReport {
    ComparedReport {
        parameters: values(spec, &row.configuration),
        proved: row.proved,
        costs: Predictor::ALL
            .into_iter()
            .zip(&row.costs)
            .map(|(model, cost)| (model.name().to_owned(), *cost))
            .collect(),
    }
}
