//! The legend of a chart, in rows below it.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::colours::{MARKED, REFERENCE};
use super::super::{Drawn, FONT, TEXT};
use super::look::Look;

/// Pixels: the height of a row, the width of a sign and of a letter, and the margins left of and above the legend.
const ROW: i32 = 20;
const SIGN: i32 = 22;
const LETTER: i32 = 7;
const LEFT: i32 = 28;
const GAP: i32 = 8;

/// Draws the legend at the bottom of an area, and returns the rest of that area.
pub(super) fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    entries: &[(&str, Look)],
) -> Result<DrawingArea<DB, Shift>, DrawingAreaErrorKind<DB::ErrorType>> {
    let (width, height) = area.dim_in_pixel();
    let (mut x, mut row, mut places) = (LEFT, 0, Vec::new());
    for (label, _) in entries {
        let length = SIGN + LETTER * (i32::try_from(label.len()).unwrap_or(i32::MAX / 16) + 2);
        if x > LEFT && i64::from(x) + i64::from(length) > width.into() {
            (x, row) = (LEFT, row + 1);
        }
        places.push((x, GAP + row * ROW + ROW / 2));
        x += length;
    }
    let rows = u32::try_from((row + 1) * ROW + GAP).unwrap_or(0);
    let (above, below) = area.split_vertically(height.saturating_sub(rows));
    for ((label, look), place) in entries.iter().zip(places) {
        entry(&below, label, *look, place)?;
    }
    Ok(above)
}

fn entry<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, label: &str, look: Look, (x, y): (i32, i32)) -> Drawn<DB> {
    let centre = (x + 8, y);
    match look {
        // Dots have a square in the legend: the number of circles in a picture is that of its points.
        Look::Dot(colour, _) => area.draw(&Rectangle::new([(x + 3, y - 5), (x + 13, y + 5)], colour.filled()))?,
        Look::Pick => area.draw(&TriangleMarker::new(centre, 7, MARKED.filled()))?,
        Look::Best => area.draw(&Cross::new(centre, 5, BLACK.stroke_width(3)))?,
        Look::Line(dash, gap) => {
            area.draw(&DashedPathElement::new([(x, y), (x + 18, y)], dash, gap, REFERENCE.stroke_width(2)))?;
        }
    }
    let style = TextStyle::from((FONT, TEXT).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(label, (x + SIGN, y), style))
}
