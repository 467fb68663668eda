//! The distances between the addresses of groups that run together, where they do not change evenly with the ids: the tiles
//! of a launch whose order is swizzled.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::error::AnalysisError;
use super::super::execute::Executed;
use super::super::ir::BlockId;
use super::super::trace::{REGION_BITS, SourceMemory, Step};
use super::super::value::{Known, Shape};
use autotune_base::limits::watch::{Phase, look};

/// The most groups that are compared.
const MOST_GROUPS: u64 = 1 << 12;

/// The distances of each access from group to group.
#[derive(Debug, Clone, Default)]
pub(in crate::source) struct GroupDistances(HashMap<(BlockId, usize), Arc<[i64]>>);

impl GroupDistances {
    /// The distances of a launch of that many groups along x, y and z. `execute` executes the first work items of a number of
    /// the launch's first groups side by side. Without an execution, no distance is known.
    ///
    /// # Errors
    /// If a clock or the user ended the execution.
    pub(in crate::source) fn new(
        grid: [u64; 3],
        execute: impl FnOnce(u32) -> Result<Executed, AnalysisError>,
    ) -> Result<Self, AnalysisError> {
        let groups = grid.iter().fold(1, |all: u64, groups| all.saturating_mul(*groups)).min(MOST_GROUPS);
        let groups = u32::try_from(groups).unwrap_or(u32::MAX);
        match execute(groups) {
            Ok(executed) => Ok(Self::of_trace(&executed, groups)),
            Err(why) if why.is_of_time() => Err(why),
            Err(_) => Ok(Self::default()),
        }
    }

    fn of_trace(executed: &Executed, groups: u32) -> Self {
        let shape = Shape::new([groups, 1, 1]);
        let mut distances = HashMap::new();
        let mut different: HashMap<Vec<i64>, Arc<[i64]>> = HashMap::new();
        for (step, _) in Step::all(&executed.trace) {
            let Step::Block(run) = step else { continue };
            for access in run.accesses.iter().filter(|access| access.memory == SourceMemory::Global) {
                look(Phase::Distances);
                let key = (run.block, access.instruction);
                let is_on_data = access.address.as_ref().is_some_and(Known::is_on_data);
                let is_of_all = run.items.is_full() && access.items.is_none() && !is_on_data;
                let Some(address) = access.address.as_ref().filter(|_| is_of_all && !distances.contains_key(&key))
                else {
                    continue;
                };
                let all = address.base.all(&shape);
                let of_each: Vec<i64> = all.iter().map(|address| address.wrapping_sub(all[0])).collect();
                // Addresses in two arrays have no distance.
                if of_each.iter().all(|distance| distance.unsigned_abs() < 1 << (REGION_BITS - 1)) {
                    let shared = different.entry(of_each).or_insert_with_key(|of_each| of_each.as_slice().into());
                    distances.insert(key, Arc::clone(shared));
                }
            }
        }
        Self(distances)
    }

    /// The distances of the first groups' addresses from the address of the first one, by the groups' numbers; `None` if they
    /// are not known.
    pub(in crate::source) fn of(&self, block: BlockId, instruction: usize) -> Option<&Arc<[i64]>> {
        self.0.get(&(block, instruction))
    }
}
