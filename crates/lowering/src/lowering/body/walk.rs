//! The body of one configuration on a real GPU: phases, and the barriers and loops between them.

use std::borrow::Cow;

use super::around::Around;
use super::queued::queue;
use super::shared::{Shared, SharedBlocks};
use super::statement::Costing;
use crate::lowering::phases::block::{Block, append, append_shared, join, join_in_order, repeat, settle};
use crate::lowering::phases::run::{Run, RunKind};
use crate::lowering::phases::servers::Servers;
use crate::lowering::phases::work::Work;
use crate::lowering::stop::{LoweringProblem, LoweringStop};
use crate::spec::{Branch, Direction, Statement};
use autotune_machine::machine::critical_path;

/// The walk over a body for one configuration.
pub(in crate::lowering) struct Walk<'a> {
    pub(in crate::lowering) costing: Costing<'a>,
    pub(in crate::lowering) servers: &'a Servers<'a>,
    /// True if the work of each statement is kept beside the sums.
    pub(in crate::lowering) tracing: bool,
    /// True if statements of the body keep their order.
    pub(in crate::lowering) is_ordered: bool,
    /// The loops and branches around the statements.
    pub(in crate::lowering) around: Around<'a>,
}

impl<'a> Walk<'a> {
    /// The blocks of a whole body. `shared` has what is known of its statements, and is empty if nothing is to be shared;
    /// `all` gets what was not known.
    pub(in crate::lowering) fn blocks(
        mut self,
        body: &'a [Statement],
        shared: Vec<Shared>,
        all: &SharedBlocks,
    ) -> Result<Vec<Block>, LoweringStop> {
        let mut blocks = Vec::new();
        let shared = shared.into_iter().chain(std::iter::repeat_with(|| Shared::No));
        for (statement, shared) in body.iter().zip(shared) {
            match shared {
                Shared::No => self.statement(&mut blocks, statement, false)?,
                Shared::Open(key) => {
                    let mut own = Vec::new();
                    self.statement(&mut own, statement, false)?;
                    all.keep(key, &own);
                    append(&mut blocks, own);
                }
                Shared::Known(own) => append_shared(&mut blocks, &own),
            }
        }
        if self.is_ordered {
            settle(&mut blocks);
        }
        Ok(blocks)
    }

    /// The blocks of statements; `divergent` is true inside a branch that splits warps.
    fn body(&mut self, statements: &'a [Statement], divergent: bool) -> Result<Vec<Block>, LoweringStop> {
        let mut blocks = Vec::new();
        for statement in statements {
            self.statement(&mut blocks, statement, divergent)?;
        }
        Ok(blocks)
    }

    /// Adds the blocks of a statement.
    fn statement(
        &mut self,
        blocks: &mut Vec<Block>,
        statement: &'a Statement,
        divergent: bool,
    ) -> Result<(), LoweringStop> {
        match statement {
            Statement::Load(access) => {
                let kind = RunKind::Load(access.queue.as_ref().map(queue));
                self.join(blocks, kind, self.costing.load(access, &self.around)?);
            }
            Statement::Store(access) => {
                self.join(blocks, RunKind::Store, self.costing.store(access, &self.around)?);
            }
            Statement::Local(local) => {
                let is_store = matches!(local.array, Some((Direction::Write, _))) && local.queue.is_none();
                let kind = if is_store { RunKind::LocalStore } else { RunKind::Local(local.queue.as_ref().map(queue)) };
                self.join(blocks, kind, self.costing.local(local)?);
            }
            Statement::Copy(copy) => {
                for Run { kind, work } in self.costing.copy(copy, &self.around)? {
                    self.join(blocks, kind, Some(work));
                }
            }
            Statement::Wait(wait) => join_in_order(blocks, self.costing.wait(wait)?),
            Statement::Compute(compute) => {
                self.join(blocks, RunKind::Compute, self.costing.compute(compute)?);
            }
            Statement::Matrix(product) => {
                if let Some(Run { kind, work }) = self.costing.matrix(product)? {
                    self.join(blocks, kind, Some(work));
                }
            }
            Statement::Barrier(barrier) if divergent => {
                return Err(LoweringStop::At(barrier.place, LoweringProblem::DivergentBarrier));
            }
            Statement::Barrier(barrier) => blocks.push(Block::barrier(barrier.place, barrier.is_of_grid)),
            Statement::Branch(branch) => append(blocks, self.branch(branch, divergent)?),
            Statement::Loop(repeated) => {
                let count = repeated.count.count(self.costing.scope)?.unsigned_abs();
                if count > 0 {
                    self.around.enter_loop(repeated, count);
                    let body = self.body(&repeated.body, divergent)?;
                    self.around.leave_loop();
                    append(blocks, repeat(count, body));
                }
            }
        }
        Ok(())
    }

    /// Adds the work of a statement.
    fn join(&self, blocks: &mut Vec<Block>, kind: RunKind, work: Option<Work>) {
        let trace = |work: Work| if self.tracing { Work { parts: vec![work.clone()], ..work } } else { work };
        let work = work.map(trace);
        if !self.is_ordered {
            join(blocks, work);
        } else if let Some(work) = work {
            join_in_order(blocks, Run::new(kind, work));
        }
    }

    /// The blocks of a branch: of both sides if it splits warps, else of the side that takes longer.
    fn branch(&mut self, branch: &'a Branch, divergent: bool) -> Result<Vec<Block>, LoweringStop> {
        let splits = branch.divergent.holds(self.costing.scope)?;
        self.around.enter_branch();
        let mut then = self.body(&branch.then, divergent || splits)?;
        let otherwise = self.body(&branch.otherwise, divergent || splits)?;
        self.around.leave_branch();
        if splits {
            append(&mut then, otherwise);
            return Ok(then);
        }
        let time = |blocks: &[Block]| {
            let mut blocks = Cow::Borrowed(blocks);
            if self.is_ordered {
                settle(blocks.to_mut());
            }
            self.servers.body(&blocks).map(|body| critical_path(&body))
        };
        Ok(if time(&otherwise)? > time(&then)? { otherwise } else { then })
    }
}
