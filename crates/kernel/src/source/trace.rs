//! What a work group executed.

mod kind;

use std::sync::Arc;

use super::ir::BlockId;
use super::value::{Known, Mask};
pub use kind::{AccessKind, Asynchronous};

/// What a work group executed, in order.
pub type Trace = Vec<Step>;

/// A part of a trace.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A block, executed once by some work items.
    Block(BlockRun),
    /// A loop.
    Loop(LoopRun),
    /// The sides of a branch on data, all executed, or what some groups execute and others do not.
    Sides(Fork, Vec<Side>),
}

impl Step {
    /// Returns the steps of a trace in order, a loop or fork before what it contains, each with the number of its
    /// executions by the loops around it. The shares of sides are not in the number.
    pub fn all(trace: &[Self]) -> impl Iterator<Item = (&Self, u64)> {
        let mut open = vec![(trace.iter(), 1_u64)];
        std::iter::from_fn(move || {
            loop {
                let (steps, times) = open.last_mut()?;
                let times = *times;
                let Some(step) = steps.next() else {
                    open.pop();
                    continue;
                };
                match step {
                    Self::Block(_) => {}
                    Self::Loop(run) => {
                        let rounds = run.rounds.iter().rev();
                        open.extend(rounds.map(|round| (round.steps.iter(), times.saturating_mul(round.times))));
                    }
                    Self::Sides(_, sides) => open.extend(sides.iter().rev().map(|side| (side.steps.iter(), times))),
                }
                return Some((step, times));
            }
        })
    }

    /// Changes the steps of a trace, a loop or fork before what it contains.
    pub(super) fn change_all(trace: &mut [Self], change: &mut impl FnMut(&mut Self)) {
        for step in trace {
            change(step);
            match step {
                Self::Block(_) => {}
                Self::Loop(run) => {
                    for round in &mut run.rounds {
                        Self::change_all(&mut round.steps, change);
                    }
                }
                Self::Sides(_, sides) => {
                    for side in sides {
                        Self::change_all(&mut side.steps, change);
                    }
                }
            }
        }
    }
}

/// An execution of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRun {
    /// The block.
    pub block: BlockId,
    /// The work items that execute it.
    pub items: Arc<Mask>,
    /// Its accesses and barriers in order.
    pub accesses: Vec<SourceAccess>,
}

/// The executions of a loop, from its head's first to the last.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopRun {
    /// The loop's first block.
    pub head: BlockId,
    /// The iterations.
    pub rounds: Vec<Round>,
    /// The number of the first symbol of data that changes from one iteration to the next.
    pub data_from: u32,
}

/// Iterations of a loop that execute the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The number of times.
    pub times: u64,
    /// The symbol that counts the times in the addresses; `None` if the steps were executed once.
    pub counter: Option<u32>,
    /// The steps of each time.
    pub steps: Trace,
}

/// The reason why executions part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fork {
    /// Data, which this block branches on.
    Data(BlockId),
    /// The ids of the group: the trace is a mean over groups.
    Groups,
}

/// A side of a branch on data, or what some groups execute.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The share of the executions that take this side, from 0 to 1.
    pub share: f64,
    /// The steps.
    pub steps: Trace,
}

impl Side {
    /// True if executions take this side.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.share > 0.0
    }
}

/// The number of an array or a variable that the kernel reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub u32);

/// The kinds of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceMemory {
    /// Global memory.
    Global,
    /// Constant memory.
    Constant,
    /// The local memory of a group.
    Local,
    /// The private memory of a work item.
    Private,
}

/// An access to memory, or a barrier.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceAccess {
    /// The position of the instruction in its block.
    pub instruction: usize,
    /// The kind.
    pub kind: AccessKind,
    /// The memory.
    pub memory: SourceMemory,
    /// False if data decides the memory, too: it is counted as `memory`.
    pub knows_memory: bool,
    /// The array or variable; `None` if the address depends on data, or the work items reach several arrays.
    pub region: Option<RegionId>,
    /// The address in bytes; `None` if it depends on data.
    pub address: Option<Known>,
    /// The bytes of a work item.
    pub bytes: u64,
    /// The elements of a work item.
    pub elements: u64,
    /// The instructions that make the access, each of them a part of each work item's bytes: 1 unless a warp loads a
    /// part of a matrix.
    pub split: u64,
    /// The work items that take part; `None` if all do that execute the block.
    pub items: Option<Arc<Mask>>,
    /// The place among the accesses of one instruction whose work items reach several memories or arrays; `None` if they
    /// reach one.
    pub part: Option<Arc<AccessPart>>,
    /// False if data decides which of the work items take part.
    pub is_sure: bool,
    /// The local memory that a copy fills; `None` for other accesses.
    pub to: Option<Arc<Destination>>,
    /// The number of loads of global memory, this one included, that wait for each other since the last barrier or
    /// loop; 0 for an access that no one waits for.
    pub level: u32,
}

/// A part of what an instruction accesses: the work items that reach one memory, and one array of global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessPart {
    /// The number of the part among those of the instruction, from 0.
    pub number: usize,
    /// The work items whose warps have no work item in an earlier part: they issue the instruction with this one.
    pub issuing: Mask,
}

impl SourceAccess {
    /// An access of an instruction without an address: of no bytes, by all work items.
    pub(super) fn nowhere(instruction: usize, kind: AccessKind, memory: SourceMemory) -> Self {
        Self {
            instruction,
            kind,
            memory,
            knows_memory: true,
            region: None,
            address: None,
            bytes: 0,
            elements: 0,
            split: 1,
            items: None,
            part: None,
            is_sure: true,
            to: None,
            level: 0,
        }
    }

    /// True for a further part of an instruction that an access before it has begun.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.number > 0)
    }
}

/// The local memory that a copy fills.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    /// The array; `None` if the address depends on data, or the work items reach several arrays.
    pub region: Option<RegionId>,
    /// The address in bytes; `None` if it depends on data.
    pub address: Option<Known>,
}

/// An array or a variable that the kernel reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The name of the argument or variable.
    pub name: Arc<str>,
    /// The memory.
    pub memory: SourceMemory,
    /// The bytes; `None` if they are not known.
    pub bytes: Option<u64>,
    /// True for an array that shares its memory with all others whose size is given at launch.
    pub is_shared: bool,
}

/// The bits of an offset in local memory within its array.
const OFFSET_BITS: u32 = 20;

/// The bits of an address within its region.
pub(super) const REGION_BITS: u32 = 40;

impl Region {
    /// The bytes of a private array; `None` for other memory.
    pub(super) fn private_bytes(&self) -> Option<u64> {
        self.bytes.filter(|_| self.memory == SourceMemory::Private)
    }
}

impl RegionId {
    /// The first address of the region.
    #[must_use]
    pub fn address(self) -> i64 {
        i64::from(self.0 + 1) << REGION_BITS
    }

    /// The first offset of a local array, as 32-bit addresses of local memory have it. No array is longer than what lies
    /// between two.
    #[must_use]
    pub fn offset(self) -> i64 {
        i64::from(self.0 + 1) << OFFSET_BITS
    }

    /// The local array of an offset, also of one that lies shortly before its beginning; `None` below the first one.
    #[must_use]
    pub fn from_offset(offset: i64) -> Option<Self> {
        let half = 1 << (OFFSET_BITS - 1);
        u32::try_from(offset.saturating_add(half) >> OFFSET_BITS).ok()?.checked_sub(1).map(Self)
    }

    /// The region of an address, also of one that lies shortly before its beginning; `None` below the first region.
    #[must_use]
    pub fn from_address(address: i64) -> Option<Self> {
        let half = 1 << (REGION_BITS - 1);
        u32::try_from(address.saturating_add(half) >> REGION_BITS).ok()?.checked_sub(1).map(Self)
    }
}
