//! A group's trace as if another group had executed it, with the numbers of arrays and counters that all groups share.

use super::super::execute::Executed;
use super::super::trace::{Region, RegionId, SourceAccess, Step, Trace};
use super::super::value::{Known, Lanes, Shape, Slope, Symbol};
use autotune_base::limits::watch::{Phase, look};

/// A group's trace and where its addresses go.
#[derive(Debug)]
pub(super) struct Placed {
    steps: Trace,
}

/// The counters of a trace and of the addresses in it, as they become others.
pub(super) type Renumbered<'a> = &'a dyn Fn(u32) -> u32;

impl Placed {
    /// The trace of the first of two groups at the addresses that the second would have. The arrays that the group reaches
    /// join `regions`.
    pub(super) fn new(
        executed: &Executed,
        regions: &mut Vec<Region>,
        [from, to]: [[u64; 3]; 2],
        shape: &Shape,
    ) -> Self {
        let numbers: Vec<RegionId> = executed.regions.iter().map(|region| number(regions, region)).collect();
        let same = numbers.iter().enumerate().all(|(at, number)| number.0 as usize == at);
        let mut steps = executed.trace.clone();
        if !same || from != to {
            let distances = [0, 1, 2].map(|axis: usize| to[axis].cast_signed() - from[axis].cast_signed());
            each_access(&mut steps, &mut |access| place(access, &numbers, distances, shape));
        }
        Self { steps }
    }

    pub(super) fn steps(&self) -> &Trace {
        &self.steps
    }

    /// The trace with counters from `first` on, which becomes the next free one.
    pub(super) fn trace(self, first: &mut u32) -> Trace {
        let mut steps = self.steps;
        let (mut next, start) = (*first, *first);
        renumber(&mut steps, &|counter| start + counter);
        each_counter(&steps, &mut |counter| next = next.max(counter + 1));
        *first = next;
        steps
    }
}

fn number(regions: &mut Vec<Region>, region: &Region) -> RegionId {
    let known = regions.iter().position(|known| known.name == region.name);
    let number = known.unwrap_or_else(|| {
        regions.push(region.clone());
        regions.len() - 1
    });
    RegionId(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Moves an access to the number of its array, and to another group.
fn place(access: &mut SourceAccess, numbers: &[RegionId], distances: [i64; 3], shape: &Shape) {
    let Some(address) = &mut access.address else { return };
    let shift =
        |region: RegionId| numbers.get(region.0 as usize).map_or(0, |number| number.address() - region.address());
    let mut moved = 0;
    match access.region {
        Some(region) => {
            moved = shift(region);
            access.region = numbers.get(region.0 as usize).copied().or(access.region);
        }
        // The work items reach several arrays.
        None => {
            address.base =
                address.base.map(shape, |byte| byte.wrapping_add(RegionId::from_address(byte).map_or(0, shift)));
        }
    }
    for (symbol, slope) in &address.slopes {
        if let (Some(axis), Slope::By(Lanes::Same(slope))) = (symbol.axis(), slope) {
            moved = moved.wrapping_add(slope.wrapping_mul(distances[axis]));
        }
    }
    address.base = address.base.moved(moved);
}

/// Changes each access of a trace.
fn each_access(trace: &mut Trace, change: &mut impl FnMut(&mut SourceAccess)) {
    Step::change_all(trace, &mut |step| {
        look(Phase::Groups);
        if let Step::Block(run) = step {
            run.accesses.iter_mut().for_each(&mut *change);
        }
    });
}

/// Visits the counters of a trace's loops.
fn each_counter(trace: &Trace, visit: &mut impl FnMut(u32)) {
    for (step, _) in Step::all(trace) {
        if let Step::Loop(run) = step {
            run.rounds.iter().filter_map(|round| round.counter).for_each(&mut *visit);
        }
    }
}

/// Gives the counters of a trace other numbers.
pub(super) fn renumber(trace: &mut Trace, of: Renumbered<'_>) {
    Step::change_all(trace, &mut |step| match step {
        Step::Block(run) => {
            let addresses = run.accesses.iter_mut().filter_map(|access| access.address.as_mut());
            addresses.for_each(|address| renumber_address(address, of));
        }
        Step::Loop(run) => run.rounds.iter_mut().for_each(|round| round.counter = round.counter.map(of)),
        Step::Sides(..) => {}
    });
}

fn renumber_address(address: &mut Known, of: Renumbered<'_>) {
    for (symbol, _) in &mut address.slopes {
        if let Symbol::Counter(counter) = symbol {
            *counter = of(*counter);
        }
    }
    address.slopes.sort_by_key(|(symbol, _)| *symbol);
}
