//! The memory that the work items of an access touch: sectors, lines and banks, from their addresses.

use std::collections::{BTreeSet, HashMap};

use num_integer::gcd;

use crate::lowering::access::warp::{self, LINE, MemoryBanks, SECTOR, instructions, units};
use crate::lowering::exact::Exact;
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::{Known, Lanes, Mask, Shape, Slope, Symbol};

/// The most groups whose memory is joined one by one.
const MOST_GROUPS: u64 = 1 << 12;

/// The bits of the addresses of one class of work items, whose numbers from data are the same.
const CLASS_BITS: u32 = 50;

/// The addresses of an access by the work items of a mask.
#[derive(Clone, Copy)]
pub(super) struct Addresses<'a> {
    pub(super) known: &'a Known,
    pub(super) items: &'a Mask,
    pub(super) shape: &'a Shape,
    pub(super) bytes: u64,
    pub(super) warp_size: u64,
    /// The distances of the launch's first groups from the first one, where they do not change evenly with the ids.
    pub(super) distances: Option<&'a [i64]>,
    /// The number of the first symbol of data that changes from one iteration of the innermost loop to the next.
    pub(super) data_from: u32,
}

impl Addresses<'_> {
    /// The addresses of each warp that takes part.
    pub(super) fn warps(&self) -> Vec<Vec<i64>> {
        self.warps_at(0)
    }

    /// The addresses of each warp at one of the places that data may choose.
    fn warps_at(&self, position: u64) -> Vec<Vec<i64>> {
        look(Phase::Sectors);
        let mut warps: Vec<(u64, Vec<i64>)> = Vec::new();
        let all = self.all_at(position);
        for (lane, address) in self.items.ones().zip(all) {
            let warp = lane as u64 / self.warp_size;
            match warps.last_mut() {
                Some((last, addresses)) if *last == warp => addresses.push(address),
                _ => warps.push((warp, vec![address])),
            }
        }
        warps.into_iter().map(|(_, addresses)| addresses).collect()
    }

    /// The addresses at one of the places that data may choose. Work items with other numbers from data are far apart.
    fn all_at(&self, position: u64) -> Vec<i64> {
        let known = |lane| self.known.base.at(lane, self.shape);
        if !self.known.is_on_data() {
            return self.items.ones().map(known).collect();
        }
        let mut classes: HashMap<Vec<(u32, usize, i64)>, i64> = HashMap::new();
        let place = |lane: usize| {
            let numbers = self.known.data_of(lane, self.shape);
            let factor = self.known.data_factor(lane, self.shape);
            let next = classes.len() as u64;
            let class = classes.entry(numbers).or_insert(next.cast_signed());
            known(lane).wrapping_add(*class << CLASS_BITS).wrapping_add(factor.wrapping_mul(position).cast_signed())
        };
        self.items.ones().map(place).collect()
    }

    /// The number of places within a unit of `unit` bytes where data may put addresses, each as likely as the others: an
    /// address moves by multiples of what one step of its number moves it by.
    fn positions(&self, unit: u64) -> u64 {
        if !self.known.is_on_data() {
            return 1;
        }
        let of_lane = |lane| unit / gcd(unit, self.known.data_factor(lane, self.shape)).max(1);
        self.items.ones().map(of_lane).max().unwrap_or(1)
    }

    /// The different units of `unit` bytes that each warp touches, summed over the warps, as the mean over the
    /// iterations of a loop.
    pub(super) fn of_warps(&self, unit: u64, iterations: Option<(u32, u64)>) -> Exact {
        self.mean(unit, iterations, |warps, shift| warps.iter().map(|warp| self.different(warp, unit, shift)).sum())
    }

    /// The units of `unit` bytes that each warp covers in part, summed over the warps, as the mean over the iterations of a
    /// loop.
    pub(super) fn in_part(&self, unit: u64, iterations: Option<(u32, u64)>) -> Exact {
        let in_part = |warp: &Vec<i64>, shift| warp::covered_in_part(warp, self.bytes, unit, shift);
        self.mean(unit, iterations, |warps, shift| warps.iter().map(|warp| in_part(warp, shift)).sum())
    }

    /// The sectors that each warp touches alone in their line of L2, summed over the warps, as the mean over the iterations of a
    /// loop.
    pub(super) fn lone(&self, iterations: Option<(u32, u64)>) -> Exact {
        let lone = |warp: &Vec<i64>, shift| warp::lone_sectors(warp, self.bytes, shift);
        self.mean(LINE, iterations, |warps, shift| warps.iter().map(|warp| lone(warp, shift)).sum())
    }

    /// The units of `unit` bytes that each warp would touch, summed over the warps, if its lanes accessed neighbouring
    /// bytes from its first address on; as the mean over the iterations of a loop.
    pub(super) fn side_by_side(&self, unit: u64, iterations: Option<(u32, u64)>) -> Exact {
        let touched = |warp: &Vec<i64>, shift| {
            let first = warp.iter().min().copied().unwrap_or(0);
            let units = units(first.wrapping_add(shift), warp.len() as u64 * self.bytes, unit);
            (units.end() - units.start() + 1).unsigned_abs()
        };
        self.mean(unit, iterations, |warps, shift| warps.iter().map(|warp| touched(warp, shift)).sum())
    }

    /// Passes of L1: lines of `line` bytes that lanes want together.
    pub(super) fn l1_passes(&self, line: u64, iterations: Option<(u32, u64)>) -> Exact {
        let passes =
            |warps: &[Vec<i64>], shift| warps.iter().map(|warp| warp::l1_passes(warp, self.bytes, line, shift)).sum();
        self.mean(line, iterations, passes) * Exact::from(instructions(self.bytes))
    }

    /// Passes of local memory: work items with other numbers from data have no bank conflict with each other.
    pub(super) fn local_passes(&self, banks: MemoryBanks) -> u64 {
        let passes = |warp: &Vec<i64>| {
            let class = |one: &i64, other: &i64| one >> CLASS_BITS == other >> CLASS_BITS;
            let of_each = warp.chunk_by(class).map(|part| banks.local_passes(part, self.bytes, self.warp_size));
            of_each.max().unwrap_or(0)
        };
        self.warps().iter().map(passes).sum::<u64>() * instructions(self.bytes)
    }

    /// Different sectors that the group touches in an iteration, as the mean over the iterations of a loop: what an
    /// iteration has in common with the one before it comes from L1.
    pub(super) fn of_group(&self, iterations: Option<(u32, u64)>) -> Exact {
        // A number that each iteration has for itself leaves nothing in common.
        let changes = self.known.data().any(|(data, _)| data.number >= self.data_from);
        let iterations = iterations.filter(|_| !changes);
        let positions = self.positions(SECTOR);
        let all = (0..positions).map(|position| self.of_group_at(&self.all_at(position), iterations));
        all.fold(Exact::ZERO, |sum, one| sum + one) / Exact::from(positions)
    }

    /// The part of the group's sectors in an iteration that no iteration before it has touched.
    pub(super) fn fresh(&self, iterations: Option<(u32, u64)>) -> Exact {
        let of_each = |warps: &[Vec<i64>], shift| self.different(&warps.concat(), SECTOR, shift);
        (self.of_group(iterations) / self.mean(SECTOR, iterations, of_each)).min(Exact::ONE)
    }

    fn of_group_at(&self, all: &[i64], iterations: Option<(u32, u64)>) -> Exact {
        let first = self.different(all, SECTOR, 0);
        let Some((slope, times)) = iterations.and_then(|(counter, times)| Some((self.slope(counter)?, times))) else {
            return Exact::from(first);
        };
        // Behind a period all sectors have moved by whole sectors.
        let period = (SECTOR / gcd(SECTOR, slope.unsigned_abs()).max(1)).min(times.saturating_sub(1)).max(1);
        let mut touched: BTreeSet<i64> = BTreeSet::new();
        for iteration in 0..=period {
            look(Phase::Sectors);
            let shift = slope.wrapping_mul(iteration.cast_signed());
            touched.extend(all.iter().flat_map(|address| units(address.wrapping_add(shift), self.bytes, SECTOR)));
        }
        let more = Exact::ratio((touched.len() as u64).saturating_sub(first), period);
        (Exact::from(first) + Exact::from(times - 1) * more) / Exact::from(times)
    }

    /// Sectors that the groups that run together touch, divided by those of all groups by themselves: at most 1.
    pub(super) fn shared(&self, concurrent: u64, grid: [u64; 3]) -> Exact {
        let mut own: Vec<i64> = self.items.ones().map(|lane| self.known.base.at(lane, self.shape)).collect();
        own.sort_unstable();
        own.dedup();
        let mut sectors: Vec<i64> = own.iter().flat_map(|address| units(*address, self.bytes, SECTOR)).collect();
        sectors.sort_unstable();
        sectors.dedup();
        let known = self.distances.map_or(u64::MAX, |distances| distances.len() as u64);
        let groups = concurrent.min(grid.iter().product()).min(known);
        let runs = runs(&sectors);
        let offsets: Vec<i64> = self.offsets(concurrent, grid).into_iter().map(sector).collect();
        let spans = |offset: &i64| {
            look(Phase::Sectors);
            runs.iter().map(move |(start, end)| (start + offset, end + offset)).collect::<Vec<_>>()
        };
        let mut spans: Vec<(i64, i64)> = offsets.iter().flat_map(spans).collect();
        spans.sort_unstable();
        Exact::ratio(covered(&spans), groups.saturating_mul(sectors.len() as u64).max(1)).min(Exact::ONE)
    }

    /// The different distances in bytes of the groups that run together from the first one, launched along x first.
    fn offsets(&self, concurrent: u64, grid: [u64; 3]) -> BTreeSet<i64> {
        if let Some(distances) = self.distances {
            let concurrent = usize::try_from(concurrent).unwrap_or(usize::MAX);
            return distances.iter().take(concurrent.max(1)).copied().collect();
        }
        let slope = |axis: u8| match self.known.slope(Symbol::Group(axis)) {
            Some(Slope::By(Lanes::Same(slope))) => *slope,
            Some(_) => 1 << 30,
            None => 0,
        };
        let slopes = [slope(0), slope(1), slope(2)];
        let [x, y, z] = grid;
        let full_rows = (concurrent / x.max(1)).min(y.saturating_mul(z));
        let rest = concurrent - full_rows * x;
        let mut offsets = BTreeSet::new();
        for row in 0..=full_rows.min(MOST_GROUPS) {
            look(Phase::Sectors);
            let along = if row < full_rows { x } else { rest };
            let (row_y, row_z) = ((row % y.max(1)).cast_signed(), (row / y.max(1)).cast_signed());
            let start = slopes[1].wrapping_mul(row_y).wrapping_add(slopes[2].wrapping_mul(row_z));
            let along = if slopes[0] == 0 { along.min(1) } else { along.min(MOST_GROUPS) };
            offsets.extend((0..along).map(|group| start.wrapping_add(slopes[0].wrapping_mul(group.cast_signed()))));
        }
        if offsets.is_empty() {
            offsets.insert(0);
        }
        offsets
    }

    /// The slope of a counter if it is the same in all work items.
    fn slope(&self, counter: u32) -> Option<i64> {
        match self.known.slope(Symbol::Counter(counter))? {
            Slope::By(Lanes::Same(slope)) => Some(*slope),
            _ => None,
        }
    }

    /// The mean of a count over the iterations of a loop, and over the places that data may choose. A period moves all addresses
    /// by whole units: each has the same count.
    fn mean(&self, unit: u64, iterations: Option<(u32, u64)>, count: impl Fn(&[Vec<i64>], i64) -> u64) -> Exact {
        let positions = self.positions(unit);
        let repeated = iterations.and_then(|(counter, times)| Some((self.slope(counter)?, times)));
        let period =
            repeated.map_or(1, |(slope, times)| (unit / gcd(unit, slope.unsigned_abs()).max(1)).min(times).max(1));
        let (slope, times) = repeated.unwrap_or((0, 1));
        let (periods, rest) = (Exact::from(times / period), times % period);
        let at = |position| {
            let warps = self.warps_at(position);
            let of_iteration = |iteration: u64| {
                look(Phase::Sectors);
                count(&warps, slope.wrapping_mul(iteration.cast_signed()))
            };
            let counts: Vec<u64> = (0..period).map(of_iteration).collect();
            let (first, all) = (&counts[..usize::try_from(rest).unwrap_or(0)], &counts);
            periods * Exact::from(all.iter().sum::<u64>()) + Exact::from(first.iter().sum::<u64>())
        };
        (0..positions).map(at).fold(Exact::ZERO, |sum, one| sum + one) / Exact::from(times * positions)
    }

    /// The different units that some addresses touch.
    fn different(&self, addresses: &[i64], unit: u64, shift: i64) -> u64 {
        warp::different(addresses, self.bytes, unit, shift)
    }
}

/// The number of the sector that contains an address.
fn sector(address: i64) -> i64 {
    address.div_euclid(SECTOR.cast_signed())
}

/// The runs of neighbouring numbers in a sorted list: first and last.
fn runs(numbers: &[i64]) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    runs
}

/// The number of integers in sorted spans.
fn covered(spans: &[(i64, i64)]) -> u64 {
    let mut covered = 0;
    let mut end = i64::MIN;
    for (first, last) in spans {
        let first = (*first).max(end);
        if *last >= first {
            covered += (last - first + 1).unsigned_abs();
            end = last + 1;
        }
    }
    covered
}
