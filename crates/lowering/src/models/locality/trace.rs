//! The nest of what a work group executed: the matrices of its accesses from the slopes of their addresses.
//!
//! An address is one subscript of an array of elements, so that F has one row: the steps of the address, in elements, with
//! the counters of the loops and with the local ids.

use std::collections::BTreeMap;

use num_integer::gcd;
use num_rational::Ratio;

use super::integers::IntegerMatrix;
use super::nest::{Around, Keyword, Nest, Node, Occurrence, Subscripts, Traced};
use super::traffic::served;
use crate::lowering::{
    LaneBytes, Launched, Listed, ListedAccess, ListedStep, Lowering, MemoryBanks, TouchedMemory, is_of_memory,
};
use crate::spec::{Direction, Spec};
use autotune_kernel::source::{
    AccessKind, Known, Lanes as Values, Mask, RegionId, Shape, Slope, SourceMemory, Symbol, TracedKernel, middle,
};

/// The number of equal parts that make a whole share of executions.
const SHARES: u64 = 1 << 16;

/// The steps of an address in bytes: those that change evenly.
struct Steps {
    /// The address of the first work item where all counters are 0, from the beginning of its array.
    first: i64,
    /// The steps with each loop around, the outermost first, then with each local id.
    of_vector: Vec<i64>,
    /// The steps with each group id; 0 where groups do not move the address evenly.
    of_group: [i64; 3],
}

/// The nest of a trace, which is of the middle group of its launch or has its addresses, and the position of each access
/// in `listed`.
pub(super) fn nest<'a>(
    spec: &Spec,
    lowering: &Lowering<'_>,
    launched: &Launched,
    traced: &'a TracedKernel,
    listed: &Listed<'a>,
) -> (Nest<'a>, Vec<usize>) {
    let dims = launched.geometry.dims;
    let grid = launched.geometry.grid;
    let builder = Builder {
        traced,
        axes: spec.launch.work_group.len(),
        dims,
        grid,
        warp_size: lowering.names().warp_size.unsigned_abs().max(1),
        served: served(lowering),
        banks: lowering.banks(),
    };
    let units = builder.units(listed);
    let mut positions = Vec::new();
    let mut occurrences = Vec::new();
    let mut numbers = BTreeMap::new();
    for (position, access) in listed.accesses.iter().enumerate().filter(|(_, access)| is_of_memory(&access.access)) {
        numbers.insert(position, occurrences.len());
        positions.push(position);
        occurrences.push(builder.occurrence(access, &units));
    }
    let nest = Nest {
        body: nodes(&listed.steps, &numbers),
        occurrences,
        dims,
        axes: builder.axes,
        lane_axis: dims.iter().position(|size| *size > 1).unwrap_or(0),
        blocks: [grid[0], grid[1], grid[2], launched.geometry.times],
    };
    (nest, positions)
}

fn nodes(steps: &[ListedStep], numbers: &BTreeMap<usize, usize>) -> Vec<Node> {
    let node = |step: &ListedStep| match step {
        ListedStep::Loop(number, body) => Some(Node::Loop(*number, nodes(body, numbers))),
        ListedStep::Access(position) => numbers.get(position).map(|number| Node::Access(*number)),
    };
    steps.iter().filter_map(node).collect()
}

/// What the accesses of a trace share.
struct Builder<'a> {
    traced: &'a TracedKernel,
    axes: usize,
    dims: [u64; 3],
    grid: [u64; 3],
    warp_size: u64,
    /// The lanes whose accesses to global memory are served together.
    served: u64,
    banks: Option<MemoryBanks>,
}

impl<'a> Builder<'a> {
    /// The unit of the addresses of each array, in bytes: the greatest number that divides all of them.
    fn units(&self, listed: &Listed<'_>) -> BTreeMap<RegionId, u64> {
        let mut units: BTreeMap<RegionId, u64> = BTreeMap::new();
        for access in listed.accesses.iter().filter(|access| is_of_memory(&access.access)) {
            let Some(region) = access.access.region else { continue };
            let unit = units.entry(region).or_default();
            *unit = gcd(*unit, access.access.bytes / access.access.elements.max(1));
            if let Some(steps) = self.steps(access) {
                let all = steps.of_vector.iter().chain(&steps.of_group).chain([&steps.first]);
                *unit = all.fold(*unit, |unit, step| gcd(unit, step.unsigned_abs()));
            }
        }
        units
    }

    fn occurrence(&self, access: &ListedAccess<'a>, units: &BTreeMap<RegionId, u64>) -> Occurrence<'a> {
        let of = &access.access;
        let element_bytes = (of.bytes / of.elements.max(1)).max(1);
        let unit = of.region.and_then(|region| units.get(&region)).copied().unwrap_or(0).max(1);
        let steps = self.steps(access);
        let lane_axis = self.dims.iter().position(|size| *size > 1).unwrap_or(0);
        let step = steps.as_ref().and_then(|steps| steps.of_vector.get(access.loops.len() + lane_axis));
        let around = access.loops.iter().map(|around| Around {
            number: around.number,
            name: None,
            line: (around.place.line > 0).then_some(around.place.line),
            count: around.times,
        });
        let shares = num_traits::ToPrimitive::to_u64(&(access.share * 65_536.0).round()).unwrap_or(SHARES);
        Occurrence {
            keyword: match (of.memory, of.kind) {
                (SourceMemory::Local, _) => Keyword::Local,
                (_, AccessKind::Load) => Keyword::Load,
                _ => Keyword::Store,
            },
            direction: Some(if of.kind == AccessKind::Load { Direction::Read } else { Direction::Write }),
            array: access.array,
            place: access.place,
            pattern: None,
            banks: None,
            around: around.collect(),
            repeated: Ratio::new(shares, SHARES),
            lanes: LaneBytes {
                dims: self.dims,
                strides: [0; 3],
                width: of.bytes,
                items: access.items.count_ones(..) as u64,
                begins: None,
            },
            element_bytes: unit,
            subscripts: steps.as_ref().map(|steps| self.subscripts(access, steps, unit)),
            footprint: None,
            traced: Some(Traced {
                touched: self.touched(access),
                stride: step.map(|step| step.unsigned_abs() / element_bytes),
                lanes: access.items.ones().map(|lane| lane as u64).collect(),
            }),
        }
    }

    /// The memory that an execution touches, sectors by the lanes that are served together.
    fn touched(&self, access: &ListedAccess<'_>) -> TouchedMemory {
        let touched = access.touched(self.traced, self.warp_size, self.banks);
        if self.served == self.warp_size {
            return touched;
        }
        let TouchedMemory { sectors, least_sectors, .. } = access.touched(self.traced, self.served, None);
        TouchedMemory { sectors, least_sectors, ..touched }
    }

    /// The steps of an address; `None` if it depends on data or does not change evenly.
    fn steps(&self, access: &ListedAccess<'_>) -> Option<Steps> {
        // Where data puts an array's part is not known.
        let known = access.access.address.as_ref().filter(|known| !known.is_on_data())?;
        let (first, across) = even(&known.base, &access.items, &self.traced.shape)?;
        let mut of_vector = Vec::with_capacity(access.loops.len() + self.axes);
        for around in &access.loops {
            of_vector.push(around.counter.map_or(Some(0), |counter| slope(known, Symbol::Counter(counter)))?);
        }
        of_vector.extend(across.into_iter().take(self.axes));
        let begin = access.access.region.map_or(0, RegionId::address);
        let of_group = [0, 1, 2].map(|axis| slope(known, Symbol::Group(axis)).unwrap_or(0));
        Some(Steps { first: first - begin, of_vector, of_group })
    }

    fn subscripts(&self, access: &ListedAccess<'_>, steps: &Steps, unit: u64) -> Subscripts {
        let whole = unit.cast_signed();
        let row: Vec<i64> = steps.of_vector.iter().map(|step| step / whole).collect();
        let of_block: Vec<i64> = steps.of_group.iter().map(|step| step / whole).chain([0]).collect();
        // The trace is of the middle group.
        let middle =
            self.grid.iter().zip(&of_block).map(|(groups, step)| step.wrapping_mul(middle(*groups).cast_signed()));
        let constant = (steps.first / whole).wrapping_sub(middle.fold(0, i64::wrapping_add));
        let stated = access.access.region.and_then(|region| self.traced.executed.regions[region.0 as usize].bytes);
        Subscripts {
            matrix: IntegerMatrix::from_fn(1, row.len(), |_, column| row[column]),
            constant: vec![constant],
            of_block: IntegerMatrix::from_fn(1, 4, |_, column| of_block[column]),
            pitches: vec![1],
            array_bytes: stated.unwrap_or_else(|| self.reach(access, steps)),
        }
    }

    /// The bytes from the first to the last that all groups access.
    fn reach(&self, access: &ListedAccess<'_>, steps: &Steps) -> u64 {
        let counts = access.loops.iter().map(|around| around.times).chain(self.dims.into_iter().take(self.axes));
        let of_items = steps.of_vector.iter().zip(counts);
        let of_groups = steps.of_group.iter().zip(self.grid);
        let reach = |(step, count): (&i64, u64)| step.unsigned_abs().saturating_mul(count.saturating_sub(1));
        of_items.chain(of_groups).map(reach).fold(access.access.bytes, u64::saturating_add)
    }
}

/// The step of a value with a symbol; `None` if it is not the same for all work items.
fn slope(known: &Known, symbol: Symbol) -> Option<i64> {
    match known.slope(symbol) {
        None => Some(0),
        Some(Slope::By(Values::Same(step))) => Some(*step),
        Some(_) => None,
    }
}

/// The value of the first work item and the steps along x, y and z, if the values of the work items that take part
/// change evenly.
pub(crate) fn even(values: &Values, items: &Mask, shape: &Shape) -> Option<(i64, [i64; 3])> {
    match values {
        Values::Same(value) => Some((*value, [0; 3])),
        Values::Even { base, steps } => Some((*base, *steps)),
        Values::Each(_) => {
            let origin = items.ones().next()?;
            let from = shape.coordinates()[origin];
            let mut steps = [0; 3];
            let mut stride = 1;
            for (axis, step) in steps.iter_mut().enumerate() {
                let next = origin + stride;
                if items.contains(next) && shape.coordinates()[next][axis] == from[axis] + 1 {
                    *step = values.at(next, shape).wrapping_sub(values.at(origin, shape));
                }
                stride *= usize::try_from(shape.sizes()[axis]).ok()?;
            }
            let moved =
                |at: [i64; 3]| (0..3).fold(0_i64, |sum, axis| sum.wrapping_add(steps[axis].wrapping_mul(at[axis])));
            let base = values.at(origin, shape).wrapping_sub(moved(from));
            let is_even = |lane: usize| values.at(lane, shape) == base.wrapping_add(moved(shape.coordinates()[lane]));
            items.ones().all(is_even).then_some((base, steps))
        }
    }
}
