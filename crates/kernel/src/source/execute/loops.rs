//! The loops that are under way.

use super::super::ir::{BlockId, ValueId};
use super::super::trace::{LoopRun, Round, Step};
use super::super::value::{Mask, Slope, Slopes, Symbol, Value};
use super::error::ExecuteError;
use super::loop_state::{Heads, LoopState, MOST_HISTORY};
use super::state::Run;

impl Run<'_> {
    /// Work items arrive at the head of a loop. Returns the head's values, which may count for many iterations.
    pub(super) fn arrive(&mut self, head: BlockId, heads: Heads, mask: &Mask) -> Result<Heads, ExecuteError> {
        let mut heads = heads;
        self.levels.next_stretch();
        self.numbers.forget();
        if self.loops.last().is_some_and(|last| last.head == head) {
            heads = self.carried(heads, mask);
            let trace = std::mem::take(&mut self.trace);
            let Some(state) = self.loops.last_mut() else { return Ok(heads) };
            state.count += 1;
            match &mut state.folding {
                Some(folding) => {
                    folding.left -= 1;
                    folding.walks |= folding.mask != *mask;
                    if folding.left == 0 || folding.walks {
                        heads = self.close(heads, mask, trace)?;
                    } else {
                        self.trace = trace;
                    }
                }
                None => state.rounds.push(Round { times: 1, counter: None, steps: trace }),
            }
        } else {
            let outside = std::mem::take(&mut self.trace);
            self.loops.push(LoopState::new(head, outside, self.symbols + 1));
        }
        if self.fold {
            heads = self.open(heads, mask);
            self.remember(&heads, mask);
        }
        Ok(heads)
    }

    /// Keeps the values at the head for the search of a period; the first of iterations that are executed for many gives them.
    fn remember(&mut self, heads: &Heads, mask: &Mask) {
        let Some(counter) = self.loops.last().map(LoopState::counter) else { return };
        let mut heads = heads.clone();
        if let Some(counter) = counter {
            for (_, value) in &mut heads {
                *value = self.at_iteration(value.clone(), counter, 0);
            }
        }
        let Some(state) = self.loops.last_mut() else { return };
        state.history.push_back((heads, mask.clone()));
        if state.history.len() > MOST_HISTORY {
            state.history.pop_front();
        }
    }

    /// The innermost loop ends.
    pub(super) fn leave(&mut self) {
        // An iteration that was executed for many and left in the middle is a single one.
        self.demand_outside(1);
        self.levels.next_stretch();
        let Some(mut state) = self.loops.pop() else { return };
        if let Some(folding) = state.folding.take() {
            for id in self.defined_in(state.head) {
                let value = self.values[id.index()].take();
                self.values[id.index()] = value.map(|value| self.at_iteration(value, folding.counter, 0));
            }
        }
        let steps = std::mem::replace(&mut self.trace, state.outside);
        state.rounds.push(Round { times: 1, counter: None, steps });
        self.trace.push(Step::Loop(LoopRun { head: state.head, rounds: state.rounds, data_from: state.data_from }));
    }

    /// The values that the blocks of a loop define.
    pub(super) fn defined_in(&self, head: BlockId) -> Vec<ValueId> {
        let blocks = self.flow.body(head).map(|block| &self.module.kernel.blocks[block.index()]);
        blocks.flat_map(|block| block.instructions.iter().filter_map(|instruction| instruction.result)).collect()
    }

    /// A value at an iteration of a counter.
    pub(super) fn at_iteration(&mut self, value: Value, counter: u32, iteration: u64) -> Value {
        let changes = |slopes: &Slopes| {
            let is_open = |(symbol, slope): &(Symbol, Slope)| *symbol == Symbol::Counter(counter) && slope.is_uneven();
            iteration > 0 && slopes.iter().any(is_open)
        };
        match value {
            // What an iteration in between computed is not known.
            Value::Known(known) if changes(&known.slopes) => Value::Unknown,
            Value::Float(known) if changes(known.slopes()) => Value::Unknown,
            Value::Known(known) => Value::Known(self.known_at(known, counter, iteration)),
            Value::Vector(elements) => {
                let elements: Vec<Value> = elements.to_vec();
                Value::Vector(
                    elements.into_iter().map(|element| self.at_iteration(element, counter, iteration)).collect(),
                )
            }
            Value::Float(known) => Value::Float(known.without(Symbol::Counter(counter))),
            Value::Unknown => value,
        }
    }
}
