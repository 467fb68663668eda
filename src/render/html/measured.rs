//! The page of a measurement: the best, measured against predicted times, the best so far, and all runs.

use serde::Serialize;
use tera::Context;

use super::picture::picture;
use super::{PageError, render};
use crate::render::plot::{Axis, Chart, Line, Marker, Panel, Series};
use crate::render::text::measurement::again;
use crate::render::text::suggestion::number;
use crate::result::{BestRunsReport, MeasureEnd, MeasureReport, MeasuredRunReport, ResidualReport};
use autotune_base::text::words::{counted, label};

/// The size of a chart, in pixels.
const SIZE: (u32, u32) = (760, 430);

/// The page of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredPage<'a> {
    /// The result.
    pub report: &'a MeasureReport,
}

#[derive(Serialize)]
struct Best {
    parameters: Vec<(String, String)>,
    time: String,
    runs: usize,
    failed: usize,
    confirmed: bool,
}

#[derive(Serialize)]
struct Faster {
    parameters: String,
    time: String,
    runs: String,
    failed: usize,
}

#[derive(Serialize)]
struct Row {
    number: usize,
    parameters: String,
    /// The purpose of the run; empty for one that was suggested.
    again: &'static str,
    predicted: String,
    measured: String,
    status: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Residual {
    value: String,
    factor: String,
    runs: usize,
}

impl MeasuredPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn render(&self) -> Result<String, PageError> {
        let report = self.report;
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}, measured", report.kernel, report.gpu));
        context.insert("problem", &label(&report.problem));
        context.insert(
            "best",
            &report.best.as_ref().map(|best| Best {
                parameters: best.parameters.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
                time: number(Some(best.time_ms)),
                runs: best.runs,
                failed: best.failed,
                confirmed: best.confirmed,
            }),
        );
        context.insert("faster", &report.faster_with_failed_runs.as_ref().map(faster));
        context.insert("device", &(report.ended == MeasureEnd::Device));
        let first = report.first.as_ref().and_then(|first| first.fraction);
        context.insert("first", &first.map(|fraction| format!("{fraction:.2}")));
        context.insert("scale", &report.model.scale.map(|scale| format!("{scale:.2}")));
        context.insert("spearman", &report.model.spearman.map(|rank| format!("{rank:.2}")));
        context.insert("residuals", &report.model.residuals.iter().map(residual).collect::<Vec<_>>());
        context.insert("rows", &report.runs.iter().map(row).collect::<Vec<_>>());
        context.insert("in_ticks", &in_ticks(report));
        if report.best.is_some() {
            let words =
                ["measured against predicted times", "A point for each run; the table of runs has its numbers."];
            let against = picture(&Panel::Chart(against(report)), SIZE, "against", words)?;
            let words = ["best so far", "The least measured time after each run; the table of runs has the times."];
            let so_far = picture(&Panel::Chart(so_far(report)), SIZE, "so-far", words)?;
            context.insert("against", &against);
            context.insert("so_far", &so_far);
        }
        Ok(render("report/measured.html", context))
    }
}

fn in_ticks(report: &MeasureReport) -> bool {
    report.runs.iter().any(|run| run.predicted_ticks.is_some())
}

fn predicted(run: &MeasuredRunReport) -> Option<f64> {
    run.predicted_ms.or(run.predicted_ticks)
}

fn faster(one: &BestRunsReport) -> Faster {
    let (time, runs) = (number(Some(one.time_ms)), counted(one.runs as u64, "run"));
    Faster { parameters: label(&one.parameters), time, runs, failed: one.failed }
}

fn row(run: &MeasuredRunReport) -> Row {
    Row {
        number: run.number,
        parameters: label(&run.parameters),
        again: again(run.purpose),
        predicted: number(predicted(run)),
        measured: number(run.time_ms),
        status: run.status.in_words(),
        reason: run.reason.clone().unwrap_or_default(),
    }
}

fn residual(one: &ResidualReport) -> Residual {
    let factor = if one.factor >= 1.0 {
        format!("{:.2} times slower", one.factor)
    } else {
        format!("{:.2} times faster", 1.0 / one.factor)
    };
    Residual { value: format!("{}={}", one.parameter, one.value), factor, runs: one.runs }
}

fn logarithmic(label: &str) -> Axis {
    Axis { label: label.to_owned(), logarithmic: true }
}

/// The chart of measured over predicted times.
fn against(report: &MeasureReport) -> Chart {
    let point = |run: &MeasuredRunReport| Some((predicted(run)?, run.time_ms?));
    let points: Vec<(f64, f64)> = report.runs.iter().filter_map(point).collect();
    let ends = [f64::min, f64::max].map(|end| points.iter().map(|point| point.0).reduce(end));
    let (scale, [low, high]) = (report.model.scale.unwrap_or(1.0), ends.map(|end| end.unwrap_or(1.0)));
    let best = report.best.as_ref().and_then(|best| {
        let run = report.runs.iter().find(|run| run.parameters == best.parameters)?;
        Some((predicted(run)?, best.time_ms))
    });
    let unit = if in_ticks(report) { "ticks" } else { "ms" };
    Chart {
        title: String::new(),
        x: logarithmic(&format!("predicted time ({unit})")),
        y: logarithmic("measured time (ms)"),
        lines: vec![Line {
            label: format!("{} times the prediction", number(Some(scale))),
            points: vec![(low, low * scale), (high, high * scale)],
        }],
        series: vec![
            Series { label: "runs".to_owned(), marker: Marker::Dot, points },
            Series { label: "best".to_owned(), marker: Marker::Best, points: best.into_iter().collect() },
        ],
    }
}

/// The chart of the least measured time after each run.
fn so_far(report: &MeasureReport) -> Chart {
    let mut least = f64::INFINITY;
    let (mut points, mut line) = (Vec::new(), Vec::new());
    for run in &report.runs {
        let number = f64::from(u32::try_from(run.number).unwrap_or(u32::MAX));
        points.extend(run.time_ms.map(|time| (number, time)));
        let now = run.time_ms.map_or(least, |time| least.min(time));
        if now < least && least.is_finite() {
            // A step down, and not a slope.
            line.push((number, least));
        }
        least = now;
        if least.is_finite() {
            line.push((number, least));
        }
    }
    Chart {
        title: String::new(),
        x: Axis { label: "run".to_owned(), logarithmic: false },
        y: logarithmic("measured time (ms)"),
        lines: vec![Line { label: "best so far".to_owned(), points: line }],
        series: vec![Series { label: "runs".to_owned(), marker: Marker::Dot, points }],
    }
}
