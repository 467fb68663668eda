//! A comparison as a picture: the machine's times over two parameters, and the configurations under the GPU's roofs.

use super::{HeatMap, Panel, Picture, most_telling, roofline_chart};
use crate::result::ComparisonPlot;

/// Returns the picture of a comparison. It has no heat map if no parameter varies, and no roofline if the result has
/// none.
#[must_use]
pub fn comparison_picture(plot: &ComparisonPlot) -> Picture {
    let names: Vec<&str> = plot.parameters.iter().map(String::as_str).collect();
    let tries: Vec<(&[i64], Option<f64>)> =
        plot.times.iter().map(|(values, ticks)| (values.as_slice(), *ticks)).collect();
    let map = most_telling(&names, &tries).map(|over| HeatMap::new("best time (ticks)", &names, over, &tries));
    let roofs = plot.roofline.as_ref().map(roofline_chart);
    Picture {
        title: format!("{} on {}: what the abstract machine says", plot.kernel, plot.gpu),
        subtitle: format!("{} configurations that can run", plot.times.len()),
        panels: map.into_iter().map(Panel::HeatMap).chain(roofs.map(Panel::Chart)).collect(),
    }
}
