//! The kinds of accesses.

use crate::source::matrix_type::{MatrixShape, MatrixType};

/// The kinds of accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic operation.
    Atomic,
    /// A barrier of the group.
    Barrier,
    /// A barrier of all groups of the launch.
    GridBarrier,
    /// An exchange between the lanes of a warp.
    Shuffle,
    /// A copy from global to local memory that a work item starts: the access to global memory.
    Copy,
    /// The start of a copy of a tile from global to local memory, by one work item for its group.
    LoadTile,
    /// The same from local to global memory.
    StoreTile,
    /// The end of a group of what a warp has started.
    Commit(Asynchronous),
    /// A wait until all groups but this many last ones are done.
    Wait(Asynchronous, u32),
    /// An instruction of a warp on the matrix units.
    Product {
        /// M, N and K.
        shape: MatrixShape,
        /// The type of the factors.
        of: MatrixType,
    },
    /// A warp's part of an instruction of four warps on the matrix units, which goes on while the warp does.
    WarpGroupProduct {
        /// M, N and K of the part: a quarter of the rows.
        shape: MatrixShape,
        /// The type of the factors.
        of: MatrixType,
        /// True if the first factor lies in local memory; false if it lies in registers.
        has_local_a: bool,
    },
}

/// A kind of work that goes on while a warp does: its groups end and are waited for apart from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asynchronous {
    /// Copies of each work item.
    Copies,
    /// Products of four warps.
    Products,
    /// Copies of tiles to local memory, each a group of its own.
    Tiles,
}

impl AccessKind {
    /// Numbers that no other kind has.
    pub(in crate::source) fn words(self) -> [i64; 3] {
        match self {
            Self::Load => [0, 0, 0],
            Self::Store => [1, 0, 0],
            Self::Atomic => [2, 0, 0],
            Self::Barrier => [3, 0, 0],
            Self::GridBarrier => [13, 0, 0],
            Self::Shuffle => [4, 0, 0],
            Self::Copy => [5, 0, 0],
            Self::LoadTile => [11, 0, 0],
            Self::StoreTile => [12, 0, 0],
            Self::Commit(what) => [6, what as i64, 0],
            Self::Wait(what, pending) => [7, what as i64, pending.into()],
            Self::Product { shape, of } => [8, of as i64, shape.word()],
            Self::WarpGroupProduct { shape, of, has_local_a: false } => [9, of as i64, shape.word()],
            Self::WarpGroupProduct { shape, of, has_local_a: true } => [10, of as i64, shape.word()],
        }
    }

    /// True for what neither reads nor writes memory by addresses.
    #[must_use]
    pub fn is_mark(self) -> bool {
        self.is_barrier() || matches!(self, Self::Commit(_) | Self::Wait(..)) || self.product().is_some()
    }

    /// True for a barrier of the group or of all groups.
    #[must_use]
    pub fn is_barrier(self) -> bool {
        matches!(self, Self::Barrier | Self::GridBarrier)
    }

    /// True if the order of such an access among its neighbours matters.
    #[must_use]
    pub fn keeps_order(self) -> bool {
        matches!(self, Self::Copy | Self::LoadTile | Self::Commit(_) | Self::Wait(..)) || self.product().is_some()
    }

    /// The products of a warp on the matrix units: M, N and K, and the type of the factors. `None` for other kinds.
    #[must_use]
    pub fn product(self) -> Option<(MatrixShape, MatrixType)> {
        match self {
            Self::Product { shape, of } | Self::WarpGroupProduct { shape, of, .. } => Some((shape, of)),
            _ => None,
        }
    }

    /// True for copies of a work item for its group, whose lanes are the rows of a tile.
    #[must_use]
    pub fn is_of_tile(self) -> bool {
        matches!(self, Self::LoadTile | Self::StoreTile)
    }

    /// True for products that go on while the warp does.
    #[must_use]
    pub fn is_asynchronous(self) -> bool {
        matches!(self, Self::WarpGroupProduct { .. })
    }

    /// Words of a work item that hold the sums of a product of four warps, 32 work items in each; 0 for other kinds.
    #[must_use]
    pub fn sum_words(self) -> u64 {
        let Self::WarpGroupProduct { shape: MatrixShape([m, n, _]), .. } = self else { return 0 };
        u64::from(m) * u64::from(n) / 32
    }

    /// Bytes of local memory that a warp's part of a product of four warps takes up: a quarter of the factors that lie
    /// there. 0 for other kinds.
    #[must_use]
    pub fn factor_bytes(self) -> u64 {
        let Self::WarpGroupProduct { shape: MatrixShape([m, n, k]), of, has_local_a } = self else { return 0 };
        let [m, n, k] = [m, n, k].map(u64::from);
        let of_a = if has_local_a { m * k } else { 0 };
        (of_a + n * k / 4) * of.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_takes_its_rows_of_one_factor_and_a_quarter_of_the_other() {
        let product = |n, k, of, has_local_a| {
            AccessKind::WarpGroupProduct { shape: MatrixShape([16, n, k]), of, has_local_a }.factor_bytes()
        };
        // 64 x 16 and 16 x 128 halves: 2,048 and 4,096 bytes
        assert_eq!(product(128, 16, MatrixType::Fp16, true), (2048 + 4096) / 4);
        assert_eq!(product(128, 16, MatrixType::Bf16, false), 4096 / 4);
        assert_eq!(product(8, 8, MatrixType::Tf32, true), (64 * 8 * 4 + 8 * 8 * 4) / 4);
        assert_eq!(product(256, 32, MatrixType::Int8, false), 256 * 32 / 4);
        assert_eq!(AccessKind::Product { shape: MatrixShape([16, 8, 16]), of: MatrixType::Fp16 }.factor_bytes(), 0);
    }

    #[test]
    fn each_kind_has_its_words() {
        let shape = MatrixShape([16, 8, 16]);
        let of = MatrixType::Fp16;
        let group = |has_local_a| AccessKind::WarpGroupProduct { shape, of, has_local_a };
        let [copies, products] = [Asynchronous::Copies, Asynchronous::Products];
        let all = [
            AccessKind::Barrier,
            AccessKind::GridBarrier,
            AccessKind::Copy,
            AccessKind::Commit(copies),
            AccessKind::Commit(products),
            AccessKind::Wait(copies, 0),
            AccessKind::Wait(copies, 1),
            AccessKind::Wait(products, 1),
            AccessKind::Product { shape, of },
            AccessKind::Product { shape, of: MatrixType::Bf16 },
            group(false),
            group(true),
        ];
        let words: std::collections::BTreeSet<[i64; 3]> = all.iter().map(|kind| kind.words()).collect();
        assert_eq!(words.len(), all.len());
    }
}
