//! The loops that are under way.

use std::collections::{BTreeMap, VecDeque};

use super::super::ir::BlockId;
use super::super::trace::{LoopRun, Round, Step, Trace};
use super::super::value::{Mask, RangeDemand, Value};
use super::block::Heads;
use super::fold::Folding;
use super::{ExecuteError, Run};

/// The numbers of iterations after which a loop may repeat itself.
pub(super) const PERIODS: [usize; 5] = [1, 2, 3, 4, 8];

/// A loop that is under way.
#[derive(Debug)]
pub(super) struct LoopState {
    pub(super) head: BlockId,
    /// The head's values and work items in the last iterations.
    pub(super) history: VecDeque<(Heads, Mask)>,
    /// The iterations that are executed with a counter.
    pub(super) folding: Option<Folding>,
    /// The iterations that are done.
    pub(super) rounds: Vec<Round>,
    /// The trace around the loop.
    pub(super) outside: Trace,
    /// The number of iterations so far.
    pub(super) count: u64,
    /// The number of iterations before which no fold is tried.
    pub(super) patience: u64,
    /// The position of the period that is tried next.
    pub(super) period: usize,
    /// The iterations that are left of a loop whose exit depends on data, by the block of the exit.
    pub(super) trips: BTreeMap<BlockId, u64>,
}

impl LoopState {
    fn new(head: BlockId, outside: Trace) -> Self {
        Self {
            head,
            history: VecDeque::new(),
            folding: None,
            rounds: Vec::new(),
            outside,
            count: 0,
            patience: 0,
            period: 0,
            trips: BTreeMap::new(),
        }
    }

    /// The counter of the iterations that are executed for many; `None` if each is executed by itself.
    pub(super) fn counter(&self) -> Option<u32> {
        self.folding.as_ref().map(|folding| folding.counter)
    }

    /// Executes the next iterations one by one.
    pub(super) fn walk(&mut self) {
        if let Some(folding) = &mut self.folding {
            folding.walks = true;
        }
    }

    pub(super) fn demand(&mut self, demand: RangeDemand) {
        if let Some(folding) = &mut self.folding {
            folding.demands.push(demand);
        }
    }

    /// The next period is tried, later.
    pub(super) fn try_next_period(&mut self) {
        self.period = (self.period + 1) % PERIODS.len();
    }
}

impl Run<'_> {
    /// Work items arrive at the head of a loop. Returns the head's values, which may count for many iterations.
    pub(super) fn arrive(&mut self, head: BlockId, heads: Heads, mask: &Mask) -> Result<Heads, ExecuteError> {
        let mut heads = heads;
        self.levels.next_stretch();
        if self.loops.last().is_some_and(|last| last.head == head) {
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
            self.loops.push(LoopState::new(head, outside));
        }
        if self.fold {
            heads = self.open(heads, mask);
        }
        if let Some(state) = self.loops.last_mut() {
            if state.folding.is_some() {
                state.history.clear();
            } else {
                state.history.push_back((heads.clone(), mask.clone()));
                if state.history.len() > PERIODS[PERIODS.len() - 1] {
                    state.history.pop_front();
                }
            }
        }
        Ok(heads)
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
        self.trace.push(Step::Loop(LoopRun { head: state.head, rounds: state.rounds }));
    }

    /// The values that the blocks of a loop define.
    pub(super) fn defined_in(&self, head: BlockId) -> Vec<super::ValueId> {
        let blocks = self.flow.body(head).map(|block| &self.module.kernel.blocks[block.index()]);
        blocks.flat_map(|block| block.instructions.iter().filter_map(|instruction| instruction.result)).collect()
    }

    /// A value at an iteration of a counter.
    pub(super) fn at_iteration(&mut self, value: Value, counter: u32, iteration: u64) -> Value {
        match value {
            Value::Known(known) => Value::Known(self.known_at(known, counter, iteration)),
            Value::Vector(elements) => {
                let elements: Vec<Value> = elements.to_vec();
                Value::Vector(
                    elements.into_iter().map(|element| self.at_iteration(element, counter, iteration)).collect(),
                )
            }
            Value::Unknown => Value::Unknown,
        }
    }
}
