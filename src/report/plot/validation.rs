//! Predictions against measurements as a picture: times, ranks, and both over two parameters.

use super::chart::{Axis, Chart, Line, Marker, Series};
use super::heat_map::{HeatMap, most_telling};
use super::{Panel, Picture};
use crate::compare::validation::{Paired, PairedSize, Quantity};

/// Problem sizes that have a colour of their own.
const COLOURED: usize = 5;

/// A run that succeeded and was predicted: the measured and the predicted time, or their ranks.
type Pair = (f64, f64);

/// A model's predictions for a kernel on a GPU against what was measured: a dot for each run that succeeded and was predicted.
/// `names` are the kernel's parameters, `rows` and `valid` the runs and those of them that succeeded.
#[must_use]
pub fn validation_picture(
    [kernel, gpu]: [&str; 2],
    names: &[&str],
    [rows, valid]: [usize; 2],
    paired: &Paired,
) -> Picture {
    let sizes = &paired.sizes;
    let mut panels = vec![Panel::Chart(of_times(paired)), Panel::Chart(of_ranks(sizes))];
    let largest = sizes.iter().max_by_key(|size| size.runs.len());
    panels.extend(largest.into_iter().flat_map(|size| maps(names, size)).map(Panel::HeatMap));
    let predicted: usize = sizes.iter().map(|size| size.times.len()).sum();
    Picture {
        title: format!("{kernel} on {gpu}: predictions ({}) against measurements", paired.model.name()),
        subtitle: format!(
            "{rows} runs, of which {valid} succeeded and {predicted} of these were predicted (a dot each)"
        ),
        panels,
    }
}

fn of_times(Paired { quantity, sizes, .. }: &Paired) -> Chart {
    let points: Vec<&[Pair]> = sizes.iter().map(|size| size.times.as_slice()).collect();
    let values = points.iter().copied().flatten().flat_map(|(time, prediction)| [*time, *prediction]);
    let range = values.filter(|value| *value > 0.0).fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((least, greatest)) => Some((value.min(least), value.max(greatest))),
    });
    let equal = range.filter(|_| *quantity == Quantity::Milliseconds).map(|(least, greatest)| Line {
        label: "equal".to_owned(),
        points: vec![(least, least), (greatest, greatest)],
    });
    let predicted = match quantity {
        Quantity::Milliseconds => "time (ms)",
        Quantity::Ticks => "time (ticks)",
        Quantity::InverseEfficiency => "1 / efficiency",
    };
    Chart {
        title: "times".to_owned(),
        x: Axis { label: "measured time (ms)".to_owned(), logarithmic: true },
        y: Axis { label: format!("predicted {predicted}"), logarithmic: true },
        lines: equal.into_iter().collect(),
        series: series(sizes, &points),
    }
}

/// Measured and predicted times over the same two parameters, those that the measurements tell, on one scale: equal colours
/// are equal factors above the least measured time in one and the least predicted time in the other.
fn maps(names: &[&str], size: &PairedSize) -> Vec<HeatMap> {
    let measured: Vec<_> = size.runs.iter().map(|(one, measured, _)| (one.0.as_slice(), *measured)).collect();
    let predicted: Vec<_> = size.runs.iter().map(|(one, _, predicted)| (one.0.as_slice(), *predicted)).collect();
    let Some(over) = most_telling(names, &measured) else { return Vec::new() };
    let of = match label(size) {
        none if none.is_empty() => String::new(),
        some => format!(", {some}"),
    };
    let map = |title: &str, tries: &[_]| HeatMap::new(&format!("best {title} time{of}"), names, over, tries);
    HeatMap::on_one_scale([map("measured", &measured), map("predicted", &predicted)]).into()
}

/// The ranks of both, within each problem size.
fn of_ranks(sizes: &[PairedSize]) -> Chart {
    let points: Vec<&[Pair]> = sizes.iter().map(|size| size.ranks.as_slice()).collect();
    let title = match sizes {
        [only] => only.spearman.map_or("ranks".to_owned(), |rho| format!("ranks, Spearman's rho {rho:.3}")),
        _ => "ranks within each problem size".to_owned(),
    };
    Chart {
        title,
        x: Axis { label: "rank of the measured time (1 is fastest)".to_owned(), logarithmic: false },
        y: Axis { label: "rank of the prediction".to_owned(), logarithmic: false },
        lines: Vec::new(),
        series: series(sizes, &points),
    }
}

/// Dots for each problem size, then what the model picks first and what is fastest in each.
fn series(sizes: &[PairedSize], points: &[&[Pair]]) -> Vec<Series> {
    let [picks, best] = marked(points);
    let dots = |label: String, points: Vec<Pair>| Series { label, marker: Marker::Dot, points };
    let several = points.len() > 1;
    let shown = if points.len() > COLOURED + 1 { COLOURED } else { points.len() };
    let own = sizes.iter().zip(points).take(shown);
    let mut all: Vec<Series> = own
        .map(|(size, points)| dots(if several { label(size) } else { "runs".to_owned() }, points.to_vec()))
        .collect();
    if shown < points.len() {
        all.push(dots("other sizes".to_owned(), points[shown..].concat()));
    }
    all.push(Series { label: "predicted fastest".to_owned(), marker: Marker::Pick, points: picks });
    all.push(Series { label: "measured fastest".to_owned(), marker: Marker::Best, points: best });
    all
}

/// Of each problem size, what is predicted to be fastest, all that tie, and what was measured to be.
fn marked(points: &[&[Pair]]) -> [Vec<Pair>; 2] {
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

/// The problem sizes, as `n=1024`.
fn label(size: &PairedSize) -> String {
    let sizes = size.problem.iter().map(|(name, value)| format!("{name}={value}"));
    sizes.collect::<Vec<_>>().join(", ")
}
