//! The memory that a whole launch touches, from the addresses of one of its groups.

use std::collections::HashMap;

use super::executions::Repeated;
use super::scope::slope;
use crate::lowering::access::warp::SECTOR;
use autotune_kernel::source::{Known, RegionId, Shape, Symbol};

/// The least and the greatest address of a launch's accesses to each array.
#[derive(Debug, Default)]
pub(super) struct Extents {
    arrays: HashMap<RegionId, [i128; 2]>,
    /// True if an address is not known.
    is_unknown: bool,
}

impl Extents {
    /// Adds an access in loops to an array, by the groups of a grid. Where groups lie unevenly, `distances` say how far the
    /// launch's first groups are from the first one.
    pub(super) fn add(
        &mut self,
        region: RegionId,
        (known, distances): (&Known, Option<&[i64]>),
        bytes: u64,
        (loops, grid): (&[Repeated], [u64; 3]),
        shape: &Shape,
    ) {
        if known.is_on_data() {
            return self.add_unknown();
        }
        let moved = |slope: Option<i64>, times: u64| {
            let reach = i128::from(slope?) * (i128::from(times) - 1);
            Some([reach.min(0), reach.max(0)])
        };
        let of_loops = loops.iter().map(|one| moved(slope(&known.slopes, Symbol::Counter(one.counter)), one.times));
        let of_groups = match distances {
            Some(distances) => vec![of_distances(distances, grid)],
            None => {
                (0..3).map(|axis| moved(slope(&known.slopes, Symbol::Group(axis)), grid[usize::from(axis)])).collect()
            }
        };
        let [first, last] = known.base.ends(shape);
        let mut ends = [first, last + i128::from(bytes)];
        for reach in of_loops.chain(of_groups) {
            let Some([down, up]) = reach else { return self.add_unknown() };
            ends = [ends[0] + down, ends[1] + up];
        }
        let all = self.arrays.entry(region).or_insert(ends);
        *all = [all[0].min(ends[0]), all[1].max(ends[1])];
    }

    /// Notes an access whose addresses are not known.
    pub(super) fn add_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// True if all addresses are known.
    pub(super) fn are_known(&self) -> bool {
        !self.is_unknown
    }

    /// True if all arrays are known and fit some bytes together.
    pub(super) fn fit(&self, room: u64) -> bool {
        !self.is_unknown
            && self.arrays.values().map(|[least, greatest]| greatest - least).sum::<i128>() <= i128::from(room)
    }

    /// The bytes of an array's sectors; `None` if no access to it was added.
    pub(super) fn bytes(&self, region: RegionId) -> Option<u64> {
        let [least, greatest] = self.arrays.get(&region)?;
        let sector = i128::from(SECTOR);
        u64::try_from((greatest - 1).div_euclid(sector) - least.div_euclid(sector) + 1).ok()?.checked_mul(SECTOR)
    }
}

/// The reach of groups that lie unevenly; `None` if there are more than the known ones.
fn of_distances(distances: &[i64], grid: [u64; 3]) -> Option<[i128; 2]> {
    let groups = grid.iter().try_fold(1_u64, |all, one| all.checked_mul(*one))?;
    let known = distances.get(..usize::try_from(groups).ok()?)?;
    Some([(*known.iter().min()?).into(), (*known.iter().max()?).into()])
}
