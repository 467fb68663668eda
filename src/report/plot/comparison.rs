//! A comparison as a picture: the machine's times over two parameters, and the configurations under the GPU's roofs.

use super::{HeatMap, Panel, Picture, most_telling, roofline_chart};
use crate::compare::comparison::Comparison;
use crate::compare::roofline::UnderRoofs;

/// The compared configurations of a kernel whose parameters have these names. A lockstep GPU has no roofs.
#[must_use]
pub fn comparison_picture(
    [kernel, gpu]: [&str; 2],
    names: &[&str],
    comparison: &Comparison,
    under_roofs: Option<&UnderRoofs>,
) -> Picture {
    let tries: Vec<(&[i64], Option<f64>)> =
        comparison.rows.iter().map(|row| (row.configuration.0.as_slice(), row.cost_of_machine())).collect();
    let map = most_telling(names, &tries).map(|over| HeatMap::new("best time (ticks)", names, over, &tries));
    let chart = under_roofs.map(roofline_chart);
    Picture {
        title: format!("{kernel} on {gpu}: what the abstract machine says"),
        subtitle: format!("{} configurations that can run", comparison.rows.len()),
        panels: map.into_iter().map(Panel::HeatMap).chain(chart.map(Panel::Chart)).collect(),
    }
}
