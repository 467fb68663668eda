//! Values that are live: defined, and used later.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use super::super::execute::operands;
use super::super::ir::{IrFunction, Kind, Operand, ValueId};
use autotune_base::limits::watch::{Phase, look};

/// The greatest size of the sets in bits; a kernel that needs more is larger than any that GPUs run.
const MOST_BITS: usize = 1 << 31;

/// Calls `visit` with the values that are live behind each instruction of a kernel's blocks, one change after the other:
/// `Change::Begin` at a block's end, then backwards. `root` is the value in whose registers another one is.
///
/// Returns false, without a call, if the kernel is too large.
pub(super) fn walk(kernel: &IrFunction, root: &dyn Fn(ValueId) -> ValueId, visit: &mut dyn FnMut(Change<'_>)) -> bool {
    let across = Across::new(kernel, root);
    if across.names.len().saturating_mul(kernel.blocks.len()) > MOST_BITS {
        return false;
    }
    let leaving = across.leaving(kernel, root);
    let mut live = FixedBitSet::with_capacity(kernel.values);
    for (block, leaving) in kernel.blocks.iter().zip(&leaving) {
        visit(Change::Begin);
        live.clear();
        for name in leaving.ones() {
            live.insert(across.names[name].index());
            visit(Change::Starts(across.names[name]));
        }
        for instruction in block.instructions.iter().rev() {
            look(Phase::Registers);
            visit(Change::Point);
            visit(Change::Crosses(&instruction.kind));
            if matches!(instruction.kind, Kind::Phi(..)) {
                continue;
            }
            if let Some(result) = instruction.result.map(root)
                && live.contains(result.index())
                && instruction.result == Some(result)
            {
                live.remove(result.index());
                visit(Change::Ends(result));
            }
            for operand in operands(&instruction.kind).map(root) {
                if !live.put(operand.index()) {
                    visit(Change::Starts(operand));
                }
            }
        }
        visit(Change::Point);
    }
    true
}

/// A step of a walk backwards through a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'k> {
    /// A block's end, where nothing is live yet.
    Begin,
    /// The value is live from here on, backwards.
    Starts(ValueId),
    /// The value is defined here.
    Ends(ValueId),
    /// A point between two instructions.
    Point,
    /// An instruction is crossed, before the values change that it defines and uses.
    Crosses(&'k Kind),
}

/// The values that are live across blocks' ends.
struct Across {
    names: Vec<ValueId>,
    numbers: HashMap<ValueId, usize>,
}

impl Across {
    fn new(kernel: &IrFunction, root: &dyn Fn(ValueId) -> ValueId) -> Self {
        let mut home = vec![usize::MAX; kernel.values];
        for (number, block) in kernel.blocks.iter().enumerate() {
            block
                .instructions
                .iter()
                .filter_map(|instruction| instruction.result)
                .for_each(|result| home[result.index()] = number);
        }
        let mut across = Self { names: Vec::new(), numbers: HashMap::new() };
        for (number, block) in kernel.blocks.iter().enumerate() {
            for instruction in &block.instructions {
                look(Phase::Registers);
                match &instruction.kind {
                    Kind::Phi(_, sources) => {
                        across.add(instruction.result);
                        for (_, operand) in sources {
                            across.add(value(operand).map(root));
                        }
                    }
                    kind => operands(kind)
                        .map(root)
                        .filter(|operand| home[operand.index()] != number)
                        .for_each(|operand| across.add(Some(operand))),
                }
            }
        }
        across
    }

    fn add(&mut self, value: Option<ValueId>) {
        let Some(value) = value else { return };
        let next = self.names.len();
        if *self.numbers.entry(value).or_insert(next) == next {
            self.names.push(value);
        }
    }

    /// The values that are live at each block's end, those that the next blocks' phis take included.
    fn leaving(&self, kernel: &IrFunction, root: &dyn Fn(ValueId) -> ValueId) -> Vec<FixedBitSet> {
        let empty = || vec![FixedBitSet::with_capacity(self.names.len()); kernel.blocks.len()];
        let (mut used, mut defined, mut leaving) = (empty(), empty(), empty());
        for (number, block) in kernel.blocks.iter().enumerate() {
            for instruction in &block.instructions {
                if let Kind::Phi(_, sources) = &instruction.kind {
                    for (from, operand) in sources {
                        let taken = value(operand).and_then(|value| self.numbers.get(&root(value)));
                        if let (Some(taken), Some(leaving)) = (taken, leaving.get_mut(from.index())) {
                            leaving.insert(*taken);
                        }
                    }
                } else {
                    for operand in operands(&instruction.kind) {
                        match self.numbers.get(&root(operand)) {
                            Some(name) if !defined[number].contains(*name) => used[number].insert(*name),
                            _ => {}
                        }
                    }
                }
                if let Some(name) = instruction.result.and_then(|result| self.numbers.get(&result)) {
                    defined[number].insert(*name);
                }
            }
        }
        self.spread(kernel, &used, &defined, &mut leaving);
        leaving
    }

    /// Adds to what leaves a block what its successors need, until nothing changes.
    fn spread(&self, kernel: &IrFunction, used: &[FixedBitSet], defined: &[FixedBitSet], leaving: &mut [FixedBitSet]) {
        let mut before = vec![Vec::new(); kernel.blocks.len()];
        for (number, block) in kernel.blocks.iter().enumerate() {
            let after = block.instructions.last().map_or_else(Vec::new, |last| last.kind.successors());
            for after in after {
                before[after.index()].push(number);
            }
        }
        let mut entering = vec![FixedBitSet::with_capacity(self.names.len()); kernel.blocks.len()];
        let mut open: Vec<usize> = (0..kernel.blocks.len()).collect();
        let mut is_open = vec![true; kernel.blocks.len()];
        while let Some(number) = open.pop() {
            look(Phase::Registers);
            is_open[number] = false;
            let mut new = leaving[number].clone();
            new.difference_with(&defined[number]);
            new.union_with(&used[number]);
            if new == entering[number] {
                continue;
            }
            for &from in &before[number] {
                leaving[from].union_with(&new);
                if !std::mem::replace(&mut is_open[from], true) {
                    open.push(from);
                }
            }
            entering[number] = new;
        }
    }
}

fn value(operand: &Operand) -> Option<ValueId> {
    if let Operand::Value(value) = operand { Some(*value) } else { None }
}
