//! Predictions against measurements as a picture: times, ranks, and two heat maps.

use super::chart::{Axis, Chart, Line, Marker, Series};
use super::heat_map::{HeatMap, most_telling};
use super::{Panel, Picture};
use crate::result::{PlottedRun, PredictedQuantity, SizePlot, ValidationPlot};

/// The number of problem sizes with a colour of their own if there are at least 2 more, which then share one.
const COLOURED: usize = 5;

/// A run that succeeded and was predicted: the measured time in milliseconds and the prediction, or the ranks of both.
type Pair = (f64, f64);

/// Returns the picture of a model's predictions against the measurements, with a dot for each run that succeeded and
/// was predicted.
#[must_use]
pub fn validation_picture(plot: &ValidationPlot) -> Picture {
    let paired: Vec<Vec<Pair>> = plot.sizes.iter().map(|size| pairs(plot, size)).collect();
    let names: Vec<String> = plot.sizes.iter().map(name).collect();
    let mut panels = vec![Panel::Chart(times(plot, &names, &paired)), Panel::Chart(of_ranks(plot, &names))];
    let largest = plot.sizes.iter().max_by_key(|size| size.runs.len());
    panels.extend(largest.into_iter().flat_map(|size| maps(plot, size)).map(Panel::HeatMap));
    Picture {
        title: format!("{} on {}: predictions ({}) against measurements", plot.kernel, plot.gpu, plot.model),
        subtitle: format!(
            "{} runs, of which {} succeeded and {} of these were predicted (a dot each)",
            plot.rows,
            plot.valid,
            paired.iter().map(Vec::len).sum::<usize>()
        ),
        panels,
    }
}

fn pairs(plot: &ValidationPlot, size: &SizePlot) -> Vec<Pair> {
    size.runs.iter().filter_map(|run| Some((run.milliseconds?, run.cost? * plot.factor))).collect()
}

fn times(plot: &ValidationPlot, names: &[String], paired: &[Vec<Pair>]) -> Chart {
    let quantity = match plot.quantity {
        PredictedQuantity::Milliseconds => "time (ms)",
        PredictedQuantity::Ticks => "time (ticks)",
        PredictedQuantity::InverseEfficiency => "1 / efficiency",
    };
    let both = || paired.iter().flatten().flat_map(|(time, cost)| [*time, *cost]).filter(|value| *value > 0.0);
    let (least, greatest) = (both().fold(f64::INFINITY, f64::min), both().fold(0.0, f64::max));
    let equal = Line { label: "equal".to_owned(), points: vec![(least, least), (greatest, greatest)] };
    let is_time = plot.quantity == PredictedQuantity::Milliseconds;
    Chart {
        title: "times".to_owned(),
        x: Axis { label: "measured time (ms)".to_owned(), logarithmic: true },
        y: Axis { label: format!("predicted {quantity}"), logarithmic: true },
        lines: if is_time && greatest > 0.0 { vec![equal] } else { Vec::new() },
        series: series(names, paired, marked(paired)),
    }
}

/// Returns two heat maps on one scale over the same two parameters, those with the greatest spread of measured times:
/// measured and predicted times. Equal colours are equal factors above the least time of each map. Empty if no
/// parameter varies.
fn maps(plot: &ValidationPlot, size: &SizePlot) -> Vec<HeatMap> {
    let names: Vec<&str> = plot.parameters.iter().map(String::as_str).collect();
    let tries = |time: fn(&PlottedRun) -> Option<f64>| -> Vec<(&[i64], Option<f64>)> {
        size.runs.iter().map(|run| (run.values.as_slice(), time(run))).collect()
    };
    let (measured, predicted) = (tries(|run| run.milliseconds), tries(|run| run.cost));
    let Some(over) = most_telling(&names, &measured) else { return Vec::new() };
    let of = match name(size) {
        none if none.is_empty() => String::new(),
        some => format!(", {some}"),
    };
    let map = |title: &str, tries: &[_]| HeatMap::new(&format!("best {title} time{of}"), &names, over, tries);
    HeatMap::on_one_scale([map("measured", &measured), map("predicted", &predicted)]).into()
}

/// Returns the chart of measured and predicted ranks within each problem size.
fn of_ranks(plot: &ValidationPlot, names: &[String]) -> Chart {
    let ranked: Vec<Vec<Pair>> = plot.sizes.iter().map(|size| size.ranks.clone()).collect();
    let title = match plot.sizes.as_slice() {
        [only] => only.rho.map_or("ranks".to_owned(), |rho| format!("ranks, Spearman's rho {rho:.3}")),
        _ => "ranks within each problem size".to_owned(),
    };
    Chart {
        title,
        x: Axis { label: "rank of the measured time (1 is fastest)".to_owned(), logarithmic: false },
        y: Axis { label: "rank of the prediction".to_owned(), logarithmic: false },
        lines: Vec::new(),
        series: series(names, &ranked, marked(&ranked)),
    }
}

/// Returns the dots of each problem size, then the fastest runs by prediction and by measurement.
fn series(names: &[String], points: &[Vec<Pair>], [picks, best]: [Vec<Pair>; 2]) -> Vec<Series> {
    let dots = |label: String, points: Vec<Pair>| Series { label, marker: Marker::Dot, points };
    let several = points.len() > 1;
    let shown = if points.len() > COLOURED + 1 { COLOURED } else { points.len() };
    let own = names.iter().zip(points).take(shown);
    let mut all: Vec<Series> = own
        .map(|(name, points)| dots(if several { name.clone() } else { "runs".to_owned() }, points.clone()))
        .collect();
    if shown < points.len() {
        all.push(dots("other sizes".to_owned(), points[shown..].concat()));
    }
    all.push(Series { label: "predicted fastest".to_owned(), marker: Marker::Pick, points: picks });
    all.push(Series { label: "measured fastest".to_owned(), marker: Marker::Best, points: best });
    all
}

/// Returns the runs that are fastest by prediction in each problem size, ties included, then those that are fastest by
/// measurement.
fn marked(points: &[Vec<Pair>]) -> [Vec<Pair>; 2] {
    let least = |of: fn(&Pair) -> f64| {
        let mut found = Vec::new();
        for pairs in points {
            let least = pairs.iter().map(of).fold(f64::INFINITY, f64::min);
            found.extend(pairs.iter().filter(|pair| of(pair).total_cmp(&least).is_eq()));
        }
        found
    };
    [least(|pair| pair.1), least(|pair| pair.0)]
}

/// Returns the names and values of the problem sizes, as `n=1024`.
fn name(size: &SizePlot) -> String {
    size.problem.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}
