//! The work items of two groups of a launch that touch the same bytes of global memory.
//!
//! An executed group stands for all groups that keep its conditions: they do the same at other addresses, and the slopes of
//! addresses in the ids of the group say where.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::super::ir::{Instruction, IrFunction};
use super::super::trace::RegionId;
use super::super::value::{Lanes, Shape};
use super::collected::{Collected, GlobalEvent, OfLaunch};
use super::distances::{Distances, distances};
use super::event::{Effect, Event};
use super::hazard::{Hazard, HazardKind, Party};
use super::intervals;
use super::left_out::LeftOut;
use super::overlap::{may_meet, may_overlap};
use super::shared::is_volatile;
use super::stored::Definitions;
use super::told::Told;
use autotune_base::limits::watch::{Phase, look};

/// The most accesses of an array that are compared with each other.
const MOST_EVENTS: usize = 256;

/// The most pairs of accesses of an executed group whose addresses are all compared.
const MOST_PAIRS: usize = 64;

/// The most offsets of an access that are looked at.
const MOST_OFFSETS: u64 = 1 << 16;

/// The most findings of a launch.
const MOST_FOUND: usize = 8;

/// The most groups of a launch that are all compared with the others.
const MOST_GROUPS: u64 = 64;

/// The most pairs of accesses of an executed group at a distance whose bounds and strides are compared.
const MOST_COMPARED: usize = 1 << 13;

/// Accesses of two groups of a launch to the same bytes of global memory.
#[derive(Debug, Default)]
pub struct GroupMeetings {
    /// The doubts.
    pub found: Vec<Hazard>,
    /// The number of pairs of accesses that limits of the search left out: nothing is claimed of them.
    pub left_out: u64,
}

/// Returns what two groups of a launch do to the same bytes of global memory; `grid` is the number of groups along each axis.
pub(super) fn meetings(
    (kernel, definitions): (&IrFunction, &Definitions<'_>),
    groups: &[OfLaunch<'_>],
    (shape, grid): (&Shape, [u64; 3]),
) -> GroupMeetings {
    if grid.iter().all(|groups| *groups <= 1) {
        return GroupMeetings::default();
    }
    let name = |of: &OfLaunch<'_>, region: RegionId| of.executed.regions[region.0 as usize].name.clone();
    let mut changed = BTreeSet::new();
    for of in groups {
        changed.extend(intervals::changed(&of.executed.trace).into_iter().map(|region| name(of, region)));
    }
    if changed.is_empty() {
        return GroupMeetings::default();
    }
    let all: Vec<Collected<'_>> = groups.iter().map(|of| Collected::new(kernel, of, &changed)).collect();
    let (found, left_out) = (Vec::new(), LeftOut::default());
    let groups = groups.len();
    let mut search = Search { kernel, definitions, shape, grid, groups, pairs: 0, compared: 0, found, left_out };
    for own in &all {
        for (array, events) in &own.events {
            let others = all.iter().filter_map(|other| Some((other, other.events.get(array)?)));
            for (other, touched) in others {
                if events.len() <= MOST_EVENTS && touched.len() <= MOST_EVENTS {
                    search.arrays(array, (own, events), (other, touched));
                } else {
                    search.left_out.add_all(events, touched);
                }
            }
        }
    }
    let left_out = search.left_out.number(|[one, two]| search.is_known(one, two));
    GroupMeetings { found: search.found, left_out }
}

/// The accesses of an executed group to an array.
type Touching<'a, 'c> = (&'c Collected<'a>, &'c [GlobalEvent<'a>]);

/// An access of an executed group.
type OneAccess<'a, 'c> = (&'c Collected<'a>, &'c GlobalEvent<'a>);

/// The search for bytes that two groups touch.
struct Search<'a> {
    kernel: &'a IrFunction,
    definitions: &'a Definitions<'a>,
    shape: &'a Shape,
    grid: [u64; 3],
    /// The number of executed groups.
    groups: usize,
    pairs: usize,
    compared: usize,
    found: Vec<Hazard>,
    left_out: LeftOut,
}

impl<'a> Search<'a> {
    /// Looks for what a group stores in an array and another one touches.
    fn arrays(&mut self, array: &Arc<str>, own: Touching<'a, '_>, other: Touching<'a, '_>) {
        let is_one = std::ptr::eq(own.0, other.0);
        for (at, first) in own.1.iter().enumerate().filter(|(_, own)| own.event.effect != Effect::Load) {
            for (behind, second) in other.1.iter().enumerate() {
                look(Phase::Neighbours);
                // Atomic operations do not race with each other. Two that change memory meet as first and second as well.
                let is_atomic = [first, second].iter().all(|one| one.event.effect == Effect::Atomic);
                let is_known = is_one && second.event.effect != Effect::Load && behind < at;
                let (one, two) = (self.instruction(&first.event), self.instruction(&second.event));
                let is_apart = !first.phases.may_coincide(second.phases);
                if is_atomic
                    || is_apart
                    || is_known
                    || is_volatile(one) && is_volatile(two)
                    || self.is_found(array, one, two)
                {
                    continue;
                }
                let hazard = self.pair((own.0, first), (other.0, second));
                self.found.extend(hazard.map(|hazard| Hazard { array: array.clone(), ..hazard }));
            }
        }
    }

    /// True if what two instructions do is known, or enough is.
    fn is_found(&self, array: &Arc<str>, one: &Instruction, two: &Instruction) -> bool {
        let places = [one, two].map(|one| one.user_place());
        self.found.len() >= MOST_FOUND || self.found.iter().any(|known| known.array == *array && known.is_at(places))
    }

    /// True if what two instructions, by block and position, do is known.
    fn is_known(&self, one: (usize, usize), two: (usize, usize)) -> bool {
        let places = [one, two].map(|(block, at)| self.kernel.blocks[block].instructions[at].user_place());
        self.found.iter().any(|known| known.is_at(places))
    }

    /// Compares an access of the groups that one represents with an access of those that another one represents.
    fn pair(&mut self, own: OneAccess<'a, '_>, other: OneAccess<'a, '_>) -> Option<Hazard> {
        let ((of, first), (_, second)) = (own, other);
        if first.is_even && second.is_even && first.steps == second.steps {
            // The distance of two groups alone decides.
            let reach = self.grid.map(|groups| i128::from(groups.saturating_sub(1))).map(|last| [-last, last]);
            return self.at_distances(own, other, of.of.group, reach, None);
        }
        self.met_by(own, other).or_else(|| {
            let Hazard { kind, first, second, array, byte } = self.met_by(other, own)?;
            let kind = match kind {
                HazardKind::BetweenGroups { distance } => {
                    HazardKind::BetweenGroups { distance: distance.map(|one| -one) }
                }
                kind => kind,
            };
            Some(Hazard { kind, first: second, second: first, array, byte })
        })
    }

    /// Looks from the groups that one represents for those that meet it.
    fn met_by(&mut self, own: OneAccess<'a, '_>, other: OneAccess<'a, '_>) -> Option<Hazard> {
        let (of, first) = own;
        let groups = self.own_groups(of).into_iter().filter(|group| first.is_even || *group == of.of.group);
        groups.collect::<Vec<_>>().into_iter().find_map(|group| {
            let reach = [0, 1, 2].map(|axis: usize| {
                let own = i128::from(group[axis]);
                [-own, i128::from(self.grid[axis].saturating_sub(1)) - own]
            });
            self.at_distances(own, other, group, reach, Some(group))
        })
    }

    /// The same at the distances from a group that are within reach; without `only` one, for each pair of groups at the distance.
    fn at_distances(
        &mut self,
        own: OneAccess<'a, '_>,
        other: OneAccess<'a, '_>,
        group: [u64; 3],
        reach: [[i128; 2]; 3],
        only: Option<[u64; 3]>,
    ) -> Option<Hazard> {
        let of_own = self.moved(own.1, between(own.0.of.group, group));
        let at_own = self.moved(other.1, between(other.0.of.group, group));
        let Distances { near, are_all } = distances(reach, &of_own, (&at_own, &other.1.steps), self.shape);
        if !are_all && self.may_meet_within((&of_own, &at_own), &other.1.steps, reach) {
            self.left_out.add(own.1, other.1);
        }
        for distance in near {
            if self.compared >= self.groups * MOST_COMPARED || self.pairs >= self.groups * MOST_PAIRS {
                self.left_out.add(own.1, other.1);
                return None;
            }
            self.compared += 1;
            let from = between(other.0.of.group, group);
            let of_other = self.moved(other.1, [0, 1, 2].map(|axis: usize| from[axis] + distance[axis]));
            if !may_overlap(&of_own, &of_other, self.shape) {
                continue;
            }
            let groups = only.map_or_else(|| self.own_groups(own.0), |group| vec![group]);
            let both = groups.into_iter().find_map(|group| Some([group, self.partner(other, group, distance)?]));
            let Some(to) = both else { continue };
            self.pairs += 1;
            let found = self.met(own, other, to, distance);
            if found.is_some() {
                return found;
            }
            if !of_own.is_whole(MOST_OFFSETS) || !of_other.is_whole(MOST_OFFSETS) {
                self.left_out.add(own.1, other.1);
            }
        }
        None
    }

    /// False if two accesses, as one group has them, meet at no distance within reach but that of the group itself.
    fn may_meet_within(&self, both: (&Event<'_>, &Event<'_>), steps: &[Lanes; 3], reach: [[i128; 2]; 3]) -> bool {
        let at = |axis: usize, ends: [i128; 2]| match steps[axis] {
            Lanes::Same(step) => (i128::from(step), ends),
            // Without an even step, the groups beside it alone are tried.
            _ => (0, ends),
        };
        (0..3).any(|axis| {
            let [low, high] = reach[axis];
            let may_meet_at = |one: [i128; 2]| {
                let box_of = [0, 1, 2].map(|other: usize| match other.cmp(&axis) {
                    std::cmp::Ordering::Less => at(other, [0, 0]),
                    std::cmp::Ordering::Equal => at(other, one),
                    std::cmp::Ordering::Greater => at(other, reach[other]),
                });
                one[0] <= one[1] && may_meet(both, &box_of, self.shape)
            };
            may_meet_at([1, high]) || may_meet_at([low, -1])
        })
    }

    /// The group at a distance from another one, if an executed group stands for it.
    fn partner(&self, other: OneAccess<'a, '_>, group: [u64; 3], distance: [i64; 3]) -> Option<[u64; 3]> {
        let mut to = group;
        for axis in 0..3 {
            to[axis] = group[axis].checked_add_signed(distance[axis]).filter(|id| *id < self.grid[axis])?;
        }
        (other.0.stands_for(to) && (other.1.is_even || to == other.0.of.group)).then_some(to)
    }

    /// Two work items of two groups whose accesses meet.
    fn met(
        &self,
        own: OneAccess<'a, '_>,
        other: OneAccess<'a, '_>,
        to: [[u64; 3]; 2],
        distance: [i64; 3],
    ) -> Option<Hazard> {
        let of_own = self.moved(own.1, between(own.0.of.group, to[0]));
        let of_other = self.moved(other.1, between(other.0.of.group, to[1]));
        let told = Told {
            kernel: self.kernel,
            definitions: self.definitions,
            executed: [own.0.of.executed, other.0.of.executed],
            from: [own.0.of.group, other.0.of.group],
            to,
            shape: self.shape,
        };
        let instructions = [self.instruction(&of_own), self.instruction(&of_other)];
        let both_store = [&of_own, &of_other].iter().all(|event| event.effect == Effect::Store);
        let differ = |lanes| !both_store || told.differ(instructions, lanes);
        let (first, second, byte) = self.meeting(&of_own, &of_other, differ)?;
        let [first, second] = [(&of_own, first), (&of_other, second)].map(|(event, lane)| Party {
            kind: event.kind,
            item: self.shape.coordinates()[lane],
            place: self.instruction(event).user_place().cloned(),
        });
        Some(Hazard { kind: HazardKind::BetweenGroups { distance }, array: "".into(), byte, first, second })
    }

    /// The groups that an executed one represents, itself first: all of a small launch, else those in the corners.
    fn own_groups(&self, own: &Collected<'a>) -> Vec<[u64; 3]> {
        let all = self.grid.iter().fold(1_u64, |all, groups| all.saturating_mul(*groups));
        let last = self.grid.map(|groups| groups.saturating_sub(1));
        let others: Vec<[u64; 3]> = if all <= MOST_GROUPS {
            let at = |number: u64| {
                [number % self.grid[0], number / self.grid[0] % self.grid[1], number / self.grid[0] / self.grid[1]]
            };
            (0..all).map(at).collect()
        } else {
            (0..8).map(|ends| [0, 1, 2].map(|axis| if ends >> axis & 1 == 0 { 0 } else { last[axis] })).collect()
        };
        let others = others.into_iter().filter(|group| *group != own.of.group && own.stands_for(*group));
        std::iter::once(own.of.group).chain(others).collect()
    }

    /// An access as a group at a distance has it.
    fn moved(&self, event: &GlobalEvent<'a>, distance: [i64; 3]) -> Event<'a> {
        let mut base = event.event.base.clone();
        for axis in (0..3).filter(|axis| distance[*axis] != 0) {
            base = base.plus(&event.steps[axis], distance[axis], self.shape);
        }
        Event { base, ..event.event.clone() }
    }

    /// Two work items whose accesses meet and for whom `differ` is true, and a byte of both; `None` if there are none among
    /// those that are looked at.
    fn meeting(
        &self,
        own: &Event<'_>,
        other: &Event<'_>,
        differ: impl Fn([usize; 2]) -> bool,
    ) -> Option<(usize, usize, i64)> {
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
            let met = met.filter(|(first, _)| differ([*first, lane]));
            found = met.map(|(first, piece)| (first, lane, piece.saturating_mul(grain.cast_signed())));
            found.is_none()
        });
        found
    }

    fn instruction(&self, event: &Event<'_>) -> &'a Instruction {
        &self.kernel.blocks[event.run.block.index()].instructions[event.instruction]
    }
}

/// The distance from a group to another one.
fn between(from: [u64; 3], to: [u64; 3]) -> [i64; 3] {
    [0, 1, 2].map(|axis: usize| to[axis].cast_signed() - from[axis].cast_signed())
}
