//! The question to an execution, and its findings.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::super::prices::Operations;
use super::super::trace::{Region, Trace};
use super::super::value::KnownFloat;
use super::assumed::AssumedContents;
use super::dependence::GroupDependence;
use super::finding::SourceFinding;
use super::meetings::LaneFault;
use super::seeds::DataSeeds;

/// A value for an argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// An integer, as its type holds it: with its sign, but a truth as 0 or 1.
    Integer(i64),
    /// A floating-point number.
    Float(KnownFloat),
    /// This many bytes of local memory.
    Local(u64),
    /// Global memory of this many bytes.
    Global(u64),
}

/// The value of a number in a structure that is passed by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownField {
    /// The position of the structure's parameter.
    pub parameter: usize,
    /// The first byte in the structure.
    pub offset: u64,
    /// The number of bytes, up to 8.
    pub bytes: u64,
    /// The bits, the lowest first.
    pub bits: u64,
}

/// A choice of work group, sizes and arguments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceLaunch {
    /// The work items of a group along x, y and z.
    pub sizes: [u32; 3],
    /// The groups along x, y and z.
    pub groups: [u64; 3],
    /// The group that is executed.
    pub group: [u64; 3],
    /// The arguments that are known, by the position of their parameter.
    pub arguments: BTreeMap<usize, Argument>,
    /// The numbers in structures that are known.
    pub fields: Vec<KnownField>,
    /// The bytes of local memory that all arrays without a size share; `None` if they are not known.
    pub shared: Option<u64>,
    /// The work items of a warp.
    pub warp_size: u32,
    /// The number of the launch's first groups whose first work items are executed side by side in place of a group;
    /// `None` if a group is executed.
    pub first_items: Option<u32>,
}

/// Statements of the user about data, by the line of the source or by the array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assumptions {
    /// The iterations of a loop whose count depends on data.
    pub trips: BTreeMap<u32, u64>,
    /// The share of executions that find a condition on data true.
    pub taken: BTreeMap<u32, f64>,
    /// Lines where integers that depend on data are small enough to count as 0.
    pub zeros: Vec<u32>,
    /// The addresses that depend on data.
    pub addresses: BTreeMap<u32, AssumedAddress>,
    /// The operations of inline assembly that is not known, which accesses no memory.
    pub assembly: BTreeMap<u32, Operations>,
    /// The contents of arrays of integers, by the parameter that points to their beginning.
    pub contents: BTreeMap<Arc<str>, AssumedContents>,
}

// A share is read from a text, so it is a number.
impl Eq for Assumptions {}

impl Hash for Assumptions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { trips, taken, zeros, addresses, assembly, contents } = self;
        let taken: Vec<(u32, u64)> = taken.iter().map(|(line, share)| (*line, share.to_bits())).collect();
        (trips, taken, zeros, addresses, assembly, contents).hash(state);
    }
}

/// The addresses of an access that depend on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssumedAddress {
    /// Neighbouring work items access neighbouring elements.
    Coalesced,
    /// Each work item accesses a sector of its own.
    Random,
    /// All work items access one element.
    Same,
}

/// What a work group executed.
#[derive(Debug, Clone, PartialEq)]
pub struct Executed {
    /// The blocks, loops and accesses in order.
    pub trace: Trace,
    /// The arrays and variables by their number.
    pub regions: Vec<Region>,
    /// What a user should know.
    pub findings: Vec<SourceFinding>,
    /// The number of executions of blocks that were needed.
    pub blocks: u64,
    /// The bytes of private arrays.
    pub private_bytes: u64,
    /// Work that other groups may do in another way.
    pub dependence: GroupDependence,
    /// The values and blocks that data decides.
    pub seeds: DataSeeds,
    /// The faults in the lanes of operations of warps.
    pub lane_faults: Vec<LaneFault>,
    /// The number of operations of warps whose lanes depend on data.
    pub open_lanes: usize,
}
