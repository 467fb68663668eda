//! The simulation of a block's accesses of one array, in their order: the sources of reads and the elements that work
//! items share. The result is exact for all subscripts.
//!
//! Work items run their loops in order and reach an access together, as between barriers. If several work items wrote
//! an element together, each reads its own value. A loop is cut short if it contains all accesses of the array and
//! moves them alike: iterations further apart than the range of one iteration never meet, and later ones repeat the
//! first.

mod phi;

use std::collections::HashMap;

use smallvec::SmallVec;

use super::matrix::Dependence;
use super::nest::{Nest, Node, Occurrence, Subscripts};
use crate::spec::Direction;
use phi::{Extents, Read, Source};

/// The most accesses of one array by a group that are followed.
const MOST: u64 = 1 << 20;
/// The most statements of one array that are followed.
const MOST_MEMBERS: usize = 512;
/// Iterations beside those that may meet: the first one, which may find no source, and two that show the source's step.
const MORE_ITERATIONS: u64 = 3;

/// The subscripts of one element of an array.
type Element = SmallVec<[i64; 4]>;

/// The result of following a block's accesses of an array.
pub(super) struct Run {
    results: Vec<(Dependence, Option<bool>)>,
}

/// An access of the array that is followed.
struct Member<'a> {
    access: &'a Occurrence<'a>,
    subscripts: &'a Subscripts,
    /// f in this block.
    begin: Vec<i64>,
    extents: Extents,
    reads: Vec<Read>,
    /// True if another work item touches one of the access's elements.
    shared: bool,
}

/// The last write to an element.
struct Written {
    at: u64,
    member: usize,
    /// The instance of lane 0, then the lanes.
    first: u64,
    lanes: Vec<u64>,
}

/// The accesses that touched an element.
struct Touched {
    lane: u64,
    shared: bool,
    /// The positions of the members.
    members: SmallVec<[u16; 4]>,
    /// The last write; `None` before the first one.
    written: Option<Written>,
}

/// The state of an array while the block runs.
struct Following<'a> {
    members: Vec<Member<'a>>,
    /// The position in `members` of each access.
    positions: HashMap<usize, usize>,
    /// The number of iterations of each loop that are followed, and the current iteration.
    loops: HashMap<usize, (u64, u64)>,
    dims: [u64; 3],
    now: u64,
    touched: hashbrown::HashMap<Element, Touched>,
}

impl Run {
    /// Follows all accesses of an array through a block; `None` if there are too many.
    pub(super) fn of(nest: &Nest<'_>, accesses: &[(usize, &Subscripts)], block: &[i64; 4]) -> Option<Self> {
        let mut following = Following::new(nest, accesses, block)?;
        following.nodes(&nest.body);
        for touched in following.touched.values().filter(|touched| touched.shared) {
            for member in &touched.members {
                following.members[usize::from(*member)].shared = true;
            }
        }
        let extents: Vec<&Extents> = following.members.iter().map(|member| &member.extents).collect();
        let result = |member: &Member<'_>| {
            let lane = member.access.column_of(nest.lane_axis);
            (phi::dependence(&member.reads, &member.extents, &extents, lane), Some(!member.shared))
        };
        Some(Self { results: following.members.iter().map(result).collect() })
    }

    /// The dependence of an access, and true if its elements are private to its work items.
    pub(super) fn result(&self, position: usize) -> (Dependence, Option<bool>) {
        self.results[position].clone()
    }
}

/// f of an access in a block.
pub(super) fn begin(subscripts: &Subscripts, block: &[i64; 4]) -> Vec<i64> {
    let add = |(row, constant): (usize, &i64)| {
        let entries = &subscripts.of_block.rows()[row];
        entries.iter().zip(block).fold(*constant, |sum, (entry, id)| sum.wrapping_add(entry.wrapping_mul(*id)))
    };
    subscripts.constant.iter().enumerate().map(add).collect()
}

/// The number of iterations of a loop that show all its effects on the array.
fn iterations(nest: &Nest<'_>, accesses: &[(usize, &Subscripts)], block: &[i64; 4], number: usize) -> u64 {
    let mut column: Option<Vec<i64>> = None;
    let mut ranges: Vec<[i128; 2]> = Vec::new();
    for (access, subscripts) in accesses {
        let around = &nest.occurrences[*access].around;
        let Some(position) = around.iter().position(|around| around.number == number) else { return u64::MAX };
        let own: Vec<i64> = subscripts.matrix.column(position).collect();
        if column.get_or_insert_with(|| own.clone()) != &own {
            return u64::MAX;
        }
        let counts = around.iter().map(|around| if around.number == number { 1 } else { around.count });
        let counts: Vec<u64> = counts.chain(nest.dims).collect();
        for (row, [least, most]) in reach(subscripts, &counts, block).into_iter().enumerate() {
            match ranges.get_mut(row) {
                Some(range) => *range = [range[0].min(least), range[1].max(most)],
                None => ranges.push([least, most]),
            }
        }
    }
    let moving = column.iter().flatten().zip(&ranges).filter(|(step, _)| **step != 0);
    let meeting = moving.map(|(step, [least, most])| (most - least) / i128::from(*step).abs()).min().unwrap_or(0);
    u64::try_from(meeting).unwrap_or(u64::MAX).saturating_add(MORE_ITERATIONS)
}

/// The least and the greatest value of each subscript in a block. `counts` are the numbers of values of J's components.
pub(super) fn reach(subscripts: &Subscripts, counts: &[u64], block: &[i64; 4]) -> Vec<[i128; 2]> {
    let rows = begin(subscripts, block).into_iter().enumerate();
    rows.map(|(row, start)| {
        let entries = &subscripts.matrix.rows()[row];
        entries.iter().zip(counts).fold([i128::from(start); 2], |[least, most], (entry, count)| {
            let reach = i128::from(*entry) * i128::from(count - 1);
            [least + reach.min(0), most + reach.max(0)]
        })
    })
    .collect()
}

impl<'a> Following<'a> {
    fn new(nest: &'a Nest<'_>, accesses: &[(usize, &'a Subscripts)], block: &[i64; 4]) -> Option<Self> {
        let mut loops = HashMap::new();
        for around in accesses.iter().flat_map(|(access, _)| &nest.occurrences[*access].around) {
            let shown = |()| iterations(nest, accesses, block, around.number).min(around.count);
            loops.entry(around.number).or_insert_with(|| (shown(()), 0));
        }
        let member = |(access, subscripts): &(usize, &'a Subscripts)| {
            let access = &nest.occurrences[*access];
            let counts: Vec<_> = access.around.iter().map(|around| (loops[&around.number].0, around.count)).collect();
            let extents = Extents::new(&counts, nest.dims, nest.axes);
            Member { access, subscripts, begin: begin(subscripts, block), extents, reads: Vec::new(), shared: false }
        };
        let members: Vec<Member<'_>> = accesses.iter().map(member).collect();
        let all = members.iter().fold(0, |all: u64, member| all.saturating_add(member.extents.instances()));
        (all <= MOST && members.len() <= MOST_MEMBERS).then(|| Self {
            members,
            positions: accesses.iter().enumerate().map(|(position, (access, _))| (*access, position)).collect(),
            loops,
            dims: nest.dims,
            now: 0,
            touched: hashbrown::HashMap::new(),
        })
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Access(access) => {
                    if let Some(position) = self.positions.get(access) {
                        self.access(*position);
                    }
                }
                Node::Loop(number, body) => {
                    let Some((count, _)) = self.loops.get(number).copied() else { continue };
                    for iteration in 0..count {
                        self.loops.insert(*number, (count, iteration));
                        self.nodes(body);
                    }
                }
            }
        }
    }

    /// Follows the access of all work items.
    fn access(&mut self, position: usize) {
        self.now += 1;
        let member = &self.members[position];
        let iteration: Vec<u64> = member.access.around.iter().map(|around| self.loops[&around.number].1).collect();
        let first = member.extents.instance(&iteration);
        for nth in 0..member.access.lanes.items {
            let lane = self.members[position].access.lane(nth);
            let element = self.element(position, &iteration, lane);
            let touched = touch(&mut self.touched, position, lane, element);
            if self.members[position].access.direction == Some(Direction::Write) {
                touched.write(self.now, position, first, lane);
            } else {
                let source = touched.source(lane);
                self.members[position].reads.push(Read { instance: first + lane, source });
            }
        }
    }

    fn element(&self, position: usize, iteration: &[u64], lane: u64) -> Element {
        let Member { subscripts, begin, .. } = &self.members[position];
        let [x, y, _] = self.dims;
        let ids = [lane % x, lane / x % y, lane / x / y];
        let mut element = Element::from_slice(begin);
        for (subscript, row) in element.iter_mut().zip(subscripts.matrix.rows()) {
            for (entry, at) in row.iter().zip(iteration.iter().chain(&ids)) {
                *subscript = subscript.wrapping_add(entry.wrapping_mul(at.cast_signed()));
            }
        }
        element
    }
}

/// Takes note of an access of an element.
fn touch(
    touched: &mut hashbrown::HashMap<Element, Touched>,
    position: usize,
    lane: u64,
    element: Element,
) -> &mut Touched {
    // At most `MOST_MEMBERS` are followed.
    let member = u16::try_from(position).unwrap_or(u16::MAX);
    let new = || Touched { lane, shared: false, members: SmallVec::new(), written: None };
    let touched = touched.entry(element).or_insert_with(new);
    touched.shared |= touched.lane != lane;
    if !touched.members.contains(&member) {
        touched.members.push(member);
    }
    touched
}

impl Touched {
    /// Takes note of a write by a work item.
    fn write(&mut self, at: u64, member: usize, first: u64, lane: u64) {
        let new = || Written { at, member, first, lanes: Vec::new() };
        let written = self.written.get_or_insert_with(new);
        if written.at != at {
            *written = new();
        }
        written.lanes.push(lane);
    }

    /// The write that a work item reads; `None` if there is none before it.
    fn source(&self, lane: u64) -> Option<Source> {
        self.written.as_ref().map(|written| {
            let own = written.lanes.contains(&lane).then_some(lane);
            let writer = own.or(written.lanes.last().copied()).unwrap_or_default();
            Source { member: written.member, instance: written.first + writer }
        })
    }
}
