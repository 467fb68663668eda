//! The statements of a trace in the order that a warp keeps: starts, waits, and what is computed between them. Costs and
//! bodies are made of it.

use std::ops::Range;

use super::pieces::{Prepared, Round, Run as BlockExecution};
use crate::lowering::phases::run::RunKind;
use autotune_base::text::Place;
use autotune_kernel::source::{BlockId, Fork};

/// A part of a trace whose statements keep their order.
pub(super) enum Ordered<'p> {
    Run(OrderedRun<'p>),
    Barrier {
        place: Place,
        /// True if all groups of the launch wait for each other.
        is_of_grid: bool,
        at: Position,
    },
    /// A loop, with the statements of an iteration.
    Loop(&'p Round, Vec<Self>),
    /// The sides of a branch on data, or what some groups execute, and their shares.
    Sides(Fork, Vec<(f64, Vec<Self>)>),
}

/// An instruction: its block, and its position there.
pub(super) type Position = (BlockId, usize);

/// Neighbouring statements of one kind, or a wait.
pub(super) struct OrderedRun<'p> {
    pub(super) kind: RunKind,
    /// The place of a wait in the source, or of the end of a group of copies.
    pub(super) place: Place,
    /// The instruction that ends the statements, or waits.
    pub(super) at: Position,
    /// True if the statements go on with the start before them; false if they are a start of their own.
    pub(super) joins: bool,
    pub(super) issued: Vec<Issued<'p>>,
}

/// An access, and what a warp computes before it. One of both may be missing.
#[derive(Default)]
pub(super) struct Issued<'p> {
    pub(super) access: Option<Accessed<'p>>,
    pub(super) computed: Vec<Computed<'p>>,
}

/// An access by an execution of a block.
pub(super) struct Accessed<'p> {
    pub(super) of: &'p Prepared,
    pub(super) by: &'p BlockExecution,
    /// True in the first execution of the block's code.
    pub(super) is_new: bool,
}

/// Instructions of an execution of a block that compute.
pub(super) struct Computed<'p> {
    pub(super) by: &'p BlockExecution,
    pub(super) instructions: Range<usize>,
    /// True in the first execution of the block's code.
    pub(super) is_new: bool,
}

/// The kind of the statements that a sequence ends with: `Compute` if a barrier or a loop of several iterations ends it,
/// which no statement goes on with; `None` if it is empty.
pub(super) fn last_kind(sequence: &[Ordered<'_>]) -> Option<RunKind> {
    sequence.iter().rev().find_map(|part| match part {
        Ordered::Run(run) => Some(run.kind),
        Ordered::Barrier { .. } => Some(RunKind::Compute),
        Ordered::Loop(round, body) => last_kind(body).map(|kind| if round.times > 1 { RunKind::Compute } else { kind }),
        Ordered::Sides(_, sides) => sides.iter().rev().find_map(|(_, side)| last_kind(side)),
    })
}
