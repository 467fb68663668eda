//! The stores of a real GPU's phases apart from its loads, in the order of the text.
//!
//! A phase of a program has one use of the path to memory, for its loads and stores together. A kernel's graph has two
//! kinds of arcs for them: its reads, and its writes with T = 0 beyond their occupancy, since no warp waits for a store.
//! Both parts of the occupancy follow each other, so the times of the models stay.

use num_traits::ToPrimitive;

use super::parts::{Part, Read, Write};
use crate::lowering::{Origin, Stores};

/// The parts with the stores apart. `origins` come from the program, in the order of its text.
pub(super) fn apart(parts: Vec<Part>, origins: &[Origin]) -> Vec<Part> {
    let mut apart = Vec::with_capacity(parts.len());
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        match part {
            Part::Reads(reads) => {
                let (writes_first, reads, write) = divided(reads, origins);
                let (before, after) = if writes_first { (write, None) } else { (None, write) };
                apart.extend(before.map(Part::Write));
                apart.extend((!reads.is_empty()).then_some(Part::Reads(reads)));
                apart.extend(parts.next_if(|next| after.is_some() && matches!(next, Part::Operation(_))));
                apart.extend(after.map(Part::Write));
            }
            Part::Loop { count, body } => apart.push(Part::Loop { count, body: self::apart(body, origins) }),
            Part::Branch(sides) => apart.push(Part::Branch(sides.map(|side| self::apart(side, origins)))),
            other => apart.push(other),
        }
    }
    apart
}

/// The reads of a phase, its write, and whether that goes first. Runs with asynchronous copies have a use for each
/// statement and stay as they are.
fn divided(reads: Vec<Read>, origins: &[Origin]) -> (bool, Vec<Read>, Option<Write>) {
    let [read] = reads.as_slice() else { return (false, reads, None) };
    let stores = read.uses.first().and_then(|place| origins.get(*place)).map(|origin| &origin.stores);
    let Some((delay, is_first)) = stores.and_then(|stores| stored(stores, read.delay)) else {
        return (false, reads, None);
    };
    let delays = read.wait.checked_div(read.delay.into()).unwrap_or(0);
    let all = delay == read.delay;
    let write = Write {
        name: read.name.clone(),
        line: None,
        accesses: read.accesses,
        ticks: if all { read.ticks } else { 0 },
        delay,
        wait: delays * u128::from(delay),
        uses: read.uses.clone(),
    };
    if all {
        return (false, Vec::new(), Some(write));
    }
    let loaded = read.delay - delay;
    (is_first, vec![Read { delay: loaded, wait: delays * u128::from(loaded), ..read.clone() }], Some(write))
}

/// The ticks of an occupancy that stores cause, and whether a store goes first; `None` without stores.
fn stored(stores: &Stores, occupancy: u64) -> Option<(u64, bool)> {
    let share: f64 = stores.lines.iter().map(|(_, share)| share).sum();
    let ticks = (share * occupancy.to_f64()?).round().to_u64()?.min(occupancy);
    (ticks > 0).then_some((ticks, stores.are_first))
}
