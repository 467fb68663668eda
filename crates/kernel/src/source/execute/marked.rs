//! The conditions and iterations of a kernel that have marks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::ir::{BlockId, IrFunction, Kind, Operator, Type, ValueId};
use super::super::marks::{Begin, CountedLoop, Mark};

/// Knowledge of an execution about marks.
#[derive(Debug, Default)]
pub(super) struct Told<'a> {
    /// The truths that are computed from others; empty without marks on conditions.
    pub(super) truths: HashMap<ValueId, &'a Kind>,
    /// The shares of executions that find marked conditions on data true.
    pub(super) shares: HashMap<ValueId, f64>,
    /// The statements whose truth a condition on data has decided, each with the condition's line.
    pub(super) decided: BTreeSet<(u32, u32)>,
    /// The lines that have a marked condition.
    pub(super) lines: BTreeSet<u32>,
    /// The blocks where a loop or an iteration of it begins: what begins there first.
    pub(super) beginnings: BTreeMap<CountedLoop, BTreeMap<BlockId, Begin>>,
    /// The loops that have been entered.
    pub(super) progress: Progress,
}

/// The progress of loops of the source.
pub(super) type Progress = BTreeMap<CountedLoop, Iterations>;

/// Executions of a loop of the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Iterations {
    /// The number of times that it was entered.
    pub(super) entered: u64,
    /// The iterations that have begun since.
    pub(super) begun: u64,
}

impl<'a> Told<'a> {
    pub(super) fn new(kernel: &'a IrFunction) -> Self {
        let mut told = Self::default();
        for mark in kernel.marks.conditions.values() {
            if let Mark::Condition { line, .. } = mark {
                told.lines.insert(*line);
            }
        }
        if !told.lines.is_empty() {
            let truths = kernel.blocks.iter().flat_map(|block| &block.instructions);
            told.truths =
                truths.filter_map(|one| Some((one.result?, &one.kind))).filter(|(_, kind)| is_truth(kind)).collect();
        }
        for (block, all) in &kernel.marks.beginnings {
            for (counted, begin) in all {
                told.beginnings.entry(*counted).or_default().entry(*block).or_insert(*begin);
            }
        }
        told
    }
}

/// True for an operation whose result is a truth that follows from others.
fn is_truth(kind: &Kind) -> bool {
    let is_bit = |of: &Type| *of == Type::Integer(1);
    match kind {
        Kind::Binary { operator: Operator::And | Operator::Or | Operator::Xor, left, .. } => is_bit(&left.of),
        Kind::Select([_, one, _]) | Kind::Freeze(one) => is_bit(&one.of),
        _ => false,
    }
}
