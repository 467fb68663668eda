//! An estimate of the registers that NVIDIA's compiler assigns.
//!
//! What cannot be made again stays in registers: results of arithmetic on data, words from global memory, counters.
//! Addresses, ids and words of local or constant memory can be made or read again, so that a compiler keeps only as many
//! of them as help.

use super::super::execute::operands;
use super::super::ir::{AddressSpace, Cast, IrModule, Kind, Operand, Type, Typed, ValueId};
use super::Registers;
use super::factors::{factor_words, is_barrier};
use super::live::{Change, walk};

/// The registers of a kernel without live values.
const LEAST: u64 = 8;
/// The most registers for values that can be made again: with [`LEAST`] 40, the base of a long kernel.
const MOST_REMADE: u64 = 32;
/// The registers of a kernel that is too large to be looked at: the most of a work item.
const MOST: u64 = 255;
/// The registers of a multiprocessor with matrix units, and the step in which a work item has them.
const FILE: u64 = 1 << 16;
const STEP: u64 = 8;

/// The registers of a kernel on NVIDIA's GPUs, estimated.
#[must_use]
pub fn estimated_registers(module: &IrModule) -> Registers {
    let words = Words::new(module);
    let (mut live, mut most) = (Live::default(), Greatest::default());
    let is_known = walk(&module.kernel, &|value| words.roots[value.index()], &mut |change| match change {
        Change::Begin => live = Live::default(),
        Change::Starts(value) => live.starts(&words, value),
        Change::Ends(value) => live.ends(&words, value),
        Change::Crosses(kind) if is_barrier(kind) => live.early = 0,
        Change::Crosses(_) => {}
        Change::Point => most.take(live),
    });
    // What is beyond a GPU's limit spills there.
    Registers::estimated(if is_known { most.registers(module.bounds.most_items) } else { MOST })
}

/// Words that are live at a point.
#[derive(Debug, Clone, Copy, Default)]
struct Live {
    /// Those that cannot be made again.
    kept: u64,
    /// Those that can.
    remade: u64,
    /// Parts of factors among these.
    factors: u64,
    /// Parts of factors that are loaded later, in the same block and on the same side of barriers.
    early: u64,
}

impl Live {
    fn starts(&mut self, words: &Words, value: ValueId) {
        self.kept += words.kept[value.index()];
        self.remade += words.remade[value.index()];
        self.factors += words.factors[value.index()];
    }

    fn ends(&mut self, words: &Words, value: ValueId) {
        self.kept -= words.kept[value.index()];
        self.remade -= words.remade[value.index()];
        self.factors -= words.factors[value.index()];
        self.early += words.factors[value.index()];
    }
}

/// The greatest sums of words at any point.
#[derive(Debug, Default)]
struct Greatest {
    /// The sum in the program's order.
    in_order: u64,
    /// The sum with parts of factors that are loaded early; 0 if there are none.
    early: u64,
}

impl Greatest {
    fn take(&mut self, at: Live) {
        // A quarter of what can be made again is made again where it is used.
        self.in_order = self.in_order.max(at.kept + (at.remade * 3 / 4).min(MOST_REMADE));
        // The addresses of loads in a row are constants from a few.
        let factors = at.factors + at.early;
        if factors > 0 {
            self.early = self.early.max(at.kept + factors);
        }
    }

    /// The registers of a kernel for groups of at most so many work items. NVIDIA's assembler loads all parts of factors as
    /// early as it can, as long as registers are free.
    fn registers(&self, most_items: Option<u64>) -> u64 {
        (LEAST + self.in_order).max((LEAST + self.early).min(most_registers(most_items)))
    }
}

/// The most registers of a work item in groups of at most so many work items; `None` if nothing bounds these.
pub(super) fn most_registers(most_items: Option<u64>) -> u64 {
    most_items.map_or(MOST, |items| FILE / items.max(1) / STEP * STEP).min(MOST)
}

/// The words of each value.
struct Words {
    /// The words that cannot be made again.
    kept: Vec<u64>,
    /// The words that can.
    remade: Vec<u64>,
    /// The words of parts of factors.
    factors: Vec<u64>,
    /// The value in whose registers each value is.
    roots: Vec<ValueId>,
}

impl Words {
    fn new(module: &IrModule) -> Self {
        let count = module.kernel.values;
        let ids = || (0..count).map(|index| ValueId(u32::try_from(index).unwrap_or(u32::MAX)));
        // Parameters lie in constant memory.
        let mut words =
            Self { kept: vec![0; count], remade: vec![0; count], factors: vec![0; count], roots: ids().collect() };
        let spaces = spaces(module);
        let mut is_data = vec![false; count];
        for instruction in module.kernel.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(result) = instruction.result else { continue };
            let of = result_type(&instruction.kind);
            let size = of.as_ref().map_or(0, |of| size(module, of));
            if let Some(same) = same(&instruction.kind) {
                words.roots[result.index()] = words.roots[same.index()];
                is_data[result.index()] = is_data[same.index()];
                continue;
            }
            let is_float = of.as_ref().is_some_and(Type::is_float);
            let is_kept = match &instruction.kind {
                Kind::Load { from, .. } => space(from, &spaces, module).is_none_or(|space| space < 2),
                Kind::Phi(of, _) => !matches!(of, Type::Pointer(_)),
                _ => is_float || operands(&instruction.kind).any(|operand| is_data[operand.index()]),
            };
            is_data[result.index()] = is_kept && !matches!(&instruction.kind, Kind::Phi(of, _) if !of.is_float());
            let list = if is_kept { &mut words.kept } else { &mut words.remade };
            list[result.index()] = size;
            words.factors[result.index()] = factor_words(&instruction.kind).unwrap_or(0);
        }
        words
    }
}

/// The registers of a type: truths are flags, addresses of local memory have one register.
fn size(module: &IrModule, of: &Type) -> u64 {
    match of {
        Type::Integer(1) => 0,
        Type::Pointer(3) => 1,
        Type::Vector(_, element) if **element == Type::Integer(1) => 0,
        _ => module.size(of).div_ceil(4),
    }
}

/// The type of an instruction's result, as far as it has registers of its own.
fn result_type(kind: &Kind) -> Option<Type> {
    Some(match kind {
        Kind::Binary { left: one, .. }
        | Kind::Negate(one)
        | Kind::Freeze(one)
        | Kind::Select([_, one, _])
        | Kind::Insert([one, ..])
        | Kind::Atomic(_, one) => one.of.clone(),
        Kind::Cast(_, _, of) | Kind::Phi(of, _) | Kind::Load { of, .. } => of.clone(),
        Kind::Call { returns, .. } => returns.clone(),
        Kind::Shuffle([one, _, mask]) => Type::Vector(mask.of.elements(), one.of.element().clone().into()),
        Kind::Extract(one, _) => one.of.element().clone(),
        Kind::Element(_, all) => all.first()?.of.clone(),
        _ => return None,
    })
}

/// The value that has the result's registers: the same bits, a part of them, or an address a constant away.
fn same(kind: &Kind) -> Option<ValueId> {
    let from = match kind {
        Kind::Cast(Cast::Same | Cast::Truncate | Cast::ExtendSign | Cast::ExtendZero, one, _)
        | Kind::Freeze(one)
        | Kind::Extract(one, _)
        | Kind::ExtractValue(one, _) => one,
        Kind::Element(_, all)
            if all.iter().skip(1).all(|index| matches!(index.operand, Operand::Integer(_) | Operand::Zero)) =>
        {
            all.first()?
        }
        _ => return None,
    };
    if let Operand::Value(value) = from.operand { Some(value) } else { None }
}

/// The address space that each value points to, where its definition says it.
fn spaces(module: &IrModule) -> Vec<Option<AddressSpace>> {
    let mut spaces = vec![None; module.kernel.values];
    for instruction in module.kernel.blocks.iter().flat_map(|block| &block.instructions) {
        let Some(result) = instruction.result else { continue };
        spaces[result.index()] = match &instruction.kind {
            Kind::Element(_, all) => all.first().and_then(|base| space(base, &spaces, module)),
            Kind::Cast(Cast::Same, one, Type::Pointer(_)) | Kind::Freeze(one) | Kind::Select([_, one, _]) => {
                space(one, &spaces, module)
            }
            Kind::Allocate(..) => Some(5),
            _ => None,
        };
    }
    spaces
}

/// The address space that an operand points to; `None` if it is not known.
fn space(pointer: &Typed, spaces: &[Option<AddressSpace>], module: &IrModule) -> Option<AddressSpace> {
    let of_type = if let Type::Pointer(space) = pointer.of { Some(space).filter(|space| *space > 0) } else { None };
    of_type.or_else(|| match &pointer.operand {
        Operand::Value(value) => spaces[value.index()],
        Operand::Global(name) => module.globals.get(name).map(|global| global.space),
        Operand::Cast(_, one, _) => space(one, spaces, module),
        Operand::Element(element) => element.1.first().and_then(|base| space(base, spaces, module)),
        _ => None,
    })
}
