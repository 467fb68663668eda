//! The bytes that the launches of a kernel's source store, as the middle group or the mean over many shows them.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::listed::Listed;
use crate::lowering::{Feasibility, Launched, Lowering, LoweringError};
use crate::spec::Configuration;
use autotune_kernel::source::{AccessKind, SourceMemory};

/// The least and the most bytes: a last group along an axis may store less than the others.
pub type StoredBytes = [f64; 2];

/// The difference that is allowed where the bytes are a mean over some of the groups, as a part of them.
const SLACK: f64 = 0.1;

impl Lowering<'_> {
    /// The bytes that a feasible configuration's launches store to each array of global memory that has a name; none if
    /// the spec has a body.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
    pub fn stored_bytes(
        &self,
        configuration: &Configuration,
    ) -> Result<Option<BTreeMap<String, StoredBytes>>, LoweringError> {
        let Some(Feasibility::Feasible(traced)) = self.trace(configuration)? else { return Ok(None) };
        let Feasibility::Feasible(Launched { geometry, .. }) = self.launch(configuration)? else { return Ok(None) };
        let whole = geometry.grid.map(|groups| if groups > 1 { groups - 1 } else { groups });
        let all = |groups: [u64; 3]| groups.into_iter().chain([geometry.times]).product::<u64>();
        let groups = [all(whole), all(geometry.grid)].map(|groups| groups.to_f64().unwrap_or(f64::MAX));
        let slack = if traced.sample.kinds.is_empty() { [1.0; 2] } else { [1.0 - SLACK, 1.0 + SLACK] };
        let mut stored: BTreeMap<&str, StoredBytes> = BTreeMap::new();
        let listed = Listed::new(&traced, false);
        let is_store = |kind, memory| kind == AccessKind::Store && memory == SourceMemory::Global;
        for one in listed.accesses.iter().filter(|listed| is_store(listed.access.kind, listed.access.memory)) {
            let Some(array) = one.array else { continue };
            let items = one.items.count_ones(..).to_f64().unwrap_or(f64::MAX);
            let bytes = items * one.access.bytes.to_f64().unwrap_or(f64::MAX) * one.times();
            let sums = stored.entry(array).or_default();
            (0..2).for_each(|end| sums[end] += bytes * groups[end] * slack[end]);
        }
        let mut shown: BTreeMap<String, StoredBytes> = BTreeMap::new();
        for (array, bytes) in stored {
            let sums = shown.entry(traced.shown_name(array)).or_default();
            (0..2).for_each(|end| sums[end] += bytes[end]);
        }
        Ok(Some(shown))
    }
}
