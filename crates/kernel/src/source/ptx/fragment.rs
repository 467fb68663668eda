//! Parts of matrices that a warp loads or stores at once, `wmma.load` and `wmma.store`: what each lane accesses.
//!
//! A lane holds the elements that `mma` wants of it: a part of one of 8 rows, beside 3 other lanes. So an
//! instruction reaches 8 rows by 4 neighbouring lanes each, or 4 rows by 8 lanes where the matrix is stored the other way
//! round. Numbers of 16 bits are turned round on their way, and rows of factors come from local memory by `ldmatrix`. The
//! product of 8 x 32 is computed as that of 32 x 8, turned round. The rules are those of what NVIDIA's assembler (12.4)
//! makes for `sm_80`; the GPUs of `sm_70` reach the same sectors by wider loads.

/// Bytes of a row that `ldmatrix` loads.
const ROW: u64 = 16;

/// Bytes of a sector: the loads that share sectors are one access.
const SECTOR: u64 = 32;

/// The most rows of one `ldmatrix`.
const MOST_ROWS: usize = 32;
/// The lanes of a warp.
const LANES: u64 = 32;

/// The part of a matrix that a warp loads or stores, as memory has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) struct Fragment {
    /// The rows in memory.
    rows: u64,
    /// The elements of a row in memory.
    length: u64,
    /// The bytes of an element.
    bytes: u64,
    /// The neighbouring elements of a lane.
    width: u64,
    /// True if a lane's neighbouring elements are neighbours in memory, too.
    is_straight: bool,
    /// True for a factor, false for a sum.
    is_factor: bool,
}

/// An access of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) struct LaneBytes {
    /// The byte of each lane that takes part, from the fragment's first one on.
    pub(in crate::source) offsets: Vec<i64>,
    /// The bytes of a lane.
    pub(in crate::source) bytes: u64,
    /// The instructions that make the access, each of them a part of each lane's bytes.
    pub(in crate::source) split: u64,
}

impl Fragment {
    /// The fragment `letter` of a product of M, N and K: `a`, `b`, `c` or `d`, by its layout and its type of PTX. `None`
    /// if there is no such fragment.
    pub(super) fn new(letter: &str, layout: &str, [m, n, k]: [u64; 3], of: &str) -> Option<Self> {
        let is_factor = matches!(letter, "a" | "b");
        let bytes = match of {
            "s8" | "u8" if is_factor => 1,
            "bf16" if is_factor => 2,
            "tf32" if is_factor => 4,
            "f32" | "s32" if !is_factor => 4,
            "f16" => 2,
            "f64" => 8,
            _ => return None,
        };
        // A lane's neighbouring elements lie along k, and along the shorter side for a sum.
        let (lines, along) = match letter {
            "a" => (m, k),
            "b" => (n, k),
            "c" | "d" => (m.max(n), m.min(n)),
            _ => return None,
        };
        let is_turned = letter == "b" || !is_factor && m < n;
        let is_straight = match layout {
            "row" => !is_turned,
            "col" => is_turned,
            _ => return None,
        };
        let (rows, length) = if is_straight { (lines, along) } else { (along, lines) };
        let width = if is_factor { (4 / bytes).max(1) } else { 2 };
        let is_straight = is_straight || bytes == 2;
        let fragment = Self { rows, length, bytes, width, is_straight, is_factor };
        let [down, across] = fragment.reach();
        let is_whole = |extent: u64, of: u64| extent > 0 && extent.is_multiple_of(of);
        (is_whole(rows, down) && is_whole(length, across)).then_some(fragment)
    }

    /// The rows and the elements of a row that one instruction reaches, or several that take turns.
    fn reach(&self) -> [u64; 2] {
        if self.is_straight { [8, 4 * self.width] } else { [4 * self.width, 8] }
    }

    /// The elements of a row.
    pub(in crate::source) fn length(&self) -> u64 {
        self.length
    }

    /// The accesses of a warp to a fragment whose rows are `stride` elements apart.
    pub(in crate::source) fn accesses(&self, is_local: bool, is_store: bool, stride: i64) -> Vec<LaneBytes> {
        let pitch = stride.wrapping_mul(self.bytes.cast_signed());
        if is_local && !is_store && self.is_factor && self.is_straight && 4 * self.width * self.bytes == ROW {
            return self.matrices(pitch);
        }
        let [down, across] = self.reach();
        // The neighbours that share a sector with what an instruction loads of a row.
        let neighbours = (SECTOR / (across * self.bytes)).clamp(1, self.length / across);
        let split = if is_local || is_store { 1 } else { neighbours };
        let mut accesses = Vec::new();
        let turns = if self.is_straight { 1 } else { self.width };
        for row in (0..self.rows).step_by(step(down)) {
            for turn in 0..turns {
                for column in (0..self.length).step_by(step(across * split)) {
                    accesses.push(self.access([row + turn, column], split, pitch));
                }
            }
        }
        accesses
    }

    /// The access that begins at a row and an element of it.
    fn access(&self, [row, column]: [u64; 2], split: u64, pitch: i64) -> LaneBytes {
        let place = |lane: u64| {
            let (quad, within) = (lane / 4, lane % 4);
            let [row, column] = if self.is_straight {
                [row + quad, column + within * self.width * split]
            } else {
                [row + within * self.width, column + quad * split]
            };
            pitch.wrapping_mul(row.cast_signed()).wrapping_add((column * self.bytes).cast_signed())
        };
        let each = if self.is_straight { self.width } else { 1 };
        LaneBytes { offsets: (0..32).map(place).collect(), bytes: each * self.bytes * split, split }
    }

    /// The words of a lane if this is a factor; `None` for a sum.
    pub(in crate::source) fn factor_words(&self) -> Option<u64> {
        self.is_factor.then(|| (self.rows * self.length * self.bytes).div_ceil(4 * LANES))
    }

    /// The fragment by `ldmatrix`: a row of 16 bytes for each lane, in matrices of 8 rows, up to four at a time.
    fn matrices(&self, pitch: i64) -> Vec<LaneBytes> {
        let pieces = (0..self.length * self.bytes).step_by(step(ROW));
        let rows = pieces.flat_map(|piece| {
            (0..self.rows).map(move |row| pitch.wrapping_mul(row.cast_signed()).wrapping_add(piece.cast_signed()))
        });
        let rows: Vec<i64> = rows.collect();
        rows.chunks(MOST_ROWS).map(|rows| LaneBytes { offsets: rows.to_vec(), bytes: ROW, split: 1 }).collect()
    }
}

/// A number of elements as a step of an iterator.
fn step(elements: u64) -> usize {
    usize::try_from(elements).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [u64; 3] = [16, 16, 16];

    fn fragment(letter: &str, layout: &str, shape: [u64; 3], of: &str) -> Fragment {
        Fragment::new(letter, layout, shape, of).unwrap_or_else(|| panic!("{letter} {layout} {shape:?} {of}"))
    }

    /// The bytes of a fragment that its accesses reach, sorted.
    fn reached(accesses: &[LaneBytes]) -> Vec<i64> {
        let bytes = |one: &LaneBytes| {
            let each = one.bytes.cast_signed();
            one.offsets.iter().flat_map(move |offset| *offset..offset + each).collect::<Vec<_>>()
        };
        let mut all: Vec<i64> = accesses.iter().flat_map(bytes).collect();
        all.sort_unstable();
        all
    }

    /// Every fragment of every shape: each byte is reached once, whatever the layout, the memory and the direction.
    #[test]
    fn each_byte_is_accessed_once() {
        let (wide, high) = ([8, 32, 16], [32, 8, 16]);
        for (shapes, letters, types) in [
            (&[SQUARE, wide, high][..], &["a", "b"][..], &["f16", "bf16", "s8", "u8"][..]),
            (&[SQUARE, wide, high], &["c", "d"], &["f16", "f32", "s32"]),
            (&[[16, 16, 8]], &["a", "b"], &["tf32"]),
            (&[[16, 16, 8]], &["c", "d"], &["f32"]),
            (&[[8, 8, 4]], &["a", "b", "c", "d"], &["f64"]),
        ] {
            for (shape, letter, of) in itertools(shapes, letters, types) {
                for layout in ["row", "col"] {
                    let fragment = fragment(letter, layout, shape, of);
                    let (rows, row) = (fragment.rows.cast_signed(), (fragment.length * fragment.bytes).cast_signed());
                    let stride = 3 * fragment.length.cast_signed();
                    for (is_local, is_store) in [(false, false), (false, true), (true, false), (true, true)] {
                        let expected: Vec<i64> = (0..rows).flat_map(|at| 3 * at * row..3 * at * row + row).collect();
                        let found = reached(&fragment.accesses(is_local, is_store, stride));
                        assert_eq!(found, expected, "{letter} {layout} {shape:?} {of}");
                    }
                }
            }
        }
    }

    fn itertools<'a>(
        shapes: &'a [[u64; 3]],
        letters: &'a [&'a str],
        types: &'a [&'a str],
    ) -> impl Iterator<Item = ([u64; 3], &'a str, &'a str)> {
        shapes.iter().flat_map(move |shape| {
            letters.iter().flat_map(move |letter| types.iter().map(move |of| (*shape, *letter, *of)))
        })
    }

    /// The accesses, the lanes and the bytes of the first one, and the instructions that make it.
    fn counts(letter: &str, layout: &str, of: &str, is_local: bool, is_store: bool) -> [u64; 4] {
        let accesses = fragment(letter, layout, SQUARE, of).accesses(is_local, is_store, 64);
        let first = &accesses[0];
        [accesses.len() as u64, first.offsets.len() as u64, first.bytes, first.split]
    }

    #[test]
    fn instructions_are_those_of_the_layout_of_mma() {
        for ((letter, layout, of, is_local, is_store), expected) in [
            // 16 rows of 32 bytes: two times 8 rows, each by two instructions of 4 bytes a lane
            (("a", "row", "f16", false, false), [2, 32, 8, 2]),
            (("b", "row", "bf16", false, false), [2, 32, 8, 2]),
            // ldmatrix.x4
            (("a", "row", "f16", true, false), [1, 32, 16, 1]),
            (("a", "col", "f16", true, false), [1, 32, 16, 1]),
            (("a", "row", "s8", true, false), [1, 16, 16, 1]),
            // 16 rows of 16 bytes
            (("a", "row", "s8", false, false), [2, 32, 4, 1]),
            // elements of 8 bits are not turned round: four turns, and two instructions share the rows of 16 bytes
            (("a", "col", "s8", false, false), [4, 32, 2, 2]),
            // sums: 8 rows of 32 bytes, 8 bytes a lane; the other way round a word a lane
            (("c", "row", "f32", false, false), [4, 32, 8, 1]),
            (("d", "col", "f32", false, true), [8, 32, 4, 1]),
            (("d", "row", "f32", true, true), [4, 32, 8, 1]),
            // stores do not wait for one another
            (("d", "row", "f16", false, true), [4, 32, 4, 1]),
            (("c", "col", "f16", false, false), [2, 32, 8, 2]),
        ] {
            assert_eq!(counts(letter, layout, of, is_local, is_store), expected, "{letter} {layout} {of} {is_local}");
        }
    }

    #[test]
    fn what_is_no_fragment_is_not_made_one() {
        for (letter, layout, shape, of) in [
            ("a", "row", SQUARE, "s4"),
            ("a", "row", SQUARE, "f32"),
            ("d", "row", SQUARE, "bf16"),
            ("e", "row", SQUARE, "f16"),
            ("a", "diagonal", SQUARE, "f16"),
            ("a", "row", [7, 16, 16], "f16"),
            ("a", "row", [16, 16, 0], "f16"),
        ] {
            assert_eq!(Fragment::new(letter, layout, shape, of), None, "{letter} {layout} {shape:?} {of}");
        }
    }
}
