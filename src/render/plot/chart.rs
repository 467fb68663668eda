//! A panel of points and lines over two axes.

mod legend;
mod look;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::Scale;
use super::colours::{DISTINCT, REFERENCE};
use super::{Drawn, FONT, TEXT, TITLE};
use crate::render::plot::chart::look::Look;

/// The most points that are drawn as large dots. More points have smaller dots, so that they do not hide each other.
const CROWD: usize = 500;

/// A panel of points and lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title of the panel; may be empty.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from below to above.
    pub y: Axis,
    /// The lines that the points are compared with.
    pub lines: Vec<Line>,
    /// The series of points. Later series are drawn above earlier ones of the same kind.
    pub series: Vec<Series>,
}

/// One direction of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The quantity along the axis, with its unit.
    pub label: String,
    /// True if equal ratios have equal lengths.
    pub logarithmic: bool,
}

/// A dashed line through some points.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The name of the line in the legend.
    pub label: String,
    /// The points of the line, as pairs of x and y.
    pub points: Vec<(f64, f64)>,
}

/// Points of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name of the series in the legend.
    pub label: String,
    /// The look of the points.
    pub marker: Marker,
    /// The points, as pairs of x and y.
    pub points: Vec<(f64, f64)>,
}

/// The look of a series' points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// Dots, of the next colour for each series.
    Dot,
    /// A triangle: the pick of a model.
    Pick,
    /// A cross: the best point.
    Best,
}

impl Chart {
    pub(super) fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let looks = self.looks();
        let entries: Vec<(&str, Look)> = self.labels().zip(looks.iter().copied()).collect();
        let area = legend::draw(area, &entries)?;
        let [x, y] = self.scales();
        let mut plane = ChartBuilder::on(&area)
            .caption(&self.title, (FONT, TITLE))
            .x_label_area_size(46)
            .y_label_area_size(66)
            .build_cartesian_2d(x, y)?;
        let mut mesh = plane.configure_mesh();
        mesh.x_desc(&self.x.label).y_desc(&self.y.label).x_labels(7).y_labels(8).max_light_lines(0);
        mesh.label_style((FONT, TEXT - 1.0)).axis_desc_style((FONT, TEXT)).bold_line_style(BLACK.mix(0.12));
        mesh.draw()?;
        let points = self.series.iter().map(|series| &series.points).chain(self.lines.iter().map(|line| &line.points));
        let mut layers: Vec<_> = looks.iter().zip(points).collect();
        // Marked points are drawn above dots and lines.
        layers.sort_by_key(|(look, _)| look.layer());
        layers.into_iter().try_for_each(|(look, points)| look.draw(&mut plane, points))
    }

    /// The names in the legend: of the series, then of the lines.
    fn labels(&self) -> impl Iterator<Item = &str> {
        let series = self.series.iter().map(|series| series.label.as_str());
        series.chain(self.lines.iter().map(|line| line.label.as_str()))
    }

    /// The looks of the series, then of the lines.
    fn looks(&self) -> Vec<Look> {
        let dots = || self.series.iter().filter(|series| series.marker == Marker::Dot);
        let size = if dots().map(|series| series.points.len()).sum::<usize>() > CROWD { 2 } else { 3 };
        let mut colours = DISTINCT.into_iter().cycle();
        let series = self.series.iter().map(|series| match series.marker {
            Marker::Dot => Look::Dot(colours.next().unwrap_or(REFERENCE), size),
            Marker::Pick => Look::Pick,
            Marker::Best => Look::Best,
        });
        let lines = [(8, 4), (2, 4), (14, 4)].into_iter().cycle().map(|(dash, gap)| Look::Line(dash, gap));
        series.chain(lines.take(self.lines.len())).collect()
    }

    /// The scales of both axes, which contain all points and lines.
    fn scales(&self) -> [Scale; 2] {
        let all = || {
            let lines = self.lines.iter().flat_map(|line| &line.points);
            lines.chain(self.series.iter().flat_map(|series| &series.points))
        };
        let x = Scale::around(all().map(|point| point.0), self.x.logarithmic);
        let y = Scale::around(all().map(|point| point.1), self.y.logarithmic);
        [x, y]
    }
}
