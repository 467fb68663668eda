//! The data of plots.

use crate::compare::agreement::{ranks, spearman};
use crate::compare::comparison::{Comparison, Row};
use crate::compare::validation::{Compared, ComparedRun, Validation};
use crate::compare::{PredictedCost, Predictor};
use crate::explain::roofline::Roofline;
use crate::gpu::{Pipelined, Profile};
use crate::lowering::{Feasibility, Lowering, LoweringError};
use crate::result::{
    ComparisonPlot, PlottedRun, PredictedQuantity, RooflinePoint, RooflineReport, SizePlot, ValidationPlot,
};
use crate::source::SourceReader;
use crate::spec::Spec;

/// The plot of a comparison. The roofs are those of a real GPU; a lockstep GPU does not have roofs.
///
/// # Errors
/// If a configuration cannot be lowered.
pub fn comparison_plot(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    gpu: &str,
    comparison: &Comparison,
) -> Result<ComparisonPlot, LoweringError> {
    Ok(ComparisonPlot {
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        parameters: parameters(spec),
        times: comparison
            .rows
            .iter()
            .map(|row| (row.configuration.0.clone(), ticks(row).map(PredictedCost::value)))
            .collect(),
        roofline: match profile {
            Profile::Pipelined(gpu) => roofline(gpu, &Lowering::new(spec, profile, reader), comparison)?,
            Profile::Lockstep(_) => None,
        },
    })
}

fn parameters(spec: &Spec) -> Vec<String> {
    spec.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}

/// The machine's time in ticks, which equals the proved one if there is a proof. `None` if the machine does not
/// predict it.
fn ticks(row: &Row) -> Option<PredictedCost> {
    let machine = Predictor::ALL.iter().position(|model| *model == Predictor::Machine)?;
    row.costs[machine]
}

/// The compared configurations under the roofs; `None` if the first of them does not use both servers or does not have
/// a time.
fn roofline(
    gpu: &Pipelined,
    lowering: &Lowering,
    comparison: &Comparison,
) -> Result<Option<RooflineReport>, LoweringError> {
    let roofline = Roofline::of(gpu);
    let points = comparison.rows.iter().map(|row| point(&roofline, lowering, row));
    let points = points.collect::<Result<Vec<_>, _>>()?;
    let Some((Some(optimum), others)) = points.split_first() else { return Ok(None) };
    Ok(Some(RooflineReport { roofs: roofline, optimum: *optimum, others: others.iter().flatten().copied().collect() }))
}

fn point(roofline: &Roofline, lowering: &Lowering, row: &Row) -> Result<Option<RooflinePoint>, LoweringError> {
    let Some(ticks) = ticks(row).and_then(PredictedCost::ticks) else { return Ok(None) };
    Ok(match lowering.lower(&row.configuration)? {
        Feasibility::Feasible(lowered) => roofline.place(&lowered.program, ticks),
        Feasibility::Infeasible(_) => None,
    })
}

/// The plot of one model's predictions beside measurements. `place` is the model's index among the validated models.
#[must_use]
pub fn validation_plot(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    (place, model): (usize, Predictor),
    validation: &Validation,
) -> ValidationPlot {
    let (quantity, factor) = quantity(model, profile);
    ValidationPlot {
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        model: model.name(),
        rows: validation.overall.rows,
        valid: validation.overall.valid,
        parameters: parameters(spec),
        quantity,
        factor,
        sizes: validation.compared.iter().map(|compared| size(compared, place)).collect(),
    }
}

/// The quantity that a model predicts, and the amount of it that equals a cost of 1.
fn quantity(model: Predictor, profile: &Profile) -> (PredictedQuantity, f64) {
    // Times are proportional to ticks.
    const MANY: u32 = 1 << 30;
    match (model, profile.microseconds(MANY.into())) {
        (Predictor::Machine | Predictor::MaxPlus(_), Some(microseconds)) => {
            (PredictedQuantity::Milliseconds, microseconds / f64::from(MANY) / 1000.0)
        }
        (Predictor::Machine | Predictor::MaxPlus(_), None) => (PredictedQuantity::Ticks, 1.0),
        (Predictor::Waves, _) => (PredictedQuantity::Milliseconds, 1e-3),
        (Predictor::Efficiency, _) => (PredictedQuantity::InverseEfficiency, 1.0),
    }
}

fn size(compared: &Compared, model: usize) -> SizePlot {
    let run = |run: &ComparedRun| PlottedRun {
        values: run.configuration.0.clone(),
        milliseconds: run.milliseconds,
        cost: run.costs.get(model).copied().flatten(),
    };
    let runs: Vec<PlottedRun> = compared.runs.iter().map(run).collect();
    let both = runs.iter().filter_map(|run| Some((run.milliseconds?, run.cost?)));
    let (times, costs): (Vec<f64>, Vec<f64>) = both.unzip();
    SizePlot {
        problem: compared.problem.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
        ranks: ranks(&times).into_iter().zip(ranks(&costs)).collect(),
        rho: spearman(&times, &costs),
        runs,
    }
}
