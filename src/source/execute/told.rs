//! Conditions and iterations that a user's assumptions speak of, found by the marks of the source's form.

use std::collections::BTreeSet;

use super::super::ir::{BlockId, Instruction, Kind, Operand, Operator, Typed, ValueId};
use super::super::marks::{CountedLoop, Mark};
use super::super::value::{Known, Mask, Value};
use super::data::user_line;
use super::finding::FindingKind;
use super::fronts::Origin;
use super::loop_state::{LoopState, Trip};
use super::state::Run;

/// The blocks that a way leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// True if it may lead to another iteration.
    iterates: bool,
    /// True if it may lead elsewhere.
    leaves: bool,
}

impl Way {
    /// The fitness for another iteration, or else for the end of the loop: a way that leads nowhere else is the best.
    fn fits(self, iterates: bool) -> u8 {
        let (wanted, other) = if iterates { (self.iterates, self.leaves) } else { (self.leaves, self.iterates) };
        2 * u8::from(wanted) - u8::from(wanted && other)
    }
}

impl Run<'_> {
    /// Takes note of a marked condition that was executed.
    pub(super) fn meet_condition(&mut self, result: ValueId, value: &Value) {
        let Some(Mark::Condition { line, statement, follows }) = self.module.kernel.marks.conditions.get(&result)
        else {
            return;
        };
        let Some(taken) = self.assumptions.taken.get(line) else { return };
        if let Value::Known(known) = value
            && !known.is_on_data()
        {
            self.told.shares.remove(&result);
            if follows.is_none() {
                self.told.decided.remove(&(*statement, *line));
            }
            return;
        }
        // With `&&` and `||`, the first condition on data says what the whole is; those behind it are as it says.
        let share = match follows {
            Some(truth) if self.told.decided.contains(&(*statement, *line)) => f64::from(u8::from(*truth)),
            _ => *taken,
        };
        self.told.decided.insert((*statement, *line));
        self.told.shares.insert(result, share);
    }

    /// The share of executions that find a condition true; `None` if no assumption says it.
    pub(super) fn share_of(&mut self, condition: &Typed) -> Option<f64> {
        match &condition.operand {
            Operand::Integer(truth) => Some(if truth & 1 == 0 { 0.0 } else { 1.0 }),
            Operand::Zero => Some(0.0),
            Operand::Value(id) => {
                if let Some(share) = self.told.shares.get(id) {
                    return Some(*share);
                }
                if let Some(truth) = self.typed(condition).known().and_then(Known::as_constant) {
                    return Some(if truth & 1 == 0 { 0.0 } else { 1.0 });
                }
                let kind = *self.told.truths.get(id)?;
                self.share_of_truth(kind)
            }
            _ => None,
        }
    }

    fn share_of_truth(&mut self, kind: &Kind) -> Option<f64> {
        let not = |share: Option<f64>| share.map(|share| 1.0 - share);
        match kind {
            Kind::Freeze(one) => self.share_of(one),
            Kind::Binary { operator, left, right, .. } => {
                let right = Typed { of: left.of.clone(), operand: right.clone() };
                let [one, other] = [self.share_of(left), self.share_of(&right)];
                match operator {
                    Operator::And => both(one, other),
                    Operator::Or => not(both(not(one), not(other))),
                    _ => {
                        let (one, other) = (one?, other?);
                        Some(one * (1.0 - other) + other * (1.0 - one))
                    }
                }
            }
            Kind::Select([condition, then, other]) => {
                let condition = self.share_of(condition);
                let (then, other) = (both(condition, self.share_of(then)), both(not(condition), self.share_of(other)));
                Some(then? + other?)
            }
            _ => None,
        }
    }

    /// True if conditions of this line have marks.
    pub(super) fn has_conditions(&self, line: u32) -> bool {
        self.told.lines.contains(&line)
    }

    /// An iteration of a loop begins in a block.
    pub(super) fn begin_iteration(&mut self, block: BlockId) {
        let Some(all) = self.module.kernel.marks.iterations.get(&block) else { return };
        for counted in all {
            let bodies = self.told.bodies.get(counted).into_iter().flatten();
            let head = bodies.filter(|(body, _)| *body == block).find_map(|(_, head)| *head);
            let Some(state) = self.loops.iter_mut().rev().find(|state| Some(state.head) == head) else {
                *self.told.before.entry(*counted).or_insert(0) += 1;
                continue;
            };
            *state.begun.entry(*counted).or_insert(0) += 1;
            if let Some(left) = state.trips.get_mut(&Trip::Counted(*counted)) {
                *left = left.saturating_sub(1);
            }
        }
    }

    /// Hands the iterations that have begun in front of a loop to the loop.
    pub(super) fn enter_counted(&mut self) {
        let Some(state) = self.loops.last_mut() else { return };
        for (counted, bodies) in &self.told.bodies {
            if bodies.iter().any(|(_, head)| *head == Some(state.head))
                && let Some(begun) = self.told.before.remove(counted)
            {
                state.begun.insert(*counted, begun);
            }
        }
    }

    /// Sends work items on at a branch on data that decides whether a loop goes on whose iterations the user says. Returns
    /// false if it is another branch.
    pub(super) fn told_trip(
        &mut self,
        id: BlockId,
        instruction: &Instruction,
        targets: &[BlockId],
        mask: &Mask,
    ) -> bool {
        // The optimiser may have moved the question whether a loop is entered out of a loop around it, without its line.
        let line = user_line(instruction);
        let counted = self.told.bodies.keys().filter(|counted| line.is_none_or(|line| line == counted.line));
        let mut ways: Vec<(Option<usize>, CountedLoop)> =
            counted.map(|counted| (self.counted_around(*counted, id), *counted)).collect();
        // The innermost loop first, and those behind the branch last.
        ways.sort_by_key(|(around, _)| std::cmp::Reverse(*around));
        ways.into_iter().any(|counted| self.told_trip_of(counted, id, instruction, targets, mask))
    }

    /// The position of a loop that is under way around a block.
    fn counted_around(&self, counted: CountedLoop, id: BlockId) -> Option<usize> {
        let bodies = self.told.bodies.get(&counted)?;
        let is_around = |state: &LoopState| {
            self.flow.is_in(state.head, id) && bodies.iter().any(|(_, head)| *head == Some(state.head))
        };
        self.loops.iter().rposition(is_around)
    }

    fn told_trip_of(
        &mut self,
        (around, counted): (Option<usize>, CountedLoop),
        id: BlockId,
        instruction: &Instruction,
        targets: &[BlockId],
        mask: &Mask,
    ) -> bool {
        let Some(trips) = self.assumptions.trips.get(&counted.line).copied() else { return false };
        let begun = match around {
            Some(at) => self.loops[at].begun.get(&counted),
            None => self.told.before.get(&counted),
        };
        let begun = begun.copied().unwrap_or(0);
        let known = around.and_then(|at| self.loops[at].trips.get(&Trip::Counted(counted)).copied());
        let left = known.unwrap_or_else(|| trips.saturating_sub(begun));
        let bodies = self.told.bodies.get(&counted).into_iter().flatten();
        let blocks: BTreeSet<BlockId> = bodies.map(|(body, _)| *body).collect();
        let within = around.map(|at| self.loops[at].head);
        let ways: Vec<Way> = targets.iter().map(|target| self.way(id, *target, &blocks, within)).collect();
        let best = ways.iter().map(|way| way.fits(left > 0)).max().unwrap_or(0);
        let mut fitting = targets.iter().zip(&ways).filter(|(_, way)| way.fits(left > 0) == best);
        let (Some((target, _)), None) = (fitting.next(), fitting.next()) else { return false };
        self.find(FindingKind::TripsOnData { counted: trips, assumed: false }, &instruction.places);
        if let Some(at) = around {
            let state = &mut self.loops[at];
            self.seeds.trips.entry(state.head).or_insert(false);
            state.trips.insert(Trip::Counted(counted), left);
            if left == 0 {
                state.walk();
            }
        } else if left == 0 {
            self.told.before.remove(&counted);
        }
        self.fronts.add(self.flow.position(*target), Origin::Block(id), mask.clone());
        true
    }

    /// The side of a branch in front of a loop that enters it, where the loop's own end stands at the same line; `None` if
    /// there is none.
    pub(super) fn entering(&self, id: BlockId, instruction: &Instruction, targets: &[BlockId]) -> Option<usize> {
        let line = user_line(instruction)?;
        let blocks = self.module.kernel.blocks.iter().zip(0..);
        let ends: BTreeSet<BlockId> = blocks
            .filter(|(block, _)| {
                let last = block.instructions.last();
                last.is_some_and(|last| matches!(last.kind, Kind::Branch(..)) && user_line(last) == Some(line))
            })
            .map(|(_, number)| BlockId(number))
            .filter(|block| *block != id)
            .collect();
        let ways: Vec<Way> = targets.iter().map(|target| self.way(id, *target, &ends, None)).collect();
        let enters = |way: &Way| way.iterates && !way.leaves;
        let mut entering = (0..ways.len()).filter(|at| enters(&ways[*at]));
        let others = ways.iter().filter(|way| !way.iterates).count();
        entering.next().filter(|_| others == 1 && entering.next().is_none())
    }

    /// The blocks that a way leads to: up to those where iterations begin, and no further than the loop with the head
    /// `within`, or than another iteration of the loop around `id`.
    fn way(&self, id: BlockId, target: BlockId, bodies: &BTreeSet<BlockId>, within: Option<BlockId>) -> Way {
        let around = self.loops.iter().rev().map(|state| state.head).find(|head| self.flow.is_in(*head, id));
        let mut way = Way { iterates: false, leaves: false };
        let mut seen = BTreeSet::new();
        let mut open = vec![target];
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            if bodies.contains(&block) {
                way.iterates = true;
                continue;
            }
            let is_outside = match within {
                Some(head) => !self.flow.is_in(head, block),
                None => around.is_some_and(|head| head == block || !self.flow.is_in(head, block)),
            };
            let instructions = &self.module.kernel.blocks[block.index()].instructions;
            let after = instructions.last().map_or_else(Vec::new, |last| last.kind.successors());
            if is_outside || after.is_empty() {
                way.leaves = true;
            } else {
                open.extend(after);
            }
        }
        way
    }
}

/// The share where two truths hold that know nothing of each other.
fn both(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(share), _) | (_, Some(share)) if share == 0.0 => Some(0.0),
        (Some(one), Some(other)) => Some(one * other),
        _ => None,
    }
}
