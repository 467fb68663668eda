//! The loads and stores that a compiler's back end makes of a kernel's: neighbours that it joins, and wide ones that it splits.
//!
//! The conditions are those of LLVM's load-store vectoriser: neighbours of one block, a constant distance apart, an alignment
//! that the compiler knows, no access between that may reach the same memory, and no fence. NVIDIA's assembler joins words of
//! local memory beyond that, because it lays out the arrays itself.

mod assembler;
mod chains;
mod effects;
mod plan;

use super::ir::{BlockId, IrModule};
use chains::{chains, neighbours};
use effects::{Effect, Form, Reader};
use plan::BackEnd;
pub use plan::{BlockJoins, Joined, Reached};

/// The joined and split accesses of a kernel.
#[derive(Debug, Clone)]
pub struct Joins(Vec<BlockJoins>);

impl Joins {
    /// Finds what the target's back end joins and splits.
    #[must_use]
    pub fn new(module: &IrModule) -> Self {
        let back_end = BackEnd::of(module);
        let mut reader = Reader::new(module);
        let blocks: Vec<_> = module.kernel.blocks.iter().map(|block| reader.block(block)).collect();
        let layout = (back_end == BackEnd::Nvidia).then(|| assembler::layout(module, &reader.sums));
        let of_block = |effects: Vec<(usize, Effect)>| {
            let mut block = BlockJoins::default();
            for (position, effect) in &effects {
                block.note(*position, effect, back_end);
            }
            for chain in chains(&effects, (&reader.sums, &module.kernel.accessed)) {
                for joined in neighbours(&chain, back_end) {
                    block.join(joined);
                }
            }
            for joined in
                layout.iter().flat_map(|layout| assembler::words(&effects, &block, layout)).collect::<Vec<_>>()
            {
                block.join(joined);
            }
            block
        };
        Self(blocks.into_iter().map(of_block).collect())
    }

    /// The accesses of a block.
    #[must_use]
    pub fn block(&self, block: BlockId) -> &BlockJoins {
        &self.0[block.index()]
    }
}

impl BlockJoins {
    fn note(&mut self, position: usize, effect: &Effect, back_end: BackEnd) {
        match effect {
            Effect::Fence => self.fences.push(position),
            Effect::Access { reached, of, .. } => {
                if let Some(reached) = reached.filter(|_| matches!(of.form, Form::Plain | Form::Vector)) {
                    self.reached.insert(position, reached);
                }
                let widest = back_end.widest(of.align, of.is_local);
                if widest < of.bytes {
                    self.widest.insert(position, widest);
                }
            }
        }
    }

    fn join(&mut self, joined: Joined) {
        for position in &joined.members {
            self.numbers.insert(*position, self.joined.len());
        }
        self.joined.push(joined);
    }
}

#[cfg(test)]
mod tests;
