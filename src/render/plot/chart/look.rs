//! The look of a series.

use plotters::prelude::*;

use crate::render::plot::Drawn;
use crate::render::plot::axis::Scale;
use crate::render::plot::colours::{MARKED, REFERENCE};

/// The look of points or of a line, in a chart and in its legend.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Dots of this colour, and of this radius in pixels.
    Dot(RGBColor, u32),
    Pick,
    Best,
    /// Dashes of this length and gaps of this length, in pixels.
    Line(i32, i32),
}

impl Look {
    pub(super) fn layer(self) -> u8 {
        match self {
            Self::Dot(..) => 0,
            Self::Line(..) => 1,
            Self::Best => 2,
            Self::Pick => 3,
        }
    }

    pub(super) fn draw<DB: DrawingBackend>(self, plane: &mut Plane<DB>, points: &[(f64, f64)]) -> Drawn<DB> {
        let each = points.iter().copied();
        match self {
            Self::Dot(colour, size) => {
                let style = colour.mix(if size < 3 { 0.4 } else { 0.6 }).filled();
                plane.draw_series(each.map(|point| Circle::new(point, size, style)))?
            }
            Self::Pick => plane.draw_series(each.map(|point| TriangleMarker::new(point, 7, MARKED.filled())))?,
            Self::Best => plane.draw_series(each.map(|point| Cross::new(point, 8, BLACK.stroke_width(3))))?,
            Self::Line(dash, gap) => {
                plane.draw_series(DashedLineSeries::new(each, dash, gap, REFERENCE.stroke_width(2)))?
            }
        };
        Ok(())
    }
}

pub(super) type Plane<'a, DB> = ChartContext<'a, DB, Cartesian2d<Scale, Scale>>;
