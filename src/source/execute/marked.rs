//! The conditions and iterations of a kernel that have marks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::flow::Flow;
use super::super::ir::{BlockId, IrFunction, Kind, Operator, Type, ValueId};
use super::super::marks::{CountedLoop, Mark};

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
    /// The blocks where iterations of a loop begin, and the heads of the loop.
    pub(super) bodies: BTreeMap<CountedLoop, Vec<(BlockId, Option<BlockId>)>>,
    /// The iterations that have begun in front of a loop, where the compiler has moved the beginning of the first.
    pub(super) before: BTreeMap<CountedLoop, u64>,
}

impl<'a> Told<'a> {
    pub(super) fn new(kernel: &'a IrFunction, flow: &Flow) -> Self {
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
        for (block, all) in &kernel.marks.iterations {
            let heads = (0..kernel.blocks.len()).filter_map(|head| Some(BlockId(u32::try_from(head).ok()?)));
            let around = heads.filter(|head| flow.is_in(*head, *block));
            let head = around.min_by_key(|head| flow.body(*head).count());
            for counted in all {
                told.bodies.entry(*counted).or_default().push((*block, head));
            }
        }
        for bodies in told.bodies.values_mut() {
            let heads: Vec<BlockId> = bodies.iter().filter_map(|(_, head)| *head).collect();
            // A beginning in a loop around the others is that of an iteration in front of their loop.
            let is_around = |head: BlockId| heads.iter().any(|other| *other != head && flow.is_in(head, *other));
            for (_, head) in bodies {
                *head = head.filter(|head| !is_around(*head));
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
