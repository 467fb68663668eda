//! Accesses beyond arrays of global memory whose sizes are stated.

use super::super::execute::Executed;
use super::super::ir::IrFunction;
use super::super::trace::{AccessKind, BlockRun, Round, SourceAccess, SourceMemory, Step};
use super::super::value::{Known, Lanes, Shape, Slope, Symbol};
use super::found::Safety;
use super::hazard::{Hazard, HazardKind, Party};
use super::on_data::OnData;
use autotune_base::limits::watch::{Phase, look};

/// The groups of a launch that do what the executed one does, at other addresses.
pub(super) struct Alike {
    /// The executed group.
    pub(super) group: [u64; 3],
    /// The first and the last id along each axis.
    pub(super) ids: [[u64; 2]; 3],
}

/// The search in a trace.
struct Search<'a> {
    kernel: &'a IrFunction,
    executed: &'a Executed,
    shape: &'a Shape,
    on_data: &'a OnData,
    alike: &'a Alike,
    /// The counters of the loops around, and their iterations.
    counters: Vec<(u32, u64)>,
    found: Vec<Hazard>,
}

/// A change of an address: by a loop or by the id of the group along an axis, and its least and greatest factor.
type Change<'a> = (&'a Lanes, [i64; 2]);

/// Adds the accesses that lie beyond arrays whose sizes are stated, in the executed group and in those that do the same.
pub(super) fn add(
    safety: &mut Safety,
    kernel: &IrFunction,
    executed: &Executed,
    (shape, alike): (&Shape, &Alike),
    on_data: &OnData,
) {
    if executed.regions.iter().all(|region| region.memory != SourceMemory::Global || region.bytes.is_none()) {
        return;
    }
    let (counters, found) = (Vec::new(), Vec::new());
    let mut search = Search { kernel, executed, shape, on_data, alike, counters, found };
    search.steps(&executed.trace);
    safety.hazards.append(&mut search.found);
}

impl Alike {
    /// The executed group alone.
    pub(super) fn alone(group: [u64; 3]) -> Self {
        Self { group, ids: group.map(|id| [id, id]) }
    }

    /// The groups of a launch that no condition sends another way, as the executed group shows it.
    pub(super) fn of_launch(executed: &Executed, grid: [u64; 3], group: [u64; 3]) -> Self {
        let dependence = &executed.dependence;
        if dependence.is_uneven || !dependence.witnesses.is_empty() {
            return Self::alone(group);
        }
        let edges = dependence.edge_ids(grid, group);
        let ids = [0, 1, 2].map(|axis| {
            let own = group[axis];
            let differs = |id: u64| edges[axis].contains(&id);
            let last = grid[axis].saturating_sub(1);
            // Groups at an edge that do other work are executed for themselves.
            let first = if differs(0) { own.min(1) } else { 0 };
            [first, if differs(last) { own.max(last.saturating_sub(1)) } else { last }]
        });
        Self { group, ids }
    }
}

impl Search<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Block(run) => run.accesses.iter().for_each(|access| self.access(run, access)),
                Step::Loop(run) => run.rounds.iter().for_each(|round| self.round(round)),
                Step::Sides(_, sides) => sides.iter().for_each(|side| self.steps(&side.steps)),
            }
        }
    }

    fn round(&mut self, round: &Round) {
        self.counters.extend(round.counter.map(|counter| (counter, round.times)));
        self.steps(&round.steps);
        if round.counter.is_some() {
            self.counters.pop();
        }
    }

    fn access(&mut self, run: &BlockRun, access: &SourceAccess) {
        look(Phase::Bounds);
        let is_access =
            matches!(access.kind, AccessKind::Load | AccessKind::Store | AccessKind::Atomic | AccessKind::Copy);
        let (Some(region), Some(address)) = (access.region, &access.address) else { return };
        let array = &self.executed.regions[region.0 as usize];
        let (SourceMemory::Global, Some(bytes)) = (array.memory, array.bytes.filter(|_| is_access)) else { return };
        let instruction = &self.kernel.blocks[run.block.index()].instructions[access.instruction];
        if !access.is_sure || self.on_data.decides(run.block, instruction) {
            return;
        }
        let items = access.items.as_deref().unwrap_or(&run.items);
        let last = i128::from(bytes) - i128::from(access.bytes);
        let Some(changes) = self.changes(address) else { return };
        let start = i128::from(region.address());
        let beyond = items.ones().find_map(|lane| {
            let ends = [false, true].map(|is_up| self.end(address, &changes, lane, is_up));
            let outside = ends.into_iter().find(|(at, _)| !(0..=last).contains(&(at - start)));
            outside.map(|(at, group)| (lane, at - start, group))
        });
        let Some((lane, at, group)) = beyond else { return };
        let party =
            Party { kind: access.kind, item: self.shape.coordinates()[lane], place: instruction.user_place().cloned() };
        let byte = i64::try_from(at).unwrap_or(i64::MAX);
        let kind = HazardKind::BeyondArray { bytes, group };
        let hazard = Hazard { kind, array: array.name.clone(), byte, first: party.clone(), second: party };
        if !self.found.iter().any(|known| known.first.place == hazard.first.place && known.array == hazard.array) {
            self.found.push(hazard);
        }
    }

    /// The changes of an address by loops, and by the ids of groups along each axis; `None` if they are uneven.
    fn changes<'a>(&self, address: &'a Known) -> Option<Vec<(Option<u8>, Change<'a>)>> {
        let mut changes = Vec::new();
        for (symbol, slope) in &address.slopes {
            match (symbol, slope) {
                (Symbol::Counter(counter), slope) => {
                    let around = self.counters.iter().find(|(around, _)| around == counter);
                    let Some((_, times)) = around else { continue };
                    let Slope::By(slope) = slope else { return None };
                    changes.push((None, (slope, [0, times.saturating_sub(1).cast_signed()])));
                }
                // It lies where data says.
                (Symbol::Data(_), _) => return None,
                (Symbol::Group(axis), slope) => {
                    let own = self.alike.group[usize::from(*axis)].cast_signed();
                    let [first, last] = self.alike.ids[usize::from(*axis)].map(|id| id.cast_signed() - own);
                    match slope {
                        Slope::By(slope) => changes.push((Some(*axis), (slope, [first, last]))),
                        // The executed group is at hand.
                        Slope::Uneven(_) => {}
                    }
                }
            }
        }
        Some(changes)
    }

    /// The least or the greatest address of a work item, and the group that has it.
    fn end(&self, address: &Known, changes: &[(Option<u8>, Change<'_>)], lane: usize, is_up: bool) -> (i128, [u64; 3]) {
        let (mut at, mut group) = (i128::from(address.base.at(lane, self.shape)), self.alike.group);
        for (axis, (slope, [low, high])) in changes {
            let slope = slope.at(lane, self.shape);
            let factor = if (slope > 0) == is_up { *high } else { *low };
            at += i128::from(slope) * i128::from(factor);
            if let Some(axis) = axis
                && slope != 0
            {
                let id = &mut group[usize::from(*axis)];
                *id = id.saturating_add_signed(factor);
            }
        }
        (at, group)
    }
}
