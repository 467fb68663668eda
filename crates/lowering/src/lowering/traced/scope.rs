//! The memory that the accesses of a scope touch together: of a group, and of the groups that run together.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::executions::Repeated;
use crate::lowering::access::warp::SECTOR;
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::{Known, Lanes, Mask, Shape, Slope, Slopes, Symbol};

/// The most runs of bytes that are joined one by one.
const MOST_RUNS: u64 = 1 << 13;

/// The first byte of a run and the one behind its last.
type Run = (i64, i64);

/// The memory that accesses to one array touch.
#[derive(Debug, Default)]
pub(super) struct ScopeMemory {
    parts: Vec<Part>,
    /// True if the memory cannot be counted.
    is_unknown: bool,
}

/// Accesses that move together.
#[derive(Debug)]
struct Part {
    slopes: Slopes,
    loops: Vec<Repeated>,
    /// The distances of the launch's first groups from the first one, where they do not change evenly.
    distances: Option<Arc<[i64]>>,
    runs: Vec<Run>,
}

impl ScopeMemory {
    /// Adds an access by some work items in some loops. Where the launch's first groups lie unevenly, `distances` say how far
    /// each is from the first.
    pub(in crate::lowering) fn add(
        &mut self,
        (known, distances): (&Known, Option<&Arc<[i64]>>),
        items: &Mask,
        bytes: u64,
        loops: &[Repeated],
        shape: &Shape,
    ) {
        if known.is_on_data() {
            return self.add_unknown();
        }
        let bytes = bytes.max(1).cast_signed();
        let ends = items.ones().map(|lane| known.base.at(lane, shape)).map(|start| (start, start.wrapping_add(bytes)));
        let runs = joined(ends.collect());
        let moves_alike = |part: &Part| {
            look(Phase::Scope);
            part.slopes == known.slopes && part.loops == loops && part.distances.as_ref() == distances
        };
        if let Some(part) = self.parts.iter_mut().find(|part| moves_alike(part)) {
            part.runs.extend(runs);
        } else {
            let (slopes, distances) = (known.slopes.clone(), distances.cloned());
            self.parts.push(Part { slopes, loops: loops.to_vec(), distances, runs });
        }
    }

    /// Notes an access whose addresses are not known.
    pub(super) fn add_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// The runs of bytes that a group touches, and those of the groups that run together; `None` if they are not known or
    /// are too many.
    pub(in crate::lowering) fn touched(&self, concurrent: u64, grid: [u64; 3]) -> Option<[Vec<Run>; 2]> {
        if self.is_unknown {
            return None;
        }
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for part in &self.parts {
            look(Phase::Scope);
            let mut runs = joined(part.runs.clone());
            for one in &part.loops {
                runs = moved(runs, slope(&part.slopes, Symbol::Counter(one.counter))?, one.times)?;
            }
            all.extend(part.of_groups(&runs, concurrent, grid)?);
            own.extend(runs);
        }
        Some([joined(own), joined(all)])
    }
}

impl Part {
    /// The runs of the groups that run together; `None` if they are not known or are too many.
    fn of_groups(&self, runs: &[Run], concurrent: u64, grid: [u64; 3]) -> Option<Vec<Run>> {
        if let Some(distances) = &self.distances {
            let different: BTreeSet<i64> =
                distances.get(..usize::try_from(concurrent).ok()?)?.iter().copied().collect();
            let few = different.len().saturating_mul(runs.len()) as u64 <= MOST_RUNS;
            return few.then(|| joined(different.into_iter().flat_map(|distance| shifted(runs, distance)).collect()));
        }
        let groups = [0, 1, 2].map(|axis| slope(&self.slopes, Symbol::Group(axis)));
        let [Some(x), Some(y), Some(z)] = groups else { return None };
        of_groups(runs, [x, y, z], concurrent, grid)
    }
}

/// The number of sectors in runs of bytes.
pub(in crate::lowering) fn sectors(runs: &[Run]) -> u64 {
    let sector = SECTOR.cast_signed();
    let (mut count, mut end) = (0, i64::MIN);
    for (first, behind) in runs {
        let first = first.div_euclid(sector).max(end);
        let last = (behind - 1).div_euclid(sector);
        if last >= first {
            count += (last - first + 1).unsigned_abs();
            end = last + 1;
        }
    }
    count
}

/// The number of bytes in runs.
pub(in crate::lowering) fn bytes(runs: &[Run]) -> u64 {
    runs.iter().map(|(first, behind)| (behind - first).unsigned_abs()).sum()
}

/// The change of an address with a symbol; `None` if it differs among the work items.
pub(super) fn slope(slopes: &Slopes, symbol: Symbol) -> Option<i64> {
    match slopes.iter().find(|(known, _)| *known == symbol) {
        Some((_, Slope::By(Lanes::Same(slope)))) => Some(*slope),
        Some(_) => None,
        None => Some(0),
    }
}

/// The runs of the groups that run together, which are launched along x first.
fn of_groups(runs: &[Run], [x, y, z]: [i64; 3], concurrent: u64, grid: [u64; 3]) -> Option<Vec<Run>> {
    let rows = concurrent / grid[0].max(1);
    let planes = rows / grid[1].max(1);
    let (rest, rows_of_rest) = (concurrent % grid[0].max(1), rows % grid[1].max(1));
    let row = if rows > 0 { moved(runs.to_vec(), x, grid[0])? } else { Vec::new() };
    let mut all = if planes > 0 { moved(moved(row.clone(), y, grid[1])?, z, planes.min(grid[2]))? } else { Vec::new() };
    let at = |plane: u64, row: u64| z.wrapping_mul(plane.cast_signed()).wrapping_add(y.wrapping_mul(row.cast_signed()));
    if planes < grid[2] && rows_of_rest > 0 {
        all.extend(shifted(&moved(row, y, rows_of_rest)?, at(planes, 0)));
    }
    if planes < grid[2] && rest > 0 {
        all.extend(shifted(&moved(runs.to_vec(), x, rest)?, at(planes, rows_of_rest)));
    }
    Some(all)
}

fn shifted(runs: &[Run], by: i64) -> Vec<Run> {
    runs.iter().map(|(first, behind)| (first.wrapping_add(by), behind.wrapping_add(by))).collect()
}

/// The runs and those that lie `slope`, `2 * slope`, … bytes behind them; `None` if they are too many.
fn moved(runs: Vec<Run>, slope: i64, times: u64) -> Option<Vec<Run>> {
    if slope == 0 || times <= 1 {
        return Some(runs);
    }
    let reach = slope.checked_mul(i64::try_from(times - 1).ok()?)?;
    if runs.iter().all(|(first, behind)| behind - first >= slope.saturating_abs()) {
        return Some(joined(
            runs.iter().map(|(first, behind)| (first + reach.min(0), behind + reach.max(0))).collect(),
        ));
    }
    if times.saturating_mul(runs.len() as u64) > MOST_RUNS {
        return None;
    }
    Some(joined((0..times).flat_map(|time| shifted(&runs, slope * time.cast_signed())).collect()))
}

/// The same bytes as runs in order that do not touch.
fn joined(mut runs: Vec<Run>) -> Vec<Run> {
    look(Phase::Scope);
    runs.sort_unstable();
    let mut joined: Vec<Run> = Vec::with_capacity(runs.len().min(64));
    for (first, behind) in runs {
        match joined.last_mut() {
            Some((_, end)) if first <= *end => *end = behind.max(*end),
            _ => joined.push((first, behind)),
        }
    }
    joined
}
