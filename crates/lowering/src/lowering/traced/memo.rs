//! Counts of accesses that differ only in where they begin: unrolled loops have many of them.

use std::cell::RefCell;
use std::collections::HashMap;

use super::executions::Repeated;
use crate::lowering::exact::Exact;
use autotune_kernel::source::{Known, Lanes, Mask, Slope, Symbol};

/// The period of sectors, lines and banks, in bytes.
const PERIOD: i64 = 1 << 10;

/// What is counted of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Counted {
    LocalPasses,
    L1Passes,
    SectorsOfWarps,
    WordsOfWarps,
    SectorsInPart,
    LoneSectors,
    SideBySide,
    SectorsOfGroup,
    Fresh,
    Shared,
}

/// What a count depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    counted: Counted,
    bytes: u64,
    /// The address of the first work item within a period.
    start: i64,
    /// The steps along the axes of the group.
    steps: [i64; 3],
    /// The distances of the work items from the first one if they are uneven.
    distances: Box<[i64]>,
    /// The changes with the ids of the group and with the innermost counter, and the iterations of its loop.
    slopes: [i64; 4],
    times: u64,
    /// The work items.
    items: Box<[usize]>,
    /// The runs of work items that share each number from data, its factor, and 1 if it changes from one iteration to the next.
    data: Box<[[i64; 3]]>,
}

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Memo(RefCell<HashMap<Key, Exact>>);

impl Memo {
    /// The count of an access to known addresses, from an equal access or computed.
    pub(super) fn get_or(
        &self,
        counted: Counted,
        (known, bytes): (&Known, u64),
        items: &Mask,
        innermost: Option<Repeated>,
        compute: impl FnOnce() -> Exact,
    ) -> Exact {
        let Some(key) = key(counted, known, bytes, items, innermost) else { return compute() };
        if let Some(count) = self.0.borrow().get(&key) {
            return *count;
        }
        let count = compute();
        self.0.borrow_mut().insert(key, count);
        count
    }
}

/// The key of a count; `None` if the addresses of the work items change differently.
fn key(counted: Counted, known: &Known, bytes: u64, items: &Mask, innermost: Option<Repeated>) -> Option<Key> {
    let (start, steps, distances) = match &known.base {
        Lanes::Same(base) => (*base, [0; 3], Vec::new()),
        Lanes::Even { base, steps } => (*base, *steps, Vec::new()),
        Lanes::Each(each) => (each[0], [0; 3], each.iter().map(|address| address.wrapping_sub(each[0])).collect()),
    };
    let slope = |symbol| match known.slope(symbol) {
        Some(Slope::By(Lanes::Same(slope))) => Some(*slope),
        Some(_) => None,
        None => Some(0),
    };
    let of_groups = counted == Counted::Shared;
    let group = |axis| if of_groups { slope(Symbol::Group(axis)) } else { Some(0) };
    let innermost = innermost.filter(|_| !of_groups && counted != Counted::LocalPasses);
    let of_loop = innermost.map_or(Some(0), |around| slope(Symbol::Counter(around.counter)))?;
    let changes = |number| innermost.is_some_and(|around| number >= around.data_from);
    let data = known.data().map(|(data, slope)| match slope {
        Slope::By(Lanes::Same(slope)) => Some([data.together.into(), *slope, changes(data.number).into()]),
        _ => None,
    });
    let data = data.collect::<Option<Vec<[i64; 3]>>>()?.into();
    Some(Key {
        counted,
        bytes,
        start: start.rem_euclid(PERIOD),
        steps,
        distances: distances.into(),
        slopes: [group(0)?, group(1)?, group(2)?, of_loop],
        times: innermost.map_or(1, |around| around.times),
        items: items.as_slice().into(),
        data,
    })
}
