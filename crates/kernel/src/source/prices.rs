//! The operations that a GPU issues for each instruction.
//!
//! The prices of functions are those of SASS for compute capability 8.0, counted up to the first exit, without those of
//! the same kernel without the function. Conversions and address arithmetic follow the same listings: what an address
//! needs is part of the access.

mod functions;
mod operations;

use std::collections::BTreeMap;

use super::amdgcn::Amd;
use super::functions::{Function, function};
use super::ir::{BlockId, Callee, Cast, Instruction, IrFunction, Kind, Operand, Operator, Type, Typed};
use super::ptx;
use autotune_base::limits::watch::{Phase, look};
pub(in crate::source) use functions::FAST;
use operations::bits;
pub use operations::{Maker, Operations};

/// The operations of the instructions of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices(Vec<Vec<Operations>>);

impl Prices {
    /// The prices of a kernel's instructions.
    #[must_use]
    pub fn new(kernel: &IrFunction, maker: Maker) -> Self {
        let uses = Uses::new(kernel);
        let price = |instruction: &Instruction| match maker {
            Maker::Nvidia if skips_little(kernel, instruction) => Operations::NONE,
            _ => price(instruction, maker, &uses),
        };
        Self(kernel.blocks.iter().map(|block| block.instructions.iter().map(price).collect()).collect())
    }

    /// The prices where a user prices inline assembly that is not understood, by its line.
    pub(in crate::source) fn with_assembly(&self, kernel: &IrFunction, given: &BTreeMap<u32, Operations>) -> Self {
        let mut prices = self.clone();
        for (block, prices) in kernel.blocks.iter().zip(&mut prices.0) {
            for (instruction, price) in block.instructions.iter().zip(prices) {
                let line = instruction.user_place().map(|place| place.line);
                if let (Some(line), Kind::Call { callee: Callee::Assembly(text), .. }) = (line, &instruction.kind)
                    && let Some(operations) = given.get(&line)
                    && !ptx::is_understood(text)
                {
                    *price = operations.plus(ptx::price_of_known(text));
                }
            }
        }
        prices
    }

    /// The operations of each instruction of a block.
    #[must_use]
    pub fn block(&self, block: super::ir::BlockId) -> &[Operations] {
        &self.0[block.index()]
    }
}

/// The most instructions that a compiler executes under a condition rather than branch around them.
const PREDICATED: usize = 12;

/// True for a branch around a short block, which may have another one inside: compilers for NVIDIA make the instructions
/// conditional.
fn skips_little(kernel: &IrFunction, instruction: &Instruction) -> bool {
    let Kind::Branch(..) = instruction.kind else { return false };
    let [one, other] = instruction.kind.successors()[..] else { return false };
    is_short(kernel, one, other, PREDICATED) || is_short(kernel, other, one, PREDICATED)
}

/// True for a block of at most that many instructions, those of a block inside included, such that all ways from it
/// lead to `end`.
fn is_short(kernel: &IrFunction, block: BlockId, end: BlockId, most: usize) -> bool {
    let instructions = &kernel.blocks[block.index()].instructions;
    let is_plain = |one: &Instruction| match &one.kind {
        Kind::Call { callee: Callee::Named(name), .. } => matches!(function(name).does, Function::Product),
        kind => !matches!(kind, Kind::Call { .. } | Kind::Atomic(..)),
    };
    let marks = instructions.iter().filter_map(|one| one.result).filter(|id| kernel.marks.conditions.contains_key(id));
    let Some(rest) = most.checked_sub(instructions.len() - marks.count()).filter(|_| instructions.iter().all(is_plain))
    else {
        return false;
    };
    let after = instructions.last().map_or_else(Vec::new, |last| last.kind.successors());
    after.contains(&end) && after.iter().all(|next| *next == end || is_short(kernel, *next, end, rest))
}

/// The uses of values that make an instruction free.
struct Uses {
    /// Products that the sum that uses them contains.
    fused: Vec<bool>,
    /// Values that only addresses use.
    addresses: Vec<bool>,
    /// Values that only selections use.
    selected: Vec<bool>,
}

impl Uses {
    fn new(kernel: &IrFunction) -> Self {
        let mut counts = vec![0_u32; kernel.values];
        let mut indices = vec![0_u32; kernel.values];
        let mut selections = vec![0_u32; kernel.values];
        let mut products = vec![false; kernel.values];
        let instructions = || kernel.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions() {
            let is_address = matches!(instruction.kind, Kind::Element(..));
            for id in super::execute::operands(&instruction.kind) {
                counts[id.index()] += 1;
                indices[id.index()] += u32::from(is_address);
                selections[id.index()] += u32::from(matches!(instruction.kind, Kind::Select(..)));
            }
            if let Kind::Phi(_, incoming) = &instruction.kind {
                incoming.iter().filter_map(|(_, operand)| operand.value()).for_each(|id| counts[id.index()] += 1);
            }
            if let (Kind::Binary { operator: Operator::FMul, contract: true, .. }, Some(id)) =
                (&instruction.kind, instruction.result)
            {
                products[id.index()] = true;
            }
        }
        let mut fused = vec![false; kernel.values];
        for instruction in instructions() {
            let Kind::Binary { operator: Operator::FAdd | Operator::FSub, left, right, contract: true, .. } =
                &instruction.kind
            else {
                continue;
            };
            // One product can be part of the sum.
            let product = [&left.operand, right].into_iter().filter_map(Operand::value);
            let product = product.into_iter().find(|id| products[id.index()] && counts[id.index()] == 1);
            if let Some(id) = product {
                fused[id.index()] = true;
            }
        }
        let only = |some: &[u32]| counts.iter().zip(some).map(|(all, some)| *all > 0 && all == some).collect();
        Self { fused, addresses: only(&indices), selected: only(&selections) }
    }
}

fn price(instruction: &Instruction, maker: Maker, uses: &Uses) -> Operations {
    look(Phase::Prices);
    let has = |list: &[bool]| instruction.result.is_some_and(|id| list[id.index()]);
    match &instruction.kind {
        Kind::Binary { operator: Operator::FMul, .. } if has(&uses.fused) => Operations::NONE,
        Kind::Binary { operator, left, right, approximate, .. } => {
            let bits = bits(&left.of);
            if bits == 64 && !left.of.is_float() && has(&uses.addresses) {
                return Operations::NONE;
            }
            if matches!(operator, Operator::FAdd | Operator::FSub | Operator::FMul) {
                return Operations::elementwise(&left.of);
            }
            binary(*operator, bits, right, *approximate).times(left.of.elements())
        }
        Kind::Compare(_, left, _) => Operations::int32(words(&left.of)).times(left.of.elements()),
        Kind::CompareFloat(_, left, _) => functions::extreme(&left.of, maker),
        Kind::Select([_, first, _]) if bits(&first.of) == 1 => Operations::NONE,
        Kind::Select([_, first, _]) => Operations::int32(words(&first.of)).times(first.of.elements()),
        // A truth becomes an integer by a selection, unless a selection takes it anyway.
        Kind::Cast(Cast::ExtendZero | Cast::ExtendSign, from, to) if bits(&from.of) == 1 && !has(&uses.selected) => {
            Operations::int32(words(to)).times(to.elements())
        }
        Kind::Cast(Cast::Number { .. }, from, to) => conversion(from, to, maker),
        Kind::Branch(..) | Kind::Switch(..) => Operations { any: 1, ..Operations::NONE },
        Kind::Call { callee: Callee::Assembly(text), .. } => ptx::price(text),
        Kind::Call { callee: Callee::Named(name), returns, arguments, .. } => call(name, returns, arguments, maker),
        _ => Operations::NONE,
    }
}

/// The words of 32 bits of a type's element, at least 1.
fn words(of: &Type) -> u64 {
    u64::from(bits(of).div_ceil(32)).max(1)
}

fn binary(operator: Operator, bits: u32, right: &Operand, approximate: bool) -> Operations {
    let wide = bits > 32;
    match operator {
        Operator::FDiv if bits == 64 => Operations { special: 1, ..Operations::fp64(8) },
        // In single precision, by the reciprocal's approximation.
        Operator::FDiv if bits == 16 => functions::FAST.plus(functions::TO_SINGLE_AND_BACK),
        Operator::FDiv if approximate => functions::FAST,
        Operator::FDiv => Operations { special: 1, fp32: 4, int32: 7, ..Operations::NONE },
        Operator::FRem => Operations { special: 2, fp32: 22, int32: 49, ..Operations::NONE },
        Operator::And | Operator::Or | Operator::Xor if bits == 1 => Operations::NONE,
        Operator::Mul if wide => Operations::int32(4),
        Operator::UDiv | Operator::URem | Operator::SDiv | Operator::SRem => {
            let whole = match (operator, right) {
                (_, Operand::Integer(divisor)) if divisor.unsigned_abs().is_power_of_two() => Operations::int32(1),
                // A product with the reciprocal.
                (_, Operand::Integer(_)) => Operations::int32(4),
                (Operator::UDiv | Operator::URem, _) => Operations { special: 1, ..Operations::int32(16) },
                _ => Operations { special: 1, ..Operations::int32(20) },
            };
            whole.times(if wide { 4 } else { 1 })
        }
        _ => Operations::int32(if wide { 2 } else { 1 }),
    }
}

fn conversion(from: &Typed, to: &Type, maker: Maker) -> Operations {
    let count = to.elements();
    match (from.of.float_bits(), to.float_bits(), maker) {
        (Some(64), ..) | (_, Some(64), _) => Operations::fp64(count),
        // A sum with 0 whose result is single, one for each number; a pair is packed by one operation.
        (Some(16), Some(32), _) => Operations::fp16(count),
        (Some(32), Some(16), _) => Operations::elementwise(to),
        (.., Maker::Nvidia) => Operations::special(count),
        (.., Maker::Other) => Operations::fp32(count),
    }
}

/// A function that converts; one between types without 16-bit floating-point numbers is part of what uses its value.
fn converted(returns: &Type, arguments: &[Typed], maker: Maker) -> Operations {
    let [from] = arguments else { return Operations::NONE };
    let is_half = [&from.of, returns].iter().any(|of| of.float_bits() == Some(16));
    if is_half { conversion(from, returns, maker) } else { Operations::NONE }
}

fn call(name: &str, returns: &Type, arguments: &[Typed], maker: Maker) -> Operations {
    let named = function(name);
    match named.does {
        Function::Least { .. } | Function::Greatest { .. } if returns.is_float() => functions::extreme(returns, maker),
        Function::Least { .. } | Function::Greatest { .. } | Function::Product | Function::Absolute { .. } => {
            if returns.is_float() {
                Operations::NONE
            } else {
                Operations::int32(words(returns)).times(returns.elements())
            }
        }
        Function::Reduce(_) => {
            let elements = arguments.first().map_or(1, |vector| vector.of.elements());
            Operations::int32(words(returns)).times(elements.saturating_sub(1))
        }
        Function::Computes => functions::price(name, named.name, returns, arguments, maker),
        Function::LoadVector if name.contains("_half") => Operations::fp16(returns.elements()),
        Function::StoreVector if name.contains("_half") => {
            let pairs = arguments.first().map_or(1, |value| value.of.elements().div_ceil(2));
            Operations::fp16(pairs)
        }
        Function::Convert => converted(returns, arguments, maker),
        Function::Rounded => arguments.first().map_or(Operations::NONE, |from| conversion(from, returns, maker)),
        Function::Amd(Amd::OfLane { .. }) => Operations::int32(1),
        _ => Operations::NONE,
    }
}
