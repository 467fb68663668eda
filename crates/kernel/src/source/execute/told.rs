//! Conditions and iterations that a user's assumptions speak of, found by the marks of the source's form.

use std::collections::BTreeMap;

use super::super::ir::{BlockId, Instruction, Kind, Operand, Operator, Typed};
use super::super::marks::{Begin, CountedLoop, Mark};
use super::super::value::{Known, Mask, Value};
use super::data::user_line;
use super::finding::FindingKind;
use super::loop_state::LoopState;
use super::marked::Iterations;
use super::state::Run;
use super::ways::Way;

impl Run<'_> {
    /// The value of an instruction: for a marked condition on data, what the user says of it, if that is one truth.
    pub(super) fn meet_mark(&mut self, instruction: &Instruction, value: Value) -> Value {
        let Some(result) = instruction.result else { return value };
        match self.module.kernel.marks.conditions.get(&result) {
            Some(Mark::Condition { line, statement, follows }) => {
                let share = self.meet_condition((*line, *statement), *follows, (instruction, &value));
                self.told.shares.remove(&result);
                let Some(share) = share else { return value };
                if [0.0, 1.0].contains(&share) {
                    self.seeds.values.insert(result);
                    return Value::constant(i64::from(share > 0.5));
                }
                self.told.shares.insert(result, share);
                value
            }
            Some(Mark::Exit(counted)) => self.meet_exit(*counted, instruction, value),
            _ => value,
        }
    }

    /// The share of executions that find a marked condition true; `None` if it is known, or if the user does not say it.
    fn meet_condition(
        &mut self,
        (line, statement): (u32, u32),
        follows: Option<bool>,
        (instruction, value): (&Instruction, &Value),
    ) -> Option<f64> {
        let taken = *self.assumptions.taken.get(&line)?;
        if value.known().is_some_and(|known| !known.is_on_data()) {
            if follows.is_none() {
                self.told.decided.remove(&(statement, line));
            }
            return None;
        }
        // The optimiser may have left the branch without a place.
        self.find(FindingKind::BranchOnData { is_shared: false }, &instruction.places);
        // With `&&` and `||`, the first condition on data says what the whole is; those behind it are as it says.
        let is_decided = !self.told.decided.insert((statement, line));
        Some(follows.filter(|_| is_decided).map_or(taken, |truth| f64::from(u8::from(truth))))
    }

    /// The value of a marked condition that leaves a loop: on data, what the user's number of iterations says.
    fn meet_exit(&mut self, counted: CountedLoop, instruction: &Instruction, value: Value) -> Value {
        let is_on_data = value.known().is_none_or(Known::is_on_data);
        let begun = self.told.progress.get(&counted).map_or(0, |now| now.begun);
        let Some(trips) = self.assumptions.trips.get(&counted.line).filter(|_| is_on_data && begun > 0) else {
            return value;
        };
        self.find(FindingKind::TripsOnData { counted: *trips, assumed: false }, &instruction.places);
        let (around, goes_on) = (self.counted_around(counted, self.block), begun < *trips);
        self.seeds.values.extend(instruction.result);
        self.go_on_as_told(around, goes_on);
        Value::constant(i64::from(!goes_on))
    }

    /// Takes note that the user says whether the loop at a position of those under way goes on.
    fn go_on_as_told(&mut self, around: Option<usize>, goes_on: bool) {
        if let Some(state) = around.map(|at| &mut self.loops[at]) {
            state.is_told = true;
            self.seeds.trips.entry(state.head).or_insert(false);
            if !goes_on {
                state.walk();
            }
        }
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

    /// A block begins, and with it loops of the source and iterations of them.
    pub(super) fn begin_iterations(&mut self, block: BlockId) {
        for (counted, begin) in self.module.kernel.marks.beginnings.get(&block).into_iter().flatten() {
            let now = self.told.progress.entry(*counted).or_default();
            match begin {
                Begin::Entry => *now = Iterations { entered: now.entered + 1, begun: 0 },
                Begin::Iteration => now.begun += 1,
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
        let counted = self.told.beginnings.keys().filter(|counted| line.is_none_or(|line| line == counted.line));
        let mut ways: Vec<(Option<usize>, CountedLoop)> =
            counted.map(|counted| (self.counted_around(*counted, id), *counted)).collect();
        // The innermost loop first, and those behind the branch last.
        ways.sort_by_key(|(around, _)| std::cmp::Reverse(*around));
        ways.into_iter().any(|counted| self.told_trip_of(counted, id, instruction, targets, mask))
    }

    /// True if a branch at the line of a loop's end is a part of the loop at a position of those under way, or of the kernel.
    fn has_end(&self, counted: CountedLoop, around: Option<usize>) -> bool {
        let is_part = |block| around.is_none_or(|at| self.flow.is_in(self.loops[at].head, block));
        self.branches_at(counted.line).any(is_part)
    }

    /// The blocks that end in a branch at a line.
    fn branches_at(&self, line: u32) -> impl Iterator<Item = BlockId> {
        let blocks = (0..).map(BlockId).zip(&self.module.kernel.blocks);
        let is_there = move |last: &Instruction| matches!(last.kind, Kind::Branch(..)) && user_line(last) == Some(line);
        blocks.filter(move |(_, block)| block.instructions.last().is_some_and(is_there)).map(|(id, _)| id)
    }

    /// The position of a loop that is under way around a block, and whose iterations are those of a loop of the source.
    fn counted_around(&self, counted: CountedLoop, id: BlockId) -> Option<usize> {
        let beginnings = self.told.beginnings.get(&counted)?;
        let has = |state: &LoopState, wanted: Begin| {
            beginnings.iter().any(|(block, begin)| *begin == wanted && self.flow.is_in(state.head, *block))
        };
        let is_own = |state: &LoopState| has(state, Begin::Iteration) && !has(state, Begin::Entry);
        self.loops.iter().rposition(|state| self.flow.is_in(state.head, id) && is_own(state))
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
        let Some(beginnings) = self.told.beginnings.get(&counted) else { return false };
        let within = around.map(|at| self.loops[at].head);
        let mut ways: Vec<Way> = targets.iter().map(|target| self.way(id, *target, beginnings, within)).collect();
        // Where no side leads to an iteration, one may lead into the loop.
        let is_anew = ways.iter().all(|way| !way.iterates);
        for way in &mut ways {
            if is_anew {
                way.iterates = way.enters;
            } else {
                way.leaves |= way.enters;
            }
        }
        let begun = self.told.progress.get(&counted).filter(|_| !is_anew).map_or(0, |now| now.begun);
        let goes_on = begun < trips;
        if !is_anew && user_line(instruction).is_none() && self.has_end(counted, around) {
            return false;
        }
        let best = ways.iter().map(|way| way.fits(goes_on)).max().unwrap_or(0);
        let mut fitting = targets.iter().zip(&ways).filter(|(_, way)| way.fits(goes_on) == best);
        let (Some((target, _)), None) = (fitting.next(), fitting.next()) else { return false };
        let target = *target;
        self.find(FindingKind::TripsOnData { counted: trips, assumed: false }, &instruction.places);
        self.go_on_as_told(around, goes_on);
        self.send_all(id, instruction, target, mask);
        true
    }

    /// The side of a branch in front of a loop that enters it, where the loop's own end stands at the same line; `None` if
    /// there is none.
    pub(super) fn entering(&self, id: BlockId, instruction: &Instruction, targets: &[BlockId]) -> Option<usize> {
        let line = user_line(instruction)?;
        let others = self.branches_at(line).filter(|block| *block != id);
        let ends: BTreeMap<BlockId, Begin> = others.map(|block| (block, Begin::Iteration)).collect();
        let ways: Vec<Way> = targets.iter().map(|target| self.way(id, *target, &ends, None)).collect();
        let enters = |way: &Way| way.iterates && !way.leaves;
        let mut entering = (0..ways.len()).filter(|at| enters(&ways[*at]));
        let others = ways.iter().filter(|way| !way.iterates).count();
        entering.next().filter(|_| others == 1 && entering.next().is_none())
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
