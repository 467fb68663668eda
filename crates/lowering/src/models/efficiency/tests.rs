use proptest::prelude::*;

use super::*;
use crate::lowering::Feasibility;
use crate::space::{allowed, each};
use crate::spec::Configuration;
use autotune_kernel::source::SourceReader;

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

/// The efficiency of a kernel of 64 groups of 128 work items on a V100: 16 groups, 2048 work items a multiprocessor.
fn of(resources: &str, body: &str) -> Efficiency {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\nlaunch: {{ work_items: 8192, work_group: 128 }}\n\
         resources: {{ registers: {resources} }}\nbody:\n{body}\n"
    );
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let profile = Profile::resolve("v100").unwrap();
    let ask = |case: &crate::space::Case| {
        efficiency(case.spec, case.profile, case.scope, case.lowered, &Weights::new(case.profile))
    };
    each(&spec, &profile, &SourceReader::default(), &[Configuration(vec![1])], ask)
        .unwrap()
        .remove(0)
        .feasible()
        .unwrap()
        .unwrap()
}

#[test]
fn a_streaming_kernel_is_perfect() {
    // P = 4 bytes * 2048 work items / (64 lanes * 128 bytes of a line) = 1
    let copy = of("32", "  - load: { array: a }\n  - store: { array: b }");
    for factor in [copy.memory, copy.input, copy.output, copy.temporary, copy.loops, copy.branches, copy.r] {
        near(factor, 1.0);
    }
}

#[test]
fn each_factor_has_its_cause() {
    // 4 of each sector's 32 bytes are asked for by the load, 8 by the store.
    let strided = of("32", "  - load: { array: a, stride: 8 }\n  - store: { array: b, stride: 4 }");
    near(strided.memory, 1.0 / 8.0 / 4.0);
    // The same cell for all is as local as consecutive ones.
    near(of("32", "  - load: { array: a, stride: 0 }").memory, 1.0);
    // P = 10 * 2048 / 8192 = 2.5
    near(of("32", "  - load: { array: a, bytes: 2, per_item: 5 }").input, 0.5_f64.powf(1.0 / 3.0));
    near(of("32", "  - store: { array: a, bytes: 2, per_item: 5 }").output, 0.5_f64.powf(1.0 / 3.0));
    // 510 registers, of which 255 spill: a group of 4 warps of 256 takes half the file, two are resident.
    near(of("510", "  - load: { array: a }").temporary, 65_536.0 / (510.0 * 256.0));
    let branch = "  - branch: { then: [ { compute: {} } ], else: [ { compute: {} } ] }\n  - branch: { then: [ { compute: {} } ] }";
    near(of("32", branch).branches, 0.75);
    near(of("32", "  - loop: { count: 9, body: [ { compute: {} } ] }").loops, 1.0);
}

#[test]
fn loops_of_uncertain_count_are_worse() {
    near(loops(&[]), 1.0);
    near(loops(&[vec![(0.75, 10.0), (0.25, 14.0)]]), 0.5);
    near(loops(&[vec![(0.75, 10.0), (0.25, 14.0)], vec![(1.0, 3.0)], vec![(0.5, 1.0), (0.5, 1.0)]]), 0.5);
    // Both products of formula 7: 1 / (1 + 0.25 * 2), 1 / (1 + 0.25 * 4); and 1 / (1 + 0.25 * 4).
    let (three, two) = (vec![(0.5, 10.0), (0.25, 12.0), (0.25, 14.0)], vec![(0.75, 10.0), (0.25, 14.0)]);
    near(loops(&[three, two]), 1.0 / 1.5 / 2.0 / 2.0);
    // Of equally likely counts the least is X.
    near(loops(&[vec![(0.4, 14.0), (0.4, 10.0), (0.2, 20.0)]]), 1.0 / 2.6 / 3.0);
    assert!(loops(&vec![vec![(0.5, 0.0), (0.5, 9e18)]; 64]) > 0.0, "even where the product is too small for a number");
}

#[test]
fn a_body_states_distributions_in_two_forms() {
    let repeated =
        |count: &str| of("32", &format!("  - loop: {{ count: {count}, body: [ {{ compute: {{}} }} ] }}")).loops;
    near(repeated("{ 10: 0.75, 14: 0.25 }"), 0.5);
    near(repeated("'10:0.75,14:0.25'"), 0.5);
    near(repeated("{ 11: 1 }"), 1.0);
    near(repeated("{ 0: 0.9, 1: 0.1 }"), 1.0 / 1.1);
    // A loop inside a loop is one more factor.
    let inner = "{ loop: { count: { 2: 0.5, 4: 0.25, 3: 0.25 }, body: [ { compute: {} } ] } }";
    let nested = format!("  - loop: {{ count: {{ 10: 0.75, 14: 0.25 }}, body: [ {inner} ] }}");
    near(of("32", &nested).loops, 0.5 / 1.5 / 1.25);
}

#[test]
fn structure_by_hand() {
    for (p, k) in [(0.0, 1.0), (0.25, 0.25), (1.0, 1.0), (1.5, 0.5_f64.sqrt()), (2.25, 0.25_f64.powf(1.0 / 3.0))] {
        near(structure(p), k);
    }
}

#[test]
fn r_is_the_product_of_the_powers() {
    let one = of("510", "  - load: { array: a, stride: 8, bytes: 2, per_item: 5 }");
    let Weights(weights) = Weights::default();
    let factors = [one.memory, one.input, one.output, one.temporary, one.loops, one.branches];
    near(one.r.ln(), factors.iter().zip(weights).map(|(factor, weight)| weight * factor.ln()).sum());
    assert!(weights.is_sorted_by(|one, two| one > two) && one.r < one.memory);
}

#[test]
fn weights_are_six_numbers() {
    assert_eq!("1, 0.8,0,0,0,2".parse(), Ok(Weights([1.0, 0.8, 0.0, 0.0, 0.0, 2.0])));
    assert_eq!("1,2".parse::<Weights>(), Err(WeightsError::Number(2)));
    for bad in ["1,2,3,4,5,-1", "1,2,3,4,5,NaN", "1,2,3,4,5,", "1,2,3,4,5,inf"] {
        assert!(matches!(bad.parse::<Weights>(), Err(WeightsError::Value(_))), "{bad}");
    }
}

#[test]
fn a_profile_may_have_its_own_weights() {
    let text = &crate::gpu::find("v100").unwrap().text;
    let profile = Profile::parse(&format!("{text}\nefficiency_weights: [1, 0.5, 0, 0, 0, 2]\n"), "mine.yaml").unwrap();
    assert_eq!(Weights::new(&profile), Weights([1.0, 0.5, 0.0, 0.0, 0.0, 2.0]));
    assert!(Profile::parse(&format!("{text}\nefficiency_weights: [1, 0.5]\n"), "mine.yaml").is_err());
}

/// All factors of all configurations of the shipped kernels that are small enough to try.
#[test]
fn every_factor_is_above_0_and_not_above_1() {
    for name in ["vector_add", "reduction", "transpose", "minimum", "stencil_2d", "matmul_tiled"] {
        let path = format!("{}/../../tuning-specs/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let spec = Spec::load(path.as_ref()).unwrap();
        for gpu in ["fermi", "w6600", "mi50"] {
            let profile = Profile::resolve(gpu).unwrap();
            let ask = |case: &crate::space::Case| {
                efficiency(case.spec, case.profile, case.scope, case.lowered, &Weights::default()).unwrap()
            };
            for one in each(&spec, &profile, &SourceReader::default(), &allowed(&spec, &profile).unwrap(), ask)
                .unwrap()
                .into_iter()
                .filter_map(Feasibility::feasible)
            {
                let Efficiency { r, memory, input, output, temporary, loops, branches } = one;
                for factor in [r, memory, input, output, temporary, loops, branches] {
                    assert!(factor > 0.0 && factor <= 1.0, "{name} on {gpu}: {one:?}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn formulas_stay_in_their_range(
        p in 0.0..1e9_f64,
        sides in proptest::collection::vec(1_u64..9, 0..9),
        counts in proptest::collection::vec(proptest::collection::vec((0.0..1.0_f64, 0.0..1e6_f64), 1..4), 0..4),
    ) {
        for factor in [structure(p), branches(&sides), loops(&counts)] {
            prop_assert!(factor > 0.0 && factor <= 1.0, "{factor}");
        }
    }
}
