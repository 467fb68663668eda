//! The page of a comparison: the first choice of each model, the ranks by each model over the machine's, the agreement of
//! the rankings, where they lie farthest apart, and the costs.

use serde::Serialize;
use tera::Context;

use super::picture::picture;
use super::{PageError, counted, render};
use crate::render::plot::{Chart, Panel, rank_chart};
use crate::render::text::comparison::{headings, row, term};
use crate::result::{
    AgreementReport, ApartReport, ComparisonPlot, ComparisonReport, FirstChoiceReport, RankPlot, Verdict,
};
use autotune_base::text::words::{grouped, label};
use autotune_engine::compare::{PredictedCost, Predictor, Relative};

/// The size of a chart, in pixels.
const SIZE: (u32, u32) = (760, 430);
/// The most points of a series, and the most rows of costs: a page stays below two million bytes.
const MOST_POINTS: usize = 500;
const MOST_ROWS: usize = 1_000;

/// The page of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonPage<'a> {
    /// The result.
    pub report: &'a ComparisonReport,
    /// The ranks of the same comparison.
    pub plot: &'a ComparisonPlot,
}

/// The first choice of a model, and its bar.
#[derive(Serialize)]
struct Choice {
    model: String,
    /// The bar; `None` if the times are not all known.
    bar: Option<Bar>,
    times: [String; 3],
    equal: String,
    first: String,
}

/// The parts of a bar in percent of its length: from the left to the fastest of equal configurations, from there to the
/// slowest, and where the mean is.
#[derive(Serialize)]
struct Bar {
    best: String,
    range: String,
    mean: String,
}

#[derive(Serialize)]
struct Ranks {
    id: String,
    model: &'static str,
    picture: String,
}

#[derive(Serialize)]
struct Agreement {
    models: [&'static str; 2],
    of: String,
    tau: String,
    rho: String,
}

#[derive(Serialize)]
struct Apart {
    models: [&'static str; 2],
    parameters: String,
    ranks: [f64; 2],
    terms: [String; 2],
}

impl ComparisonPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn render(&self) -> Result<String, PageError> {
        let report = self.report;
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}, models side by side", report.kernel, report.gpu));
        context.insert("problem", &label(&report.problem));
        let which = if report.complete { "all that can run" } else { "a sample of those that can run" };
        context.insert("which", &format!("{}: {which}", counted(report.compared as u64, "configuration")));
        self.optimum(&mut context);
        context.insert("choices", &choices(report));
        let ranks = self.plot.models.iter().map(ranks).collect::<Result<Vec<_>, _>>()?;
        context.insert("thinned", &(self.plot.times.len() > MOST_POINTS).then(|| grouped(MOST_POINTS as u64)));
        context.insert("ranks", &ranks);
        context.insert("agreements", &report.agreement.iter().map(agreement).collect::<Vec<_>>());
        context.insert("apart", &report.agreement.iter().filter_map(apart).collect::<Vec<_>>());
        let [names, units] = headings(report);
        context.insert("columns", &names.into_iter().zip(units).collect::<Vec<_>>());
        let rows = report.configurations.iter().take(MOST_ROWS).map(|one| row(report, one));
        context.insert("costs", &rows.collect::<Vec<_>>());
        context.insert("omitted", &report.configurations.len().saturating_sub(MOST_ROWS));
        Ok(render("report/comparison.html", context))
    }

    /// The configuration that all others are relative to.
    fn optimum(&self, context: &mut Context) {
        context.insert("proved", &(self.report.verdict == Verdict::Proved));
        let Some(best) = self.report.configurations.first() else { return };
        let ticks = best.costs.get(Predictor::Machine.name()).copied().flatten().and_then(PredictedCost::ticks);
        let facts = best.parameters.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let times = [
            best.proved.or(ticks).map(|ticks| ("ticks".to_owned(), grouped(ticks))),
            best.microseconds.map(|time| ("microseconds".to_owned(), format!("{time:.2}"))),
        ];
        context.insert("facts", &facts.chain(times.into_iter().flatten()).collect::<Vec<_>>());
    }
}

fn choices(report: &ComparisonReport) -> Vec<Choice> {
    let known = || report.winners.iter().filter_map(|(model, choice)| Some((model, choice.as_ref()?)));
    let slowest = known().filter_map(|(_, choice)| Some(choice.relative?.worst)).fold(1.0, f64::max);
    known().map(|(model, one)| choice(model, one, slowest)).collect()
}

/// A first choice; the bar of `slowest` is the longest.
fn choice(model: &str, one: &FirstChoiceReport, slowest: f64) -> Choice {
    let percent = |part: f64| format!("{:.1}", 100.0 * part / slowest);
    let bar =
        |Relative { best, mean, worst }| Bar { best: percent(best), range: percent(worst - best), mean: percent(mean) };
    let times = one.relative.map(|Relative { best, mean, worst }| [best, mean, worst]);
    Choice {
        model: model.to_owned(),
        bar: one.relative.map(bar),
        times: times.map_or(["-"; 3].map(str::to_owned), |times| times.map(|time| format!("{time:.2}"))),
        equal: grouped(one.equals as u64),
        first: label(&one.parameters),
    }
}

fn ranks(plot: &RankPlot) -> Result<Ranks, PageError> {
    let id = format!("ranks-{}", plot.model);
    let title = format!("ranks by {} over ranks by the machine", plot.model);
    let words =
        [title.as_str(), "A point for each configuration; on a line from below left to above right both agree."];
    let panel = Panel::Chart(thinned(rank_chart(plot)));
    Ok(Ranks { picture: picture(&panel, SIZE, &id, words)?, id, model: plot.model })
}

/// The chart with at most [`MOST_POINTS`] points of each series, evenly taken.
fn thinned(mut chart: Chart) -> Chart {
    for series in &mut chart.series {
        let step = series.points.len().div_ceil(MOST_POINTS).max(1);
        series.points = series.points.iter().step_by(step).copied().collect();
    }
    chart
}

fn agreement(one: &AgreementReport) -> Agreement {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    Agreement {
        models: one.models,
        of: grouped(one.of as u64),
        tau: number(one.kendall_tau),
        rho: number(one.spearman_rho),
    }
}

fn apart(one: &AgreementReport) -> Option<Apart> {
    let ApartReport { parameters, ranks, terms } = one.most.as_ref()?;
    Some(Apart { models: one.models, parameters: label(parameters), ranks: *ranks, terms: terms.map(term) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::plot::{Axis, Marker, Series};

    #[test]
    fn a_bar_ends_at_the_slowest_of_equal_configurations() {
        let one = FirstChoiceReport {
            parameters: [("WG".to_owned(), 32.into())].into_iter().collect(),
            equals: 1,
            ticks: None,
            relative: Some(Relative { best: 1.0, mean: 1.5, worst: 2.0 }),
        };
        let Choice { bar: Some(Bar { best, range, mean }), times, .. } = choice("waves", &one, 4.0) else {
            panic!("there is no bar")
        };
        assert_eq!([best, range, mean], ["25.0", "25.0", "37.5"]);
        assert_eq!(times, ["1.00", "1.50", "2.00"]);
    }

    #[test]
    fn a_chart_of_a_large_space_has_few_points_from_end_to_end() {
        let axis = || Axis { label: String::new(), logarithmic: false };
        let points = |count: u32| (0..count).map(|number| (f64::from(number), 0.0)).collect();
        let chart = |count| Chart {
            title: String::new(),
            x: axis(),
            y: axis(),
            lines: Vec::new(),
            series: vec![Series { label: String::new(), marker: Marker::Dot, points: points(count) }],
        };
        let most = thinned(chart(100_000)).series[0].points.clone();
        assert_eq!((most.len(), most[0].0, most[499].0), (500, 0.0, 99_800.0));
        assert_eq!(thinned(chart(500)), chart(500));
    }
}
