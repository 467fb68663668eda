//! The geometry of one access: its lanes' passes of local memory and of L1, and their sectors of L2.

use num_integer::gcd;

/// Bytes of a word: of a register of a work item, and of a bank of local memory.
pub(super) const WORD: u64 = 4;

/// The most words that one instruction moves for a lane.
const MOST_WORDS: u64 = 4;

/// The most bytes that one instruction moves for a lane.
pub(super) const WIDEST: u64 = WORD * MOST_WORDS;

/// Bytes of one request to L2.
pub(crate) const SECTOR: u64 = 32;

/// Lanes that L1 serves at a time if each wants one word.
pub(super) const L1_LANES: u64 = 32;

/// The number of warps that are counted to represent a whole group.
const SAMPLE: u64 = 16;

/// Instructions of an access of `width` bytes of a lane.
pub(crate) fn instructions(width: u64) -> u64 {
    width.div_ceil(WIDEST).max(1)
}

/// Words that one instruction of an access of `width` bytes moves for a lane.
pub(super) fn words(width: u64) -> u64 {
    width.div_ceil(WORD).clamp(1, MOST_WORDS)
}

/// The bytes that the lanes of a work group access: the first `items` in lane order, `width` bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lanes {
    /// Work items along x, y, z.
    pub(crate) dims: [u64; 3],
    /// Bytes between neighbours along x, y, z.
    pub(crate) strides: [u64; 3],
    pub(crate) width: u64,
    pub(crate) items: u64,
}

/// A count over the first warps of a group, summed over `warps` warps and `starts` first addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) sum: u64,
    /// The number of counted warps.
    pub(crate) warps: u64,
    /// The number of places in a line at which the data may start.
    pub(crate) starts: u64,
}

/// The banks of local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Banks {
    pub(crate) number: u64,
    /// True if words i and i + `number` of an aligned row of 2 * `number` words share a pass.
    pub(crate) paired: bool,
}

impl Lanes {
    /// Instructions of one access.
    pub(crate) fn instructions(&self) -> u64 {
        instructions(self.width)
    }

    /// Words that one instruction of the access moves for a lane.
    fn words(&self) -> u64 {
        words(self.width)
    }

    /// The lanes as if neighbours in lane order accessed neighbouring bytes, with the same possible first addresses.
    pub(super) fn side_by_side(&self) -> Self {
        let [_, y, z] = self.strides;
        Self { dims: [self.dims.iter().product(), 1, 1], strides: [self.width, y, z], ..*self }
    }

    fn address(&self, lane: u64) -> u64 {
        let [x, y, _] = self.dims;
        let along = [lane % x, lane / x % y, lane / x / y];
        along.iter().zip(&self.strides).map(|(id, stride)| id * stride).sum()
    }

    /// The counted warps as ranges of lanes.
    fn warps(&self, warp_size: u64) -> impl Iterator<Item = (u64, u64)> {
        let warps = self.items.div_ceil(warp_size).min(SAMPLE);
        (0..warps).map(move |warp| (warp * warp_size, ((warp + 1) * warp_size).min(self.items)))
    }

    /// The lanes of a warp in parts of at most `size`.
    fn parts((begin, end): (u64, u64), size: u64) -> impl Iterator<Item = std::ops::Range<u64>> {
        (0..(end - begin).div_ceil(size)).map(move |part| begin + part * size..(begin + (part + 1) * size).min(end))
    }

    /// The lanes of a warp whose accesses of local memory are served together: the size of a sub-group.
    fn sub_group(&self, warp: (u64, u64), warp_size: u64, banks: Banks) -> u64 {
        let words = self.words();
        let merged = words > 1 && (self.reads_neighbours(warp, 1) || self.reads_neighbours(warp, 2));
        let split = if merged { words / 2 } else { words };
        (warp_size.min(banks.number) / split).max(1)
    }

    /// True if every lane reads the words of the lane whose number differs in `bit`.
    fn reads_neighbours(&self, (begin, end): (u64, u64), bit: u64) -> bool {
        let neighbour = |lane: &u64| begin + ((lane - begin) ^ bit);
        (begin..end)
            .filter(|lane| neighbour(lane) < end)
            .all(|lane| self.address(lane) == self.address(neighbour(&lane)))
    }

    /// Passes of local memory of one instruction: a sub-group takes the greatest number of different words in one bank.
    pub(crate) fn local_passes(&self, warp_size: u64, banks: Banks) -> Count {
        let mut count = Count { sum: 0, warps: 0, starts: 1 };
        let mut words = Vec::new();
        let bytes = self.width.min(WIDEST);
        for warp in self.warps(warp_size) {
            count.warps += 1;
            for part in Self::parts(warp, self.sub_group(warp, warp_size, banks)) {
                words.clear();
                words.extend(part.flat_map(|lane| units(self.address(lane), bytes, WORD)));
                count.sum += banks.passes(&mut words);
            }
        }
        count
    }

    /// Sub-groups of the warps: the passes of one instruction without a bank conflict.
    pub(crate) fn sub_groups(&self, warp_size: u64, banks: Banks) -> Count {
        let mut count = Count { sum: 0, warps: 0, starts: 1 };
        let size = (warp_size.min(banks.number) / self.words()).max(1);
        for (begin, end) in self.warps(warp_size) {
            count.warps += 1;
            count.sum += (end - begin).div_ceil(size);
        }
        count
    }

    /// Passes of L1 of one instruction: one for each different line that a sub-group touches.
    pub(super) fn l1_passes(&self, warp_size: u64, line: u64) -> Count {
        let bytes = self.width.min(WIDEST);
        let lanes = (L1_LANES / self.words()).max(1);
        let starts = self.starts(line);
        let mut count = Count { sum: 0, warps: 0, starts: starts.len() };
        for warp in self.warps(warp_size) {
            count.warps += 1;
            for part in Self::parts(warp, lanes) {
                count.sum += self.different(part, bytes, line, &starts);
            }
        }
        count
    }

    /// Different sectors that each warp asks for, summed over the warps.
    pub(crate) fn sectors_of_warps(&self, warp_size: u64) -> Count {
        let starts = self.starts(SECTOR);
        let mut count = Count { sum: 0, warps: 0, starts: starts.len() };
        for (begin, end) in self.warps(warp_size) {
            count.warps += 1;
            count.sum += self.different(begin..end, self.width, SECTOR, &starts);
        }
        count
    }

    /// Different sectors that the group asks for.
    pub(super) fn sectors_of_group(&self) -> Count {
        let starts = self.starts(SECTOR);
        let sum = self.different(0..self.items, self.width, SECTOR, &starts);
        Count { sum, warps: 1, starts: starts.len() }
    }

    /// Bytes between the places in a line at which the data may start: a divisor of the line.
    pub(super) fn start_step(&self, line: u64) -> u64 {
        self.starts(line).step
    }

    /// The places in a line at which the data may start: the multiples that the pitches of the rows allow.
    fn starts(&self, line: u64) -> Starts {
        Starts { step: self.strides[1..].iter().fold(line, |step, stride| gcd(step, *stride)), line }
    }

    /// The number of different lines that some lanes touch, summed over the starts.
    fn different(&self, lanes: std::ops::Range<u64>, bytes: u64, line: u64, starts: &Starts) -> u64 {
        let mut touched = Vec::new();
        let mut sum = 0;
        for start in starts.all() {
            touched.clear();
            touched.extend(lanes.clone().flat_map(|lane| units(self.address(lane) + start, bytes, line)));
            sum += different(&mut touched);
        }
        sum
    }
}

/// The multiples of `step` below `line`.
struct Starts {
    step: u64,
    line: u64,
}

impl Starts {
    fn len(&self) -> u64 {
        self.line / self.step
    }

    fn all(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|start| start * self.step)
    }
}

impl Banks {
    /// The passes for these words: the greatest number of different words in a bank.
    pub(super) fn passes(self, words: &mut Vec<u64>) -> u64 {
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
        words.chunk_by(|one, next| one == next).map(|bank| bank.len() as u64).max().unwrap_or(0)
    }
}

/// The indices of the units of `size` bytes that contain the bytes.
fn units(address: u64, bytes: u64, size: u64) -> std::ops::RangeInclusive<u64> {
    address / size..=(address + bytes.max(1) - 1) / size
}

/// The number of different numbers, which are nearly always sorted already.
fn different(numbers: &mut Vec<u64>) -> u64 {
    if !numbers.is_sorted() {
        numbers.sort_unstable();
    }
    numbers.dedup();
    numbers.len() as u64
}
