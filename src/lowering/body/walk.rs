//! The body of one configuration on a real GPU: phases, and the barriers and loops between them.

use super::around::Around;
use super::statement::Costing;
use crate::lowering::phases::block::{Block, append, join, repeat};
use crate::lowering::phases::servers::Servers;
use crate::lowering::phases::work::Work;
use crate::lowering::stop::{LoweringProblem, Stop};
use crate::machine::critical_path;
use crate::spec::{Branch, Statement};

/// The walk over a body for one configuration.
pub(in crate::lowering) struct Walk<'a> {
    pub(in crate::lowering) costing: Costing<'a>,
    pub(in crate::lowering) servers: &'a Servers,
    /// True if the work of each statement is kept beside the sums.
    pub(in crate::lowering) tracing: bool,
    /// The loops and branches around the statements.
    pub(in crate::lowering) around: Around<'a>,
}

impl<'a> Walk<'a> {
    /// The blocks of statements; `divergent` is true inside a branch that splits warps.
    pub(in crate::lowering) fn body(
        &mut self,
        statements: &'a [Statement],
        divergent: bool,
    ) -> Result<Vec<Block>, Stop> {
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
