//! Words of local memory that NVIDIA's assembler joins: it lays out the arrays itself, so it knows where each begins.
//!
//! The rules are those of `ptxas` 12.8 for compute capabilities 6.0 to 9.0, read off its machine code: of the four words of
//! 16 aligned bytes, three are loaded as all four, two that are aligned are one access, and a store needs all words.

use std::collections::HashMap;

use super::chains::candidate;
use super::effects::Effect;
use super::plan::{BlockJoins, Candidate, Joined, KnownSums, LOCAL, WIDEST, WORD};
use crate::source::ir::{Global, IrModule};
use crate::source::sums::Base;

/// The greatest powers of two, up to 16, that divide the addresses of the sums of local arrays without their constants.
pub(super) type Layout = HashMap<u32, u64>;

/// Lays out the kernel's local arrays one behind the other, in the module's order; those whose size is given at launch come
/// last.
pub(super) fn layout(module: &IrModule, sums: &KnownSums) -> Layout {
    let is_used =
        |name: &str| sums.of_number.iter().any(|facts| matches!(&facts.base, Base::Variable(base) if **base == *name));
    let is_local = |(name, global): &(&std::sync::Arc<str>, &Global)| global.space == LOCAL && is_used(name);
    let mut arrays: Vec<_> = module.globals.iter().filter(is_local).collect();
    arrays.sort_by_key(|(_, global)| (global.is_given_at_launch, global.position));
    let mut begins = HashMap::new();
    let mut end = 0_u64;
    for (name, global) in arrays {
        let begin = end.next_multiple_of(global.align.max(1));
        begins.insert(name, begin);
        end = if global.is_given_at_launch { end } else { begin.saturating_add(module.size(&global.of)) };
    }
    let aligned = (0..).zip(&sums.of_number).filter_map(|(number, facts)| {
        let Base::Variable(name) = &facts.base else { return None };
        let begin = begins.get(name)?;
        let of_array = if *begin == 0 { WIDEST } else { 1 << begin.trailing_zeros() };
        Some((number, of_array.min(facts.divisor).min(WIDEST)))
    });
    aligned.collect()
}

/// The words of local memory of a block that become one access, of the accesses that nothing has joined yet.
pub(super) fn words(effects: &[(usize, Effect)], block: &BlockJoins, layout: &Layout) -> Vec<Joined> {
    let mut joined = Vec::new();
    let mut open: Vec<Candidate> = Vec::new();
    for (position, effect) in effects {
        let Effect::Access { is_load, reached, of } = effect else {
            end(&mut open, layout, &mut joined);
            continue;
        };
        let candidate = reached.and_then(|reached| candidate(*position, *is_load, reached, of));
        let candidate =
            candidate.filter(|one| one.is_local && one.element >= WORD && block.joined_with(*position).is_none());
        if !of.is_local {
            continue;
        }
        let goes_on = open.last().is_none_or(|last| {
            last.is_load == *is_load && (*is_load || candidate.is_some_and(|one| one.reached.is_beside(&last.reached)))
        });
        if !goes_on {
            end(&mut open, layout, &mut joined);
        }
        open.extend(candidate);
    }
    end(&mut open, layout, &mut joined);
    joined
}

/// Joins the words of a stretch without a fence, or a load and a store, between them.
fn end(open: &mut Vec<Candidate>, layout: &Layout, joined: &mut Vec<Joined>) {
    open.sort_by_key(|one| (one.reached.sum, one.reached.offset, one.position));
    for of_sum in open.chunk_by(|one, next| one.reached.sum == next.reached.sum) {
        let Some(first) = of_sum.first() else { continue };
        let stated = of_sum.iter().max_by_key(|one| one.align).map_or((1, 0), |one| (one.align, one.reached.offset));
        let laid_out = layout.get(&first.reached.sum).map_or((1, 0), |align| (*align, 0));
        let (align, phase) = if laid_out.0 >= stated.0.min(WIDEST) { laid_out } else { stated };
        let window = |one: &Candidate| (one.reached.offset - phase).div_euclid(WIDEST.cast_signed());
        if align >= WIDEST {
            for words in of_sum.chunk_by(|one, next| window(one) == window(next)) {
                of_window(words, phase + 16 * window(&words[0]), joined);
            }
        } else if align >= 2 * WORD {
            pairs(of_sum, phase, joined);
        }
    }
    open.clear();
}

/// Joins the words of 16 aligned bytes.
fn of_window(words: &[Candidate], begin: i64, joined: &mut Vec<Joined>) {
    let are_different = words.windows(2).all(|pair| pair[0].reached.is_apart(&pair[1].reached));
    let bytes: u64 = words.iter().map(|one| one.reached.bytes).sum();
    let least = if words[0].is_load { 3 * WORD } else { WIDEST };
    if words.len() > 1 && are_different && bytes >= least {
        let before = words[0].reached.offset.abs_diff(begin);
        joined.push(Joined::of(words, before, WIDEST));
    } else {
        pairs(words, begin, joined);
    }
}

/// Joins two words that lie in 8 aligned bytes.
fn pairs(words: &[Candidate], phase: i64, joined: &mut Vec<Joined>) {
    let mut rest = words;
    while let [first, next, ..] = rest {
        let is_pair = first.reached.bytes == WORD
            && next.reached.bytes == WORD
            && next.reached.offset == first.reached.offset + 4
            && (first.reached.offset - phase).rem_euclid(8) == 0;
        if is_pair {
            joined.push(Joined::of(&rest[..2], 0, 2 * WORD));
        }
        rest = &rest[1 + usize::from(is_pair)..];
    }
}
