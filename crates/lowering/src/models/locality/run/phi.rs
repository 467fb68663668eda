//! The dependence Phi of an access, from the sources of its instances.

use super::super::integers::IntegerMatrix;
use super::super::matrix::Dependence;

/// An instance of an access that reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) instance: u64,
    /// The write that produced the value; `None` if the value comes from before the block.
    pub(super) source: Option<Source>,
}

/// An instance of an access that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) member: usize,
    pub(super) instance: u64,
}

/// The number of values of each component of J. Instances are numbered in the order of loops, then lanes.
#[derive(Debug, Clone)]
pub(super) struct Extents {
    /// The numbers of values in the order of J: loops outermost first, then local ids.
    values: Vec<u64>,
    /// The increment of an instance's number with each component.
    weights: Vec<u64>,
    work_items: u64,
    /// Iterations of each loop that are not followed.
    left_out: Vec<i64>,
}

impl Extents {
    /// The pairs of `loops` are the followed iterations and all iterations of each loop.
    pub(super) fn new(loops: &[(u64, u64)], dims: [u64; 3], axes: usize) -> Self {
        let left_out = loops.iter().map(|(followed, all)| (all - followed).cast_signed()).collect();
        let loops: Vec<u64> = loops.iter().map(|(followed, _)| *followed).collect();
        let work_items = dims.iter().product();
        let mut weights = vec![0; loops.len()];
        let mut weight: u64 = work_items;
        for (own, count) in weights.iter_mut().zip(&loops).rev() {
            *own = weight;
            weight = weight.saturating_mul(*count);
        }
        weights.extend([1, dims[0], dims[0] * dims[1]].iter().take(axes));
        Self { values: loops.into_iter().chain(dims.into_iter().take(axes)).collect(), weights, work_items, left_out }
    }

    pub(super) fn instances(&self) -> u64 {
        let loops = self.values.iter().zip(&self.weights).filter(|(_, weight)| **weight >= self.work_items);
        loops.fold(self.work_items, |all, (count, _)| all.saturating_mul(*count))
    }

    /// The number of an iteration's first lane.
    pub(super) fn instance(&self, iteration: &[u64]) -> u64 {
        iteration.iter().zip(&self.weights).map(|(at, weight)| at * weight).sum()
    }

    /// J of an instance.
    fn vector(&self, instance: u64) -> Vec<i64> {
        let components = self.weights.iter().zip(&self.values);
        components.map(|(weight, values)| (instance / weight % values).cast_signed()).collect()
    }

    /// The instance whose component is greater by 1; `None` behind the last value.
    fn next(&self, instance: u64, component: usize) -> Option<u64> {
        let (weight, values) = (self.weights[component], self.values[component]);
        (instance / weight % values + 1 < values).then_some(instance + weight)
    }
}

/// The dependence of an access. `reads` are sorted by instance; `sources` are the extents of all accesses of the array.
pub(super) fn dependence(reads: &[Read], extents: &Extents, sources: &[&Extents], lane: usize) -> Dependence {
    let Some((first, source)) = reads.iter().find_map(|read| Some((read.instance, read.source?))) else {
        return Dependence::None;
    };
    affine(reads, extents, sources[source.member], (first, source))
        .unwrap_or_else(|| Dependence::Pieces { lanes_agree: lanes_agree(reads, extents, lane) })
}

/// The affine function that gives every source; `None` if there is no single one.
fn affine(reads: &[Read], extents: &Extents, source: &Extents, found: (u64, Source)) -> Option<Dependence> {
    let components = extents.values.len();
    let columns: Vec<Vec<i64>> =
        (0..components).map(|component| column(reads, extents, source, component)).collect::<Option<_>>()?;
    let matrix = IntegerMatrix::from_fn(source.values.len(), components, |row, column| columns[column][row]);
    let image = |instance: u64| matrix.times(&extents.vector(instance));
    let (first, written) = found;
    let begin = source.vector(written.instance);
    let offset: Vec<i64> = image(first).iter().zip(&begin).map(|(image, begin)| image - begin).collect();
    let fits = |read: &Read| {
        read.source.is_none_or(|from| {
            let expected = source.vector(from.instance);
            let image = image(read.instance);
            let differences = image.iter().zip(&expected).map(|(image, expected)| image - expected);
            from.member == written.member && differences.eq(offset.iter().copied())
        })
    };
    reads.iter().all(fits).then_some(())?;
    let is_last = |row: usize| begin[row] + 1 == source.values[row].cast_signed();
    let offset = offset.iter().enumerate().map(|(row, offset)| {
        let is_constant = matrix.rows()[row].iter().all(|entry| *entry == 0);
        // In a loop that moves no access, the write of the very last iteration stays, which may not be followed.
        let later = source.left_out.get(row).filter(|_| is_constant && is_last(row));
        offset - later.unwrap_or(&0)
    });
    let offset = offset.collect();
    Some(Dependence::Affine { matrix, offset })
}

/// The change of the source with one component of J; 0 for a component with a single value, `None` if no pair of reads
/// shows it.
fn column(reads: &[Read], extents: &Extents, source: &Extents, component: usize) -> Option<Vec<i64>> {
    if extents.values[component] == 1 {
        return Some(vec![0; source.values.len()]);
    }
    let pair = |read: &Read| {
        let next = extents.next(read.instance, component)?;
        let [one, other] = [read.source?, find(reads, next)?.source?].map(|from| source.vector(from.instance));
        Some(other.iter().zip(&one).map(|(other, one)| other - one).collect())
    };
    reads.iter().find_map(pair)
}

/// True if neighbouring lanes always have the same source, or both none.
fn lanes_agree(reads: &[Read], extents: &Extents, lane: usize) -> bool {
    reads.iter().all(|read| {
        let next = extents.next(read.instance, lane).and_then(|next| find(reads, next));
        next.is_none_or(|next| next.source == read.source)
    })
}

fn find(reads: &[Read], instance: u64) -> Option<&Read> {
    reads.binary_search_by_key(&instance, |read| read.instance).ok().map(|position| &reads[position])
}
