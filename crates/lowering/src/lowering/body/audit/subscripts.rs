//! The least and the greatest value of a subscript over all work items and loop counters: exact, since it is affine.

use crate::lowering::launch::Geometry;
use crate::lowering::stop::{LoweringProblem, LoweringStop, Outside, values};
use crate::spec::{Affine, Index, Scope};

/// The ranges of ids and counters.
pub(super) struct Ranges<'a> {
    /// The work items that take part.
    pub(super) blocks: &'a [Block],
    /// Iterations of the loops with a counter, in the order of [`Affine::counters`].
    pub(super) counts: &'a [u64],
    /// The names of the counters, in the order of `counts`.
    pub(super) names: &'a [String],
}

/// The first and the last value of an id.
type Range = (i128, i128);

/// A block of work items: the ranges of their local ids along x, y and z, then of their group ids.
pub(in crate::lowering) type Block = [Range; 6];

/// One end of a subscript's range of values.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Least,
    Greatest,
}

impl Ranges<'_> {
    /// Checks that each subscript stays inside the shape for all work items; for at least one if `guarded`.
    pub(in crate::lowering) fn check(
        &self,
        index: &Index,
        scope: &Scope,
        vector: u64,
        guarded: bool,
    ) -> Result<(), LoweringStop> {
        let (blocks, rows) = (self.blocks, index.affine(scope)?);
        for (axis, (row, extent)) in rows.iter().zip(&index.shape).enumerate() {
            let size = i128::from(extent.positive(scope)?);
            // The elements of one access lie along a row.
            let width = if axis + 1 == rows.len() { i128::from(vector) } else { 1 };
            let least = blocks.iter().map(|block| (self.end(row, block, End::Least), block)).min_by_key(|end| end.0);
            let greatest =
                blocks.iter().map(|block| (self.end(row, block, End::Greatest), block)).max_by_key(|end| end.0);
            let (Some(least), Some(greatest)) = (least, greatest) else { return Ok(()) };
            let outside = match guarded {
                false if least.0 < 0 => Some((least, End::Least, 1)),
                false if greatest.0.saturating_add(width) > size => Some((greatest, End::Greatest, width)),
                true if greatest.0 < 0 => Some((greatest, End::Greatest, 1)),
                true if least.0 >= size => Some((least, End::Least, 1)),
                _ => None,
            };
            if let Some(((value, block), end, width)) = outside {
                let subscript = &index.subscripts[axis];
                let outside = Outside {
                    subscript: subscript.text().to_owned(),
                    reaches: value.saturating_add(width - 1),
                    extent: size,
                    shape: extent.text().to_owned(),
                    at: self.witness(row, block, end),
                    values: values(subscript, scope),
                    guarded,
                };
                return Err(LoweringStop::At(subscript.place(), LoweringProblem::Outside(Box::new(outside))));
            }
        }
        Ok(())
    }

    /// The least or the greatest value of a subscript in a block. A value that does not fit 128 bits saturates, outside
    /// of every array.
    fn end(&self, row: &Affine, block: &Block, end: End) -> i128 {
        let ids = (0..6).map(|id| i128::from(coefficient(row, id)) * at(coefficient(row, id), block[id], end));
        let counters = row.counters().iter().zip(self.counts);
        let counters = counters.map(|(by, count)| i128::from(*by) * at(*by, (0, i128::from(*count) - 1), end));
        ids.chain(counters).fold(i128::from(row.constant), i128::saturating_add)
    }

    /// The ids and counters that give the value at `end`: `lx = 3, gx = 7, t = 1`.
    fn witness(&self, row: &Affine, block: &Block, end: End) -> String {
        const IDS: [&str; 6] = ["lx", "ly", "lz", "gx", "gy", "gz"];
        let ids = (0..6).map(|id| (IDS[id], coefficient(row, id), block[id]));
        let counters = row.counters().iter().zip(self.names).zip(self.counts);
        let counters = counters.map(|((by, name), count)| (name.as_str(), *by, (0, i128::from(*count) - 1)));
        let moving = ids.chain(counters).filter(|(_, by, _)| *by != 0);
        moving.map(|(name, by, range)| format!("{name} = {}", at(by, range, end))).collect::<Vec<_>>().join(", ")
    }
}

/// The blocks that cover the work items of all groups that take part: of each group the first `items` in lane order, which
/// are up to three blocks. If groups do not divide an axis, the last group along it has fewer work items.
pub(in crate::lowering) fn blocks(geometry: &Geometry, items: u64) -> Vec<Block> {
    let mut blocks = Vec::new();
    for lanes in first_lanes(geometry, items) {
        let [x, y, z] = [0, 1, 2].map(|axis| along(geometry, axis, lanes[axis]));
        for one in &x {
            for two in &y {
                blocks.extend(z.iter().map(|three| [one.0, two.0, three.0, one.1, two.1, three.1]));
            }
        }
    }
    blocks.retain(|block| block.iter().all(|(first, last)| first <= last));
    blocks
}

/// The ranges of local ids along an axis, each with the range of group ids that have them.
fn along(geometry: &Geometry, axis: usize, lanes: Range) -> Vec<(Range, Range)> {
    let [dim, grid, rest] = [geometry.dims, geometry.grid, geometry.rest].map(|sizes| i128::from(sizes[axis]));
    if rest == dim {
        return vec![(lanes, (0, grid - 1))];
    }
    vec![(lanes, (0, grid - 2)), ((lanes.0, lanes.1.min(rest - 1)), (grid - 1, grid - 1))]
}

/// The first lanes of a group as ranges: whole planes, whole lines of the next plane, a part of the next line.
fn first_lanes(geometry: &Geometry, items: u64) -> [[Range; 3]; 3] {
    let [x, y, z] = geometry.dims.map(i128::from);
    let items = i128::from(items).min(x * y * z);
    let (planes, left) = (items / (x * y), items % (x * y));
    let (lines, rest) = (left / x, left % x);
    [
        [(0, x - 1), (0, y - 1), (0, planes - 1)],
        [(0, x - 1), (0, lines - 1), (planes, planes)],
        [(0, rest - 1), (lines, lines), (planes, planes)],
    ]
}

/// The coefficient of an id: 0 to 2 are the local ids along x, y and z, 3 to 5 the group ids.
fn coefficient(row: &Affine, id: usize) -> i64 {
    if id < 3 { row.local(id) } else { row.group(id - 3) }
}

/// The end of a range where a term is least or greatest.
fn at(by: i64, (first, last): Range, end: End) -> i128 {
    if (by > 0) == (end == End::Greatest) { last } else { first }
}
