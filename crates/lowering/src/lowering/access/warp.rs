//! An instruction of a warp, by the addresses of its lanes: its passes of local memory and of L1, and the units of memory
//! that it touches.

use crate::gpu::Pipelined;

/// Bytes of a word: of a register of a work item, and of a bank of local memory.
pub(in crate::lowering) const WORD: u64 = 4;

/// Bytes of a pass of local memory: a word of each bank that a warp can reach at once.
pub(in crate::lowering) fn pass_bytes(gpu: &Pipelined) -> u64 {
    WORD * gpu.warp_size.min(gpu.shared_banks)
}

/// The most words that one instruction moves for a lane.
const MOST_WORDS: u64 = 4;

/// The most bytes that one instruction moves for a lane.
pub(in crate::lowering) const WIDEST: u64 = WORD * MOST_WORDS;

/// Bytes of one request to L2.
pub const SECTOR: u64 = 32;

/// Sectors of a line of L2.
const SECTORS_OF_LINE: i64 = 4;

/// Bytes of a line of L2.
pub(crate) const LINE: u64 = SECTOR * SECTORS_OF_LINE.unsigned_abs();

/// Lanes that L1 serves at a time if each wants one word.
const L1_LANES: u64 = 32;

/// Instructions of an access of `width` bytes of a lane.
#[must_use]
pub fn instructions(width: u64) -> u64 {
    width.div_ceil(WIDEST).max(1)
}

/// Words that one instruction of an access of `width` bytes moves for a lane.
fn words(width: u64) -> u64 {
    width.div_ceil(WORD).clamp(1, MOST_WORDS)
}

/// The banks of local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoryBanks {
    /// The number of banks.
    pub number: u64,
    /// True if words i and i + `number` of an aligned row of 2 * `number` words share a pass.
    pub(crate) paired: bool,
}

impl MemoryBanks {
    /// The passes for these words: the greatest number of different words in a bank.
    fn passes(self, words: &mut Vec<u64>) -> u64 {
        if self.paired {
            for word in words.iter_mut() {
                *word = *word / (2 * self.number) * self.number + *word % self.number;
            }
        }
        words.sort_unstable();
        words.dedup();
        for word in words.iter_mut() {
            *word %= self.number;
        }
        words.sort_unstable();
        words.chunk_by(|word, next| word == next).map(|bank| bank.len() as u64).max().unwrap_or(0)
    }

    /// The lanes whose accesses are served together: the size of a sub-group if a lane takes the room of `words` lanes.
    fn sub_group(self, warp_size: u64, words: u64) -> u64 {
        (warp_size.min(self.number) / words).max(1)
    }

    /// Passes of one instruction of `lanes` lanes of a warp without a bank conflict: its sub-groups.
    pub(in crate::lowering) fn sub_groups(self, lanes: u64, width: u64, warp_size: u64) -> u64 {
        lanes.div_ceil(self.sub_group(warp_size, words(width)))
    }

    /// Passes of one instruction of a warp whose lanes access `width` bytes at these addresses: each sub-group takes the
    /// greatest number of different words in one bank. Lanes that read the words of their neighbours leave room for as
    /// many others.
    pub(in crate::lowering) fn local_passes(self, addresses: &[i64], width: u64, warp_size: u64) -> u64 {
        let words = words(width);
        let merged = words > 1 && (reads_neighbours(addresses, 1) || reads_neighbours(addresses, 2));
        let lanes = self.sub_group(warp_size, if merged { words / 2 } else { words });
        let bytes = width.min(WIDEST);
        let mut touched = Vec::new();
        let passes = |part: &[i64]| {
            touched.clear();
            touched.extend(part.iter().flat_map(|address| units(*address, bytes, WORD)).map(i64::unsigned_abs));
            self.passes(&mut touched)
        };
        addresses.chunks(usize::try_from(lanes).unwrap_or(usize::MAX)).map(passes).sum()
    }
}

/// Passes of L1 of one instruction of a warp whose lanes access `width` bytes `shift` bytes behind these addresses: one
/// for each different line that a sub-group touches.
pub(in crate::lowering) fn l1_passes(addresses: &[i64], width: u64, line: u64, shift: i64) -> u64 {
    let lanes = usize::try_from(L1_LANES / words(width)).unwrap_or(1).max(1);
    addresses.chunks(lanes).map(|part| different(part, width.min(WIDEST), line, shift)).sum()
}

/// The different units of `unit` bytes that accesses of `width` bytes touch, `shift` bytes behind these addresses.
pub(in crate::lowering) fn different(addresses: &[i64], width: u64, unit: u64, shift: i64) -> u64 {
    let touched = || addresses.iter().flat_map(|address| units(address.wrapping_add(shift), width, unit));
    // The numbers are nearly always sorted: they need no place.
    different_sorted(touched()).unwrap_or_else(|| {
        let mut touched: Vec<i64> = touched().collect();
        touched.sort_unstable();
        touched.dedup();
        touched.len() as u64
    })
}

/// The sectors that accesses of `width` bytes touch alone in their line of L2, `shift` bytes behind these addresses.
pub(in crate::lowering) fn lone_sectors(addresses: &[i64], width: u64, shift: i64) -> u64 {
    let touched = addresses.iter().flat_map(|address| units(address.wrapping_add(shift), width, SECTOR));
    let mut touched: Vec<i64> = touched.collect();
    touched.sort_unstable();
    touched.dedup();
    let in_line = |one: &i64, other: &i64| one.div_euclid(SECTORS_OF_LINE) == other.div_euclid(SECTORS_OF_LINE);
    touched.chunk_by(in_line).filter(|line| line.len() == 1).count() as u64
}

/// The units of `unit` bytes that accesses of `width` bytes cover in part, `shift` bytes behind these addresses.
pub(in crate::lowering) fn covered_in_part(addresses: &[i64], width: u64, unit: u64, shift: i64) -> u64 {
    let (width, unit) = (width.max(1).cast_signed(), unit.cast_signed());
    let mut starts: Vec<i64> = addresses.iter().map(|address| address.wrapping_add(shift)).collect();
    starts.sort_unstable();
    // A unit is covered in part where a run of neighbouring bytes begins or ends within it.
    let within = |edge: i64| (edge.rem_euclid(unit) != 0).then(|| edge.div_euclid(unit));
    let runs = starts.chunk_by(|one, next| next.wrapping_sub(*one) <= width);
    let edges = runs.flat_map(|run| [run[0], run[run.len() - 1].wrapping_add(width)]);
    different_sorted(edges.filter_map(within)).unwrap_or(0)
}

/// The different numbers; `None` if they are not sorted.
fn different_sorted(numbers: impl Iterator<Item = i64>) -> Option<u64> {
    let (mut count, mut last) = (0, None);
    for number in numbers {
        if last.is_some_and(|last| number < last) {
            return None;
        }
        count += u64::from(last != Some(number));
        last = Some(number);
    }
    Some(count)
}

/// The numbers of the units of `unit` bytes that contain some bytes.
pub(in crate::lowering) fn units(address: i64, bytes: u64, unit: u64) -> std::ops::RangeInclusive<i64> {
    let unit = unit.cast_signed();
    address.div_euclid(unit)..=address.wrapping_add(bytes.max(1).cast_signed() - 1).div_euclid(unit)
}

/// True if every lane reads the words of the lane whose number differs in `bit`.
fn reads_neighbours(warp: &[i64], bit: usize) -> bool {
    warp.iter().enumerate().all(|(lane, address)| warp.get(lane ^ bit).is_none_or(|neighbour| neighbour == address))
}
