//! Blocks that the sides of a branch lead to.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ir::{BlockId, Kind, Operand, Operator, Typed};
use super::super::marks::Begin;
use super::state::Run;

/// The blocks that a side of a branch leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    /// True if it may lead to another iteration.
    pub(super) iterates: bool,
    /// True if it may lead to the beginning of the loop.
    pub(super) enters: bool,
    /// True if it may lead elsewhere.
    pub(super) leaves: bool,
}

impl Way {
    /// The fitness for another iteration, or else for the end of the loop: a way that leads nowhere else is the best.
    pub(super) fn fits(self, iterates: bool) -> u8 {
        let (wanted, other) = if iterates { (self.iterates, self.leaves) } else { (self.leaves, self.iterates) };
        2 * u8::from(wanted) - u8::from(wanted && other)
    }
}

/// The most operations between a condition and a truth that follows from it.
const DEEPEST: usize = 8;

/// A step of a way into a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    from: BlockId,
    block: BlockId,
    /// True while the condition of the branch where the way begins has the value that it had there.
    is_known: bool,
}

impl Run<'_> {
    /// The blocks that a side of the branch at the end of `id` leads to: up to those where something begins, and no further
    /// than the loop with the head `within`, or than another iteration of the loop around `id`.
    pub(super) fn way(
        &self,
        id: BlockId,
        target: BlockId,
        beginnings: &BTreeMap<BlockId, Begin>,
        within: Option<BlockId>,
    ) -> Way {
        let around = self.loops.iter().rev().map(|state| state.head).find(|head| self.flow.is_in(*head, id));
        let decided = self.decided_by(id, target);
        let mut way = Way { iterates: false, enters: false, leaves: false };
        let mut seen = BTreeSet::new();
        let mut open = vec![Entry { from: id, block: target, is_known: decided.is_some() }];
        while let Some(entry) = open.pop() {
            let block = entry.block;
            if !seen.insert(entry) {
                continue;
            }
            match beginnings.get(&block) {
                Some(Begin::Iteration) => {
                    way.iterates = true;
                    continue;
                }
                Some(Begin::Entry) => {
                    way.enters = true;
                    continue;
                }
                None => {}
            }
            let is_outside = match within {
                Some(head) => !self.flow.is_in(head, block),
                None => around.is_some_and(|head| head == block || !self.flow.is_in(head, block)),
            };
            let after = self.after(entry, decided);
            if is_outside || after.is_empty() {
                way.leaves = true;
            } else {
                open.extend(after);
            }
        }
        way
    }

    /// The condition of the branch at the end of a block, and its truth where the branch goes to the target; `None` if the
    /// target does not tell.
    fn decided_by(&self, id: BlockId, target: BlockId) -> Option<(&Operand, bool)> {
        match &self.module.kernel.blocks[id.index()].instructions.last()?.kind {
            Kind::Branch(Typed { operand, .. }, [then, other]) if then != other => Some((operand, target == *then)),
            _ => None,
        }
    }

    /// The steps out of a block: one where a branch repeats what is decided, or is on a constant of the block that the way
    /// came from. Cleanups of C++ leave such branches.
    fn after(&self, Entry { from, block, is_known }: Entry, decided: Option<(&Operand, bool)>) -> Vec<Entry> {
        let Some(last) = self.module.kernel.blocks[block.index()].instructions.last() else { return Vec::new() };
        let defined_here = |operand: &Operand| {
            let definition = operand.value().and_then(|value| self.definitions.get(value.index()).copied().flatten());
            definition.is_some_and(|(of, _)| of == block)
        };
        let is_known = is_known && decided.is_some_and(|(condition, _)| !defined_here(condition));
        let decided = decided.filter(|_| is_known);
        let one = match &last.kind {
            Kind::Branch(condition, [then, other]) => decided
                .and_then(|decided| self.follows_from(&condition.operand, decided, DEEPEST))
                .or_else(|| Some(self.constant_from(from, block, &condition.operand)? & 1 != 0))
                .map(|truth| if truth { *then } else { *other }),
            Kind::Switch(value, cases, other) => self
                .constant_from(from, block, &value.operand)
                .map(|value| cases.iter().find(|(case, _)| *case == value).map_or(*other, |(_, target)| *target)),
            _ => None,
        };
        let targets = one.map_or_else(|| last.kind.successors(), |one| vec![one]);
        targets.into_iter().map(|target| Entry { from: block, block: target, is_known }).collect()
    }

    /// The truth that follows from that of a condition; `None` if it does not follow.
    fn follows_from(&self, operand: &Operand, decided: (&Operand, bool), deep: usize) -> Option<bool> {
        if operand == decided.0 {
            return Some(decided.1);
        }
        let value = match operand {
            Operand::Integer(truth) => return Some(truth & 1 != 0),
            Operand::Zero => return Some(false),
            operand => operand.value().filter(|_| deep > 0)?,
        };
        let (block, position) = self.definitions.get(value.index()).copied().flatten()?;
        let of = |operand: &Operand| self.follows_from(operand, decided, deep - 1);
        match &self.module.kernel.blocks[block.index()].instructions[position].kind {
            Kind::Freeze(one) => of(&one.operand),
            Kind::Binary { operator, left, right, .. } => {
                let (one, other) = (of(&left.operand), of(right));
                match operator {
                    Operator::And if one == Some(false) || other == Some(false) => Some(false),
                    Operator::Or if one == Some(true) || other == Some(true) => Some(true),
                    Operator::And => Some(one? && other?),
                    Operator::Or => Some(one? || other?),
                    Operator::Xor => Some(one? != other?),
                    _ => None,
                }
            }
            Kind::Select([condition, then, other]) => match of(&condition.operand) {
                Some(true) => of(&then.operand),
                Some(false) => of(&other.operand),
                None => of(&then.operand).filter(|then| of(&other.operand) == Some(*then)),
            },
            _ => None,
        }
    }

    /// The constant that a phi of a block is when the block is entered from another one; `None` if it is another value.
    fn constant_from(&self, from: BlockId, block: BlockId, operand: &Operand) -> Option<i64> {
        let (of, position) = self.definitions.get(operand.value()?.index()).copied().flatten()?;
        let Kind::Phi(_, incoming) = &self.module.kernel.blocks[block.index()].instructions.get(position)?.kind else {
            return None;
        };
        let (_, constant) = incoming.iter().find(|(before, _)| *before == from).filter(|_| of == block)?;
        match constant {
            Operand::Integer(value) => Some(*value),
            Operand::Zero => Some(0),
            _ => None,
        }
    }
}
