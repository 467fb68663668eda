//! The work of a whole group by the lines that it comes from.

use std::collections::BTreeMap;

use super::block::Block;
use super::run::Run;
use super::traffic::{Issued, Traffic};
use super::work::Work;
use crate::lowering::exact::Exact;
use crate::lowering::stop::{LoweringProblem, LoweringStop};
use autotune_base::text::SourceLine;

/// The work of a group in one launch that comes from one line: sums over all warps. Registers that spill belong to no line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LineWork {
    /// Instructions, by the unit that they need.
    pub issued: Issued<f64>,
    /// Bytes loaded from global memory.
    pub loaded: Traffic<f64>,
    /// Bytes stored to global memory.
    pub stored: Traffic<f64>,
    /// Passes of local memory.
    pub local_passes: f64,
    /// Accesses of local memory by warps.
    pub local_accesses: f64,
    /// Barriers that a warp meets.
    pub barriers: f64,
}

/// The work of blocks whose statements were kept apart, by line.
pub(in crate::lowering) fn by_line(blocks: &[Block]) -> Result<BTreeMap<SourceLine, LineWork>, LoweringStop> {
    let mut lines = BTreeMap::new();
    add(blocks, Exact::ONE, &mut lines)?;
    Ok(lines)
}

fn add(blocks: &[Block], times: Exact, lines: &mut BTreeMap<SourceLine, LineWork>) -> Result<(), LoweringStop> {
    for block in blocks {
        match block {
            Block::Phase(work) => add_parts(work, times, lines)?,
            Block::Ordered(runs) => {
                for Run { work, .. } in runs {
                    add_parts(work, times, lines)?;
                }
            }
            Block::Barrier(place, _) => {
                let line = lines.entry(place.source_line()).or_default();
                line.barriers += times.to_f64().unwrap_or(f64::INFINITY);
            }
            Block::Loop { count, body } => add(body, times * Exact::from(*count), lines)?,
        }
    }
    Ok(())
}

fn add_parts(work: &Work, times: Exact, lines: &mut BTreeMap<SourceLine, LineWork>) -> Result<(), LoweringStop> {
    for part in &work.parts {
        let line = lines.entry(part.place.source_line()).or_default();
        line.add(part, times).ok_or(LoweringStop::At(part.place, LoweringProblem::TooMuch))?;
    }
    Ok(())
}

impl LineWork {
    /// Adds repetitions of a statement; `None` if a sum is undefined.
    fn add(&mut self, part: &Work, times: Exact) -> Option<()> {
        let mut part = part.clone();
        let more = [part.local_passes, part.local_accesses].into_iter();
        let more = more.chain(part.issued.each().map(|sum| *sum));
        let more = more.chain(part.loaded.each().map(|sum| *sum)).chain(part.stored.each().map(|sum| *sum));
        let sums = [&mut self.local_passes, &mut self.local_accesses].into_iter().chain(self.issued.each());
        for (sum, more) in sums.chain(self.loaded.each()).chain(self.stored.each()).zip(more) {
            *sum += (more * times).to_f64()?;
        }
        Some(())
    }
}
