//! A panel of points and lines over two axes.

mod legend;
mod look;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::Scale;
use super::colours::{DISTINCT, REFERENCE};
use super::{Drawn, FONT, TEXT, TITLE};
use crate::render::plot::chart::look::Look;

/// More points than these are drawn smaller, so that they do not hide each other.
const CROWD: usize = 500;

/// Points and lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What the points are compared with.
    pub lines: Vec<Line>,
    /// The points; each series has its colour, later ones lie above.
    pub series: Vec<Series>,
}

/// One direction of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What is drawn along it, with its unit.
    pub label: String,
    /// Whether equal ratios have equal lengths.
    pub logarithmic: bool,
}

/// A dashed line through some points.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it is.
    pub label: String,
    /// Where it goes.
    pub points: Vec<(f64, f64)>,
}

/// Points of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What they are.
    pub label: String,
    /// How they look.
    pub marker: Marker,
    /// Where they are.
    pub points: Vec<(f64, f64)>,
}

/// How points look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// Dots of the next colour.
    Dot,
    /// A triangle: what a model picks.
    Pick,
    /// A cross: what is best.
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
        // What is marked lies above all else.
        layers.sort_by_key(|(look, _)| look.layer());
        layers.into_iter().try_for_each(|(look, points)| look.draw(&mut plane, points))
    }

    /// What all that is drawn is called: series, then lines.
    fn labels(&self) -> impl Iterator<Item = &str> {
        let series = self.series.iter().map(|series| series.label.as_str());
        series.chain(self.lines.iter().map(|line| line.label.as_str()))
    }

    /// How each of it looks.
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

    /// Axes that show all of it.
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
