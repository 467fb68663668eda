//! The kinds of blocks: accesses of one array may meet in some blocks (a tile on the diagonal) and not in others.

use std::collections::BTreeSet;

use super::matrix::Dependence;
use super::nest::{Nest, Subscripts};
use super::run::Run;
use crate::models::locality::run;
use crate::spec::Direction;

/// The most accesses of an array whose distances are compared pair by pair in several blocks.
const MOST_COMPARED: usize = 64;

/// An access in one kind of blocks.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    /// An example: the group id along x, y and z, and the number of the launch.
    pub(super) block: [u64; 4],
    /// The source of the values that the access reads.
    pub(super) dependence: Dependence,
    /// True if no other work item touches the access's elements; `None` if the dependence is unknown.
    pub(super) private: Option<bool>,
}

/// The kinds of blocks of each access, the usual kind first; empty for an access without subscripts.
pub(super) fn kinds(nest: &Nest<'_>) -> Vec<Vec<Kind>> {
    let mut kinds: Vec<Vec<Kind>> = vec![Vec::new(); nest.occurrences.len()];
    for number in 0..nest.occurrences.len() {
        let array = nest.same_array(&nest.occurrences[number]);
        if array[0] != number {
            continue;
        }
        let is_known = array.iter().all(|member| nest.occurrences[*member].is_known()) && is_of_one_width(nest, &array);
        let is_written = array.iter().any(|member| nest.occurrences[*member].direction != Some(Direction::Read));
        let members: Vec<(usize, &Subscripts)> = array
            .into_iter()
            .filter_map(|member| Some((member, nest.occurrences[member].subscripts.as_ref()?)))
            .collect();
        for block in different(nest, &members) {
            let run = if is_known { Run::of(nest, &members, &block.map(u64::cast_signed)) } else { None };
            for (position, (member, _)) in members.iter().enumerate() {
                // What no one writes depends on nothing, followed or not.
                let is_traced = nest.occurrences[*member].traced.is_some();
                let is_read_only = !is_written && (is_known || is_traced);
                let unknown = if is_read_only { Dependence::None } else { Dependence::Unknown };
                let (dependence, private) = run.as_ref().map_or((unknown, None), |run| run.result(position));
                kinds[*member].push(Kind { block, dependence, private });
            }
        }
    }
    kinds
}

/// True unless accesses of a kernel's source reach elements of an array in pieces of several widths.
fn is_of_one_width(nest: &Nest<'_>, array: &[usize]) -> bool {
    let width = |member: &usize| nest.occurrences[*member].lanes.width;
    let is_traced = nest.occurrences[array[0]].traced.is_some();
    !is_traced || array.iter().all(|member| width(member) == width(&array[0]))
}

/// One block of each kind, sorted by the number of pairs of accesses that meet; the usual kind has the fewest.
fn different(nest: &Nest<'_>, members: &[(usize, &Subscripts)]) -> Vec<[u64; 4]> {
    if members.len() > MOST_COMPARED {
        return vec![[0; 4]];
    }
    let mut seen = BTreeSet::new();
    let mut blocks = Vec::new();
    for block in candidates(nest, members) {
        let meetings = meetings(nest, members, &block);
        let near = meetings.iter().filter(|meeting| meeting.is_some()).count();
        if seen.insert(meetings) {
            blocks.push((near, block));
        }
    }
    blocks.sort_by_key(|(near, _)| *near);
    blocks.into_iter().map(|(_, block)| block).collect()
}

/// Blocks at the ends and in the middle of each axis that moves the accesses apart.
fn candidates(nest: &Nest<'_>, members: &[(usize, &Subscripts)]) -> Vec<[u64; 4]> {
    let mut blocks = vec![[0; 4]];
    for axis in 0..4 {
        let column = |(_, subscripts): &(usize, &Subscripts)| subscripts.of_block.column(axis).collect::<Vec<_>>();
        let apart = members.iter().any(|member| column(member) != column(&members[0]));
        let last = nest.blocks[axis] - 1;
        let along = if apart { BTreeSet::from([0, 1.min(last), last / 2, last]) } else { BTreeSet::from([0]) };
        let each = |block: [u64; 4]| {
            along.iter().map(move |at| {
                let mut block = block;
                block[axis] = *at;
                block
            })
        };
        blocks = blocks.into_iter().flat_map(each).collect();
    }
    blocks
}

/// The distance between the first elements of each pair of accesses; `None` if the pair never meets.
fn meetings(nest: &Nest<'_>, members: &[(usize, &Subscripts)], block: &[u64; 4]) -> Vec<Option<Vec<i128>>> {
    let block = block.map(u64::cast_signed);
    let ranges: Vec<Vec<[i128; 2]>> = members
        .iter()
        .map(|(member, subscripts)| {
            let around = nest.occurrences[*member].around.iter().map(|around| around.count);
            run::reach(subscripts, &around.chain(nest.dims).collect::<Vec<_>>(), &block)
        })
        .collect();
    let pairs = (0..members.len()).flat_map(|first| (first + 1..members.len()).map(move |second| [first, second]));
    pairs
        .map(|[first, second]| {
            let rows = || ranges[first].iter().zip(&ranges[second]);
            let meets = rows().all(|(one, other)| one[0] <= other[1] && other[0] <= one[1]);
            meets.then(|| rows().map(|(one, other)| one[0] - other[0]).collect())
        })
        .collect()
}
