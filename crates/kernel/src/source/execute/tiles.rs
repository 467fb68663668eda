//! Copies of tiles that one work item starts for its group: what they move, and which of them a wait is for.

use std::sync::Arc;

use super::super::ir::Type;
use super::super::ptx::{TensorField, element_bytes};
use super::super::trace::{AccessKind, Destination, SourceAccess};
use super::super::value::{Known, Lanes, Mask, Slope, Value};
use super::memory::{Accessing, GLOBAL, restrict};
use super::state::Run;
use super::tensors::DIMENSIONS;

/// The starts that are remembered: a wait for an older one waits for nothing new.
const MOST_STARTED: usize = 64;

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// The most rows of a tile.
const MOST_ROWS: usize = 1 << 14;

/// The memory of a tile.
pub(super) struct Tile {
    /// The address of its first byte; `None` if it is not known.
    first: Option<Known>,
    /// The bytes from the first one to the beginning of each row.
    rows: Vec<i64>,
    /// Bytes of a row.
    bytes: u64,
}

impl Tile {
    /// The bytes from the first one to the beginning of each piece, and the bytes of a piece: rows, or equal parts of rows if
    /// that many work items are there, as long as pieces are whole sectors. A tile at an unknown address is one row.
    fn pieces(&self, lanes: usize) -> (Vec<i64>, u64) {
        let (rows, bytes) = match self.first {
            Some(_) => (self.rows.clone(), self.bytes),
            None => (vec![0], self.bytes.saturating_mul(self.rows.len() as u64)),
        };
        let mut parts = 1;
        while rows.len() * parts * 2 <= lanes && bytes > 0 && bytes.is_multiple_of(parts as u64 * 2 * SECTOR) {
            parts *= 2;
        }
        let piece = bytes / parts as u64;
        let begin = |row: i64, part: usize| row.wrapping_add_unsigned(piece * part as u64);
        (rows.iter().flat_map(|row| (0..parts).map(|part| begin(*row, part))).collect(), piece)
    }

    /// Bytes of a row.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Run<'_> {
    /// Notes a field of what describes a tensor: of a dimension, if there is one.
    pub(super) fn describe(
        &mut self,
        at: &Value,
        lane: usize,
        (field, dimension): (TensorField, Option<&Value>),
        value: &Value,
    ) {
        let Some(at) = self.place(at, lane) else { return };
        let number = self.number_of(value, lane);
        let dimension = dimension.and_then(|one| self.number_of(one, lane)).and_then(|one| usize::try_from(one).ok());
        let dimension = dimension.filter(|one| *one < DIMENSIONS);
        let first = value.known().map(|first| self.of_lane_alone(first, lane));
        let tensor = self.tiles.tensors.entry(at).or_default();
        match (field, dimension) {
            (TensorField::Address, _) => tensor.first = first,
            (TensorField::Type, _) => tensor.element_bytes = number.and_then(element_bytes),
            (TensorField::Box, Some(at)) => tensor.extents[at] = number.and_then(|extent| extent.try_into().ok()),
            // That of dimension 1 is the first.
            (TensorField::Stride, Some(at)) if at + 1 < DIMENSIONS => tensor.strides[at + 1] = number,
            _ => {}
        }
    }

    /// Copies what describes a tensor.
    pub(super) fn copy_description(&mut self, to: &Value, from: &Value, lane: usize) {
        if let (Some(to), Some(from)) = (self.place(to, lane), self.place(from, lane))
            && let Some(tensor) = self.tiles.tensors.get(&from).cloned()
        {
            self.tiles.tensors.insert(to, tensor);
        }
    }

    /// Notes the bytes that copies bring until a barrier is passed.
    pub(super) fn expect_bytes(&mut self, barrier: &Value, bytes: &Value, lane: usize) {
        let bytes = self.number_of(bytes, lane).and_then(|bytes| u64::try_from(bytes).ok());
        if let (Some(barrier), Some(bytes)) = (self.place(barrier, lane), bytes) {
            self.tiles.expected.insert(barrier, bytes);
        }
    }

    /// The tile of a tensor at coordinates, for a work item; `None` if it is not known how much it is.
    pub(super) fn tile(&mut self, described: &Value, coordinates: &[Value], lane: usize) -> Option<Tile> {
        let described = self.place(described, lane)?;
        let tensor = self.tiles.tensors.get(&described)?.clone();
        let size = tensor.element_bytes?;
        let mut first = tensor.first.clone();
        let mut rows = vec![0_i64];
        for (at, coordinate) in coordinates.iter().enumerate().take(DIMENSIONS) {
            let stride = if at == 0 { i64::try_from(size).ok() } else { tensor.strides[at] };
            first = match (first, coordinate.known(), stride) {
                (Some(first), Some(by), Some(stride)) => {
                    let by = self.of_lane_alone(by, lane);
                    Some(self.arithmetic().sum(&first, &by, stride, 64, true))
                }
                _ => None,
            };
            if at > 0 {
                let extent = tensor.extents[at]?;
                let stride = stride.unwrap_or(0);
                let before = rows.clone();
                rows.clear();
                for step in 0..extent {
                    let by = stride.wrapping_mul(i64::try_from(step).ok()?);
                    rows.extend(before.iter().map(|row: &i64| row.wrapping_add(by)));
                    if rows.len() > MOST_ROWS {
                        return None;
                    }
                }
            }
        }
        Some(Tile { first, rows, bytes: tensor.extents[0]? * size })
    }

    /// A tile of neighbouring bytes at an address, for a work item.
    pub(super) fn tile_of_bytes(&mut self, from: &Value, bytes: &Value, lane: usize) -> Option<Tile> {
        let bytes = u64::try_from(self.number_of(bytes, lane)?).ok()?;
        let first = from.known().map(|from| self.of_lane_alone(from, lane));
        Some(Tile { first, rows: vec![0], bytes })
    }

    /// A tile somewhere, with the bytes that its barrier still expects; `None` if these are not known.
    pub(super) fn expected_tile(&mut self, barrier: &Value, lane: usize) -> Option<Tile> {
        let barrier = self.place(barrier, lane)?;
        let bytes = self.tiles.expected.get_mut(&barrier)?;
        Some(Tile { first: None, rows: vec![0], bytes: std::mem::take(bytes) })
    }

    /// Notes the start of a copy that ends at a barrier.
    pub(super) fn start_tile(&mut self, barrier: &Value, lane: usize) {
        let barrier = self.place(barrier, lane);
        self.tiles.started.push_front((barrier, lane));
        self.tiles.started.truncate(MOST_STARTED);
    }

    /// The starts behind those that end at a barrier, which a wait leaves pending: all if none ends there, and none if that
    /// is not known. `None` if the warp that started them does not wait.
    pub(super) fn tiles_behind(&mut self, barrier: &Value, waiting: &Mask) -> Option<u32> {
        let barrier = waiting.ones().next().and_then(|lane| self.place(barrier, lane));
        let ends_there = |(of, _): &(Option<i64>, usize)| barrier.is_none() || of.is_none() || *of == barrier;
        let started = &self.tiles.started;
        let behind = started.iter().position(ends_there);
        let by = behind.map(|at| started[at].1);
        let warp = self.warp();
        let is_alone = by.is_some_and(|by| !waiting.ones().any(|lane| lane / warp == by / warp));
        (!is_alone).then(|| u32::try_from(behind.unwrap_or(started.len())).unwrap_or(0))
    }

    /// The first work items of a mask in each warp.
    pub(super) fn first_of_warps(&self, mask: &Mask) -> Mask {
        let mut first = mask.clone();
        if self.launch.first_items.is_some() {
            return first;
        }
        let warp = self.warp();
        let mut last = None;
        for lane in mask.ones() {
            if last == Some(lane / warp) {
                first.set(lane, false);
            }
            last = Some(lane / warp);
        }
        first
    }

    /// 1 in the work items of a mask, 0 in others.
    pub(super) fn truth(&self, mask: &Mask) -> Value {
        let each = (0..self.shape.lanes()).map(|lane| i64::from(mask.contains(lane))).collect();
        Value::Known(Known::fixed(Lanes::from_values(each, &self.shape)))
    }

    /// Notes the memory of a tile: a piece for each work item. The first of its accesses is the instruction.
    pub(super) fn access_tile(
        &mut self,
        tile: &Tile,
        (kind, to): (AccessKind, &Value),
        (what, all): (&Accessing, &Mask),
        accesses: &mut Vec<SourceAccess>,
    ) {
        let to = (kind == AccessKind::LoadTile).then(|| Arc::new(self.destination(&self.local_address(to), what)));
        let lanes = self.shape.lanes();
        if self.launch.first_items.is_some() {
            // Each work item is a group of its own.
            let address = tile.first.clone().map_or(Value::Unknown, Value::Known);
            let noted = accesses.len();
            self.access(&Type::Pointer(GLOBAL), &address, &what.again(), accesses);
            end_tile(&mut accesses[noted..], (1, to), what.mask, all);
            return;
        }
        let (pieces, bytes) = tile.pieces(lanes);
        for (number, pieces) in pieces.chunks(lanes).enumerate() {
            let at = |lane: usize| pieces.get(lane).or(pieces.first()).copied().unwrap_or(0);
            let offsets = Known::fixed(Lanes::from_values((0..lanes).map(at).collect(), &self.shape));
            let address = tile.first.as_ref().map(|first| self.arithmetic().sum(first, &offsets, 1, 64, true));
            let mut items = Mask::with_capacity(lanes);
            items.insert_range(..pieces.len());
            let part = Accessing { bytes, elements: 1, mask: &items, ..what.again() };
            let noted = accesses.len();
            self.access(&Type::Pointer(GLOBAL), &address.map_or(Value::Unknown, Value::Known), &part, accesses);
            end_tile(&mut accesses[noted..], (u64::from(number == 0), to.clone()), &items, all);
        }
    }

    /// The number that a work item has in all iterations; `None` if it is not known.
    fn number_of(&self, value: &Value, lane: usize) -> Option<i64> {
        self.of_lane_alone(value.known()?, lane).as_constant()
    }

    /// A value of a work item, as that of all.
    fn of_lane_alone(&self, known: &Known, lane: usize) -> Known {
        if self.launch.first_items.is_some() {
            return known.clone();
        }
        let slopes = known.slopes.iter().map(|(symbol, slope)| {
            let slope = match slope {
                Slope::By(lanes) => Slope::By(Lanes::Same(lanes.at(lane, &self.shape))),
                Slope::Uneven(ends) => Slope::Uneven(*ends),
            };
            (*symbol, slope)
        });
        Known { base: Lanes::Same(known.base.at(lane, &self.shape)), slopes: slopes.collect() }
    }

    /// The place in memory that an address is for a work item of the group that is executed; `None` if it is not known. Other
    /// iterations of a loop have other places.
    fn place(&mut self, at: &Value, lane: usize) -> Option<i64> {
        let alone = self.of_lane_alone(at.known().filter(|at| !at.is_on_data())?, lane);
        self.demands.walk_loops(&alone.slopes);
        // Where each work item is a group of its own, the first stands for all.
        let place = Known::constant(alone.base.at(0, &self.shape));
        self.local_address(&Value::Known(place)).known()?.as_constant()
    }
}

/// Completes the accesses of a tile, by `items` of all work items that execute the block.
fn end_tile(accesses: &mut [SourceAccess], (split, to): (u64, Option<Arc<Destination>>), items: &Mask, all: &Mask) {
    for access in accesses.iter_mut() {
        (access.split, access.to) = (split, to.clone());
    }
    restrict(accesses, items, all);
}
