//! Blocks that a part of the groups executes, as a part of what each group does.

use crate::lowering::exact::Exact;
use crate::lowering::phases::block::{Block, append, repeat};
use crate::lowering::phases::work::Work;

/// The barriers of one place so far: as many stay as the mean has, rounded.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The barriers that a group meets in the mean.
    met: Exact,
    /// The barriers that were kept.
    kept: Exact,
}

impl Parts {
    /// The blocks that stand for a part of the groups, at most all: phases with that part of their work, loops with that
    /// part of their iterations.
    pub(super) fn part(&mut self, blocks: Vec<Block>, part: Exact) -> Vec<Block> {
        if part >= Exact::ONE {
            return blocks;
        }
        let mut parts = Vec::new();
        for mut block in blocks {
            match block {
                Block::Phase(_) | Block::Ordered(_) => {
                    block.scale(part);
                    // A part of a part of a part would have ever longer fractions.
                    block.works().for_each(Work::shorten);
                    append(&mut parts, vec![block]);
                }
                Block::Barrier(..) => {
                    if self.keeps_barrier(part) {
                        parts.push(block);
                    }
                }
                Block::Loop { count, body } => {
                    let iterations = Exact::from(count) * part;
                    let whole = iterations.floor().unwrap_or(0);
                    let rest = self.part(body.clone(), iterations.saturating_sub(Exact::from(whole)));
                    if whole > 0 {
                        append(&mut parts, repeat(whole, body));
                    }
                    append(&mut parts, rest);
                }
            }
        }
        parts
    }

    /// True if a barrier stays that a part of the groups meets.
    fn keeps_barrier(&mut self, part: Exact) -> bool {
        self.met += part;
        let keeps = self.met >= self.kept + Exact::ratio(1, 2);
        if keeps {
            self.kept += Exact::ONE;
        }
        keeps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_base::text::Place;

    fn barriers(blocks: &[Block]) -> u64 {
        let of = |block: &Block| match block {
            Block::Phase(_) | Block::Ordered(_) => 0,
            Block::Barrier(..) => 1,
            Block::Loop { count, body } => count * barriers(body),
        };
        blocks.iter().map(of).sum()
    }

    #[test]
    fn as_many_barriers_stay_as_the_mean_has() {
        let one = || vec![Block::barrier(Place::default(), false)];
        let of = |shares: &[[u64; 2]]| {
            let mut parts = Parts::default();
            shares.iter().map(|[part, all]| barriers(&parts.part(one(), Exact::ratio(*part, *all)))).sum::<u64>()
        };
        assert_eq!(of(&[[1, 4]]), 0);
        assert_eq!(of(&[[3, 4]]), 1);
        assert_eq!(of(&[[1, 2], [1, 2]]), 1, "both sides of a branch have one");
        assert_eq!(of(&[[1, 4]; 4]), 1);
        assert_eq!(of(&[[3, 4]; 4]), 3);
    }

    #[test]
    fn loops_keep_a_part_of_their_iterations() {
        let repeated = vec![Block::Loop { count: 10, body: vec![Block::barrier(Place::default(), false)] }];
        let kept = |part, all| barriers(&Parts::default().part(repeated.clone(), Exact::ratio(part, all)));
        assert_eq!([kept(1, 2), kept(1, 4), kept(9, 10), kept(1, 1), kept(1, 100)], [5, 3, 9, 10, 0]);
    }
}
