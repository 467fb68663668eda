//! The state of an execution.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::super::flow::Flow;
use super::super::ir::{BlockId, Cast, IrFunction, IrModule, Kind, Operator, SourcePlace, Type, ValueId};
use super::super::trace::{Region, RegionId, SourceMemory, Trace};
use super::super::value::{Arithmetic, Demands, Known, Lanes, Mask, Number, Shape, Slope, Symbol, Value};
use super::copies_of_amd::CopiesOfAmd;
use super::definitions::{Definitions, definitions};
use super::dependence::OtherGroups;
use super::error::Undefined;
use super::finding::{FindingKind, SourceFinding};
use super::fronts::{Fronts, Origin};
use super::launch::{Assumptions, Executed, SourceLaunch};
use super::levels::{Levels, operands};
use super::loop_state::LoopState;
use super::marked::Told;
use super::meetings::Meetings;
use super::remembered::LoadedNumbers;
use super::seeds::DataSeeds;
use super::tensors::Tiles;
use autotune_base::limits::{Allowance, Limits, StepClock};

/// The state of an execution.
pub(super) struct Run<'a> {
    pub(super) module: &'a IrModule,
    pub(super) flow: &'a Flow,
    pub(super) definitions: Definitions,
    pub(super) launch: &'a SourceLaunch,
    pub(super) assumptions: &'a Assumptions,
    pub(super) shape: Shape,
    /// The values of the kernel; `None` before their first instruction.
    pub(super) values: Vec<Option<Value>>,
    pub(super) fronts: Fronts,
    /// The work items of the branch side that is executed; without one, all.
    pub(super) context: Mask,
    pub(super) returned: Mask,
    pub(super) loops: Vec<LoopState>,
    pub(super) trace: Trace,
    pub(super) trace_bytes: u64,
    pub(super) regions: Vec<Region>,
    pub(super) region_of: HashMap<Arc<str>, RegionId>,
    /// The known bytes of structures that are passed by value, by their address.
    pub(super) fields: BTreeMap<i64, u8>,
    /// The known bytes of constant tables, by their address.
    pub(super) tables: BTreeMap<i64, u8>,
    /// What is known of private memory: bytes and value by the first address.
    pub(super) cells: BTreeMap<i64, (u64, Value)>,
    pub(super) findings: BTreeMap<(FindingKind, Vec<SourcePlace>), SourceFinding>,
    pub(super) demands: Demands,
    pub(super) seeds: DataSeeds,
    pub(super) meetings: Meetings,
    /// The products that may be one operation with what uses them.
    pub(super) fusable: fixedbitset::FixedBitSet,
    /// The values that are not defined in some work items.
    pub(super) undefined: HashMap<ValueId, Undefined>,
    /// The block that is executed.
    pub(super) block: BlockId,
    pub(super) levels: Levels,
    pub(super) other_groups: OtherGroups,
    pub(super) blocks: u64,
    pub(super) private_bytes: u64,
    pub(super) copies_of_amd: CopiesOfAmd,
    pub(super) tiles: Tiles,
    /// The next counter of a loop that is folded.
    pub(super) counter: u32,
    pub(super) fold: bool,
    /// The limits of the work that the execution is a part of.
    pub(super) limits: &'a Limits,
    /// The time that the execution has taken.
    pub(super) clock: StepClock,
    /// The branches on data whose sides are under way.
    pub(super) depth: usize,
    pub(super) told: Told<'a>,
    /// The work items that execute the block.
    pub(super) items: Mask,
    /// The number of the last symbol of data.
    pub(super) symbols: u32,
    pub(super) numbers: LoadedNumbers,
}

/// The products of floating-point numbers that a sum, a difference or a conversion of another width uses.
fn fusable(kernel: &IrFunction) -> fixedbitset::FixedBitSet {
    let instructions = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    let mut used = fixedbitset::FixedBitSet::with_capacity(kernel.values);
    for instruction in instructions() {
        match &instruction.kind {
            Kind::Binary { operator: Operator::FAdd | Operator::FSub, .. }
            | Kind::Negate(_)
            | Kind::Cast(Cast::Number { .. }, _, Type::Float(_)) => {
                used.extend(operands(&instruction.kind).map(ValueId::index));
            }
            _ => {}
        }
    }
    let mut products = fixedbitset::FixedBitSet::with_capacity(kernel.values);
    for instruction in instructions() {
        if let (Kind::Binary { operator: Operator::FMul, .. }, Some(id)) = (&instruction.kind, instruction.result) {
            products.insert(id.index());
        }
    }
    products.intersect_with(&used);
    products
}

impl<'a> Run<'a> {
    pub(super) fn new(
        module: &'a IrModule,
        flow: &'a Flow,
        launch: &'a SourceLaunch,
        assumptions: &'a Assumptions,
        fold: bool,
        limits: &'a Limits,
    ) -> Self {
        let shape = Shape::new(launch.first_items.map_or(launch.sizes, |groups| [groups, 1, 1]));
        let mut all = Mask::with_capacity(shape.lanes());
        all.insert_range(..);
        let mut fronts = Fronts::default();
        fronts.add(0, Origin::Entry, all.clone());
        Self {
            values: vec![None; module.kernel.values],
            returned: Mask::with_capacity(shape.lanes()),
            items: all.clone(),
            context: all,
            shape,
            fronts,
            loops: Vec::new(),
            trace: Trace::new(),
            trace_bytes: 0,
            regions: Vec::new(),
            region_of: HashMap::new(),
            fields: BTreeMap::new(),
            tables: BTreeMap::new(),
            cells: BTreeMap::new(),
            findings: BTreeMap::new(),
            demands: Demands::default(),
            seeds: DataSeeds::default(),
            meetings: Meetings::default(),
            undefined: HashMap::new(),
            fusable: fusable(&module.kernel),
            block: BlockId(0),
            levels: Levels::new(module.kernel.values),
            other_groups: OtherGroups::new(launch.group, launch.groups),
            blocks: 0,
            private_bytes: 0,
            copies_of_amd: CopiesOfAmd::new(&module.kernel),
            tiles: Tiles::default(),
            counter: 0,
            definitions: definitions(&module.kernel),
            module,
            flow,
            launch,
            assumptions,
            fold,
            limits,
            clock: StepClock::start(limits.allowance.unwrap_or(Allowance::OF_ANALYSIS)),
            depth: 0,
            told: Told::new(&module.kernel),
            symbols: 0,
            numbers: LoadedNumbers::default(),
        }
    }

    /// What the work group executed.
    pub(super) fn ended(self) -> Executed {
        Executed {
            trace: self.trace,
            regions: self.regions,
            findings: self.findings.into_values().collect(),
            blocks: self.blocks,
            private_bytes: self.private_bytes,
            dependence: self.other_groups.found,
            seeds: self.seeds,
            lane_faults: self.meetings.faults(),
            open_lanes: self.meetings.open(),
        }
    }

    /// The work items of a warp, at least one.
    pub(super) fn warp(&self) -> usize {
        usize::try_from(self.launch.warp_size.max(1)).unwrap_or(1)
    }

    pub(super) fn arithmetic(&mut self) -> Arithmetic<'_> {
        let reach = self.other_groups.distances();
        let Self { shape, demands, items, symbols, .. } = self;
        Arithmetic { shape, demands, items, symbols, reach }
    }

    /// The value of a function that each work item of the block computes by itself; unknown if an operand depends on data.
    pub(super) fn pointwise(&self, operands: &[&Value], of: impl Fn(&[Number]) -> Option<Number>) -> Value {
        if operands.iter().any(|operand| operand.known().is_some_and(Known::is_on_data)) {
            return Value::Unknown;
        }
        self.shape.pointwise(operands, &self.items, of)
    }

    pub(super) fn region(&mut self, name: &Arc<str>, memory: SourceMemory, bytes: Option<u64>) -> RegionId {
        if let Some(id) = self.region_of.get(name) {
            return *id;
        }
        let id = RegionId(u32::try_from(self.regions.len()).unwrap_or(u32::MAX));
        let globals = &self.module.globals;
        let is_shared = globals.get(name).is_some_and(|global| global.is_given_at_launch);
        self.regions.push(Region { name: name.clone(), memory, bytes, is_shared });
        self.region_of.insert(name.clone(), id);
        id
    }

    /// Sets a value in the work items of a mask; the others keep theirs.
    pub(super) fn set(&mut self, id: ValueId, value: Value, mask: &Mask) {
        let is_all = mask.is_full();
        let old = self.values[id.index()].take();
        let value = match (&value, &old) {
            (Value::Known(new), Some(Value::Known(old))) if !is_all => {
                Value::Known(self.arithmetic().blend(mask, new, old))
            }
            (Value::Float(new), Some(Value::Float(old))) if !is_all => self.arithmetic().blend_floats(mask, new, old),
            (Value::Float(_), Some(_)) if !is_all => Value::Unknown,
            _ => value,
        };
        self.values[id.index()] = Some(value);
    }

    /// True if two values are the same in the work items of a mask.
    pub(super) fn same(&self, one: &Value, other: &Value, mask: &Mask) -> bool {
        match (one, other) {
            (Value::Known(one), Value::Known(other)) => self.same_known(one, other, mask),
            (Value::Float(one), Value::Float(other)) => one.agrees(other, mask, &self.shape),
            (Value::Vector(one), Value::Vector(other)) => {
                one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| self.same(one, other, mask))
            }
            _ => one == other,
        }
    }

    pub(super) fn same_known(&self, one: &Known, other: &Known, mask: &Mask) -> bool {
        let none = Slope::By(Lanes::Same(0));
        let symbols = one.slopes.iter().chain(&other.slopes).map(|(symbol, _)| *symbol);
        one.base.agrees(&other.base, mask, &self.shape)
            && symbols.into_iter().all(|symbol: Symbol| {
                match (one.slope(symbol).unwrap_or(&none), other.slope(symbol).unwrap_or(&none)) {
                    (Slope::By(one), Slope::By(other)) => one.agrees(other, mask, &self.shape),
                    // The executed group gives the base, whatever others do.
                    (Slope::Uneven(_), Slope::Uneven(_)) => matches!(symbol, Symbol::Group(_)),
                    _ => false,
                }
            })
    }

    pub(super) fn find(&mut self, kind: FindingKind, places: &[SourcePlace]) {
        let key = (kind.clone(), places.to_vec());
        let finding = || SourceFinding { kind, places: places.into(), times: 0 };
        self.findings.entry(key).or_insert_with(finding).times += 1;
    }
}
