//! The operations of warps that name lanes, as far as they are known.

use std::collections::HashMap;

use super::super::ir::{BlockId, SourcePlace, ValueId};
use super::super::value::Mask;

/// A fault in the lanes of an operation of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneFault {
    /// The matter.
    pub kind: LaneFaultKind,
    /// The block of the operation, and its position there.
    pub at: (BlockId, usize),
    /// The work item that executes it.
    pub first: usize,
    /// The work item that is named, or whose value is read.
    pub second: usize,
    /// The place where the second one stands, or where the value that was read is stored; `None` if it is not known.
    pub elsewhere: Option<SourcePlace>,
}

/// The matter of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneFaultKind {
    /// A lane is named that does not arrive.
    Absent,
    /// A lane that arrives is not named, by itself or by another one that arrives and that it names.
    Unnamed,
    /// A lane that does not take part is read, and its value is stored.
    Inactive,
}

/// An operation that names lanes.
#[derive(Debug)]
pub(super) struct Meeting {
    pub(super) at: (BlockId, usize),
    /// The number of times that each work item executed it.
    pub(super) times: Vec<u32>,
    pub(super) fault: Option<LaneFault>,
}

/// The operations of warps so far.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    pub(super) all: Vec<Meeting>,
    /// The operations whose lanes depend on data.
    pub(super) open: Vec<(BlockId, usize)>,
    /// The work items where a value comes from a lane that took no part, and the operation that read it.
    pub(super) unset: HashMap<ValueId, (Mask, (BlockId, usize))>,
    pub(super) inactive: Vec<LaneFault>,
}

impl Meetings {
    /// The certain faults: a named work item that executes the operation as often as the other one may only come later.
    pub(super) fn faults(&self) -> Vec<LaneFault> {
        let faults = self.all.iter().filter_map(|meeting| {
            let fault = meeting.fault.as_ref()?;
            let is_sure =
                fault.kind != LaneFaultKind::Absent || meeting.times[fault.first] != meeting.times[fault.second];
            is_sure.then(|| fault.clone())
        });
        faults.chain(self.inactive.iter().cloned()).collect()
    }

    /// The number of operations that nothing is claimed about.
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }
}
