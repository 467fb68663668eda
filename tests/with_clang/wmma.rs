//! CUDA's wmma: the accesses and the products of fragments, counted by hand.

use std::collections::BTreeMap;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Compiler, Executed, Maker, MatrixShape, MatrixType, SourceAccess, SourceKernel, Step, Target,
    estimated_registers,
};

use super::counting::{GLOBAL, LOCAL, accesses, counts, example, executed};
use super::{VERSIONS, Written, clang, macros};

const TEXT: &str = include_str!("wmma/wmma.cu");

/// The output of a clang for a compute capability.
fn compiled(version: &str, capability: u32) -> String {
    let written = Written::new(&[("wmma.cu", TEXT)]);
    let target = Target::Nvidia(capability);
    let compiler = Compiler::new(clang(version), written.source.clone(), target, None, Limits::default()).unwrap();
    compiler.compile(&macros(&[])).unwrap_or_else(|why| panic!("{why}")).text
}

fn by_a_warp(text: &str, name: &str, arguments: &[(usize, i64)]) -> Executed {
    executed(text, name, [32, 32], arguments)
}

/// The executions of accesses that are split into several instructions.
fn split(executed: &Executed) -> u64 {
    accesses(executed).iter().filter(|(access, ..)| access.split > 1).map(|(.., times)| times).sum()
}

const HALF: AccessKind = AccessKind::Product { shape: MatrixShape([16, 8, 16]), of: MatrixType::Fp16 };

#[test]
fn a_product_is_counted_as_by_hand() {
    // 64 pieces of k. A fragment of 16 rows of 32 bytes: 2 times 8 rows, each by two instructions.
    let expected = [
        ((AccessKind::Load, GLOBAL, 8), 64 * (2 + 2)),
        ((AccessKind::Store, GLOBAL, 8), 4),
        ((HALF, LOCAL, 0), 64 * 2),
    ];
    for version in VERSIONS {
        for capability in [70, 75, 80] {
            let executed = by_a_warp(&compiled(version, capability), "product", &[(3, 1024), (4, 1024)]);
            assert_eq!(counts(&executed), BTreeMap::from(expected), "{version}, sm_{capability}");
            assert_eq!(split(&executed), 64 * 4);
            assert!(executed.findings.is_empty(), "{:?}", executed.findings);
            // The sums change from iteration to iteration, and nothing depends on them: the loop is executed a few times.
            let steps = Step::all(&executed.trace).count();
            assert!(steps < 16, "{steps} steps by {version}");
        }
    }
}

#[test]
fn lanes_reach_rows_at_the_stride() {
    let executed = by_a_warp(&compiled(VERSIONS[0], 80), "product", &[(3, 1024), (4, 512)]);
    let all = accesses(&executed);
    let shape = autotune::source::Shape::new([32, 1, 1]);
    let offsets = |access: &SourceAccess| {
        let base = &access.address.as_ref().unwrap().base;
        [1, 4, 31].map(|lane| base.at(lane, &shape) - base.at(0, &shape))
    };
    let of = |kind| all.iter().filter(move |(access, ..)| access.kind == kind).map(|(access, ..)| offsets(access));
    // A row of 512 halves is 1,024 bytes; of 1,024 numbers of C, 4,096.
    assert_eq!(of(AccessKind::Load).next().unwrap(), [8, 1024, 7 * 1024 + 3 * 8]);
    assert_eq!(of(AccessKind::Store).next().unwrap(), [8, 4096, 7 * 4096 + 3 * 8]);
    let first = |at: usize| all[at].0.address.as_ref().unwrap().base.at(0, &shape);
    assert_eq!(first(1) - first(0), 8 * 1024, "the second 8 rows");
}

#[test]
fn fragments_in_local_memory_come_by_rows() {
    let expected = [
        // two tiles by pieces of 16 bytes, and a number of the result
        ((AccessKind::Load, GLOBAL, 16), 64 * 2),
        ((AccessKind::Store, LOCAL, 16), 64 * 2),
        // ldmatrix.x4 for A and, turned round, for B
        ((AccessKind::Load, LOCAL, 16), 64 * 2),
        ((HALF, LOCAL, 0), 64 * 2),
        ((AccessKind::Store, LOCAL, 4), 4),
        ((AccessKind::Barrier, LOCAL, 0), 1),
        ((AccessKind::Load, LOCAL, 2), 1),
        ((AccessKind::Store, GLOBAL, 2), 1),
    ];
    for version in VERSIONS {
        let executed = by_a_warp(&compiled(version, 80), "through_local", &[(3, 1024), (4, 1024)]);
        let mut found = counts(&executed);
        // Clang may split what has no alignment.
        let split = found.remove(&(AccessKind::Load, GLOBAL, 8)).unwrap_or(0);
        *found.entry((AccessKind::Load, GLOBAL, 16)).or_default() += split / 2;
        assert_eq!(found, BTreeMap::from(expected), "{version}");
    }
}

/// Each shape and type: what its line says.
#[test]
fn every_shape_and_type_has_its_elements_and_products() {
    for version in VERSIONS {
        let text = compiled(version, 80);
        let lines: Vec<&str> = TEXT.lines().filter(|line| line.starts_with("CALLED(")).collect();
        assert_eq!(lines.len(), 11);
        for line in lines {
            let name = line.strip_prefix("CALLED(").unwrap().split_once(',').unwrap().0;
            let (products, elements) = line.split_once("// ").unwrap().1.split_once(", ").unwrap();
            let mut kinds = Vec::new();
            for by_row in [0, 1] {
                let executed = by_a_warp(&text, name, &[(3, 64), (4, by_row)]);
                let all = accesses(&executed);
                let kind = |access: &SourceAccess| match access.kind {
                    AccessKind::Product { shape, of } => Some(format!("{} {}", of.name(), shape.products())),
                    _ => None,
                };
                let of: Vec<String> = all.iter().filter_map(|(access, ..)| kind(access)).collect();
                assert!(of.iter().all(|one| *one == of[0]), "{of:?}");
                assert_eq!(format!("{} {}", of[0], of.len()), products, "{name} by {version}");
                kinds.push(all.iter().filter(|(access, ..)| access.memory == GLOBAL).count());
            }
            let [a, b, c] = elements.split(' ').map(|one| one.parse::<u64>().unwrap()).collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let stored = a * 10000 + b * 100 + c;
            assert!(text.contains(&format!("store i32 {stored},")), "{name}: {stored} by {version}");
            // By columns, sums take more accesses, unless they are halves, or the product is turned round.
            assert!(name == "half_wide" || name.ends_with("wide") == (kinds[0] < kinds[1]), "{name}: {kinds:?}");
        }
    }
}

#[test]
fn registers_are_those_of_the_assembler() {
    // ptxas 12.4 takes 32 for `product`, whose loop it unrolls four times.
    let text = compiled(VERSIONS[1], 80);
    let kernel = SourceKernel::read(&text, Some("product"), Maker::Nvidia).unwrap();
    let registers = estimated_registers(&kernel.module).value;
    assert!((29..=35).contains(&registers), "{registers}");
}

#[test]
fn rounded_factors_are_priced_and_stores_by_columns_are_counted() {
    for version in VERSIONS {
        let executed = by_a_warp(&compiled(version, 80), "rounded", &[]);
        let tf32 = AccessKind::Product { shape: MatrixShape([16, 8, 4]), of: MatrixType::Tf32 };
        let expected =
            [((AccessKind::Load, GLOBAL, 8), 2 + 2), ((tf32, LOCAL, 0), 4), ((AccessKind::Store, GLOBAL, 4), 8)];
        assert_eq!(counts(&executed), BTreeMap::from(expected), "{version}");
    }
}

/// Tiles of 64 x 64 by 4 warps of 2 x 2 fragments, 32 columns of A at a time: 32 rounds.
#[test]
fn the_example_multiplies_what_its_tiles_say() {
    let kernel = "matmul_wmma<64, 64, 32, 2, 2>";
    for version in VERSIONS {
        let text = example(clang(version), "matmul_wmma.cu", kernel, Target::Nvidia(80));
        let name = text.split("define ").nth(1).unwrap().split(['@', '(']).nth(1).unwrap().to_owned();
        let found = counts(&executed(&text, &name, [128, 32], &[(3, 1024)]));
        let expected = [
            // a tile of A and one of B are 256 pieces of 16 bytes each, two for each work item
            ((AccessKind::Load, GLOBAL, 16), 32 * (2 + 2)),
            ((AccessKind::Store, LOCAL, 16), 32 * (2 + 2)),
            ((AccessKind::Barrier, LOCAL, 0), 32 * 2),
            // two steps of k, each with two fragments of A and two of B
            ((AccessKind::Load, LOCAL, 16), 32 * 2 * (2 + 2)),
            ((HALF, LOCAL, 0), 32 * 2 * 2 * 2 * 2),
            ((AccessKind::Store, GLOBAL, 8), 2 * 2 * 4),
        ];
        assert_eq!(found, BTreeMap::from(expected), "{version}");
        assert_eq!(4 * 2048 * found[&(HALF, LOCAL, 0)], 64 * 64 * 1024, "the products of the group");
    }
}
