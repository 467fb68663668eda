//! A comparison as a picture: the machine's times over two parameters, and the configurations under the GPU's roofs.

use super::{HeatMap, Panel, Picture, most_telling, roofline_chart};
use crate::compare::Predictor;
use crate::compare::comparison::{Comparison, Row};
use crate::compare::roofline::{Place, Roofline};
use crate::gpu::Profile;
use crate::lowering::{Lowering, LoweringError, Outcome};
use crate::spec::Spec;

/// The compared configurations. The roofs are those of a real GPU; a lockstep GPU has none.
///
/// # Errors
/// A configuration cannot be lowered.
pub fn comparison_picture(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    comparison: &Comparison,
) -> Result<Picture, LoweringError> {
    let names: Vec<&str> = spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let tries: Vec<(&[i64], Option<f64>)> =
        comparison.rows.iter().map(|row| (row.configuration.0.as_slice(), ticks(row))).collect();
    let map = most_telling(&names, &tries).map(|over| HeatMap::new("best time (ticks)", &names, over, &tries));
    let mut panels: Vec<Panel> = map.into_iter().map(Panel::HeatMap).collect();
    if let Profile::Pipelined(pipelined) = profile {
        let roofline = Roofline::of(pipelined);
        let lowering = Lowering::new(spec, profile);
        let places =
            comparison.rows.iter().map(|row| place(&roofline, &lowering, row)).collect::<Result<Vec<_>, _>>()?;
        if let Some((Some(optimum), others)) = places.split_first() {
            let others: Vec<Place> = others.iter().flatten().copied().collect();
            panels.push(Panel::Chart(roofline_chart(&roofline, *optimum, &others)));
        }
    }
    Ok(Picture {
        title: format!("{} on {gpu}: what the abstract machine says", spec.kernel),
        subtitle: format!("{} configurations that can run", comparison.rows.len()),
        panels,
    })
}

/// The machine's time, which is the proved one where there is a proof.
fn ticks(row: &Row) -> Option<f64> {
    let machine = Predictor::ALL.iter().position(|model| *model == Predictor::Machine)?;
    row.costs[machine]
}

fn place(roofline: &Roofline, lowering: &Lowering, row: &Row) -> Result<Option<Place>, LoweringError> {
    let Some(ticks) = ticks(row) else { return Ok(None) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of ticks, as a number")]
    let ticks = ticks as u64;
    Ok(match lowering.lower(&row.configuration)? {
        Outcome::Feasible(lowered) => roofline.place(&lowered.program, ticks),
        Outcome::Infeasible(_) => None,
    })
}
