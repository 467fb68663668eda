//! A loop that is under way, and its iterations that are executed once for many.

use std::collections::{BTreeMap, VecDeque};

use super::super::ir::{BlockId, ValueId};
use super::super::trace::{Round, Trace};
use super::super::value::{DataSymbol, Lanes, Mask, RangeDemand, Value};
use super::marked::Progress;

/// The values of the phis at a block's beginning.
pub(super) type Heads = Vec<(ValueId, Value)>;

/// A period that is executed for many.
#[derive(Debug)]
pub(super) struct Folding {
    pub(super) counter: u32,
    /// The head's values in the first period, and their changes by period.
    pub(super) heads: Vec<(Value, Option<Lanes>)>,
    pub(super) demands: Vec<RangeDemand>,
    /// The iterations of the period that are left.
    pub(super) left: usize,
    /// True if nothing is known of other periods.
    pub(super) walks: bool,
    pub(super) mask: Mask,
    /// The iterations that were left by exit, and the progress of loops of the source, when the period began.
    pub(super) from: (BTreeMap<BlockId, u64>, Progress),
}

/// The iterations of the longest period of a loop that repeats itself.
pub(super) const LONGEST: usize = 8;

/// The most iterations whose values are kept: two of the longest period.
pub(super) const MOST_HISTORY: usize = 2 * LONGEST;

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
    /// The iterations of the period that is open, or was last.
    pub(super) period: usize,
    /// The periods that were tried in vain, that of one iteration first.
    pub(super) failed: [bool; LONGEST],
    /// The number of the first symbol of data that was born in the loop.
    pub(super) data_from: u32,
    /// The numbers from data that the head's values carry, by value and element.
    pub(super) carried: BTreeMap<(usize, usize), CarriedNumber>,
    /// The iterations that are left of a loop whose exit depends on data, by the block that the exit ends.
    pub(super) trips: BTreeMap<BlockId, u64>,
    /// True if the user says how many iterations of the source the loop has.
    pub(super) is_told: bool,
}

/// A number from data that a value at a loop's head carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CarriedNumber {
    pub(super) symbol: DataSymbol,
    pub(super) factor: i64,
}

impl LoopState {
    pub(super) fn new(head: BlockId, outside: Trace, data_from: u32) -> Self {
        Self {
            head,
            history: VecDeque::new(),
            folding: None,
            rounds: Vec::new(),
            outside,
            count: 0,
            patience: 0,
            period: 1,
            failed: [false; LONGEST],
            data_from,
            carried: BTreeMap::new(),
            trips: BTreeMap::new(),
            is_told: false,
        }
    }

    /// The counter of the iterations that are executed for many; `None` if each is executed by itself.
    pub(super) fn counter(&self) -> Option<u32> {
        self.folding.as_ref().map(|folding| folding.counter)
    }

    /// True if an exit depends on data.
    pub(super) fn ends_on_data(&self) -> bool {
        self.is_told || !self.trips.is_empty()
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
}
