//! The body of one configuration on a real GPU: phases, and the barriers and loops between them.

use super::around::Around;
use super::phase::Servers;
use super::statement::Costing;
use super::stop::{LoweringProblem, Stop};
use super::work::Work;
use crate::lowering::block::Block;
use crate::machine::critical_path;
use crate::spec::{Branch, Statement};

/// The walk over a body for one configuration.
pub(super) struct Walk<'a> {
    pub(super) costing: Costing<'a>,
    pub(super) servers: &'a Servers,
    /// True if the work of each statement is kept beside the sums.
    pub(super) tracing: bool,
    /// The loops and branches around the statements.
    pub(super) around: Around<'a>,
}

impl<'a> Walk<'a> {
    /// The blocks of statements; `divergent` is true inside a branch that splits warps.
    pub(super) fn body(&mut self, statements: &'a [Statement], divergent: bool) -> Result<Vec<Block>, Stop> {
        let mut blocks = Vec::new();
        for statement in statements {
            match statement {
                Statement::Load(access) => join(&mut blocks, self.traced(self.costing.load(access, &self.around)?)),
                Statement::Store(access) => join(&mut blocks, self.traced(self.costing.store(access, &self.around)?)),
                Statement::Local(local) => join(&mut blocks, self.traced(self.costing.local(local)?)),
                Statement::Compute(compute) => join(&mut blocks, self.traced(self.costing.compute(compute)?)),
                Statement::Barrier(place) if divergent => {
                    return Err(Stop::At(*place, LoweringProblem::DivergentBarrier));
                }
                Statement::Barrier(place) => blocks.push(Block::Barrier(*place)),
                Statement::Branch(branch) => append(&mut blocks, self.branch(branch, divergent)?),
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.costing.scope)?.unsigned_abs();
                    if count > 0 {
                        self.around.enter_loop(repeated, count);
                        let body = self.body(&repeated.body, divergent)?;
                        self.around.leave_loop();
                        append(&mut blocks, repeat(count, body));
                    }
                }
            }
        }
        Ok(blocks)
    }

    fn traced(&self, work: Option<Work>) -> Option<Work> {
        let trace = |work: Work| if self.tracing { Work { parts: vec![work.clone()], ..work } } else { work };
        work.map(trace)
    }

    /// The blocks of a branch: of both sides if it splits warps, else of the side that takes longer.
    fn branch(&mut self, branch: &'a Branch, divergent: bool) -> Result<Vec<Block>, Stop> {
        let splits = branch.divergent.holds(self.costing.scope)?;
        self.around.enter_branch();
        let mut then = self.body(&branch.then, divergent || splits)?;
        let otherwise = self.body(&branch.otherwise, divergent || splits)?;
        self.around.leave_branch();
        if splits {
            append(&mut then, otherwise);
            return Ok(then);
        }
        let time = |blocks: &[Block]| self.servers.body(blocks).map(|body| critical_path(&body));
        Ok(if time(&otherwise)? > time(&then)? { otherwise } else { then })
    }
}

/// Repeats blocks. A loop without a barrier dissolves into its phase, a loop of count 1 into its body.
pub(super) fn repeat(count: u64, mut body: Vec<Block>) -> Vec<Block> {
    match body.as_mut_slice() {
        [] => body,
        [Block::Phase(work)] => {
            work.repeat(count);
            body
        }
        _ if count == 1 => body,
        _ => vec![Block::Loop { count, body }],
    }
}

pub(super) fn append(blocks: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match block {
            Block::Phase(work) => join(blocks, Some(*work)),
            other => blocks.push(other),
        }
    }
}

/// Adds work to the phase that the blocks end with.
pub(super) fn join(blocks: &mut Vec<Block>, work: Option<Work>) {
    match (blocks.last_mut(), work) {
        (Some(Block::Phase(phase)), Some(work)) => **phase += work,
        (_, Some(work)) => blocks.push(Block::Phase(Box::new(work))),
        (_, None) => {}
    }
}
