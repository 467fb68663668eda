//! The work items of neighbouring groups that touch the same bytes of global memory in one launch.
//!
//! A group and the one beside it along an axis execute the same at other addresses, as far as the executed group shows: the
//! slopes of addresses in the ids of the group say where.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::super::execute::Executed;
use super::super::ir::{Instruction, IrFunction};
use super::super::trace::{AccessKind, BlockRun, RegionId, Round, SourceAccess, Step};
use super::super::value::{Known, Lanes, Shape, Slope, Symbol};
use super::event::{Effect, Event, Repeats};
use super::found::Safety;
use super::hazard::{Hazard, HazardKind, Party};
use super::intervals::changed;
use super::on_data::OnData;
use super::overlap::may_overlap;
use super::shared::is_volatile;
use super::stored::Definitions;
use crate::limits::watch::{Phase, look};

/// The most accesses of an array that are compared with each other.
const MOST_EVENTS: usize = 256;

/// The most pairs of accesses whose addresses are all compared.
const MOST_PAIRS: usize = 64;

/// The most offsets of an access that are looked at.
const MOST_OFFSETS: u64 = 1 << 16;

/// The most findings of a launch.
const MOST_FOUND: usize = 8;

/// An access to global memory, and the change of its address from a group to the next along each axis.
struct GlobalEvent<'a> {
    event: Event<'a>,
    steps: [Lanes; 3],
}

/// The accesses of the executed group that neighbours may meet.
struct Collected<'a> {
    kernel: &'a IrFunction,
    on_data: &'a OnData,
    changed: BTreeSet<RegionId>,
    free: Vec<(u32, u64)>,
    events: BTreeMap<RegionId, Vec<GlobalEvent<'a>>>,
}

/// Adds what the executed group and the groups beside it do to the same bytes of global memory; `groups` is their number along
/// each axis. Nothing is claimed if other groups may do other work.
pub(super) fn add(
    safety: &mut Safety,
    (kernel, definitions): (&IrFunction, &Definitions<'_>),
    executed: &Executed,
    (shape, groups): (&Shape, [u64; 3]),
    on_data: &OnData,
) {
    let dependence = &executed.dependence;
    if dependence.is_uneven || !dependence.witnesses.is_empty() || groups == [1; 3] {
        return;
    }
    let (changed, free, events) = (changed(&executed.trace), Vec::new(), BTreeMap::new());
    if changed.is_empty() {
        return;
    }
    let mut collected = Collected { kernel, on_data, changed, free, events };
    collected.steps(&executed.trace);
    let mut search = Search { kernel, definitions, executed, shape, pairs: 0, found: Vec::new() };
    for events in collected.events.values().filter(|events| events.len() <= MOST_EVENTS) {
        for axis in (0..3).filter(|axis| groups[*axis] > 1) {
            search.along(axis, events);
        }
    }
    safety.hazards.append(&mut search.found);
}

impl<'a> Collected<'a> {
    fn steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Block(run) => run.accesses.iter().for_each(|access| self.access(run, access)),
                Step::Loop(run) => run.rounds.iter().for_each(|round| self.round(round)),
                Step::Sides(_, sides) => sides.iter().for_each(|side| self.steps(&side.steps)),
            }
        }
    }

    fn round(&mut self, round: &'a Round) {
        let counter = round.counter.filter(|_| round.times > 1);
        self.free.extend(counter.map(|counter| (counter, round.times)));
        self.steps(&round.steps);
        if counter.is_some() {
            self.free.pop();
        }
    }

    fn access(&mut self, run: &'a BlockRun, access: &'a SourceAccess) {
        look(Phase::Neighbours);
        let effect = match access.kind {
            AccessKind::Load => Effect::Load,
            AccessKind::Store => Effect::Store,
            AccessKind::Atomic => Effect::Atomic,
            _ => return,
        };
        let Some(region) = access.region.filter(|region| self.changed.contains(region)) else { return };
        let instruction = &self.kernel.blocks[run.block.index()].instructions[access.instruction];
        let is_known = access.is_sure && !self.on_data.decides(run.block, instruction);
        let placed = access.address.as_ref().filter(|_| is_known).and_then(|address| self.placed(address, region));
        // Nothing is claimed of an address that is not known.
        let Some((base, slopes, steps)) = placed else { return };
        let items = Arc::clone(access.items.as_ref().unwrap_or(&run.items));
        let (instruction, kind, bytes, epoch, alive) = (access.instruction, access.kind, access.bytes, 0, None);
        if bytes > 0 {
            let event = Event { run, instruction, kind, effect, region, items, base, slopes, bytes, epoch, alive };
            self.events.entry(region).or_default().push(GlobalEvent { event, steps });
        }
    }

    /// The offsets of an address in its array, their changes by loops, and by the ids of the group; `None` if they are uneven.
    fn placed(&self, address: &Known, region: RegionId) -> Option<(Lanes, Repeats, [Lanes; 3])> {
        let (mut slopes, mut steps) = (Repeats::new(), [const { Lanes::Same(0) }; 3]);
        for (symbol, slope) in &address.slopes {
            let Slope::By(slope) = slope else { return None };
            match symbol {
                Symbol::Counter(counter) => {
                    let free = self.free.iter().find(|(free, _)| free == counter);
                    slopes.extend(free.map(|(_, times)| (slope.clone(), *times)));
                }
                // It lies where data says.
                Symbol::Data(_) => return None,
                Symbol::Group(axis) => steps[usize::from(*axis)] = slope.clone(),
            }
        }
        Some((address.base.moved(-region.address()), slopes, steps))
    }
}

/// The search for bytes that two groups touch.
struct Search<'a> {
    kernel: &'a IrFunction,
    definitions: &'a Definitions<'a>,
    executed: &'a Executed,
    shape: &'a Shape,
    pairs: usize,
    found: Vec<Hazard>,
}

impl<'a> Search<'a> {
    /// Looks for what a group stores and the one before or behind it along an axis touches.
    fn along(&mut self, axis: usize, events: &[GlobalEvent<'a>]) {
        for own in events.iter().filter(|own| own.event.effect != Effect::Load) {
            for other in events {
                look(Phase::Neighbours);
                // Atomic operations do not race with each other.
                if own.event.effect == Effect::Atomic && other.event.effect == Effect::Atomic {
                    continue;
                }
                self.pair(axis, own, other, 1);
                // Two that change memory meet as own and other as well.
                if other.event.effect == Effect::Load {
                    self.pair(axis, own, other, -1);
                }
            }
        }
    }

    /// Compares an access of a group with one of its neighbour, `factor` groups further.
    fn pair(&mut self, axis: usize, own: &GlobalEvent<'a>, other: &GlobalEvent<'a>, factor: i64) {
        if self.pairs >= MOST_PAIRS || self.found.len() >= MOST_FOUND {
            return;
        }
        let moved =
            Event { base: other.event.base.plus(&other.steps[axis], factor, self.shape), ..other.event.clone() };
        let (one, two) = (self.instruction(&own.event), self.instruction(&other.event));
        // What is stored takes longest to find out.
        if !may_overlap(&own.event, &moved, self.shape) || self.is_meant(one, two, other.event.effect) {
            return;
        }
        self.pairs += 1;
        let Some((first, second, byte)) = self.meeting(&own.event, &moved) else { return };
        let region = &self.executed.regions[own.event.region.0 as usize];
        let [first, second] = [(&own.event, first), (&moved, second)].map(|(event, lane)| Party {
            kind: event.kind,
            item: self.shape.coordinates()[lane],
            place: self.instruction(event).user_place().cloned(),
        });
        let hazard = Hazard { kind: HazardKind::BetweenGroups, array: region.name.clone(), byte, first, second };
        if !self.found.iter().any(|known| known.is_same(&hazard)) {
            self.found.push(hazard);
        }
    }

    /// True if two accesses are not looked at: both are volatile, or both store what may be the same.
    fn is_meant(&self, one: &Instruction, two: &Instruction, effect: Effect) -> bool {
        let is_equal = || self.definitions.stored(one).may_equal(&self.definitions.stored(two));
        is_volatile(one) && is_volatile(two) || effect == Effect::Store && is_equal()
    }

    /// Two work items whose accesses meet, and a byte of both; `None` if there are none among those that are looked at.
    fn meeting(&self, own: &Event<'_>, other: &Event<'_>) -> Option<(usize, usize, i64)> {
        let grain = num_integer::gcd(own.grain(), other.grain());
        let pieces = |event: &Event<'_>, offset: i64| {
            let first = offset.div_euclid(grain.cast_signed());
            first..first.saturating_add((event.bytes / grain).cast_signed())
        };
        let mut cells: HashMap<i64, usize> = HashMap::new();
        own.each(self.shape, MOST_OFFSETS, &mut |lane, offset| {
            look(Phase::Neighbours);
            pieces(own, offset).for_each(|piece| _ = cells.entry(piece).or_insert(lane));
            true
        });
        let mut found = None;
        other.each(self.shape, MOST_OFFSETS, &mut |lane, offset| {
            look(Phase::Neighbours);
            let met = pieces(other, offset).find_map(|piece| Some((*cells.get(&piece)?, piece)));
            found = met.map(|(first, piece)| (first, lane, piece.saturating_mul(grain.cast_signed())));
            found.is_none()
        });
        found
    }

    fn instruction(&self, event: &Event<'_>) -> &'a Instruction {
        &self.kernel.blocks[event.run.block.index()].instructions[event.instruction]
    }
}
