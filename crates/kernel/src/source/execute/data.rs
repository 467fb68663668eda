//! Branches on data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::ir::Predicate::{Eq, Sge, Sle, Uge, Ule};
use super::super::ir::{BlockId, Instruction, Kind, Predicate, ValueId};
use super::super::marks::Begin;
use super::super::trace::{BlockRun, Fork, Side, SourceAccess, SourceMemory, Step};
use super::super::value::{Mask, Value};
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::fronts::{Fronts, Origin};
use super::state::Run;

/// The greatest depth of branches on data: each lies in a side of the one before.
const DEEPEST: usize = 128;
/// The instructions that an access of global memory by a warp takes as long as.
const GLOBAL_ACCESS: u64 = 12;
/// The iterations of a loop whose count depends on data, where the user does not say it.
const TRIPS: u64 = 16;

impl Run<'_> {
    /// Sends work items on whose branch depends on data.
    pub(super) fn branch_on_data(
        &mut self,
        id: BlockId,
        instruction: &Instruction,
        mask: &Mask,
    ) -> Result<(), ExecuteError> {
        let mut targets = instruction.kind.successors();
        if targets.iter().any(|target| self.flow.is_doomed(*target)) && !self.flow.is_doomed(id) {
            // No launch takes a side that ends in a trap.
            targets.retain(|target| !self.flow.is_doomed(*target));
            if targets.iter().all(|target| *target == targets[0]) {
                self.fronts.add(self.flow.position(targets[0]), Origin::Block(id), mask.clone());
                return Ok(());
            }
        }
        self.seeds.branches.insert(id);
        if let Some(target) = self.told_side(instruction, &targets) {
            self.send_all(id, instruction, target, mask);
            return Ok(());
        }
        if self.told_trip(id, instruction, &targets, mask) {
            return Ok(());
        }
        for at in (0..self.loops.len()).rev() {
            let head = self.loops[at].head;
            let (stay, out): (Vec<BlockId>, Vec<BlockId>) =
                targets.iter().partition(|target| self.flow.is_in(head, **target) && self.stays(id, **target, head));
            if let ([stay, ..], [out, ..]) = (&stay[..], &out[..]) {
                self.trip(at, id, [*stay, *out], instruction, mask);
                return Ok(());
            }
            if self.flow.is_in(head, id) {
                break;
            }
        }
        let is_shared = self.is_shared_by_warps(instruction, mask);
        self.find(FindingKind::BranchOnData { is_shared }, &instruction.places);
        self.sides(id, instruction, &targets, mask)
    }

    /// The side that all work items take by what the user says of a marked condition; `None` if both are taken.
    fn told_side(&mut self, instruction: &Instruction, targets: &[BlockId]) -> Option<BlockId> {
        let (Kind::Branch(condition, _), [first, second]) = (&instruction.kind, targets) else { return None };
        match self.share_of(condition)? {
            1.0 => Some(*first),
            0.0 => Some(*second),
            _ => None,
        }
    }

    /// True if a side of a branch in a loop may lead to another iteration of it.
    fn stays(&self, id: BlockId, target: BlockId, head: BlockId) -> bool {
        !self.flow.is_in(head, id)
            || self.way(id, target, &BTreeMap::from([(head, Begin::Iteration)]), Some(head)).iterates
    }

    /// A loop's exit depends on data: the loop goes on until the counted iterations are done.
    fn trip(&mut self, at: usize, id: BlockId, [stay, out]: [BlockId; 2], instruction: &Instruction, mask: &Mask) {
        let line = user_line(instruction);
        let given = line.and_then(|line| self.assumptions.trips.get(&line).copied());
        let counted = given.unwrap_or(TRIPS);
        self.find(FindingKind::TripsOnData { counted, assumed: given.is_none() }, &instruction.places);
        let state = &mut self.loops[at];
        self.seeds
            .trips
            .entry(state.head)
            .and_modify(|is_default| *is_default |= given.is_none())
            .or_insert(given.is_none());
        let left = state.trips.entry(id).or_insert(counted);
        let goes_on = *left > 1;
        *left = left.saturating_sub(1);
        if !goes_on {
            state.walk();
        }
        self.send_all(id, instruction, if goes_on { stay } else { out }, mask);
    }

    /// Sends all work items of a branch on data to one side. The condition then has the value that leads there, for what else
    /// depends on it.
    pub(super) fn send_all(&mut self, id: BlockId, instruction: &Instruction, target: BlockId, mask: &Mask) {
        if let Kind::Branch(condition, [then, other]) = &instruction.kind
            && then != other
            && let Some(condition) = condition.operand.value()
        {
            self.set(condition, Value::constant(i64::from(target == *then)), mask);
            self.compare_equals(condition, target == *then, mask);
        }
        self.fronts.add(self.flow.position(target), Origin::Block(id), mask.clone());
    }

    /// Sets what else a block compares of two numbers, if the truth of a condition says that they are equal: the optimiser asks
    /// whether a loop ends in several ways.
    fn compare_equals(&mut self, condition: ValueId, truth: bool, mask: &Mask) {
        let Some((block, position)) = self.definitions.get(condition.index()).copied().flatten() else { return };
        let instructions = &self.module.kernel.blocks[block.index()].instructions;
        let Kind::Compare(predicate, one, other) = &instructions[position].kind else { return };
        let wanted = if truth { Predicate::Eq } else { Predicate::Ne };
        if *predicate != wanted {
            return;
        }
        for instruction in instructions {
            if let (Kind::Compare(predicate, left, right), Some(result)) = (&instruction.kind, instruction.result)
                && [(&left.operand, right), (right, &left.operand)].contains(&(&one.operand, other))
            {
                let holds = matches!(predicate, Eq | Uge | Ule | Sge | Sle);
                self.set(result, Value::constant(i64::from(holds)), mask);
            }
        }
    }

    /// Executes each side of a branch by all work items up to the join.
    fn sides(
        &mut self,
        id: BlockId,
        instruction: &Instruction,
        targets: &[BlockId],
        mask: &Mask,
    ) -> Result<(), ExecuteError> {
        let stop = self.flow.join(id);
        let shares = self.shares(id, instruction, targets);
        let is_stated = shares.iter().any(|share| *share < 1.0);
        let taken: Vec<_> = targets.iter().copied().zip(shares).filter(|(_, share)| *share > 0.0).collect();
        if let [(only, _)] = taken[..] {
            // Nothing parts, so the work items meet where they do in the kernel.
            self.fronts.add(self.flow.position(only), Origin::Block(id), mask.clone());
            return Ok(());
        }
        let mut sides = Vec::new();
        let mut last: Vec<BlockId> = Vec::new();
        let fronts = std::mem::take(&mut self.fronts);
        let context = std::mem::replace(&mut self.context, mask.clone());
        let returned = self.returned.clone();
        // Who returns in each side does not go on behind them.
        let mut gone = mask.clone();
        for (target, share) in taken {
            self.returned = returned.clone();
            let steps = self.side((id, target), stop, instruction, mask)?;
            gone.intersect_with(&self.returned);
            for (_, arrivals) in self.fronts.all().filter(|(position, _)| *position == stop) {
                last.extend(arrivals.iter().flat_map(|(origin, _)| blocks(origin)));
            }
            sides.push(Side { share, steps });
        }
        self.fronts = fronts;
        self.context = context;
        self.returned = returned;
        if !is_stated && self.is_shared_by_warps(instruction, mask) {
            self.keep_longer(&mut sides);
        }
        last.dedup();
        self.go_on((id, stop), mask, gone, last);
        self.trace.push(Step::Sides(Fork::Data(id), sides));
        Ok(())
    }

    /// Executes one side of a branch up to the join, and returns its steps. The fronts are those that reach the join.
    fn side(
        &mut self,
        (id, target): (BlockId, BlockId),
        stop: usize,
        instruction: &Instruction,
        mask: &Mask,
    ) -> Result<Vec<Step>, ExecuteError> {
        let position = self.flow.position(target);
        self.fronts = Fronts::default();
        self.fronts.add(position, Origin::Block(id), mask.clone());
        if position == stop {
            return Ok(Vec::new());
        }
        if self.depth == DEEPEST {
            let problem = ExecuteProblem::TooDeep { most: DEEPEST };
            return Err(ExecuteError { problem, places: instruction.places.clone() });
        }
        let outside = std::mem::take(&mut self.trace);
        self.depth += 1;
        self.run(stop)?;
        self.depth -= 1;
        Ok(std::mem::replace(&mut self.trace, outside))
    }

    /// Sends the work items of a branch on from its join, but for those that are gone.
    fn go_on(&mut self, (id, stop): (BlockId, usize), mask: &Mask, mut gone: Mask, last: Vec<BlockId>) {
        gone.difference_with(&self.returned);
        if stop == self.flow.end() || last.is_empty() {
            gone.clone_from(mask);
        }
        let mut rest = mask.clone();
        rest.difference_with(&gone);
        if !gone.is_clear() {
            self.returned.union_with(&gone);
            self.fronts.add(self.flow.end(), Origin::Block(id), gone);
        }
        if !rest.is_clear() {
            let origin = if let [one] = last[..] { Origin::Block(one) } else { Origin::Either(Arc::from(last)) };
            self.fronts.add(stop, origin, rest);
        }
    }

    /// True if the work items of each warp take one side of a branch on data.
    fn is_shared_by_warps(&mut self, instruction: &Instruction, mask: &Mask) -> bool {
        let (Kind::Branch(decides, _) | Kind::Switch(decides, ..)) = &instruction.kind else { return false };
        let together = self.typed(decides).known().map_or(1, |known| known.together(mask, &self.shape));
        (together as usize).is_multiple_of(self.warp())
    }

    /// Counts the longest of the sides of a branch that a warp takes one side of.
    fn keep_longer(&self, sides: &mut [Side]) {
        let longest =
            sides.iter().enumerate().max_by_key(|(at, side)| (self.length(&side.steps), std::cmp::Reverse(*at)));
        let Some((longest, _)) = longest else { return };
        sides.iter_mut().enumerate().filter(|(at, _)| *at != longest).for_each(|(_, side)| side.share = 0.0);
    }

    /// The instructions of a warp in steps, where an access of global memory counts as several.
    fn length(&self, steps: &[Step]) -> u64 {
        let of_run = |run: &BlockRun| {
            let is_global = |access: &&SourceAccess| access.memory == SourceMemory::Global && !access.kind.is_mark();
            let instructions = self.module.kernel.blocks[run.block.index()].instructions.len() as u64;
            let warps: BTreeSet<usize> = run.items.ones().map(|lane| lane / self.warp()).collect();
            warps.len() as u64 * (instructions + GLOBAL_ACCESS * run.accesses.iter().filter(is_global).count() as u64)
        };
        let of_step = |step: &Step| match step {
            Step::Block(run) => of_run(run),
            Step::Loop(run) => {
                let rounds = run.rounds.iter().map(|round| round.times.saturating_mul(self.length(&round.steps)));
                rounds.fold(0, u64::saturating_add)
            }
            Step::Sides(_, sides) => {
                let taken = sides.iter().filter(|side| side.is_taken());
                taken.map(|side| self.length(&side.steps)).fold(0, u64::saturating_add)
            }
        };
        steps.iter().map(of_step).fold(0, u64::saturating_add)
    }

    /// The shares of executions that take each side: all of them where the user does not say.
    fn shares(&mut self, id: BlockId, instruction: &Instruction, sides: &[BlockId]) -> Vec<f64> {
        let (Kind::Branch(condition, _), [first, second]) = (&instruction.kind, sides) else {
            return vec![1.0; sides.len()];
        };
        if let Some(share) = self.share_of(condition) {
            return vec![share, 1.0 - share];
        }
        let line = user_line(instruction).unwrap_or(0);
        let Some(taken) = self.assumptions.taken.get(&line).copied() else { return vec![1.0; 2] };
        let name = |block: &BlockId| &*self.module.kernel.blocks[block.index()].name;
        let is_first = match self.entering(id, instruction, sides) {
            Some(enters) => enters == 0,
            // Another condition of the line has the assumption.
            None if self.has_conditions(line) => return vec![1.0; 2],
            None => is_true_side(name(first), name(second)),
        };
        if is_first { vec![taken, 1.0 - taken] } else { vec![1.0 - taken, taken] }
    }
}

/// True if the first block of a branch, not the second, is where the condition of the source is true. The compiler may have
/// turned the condition round; the names of the blocks are those that it gave to the sides in the source.
fn is_true_side(first: &str, second: &str) -> bool {
    let side = |name: &str| {
        let starts = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
        if starts(&["if.then", "cond.true"]) {
            Some(true)
        } else if starts(&["if.else", "cond.false"]) {
            Some(false)
        } else {
            None
        }
    };
    match (side(first), side(second)) {
        (Some(true), _) | (None, Some(false)) => true,
        (Some(false), _) | (None, Some(true)) => false,
        // Without an `else`, the join is what the condition skips to.
        (None, None) => !first.starts_with("if.end") || second.starts_with("if.end"),
    }
}

/// The blocks of an origin.
fn blocks(origin: &Origin) -> Vec<BlockId> {
    match origin {
        Origin::Entry => Vec::new(),
        Origin::Block(block) => vec![*block],
        Origin::Either(blocks) => blocks.to_vec(),
    }
}

/// The line of the user's source that an instruction comes from; `None` if it comes from none.
pub(super) fn user_line(instruction: &Instruction) -> Option<u32> {
    instruction.user_place().map(|place| place.line)
}

#[cfg(test)]
mod tests {
    use super::is_true_side;

    #[test]
    fn a_condition_that_the_compiler_turned_round_is_the_sources() {
        for (first, second, expected) in [
            ("if.then", "if.end", true),
            ("if.end.1", "if.then.1", false),
            ("if.else", "if.then23", false),
            ("if.then", "if.else", true),
            ("cond.end", "cond.true", false),
            ("cond.false", "cond.true", false),
            ("if.end71", "cleanup", false),
            ("cleanup", "if.end71", true),
            ("for.body", "for.end", true),
        ] {
            assert_eq!(is_true_side(first, second), expected, "{first} or {second}");
        }
    }
}
