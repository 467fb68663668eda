//! Predictions against measurements as a picture: times, ranks, and both over two parameters.

use super::chart::{Axis, Chart, Line, Marker, Series};
use super::heat_map::{HeatMap, most_telling};
use super::{Panel, Picture};
use crate::compare::Predictor;
use crate::compare::agreement::{ranks, spearman};
use crate::compare::validation::{Compared, ComparedRun, Validation};
use crate::gpu::Profile;
use crate::spec::Spec;

/// Problem sizes that have a colour of their own.
const COLOURED: usize = 5;

/// What can be compared with measured times.
const MILLISECONDS: &str = "time (ms)";

/// What one model predicts, beside what was measured.
#[derive(Debug, Clone, Copy)]
struct Subject<'a> {
    spec: &'a Spec,
    profile: &'a Profile,
    model: Predictor,
    /// Where its costs are among those of all models.
    place: usize,
}

/// A run that succeeded and was predicted: measured milliseconds, and the cost.
type Pair = (f64, f64);

/// A model's predictions against what was measured: a dot for each run that succeeded and was predicted. `place` is the
/// model's among those that were validated.
#[must_use]
pub fn validation_picture(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    (place, model): (usize, Predictor),
    validation: &Validation,
) -> Picture {
    let subject = Subject { spec, profile, model, place };
    let overall = &validation.overall;
    let paired: Vec<Vec<Pair>> = validation.compared.iter().map(|compared| subject.pairs(compared)).collect();
    let names: Vec<String> = validation.compared.iter().map(size).collect();
    let mut panels = vec![Panel::Chart(subject.times(&names, &paired)), Panel::Chart(of_ranks(&names, &paired))];
    let largest = validation.compared.iter().max_by_key(|compared| compared.runs.len());
    panels.extend(largest.into_iter().flat_map(|compared| subject.maps(compared)).map(Panel::HeatMap));
    Picture {
        title: format!("{} on {gpu}: predictions ({}) against measurements", spec.kernel, model.name()),
        subtitle: format!(
            "{} runs, of which {} succeeded and {} of these were predicted (a dot each)",
            overall.rows,
            overall.valid,
            paired.iter().map(Vec::len).sum::<usize>()
        ),
        panels,
    }
}

impl Subject<'_> {
    fn cost(&self, run: &ComparedRun) -> Option<f64> {
        run.costs.get(self.place).copied().flatten()
    }

    fn pairs(&self, compared: &Compared) -> Vec<Pair> {
        let (_, factor) = self.quantity();
        compared.runs.iter().filter_map(|run| Some((run.milliseconds?, self.cost(run)? * factor))).collect()
    }

    /// What its costs are, and by what they become that.
    fn quantity(&self) -> (&'static str, f64) {
        // Times are proportional to ticks.
        const MANY: u32 = 1 << 30;
        match (self.model, self.profile.microseconds(MANY.into())) {
            (Predictor::Machine | Predictor::MaxPlus(_), Some(microseconds)) => {
                (MILLISECONDS, microseconds / f64::from(MANY) / 1000.0)
            }
            (Predictor::Machine | Predictor::MaxPlus(_), None) => ("time (ticks)", 1.0),
            (Predictor::Waves, _) => (MILLISECONDS, 1e-3),
            (Predictor::Efficiency, _) => ("1 / efficiency", 1.0),
        }
    }

    fn times(&self, names: &[String], paired: &[Vec<Pair>]) -> Chart {
        let (quantity, _) = self.quantity();
        let both = || paired.iter().flatten().flat_map(|(time, cost)| [*time, *cost]).filter(|value| *value > 0.0);
        let (least, greatest) = (both().fold(f64::INFINITY, f64::min), both().fold(0.0, f64::max));
        let equal = Line { label: "equal".to_owned(), points: vec![(least, least), (greatest, greatest)] };
        Chart {
            title: "times".to_owned(),
            x: Axis { label: "measured time (ms)".to_owned(), logarithmic: true },
            y: Axis { label: format!("predicted {quantity}"), logarithmic: true },
            lines: if quantity == MILLISECONDS && greatest > 0.0 { vec![equal] } else { Vec::new() },
            series: series(names, paired, marked(paired)),
        }
    }

    /// Measured and predicted times over the same two parameters, those that the measurements tell, on one scale: equal colours
    /// are equal factors above the least measured time in one and the least predicted time in the other.
    fn maps(&self, compared: &Compared) -> Vec<HeatMap> {
        let names: Vec<&str> = self.spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let tries = |time: &dyn Fn(&ComparedRun) -> Option<f64>| -> Vec<(&[i64], Option<f64>)> {
            compared.runs.iter().map(|run| (run.configuration.0.as_slice(), time(run))).collect()
        };
        let (measured, predicted) = (tries(&|run| run.milliseconds), tries(&|run| self.cost(run)));
        let Some(over) = most_telling(&names, &measured) else { return Vec::new() };
        let of = match size(compared) {
            none if none.is_empty() => String::new(),
            some => format!(", {some}"),
        };
        let map = |title: &str, tries: &[_]| HeatMap::new(&format!("best {title} time{of}"), &names, over, tries);
        HeatMap::on_one_scale([map("measured", &measured), map("predicted", &predicted)]).into()
    }
}

/// The ranks of both, within each problem size.
fn of_ranks(names: &[String], paired: &[Vec<Pair>]) -> Chart {
    let ranked: Vec<Vec<Pair>> = paired
        .iter()
        .map(|pairs| {
            let (times, costs): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            ranks(&times).into_iter().zip(ranks(&costs)).collect()
        })
        .collect();
    let title = match paired {
        [only] => {
            let (times, costs): (Vec<_>, Vec<_>) = only.iter().copied().unzip();
            spearman(&times, &costs).map_or("ranks".to_owned(), |rho| format!("ranks, Spearman's rho {rho:.3}"))
        }
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

/// Dots for each problem size, then what the model picks first and what is fastest in each.
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

/// Of each problem size, what is predicted to be fastest, all that tie, and what was measured to be.
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

/// The problem sizes, as `n=1024`.
fn size(compared: &Compared) -> String {
    let sizes = compared.problem.iter().map(|(name, value)| format!("{name}={value}"));
    sizes.collect::<Vec<_>>().join(", ")
}
