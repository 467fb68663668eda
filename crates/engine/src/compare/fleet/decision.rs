//! The decision for a variant by problem sizes, as a tree.

use std::collections::HashMap;

/// The set of variants that a cell may take, a bit for each.
pub type VariantSet = u16;

/// A tree over problem sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// All cells of the leaf may take the same variants.
    Leaf {
        /// The variants that all cells of the leaf may take.
        common: VariantSet,
        /// The cells of the leaf.
        cells: Vec<usize>,
    },
    /// One tree below a value of a problem size, another from the value on.
    Split {
        /// The index of the problem size.
        size: usize,
        /// The least value that is not below.
        at: i64,
        /// The tree below the value.
        below: Box<Decision>,
        /// The tree from the value on.
        from: Box<Decision>,
    },
}

/// The asked values of each problem size, in ascending order, and the set of each cell. Cells are numbered like the
/// combinations of values, those of the last size fastest.
#[derive(Debug)]
pub struct Cells<'a> {
    /// The values of each size.
    pub values: &'a [Vec<i64>],
    /// The set of each cell, not empty.
    pub sets: &'a [VariantSet],
}

/// A box of cells: the first place and the place behind the last, for each size.
type Area = Vec<(usize, usize)>;

/// The most boxes that are tried for the least depth of a tree whose depth has no limit.
const MOST_AREAS: usize = 200_000;

impl Cells<'_> {
    /// The tree of least depth; `None` if it is deeper than `deepest`. Without a limit, a tree of few splits where the least
    /// depth takes too long to find.
    #[must_use]
    pub fn decide(&self, deepest: Option<usize>) -> Option<Decision> {
        let area: Area = self.values.iter().map(|values| (0, values.len())).collect();
        let mut known = Known::default();
        for depth in 0..=deepest.unwrap_or(usize::MAX - 1) {
            if let Some(tree) = self.within(&area, depth, &mut known) {
                return Some(tree);
            }
            if deepest.is_none() && known.too_deep.len() > MOST_AREAS {
                return Some(self.halve(&area));
            }
        }
        None
    }

    /// A tree of an area that is at most this deep.
    fn within(&self, area: &Area, depth: usize, known: &mut Known) -> Option<Decision> {
        if let Some(leaf) = self.leaf(area) {
            return Some(leaf);
        }
        if depth == 0 || known.too_deep.get(area).is_some_and(|failed| *failed >= depth) {
            return None;
        }
        for size in 0..area.len() {
            // An area within one that has a tree has one too: so the largest lower part decides.
            let (first, end) = area[size];
            let (mut low, mut high) = (first, end - 1);
            let mut best = None;
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                match self.within(&part(area, size, first, middle), depth - 1, known) {
                    Some(tree) => (best, low) = (Some(tree), middle),
                    None => high = middle - 1,
                }
            }
            let Some(below) = best else { continue };
            if let Some(from) = self.within(&part(area, size, low, end), depth - 1, known) {
                return Some(self.split(size, low, below, from));
            }
        }
        known.too_deep.insert(area.clone(), depth);
        None
    }

    /// A tree that halves the longest side until all cells have a variant in common.
    fn halve(&self, area: &Area) -> Decision {
        if let Some(leaf) = self.leaf(area) {
            return leaf;
        }
        let length = |size: &usize| area[*size].1 - area[*size].0;
        let size = (0..area.len()).rev().max_by_key(length).unwrap_or(0);
        let (first, end) = area[size];
        let middle = first.midpoint(end);
        let (below, from) = (self.halve(&part(area, size, first, middle)), self.halve(&part(area, size, middle, end)));
        self.split(size, middle, below, from)
    }

    fn split(&self, size: usize, place: usize, below: Decision, from: Decision) -> Decision {
        Decision::Split { size, at: self.values[size][place], below: Box::new(below), from: Box::new(from) }
    }

    /// The leaf of an area; `None` if its cells have nothing in common.
    fn leaf(&self, area: &Area) -> Option<Decision> {
        let mut places: Vec<usize> = area.iter().map(|(first, _)| *first).collect();
        let mut cells = Vec::new();
        let mut common = VariantSet::MAX;
        loop {
            let cell = self.cell(&places);
            common &= self.sets[cell];
            cells.push(cell);
            if common == 0 {
                return None;
            }
            let Some(size) = (0..area.len()).rev().find(|&size| places[size] + 1 < area[size].1) else {
                return Some(Decision::Leaf { common, cells });
            };
            places[size] += 1;
            places[size + 1..].iter_mut().zip(&area[size + 1..]).for_each(|(place, (first, _))| *place = *first);
        }
    }

    fn cell(&self, places: &[usize]) -> usize {
        places.iter().zip(self.values).fold(0, |cell, (place, values)| cell * values.len() + place)
    }
}

/// The areas that have no tree of some depth, with the greatest such depth.
#[derive(Default)]
struct Known {
    too_deep: HashMap<Area, usize>,
}

fn part(area: &Area, size: usize, first: usize, end: usize) -> Area {
    let mut part = area.clone();
    part[size] = (first, end);
    part
}

impl Decision {
    /// The number of splits on the longest way to a leaf.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Leaf { .. } => 0,
            Self::Split { below, from, .. } => 1 + below.depth().max(from.depth()),
        }
    }

    /// The variants of the leaf that decides for these sizes, by their set.
    #[must_use]
    pub fn common(&self, sizes: &[i64]) -> VariantSet {
        match self {
            Self::Leaf { common, .. } => *common,
            Self::Split { size, at, below, from } => (if sizes[*size] < *at { below } else { from }).common(sizes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    /// The least depth by trying all splits.
    fn depth(cells: &Cells, area: &Area) -> usize {
        if cells.leaf(area).is_some() {
            return 0;
        }
        let splits = (0..area.len()).flat_map(|size| (area[size].0 + 1..area[size].1).map(move |place| (size, place)));
        let deep = |(size, place): (usize, usize)| {
            let (first, end) = area[size];
            1 + depth(cells, &part(area, size, first, place)).max(depth(cells, &part(area, size, place, end)))
        };
        splits.map(deep).min().unwrap()
    }

    #[test]
    fn trees_give_each_cell_its_set_and_no_tree_is_less_deep() {
        let mut state = 5;
        for round in 0..150 {
            let sides = [1 + random(&mut state, 4), 1 + random(&mut state, if round % 2 == 0 { 1 } else { 3 })];
            let values = sides.map(|side| (1..=i64::try_from(side).unwrap()).map(|one| one * 10).collect::<Vec<_>>());
            let sets: Vec<VariantSet> =
                (0..sides[0] * sides[1]).map(|_| 1 + VariantSet::try_from(random(&mut state, 7)).unwrap()).collect();
            let cells = Cells { values: &values, sets: &sets };
            let area = values.iter().map(|values| (0, values.len())).collect();
            let least = depth(&cells, &area);
            let tree = cells.decide(Some(least)).unwrap();
            assert_eq!((tree.depth(), least.checked_sub(1).and_then(|less| cells.decide(Some(less)))), (least, None));
            for tree in [tree, cells.decide(None).unwrap(), cells.halve(&area)] {
                for (place, set) in sets.iter().enumerate() {
                    let (one, two) = (values[0][place / values[1].len()], values[1][place % values[1].len()]);
                    // Up to the next value, and below the least one, the same leaf decides.
                    for sizes in [[one, two], [one + 9, two + 9], [if one == 10 { -5 } else { one }, two]] {
                        let common = tree.common(&sizes);
                        assert!(common != 0 && common & !set == 0, "{common:b} {set:b}");
                    }
                }
            }
        }
    }
}
