//! The flow of control of a kernel: an order of its blocks, its loops, and where branches join.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::ir::{BlockId, IrFunction, Kind};
use autotune_base::limits::watch::{Phase, look};

/// The flow of control of a kernel.
#[derive(Debug, Clone)]
pub struct Flow {
    /// The blocks that can be reached, so that a loop stands before what follows it.
    order: Vec<BlockId>,
    /// The position of each block in the order; `None` if it cannot be reached.
    positions: Vec<Option<usize>>,
    /// The blocks of each natural loop, by its head.
    loops: BTreeMap<BlockId, FixedBitSet>,
    /// The first block that all paths from a block meet; `None` stands for the kernel's end.
    joins: Vec<Option<BlockId>>,
    /// The blocks whose paths all lead to a trap, or to what the compiler knows to be never reached.
    doomed: FixedBitSet,
}

impl Flow {
    /// The flow of a kernel.
    #[must_use]
    pub fn new(kernel: &IrFunction) -> Self {
        let edges = Edges::new(kernel);
        let order = edges.order(|_, to| to);
        let dominators = Dominators::new(&order, &edges.before);
        let loops = loops(&order, &edges, &dominators);
        let order = edges.order(|from, mut to| {
            // What leaves more loops is visited first, and so stands behind what stays.
            to.sort_by_key(|to| loops.values().filter(|body| body.contains(from) && body.contains(*to)).count());
            to
        });
        let mut positions = vec![None; kernel.blocks.len()];
        order.iter().enumerate().for_each(|(position, block)| positions[*block] = Some(position));
        let doomed = doomed(kernel, &order, &edges);
        // A path that no launch takes does not keep the others from meeting.
        let live: FixedBitSet = order.iter().copied().filter(|block| !doomed.contains(*block)).collect();
        let joins = joins(&live, &edges);
        let order = order.into_iter().map(id).collect();
        Self { order, positions, loops, joins, doomed }
    }

    /// True for a block whose paths all lead to a trap, or to what the compiler knows to be never reached.
    #[must_use]
    pub fn is_doomed(&self, block: BlockId) -> bool {
        self.doomed.contains(block.index())
    }

    /// The block at a position of the order.
    #[must_use]
    pub fn block(&self, position: usize) -> BlockId {
        self.order[position]
    }

    /// The number of blocks that can be reached: the position of the kernel's end.
    #[must_use]
    pub fn end(&self) -> usize {
        self.order.len()
    }

    /// The position of a block; that of the kernel's end if no path leads there.
    #[must_use]
    pub fn position(&self, block: BlockId) -> usize {
        self.positions[block.index()].unwrap_or(self.order.len())
    }

    /// True if a loop begins with this block.
    #[must_use]
    pub fn is_head(&self, block: BlockId) -> bool {
        self.loops.contains_key(&block)
    }

    /// True if a block belongs to the loop with this head.
    #[must_use]
    pub fn is_in(&self, head: BlockId, block: BlockId) -> bool {
        self.loops.get(&head).is_some_and(|body| body.contains(block.index()))
    }

    /// The blocks of the loop with this head.
    pub fn body(&self, head: BlockId) -> impl Iterator<Item = BlockId> {
        self.loops.get(&head).into_iter().flat_map(FixedBitSet::ones).map(id)
    }

    /// The position where all paths from a block meet again.
    #[must_use]
    pub fn join(&self, block: BlockId) -> usize {
        self.joins[block.index()].map_or(self.end(), |join| self.position(join))
    }
}

fn id(index: usize) -> BlockId {
    BlockId(u32::try_from(index).unwrap_or(u32::MAX))
}

/// The edges between blocks, both ways.
struct Edges {
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
}

impl Edges {
    fn new(kernel: &IrFunction) -> Self {
        let after: Vec<Vec<usize>> = kernel
            .blocks
            .iter()
            .map(|block| block.instructions.last().map_or_else(Vec::new, |last| last.kind.successors()))
            .map(|all| all.into_iter().map(BlockId::index).collect())
            .collect();
        let mut before = vec![Vec::new(); after.len()];
        for (from, all) in after.iter().enumerate() {
            for to in all {
                let to: usize = *to;
                before[to].push(from);
            }
        }
        Self { after, before }
    }

    /// The blocks in reverse post-order of a search from the entry.
    fn order(&self, sorted: impl Fn(usize, Vec<usize>) -> Vec<usize>) -> Vec<usize> {
        postorder(0, self.after.len(), |from| sorted(from, self.after[from].clone()))
    }
}

/// The reverse postorder of what is reached from `root`.
fn postorder(root: usize, count: usize, after: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = FixedBitSet::with_capacity(count);
    let mut order = Vec::new();
    seen.insert(root);
    let mut open = vec![(root, after(root).into_iter())];
    while let Some((block, rest)) = open.last_mut() {
        look(Phase::Flow);
        match rest.next() {
            Some(to) if !seen.put(to) => open.push((to, after(to).into_iter())),
            Some(_) => {}
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The immediate dominators, by the algorithm of Cooper, Harvey and Kennedy.
struct Dominators {
    positions: Vec<Option<usize>>,
    /// The position of each block's dominator, by position.
    above: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Dominators {
    fn new(order: &[usize], before: &[Vec<usize>]) -> Self {
        let mut positions = vec![None; before.len()];
        order.iter().enumerate().for_each(|(position, block)| positions[*block] = Some(position));
        let mut above: Vec<Option<usize>> = vec![None; order.len()];
        above[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for position in 1..order.len() {
                look(Phase::Flow);
                let known = before[order[position]].iter().filter_map(|from| positions[*from]);
                let dominator =
                    known.filter(|from| above[*from].is_some()).reduce(|one, other| meet(&above, one, other));
                changed |= dominator != above[position];
                above[position] = dominator;
            }
        }
        Self { positions, above, order: order.to_vec() }
    }

    /// The immediate dominator of a block; `None` for the entry and for what is not reached.
    fn above(&self, block: usize) -> Option<usize> {
        let position = self.positions[block]?;
        self.above[position].filter(|above| *above != position).map(|above| self.order[above])
    }

    fn dominates(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(mut at)) = (self.positions[one], self.positions[other]) else { return false };
        // A dominator stands before what it dominates.
        while at > one {
            look(Phase::Flow);
            let Some(above) = self.above[at] else { return false };
            at = above;
        }
        at == one
    }
}

/// The last position that dominates both.
fn meet(above: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    while one != other {
        look(Phase::Flow);
        if one < other {
            std::mem::swap(&mut one, &mut other);
        }
        one = above[one].unwrap_or(0);
    }
    one
}

/// The blocks of each natural loop.
fn loops(order: &[usize], edges: &Edges, dominators: &Dominators) -> BTreeMap<BlockId, FixedBitSet> {
    let mut loops: BTreeMap<BlockId, FixedBitSet> = BTreeMap::new();
    for &from in order {
        for &head in edges.after[from].iter().filter(|to| dominators.dominates(**to, from)) {
            let body = loops.entry(id(head)).or_insert_with(|| FixedBitSet::with_capacity(edges.after.len()));
            body.insert(head);
            let mut open = vec![from];
            while let Some(block) = open.pop() {
                look(Phase::Flow);
                if !body.put(block) {
                    open.extend(&edges.before[block]);
                }
            }
        }
    }
    loops
}

/// The blocks whose paths all lead to an end that no launch reaches; none if that holds for the whole kernel.
fn doomed(kernel: &IrFunction, order: &[usize], edges: &Edges) -> FixedBitSet {
    let mut doomed = FixedBitSet::with_capacity(edges.after.len());
    for (index, block) in kernel.blocks.iter().enumerate() {
        doomed.set(index, block.instructions.last().is_some_and(|last| matches!(last.kind, Kind::Unreachable)));
    }
    let mut changed = doomed.count_ones(..) > 0;
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            look(Phase::Flow);
            let after = &edges.after[block];
            if !after.is_empty() && after.iter().all(|to| doomed.contains(*to)) {
                changed |= !doomed.put(block);
            }
        }
    }
    if doomed.contains(0) {
        doomed.clear();
    }
    doomed
}

/// The immediate post-dominators: dominators against the flow, from a common end. Blocks that are not `reached` lead nowhere.
fn joins(reached: &FixedBitSet, edges: &Edges) -> Vec<Option<BlockId>> {
    let count = edges.after.len();
    let end = count;
    let is_last = |block: &usize| reached.contains(*block) && edges.after[*block].is_empty();
    let mut before: Vec<Vec<usize>> = edges.before.clone();
    for all in &mut before {
        all.retain(|from| reached.contains(*from));
    }
    before.push((0..count).filter(is_last).collect());
    let mut after = edges.after.clone();
    (0..count).filter(is_last).for_each(|block| after[block].push(end));
    after.push(Vec::new());
    let order = postorder(end, count + 1, |block| before[block].clone());
    let dominators = Dominators::new(&order, &after);
    (0..count).map(|block| dominators.above(block).filter(|join| *join != end).map(id)).collect()
}
