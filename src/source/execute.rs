//! Executes one work group of a kernel, all its work items at once.
//!
//! Ids, sizes and integer arguments are known, data is not. The work items stand at blocks; those at the block that is
//! the lowest in the order of [`Flow`] execute it. A loop whose iterations provably repeat is executed a few times,
//! whatever its count.

mod block;
mod call;
mod data;
mod error;
mod finding;
mod fold;
mod fronts;
mod ids;
mod instruction;
mod levels;
mod loops;
mod memory;
mod operand;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::flow::Flow;
use super::ir::{IrModule, Place, Type, ValueId};
use super::trace::{Memory, Region, RegionId, Trace};
use super::value::{Arithmetic, Demands, Known, Mask, Shape, Slope, Symbol, Value};
pub use error::{ExecuteError, ExecuteProblem};
pub use finding::{Finding, FindingKind};
use fronts::{Fronts, Origin};
use levels::Levels;
pub(crate) use levels::operands;
use loops::LoopState;

/// The most executions of blocks.
const MOST_BLOCKS: u64 = 10_000_000;
/// The most bytes of a trace.
const MOST_TRACE_BYTES: u64 = 256 << 20;

/// A value for an argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// An integer.
    Integer(i64),
    /// This many bytes of local memory.
    Local(u64),
}

/// A choice of work group, sizes and arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The work items of a group along x, y and z.
    pub sizes: [u32; 3],
    /// The groups along x, y and z.
    pub groups: [u64; 3],
    /// The group that is executed.
    pub group: [u64; 3],
    /// The arguments that are known, by the position of their parameter.
    pub arguments: BTreeMap<usize, Argument>,
    /// The work items of a warp.
    pub warp_size: u32,
}

/// What the user says of data, by the line of the source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assumptions {
    /// The iterations of a loop whose count depends on data.
    pub trips: BTreeMap<u32, u64>,
    /// The share of executions in which a condition on data is true.
    pub taken: BTreeMap<u32, f64>,
    /// Lines on which integers that depend on data are small enough to count as 0.
    pub zeros: Vec<u32>,
    /// The addresses that depend on data.
    pub addresses: BTreeMap<u32, AssumedAddress>,
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
    pub findings: Vec<Finding>,
    /// The number of executions of blocks that were needed.
    pub blocks: u64,
    /// The bytes of private arrays.
    pub private_bytes: u64,
}

/// Executes a work group.
///
/// # Errors
/// If some work items miss a barrier, a loop does not end or takes too many steps, or the kernel does what the machine
/// cannot say.
pub fn execute(
    module: &IrModule,
    flow: &Flow,
    launch: &Launch,
    assumptions: &Assumptions,
    fold: bool,
) -> Result<Executed, ExecuteError> {
    let mut run = Run::new(module, flow, launch, assumptions, fold);
    run.start()?;
    Ok(Executed {
        trace: run.trace,
        regions: run.regions,
        findings: run.findings.into_values().collect(),
        blocks: run.blocks,
        private_bytes: run.private_bytes,
    })
}

/// The state of an execution.
struct Run<'a> {
    module: &'a IrModule,
    flow: &'a Flow,
    launch: &'a Launch,
    assumptions: &'a Assumptions,
    shape: Shape,
    /// The values of the kernel; `None` before their first instruction.
    values: Vec<Option<Value>>,
    fronts: Fronts,
    /// The work items of the branch side that is executed; without one, all.
    context: Mask,
    returned: Mask,
    loops: Vec<LoopState>,
    trace: Trace,
    trace_bytes: u64,
    regions: Vec<Region>,
    region_of: HashMap<Arc<str>, RegionId>,
    /// What is known of private memory: bytes and value by the first address.
    cells: BTreeMap<i64, (u64, Value)>,
    findings: BTreeMap<(FindingKind, Vec<Place>), Finding>,
    demands: Demands,
    levels: Levels,
    blocks: u64,
    private_bytes: u64,
    /// The next counter of a loop that is folded.
    counter: u32,
    fold: bool,
}

impl<'a> Run<'a> {
    fn new(module: &'a IrModule, flow: &'a Flow, launch: &'a Launch, assumptions: &'a Assumptions, fold: bool) -> Self {
        let shape = Shape::new(launch.sizes);
        let mut all = Mask::with_capacity(shape.lanes());
        all.insert_range(..);
        let mut fronts = Fronts::default();
        fronts.add(0, Origin::Entry, all.clone());
        Self {
            values: vec![None; module.kernel.values],
            returned: Mask::with_capacity(shape.lanes()),
            context: all,
            shape,
            fronts,
            loops: Vec::new(),
            trace: Trace::new(),
            trace_bytes: 0,
            regions: Vec::new(),
            region_of: HashMap::new(),
            cells: BTreeMap::new(),
            findings: BTreeMap::new(),
            demands: Demands::default(),
            levels: Levels::new(module.kernel.values),
            blocks: 0,
            private_bytes: 0,
            counter: 0,
            module,
            flow,
            launch,
            assumptions,
            fold,
        }
    }

    fn start(&mut self) -> Result<(), ExecuteError> {
        for (position, parameter) in self.module.kernel.parameters.iter().enumerate() {
            let given = self.launch.arguments.get(&position).copied();
            let value = match (&parameter.of, given) {
                (Type::Pointer(space), given) => {
                    let local = if let Some(Argument::Local(bytes)) = given { Some(bytes) } else { None };
                    let memory = if local.is_some() || *space == 3 {
                        Memory::Local
                    } else if parameter.by_value {
                        Memory::Constant
                    } else {
                        memory::of_space(*space)
                    };
                    Value::constant(self.region(&parameter.name, memory, local).address())
                }
                (Type::Integer(_), Some(Argument::Integer(value))) => Value::constant(value),
                (of, _) => Value::unknown(of.elements()),
            };
            self.values[parameter.value.index()] = Some(value);
        }
        self.run(self.flow.end())
    }

    /// Executes until all work items stand at a position or at the kernel's end.
    fn run(&mut self, stop: usize) -> Result<(), ExecuteError> {
        let outer = self.loops.len();
        loop {
            let next = self.fronts.lowest(stop).filter(|next| *next < self.flow.end());
            while self.loops.len() > outer
                && next.is_none_or(|next| {
                    !self.loops.last().is_some_and(|last| self.flow.is_in(last.head, self.flow.block(next)))
                })
            {
                self.leave();
            }
            let Some(next) = next else { return Ok(()) };
            let arrivals = self.fronts.take(next);
            self.block(self.flow.block(next), &arrivals)?;
        }
    }

    fn arithmetic(&mut self) -> Arithmetic<'_> {
        Arithmetic { shape: &self.shape, demands: &mut self.demands }
    }

    fn region(&mut self, name: &Arc<str>, memory: Memory, bytes: Option<u64>) -> RegionId {
        if let Some(id) = self.region_of.get(name) {
            return *id;
        }
        let id = RegionId(u32::try_from(self.regions.len()).unwrap_or(u32::MAX));
        self.regions.push(Region { name: name.clone(), memory, bytes });
        self.region_of.insert(name.clone(), id);
        id
    }

    /// Sets a value in the work items of a mask; the others keep theirs.
    fn set(&mut self, id: ValueId, value: Value, mask: &Mask) {
        let is_all = mask.is_full();
        let old = self.values[id.index()].take();
        let value = match (&value, &old) {
            (Value::Known(new), Some(Value::Known(old))) if !is_all => {
                let shape = &self.shape;
                Value::Known(Arithmetic { shape, demands: &mut self.demands }.blend(mask, new, old))
            }
            _ => value,
        };
        self.values[id.index()] = Some(value);
    }

    /// True if two values are the same in the work items of a mask.
    fn same(&self, one: &Value, other: &Value, mask: &Mask) -> bool {
        match (one, other) {
            (Value::Known(one), Value::Known(other)) => self.same_known(one, other, mask),
            (Value::Vector(one), Value::Vector(other)) => {
                one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| self.same(one, other, mask))
            }
            _ => one == other,
        }
    }

    fn same_known(&self, one: &Known, other: &Known, mask: &Mask) -> bool {
        let none = Slope::By(super::value::Lanes::Same(0));
        let symbols = one.slopes.iter().chain(&other.slopes).map(|(symbol, _)| *symbol);
        one.base.agrees(&other.base, mask, &self.shape)
            && symbols.into_iter().all(|symbol: Symbol| {
                match (one.slope(symbol).unwrap_or(&none), other.slope(symbol).unwrap_or(&none)) {
                    (Slope::By(one), Slope::By(other)) => one.agrees(other, mask, &self.shape),
                    _ => false,
                }
            })
    }
}
