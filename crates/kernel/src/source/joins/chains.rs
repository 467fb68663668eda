//! Neighbours that the back end joins.

use super::effects::{Accessed, Effect, Form};
use super::plan::{BackEnd, Candidate, Joined, KnownSums, Reached, WIDEST};
use crate::source::ir::{AccessTag, AccessTypes};

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
    /// The types of the accesses since the first member whose addresses may be beside it.
    crossed: Vec<AccessTag>,
}

impl Open {
    fn of(first: Candidate) -> Self {
        Self { members: vec![first], beside: Vec::new(), crossed: Vec::new() }
    }

    /// True if no further access passes the one that reaches this memory as this type; remembers the access if some may.
    fn ends_at(&mut self, reached: Option<&Reached>, tag: Option<AccessTag>, sums: &KnownSums) -> bool {
        let first = &self.members[0];
        if let Some(reached) = reached.filter(|reached| reached.is_beside(&first.reached)) {
            self.beside.push(*reached);
            return false;
        }
        if !sums.may_meet(reached, Some(&first.reached)) {
            return false;
        }
        // The first member stays: the type matters to those that pass this access to stand beside it.
        self.crossed.extend(tag);
        tag.is_none() || self.crossed.len() > MOST_BESIDE
    }

    /// True if the candidate passes all accesses since the first member, and there is room.
    fn has_place_for(&self, candidate: &Candidate, types: &AccessTypes) -> bool {
        // The last access beside a store is the store itself.
        let own = usize::from(!candidate.is_load);
        let others = &self.beside[..self.beside.len().saturating_sub(own)];
        self.members.len() < MOST_MEMBERS
            && self.beside.len() < MOST_BESIDE
            && others.iter().all(|other| other.is_apart(&candidate.reached))
            && self.crossed.iter().all(|crossed| !types.may_meet(Some(*crossed), candidate.tag))
    }
}

/// The loads, and the stores, of a block that may stand at one place: each with one address but for a constant, and with
/// elements of one size.
pub(super) fn chains(effects: &[(usize, Effect)], known: (&KnownSums, &AccessTypes)) -> Vec<Vec<Candidate>> {
    let mut chains = Vec::new();
    chain(effects.iter(), true, known, &mut chains);
    // Stores go down: the last one is the first of its chain.
    chain(effects.iter().rev(), false, known, &mut chains);
    chains.retain(|chain| chain.len() > 1);
    chains
}

fn chain<'e>(
    effects: impl Iterator<Item = &'e (usize, Effect)>,
    loads: bool,
    known: (&KnownSums, &AccessTypes),
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
        // LLVM does not take it for granted that a volatile store returns.
        let is_fence = !is_load && of.form == Form::Volatile;
        // Loads pass each other; stores pass nothing.
        if !(*is_load && loads) {
            let ended = open.extract_if(.., |open| is_fence || open.ends_at(reached.as_ref(), of.tag, known.0));
            chains.extend(ended.map(|open| open.members));
        }
        let Some(candidate) = candidate else { continue };
        let is_of = |open: &&mut Open| {
            let first = &open.members[0];
            first.reached.is_beside(&candidate.reached) && first.element == candidate.element
        };
        if let Some(chain) = open.iter_mut().find(is_of) {
            if chain.has_place_for(&candidate, known.1) {
                chain.members.push(candidate);
            } else {
                chains.push(std::mem::replace(chain, Open::of(candidate)).members);
            }
        } else {
            if open.len() == MOST_OPEN {
                chains.push(open.remove(0).members);
            }
            open.push(Open::of(candidate));
        }
    }
    chains.extend(open.into_iter().map(|open| open.members));
}

/// The candidate that an access is; `None` if it must happen as it is, or is too wide.
pub(super) fn candidate(position: usize, is_load: bool, reached: Reached, of: &Accessed) -> Option<Candidate> {
    let is_wide = !of.bytes.is_power_of_two() || of.bytes > WIDEST / 2;
    (of.form == Form::Plain && !is_wide).then_some(Candidate {
        position,
        reached,
        is_load,
        is_local: of.is_local,
        element: of.element,
        align: of.align,
        tag: of.tag,
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
