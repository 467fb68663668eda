//! AMD's instructions that HIP kernels name, counted by hand.

use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, AnalysisError, Architecture, Assumptions, Compiler, ExecuteProblem, Maker, MatrixShape, MatrixType,
    Shape, SourceKernel, SourceLaunch, Target,
};

use super::counting::{END, GLOBAL, LOCAL, accesses, counts, example, executed, waits};
use super::{VERSIONS, Written, clang, macros};

const TEXT: &str = include_str!("amdgcn/builtins.hip");

fn compiled(version: &str) -> String {
    let written = Written::new(&[("builtins.hip", TEXT)]);
    let target = Target::Amd(Architecture::new("gfx90a").unwrap());
    let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
    compiler.compile(&macros(&[])).unwrap_or_else(|why| panic!("{why}")).text
}

#[test]
fn products_have_their_shapes_blocks_and_types() {
    let product = |shape, of| (AccessKind::Product { shape: MatrixShape(shape), of }, LOCAL, 0);
    for version in VERSIONS {
        let mut found = counts(&executed(&compiled(version), "products", [64, 64], &[(5, 256)]));
        for (key, times) in [
            (product([32, 32, 8], MatrixType::Fp16), 32),
            // 16 blocks of 4 x 4 x 4
            (product([4, 4, 4 * 16], MatrixType::Fp16), 1),
            (product([16, 16, 4], MatrixType::Fp32), 1),
            (product([16, 16, 16], MatrixType::Bf16), 1),
            // 4 blocks
            (product([4, 4, 4 * 4], MatrixType::Fp64), 1),
            (product([16, 16, 16], MatrixType::Int8), 1),
        ] {
            assert_eq!(found.remove(&key), Some(times), "{key:?} by {version}");
        }
        assert!(found.keys().all(|(kind, ..)| !matches!(kind, AccessKind::Product { .. })), "{found:?}");
    }
}

#[test]
fn the_values_of_lanes_are_known_and_exchanges_are_counted() {
    let shape = Shape::new([256, 1, 1]);
    for version in VERSIONS {
        let all = accesses(&executed(&compiled(version), "lanes", [256, 64], &[]));
        let exchanges = all.iter().filter(|(access, ..)| access.kind == AccessKind::Shuffle).count();
        assert_eq!(exchanges, 4, "{version}");
        let (store, ..) = all.iter().find(|(access, ..)| access.kind == AccessKind::Store).unwrap();
        let base = &store.address.as_ref().unwrap().base;
        // Warp 1 stores 1,024 words behind warp 0, and its third lane is the work item 67.
        let expected = [(1, 4), (64, 4 * (1024 + 64 * 64)), (255, 4 * (3 * 1024 + 192 * 64 + 63))];
        for (lane, offset) in expected {
            assert_eq!(base.at(lane, &shape) - base.at(0, &shape), offset, "{version}");
        }
        // There is nothing to wait for: no access keeps an order.
        assert!(all.iter().all(|(access, ..)| !access.kind.keeps_order()), "{version}");
    }
}

#[test]
fn buffers_are_accessed_at_their_offsets() {
    let shape = Shape::new([256, 1, 1]);
    for version in VERSIONS {
        let executed = executed(&compiled(version), "buffers", [256, 64], &[]);
        let all = accesses(&executed);
        let kinds: Vec<_> =
            all.iter().map(|(access, items, _)| (access.kind, access.memory, access.bytes, *items)).collect();
        assert_eq!(kinds, [(AccessKind::Load, GLOBAL, 16, 256), (AccessKind::Store, GLOBAL, 16, 256)], "{version}");
        let base = |at: usize| all[at].0.address.as_ref().unwrap().base.clone();
        assert_eq!(base(0).at(255, &shape) - base(0).at(0, &shape), 255 * 16);
        let names: Vec<_> = all.iter().map(|(access, ..)| access.region.unwrap()).collect();
        assert_ne!(names[0], names[1], "two arguments");
        let offsets = [0, 1].map(|at| base(at).at(0, &shape) - names[at].address());
        assert_eq!(offsets[0] - offsets[1], 64, "the load is 64 bytes behind");
    }
}

#[test]
fn copies_to_local_memory_lie_side_by_side_and_are_waited_for() {
    use AccessKind::{Barrier, Copy, Load, Store};
    let text = compiled("clang-19");
    let found = executed(&text, "copies", [256, 64], &[(2, 8)]);
    let expected = [
        ((Load, LOCAL, 4), 8),
        ((Store, GLOBAL, 4), 8),
        ((Barrier, LOCAL, 0), 16),
        ((Copy, GLOBAL, 4), 8),
        ((END, LOCAL, 0), 8),
        ((waits(0), LOCAL, 0), 1),
        ((waits(1), LOCAL, 0), 7),
    ];
    assert_eq!(counts(&found), expected.into());
    let all = accesses(&found);
    let (copy, ..) = all.iter().find(|(access, ..)| access.kind == Copy).unwrap();
    let to = copy.to.as_ref().unwrap().address.as_ref().unwrap().base.clone();
    let shape = Shape::new([256, 1, 1]);
    assert_eq!([1, 64, 255].map(|lane| to.at(lane, &shape) - to.at(0, &shape)), [4, 256, 1020]);
    // Without a wait of the kernel's own the barrier waits for all copies.
    let plain = accesses(&executed(&text, "plain_copy", [256, 64], &[]));
    let marks: Vec<_> = plain.iter().map(|(access, ..)| access.kind).filter(|kind| kind.is_mark()).collect();
    assert_eq!(marks, [END, waits(0), Barrier]);
}

#[test]
fn an_unknown_instruction_is_refused_with_its_name_and_line() {
    let line = TEXT.lines().position(|line| line.contains("ds_append")).unwrap() + 1;
    for version in VERSIONS {
        let kernel = Arc::new(SourceKernel::read(&compiled(version), Some("unknown"), Maker::Other).unwrap());
        let launch = SourceLaunch { sizes: [64, 1, 1], groups: [1, 1, 1], warp_size: 64, ..SourceLaunch::default() };
        let why = kernel.execute(&launch, &Assumptions::default(), &Limits::default()).unwrap_err();
        let AnalysisError::Execute(error) = why else { panic!("{why}") };
        let ExecuteProblem::Unmodelled { name, why } = error.problem else { panic!("{}", error.problem) };
        assert!(name.starts_with("llvm.amdgcn.ds.append"), "{name}");
        assert_eq!(why, "this instruction of AMD's GPUs is not known");
        assert!(error.places.iter().any(|place| place.line as usize == line), "{:?}", error.places);
    }
}

/// Tiles of 64 x 64 by 4 warps of 32 x 32 elements, 32 columns of A and B at a time: 32 rounds.
#[test]
fn the_example_multiplies_what_its_tiles_say() {
    let target = Target::Amd(Architecture::new("gfx90a").unwrap());
    for version in VERSIONS {
        let text = example(clang(version), "matmul_mfma.hip", "matmul_mfma<64, 64, 32, 2, 2>", target.clone());
        let name = text.split("define ").nth(1).unwrap().split(['@', '(']).nth(1).unwrap().to_owned();
        let found = counts(&executed(&text, &name, [256, 64], &[(3, 1024)]));
        let product = (AccessKind::Product { shape: MatrixShape([32, 32, 8]), of: MatrixType::Fp16 }, LOCAL, 0);
        let expected = [
            // a tile of A and one of B are 256 pieces of 16 bytes each
            ((AccessKind::Load, GLOBAL, 16), 32 * 2),
            ((AccessKind::Store, LOCAL, 16), 32 * 2),
            ((AccessKind::Barrier, LOCAL, 0), 32 * 2),
            // four steps of k, each with 4 halves of A and of B
            ((AccessKind::Load, LOCAL, 8), 32 * 4 * 2),
            (product, 32 * 4),
            ((AccessKind::Store, GLOBAL, 4), 16),
        ];
        assert_eq!(found, expected.into(), "{version}");
        assert_eq!(4 * 32 * 32 * 8 * found[&product], 64 * 64 * 1024, "the products of the group");
    }
}
