//! The work items that touch the same bytes between two barriers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use num_integer::gcd;

use super::super::execute::Executed;
use super::super::ir::{Instruction, IrFunction, Kind};
use super::super::trace::{RegionId, SourceMemory};
use super::super::value::Shape;
use super::cells::{Cells, Touch, Touched};
use super::event::{Effect, Event};
use super::hazard::{Hazard, HazardKind, Party};
use super::stored::Definitions;
use autotune_base::limits::watch::{self, Phase};

/// The intervals that are remembered: loops repeat them.
const REMEMBERED: usize = 8;

/// The most pieces of an array that are all kept.
const MOST_PIECES: u64 = 1 << 20;

/// The most offsets of an access to local memory that are all looked at, and to global memory.
const MOST_LOCAL: u64 = 1 << 18;
const MOST_GLOBAL: u64 = 1 << 16;

/// The most hazards of a kind in a work group.
const MOST_HAZARDS: usize = 16;

/// The nearness of two work items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nearness {
    /// One and the same.
    Same,
    /// Two of a warp.
    Warp,
    /// Two of different warps.
    Apart,
}

impl Nearness {
    fn new(one: u32, other: u32, warp: u32) -> Self {
        match one / warp == other / warp {
            true if one == other => Self::Same,
            true => Self::Warp,
            false => Self::Apart,
        }
    }
}

/// The last event that has met another one, by the nearness of their work items.
#[derive(Debug, Clone, Copy, Default)]
struct Met([Option<u32>; 3]);

impl Met {
    /// True for the first meeting with an event, while no later event has come.
    fn insert(&mut self, event: u32, nearness: Nearness) -> bool {
        self.0[nearness as usize].replace(event) != Some(event)
    }
}

/// An instruction of the kernel, by block and position.
type Instructed = (u32, usize);

/// The judgement of a work group, interval by interval.
pub(super) struct Judge<'a> {
    kernel: &'a IrFunction,
    definitions: &'a Definitions<'a>,
    executed: &'a Executed,
    shape: &'a Shape,
    warp: u32,
    judged: VecDeque<Vec<Event<'a>>>,
    /// The pairs of instructions that are known, by the kind.
    known: BTreeSet<(HazardKind, Instructed, Instructed)>,
    hazards: Vec<Hazard>,
    /// The pairs of volatile instructions that meet.
    volatile: BTreeSet<[Instructed; 2]>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        (kernel, definitions): (&'a IrFunction, &'a Definitions<'a>),
        executed: &'a Executed,
        shape: &'a Shape,
        warp: usize,
    ) -> Self {
        let warp = u32::try_from(warp).unwrap_or(u32::MAX);
        let (judged, known, hazards, volatile) = (VecDeque::new(), BTreeSet::new(), Vec::new(), BTreeSet::new());
        Self { kernel, definitions, executed, shape, warp, judged, known, hazards, volatile }
    }

    /// The findings, in the order of the execution, and the number of pairs of volatile instructions that meet.
    pub(super) fn found(self) -> (Vec<Hazard>, usize) {
        (self.hazards, self.volatile.len())
    }

    /// Judges the accesses between two barriers.
    pub(super) fn interval(&mut self, events: Vec<Event<'a>>) {
        if events.iter().all(|event| event.effect == Effect::Load) {
            return;
        }
        let is_same = |known: &Vec<Event<'_>>| {
            let is_same = |(known, event): (&Event<'_>, &Event<'_>)| {
                watch::look(Phase::Shared);
                known.is_same(event)
            };
            known.len() == events.len() && known.iter().zip(&events).all(is_same)
        };
        if self.judged.iter().any(is_same) {
            return;
        }
        let mut regions: BTreeMap<RegionId, Vec<usize>> = BTreeMap::new();
        for (at, event) in events.iter().enumerate() {
            regions.entry(event.region).or_default().push(at);
        }
        for (region, own) in regions {
            if !self.is_apart(&events, &own) {
                self.region(region, &events, &own);
            }
        }
        self.judged.push_front(events);
        self.judged.truncate(REMEMBERED);
    }

    /// True if bounds alone show that no two work items touch the same bytes while one of them stores.
    fn is_apart(&self, events: &[Event<'a>], own: &[usize]) -> bool {
        let (loads, changes): (Vec<usize>, Vec<usize>) = own.iter().partition(|at| events[**at].effect == Effect::Load);
        let is_plain = changes.iter().any(|at| events[*at].effect == Effect::Store);
        if changes.is_empty() || loads.is_empty() && !is_plain {
            return true;
        }
        let mut ranges: Vec<([i128; 2], bool)> =
            own.iter().map(|at| (events[*at].range(self.shape), events[*at].effect != Effect::Load)).collect();
        ranges.sort_unstable();
        let mut reached = [i128::MIN; 2];
        let is_disjoint = ranges.iter().all(|([low, high], changes)| {
            watch::look(Phase::Shared);
            // A load meets only what changes memory.
            let behind = if *changes { reached[0].max(reached[1]) } else { reached[1] };
            let of = &mut reached[usize::from(*changes)];
            *of = (*of).max(*high);
            *low >= behind
        });
        is_disjoint && changes.iter().all(|at| events[*at].is_injective(self.shape))
    }

    /// Judges the accesses to an array.
    fn region(&mut self, region: RegionId, events: &[Event<'a>], own: &[usize]) {
        let grain = own.iter().fold(0, |all, at| gcd(all, events[*at].grain()));
        let pieces = self.executed.regions[region.0 as usize].bytes.map(|bytes| bytes.div_ceil(grain));
        let pieces = pieces.filter(|pieces| *pieces <= MOST_PIECES).and_then(|pieces| usize::try_from(pieces).ok());
        let mut cells = Cells::new(pieces);
        let mut met: Vec<Met> = vec![Met::default(); events.len()];
        for effect in [Effect::Store, Effect::Atomic, Effect::Load] {
            for at in own.iter().filter(|at| events[**at].effect == effect) {
                self.event(events, *at, grain, &mut cells, &mut met);
            }
        }
    }

    /// Lets an event touch its pieces. Loads come last, so that each meets all that changes memory.
    fn event(&mut self, events: &[Event<'a>], at: usize, grain: u64, cells: &mut Cells, met: &mut [Met]) {
        let (event, shape, warp) = (&events[at], self.shape, self.warp);
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        let (step, size) = (grain.cast_signed(), (event.bytes / grain).cast_signed());
        let mut found: Vec<(Touch, Touch, i64)> = Vec::new();
        let most = if matches!(cells, Cells::Dense(_)) { MOST_LOCAL } else { MOST_GLOBAL };
        event.each(shape, most, &mut |lane, offset| {
            watch::look(Phase::Shared);
            let touch = Touch { event: number, lane: u32::try_from(lane).unwrap_or(u32::MAX) };
            let first = offset.div_euclid(step);
            for piece in first..first.saturating_add(size) {
                let mut look = |others: &Touched| {
                    for other in others.all() {
                        if other.lane == touch.lane && !events[other.event as usize].is_under_way(number) {
                            continue;
                        }
                        let nearness = Nearness::new(other.lane, touch.lane, warp);
                        if met[other.event as usize].insert(number, nearness) {
                            found.push((other, touch, piece.saturating_mul(step)));
                        }
                    }
                };
                if event.effect == Effect::Load {
                    let Some(cell) = cells.get(piece) else { continue };
                    look(&cell.stores);
                    look(&cell.atomics);
                    continue;
                }
                let Some(cell) = cells.change(piece) else { continue };
                look(&cell.stores);
                let own = if event.effect == Effect::Store { &mut cell.stores } else { &mut cell.atomics };
                own.add(touch, warp);
            }
            true
        });
        for (first, second, byte) in found {
            self.meeting(events, [first, second], byte);
        }
    }

    /// Notes that two work items touch the same byte.
    fn meeting(&mut self, events: &[Event<'a>], [first, second]: [Touch; 2], byte: i64) {
        let of = |touch: Touch| &events[touch.event as usize];
        let instruction = |touch: Touch| (of(touch).run.block.0, of(touch).instruction);
        let is_within = first.lane / self.warp == second.lane / self.warp;
        let (one, other) = (self.instruction(of(first)), self.instruction(of(second)));
        if is_volatile(one) && is_volatile(other) {
            // Programs that wait for each other in memory mean it.
            self.volatile.insert([instruction(first), instruction(second)]);
            return;
        }
        let region = &self.executed.regions[of(first).region.0 as usize];
        let is_one = instruction(first) == instruction(second);
        let kind = match (of(second).effect, is_within) {
            _ if first.lane == second.lane => HazardKind::EarlyRead,
            (Effect::Store, _) if is_one => HazardKind::SameStore,
            (_, true) if is_one || of(first).epoch != of(second).epoch || !is_plain(one) || !is_plain(other) => return,
            (_, true) => HazardKind::WithinWarp,
            (Effect::Store, false) if self.definitions.stored(one).may_equal(&self.definitions.stored(other)) => {
                HazardKind::SameStore
            }
            (_, false) => HazardKind::Race,
        };
        if !kind.refuses() && region.memory == SourceMemory::Global {
            return;
        }
        if kind == HazardKind::SameStore {
            let both = [one, other].map(|one| self.definitions.stored(one));
            if both[0].equals(&both[1], is_one) {
                return;
            }
        }
        let alike = self.hazards.iter().filter(|hazard| hazard.kind == kind).count();
        if alike < MOST_HAZARDS && self.known.insert((kind, instruction(first), instruction(second))) {
            let array = region.name.clone();
            let [first, second] = [first, second].map(|touch| self.party(of(touch), touch.lane));
            let hazard = Hazard { kind, array, byte, first, second };
            // An unrolled loop has many instructions at one place.
            if !self.hazards.iter().any(|known| known.is_same(&hazard)) {
                self.hazards.push(hazard);
            }
        }
    }

    fn instruction(&self, event: &Event<'_>) -> &'a Instruction {
        &self.kernel.blocks[event.run.block.index()].instructions[event.instruction]
    }

    fn party(&self, event: &Event<'_>, lane: u32) -> Party {
        let place = self.instruction(event).user_place().cloned();
        Party { kind: event.kind, item: self.shape.coordinates()[lane as usize], place }
    }
}

/// True for an access that the compiler must leave alone, as programs that wait for each other in memory have it.
pub(super) fn is_volatile(instruction: &Instruction) -> bool {
    matches!(&instruction.kind, Kind::Load { volatile: true, .. } | Kind::Store { volatile: true, .. })
}

/// True for an access of one work item to its own address.
fn is_plain(instruction: &Instruction) -> bool {
    matches!(&instruction.kind, Kind::Load { .. } | Kind::Store { .. })
}
