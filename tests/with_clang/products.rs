//! The examples with asynchronous copies and matrix instructions, counted by formulas.

use std::collections::BTreeMap;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Argument, Assumptions, Compiler, Executed, Maker, MatrixShape, MatrixType, SourceKernel, SourceLaunch,
    SourceMemory, Target,
};

use super::counting::accesses;
use super::{VERSIONS, Written, clang, macros};

/// A choice of the product's parameters, and the edge of the matrices.
#[derive(Debug, Clone, Copy)]
struct Choice {
    rows: u64,
    columns: u64,
    depth: u64,
    stages: u64,
    warps: [u64; 2],
    n: u64,
}

impl Choice {
    fn warps(self) -> u64 {
        self.warps[0] * self.warps[1]
    }

    fn groups(self) -> u64 {
        (self.n / self.rows) * (self.n / self.columns)
    }

    fn kernel(self, version: &str) -> Arc<SourceKernel> {
        let written = Written::new(&[("matmul_mma.cu", include_str!("../../examples/kernels/matmul_mma.cu"))]);
        let target = Target::Nvidia(80);
        let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
        let defined = [
            ("BM", self.rows),
            ("BN", self.columns),
            ("BK", self.depth),
            ("STAGES", self.stages),
            ("WARPS_M", self.warps[0]),
            ("WARPS_N", self.warps[1]),
            ("GROUP_M", 8),
            ("SWIZZLE", 1),
        ];
        let defined: Vec<(&str, String)> = defined.iter().map(|(name, value)| (*name, value.to_string())).collect();
        let defined: Vec<(&str, &str)> = defined.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let made = compiler.compile(&macros(&defined)).unwrap_or_else(|why| panic!("{why}"));
        Arc::new(SourceKernel::read(&made.text, None, Maker::Nvidia).unwrap())
    }

    fn executed(self, version: &str) -> Executed {
        let argument = Argument::Integer(self.n.cast_signed());
        let launch = SourceLaunch {
            sizes: [u32::try_from(32 * self.warps()).unwrap(), 1, 1],
            groups: [self.groups(), 1, 1],
            group: [self.groups() / 2, 0, 0],
            arguments: [3, 4, 5].map(|position| (position, argument)).into(),
            shared: Some(self.local_bytes()),
            warp_size: 32,
            ..SourceLaunch::default()
        };
        self.kernel(version).execute(&launch, &Assumptions::default(), &Limits::default()).unwrap()
    }

    /// Bytes of all tiles: 2 for each number.
    fn local_bytes(self) -> u64 {
        self.stages * (self.rows + self.columns) * self.depth * 2
    }

    /// The executions by the warps of a group: copies of 32 times 16 bytes, fragments of 16 x 16 numbers, products of
    /// 16 x 8 x 16.
    fn expected(self) -> BTreeMap<Counted, u64> {
        let Self { rows, columns, depth, n, .. } = self;
        let iterations = n / depth;
        let fragments = self.warps() * (rows / self.warps[0] + columns / self.warps[1]) / 16;
        BTreeMap::from([
            (Counted::Copies, iterations * (rows + columns) * depth * 2 / 512),
            (Counted::Fragments, iterations * (depth / 16) * fragments),
            (Counted::Products, rows * columns * n / 2048),
            (Counted::Barriers, iterations * self.warps()),
            (Counted::Waits, iterations * self.warps()),
            // A lane stores two pieces of two neighbours for each product of the last iteration.
            (Counted::Stores, rows * columns / 32),
        ])
    }
}

/// A kind of statement of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Counted {
    Copies,
    Fragments,
    Products,
    Barriers,
    Waits,
    Stores,
}

/// The executions by warps.
fn counts(executed: &Executed) -> BTreeMap<Counted, u64> {
    let mut counts = BTreeMap::new();
    for (access, items, times) in accesses(executed) {
        let counted = match (access.kind, access.memory) {
            (AccessKind::Copy, _) => Counted::Copies,
            (AccessKind::Load, SourceMemory::Local) => Counted::Fragments,
            (AccessKind::Product { shape: MatrixShape([16, 8, 16]), of: MatrixType::Fp16 }, _) => Counted::Products,
            (AccessKind::Barrier, _) => Counted::Barriers,
            (AccessKind::Wait(..), _) => Counted::Waits,
            (AccessKind::Store, SourceMemory::Global) => Counted::Stores,
            (AccessKind::Commit(_), _) => continue,
            other => panic!("{other:?}"),
        };
        *counts.entry(counted).or_default() += times * items as u64 / 32;
    }
    counts
}

#[test]
fn a_product_with_copies_is_counted_by_its_formulas() {
    let choice = |[rows, columns, depth, stages]: [u64; 4], warps, n| Choice { rows, columns, depth, stages, warps, n };
    for (choice, versions) in [
        (choice([128, 128, 32, 4], [2, 2], 4096), &VERSIONS[..]),
        (choice([128, 256, 64, 3], [2, 4], 2048), &VERSIONS[1..]),
        (choice([64, 128, 64, 2], [1, 4], 1024), &VERSIONS[1..]),
        (choice([64, 64, 32, 6], [2, 2], 4096), &VERSIONS[1..]),
        (choice([64, 64, 32, 8], [2, 2], 4096), &VERSIONS[1..]),
    ] {
        for version in versions {
            let executed = choice.executed(version);
            assert_eq!(counts(&executed), choice.expected(), "{choice:?} {version}");
            // The order of tiles and the rotating stages leave the loop to be folded.
            assert!(executed.blocks < 40 * choice.stages, "{choice:?} {version}: {}", executed.blocks);
        }
    }
}
