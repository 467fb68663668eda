//! Pictures of results as SVG text. Equal data give equal bytes.
//!
//! ```text
//! comparison, validation, roofline: results to panels ─▶ chart, heat_map: panels to a picture ─▶ axis, colours: shared
//! ```

mod axis;
mod chart;
mod colours;
mod comparison;
mod heat_map;
mod roofline;
mod validation;

use plotters::prelude::*;
use thiserror::Error;

pub use chart::{Axis, Chart, Line, Marker, Series};
pub use comparison::{comparison_picture, rank_chart};
pub use heat_map::{HeatMap, most_telling};
pub use roofline::roofline_chart;
pub use validation::validation_picture;

/// The picture's width in pixels.
const WIDTH: u32 = 1000;
/// The height of the heading in pixels.
const HEADING: u32 = 58;
/// The height of a row of panels in pixels.
const ROW: u32 = 430;
/// The margin of a panel in pixels.
const MARGIN: u32 = 8;
/// The font, and its sizes in pixels: of titles, and of legends and axes.
const FONT: &str = "sans-serif";
const TITLE: f64 = 17.0;
const TEXT: f64 = 14.0;

/// The content of one picture file.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The heading of the picture.
    pub title: String,
    /// The line below the heading, about all panels; may be empty.
    pub subtitle: String,
    /// The parts of the picture, two to a row.
    pub panels: Vec<Panel>,
}

/// A part of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    /// Points and lines over two axes.
    Chart(Chart),
    /// Times over two parameters.
    HeatMap(HeatMap),
}

/// The reason why the plotting library cannot draw a picture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PlotError(String);

/// The result of drawing into an area.
type Drawn<Backend> = Result<(), DrawingAreaErrorKind<<Backend as DrawingBackend>::ErrorType>>;

impl Panel {
    /// Returns this part alone as SVG of `size` pixels, width and height.
    ///
    /// # Errors
    /// If the plotting library fails.
    pub fn svg(&self, size: (u32, u32)) -> Result<String, PlotError> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = area.fill(&WHITE).and_then(|()| self.draw(&area)).and_then(|()| area.present());
        drawn.map_err(|error| PlotError(error.to_string()))?;
        drop(area);
        Ok(text)
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, plotters::coord::Shift>) -> Drawn<DB> {
        match self {
            Self::Chart(chart) => chart.draw(area),
            Self::HeatMap(map) => map.draw(area),
        }
    }
}

impl Picture {
    /// Returns the picture as SVG.
    ///
    /// # Errors
    /// If the plotting library fails, or there are too many panels for a height in pixels.
    pub fn svg(&self) -> Result<String, PlotError> {
        let rows = self.panels.len().div_ceil(2);
        let height = HEADING + ROW * u32::try_from(rows).map_err(|error| PlotError(error.to_string()))?;
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        self.draw(&area, rows).map_err(|error| PlotError(error.to_string()))?;
        drop(area);
        Ok(text)
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, plotters::coord::Shift>, rows: usize) -> Drawn<DB> {
        area.fill(&WHITE)?;
        let (heading, body) = area.split_vertically(HEADING);
        heading.draw(&Text::new(self.title.as_str(), (16, 10), (FONT, 20.0).into_font().style(FontStyle::Bold)))?;
        heading.draw(&Text::new(self.subtitle.as_str(), (16, 36), (FONT, TEXT)))?;
        for (panel, area) in self.panels.iter().zip(body.split_evenly((rows.max(1), 2))) {
            let area = area.margin(MARGIN, MARGIN, MARGIN, MARGIN);
            panel.draw(&area)?;
        }
        area.present()
    }
}
