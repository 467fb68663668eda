//! The proof that no few configurations meet a set of each scenario, as a tree.
//!
//! A node names a scenario: one of the configurations must be in its set. For each member of the set the node has a branch
//! to a node that shows that the others cannot meet what is left. Nodes of equal claims are written once, so a branch leads
//! to a node by its index.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use super::variants::difference;

/// The most nodes and branches of a tree.
pub const MOST_BRANCHES: usize = 1_000_000;

/// A tree, its nodes before those that lead to them; the last one is the root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refutation {
    /// The nodes.
    pub nodes: Vec<RefutationNode>,
}

/// A claim: no `left` configurations meet the sets of this node's scenario and of all nodes below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefutationNode {
    /// The scenario whose set one of the configurations must meet.
    pub scenario: usize,
    /// The number of configurations, from 0.
    pub left: usize,
    /// The members of the scenario's set, each with the node about one configuration less; empty if `left` is 0.
    pub branches: Vec<(usize, usize)>,
}

/// A reason why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrefuted {
    /// As many configurations meet all sets.
    Met,
    /// The tree would have more than [`MOST_BRANCHES`] nodes and branches.
    TooLarge,
}

/// Shows that no `most` configurations meet the sets of all scenarios. `sets` are by scenario.
///
/// # Errors
/// If they do, or the tree would be too large.
pub fn refute(sets: &[Vec<usize>], most: usize) -> Result<Refutation, Unrefuted> {
    let mut refuter = Refuter { sets, reaches: reaches(sets), known: HashMap::new(), nodes: Vec::new(), size: 0 };
    let mut open = FixedBitSet::with_capacity(sets.len());
    open.insert_range(..);
    refuter.refute(&open, most)?;
    Ok(Refutation { nodes: refuter.nodes })
}

/// The scenarios whose sets have a configuration, by configuration.
fn reaches(sets: &[Vec<usize>]) -> HashMap<usize, FixedBitSet> {
    let mut reaches: HashMap<usize, FixedBitSet> = HashMap::new();
    for (scenario, set) in sets.iter().enumerate() {
        for &configuration in set {
            reaches.entry(configuration).or_insert_with(|| FixedBitSet::with_capacity(sets.len())).insert(scenario);
        }
    }
    reaches
}

struct Refuter<'a> {
    sets: &'a [Vec<usize>],
    reaches: HashMap<usize, FixedBitSet>,
    /// The node of a claim: the scenarios that are not met, and the number of configurations.
    known: HashMap<(FixedBitSet, usize), usize>,
    nodes: Vec<RefutationNode>,
    size: usize,
}

impl Refuter<'_> {
    /// The node that shows that no `left` configurations meet the open scenarios.
    fn refute(&mut self, open: &FixedBitSet, left: usize) -> Result<usize, Unrefuted> {
        let scenario = open.ones().min_by_key(|&scenario| self.sets[scenario].len()).ok_or(Unrefuted::Met)?;
        let mut claim = (open.clone(), left);
        if left == 0 || self.sets[scenario].is_empty() {
            // The one scenario is claim enough.
            claim.0.clear();
            claim.0.insert(scenario);
        }
        if let Some(&node) = self.known.get(&claim) {
            return Ok(node);
        }
        let branches = if left == 0 { Vec::new() } else { self.branches(open, scenario, left)? };
        self.size += 1 + branches.len();
        if self.size > MOST_BRANCHES {
            return Err(Unrefuted::TooLarge);
        }
        self.nodes.push(RefutationNode { scenario, left, branches });
        self.known.insert(claim, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// A branch for each member of a scenario's set. Where one member leaves no more open than another, both lead to its
    /// node.
    fn branches(&mut self, open: &FixedBitSet, scenario: usize, left: usize) -> Result<Vec<(usize, usize)>, Unrefuted> {
        let sets = self.sets;
        let rest = |configuration: &usize| difference(open, &self.reaches[configuration]);
        let rests: Vec<FixedBitSet> = sets[scenario].iter().map(rest).collect();
        let mut order: Vec<&FixedBitSet> = rests.iter().collect();
        order.sort_by_key(|rest| rest.count_ones(..));
        let mut least: Vec<(&FixedBitSet, usize)> = Vec::new();
        for rest in order {
            if !least.iter().any(|(other, _)| other.is_subset(rest)) {
                least.push((rest, self.refute(rest, left - 1)?));
            }
        }
        let node = |rest: &FixedBitSet| least.iter().find(|(other, _)| other.is_subset(rest)).map(|(_, node)| *node);
        let branch = |(configuration, rest): (&usize, &FixedBitSet)| Some((*configuration, node(rest)?));
        Ok(sets[scenario].iter().zip(&rests).filter_map(branch).collect())
    }
}

impl Refutation {
    /// The scenarios that the tree names: only their sets matter.
    #[must_use]
    pub fn scenarios(&self) -> FixedBitSet {
        self.nodes.iter().map(|node| node.scenario).collect()
    }

    /// The number of branches.
    #[must_use]
    pub fn branches(&self) -> usize {
        self.nodes.iter().map(|node| node.branches.len()).sum()
    }

    /// True if the tree shows that no `most` configurations meet all sets.
    #[must_use]
    pub fn refutes(&self, sets: &[Vec<usize>], most: usize) -> bool {
        let reaches = reaches(sets);
        let mut claims: Vec<FixedBitSet> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let Some(claim) = self.claim(node, sets, &reaches, &claims) else { return false };
            claims.push(claim);
        }
        self.nodes.last().is_some_and(|root| root.left >= most)
    }

    /// The scenarios whose sets `left` configurations do not meet by a node; `None` if it does not follow.
    fn claim(
        &self,
        node: &RefutationNode,
        sets: &[Vec<usize>],
        reaches: &HashMap<usize, FixedBitSet>,
        claims: &[FixedBitSet],
    ) -> Option<FixedBitSet> {
        let set = sets.get(node.scenario)?;
        let mut claim = FixedBitSet::with_capacity(sets.len());
        claim.insert(node.scenario);
        if node.left == 0 {
            return node.branches.is_empty().then_some(claim);
        }
        if !node.branches.iter().map(|(configuration, _)| configuration).eq(set) {
            return None;
        }
        for (configuration, below) in &node.branches {
            let missed = claims.get(*below)?;
            if self.nodes[*below].left + 1 < node.left || !missed.is_disjoint(&reaches[configuration]) {
                return None;
            }
            claim.union_with(missed);
        }
        Some(claim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    fn sets(state: &mut u64) -> Vec<Vec<usize>> {
        let (configurations, scenarios) = (2 + random(state, 7), 1 + random(state, 20));
        let configurations = usize::try_from(configurations).unwrap();
        let mut set = || -> Vec<usize> {
            let always = [(); 2].map(|()| usize::try_from(random(state, configurations as u64)).unwrap());
            (0..configurations).filter(|one| always.contains(one) || random(state, 8) == 0).collect()
        };
        (0..scenarios).map(|_| set()).collect()
    }

    fn are_met(sets: &[Vec<usize>], most: usize) -> bool {
        let chosen = |bits: u32| (0..8).filter(|one| bits >> one & 1 == 1).collect::<Vec<usize>>();
        (0..256_u32)
            .filter(|bits| bits.count_ones() as usize <= most)
            .any(|bits| sets.iter().all(|set| chosen(bits).iter().any(|one| set.contains(one))))
    }

    #[test]
    fn there_is_a_tree_if_no_few_configurations_meet_all_sets_and_it_shows_that() {
        let (mut state, mut refuted, mut deep) = (11, 0, 0);
        for _ in 0..600 {
            let sets = sets(&mut state);
            for most in 1..4 {
                match refute(&sets, most) {
                    Ok(tree) => {
                        assert!(!are_met(&sets, most) && tree.refutes(&sets, most), "{sets:?} {most}");
                        refuted += 1;
                        deep += usize::from(tree.branches() > 2 * most);
                        let one_more = are_met(&sets, most + 1);
                        assert!(!one_more || !tree.refutes(&sets, most + 1), "{sets:?} {most}");
                    }
                    Err(why) => assert!(why == Unrefuted::Met && are_met(&sets, most), "{sets:?} {most}"),
                }
            }
        }
        assert!(refuted > 300 && deep > 100, "{refuted} refuted, {deep} of them deep");
    }

    /// A tree that lost a branch, leads elsewhere, or is about fewer configurations shows nothing.
    #[test]
    fn a_changed_tree_shows_nothing_that_is_false() {
        let (mut state, mut refused, mut changed) = (5, 0, 0);
        while changed < 2000 {
            let sets = sets(&mut state);
            let most = 1 + usize::try_from(random(&mut state, 3)).unwrap();
            let Ok(mut tree) = refute(&sets, most) else { continue };
            let place = usize::try_from(random(&mut state, tree.nodes.len() as u64)).unwrap();
            let nodes = tree.nodes.len() as u64;
            let node = &mut tree.nodes[place];
            match random(&mut state, 4) {
                0 => drop(node.branches.pop()),
                1 => node
                    .branches
                    .iter_mut()
                    .for_each(|branch| branch.1 = usize::try_from(random(&mut state, nodes)).unwrap()),
                2 => node.left += 1,
                _ => node.scenario = usize::try_from(random(&mut state, sets.len() as u64 + 1)).unwrap(),
            }
            // Whatever the tree is now, it must not show what is false.
            for more in most..most + 3 {
                assert!(!tree.refutes(&sets, more) || !are_met(&sets, more), "{tree:?} {sets:?} {more}");
            }
            refused += usize::from(!tree.refutes(&sets, most));
            changed += 1;
        }
        assert!(refused > 600, "{refused} of {changed} refused");
    }
}
