//! A heat map's cells, axes, scale and legend, pixel by pixel.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::axis::Scale;
use super::super::colours::{INFEASIBLE, REFERENCE, on, quality};
use super::super::{Drawn, FONT, TEXT, TITLE};
use super::{Cell, HeatMap, Side};

/// Pixels of the margins of the cells: above, right, below, left.
const AROUND: [i32; 4] = [38, 92, 84, 66];
/// Pixels: the width of a digit at an axis, the width of a digit in a cell, and the height of a line of text.
const DIGIT: i32 = 8;
const NARROW: i32 = 7;
const LINE: i32 = 17;
/// The number of colours of the scale.
const STEPS: i32 = 64;

type Area<DB> = DrawingArea<DB, Shift>;

/// The rectangle of the cells in pixels, and the numbers of columns and rows.
#[derive(Debug, Clone, Copy)]
struct Grid {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    columns: i32,
    rows: i32,
}

impl HeatMap {
    pub(in super::super) fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let grid = Grid::of(self, area.dim_in_pixel());
        let middle = i32::midpoint(grid.left, grid.right);
        text(area, &self.title, (middle, 16), TITLE)?;
        let range = self.scale();
        for (index, cell) in (0..).zip(&self.cells) {
            let (column, row) = (index % grid.columns, index / grid.columns);
            draw_cell(area, grid.cell(column, row), *cell, range)?;
        }
        if let Some(best) = (0..).zip(&self.cells).find(|(_, cell)| cell.time() == range.map(|(low, _)| low)) {
            let frame = grid.cell(best.0 % grid.columns, best.0 / grid.columns);
            // Dark in the dark too, since the cell keeps its colour.
            draw_frame(area, frame, on(quality(1.0)))?;
        }
        let whole = [(grid.left, grid.top), (grid.right, grid.bottom)];
        area.draw(&Rectangle::new(whole, REFERENCE.stroke_width(1)))?;
        self.draw_axes(area, grid)?;
        draw_legend(area, grid, self.best)?;
        range.map_or(Ok(()), |range| draw_scale(area, grid, range, self.best))
    }

    fn draw_axes<DB: DrawingBackend>(&self, area: &Area<DB>, grid: Grid) -> Drawn<DB> {
        let across = self.columns.labels();
        let longest = across.iter().map(String::len).max().and_then(|most| i32::try_from(most).ok()).unwrap_or(1);
        let apart = (longest + 1) * DIGIT;
        for (column, name) in every(&across, grid.right - grid.left, apart) {
            let [(left, _), (right, _)] = grid.cell(column, 0);
            text(area, name, (i32::midpoint(left, right), grid.bottom + 12), TEXT - 1.0)?;
        }
        let style = text_style(TEXT - 1.0).pos(Pos::new(HPos::Right, VPos::Center));
        for (row, name) in every(&self.rows.labels(), grid.bottom - grid.top, LINE) {
            let [(_, top), (_, bottom)] = grid.cell(0, row);
            area.draw(&Text::new(name, (grid.left - 6, i32::midpoint(top, bottom)), style.clone()))?;
        }
        text(area, &self.columns.name, (i32::midpoint(grid.left, grid.right), grid.bottom + 31), TEXT)?;
        let upwards = text_style(TEXT).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(self.rows.name.as_str(), (14, i32::midpoint(grid.top, grid.bottom)), upwards))
    }
}

impl Grid {
    fn of(map: &HeatMap, (width, height): (u32, u32)) -> Self {
        let pixels = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let count = |side: &Side| i32::try_from(side.places.len()).unwrap_or(i32::MAX).max(1);
        let [above, beside, below, left] = AROUND;
        let (right, bottom) = (pixels(width) - beside, pixels(height) - below);
        Self { left, top: above, right, bottom, columns: count(&map.columns), rows: count(&map.rows) }
    }

    /// Returns the upper left and lower right corner of a cell in pixels. Rows are counted from below.
    fn cell(&self, column: i32, row: i32) -> [(i32, i32); 2] {
        let x = |column| self.left + (self.right - self.left) * column / self.columns;
        let y = |row| self.bottom - (self.bottom - self.top) * row / self.rows;
        [(x(column), y(row + 1)), (x(column + 1), y(row))]
    }
}

fn draw_cell<DB: DrawingBackend>(
    area: &Area<DB>,
    corners: [(i32, i32); 2],
    cell: Cell,
    range: Option<(f64, f64)>,
) -> Drawn<DB> {
    let (time, (low, high)) = match (cell, range) {
        (Cell::Best(time, _), Some(range)) => (time, range),
        (Cell::Infeasible, _) => return draw_infeasible(area, corners),
        _ => return Ok(()),
    };
    let ground = quality(if high > low { (high / time).ln() / (high / low).ln() } else { 1.0 });
    area.draw(&Rectangle::new(corners, ground.filled()))?;
    let ratio = factor(time / low);
    let [(left, top), (right, bottom)] = corners;
    let fits = right - left > NARROW * i32::try_from(ratio.len()).unwrap_or(i32::MAX) && bottom - top > LINE;
    if !fits {
        return Ok(());
    }
    let colour = on(ground);
    let style = text_style(TEXT - 1.0).color(&colour).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(ratio, (i32::midpoint(left, right), i32::midpoint(top, bottom)), style))
}

fn draw_infeasible<DB: DrawingBackend>(area: &Area<DB>, corners: [(i32, i32); 2]) -> Drawn<DB> {
    let ([(left, top), (right, bottom)], (ground, cross)) = (corners, INFEASIBLE);
    area.draw(&Rectangle::new(corners, ground.filled()))?;
    area.draw(&PathElement::new([(left, top), (right, bottom)], cross.stroke_width(1)))?;
    area.draw(&PathElement::new([(left, bottom), (right, top)], cross.stroke_width(1)))
}

/// Draws the frame of the least time.
fn draw_frame<DB: DrawingBackend>(
    area: &Area<DB>,
    [(left, top), (right, bottom)]: [(i32, i32); 2],
    colour: RGBColor,
) -> Drawn<DB> {
    let around = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    area.draw(&PathElement::new(around, colour.stroke_width(3)))
}

/// Draws the scale of colours, the best above.
fn draw_scale<DB: DrawingBackend>(area: &Area<DB>, grid: Grid, (low, high): (f64, f64), best: &str) -> Drawn<DB> {
    let (left, right, height) = (grid.right + 14, grid.right + 30, grid.bottom - grid.top);
    for step in 0..STEPS {
        let y = |step| grid.bottom - height * step / STEPS;
        let colour = quality(f64::from(step) / f64::from(STEPS - 1));
        area.draw(&Rectangle::new([(left, y(step + 1)), (right, y(step))], colour.filled()))?;
    }
    let style = text_style(TEXT - 1.0).pos(Pos::new(HPos::Left, VPos::Center));
    let scale = Scale::between(1.0, (high / low).max(1.0 + f64::EPSILON));
    for (ratio, y) in scale.marks(8, (grid.top, grid.bottom)) {
        area.draw(&PathElement::new([(right, y), (right + 4, y)], BLACK.stroke_width(1)))?;
        area.draw(&Text::new(factor(ratio), (right + 7, y), style.clone()))?;
    }
    let upwards = text_style(TEXT).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(format!("time / {best}"), (right + 51, i32::midpoint(grid.top, grid.bottom)), upwards))
}

fn draw_legend<DB: DrawingBackend>(area: &Area<DB>, grid: Grid, best: &str) -> Drawn<DB> {
    let (y, side) = (grid.bottom + 58, 14);
    let style = text_style(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
    let mut x = grid.left;
    for (number, name) in [best, "cannot run", "not tried"].into_iter().enumerate() {
        let corners = [(x, y - side / 2), (x + side, y + side / 2)];
        match number {
            0 => draw_frame(area, corners, BLACK)?,
            1 => draw_infeasible(area, corners)?,
            _ => area.draw(&Rectangle::new(corners, REFERENCE.stroke_width(1)))?,
        }
        area.draw(&Text::new(name, (x + side + 6, y), style.clone()))?;
        x += 112;
    }
    Ok(())
}

/// Returns the names that have room, beginning with the first, each with its index. `length` is that of the axis in
/// pixels, `apart` that of one name.
fn every(names: &[String], length: i32, apart: i32) -> impl Iterator<Item = (i32, &str)> {
    let count = i32::try_from(names.len()).unwrap_or(i32::MAX).max(1);
    let step = usize::try_from((apart * count).div_euclid(length.max(1)) + 1).unwrap_or(1);
    (0..).zip(names).step_by(step).map(|(place, name)| (place, name.as_str()))
}

/// Returns a factor of the least time with at least 3 digits.
fn factor(ratio: f64) -> String {
    match ratio {
        below if below < 9.995 => format!("{ratio:.2}"),
        below if below < 99.95 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

fn text_style(size: f64) -> TextStyle<'static> {
    (FONT, size).into_font().into()
}

/// Draws text that is centred at a point.
fn text<DB: DrawingBackend>(area: &Area<DB>, what: &str, at: (i32, i32), size: f64) -> Drawn<DB> {
    area.draw(&Text::new(what, at, text_style(size).pos(Pos::new(HPos::Center, VPos::Center))))
}
