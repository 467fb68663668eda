//! The accesses between two barriers, from the trace of a work group.
//!
//! A loop that contains a barrier is walked through its first two iterations and its last two; between them an interval is
//! left out. A loop without one lies whole in an interval: its iterations stay together as slopes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::super::execute::Executed;
use super::super::functions::{Function, function};
use super::super::ir::{BlockId, Callee, Instruction, IrFunction, Kind};
use super::super::trace::{AccessKind, Asynchronous, BlockRun, RegionId, Round, SourceAccess, SourceMemory, Step};
use super::super::value::{Known, Lanes, Mask, Shape, Slope, Symbol};
use super::copies::Copies;
use super::event::{Effect, Event, Repeats};
use super::found::Safety;
use super::on_data::OnData;
use super::shared::Judge;
use super::stored::Definitions;
use autotune_base::limits::watch::{Phase, look};

/// The walk over a trace.
pub(super) struct Walk<'a> {
    kernel: &'a IrFunction,
    executed: &'a Executed,
    shape: &'a Shape,
    on_data: &'a OnData,
    /// The iteration of each loop that contains a barrier.
    fixed: HashMap<u32, u64>,
    /// The counters and iterations of the loops without one.
    free: Vec<(u32, u64)>,
    events: Vec<Event<'a>>,
    copies: Copies<'a>,
    /// The arrays in global memory that the group changes.
    changed: BTreeSet<RegionId>,
    /// The barriers of warps so far.
    epoch: u32,
    /// The positions of the barriers of warps, by block.
    warp_barriers: HashMap<BlockId, Vec<usize>>,
    unjudged: BTreeSet<(u32, usize)>,
    judge: Judge<'a>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        (kernel, definitions): (&'a IrFunction, &'a Definitions<'a>),
        executed: &'a Executed,
        (shape, warp): (&'a Shape, usize),
        on_data: &'a OnData,
    ) -> Self {
        Self {
            kernel,
            executed,
            shape,
            on_data,
            fixed: HashMap::new(),
            free: Vec::new(),
            events: Vec::new(),
            copies: Copies::default(),
            changed: changed(&executed.trace),
            epoch: 0,
            warp_barriers: HashMap::new(),
            unjudged: BTreeSet::new(),
            judge: Judge::new((kernel, definitions), executed, shape, warp),
        }
    }

    /// The errors of the whole trace.
    pub(super) fn safety(mut self) -> Safety {
        self.steps(&self.executed.trace);
        self.end();
        let (hazards, volatile) = self.judge.found();
        Safety { hazards, unjudged: self.unjudged.len(), volatile }
    }

    fn steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Block(run) => self.run(run),
                Step::Loop(run) => run.rounds.iter().for_each(|round| self.round(round)),
                // Each side lies on a path that depends on data, but a barrier in it may be passed.
                Step::Sides(_, sides) => sides.iter().for_each(|side| self.steps(&side.steps)),
            }
        }
    }

    fn round(&mut self, round: &'a Round) {
        let Some(counter) = round.counter.filter(|_| round.times > 1) else { return self.steps(&round.steps) };
        if !self.separates(&round.steps) {
            self.free.push((counter, round.times));
            self.steps(&round.steps);
            self.free.pop();
            return;
        }
        let mut last = None;
        let ends = [0, 1, round.times.saturating_sub(2), round.times - 1];
        for iteration in BTreeSet::from(ends) {
            if last.is_some_and(|last| last + 1 < iteration) {
                // The iterations between are not looked at.
                self.events.clear();
                self.copies.forget();
            }
            self.fixed.insert(counter, iteration);
            self.steps(&round.steps);
            last = Some(iteration);
        }
        self.fixed.remove(&counter);
    }

    /// True if steps contain a barrier of the group, or end a group of copies or wait for one.
    fn separates(&self, steps: &[Step]) -> bool {
        let is_of_copies =
            |kind| matches!(kind, AccessKind::Commit(Asynchronous::Copies) | AccessKind::Wait(Asynchronous::Copies, _));
        Step::all(steps).any(|(step, _)| match step {
            Step::Block(run) => {
                look(Phase::Intervals);
                run.accesses.iter().any(|access| is_of_copies(access.kind) || self.is_barrier(run, access))
            }
            _ => false,
        })
    }

    /// True if what lies before an access of a block is over for all work items of the group, or may be.
    fn is_barrier(&self, run: &BlockRun, access: &SourceAccess) -> bool {
        match access.kind {
            // Of barriers in memory it is not followed who waits for whom.
            AccessKind::Barrier
            | AccessKind::GridBarrier
            | AccessKind::LoadTile
            | AccessKind::StoreTile
            | AccessKind::Wait(Asynchronous::Tiles, _) => true,
            AccessKind::Shuffle => {
                let kind = &self.kernel.blocks[run.block.index()].instructions[access.instruction].kind;
                matches!(kind, Kind::Call { callee: Callee::Named(name), .. } if name.contains("work_group_"))
            }
            _ => false,
        }
    }

    fn run(&mut self, run: &'a BlockRun) {
        let instructions = &self.kernel.blocks[run.block.index()].instructions;
        let barriers = self.warp_barriers.entry(run.block).or_insert_with(|| warp_barriers(instructions));
        let mut barriers = barriers.clone().into_iter().peekable();
        for access in &run.accesses {
            look(Phase::Intervals);
            while barriers.next_if(|at| *at < access.instruction).is_some() {
                self.epoch += 1;
            }
            match access.kind {
                _ if self.is_barrier(run, access) => self.end(),
                AccessKind::Commit(Asynchronous::Copies) | AccessKind::Wait(Asynchronous::Copies, _) => {
                    self.group_of_copies(run, access.kind);
                }
                _ => {
                    if let Some(effect) = self.effect(access) {
                        self.touch(run, access, effect, &instructions[access.instruction]);
                    }
                }
            }
        }
        self.epoch += u32::try_from(barriers.count()).unwrap_or(0);
    }

    /// The end of a group of copies, or a wait for one.
    fn group_of_copies(&mut self, run: &BlockRun, kind: AccessKind) {
        match kind {
            // Others have other groups.
            _ if !run.items.is_full() => self.copies.forget(),
            AccessKind::Wait(_, pending) => self.copies.wait(pending, self.events.len()),
            _ => self.copies.commit(),
        }
    }

    /// An access to memory that work items share.
    fn touch(&mut self, run: &'a BlockRun, access: &'a SourceAccess, effect: Effect, instruction: &Instruction) {
        let (address, region) = match &access.to {
            Some(to) => (to.address.as_ref(), to.region),
            None => (access.address.as_ref(), access.region),
        };
        let is_judged = access.knows_memory && access.is_sure && !self.on_data.decides(run.block, instruction);
        let items = access.items.as_ref().unwrap_or(&run.items);
        let parts = match address.filter(|_| is_judged) {
            Some(address) => self.by_region(address, region, items),
            None => vec![(None, Arc::clone(items))],
        };
        for (region, items) in parts {
            let placed = address.zip(region).and_then(|(address, region)| self.placed(address, region));
            let Some(((base, slopes), region)) = placed.zip(region) else {
                self.unjudged.insert((run.block.0, access.instruction));
                continue;
            };
            let (instruction, kind, bytes, epoch, alive) =
                (access.instruction, access.kind, access.bytes, self.epoch, None);
            let event = Event { run, instruction, kind, effect, region, items, base, slopes, bytes, epoch, alive };
            match kind {
                _ if bytes == 0 => {}
                AccessKind::Copy => self.copies.start(event, self.events.len()),
                _ => self.events.push(event),
            }
        }
    }

    /// The work items by the array that each reaches, which is `region` if it is one; `None` where none is known.
    fn by_region(
        &self,
        address: &Known,
        region: Option<RegionId>,
        items: &Arc<Mask>,
    ) -> Vec<(Option<RegionId>, Arc<Mask>)> {
        if region.is_some() {
            return vec![(region, Arc::clone(items))];
        }
        let is_known = |region: &RegionId| (region.0 as usize) < self.executed.regions.len();
        let mut parts: BTreeMap<Option<RegionId>, Mask> = BTreeMap::new();
        for lane in items.ones() {
            let region = RegionId::from_address(address.base.at(lane, self.shape)).filter(is_known);
            parts.entry(region).or_insert_with(|| Mask::with_capacity(items.len())).insert(lane);
        }
        parts.into_iter().map(|(region, items)| (region, Arc::new(items))).collect()
    }

    /// The offsets of an address in its array, and their changes by the loops without a barrier; `None` if they are uneven, or depend on data.
    fn placed(&self, address: &Known, region: RegionId) -> Option<(Lanes, Repeats)> {
        let (mut base, mut slopes) = (address.base.moved(-region.address()), Repeats::new());
        for (symbol, slope) in &address.slopes {
            let counter = match symbol {
                Symbol::Counter(counter) => counter,
                Symbol::Group(_) => continue,
                // It lies where data says.
                Symbol::Data(_) => return None,
            };
            let free = self.free.iter().find(|(free, _)| free == counter);
            match (self.fixed.get(counter), free, slope) {
                (None, None, _) => {}
                (Some(iteration), _, Slope::By(slope)) => {
                    base = base.plus(slope, iteration.cast_signed(), self.shape);
                }
                (_, Some((_, times)), Slope::By(slope)) => slopes.push((slope.clone(), *times)),
                (_, _, Slope::Uneven(_)) => return None,
            }
        }
        Some((base, slopes))
    }

    /// The effect of an access on memory that work items share; `None` for another, and for loads of what no one changes.
    fn effect(&self, access: &SourceAccess) -> Option<Effect> {
        let is_read_only = || access.region.is_none_or(|region| !self.changed.contains(&region));
        match (access.kind, access.memory) {
            (AccessKind::Copy, _) if access.to.is_some() => Some(Effect::Store),
            // It may be of memory that work items share.
            (AccessKind::Load, _) if !access.knows_memory => Some(Effect::Load),
            (_, SourceMemory::Private | SourceMemory::Constant) => None,
            (AccessKind::Load, SourceMemory::Global) if is_read_only() => None,
            (AccessKind::Load, _) => Some(Effect::Load),
            (AccessKind::Store, _) => Some(Effect::Store),
            (AccessKind::Atomic, _) => Some(Effect::Atomic),
            _ => None,
        }
    }

    /// Ends an interval.
    fn end(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        events.extend(self.copies.of_interval());
        self.judge.interval(events);
    }
}

/// The arrays in global memory that a trace changes.
pub(super) fn changed(trace: &[Step]) -> BTreeSet<RegionId> {
    let runs = Step::all(trace).filter_map(|(step, _)| match step {
        Step::Block(run) => Some(run),
        _ => None,
    });
    let changes = |access: &&SourceAccess| {
        access.memory == SourceMemory::Global && matches!(access.kind, AccessKind::Store | AccessKind::Atomic)
    };
    runs.flat_map(|run| run.accesses.iter().filter(changes).filter_map(|access| access.region)).collect()
}

/// The positions of the barriers of warps, and of what makes their lanes meet.
fn warp_barriers(instructions: &[Instruction]) -> Vec<usize> {
    let is_barrier = |instruction: &Instruction| match &instruction.kind {
        Kind::Call { callee: Callee::Named(name), .. } => {
            matches!(function(name).does, Function::WarpBarrier | Function::Shuffle)
        }
        Kind::Call { callee: Callee::Assembly(_), .. } => true,
        _ => false,
    };
    (0..).zip(instructions).filter(|(_, instruction)| is_barrier(instruction)).map(|(at, _)| at).collect()
}
