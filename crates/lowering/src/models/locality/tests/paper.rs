//! Floyd and Warshall's algorithm in blocks, a(i, j) = min(a(i, j), a(i, k) + a(k, j)), J = (k, i, j).

use super::*;
use Class::{Broadcast, Private, Spatial};
use autotune_kernel::source::SourceReader;

/// A matrix of three columns.
fn rows(rows: &[[i64; 3]]) -> IntegerMatrix {
    IntegerMatrix::from_fn(rows.len(), 3, |row, column| rows[row][column])
}

/// Loads of a(i, j), a(i, k), a(k, j) and the store, for these subscripts within a block of 8 x 8 x 8.
fn statement(i: &str, j: &str) -> String {
    let access = |keyword: &str, row: &str, column: &str| {
        format!("{keyword}: {{ array: a, index: [{row}, {column}], shape: [64, 64] }}")
    };
    [access("load", i, j), access("load", i, "t * 8 + k"), access("load", "t * 8 + k", j), access("store", i, j)]
        .map(|line| format!("          - {line}\n"))
        .concat()
}

/// Zs = {2, 3}, `z_1` = 2: lanes along i.
fn lanes_along_i() -> Spec {
    let body = statement("gy * 8 + lx", "gx * 8 + ly");
    spec(
        "launch: { work_items: [64, 64], work_group: [8, 8], times: 8, var: t }",
        &format!("  - loop:\n      var: k\n      count: 8\n      body:\n{body}"),
    )
}

/// Zs = {3}, `z_1` = 3: lanes along j, each work item runs i in order; a row of blocks.
fn lanes_along_j() -> Spec {
    let body = statement("5 * 8 + i", "gx * 8 + lx").replace("          -", "              -");
    spec(
        "launch: { work_items: 64, work_group: 8, times: 8, var: t }",
        &format!(
            "  - loop:\n      var: k\n      count: 8\n      body:\n        - loop:\n            var: i\n            count: 8\n            body:\n{body}"
        ),
    )
}

#[test]
fn paper_001_example_lanes_along_rows_have_the_published_classes() {
    let found = found(&lanes_along_i());
    assert_eq!(classes(&found), [&[Private][..], &[], &[Broadcast], &[Private]]);
}

#[test]
fn paper_001_example_lanes_along_columns_have_the_published_classes() {
    let found = found(&lanes_along_j());
    // that a(k, j) is private too, since one work item has all of column j, the paper does not say
    assert_eq!(classes(&found), [&[Spatial, Private][..], &[Broadcast], &[Spatial, Private], &[Spatial, Private]]);
}

#[test]
fn paper_001_formula_1_the_matrices_are_the_published_ones() {
    let found = found(&lanes_along_i());
    let matrices: Vec<_> = found.iter().map(|finding| finding.matrices.clone().unwrap()).collect();
    let published = [rows(&[[0, 1, 0], [0, 0, 1]]), rows(&[[0, 1, 0], [1, 0, 0]]), rows(&[[1, 0, 0], [0, 0, 1]])];
    for (own, published) in matrices.iter().zip(&published) {
        assert_eq!(&own.subscripts, published);
        assert_eq!(own.sequential, rows(&[[1, 0, 0]]));
        assert_eq!((own.dimensions.join(" ").as_str(), own.lane), ("k lx ly", 1));
    }
    assert_eq!(matrices[3].subscripts, published[0]);
    // the uniform dependence of a(i, j), of the step before; in this block the others read what other blocks wrote
    let uniform = Dependence::Affine { matrix: identity(3), offset: vec![1, 0, 0] };
    let dependences: Vec<_> = matrices.into_iter().map(|matrices| matrices.dependence).collect();
    assert_eq!(dependences, [uniform, Dependence::None, Dependence::None, Dependence::None]);
}

/// Blocks of row or column k hold what a(k, j) or a(i, k) reads: these are targets of dependences with a Phi of their own.
#[test]
fn in_blocks_of_row_and_column_k_the_others_depend_too() {
    let spec = lanes_along_i();
    let launched = launched(&spec);
    let nest = Nest::new(&spec, &launched).unwrap();
    let kinds = blocks::kinds(&nest);
    let affine = |matrix: IntegerMatrix| Dependence::Affine { matrix, offset: vec![1, 0, 0] };
    let phi = [affine(rows(&[[1, 0, 0], [0, 1, 0], [1, 0, 0]])), affine(rows(&[[1, 0, 0], [1, 0, 0], [0, 0, 1]]))];
    assert_eq!(kinds[0].len(), 4, "in neither, in column k, in row k, in both");
    for ((own, of_row), of_column) in kinds[0].iter().zip(&kinds[1]).zip(&kinds[2]) {
        let [x, y, _, t] = own.block;
        let expected = |is_there: bool, phi: &Dependence| if is_there { phi.clone() } else { Dependence::None };
        let [in_column, in_row] = [x == t, y == t];
        if !(in_column && in_row) {
            assert_eq!(of_row.dependence, expected(in_column, &phi[0]));
            assert_eq!(of_column.dependence, expected(in_row, &phi[1]));
        }
        assert_eq!(own.private, Some(!in_column && !in_row));
    }
    assert!(
        [0, 1].iter().all(|axis| kinds[0][0].block[*axis] != kinds[0][0].block[3]),
        "the usual block is in neither"
    );
    // Theorem 2: column i of a(k, j)'s Phi is zero, so it is a broadcast there as well
    assert!(found(&spec)[2].elsewhere.is_empty());
    assert!(found(&spec)[0].elsewhere.iter().all(|other| other.classes.is_empty()));
}

#[test]
fn paper_001_corollary_a_uniform_dependence_is_never_a_broadcast() {
    let head = "launch: { work_items: 64, work_group: 32 }";
    let load = "        - load: { array: sum, index: [gx], shape: [2] }\n";
    let store = "        - store: { array: sum, index: [gx], shape: [2] }\n";
    let body = |statements: &str| format!("  - loop:\n      var: k\n      count: 4\n      body:\n{statements}");
    assert_eq!(classes(&found(&spec(head, &body(load)))), [&[Broadcast]]);
    let both = found(&spec(head, &body(&format!("{load}{store}"))));
    let uniform = Dependence::Affine { matrix: identity(2), offset: vec![1, 0] };
    assert_eq!(both[0].matrices.as_ref().unwrap().dependence, uniform);
    assert_eq!(classes(&both), [&[] as &[Class], &[]]);
}

/// Theorem 2 in local memory: all lanes of a row read what one of them wrote.
#[test]
fn paper_001_theorem_2_what_one_lane_staged_is_a_broadcast() {
    let head = "launch: { work_items: [64, 64], work_group: [8, 8] }";
    let body = "  - local: { writes: tile, index: [ly, lx], shape: [8, 8] }\n  - barrier\n  - loop:\n      var: k\n      count: 8
      body: [ { local: { reads: tile, index: [ly, k], shape: [8, 8] } } ]\n";
    let found = found(&spec(head, body));
    assert_eq!(classes(&found), [&[Spatial][..], &[Broadcast]]);
    let phi = Dependence::Affine { matrix: rows(&[[1, 0, 0], [0, 0, 1]]), offset: vec![0, 0] };
    assert_eq!(found[1].matrices.as_ref().unwrap().dependence, phi);
}

/// The shipped spec gives the paper's answers for both directions of its lanes.
#[test]
fn paper_001_example_the_shipped_spec_has_the_published_classes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tuning-specs/floyd_warshall.yaml");
    let spec = Spec::load(std::path::Path::new(path)).unwrap();
    let found = |values: &[i64]| {
        let found = analyse(&spec, profile("fermi"), &SourceReader::default(), &Configuration(values.to_vec()))
            .unwrap()
            .feasible()
            .unwrap();
        found.into_iter().map(|finding| (finding.classes, finding.advice.unwrap().home)).collect::<Vec<_>>()
    };
    let register = |classes: &[Class]| (classes.to_vec(), Home::Register);
    let local = |classes: &[Class]| (classes.to_vec(), Home::Local);
    // TS, ROWS, DOWN, KEEP, STAGED
    let down = found(&[16, 2, 1, 0, 0]);
    assert_eq!(down, [register(&[Private]), local(&[]), local(&[Broadcast]), register(&[Private])]);
    let along = found(&[16, 2, 0, 0, 0]);
    let own = || register(&[Spatial, Private]);
    assert_eq!(along, [own(), local(&[Broadcast]), (vec![Spatial], Home::Global), own()]);
}
