//! Inline PTX: copies, waits, matrix instructions and their accesses, counted by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Argument, Assumptions, Asynchronous, Compiler, Executed, Maker, MatrixShape, MatrixType, SourceAccess,
    SourceKernel, SourceLaunch, SourceMemory, Target,
};

use super::counting::{END, accesses, waits};
use super::{VERSIONS, Written, clang, macros};

const TEXT: &str = include_str!("ptx/product.cu");
const OF_FOUR_WARPS: &str = include_str!("ptx/warp_group.cu");
const PRODUCTS: Asynchronous = Asynchronous::Products;

fn kernel(version: &str, (text, target): (&str, Target), name: &str) -> Arc<SourceKernel> {
    let written = Written::new(&[("product.cu", text)]);
    let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
    let made = compiler.compile(&macros(&[])).unwrap_or_else(|why| panic!("{why}"));
    Arc::new(SourceKernel::read(&made.text, Some(name), Maker::Nvidia).unwrap())
}

fn executed(kernel: &Arc<SourceKernel>, items: u32, arguments: &[(usize, i64)]) -> Executed {
    let arguments = arguments.iter().map(|(position, value)| (*position, Argument::Integer(*value))).collect();
    let launch = SourceLaunch {
        sizes: [items, 1, 1],
        groups: [64, 128, 1],
        warp_size: 32,
        arguments,
        ..SourceLaunch::default()
    };
    kernel.execute(&launch, &Assumptions::default(), &Limits::default()).unwrap()
}

const AMPERE: (&str, Target) = (TEXT, Target::Nvidia(80));
const HOPPER: (&str, Target) = (OF_FOUR_WARPS, Target::Nvidia(90));

/// The executions of each kind of access, by the work items that take part.
fn counts(executed: &Executed) -> BTreeMap<(AccessKind, usize), u64> {
    let mut counts = BTreeMap::new();
    for (access, items, times) in accesses(executed) {
        *counts.entry((access.kind, items)).or_default() += times;
    }
    counts
}

#[test]
fn a_product_is_counted_as_by_hand() {
    let product = AccessKind::Product { shape: MatrixShape([16, 8, 16]), of: MatrixType::Fp16 };
    let expected = [
        // 64 pieces of k: a copy by all lanes, one by half of them; fragments of A by all, those of B by half
        ((AccessKind::Load, 16), 64),
        ((AccessKind::Load, 32), 64),
        ((AccessKind::Store, 32), 4),
        ((AccessKind::Barrier, 32), 128),
        ((AccessKind::Copy, 16), 64),
        ((AccessKind::Copy, 32), 64),
        ((END, 32), 65),
        ((waits(0), 32), 1),
        ((waits(1), 32), 63),
        ((product, 32), 64),
    ];
    for version in VERSIONS {
        let found = counts(&executed(&kernel(version, AMPERE, "product"), 32, &[(3, 1024), (4, 1024)]));
        assert_eq!(found, BTreeMap::from(expected), "{version}");
    }
}

#[test]
fn a_product_of_four_warps_is_counted_as_by_hand() {
    let (shape, of) = (MatrixShape([16, 16, 16]), MatrixType::Fp16);
    let product = AccessKind::WarpGroupProduct { shape, of, has_local_a: true };
    let expected = [
        // 16 pieces of 64 along k: four products of 16 each; 512 and 128 pieces of 16 bytes by 128 work items
        ((product, 128), 64),
        ((AccessKind::Copy, 128), 80),
        ((END, 128), 16),
        ((waits(0), 128), 16),
        ((AccessKind::Commit(PRODUCTS), 128), 16),
        ((AccessKind::Wait(PRODUCTS, 0), 128), 16),
        ((AccessKind::Barrier, 128), 32),
        ((AccessKind::Store, 128), 8),
    ];
    for version in VERSIONS {
        let found = counts(&executed(&kernel(version, HOPPER, "product"), 128, &[(3, 1024), (4, 1024)]));
        assert_eq!(found, BTreeMap::from(expected), "{version}");
    }
}

#[test]
fn factors_in_registers_are_told_from_those_in_local_memory() {
    let (shape, of) = (MatrixShape([16, 8, 32]), MatrixType::Int8);
    let product = AccessKind::WarpGroupProduct { shape, of, has_local_a: false };
    for version in VERSIONS {
        let all = accesses(&executed(&kernel(version, HOPPER, "of_registers"), 256, &[]));
        let marks: Vec<_> = all.iter().map(|(access, ..)| access.kind).filter(|kind| kind.is_mark()).collect();
        let [ends, waited] = [AccessKind::Commit(PRODUCTS), AccessKind::Wait(PRODUCTS, 1)];
        assert_eq!(marks, [product, product, ends, product, ends, waited], "{version}");
        assert!(all.iter().all(|(_, items, _)| *items == 256), "{version}: two groups of four warps");
    }
}

#[test]
fn guards_of_copies_are_known() {
    for version in VERSIONS {
        let all = accesses(&executed(&kernel(version, AMPERE, "guarded"), 32, &[(2, 1024)]));
        assert_guards(&all.into_iter().map(|(access, ..)| access).collect::<Vec<_>>());
    }
}

fn assert_guards(all: &[SourceAccess]) {
    let copies: Vec<_> = all.iter().filter(|access| access.kind == AccessKind::Copy).collect();
    let items = copies.iter().map(|copy| copy.items.as_ref().map(|items| items.count_ones(..)));
    assert_eq!(items.collect::<Vec<_>>(), [Some(8), Some(16), None]);
    // three arrays' worth of one array: 128 bytes apart
    let to: Vec<_> = copies.iter().map(|copy| copy.to.as_ref().unwrap()).collect();
    let first = |at: usize| to[at].address.as_ref().unwrap().base.clone();
    let shape = autotune::source::Shape::new([32, 1, 1]);
    assert!(to.iter().all(|one| one.region == to[0].region && one.region.is_some()));
    assert_eq!([1, 2].map(|at| first(at).at(0, &shape) - first(0).at(0, &shape)), [128, 256]);
    assert!(copies.iter().all(|copy| copy.memory == SourceMemory::Global && copy.bytes == 4));
    let marks: Vec<_> = all.iter().map(|access| access.kind).filter(|kind| kind.is_mark()).collect();
    assert_eq!(marks, [END, waits(0), AccessKind::Barrier]);
    assert_eq!(all.iter().filter(|access| access.kind == AccessKind::Store).count(), 1);
}
