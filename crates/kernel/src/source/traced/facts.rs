//! Facts of an executed kernel: its instructions, its places, the names and sizes of its arrays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::TracedKernel;
use crate::source::{
    BlockId, BlockRun, FindingKind, Fork, Instruction, IrFunction, Kind, Lanes, Operand, Region, RegionId,
    SourceAccess, SourceFinding, SourceMemory, SourcePlace, Step, Type, operands, plain_name,
};
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::Place;

/// The longest chain of addresses that is followed to the name of an array.
const DEEPEST: usize = 16;

/// The alignment of each array of local memory, in bytes.
const LOCAL_ALIGNMENT: u64 = 16;

impl TracedKernel {
    /// True if another instruction uses the result of one.
    #[must_use]
    pub fn uses_result(&self, block: BlockId, position: usize) -> bool {
        let Some(result) = self.instruction(block, position).result else { return false };
        let instructions = || self.function().blocks.iter().flat_map(|block| &block.instructions);
        let of_phi = |instruction: &Instruction| match &instruction.kind {
            Kind::Phi(_, sources) => {
                sources.iter().any(|(_, operand)| matches!(operand, Operand::Value(value) if *value == result))
            }
            _ => false,
        };
        instructions()
            .inspect(|_| look(Phase::Lowering))
            .any(|instruction| of_phi(instruction) || operands(&instruction.kind).any(|operand| operand == result))
    }

    /// True if a block uses what it loads from global memory.
    #[must_use]
    pub fn uses_its_loads(&self, block: BlockId) -> bool {
        let instructions = &self.function().blocks[block.index()].instructions;
        let is_load = |one: &&Instruction| match &one.kind {
            Kind::Load { from, .. } => matches!(from.of, Type::Pointer(0 | 1)),
            kind => matches!(kind, Kind::Atomic(..)),
        };
        let loaded: BTreeSet<_> = instructions.iter().filter(is_load).filter_map(|load| load.result).collect();
        instructions.iter().any(|instruction| operands(&instruction.kind).any(|operand| loaded.contains(&operand)))
    }

    /// The instruction at a position of a block.
    #[must_use]
    pub fn instruction(&self, block: BlockId, position: usize) -> &Instruction {
        &self.function().blocks[block.index()].instructions[position]
    }

    /// The kernel's own function; calls are inlined.
    #[must_use]
    pub fn function(&self) -> &IrFunction {
        &self.kernel.module.kernel
    }

    /// The place of an instruction in the user's files, which are numbered from 1; line 0 if it has none.
    pub fn place(&self, block: BlockId, position: usize) -> Place {
        self.kernel
            .places
            .at(block, position)
            .map_or_else(Place::default, |at| Place { file: at.file + 1, ..Place::of_line(at.line, at.column) })
    }

    /// The name of a place's file, as the compiler names it; `None` for a place in none.
    #[must_use]
    pub fn file(&self, place: Place) -> Option<&str> {
        self.files().get(usize::from(place.file.checked_sub(1)?)).map(|name| &**name)
    }

    /// The name of an array or variable as the source has it: local ones bear the kernel's name before their own, private
    /// ones a number behind it, and pointers that are passed as another type a mark behind it.
    #[must_use]
    pub fn shown_name(&self, name: &str) -> String {
        if let Some(private) = name.strip_prefix('%') {
            return private.split('.').next().unwrap_or(private).to_owned();
        }
        let own = name.strip_prefix(&*self.function().name).and_then(|rest| rest.strip_prefix('.'));
        let own = own.filter(|own| !own.is_empty()).unwrap_or(name);
        plain_name(own.strip_suffix(".coerce").unwrap_or(own))
    }

    /// The name of an array in a body: that of the source, without what stands before it.
    #[must_use]
    pub fn array_name(&self, region: &Region) -> String {
        self.shown_name(&region.name).rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// The innermost of some places that lies in a file of the user.
    #[must_use]
    pub fn place_of(&self, places: &[SourcePlace]) -> Place {
        let numbered = |place: &SourcePlace| {
            let file = self.files().iter().position(|file| *file == place.file)?;
            Some(Place { file: u16::try_from(file + 1).ok()?, ..Place::of_line(place.line, place.column) })
        };
        places.iter().find_map(numbered).unwrap_or_default()
    }

    /// The user's files by their numbers, as the compiler names them; number 1 is the first.
    #[must_use]
    pub fn files(&self) -> &[Arc<str>] {
        self.kernel.places.files()
    }

    /// The user's file and line of an instruction. What the compiler has moved has none: then it is the line of the next
    /// instruction that has one, or of the one before; `None` if no instruction of the block has one.
    pub fn line_near(&self, block: BlockId, position: usize) -> Option<(Arc<str>, u32)> {
        let instructions = &self.function().blocks[block.index()].instructions;
        let (before, rest) = instructions.split_at(position.min(instructions.len()));
        let place = rest.iter().chain(before.iter().rev()).find_map(Instruction::user_place)?;
        Some((Arc::clone(&place.file), place.line))
    }

    /// The accesses and barriers of an execution of a block as a lockstep GPU makes them: each element by itself.
    #[must_use]
    pub fn elements(&self, run: &BlockRun) -> Vec<SourceAccess> {
        let element = |access: &SourceAccess, bytes: u64, number: u64| {
            let mut element = SourceAccess { bytes, elements: 1, ..access.clone() };
            if let Some(known) = &mut element.address {
                known.base = known.base.plus(&Lanes::Same(bytes.cast_signed()), number.cast_signed(), &self.shape);
            }
            element
        };
        let elements = run.accesses.iter().flat_map(|access| {
            let number = access.elements.max(1);
            let bytes = if access.bytes.is_multiple_of(number) { access.bytes / number } else { access.bytes };
            (0..number).map(move |number| element(access, bytes, number))
        });
        elements.collect()
    }

    /// Bytes of the local memory of a group.
    #[must_use]
    pub fn local_memory(&self) -> u64 {
        self.local_bytes(LOCAL_ALIGNMENT)
    }

    /// Bytes of the local memory of a group, each array aligned. Arrays whose size is given at launch share theirs.
    pub fn local_bytes(&self, alignment: u64) -> u64 {
        let is_own = |region: &&Region| region.memory == SourceMemory::Local && !region.is_shared;
        let own = self.executed.regions.iter().filter(is_own).map(|region| region.bytes.unwrap_or(0));
        let all = own.chain([self.shared]).map(|bytes| bytes.checked_next_multiple_of(alignment).unwrap_or(bytes));
        all.fold(0, u64::saturating_add)
    }
}

/// An array of a work item that the compiler leaves in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateArray {
    /// The name.
    pub name: Arc<str>,
    /// The bytes of a work item; `None` if they are not known.
    pub bytes: Option<u64>,
    /// The place of the first access in the user's files; `None` if no access has one.
    pub place: Option<SourcePlace>,
}

impl TracedKernel {
    /// The private arrays that are accessed in memory, in the order of their first accesses.
    #[must_use]
    pub fn private_arrays(&self) -> Vec<PrivateArray> {
        let mut arrays: Vec<(RegionId, PrivateArray)> = Vec::new();
        for run in self.runs() {
            for access in run.accesses.iter().filter(|access| access.memory == SourceMemory::Private) {
                let Some(region) = access.region.filter(|id| arrays.iter().all(|(known, _)| known != id)) else {
                    continue;
                };
                let of = &self.executed.regions[region.0 as usize];
                let place = self.place_of_access(run, access).cloned();
                let name = self.shown_name(&of.name).into();
                arrays.push((region, PrivateArray { name, bytes: of.bytes, place }));
            }
        }
        arrays.into_iter().map(|(_, array)| array).collect()
    }

    /// The stores and loads of each word that spills, in pairs: the executions of the block that computes most, times
    /// the pairs that a back end makes of a word.
    #[must_use]
    pub fn spill_uses(&self) -> u64 {
        let registers = &self.kernel.registers;
        let words = registers.spilled_bytes.unwrap_or(0).div_ceil(4);
        let pairs = registers.spill_accesses.filter(|_| words > 0).map_or(1, |all| all.div_ceil(2 * words).max(1));
        pairs * self.hottest_executions()
    }

    /// The most words of a work item that hold the sums of an instruction of four warps on the matrix units; 0 if the
    /// kernel has none.
    #[must_use]
    pub fn words_of_sums(&self) -> u64 {
        let accesses = self.runs().flat_map(|run| &run.accesses);
        accesses.map(|access| access.kind.sum_words()).max().unwrap_or(0)
    }

    /// The instructions that move a pointer of 64 bits from one iteration of a loop to the next, by block and position.
    #[must_use]
    pub fn moved_pointers(&self) -> Vec<(BlockId, usize)> {
        let blocks = || self.function().blocks.iter().enumerate();
        let mut next = BTreeSet::new();
        for (at, block) in blocks() {
            for instruction in &block.instructions {
                // Addresses of local memory have 32 bits.
                let Kind::Phi(Type::Pointer(0 | 1), sources) = &instruction.kind else { continue };
                let behind = sources.iter().filter(|(from, _)| from.index() >= at);
                next.extend(behind.filter_map(|(_, operand)| operand.value()));
            }
        }
        let moves = |one: &Instruction| {
            matches!(one.kind, Kind::Element(..)) && one.result.is_some_and(|result| next.contains(&result))
        };
        let of_block = |at: usize, instructions: &[Instruction]| {
            let positions = instructions.iter().enumerate().filter(|(_, one)| moves(one));
            let block = BlockId(u32::try_from(at).unwrap_or(u32::MAX));
            positions.map(|(position, _)| (block, position)).collect::<Vec<_>>()
        };
        blocks().flat_map(|(at, block)| of_block(at, &block.instructions)).collect()
    }

    /// The name of the array that an access reaches: of its region, or of the pointer that its address is computed
    /// from.
    #[must_use]
    pub fn array(&self, block: BlockId, access: &SourceAccess) -> Option<&str> {
        if let Some(region) = access.region {
            return Some(&self.executed.regions[region.0 as usize].name);
        }
        let instructions = || self.function().blocks.iter().flat_map(|block| &block.instructions);
        let mut pointer = match &self.function().blocks[block.index()].instructions[access.instruction].kind {
            Kind::Load { from, .. } => &from.operand,
            Kind::Store { to, .. } | Kind::Atomic(to, _) => &to.operand,
            _ => return None,
        };
        for _ in 0..DEEPEST {
            let value = match pointer {
                Operand::Global(name) => return Some(name),
                Operand::Value(value) => *value,
                _ => return None,
            };
            if let Some(parameter) = self.function().parameters.iter().find(|parameter| parameter.value == value) {
                return Some(&parameter.name);
            }
            pointer = match &instructions().find(|instruction| instruction.result == Some(value))?.kind {
                Kind::Element(_, all) => &all.first()?.operand,
                Kind::Cast(_, one, _) | Kind::Freeze(one) => &one.operand,
                _ => return None,
            };
        }
        None
    }

    /// The number of sides of each branch on data that a warp runs one after the other.
    #[must_use]
    pub fn sides(&self) -> Vec<u64> {
        let of_step = |(step, _)| match step {
            &Step::Sides(Fork::Data(_), ref sides) => {
                let taken = sides.iter().filter(|side| side.share > 0.0 && !side.steps.is_empty());
                Some(taken.count().max(1) as u64)
            }
            _ => None,
        };
        Step::all(&self.executed.trace).filter_map(of_step).collect()
    }

    /// The lines of the loops whose ends depend on data and whose iterations the spec states, in ascending order.
    pub fn stated_loops(&self) -> Vec<u32> {
        let stated = |finding: &&SourceFinding| matches!(finding.kind, FindingKind::TripsOnData { assumed: false, .. });
        let places = self.executed.findings.iter().filter(stated).filter_map(SourceFinding::user_place);
        places.map(|place| place.line).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The executions of the block that computes most.
    fn hottest_executions(&self) -> u64 {
        let mut executions: BTreeMap<BlockId, u64> = BTreeMap::new();
        let mut products: BTreeMap<BlockId, usize> = BTreeMap::new();
        for (step, times) in Step::all(&self.executed.trace) {
            if let Step::Block(run) = step {
                *executions.entry(run.block).or_default() += times;
                let of_run = run.accesses.iter().filter(|access| access.kind.product().is_some());
                products.insert(run.block, of_run.count());
            }
        }
        let arithmetic = |block: &BlockId| {
            let of_each = self.kernel.prices.block(*block).iter();
            (products.get(block), of_each.map(|price| price.fp32 + price.fp64 + price.fp16).sum::<u64>())
        };
        executions.into_iter().max_by_key(|(block, _)| arithmetic(block)).map_or(1, |(_, times)| times)
    }
}
