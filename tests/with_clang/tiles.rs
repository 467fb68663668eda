//! Copies of tiles that one work item starts, and waits for them at barriers in local memory, counted by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, AnalysisError, Argument, Assumptions, Asynchronous, Compiler, Executed, Maker, Shape, SourceAccess,
    SourceKernel, SourceLaunch, Target,
};

use super::counting::accesses;
use super::{VERSIONS, Written, clang, macros};

const TEXT: &str = include_str!("ptx/tiles.cu");

/// The execution of a kernel by 128 work items; `n` is the third argument.
fn executed(version: &str, name: &str, defined: &[(&str, &str)], n: i64) -> Result<Executed, AnalysisError> {
    let written = Written::new(&[("tiles.cu", TEXT)]);
    let target = Target::Nvidia(90);
    let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
    let made = compiler.compile(&macros(defined)).unwrap_or_else(|why| panic!("{why}"));
    let kernel = Arc::new(SourceKernel::read(&made.text, Some(name), Maker::Nvidia).unwrap());
    let arguments = BTreeMap::from([(2, Argument::Integer(n))]);
    let launch =
        SourceLaunch { sizes: [128, 1, 1], groups: [64, 1, 1], warp_size: 32, arguments, ..SourceLaunch::default() };
    kernel.execute(&launch, &Assumptions::default(), &Limits::default())
}

/// The accesses of a kernel, each with its executions.
fn all(version: &str, name: &str) -> Vec<(SourceAccess, usize, u64)> {
    accesses(&executed(version, name, &[], 0).unwrap_or_else(|why| panic!("{name}: {why}")))
}

fn waits(pending: u32) -> AccessKind {
    AccessKind::Wait(Asynchronous::Tiles, pending)
}

#[test]
fn a_ring_of_barriers_leaves_the_copies_behind_pending() {
    for version in VERSIONS {
        let executed = executed(version, "ahead", &[], 100).unwrap_or_else(|why| panic!("{why}"));
        let mut counts = BTreeMap::new();
        for (access, items, times) in accesses(&executed) {
            let is_of_tiles = access.kind == AccessKind::LoadTile || matches!(access.kind, AccessKind::Wait(..));
            if is_of_tiles {
                *counts.entry((access.kind, items, access.bytes)).or_insert(0) += times;
            }
        }
        // one work item copies, and the others stand for parts of the piece; all wait, and two copies are under way behind the one that they wait for
        let expected = [
            ((AccessKind::LoadTile, 128, 32), 100),
            ((waits(2), 128, 0), 98),
            ((waits(1), 128, 0), 1),
            ((waits(0), 128, 0), 1),
        ];
        assert_eq!(counts, BTreeMap::from(expected), "{version}");
        assert!(executed.blocks < 250, "{version}: {} blocks, the ring is folded", executed.blocks);
    }
}

#[test]
fn a_barrier_says_the_bytes_of_tiles_that_nothing_describes() {
    for version in VERSIONS {
        let tiles = all(version, "described_by_host").into_iter().filter(|(access, ..)| access.kind.is_of_tile());
        let bytes: Vec<_> = tiles.map(|(access, items, _)| (access.bytes, items, access.address.is_some())).collect();
        assert_eq!(bytes, [(128, 128, false)], "{version}: the first copy has the bytes of both");
        let refused = executed(version, "described_by_host", &[("UNKNOWN", "1")], 0).unwrap_err().to_string();
        let words = "`cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes` is not part of the \
                     machine: it is not known how much this copies";
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn a_described_tensor_says_the_rows_of_a_tile() {
    let shape = Shape::new([128, 1, 1]);
    for version in VERSIONS {
        for kind in [AccessKind::LoadTile, AccessKind::StoreTile] {
            let tiles = all(version, "described_by_kernel").into_iter().filter(|(access, ..)| access.kind == kind);
            let tiles: Vec<_> = tiles.collect();
            // 160 rows of 128 bytes by 128 work items: one instruction
            let parts: Vec<_> = tiles.iter().map(|(access, items, _)| (*items, access.bytes, access.split)).collect();
            assert_eq!(parts, [(128, 128, 1), (32, 128, 0)], "{version} {kind:?}");
            let at = |part: usize, lane| tiles[part].0.address.as_ref().unwrap().base.at(lane, &shape);
            assert_eq!([at(0, 1) - at(0, 0), at(1, 0) - at(0, 0)], [2048, 128 * 2048], "{version} {kind:?}");
        }
    }
}

#[test]
fn warps_with_different_tasks_are_refused() {
    for version in VERSIONS {
        let refused = executed(version, "specialized", &[], 0).unwrap_err().to_string();
        assert!(refused.contains("warps that wait for the copies of other warps"), "{version}: {refused}");
    }
}
