//! The stride across lanes by both derivations, and by hand.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::space::Visit;
use autotune_kernel::source::SourceReader;

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tuning-specs");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect();
    specs.sort();
    specs
}

/// Column `z_1` of F times the array's pitches, which must equal the lowering's stride.
fn assert_alike(spec: &Spec, configuration: &Configuration) -> usize {
    let reader = SourceReader::default();
    let lowering = Lowering::new(spec, profile("fermi"), &reader);
    let Some(launched) = lowering.launch(configuration).unwrap().feasible() else { return 0 };
    let nest = Nest::new(spec, &launched).unwrap();
    let mut compared = 0;
    for access in &nest.occurrences {
        let Some(subscripts) = &access.subscripts else { continue };
        let strides = access.pattern.unwrap().strides(&launched.scope).unwrap();
        let elements = subscripts.matrix.column(access.column_of(nest.lane_axis));
        let derived: i64 = elements.zip(&subscripts.pitches).map(|(entry, pitch)| entry * pitch).sum();
        assert_eq!(derived.unsigned_abs(), across_lanes(strides, nest.lane_axis), "{} {}", spec.kernel, access.place);
        compared += 1;
    }
    compared
}

#[test]
fn both_derivations_agree_on_every_shipped_spec() {
    let mut compared = BTreeMap::new();
    for path in shipped() {
        let spec = Spec::load(&path).unwrap();
        let mut sum = 0;
        let space = Space::new(&spec, &profile("fermi").names(false)).unwrap();
        let mut each = |visit: Visit<'_>| {
            if let Visit::Feasible(values) = visit {
                sum += assert_alike(&spec, &Configuration(values.to_vec()));
            }
            ControlFlow::Continue(())
        };
        space.visit(&mut each).unwrap();
        if sum > 0 {
            compared.insert(spec.kernel, sum);
        }
    }
    assert!(compared.len() >= 8, "{compared:?}");
}

/// The strides that a person reads off the kernels in the specs' comments, in elements between neighbouring lanes.
#[test]
fn strides_by_hand() {
    let by_hand: [(&str, &[i64], &[u64]); 9] = [
        // TS, ROWS, COLS: A, B, As and Bs written, As (one word a row) and Bs read, C
        ("matmul_tiled", &[16, 4, 4], &[1, 1, 1, 1, 0, 1, 1]),
        // TS, ROWS, PAD: rows of the input, of the tile, columns of the padded tile, rows of the output
        ("transpose", &[32, 4, 1], &[1, 1, 33, 1]),
        ("transpose", &[16, 4, 0], &[1, 1, 16, 1]),
        ("stencil_2d", &[32, 4, 4, 2], &[1, 1, 1, 1, 1]),
        ("convolution_2d", &[32, 4, 2, 4, 1], &[1, 1, 1, 1]),
        // WG, ITEMS, VEC: neighbouring vectors
        ("vector_add", &[128, 2, 4], &[4, 4, 4]),
        // the numbers, a word for each work item, one work item alone, one number a group
        ("minimum", &[64, 16], &[1, 1, 0, 0]),
        // TS, ROWS, DOWN, KEEP, STAGED: a(i, j), a(i, k), a(k, j), a(i, j)
        ("floyd_warshall", &[16, 2, 0, 0, 0], &[1, 0, 1, 1]),
        ("floyd_warshall", &[16, 2, 1, 0, 0], &[1024, 1024, 0, 1024]),
    ];
    for (kernel, values, expected) in by_hand {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tuning-specs/{kernel}.yaml"));
        let spec = Spec::load(&path).unwrap();
        let found = analyse(&spec, profile("fermi"), &SourceReader::default(), &Configuration(values.to_vec()))
            .unwrap()
            .feasible()
            .unwrap();
        let strides: Vec<_> = found.iter().map(|finding| finding.stride.unwrap()).collect();
        assert_eq!(strides, expected, "{kernel}");
    }
}

proptest! {
    #[test]
    fn both_derivations_agree_on_random_subscripts(
        entries in proptest::collection::vec(proptest::array::uniform5(-9..=9_i64), 1..=3),
        shape in proptest::array::uniform3(1..50_i64),
        group in prop_oneof![Just("[8, 4]"), Just("[1, 32]"), Just("[2, 1, 8]"), Just("16")],
    ) {
        let row = |[x, y, z, k, g]: &[i64; 5]| format!("'{x} * lx + {y} * ly - {z} * lz + {k} * k + {g} * gx'");
        let index = entries.iter().map(row).collect::<Vec<_>>().join(", ");
        let shape = shape.iter().take(entries.len()).map(i64::to_string).collect::<Vec<_>>().join(", ");
        let body = format!(
            "  - loop:\n      var: k\n      count: 3\n      body: [ {{ load: {{ array: a, index: [{index}], shape: [{shape}] }} }} ]\n"
        );
        let spec = spec(&format!("launch: {{ work_items: [64, 64, 64], work_group: {group} }}"), &body);
        prop_assert_eq!(assert_alike(&spec, &first(&spec)), 1);
    }
}
