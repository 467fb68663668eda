//! The statements that each warp runs: the turns of phases, runs in order, barriers and loops.

use super::block::Block;
use super::order;
use super::servers::{Servers, TICKS_PER_CYCLE, ticks};
use super::work::Work;
use crate::lowering::exact::Exact;
use crate::lowering::stop::{LoweringProblem, LoweringStop};
use autotune_machine::machine::{BarrierScope, LONGEST, Server, Statement};

/// Cycles from the last arrival at a barrier until all warps go on.
const BARRIER_CYCLES: u64 = 20;

/// The most turns of a phase, however long the phase is.
pub(super) const MOST_TURNS: u64 = 4;

/// The loop with a barrier around a phase, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    Loop,
}

impl Servers<'_> {
    /// The statements that each warp runs.
    pub(in crate::lowering) fn body(&self, blocks: &[Block]) -> Result<Vec<Statement>, LoweringStop> {
        self.statements(blocks, Around::Nothing)
    }

    fn statements(&self, blocks: &[Block], around: Around) -> Result<Vec<Statement>, LoweringStop> {
        let mut body = Vec::with_capacity(Server::ALL.len() * blocks.len());
        for block in blocks {
            match block {
                Block::Phase(work) => {
                    self.phase(&mut body, work, around)
                        .ok_or(LoweringStop::At(work.place, LoweringProblem::TooMuch))?;
                }
                Block::Ordered(runs) => {
                    body.extend(order::steps(self, runs)?.into_iter().map(|step| step.statement));
                }
                Block::Barrier(_, BarrierScope::Group) => {
                    body.push(Statement::barrier(BARRIER_CYCLES * TICKS_PER_CYCLE));
                }
                Block::Barrier(place, BarrierScope::Grid) => {
                    let cost = ticks(self.rates.grid_barrier).ceil();
                    let cost = cost.ok_or(LoweringStop::At(*place, LoweringProblem::TooMuch))?;
                    body.push(Statement::barrier_of_grid(cost));
                }
                Block::Loop { count, body: inner } => {
                    body.push(Statement::Loop { count: *count, body: self.statements(inner, Around::Loop)? });
                }
            }
        }
        Ok(body)
    }

    /// Adds the turns of a phase, each an equal share of its work; `None` if a number does not fit.
    fn phase(&self, body: &mut Vec<Statement>, work: &Work, around: Around) -> Option<()> {
        let turns = if work.loads {
            work.round_trips.ceil()?.clamp(1, MOST_TURNS)
        } else if around == Around::Loop && work.local_accesses.is_positive() {
            MOST_TURNS
        } else {
            1
        };
        let share = Exact::ratio(1, turns);
        let mut latency = ticks(self.latency(work) * share).ceil()?;
        let begin = body.len();
        for server in Self::order(work) {
            let occupancy = self.occupancy(server, work, share)?;
            if occupancy > 0 {
                let until_done = occupancy.checked_add(latency).filter(|ticks| *ticks <= LONGEST)?;
                body.push(Statement::Use { server, occupancy, latency: until_done });
                latency = 0;
            }
        }
        if turns > 1 {
            let turn = body.split_off(begin);
            body.push(Statement::Loop { count: turns, body: turn });
        }
        Some(())
    }
}
