//! Neighbours that the back end joins.

use super::effects::{Accessed, Effect};
use super::plan::{BackEnd, Candidate, Joined, KnownSums, Reached, WIDEST};

/// The most chains that are open at once; the oldest one ends before another begins.
const MOST_OPEN: usize = 64;

/// The most accesses of a chain, and the most others that are remembered beside it.
const MOST_MEMBERS: usize = 64;
const MOST_BESIDE: usize = 256;

/// The most accesses of one instruction: each has a byte.
const MOST_JOINED: usize = 16;

/// A chain that others may still join.
struct Open {
    members: Vec<Candidate>,
    /// Accesses since the first member that have its address but for a constant.
    beside: Vec<Reached>,
}

/// The loads, and the stores, of a block that may stand at one place: each with one address but for a constant, and with
/// elements of one size.
pub(super) fn chains(effects: &[(usize, Effect)], sums: &KnownSums) -> Vec<Vec<Candidate>> {
    let mut chains = Vec::new();
    chain(effects.iter(), true, sums, &mut chains);
    // Stores go down: the last one is the first of its chain.
    chain(effects.iter().rev(), false, sums, &mut chains);
    chains.retain(|chain| chain.len() > 1);
    chains
}

fn chain<'e>(
    effects: impl Iterator<Item = &'e (usize, Effect)>,
    loads: bool,
    sums: &KnownSums,
    chains: &mut Vec<Vec<Candidate>>,
) {
    let mut open: Vec<Open> = Vec::new();
    for (position, effect) in effects {
        let Effect::Access { is_load, reached, of } = effect else {
            chains.extend(open.drain(..).map(|open| open.members));
            continue;
        };
        let candidate =
            reached.filter(|_| *is_load == loads).and_then(|reached| candidate(*position, *is_load, reached, of));
        // Loads pass each other; stores pass nothing.
        if !(*is_load && loads) {
            let is_ended = |open: &mut Open| {
                let first = &open.members[0].reached;
                match reached {
                    Some(reached) if reached.is_beside(first) => {
                        open.beside.push(*reached);
                        false
                    }
                    _ => sums.may_meet(reached.as_ref(), Some(first)),
                }
            };
            chains.extend(open.extract_if(.., is_ended).map(|open| open.members));
        }
        let Some(candidate) = candidate else { continue };
        let is_of = |open: &&mut Open| {
            let first = &open.members[0];
            first.reached.is_beside(&candidate.reached) && first.element == candidate.element
        };
        if let Some(chain) = open.iter_mut().find(is_of) {
            let own = usize::from(!loads);
            let others = &chain.beside[..chain.beside.len().saturating_sub(own)];
            let has_room = chain.members.len() < MOST_MEMBERS && chain.beside.len() < MOST_BESIDE;
            if has_room && others.iter().all(|other| other.is_apart(&candidate.reached)) {
                chain.members.push(candidate);
            } else {
                let ended = std::mem::replace(chain, Open { members: vec![candidate], beside: Vec::new() });
                chains.push(ended.members);
            }
        } else {
            if open.len() == MOST_OPEN {
                chains.push(open.remove(0).members);
            }
            open.push(Open { members: vec![candidate], beside: Vec::new() });
        }
    }
    chains.extend(open.into_iter().map(|open| open.members));
}

/// The candidate that an access is; `None` if it must happen as it is, or is too wide.
pub(super) fn candidate(position: usize, is_load: bool, reached: Reached, of: &Accessed) -> Option<Candidate> {
    let is_wide = !of.bytes.is_power_of_two() || of.bytes > WIDEST / 2;
    (of.is_plain && !is_wide).then_some(Candidate {
        position,
        reached,
        is_load,
        is_local: of.is_local,
        element: of.element,
        align: of.align,
    })
}

/// The instructions that a chain becomes: from each member on, the widest that its alignment allows.
pub(super) fn neighbours(chain: &[Candidate], back_end: BackEnd) -> Vec<Joined> {
    let mut sorted = chain.to_vec();
    sorted.sort_by_key(|one| (one.reached.offset, one.position));
    let mut joined = Vec::new();
    let mut rest = &sorted[..];
    while let Some(first) = rest.first() {
        let taken =
            (2..=rest.len().min(MOST_JOINED)).rev().find(|taken| is_one(&rest[..*taken], first, back_end)).unwrap_or(1);
        if taken > 1 {
            let bytes = rest[..taken].iter().map(|one| one.reached.bytes).sum();
            joined.push(Joined::of(&rest[..taken], 0, bytes));
        }
        rest = &rest[taken..];
    }
    joined
}

/// True if sorted accesses can be one instruction.
fn is_one(members: &[Candidate], first: &Candidate, back_end: BackEnd) -> bool {
    let is_contiguous = |pair: &[Candidate]| pair[0].reached.end() == pair[1].reached.offset;
    let bytes = members.iter().map(|one| one.reached.bytes).sum::<u64>();
    let is_width = bytes.is_power_of_two() || back_end == BackEnd::Amd && bytes == 12 && !first.is_local;
    is_width && back_end.joins(bytes, first.align, first.is_local) && members.windows(2).all(is_contiguous)
}

impl Joined {
    /// One instruction that begins some bytes before the first of these accesses, which are sorted by their addresses.
    pub(super) fn of(members: &[Candidate], before: u64, bytes: u64) -> Self {
        let positions = || members.iter().map(|one| one.position);
        let is_load = members.first().is_some_and(|one| one.is_load);
        let stands_at = if is_load { positions().min() } else { positions().max() };
        Self { members: positions().collect(), bytes, before, stands_at: stands_at.unwrap_or(0) }
    }
}
