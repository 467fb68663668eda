//! The execution of a block by the work items that stand there.

use std::sync::Arc;

use super::super::ir::{BlockId, Instruction, Kind, Operand, SourcePlace, Type};
use super::super::trace::{BlockRun, SourceAccess, Step};
use super::super::value::{Known, Lanes, Mask, RangeDemand, Symbol, Value};
use super::error::{ExecuteError, ExecuteProblem};
use super::fronts::{Arrival, Origin};
use super::loop_state::{Heads, LoopState};
use super::state::Run;
use autotune_base::limits::watch::{Phase, look};

/// The most bytes of a trace.
const MOST_TRACE_BYTES: u64 = 256 << 20;
/// The number of executions of blocks between two looks at the clock.
const BLOCKS_BETWEEN_CLOCKS: u64 = 16;

impl Run<'_> {
    /// Executes a block by the work items that arrive.
    pub(super) fn block(&mut self, id: BlockId, arrivals: &[Arrival]) -> Result<(), ExecuteError> {
        let module = self.module;
        let instructions = &module.kernel.blocks[id.index()].instructions;
        self.blocks += 1;
        self.block = id;
        self.check_limits(id)?;
        let mut mask = arrivals[0].1.clone();
        arrivals[1..].iter().for_each(|(_, items)| mask.union_with(items));
        self.items.clone_from(&mask);
        let mut heads = self.phis(instructions, arrivals);
        self.unset_phis(instructions, arrivals, &mask);
        self.undefined_phis(instructions, arrivals);
        if self.flow.is_head(id) {
            // Numbers that iterations compute are not followed.
            heads = heads.into_iter().map(|(id, value)| (id, value.without_floats())).collect();
            heads = self.arrive(id, heads, &mask)?;
        }
        for (value, head) in heads {
            self.set(value, head, &mask);
        }
        self.begin_iterations(id);
        let mut accesses = Vec::new();
        for (position, instruction) in instructions.iter().enumerate() {
            look(Phase::Execution);
            match &instruction.kind {
                Kind::Phi(..) | Kind::Fence | Kind::Nothing => {}
                kind if kind.leaves() => {
                    self.follow_undefined(instruction, &[])?;
                    self.trace_block(id, &mask, std::mem::take(&mut accesses));
                    self.leave_block(id, instruction, &mask)?;
                    self.note_demands(&mask, &instruction.places);
                }
                _ => {
                    let noted = accesses.len();
                    let value = self.instruction(position, instruction, &mask, &mut accesses)?;
                    self.note_levels(instruction, &mut accesses, noted);
                    self.numbers.pass(&accesses[noted..]);
                    self.follow_unset(instruction, &mask);
                    self.follow_undefined(instruction, &accesses[noted..])?;
                    self.check_divisor(instruction, &mask);
                    if let (Some(result), Some(value)) = (instruction.result, value) {
                        let value = self.meet_mark(instruction, value);
                        self.set(result, value, &mask);
                    }
                    self.note_demands(&mask, &instruction.places);
                }
            }
        }
        Ok(())
    }

    /// Adds an execution of a block to the trace.
    fn trace_block(&mut self, block: BlockId, mask: &Mask, accesses: Vec<SourceAccess>) {
        let items = Arc::new(mask.clone());
        self.trace_bytes += bytes(&items, &accesses);
        self.trace.push(Step::Block(BlockRun { block, items, accesses }));
    }

    /// The values of the phis for the work items that arrive.
    fn phis(&mut self, instructions: &[Instruction], arrivals: &[Arrival]) -> Heads {
        let mut heads = Heads::new();
        for instruction in instructions {
            let (Kind::Phi(of, incoming), Some(result)) = (&instruction.kind, instruction.result) else { break };
            let mut value: Option<Value> = None;
            for (origin, mask) in arrivals {
                let arrived = self.incoming(of, incoming, origin, mask);
                value = Some(match (value, arrived) {
                    (None, arrived) => arrived,
                    (Some(value), arrived) if value == arrived => value,
                    (Some(Value::Known(value)), Value::Known(arrived)) => {
                        Value::Known(self.arithmetic().blend(mask, &arrived, &value))
                    }
                    (Some(Value::Float(value)), Value::Float(arrived)) => {
                        self.arithmetic().blend_floats(mask, &arrived, &value)
                    }
                    _ => Value::unknown(of.elements()),
                });
            }
            heads.push((result, value.unwrap_or(Value::Unknown)));
        }
        heads
    }

    /// The value of a phi for work items from one origin.
    fn incoming(&mut self, of: &Type, incoming: &[(BlockId, Operand)], origin: &Origin, mask: &Mask) -> Value {
        let mut from = |block: &BlockId| {
            incoming.iter().find(|(known, _)| known == block).map(|(_, operand)| self.operand(of, operand))
        };
        match origin {
            Origin::Entry => Value::unknown(of.elements()),
            Origin::Block(block) => from(block).unwrap_or_else(|| Value::unknown(of.elements())),
            Origin::Either(blocks) => {
                let all: Vec<Value> = blocks.iter().filter_map(from).collect();
                match all.split_first() {
                    Some((first, rest)) if rest.iter().all(|value| self.same(first, value, mask)) => first.clone(),
                    _ => Value::unknown(of.elements()),
                }
            }
        }
    }

    /// Sends the work items of a block on.
    fn leave_block(&mut self, id: BlockId, instruction: &Instruction, mask: &Mask) -> Result<(), ExecuteError> {
        let origin = Origin::Block(id);
        match &instruction.kind {
            Kind::Jump(to) => self.fronts.add(self.flow.position(*to), origin, mask.clone()),
            Kind::Branch(condition, [then, other]) => {
                let condition = self.typed(condition).without_data();
                let Value::Known(condition) = condition else { return self.branch_on_data(id, instruction, mask) };
                self.walk_if_uneven(&condition);
                let mut taken = mask.clone();
                mask.ones().for_each(|lane| taken.set(lane, condition.base.at(lane, &self.shape) != 0));
                let mut rest = mask.clone();
                rest.difference_with(&taken);
                self.fronts.add(self.flow.position(*then), origin.clone(), taken);
                self.fronts.add(self.flow.position(*other), origin, rest);
            }
            Kind::Switch(value, cases, other) => {
                let Value::Known(value) = self.typed(value).without_data() else {
                    return self.branch_on_data(id, instruction, mask);
                };
                self.demands.walk(&value.slopes);
                for lane in mask.ones() {
                    let at = value.base.at(lane, &self.shape);
                    let to = cases.iter().find(|(case, _)| *case == at).map_or(*other, |(_, block)| *block);
                    let mut one = Mask::with_capacity(self.shape.lanes());
                    one.insert(lane);
                    self.fronts.add(self.flow.position(to), origin.clone(), one);
                }
            }
            _ => {
                self.returned.union_with(mask);
                self.fronts.add(self.flow.end(), origin, mask.clone());
            }
        }
        Ok(())
    }

    pub(super) fn walk_if_uneven(&mut self, value: &Known) {
        if value.slopes.iter().any(|(_, slope)| slope.is_uneven()) {
            self.demands.walk(&value.slopes);
        }
    }

    /// Hands the demands of the last instruction to the loops whose counters they name, and decides those on other groups.
    fn note_demands(&mut self, mask: &Mask, places: &[SourcePlace]) {
        for demand in std::mem::take(&mut self.demands.0) {
            self.note_demand(demand, mask, places);
        }
    }

    pub(super) fn note_demand(&mut self, demand: RangeDemand, mask: &Mask, places: &[SourcePlace]) {
        match demand {
            RangeDemand::Walk(counter) => {
                self.loops.iter_mut().filter(|around| around.counter() == Some(counter)).for_each(LoopState::walk);
            }
            RangeDemand::OtherGroups(axes) => self.other_groups.note_uneven(axes, places),
            RangeDemand::Holds { relation, base, slopes, lanes } => {
                let counts = |counter: Option<u32>| {
                    counter.is_some_and(|counter| slopes.iter().any(|(symbol, _)| *symbol == Symbol::Counter(counter)))
                };
                if let Some(innermost) = self.loops.iter_mut().rev().find(|around| counts(around.counter())) {
                    let lanes = lanes.or_else(|| (!mask.is_full()).then(|| mask.clone()));
                    innermost.demand(RangeDemand::Holds { relation, base, slopes, lanes });
                } else {
                    let lanes = lanes.as_ref().unwrap_or(mask);
                    self.other_groups.note_condition(relation, (&base, &slopes), lanes, &self.shape, places);
                }
            }
        }
    }

    /// Stops an execution that takes too many steps, too much memory or too long.
    fn check_limits(&self, id: BlockId) -> Result<(), ExecuteError> {
        let failed = |problem| Err(self.failed_in_loop(id, problem));
        if self.trace_bytes > MOST_TRACE_BYTES {
            return failed(ExecuteProblem::TooLarge { most: MOST_TRACE_BYTES });
        }
        if !self.blocks.is_multiple_of(BLOCKS_BETWEEN_CLOCKS) {
            return Ok(());
        }
        if let Some(stop) = self.limits.exceeded() {
            return failed(ExecuteProblem::Stopped(stop));
        }
        self.clock.overrun().map_or(Ok(()), |overrun| failed(ExecuteProblem::OutOfTime(overrun)))
    }

    pub(super) fn failed_in_loop(&self, id: BlockId, problem: ExecuteProblem) -> ExecuteError {
        let head = self.loops.last().map_or(id, |last| last.head);
        ExecuteError { problem, places: self.places_of(head) }
    }

    /// The last place that is known in a block: of a loop's head, its condition.
    pub(super) fn places_of(&self, id: BlockId) -> Arc<[SourcePlace]> {
        let instructions = &self.module.kernel.blocks[id.index()].instructions;
        let known = instructions.iter().rev().find(|instruction| !instruction.places.is_empty());
        known.map_or_else(|| [].into(), |instruction| instruction.places.clone())
    }
}

/// The bytes that an execution of a block takes in the trace.
fn bytes(items: &Mask, accesses: &[SourceAccess]) -> u64 {
    let listed = |access: &SourceAccess| match access.address.as_ref().map(|address| &address.base) {
        Some(Lanes::Each(all)) => size_of_val(&**all),
        _ => 0,
    };
    let accesses: usize = accesses.iter().map(|access| size_of::<SourceAccess>() + listed(access)).sum();
    (size_of::<Step>() + size_of::<Mask>() + items.len() / 8 + accesses) as u64
}
