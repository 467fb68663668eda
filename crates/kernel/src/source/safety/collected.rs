//! The accesses to global memory of an executed group, with the changes of their addresses from group to group.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::execute::Executed;
use super::super::ir::IrFunction;
use super::super::trace::{AccessKind, BlockRun, RegionId, Round, SourceAccess, Step};
use super::super::value::{Known, Lanes, Slope, Symbol};
use super::event::{Effect, Event, Repeats};
use super::grid_phases::{GridPhases, barriers_of};
use super::on_data::OnData;
use autotune_base::limits::watch::{Phase, look};

/// An executed group of a launch.
pub(super) struct OfLaunch<'a> {
    pub(super) group: [u64; 3],
    pub(super) executed: &'a Executed,
    pub(super) on_data: &'a OnData,
}

/// An access to global memory, and the change of its address from a group to the next along each axis.
pub(super) struct GlobalEvent<'a> {
    pub(super) event: Event<'a>,
    pub(super) steps: [Lanes; 3],
    /// False if the address is known in the executed group alone.
    pub(super) is_even: bool,
    /// The barriers of all groups that were passed before.
    pub(super) phases: GridPhases,
}

/// The accesses of an executed group that other groups may meet.
pub(super) struct Collected<'a> {
    kernel: &'a IrFunction,
    pub(super) of: &'a OfLaunch<'a>,
    /// The arrays that any of the executed groups changes.
    changed: &'a BTreeSet<Arc<str>>,
    free: Vec<(u32, u64)>,
    phases: GridPhases,
    /// The accesses by the name of the array.
    pub(super) events: BTreeMap<Arc<str>, Vec<GlobalEvent<'a>>>,
}

impl<'a> Collected<'a> {
    pub(super) fn new(kernel: &'a IrFunction, of: &'a OfLaunch<'a>, changed: &'a BTreeSet<Arc<str>>) -> Self {
        let mut collected =
            Self { kernel, of, changed, free: Vec::new(), phases: GridPhases::default(), events: BTreeMap::new() };
        collected.steps(&of.executed.trace);
        collected
    }

    /// True if a group does what the executed one does.
    pub(super) fn stands_for(&self, group: [u64; 3]) -> bool {
        group == self.of.group || self.of.executed.dependence.allowed.allow(group)
    }

    fn steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Block(run) => run.accesses.iter().for_each(|access| self.access(run, access)),
                Step::Loop(run) => run.rounds.iter().for_each(|round| self.round(round)),
                Step::Sides(_, sides) => self.sides(step, sides.iter().map(|side| &*side.steps)),
            }
        }
    }

    fn sides(&mut self, step: &'a Step, sides: impl Iterator<Item = &'a [Step]>) {
        let before = self.phases;
        for side in sides {
            self.phases = before;
            self.steps(side);
        }
        // Where sides have different numbers of barriers, any of them may have been passed.
        let [least, most] = barriers_of(std::slice::from_ref(step));
        self.phases = before.behind(least).repeated(1, most - least + 1);
    }

    fn round(&mut self, round: &'a Round) {
        let counter = round.counter.filter(|_| round.times > 1);
        self.free.extend(counter.map(|counter| (counter, round.times)));
        let (before, [least, most]) = (self.phases, barriers_of(&round.steps));
        self.phases = if least == most {
            before.repeated(most, round.times)
        } else {
            // Iterations that differ may pass any number of barriers.
            before.repeated(1, most.saturating_mul(round.times).saturating_add(1))
        };
        self.steps(&round.steps);
        let [least, most] = [least, most].map(|barriers| barriers.saturating_mul(round.times));
        self.phases = before.behind(least).repeated(1, most - least + 1);
        if counter.is_some() {
            self.free.pop();
        }
    }

    fn access(&mut self, run: &'a BlockRun, access: &'a SourceAccess) {
        look(Phase::Neighbours);
        if access.kind == AccessKind::GridBarrier {
            self.phases = self.phases.behind(1);
            return;
        }
        let effect = match access.kind {
            AccessKind::Load => Effect::Load,
            AccessKind::Store => Effect::Store,
            AccessKind::Atomic => Effect::Atomic,
            _ => return,
        };
        let Some(region) = access.region else { return };
        let array = self.of.executed.regions[region.0 as usize].name.clone();
        if !self.changed.contains(&array) {
            return;
        }
        let instruction = &self.kernel.blocks[run.block.index()].instructions[access.instruction];
        let is_known = access.is_sure && !self.of.on_data.decides(run.block, instruction);
        let placed = access.address.as_ref().filter(|_| is_known).and_then(|address| self.placed(address, region));
        // Nothing is claimed of an address that is not known.
        let Some((base, slopes, steps, is_even)) = placed else { return };
        let items = Arc::clone(access.items.as_ref().unwrap_or(&run.items));
        let (instruction, kind, bytes, epoch, alive) = (access.instruction, access.kind, access.bytes, 0, None);
        if bytes > 0 {
            let event = Event { run, instruction, kind, effect, region, items, base, slopes, bytes, epoch, alive };
            self.events.entry(array).or_default().push(GlobalEvent { event, steps, is_even, phases: self.phases });
        }
    }

    /// The offsets of an address in its array, their changes by loops, and by the ids of the group, and whether these are even;
    /// `None` if the changes by loops are uneven.
    fn placed(&self, address: &Known, region: RegionId) -> Option<(Lanes, Repeats, [Lanes; 3], bool)> {
        let (mut slopes, mut steps, mut is_even) = (Repeats::new(), [const { Lanes::Same(0) }; 3], true);
        for (symbol, slope) in &address.slopes {
            match (symbol, slope) {
                (Symbol::Counter(counter), Slope::By(slope)) => {
                    let free = self.free.iter().find(|(free, _)| free == counter);
                    slopes.extend(free.map(|(_, times)| (slope.clone(), *times)));
                }
                // It lies where data says.
                (Symbol::Data(_), _) | (Symbol::Counter(_), Slope::Uneven(_)) => return None,
                (Symbol::Group(axis), Slope::By(slope)) => steps[usize::from(*axis)] = slope.clone(),
                (Symbol::Group(_), Slope::Uneven(_)) => is_even = false,
            }
        }
        Some((address.base.moved(-region.address()), slopes, steps, is_even))
    }
}
