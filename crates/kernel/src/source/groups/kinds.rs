//! The work of a group as a key: groups with equal keys execute the same, at other addresses.

use super::super::trace::{Fork, SourceAccess, Step};
use super::super::value::{Known, Lanes, Mask, Shape, Slope};
use super::placed::Placed;
use autotune_base::limits::watch::{Phase, look};

/// Work items that are in one warp on all GPUs of real machines.
const TOGETHER: usize = 32;

/// The blocks, work items, iterations and accesses of steps, with the distances between the work items' addresses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Kind(Vec<i64>);

impl Kind {
    /// The key of a group.
    pub(super) fn new(placed: &Placed, shape: &Shape) -> Self {
        Self::of_steps(placed.steps(), shape)
    }

    /// The key of steps.
    pub(super) fn of_steps(steps: &[Step], shape: &Shape) -> Self {
        let mut words = Vec::new();
        list(steps, shape, &mut words);
        Self(words)
    }
}

fn list(steps: &[Step], shape: &Shape, words: &mut Vec<i64>) {
    words.push(word(steps.len()));
    for step in steps {
        look(Phase::Groups);
        match step {
            Step::Block(run) => {
                words.extend([0, i64::from(run.block.0), word(run.accesses.len())]);
                words.extend(run.items.as_slice().iter().map(|part| word(*part)));
                run.accesses.iter().for_each(|access| list_access(access, &run.items, shape, words));
            }
            Step::Loop(run) => {
                words.extend([1, i64::from(run.head.0), word(run.rounds.len())]);
                for round in &run.rounds {
                    words.push(round.times.cast_signed());
                    list(&round.steps, shape, words);
                }
            }
            Step::Sides(fork, sides) => {
                let fork = if let Fork::Data(block) = fork { i64::from(block.0) } else { -1 };
                words.extend([2, fork, word(sides.len())]);
                for side in sides {
                    words.push(side.share.to_bits().cast_signed());
                    list(&side.steps, shape, words);
                }
            }
        }
    }
}

fn list_access(access: &SourceAccess, items: &Mask, shape: &Shape, words: &mut Vec<i64>) {
    look(Phase::Groups);
    let region = access.region.map_or(-1, |region| i64::from(region.0));
    let numbers = [access.bytes, access.elements, access.level.into()].map(u64::cast_signed);
    words.extend([word(access.instruction), access.memory as i64, region]);
    words.extend(access.kind.words());
    words.extend(numbers);
    let items = access.items.as_deref().unwrap_or(items);
    if access.items.is_some() {
        words.extend(items.ones().map(word));
    }
    if let Some(address) = access.to.as_ref().and_then(|to| to.address.as_ref()) {
        list_distances(address, items, shape, words);
    }
    match &access.address {
        None => words.push(-1),
        Some(address) => list_distances(address, items, shape, words),
    }
}

/// The distances between the addresses of the work items that take part, in order of the addresses: which lane of a warp
/// has which address is of no matter.
fn list_distances(address: &Known, items: &Mask, shape: &Shape, words: &mut Vec<i64>) {
    for (data, slope) in address.data() {
        let factor = |lane| if let Slope::By(slope) = slope { slope.at(lane, shape) } else { 0 };
        words.extend([3, data.together.into(), data.of_launch.into()]);
        match slope {
            Slope::By(Lanes::Same(factor)) => words.push(*factor),
            _ => words.extend(items.ones().map(factor)),
        }
    }
    match &address.base {
        Lanes::Same(_) => words.push(0),
        Lanes::Even { steps, .. } if items.is_full() => {
            words.push(1);
            words.extend(steps);
        }
        base => {
            let mut all: Vec<(usize, i64)> = items.ones().map(|lane| (lane / TOGETHER, base.at(lane, shape))).collect();
            all.sort_unstable();
            let first = all.first().map_or(0, |(_, address)| *address);
            words.push(2);
            words.extend(all.into_iter().map(|(_, address)| address.wrapping_sub(first)));
        }
    }
}

fn word(number: usize) -> i64 {
    (number as u64).cast_signed()
}
