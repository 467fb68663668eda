//! A comparison as a picture: the machine's times over two parameters, the ranks by every other model beside the machine's,
//! and the configurations under the GPU's roofs.

use super::chart::{Axis, Chart, Marker, Series};
use super::{HeatMap, Panel, Picture, most_telling, roofline_chart};
use crate::result::{ComparisonPlot, RankPlot};

/// Returns the picture of a comparison. It has no heat map if no parameter varies, and no roofline if the result has
/// none.
#[must_use]
pub fn comparison_picture(plot: &ComparisonPlot) -> Picture {
    let names: Vec<&str> = plot.parameters.iter().map(String::as_str).collect();
    let tries: Vec<(&[i64], Option<f64>)> =
        plot.times.iter().map(|(values, ticks)| (values.as_slice(), *ticks)).collect();
    let title = "best time on the machine (ticks)";
    let map = most_telling(&names, &tries).map(|over| HeatMap::new(title, &names, over, &tries));
    let roofs = plot.roofline.as_ref().map(roofline_chart);
    let ranks = plot.models.iter().map(rank_chart);
    Picture {
        title: format!("{} on {}: what the machine and the formulas say", plot.kernel, plot.gpu),
        subtitle: format!("{} configurations that can run", plot.times.len()),
        panels: map.into_iter().map(Panel::HeatMap).chain(roofs.into_iter().chain(ranks).map(Panel::Chart)).collect(),
    }
}

/// Returns the chart of the ranks by a model over those by the machine. All configurations that the model ties first are
/// marked.
#[must_use]
pub fn rank_chart(plot: &RankPlot) -> Chart {
    let RankPlot { model, ranks, tau } = plot;
    let least = |of: fn(&(f64, f64)) -> f64| {
        let least = ranks.iter().map(of).fold(f64::INFINITY, f64::min);
        ranks.iter().filter(|pair| of(pair).total_cmp(&least).is_eq()).copied().collect::<Vec<_>>()
    };
    let series = |label: &str, marker, points| Series { label: label.to_owned(), marker, points };
    Chart {
        title: tau.map_or(format!("{model}: ranks"), |tau| format!("{model}: ranks, Kendall's tau {tau:.2}")),
        x: Axis { label: "rank by the machine (1 is fastest)".to_owned(), logarithmic: false },
        y: Axis { label: format!("rank by {model}"), logarithmic: false },
        lines: Vec::new(),
        series: vec![
            series("configurations", Marker::Dot, ranks.clone()),
            series("put first by the model", Marker::Pick, least(|pair| pair.1)),
            series("fastest on the machine", Marker::Best, least(|pair| pair.0)),
        ],
    }
}
