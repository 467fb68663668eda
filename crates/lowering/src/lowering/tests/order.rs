//! Loads that no compiler moves above a store, and loads of what a group has loaded before.
#![expect(clippy::float_cmp, reason = "numbers of waits are whole")]

use super::traced::{Stub, kernel, sourced};
use super::*;
use std::sync::Arc;

/// The arrays of a kernel: they may lie in one another, or the kernel says that they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrays {
    Overlap,
    Apart,
}

/// The waits of a warp for loads in a kernel from source.
fn waits(arrays: Arrays, body: &str) -> f64 {
    let text = kernel("", body);
    let text = if arrays == Arrays::Overlap { text.replace(" noalias", "") } else { text };
    let (spec, gpu) = (sourced(""), plain());
    let reader = SourceReader::with_compiler(Arc::new(Stub(text)));
    let lowered = Lowering::new(&spec, &gpu, &reader).lower(&Configuration(vec![1])).unwrap();
    lowered.feasible().unwrap().work.unwrap().round_trips
}

/// A load of an array, and a store of what it brings, each at a distance in the work item's own 16 bytes.
fn copy(number: usize, [from, at]: [(&str, i64); 2]) -> [String; 2] {
    let element = |name: &str, (array, distance): (&str, i64)| {
        format!(
            "%{name}p{number} = getelementptr [4 x float], ptr addrspace(1) %{array}, i64 %g\n  %{name}{number} = getelementptr \
             i8, ptr addrspace(1) %{name}p{number}, i64 {distance}\n  "
        )
    };
    [
        format!("{}%v{number} = load float, ptr addrspace(1) %f{number}, align 4\n  ", element("f", from)),
        format!("{}store float %v{number}, ptr addrspace(1) %t{number}, align 4\n  ", element("t", at)),
    ]
}

#[test]
fn a_load_waits_behind_a_store_that_may_change_what_it_brings() {
    let [first, second] = [0, 1].map(|number| {
        let distance = 4 * i64::try_from(number).unwrap();
        copy(number, [("a", distance), ("b", distance)])
    });
    let in_order = [first.concat(), second.concat()].concat();
    let loads_first = [&*first[0], &second[0], &first[1], &second[1]].concat();
    assert_eq!([waits(Arrays::Overlap, &in_order), waits(Arrays::Apart, &in_order)], [2.0, 1.0]);
    assert_eq!([waits(Arrays::Overlap, &loads_first), waits(Arrays::Apart, &loads_first)], [1.0, 1.0]);
}

/// The compiler knows the distance between elements of one array.
#[test]
fn a_load_passes_a_store_beside_it_in_its_own_array() {
    let of = |distance: i64| {
        let copies = [copy(0, [("a", 0), ("a", 0)]), copy(1, [("a", distance), ("b", 0)])];
        copies.into_iter().flatten().collect::<String>()
    };
    assert_eq!([8, 4, 0].map(|distance| waits(Arrays::Apart, &of(distance))), [1.0, 1.0, 2.0]);
}

/// A loop of 64 loads of `a` in rows of `row` bytes, whose sum each iteration stores at `at`, in rows of `stored` bytes.
fn summed(row: u64, at: &str, stored: u64) -> String {
    format!(
        "br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n  %sum = phi float [ 0.0, %entry ], [ \
         %more, %loop ]\n  %far = mul i64 %k, {row}\n  %own = getelementptr float, ptr addrspace(1) %a, i64 %g\n  %p = \
         getelementptr i8, ptr addrspace(1) %own, i64 %far\n  %v = load float, ptr addrspace(1) %p, align 4\n  %more = fadd \
         float %sum, %v\n  %there = mul i64 %k, {stored}\n  %mine = getelementptr float, ptr addrspace(1) %{at}, i64 %g\n  \
         %q = getelementptr i8, ptr addrspace(1) %mine, i64 %there\n  store float %more, ptr addrspace(1) %q, align 4\n  \
         %next = add nuw i64 %k, 1\n  %is = icmp eq i64 %next, 64\n  br i1 %is, label %end, label %loop\nend:"
    )
}

#[test]
fn loads_of_a_loop_wait_one_by_one_behind_its_stores() {
    let far = 1 << 18;
    assert_eq!(waits(Arrays::Apart, &summed(far, "b", 0)), 16.0, "unrolled by four");
    assert_eq!(waits(Arrays::Overlap, &summed(far, "b", 0)), 64.0);
    assert_eq!(waits(Arrays::Apart, &summed(far, "a", far)), 16.0, "no iteration loads what one before has stored");
}

/// Visits each statement beside loops with the number of its executions.
fn each(body: &[Statement], times: u64, visit: &mut dyn FnMut(&Statement, u64)) {
    for statement in body {
        match statement {
            Statement::Loop { count, body } => each(body, times * count, visit),
            one => visit(one, times),
        }
    }
}

/// Cycles of the only wait of a load in a loop of 64 iterations, each `step` elements behind the one before.
fn wait_of(keeps: &str, step: u64) -> u64 {
    let gpu = plain_but(&[
        ("l1_keeps_global_loads", keeps),
        ("latency_l1_hit_cycles", "40"),
        ("latency_l2_hit_cycles", "200"),
    ]);
    let load = format!(
        "loop: {{ count: 64, var: i, body: [{{ load: {{ array: a, index: ['{step} * i + 4096 * gx + 512 * lx'], shape: \
         [8388608], round_trips: 1 }} }}] }}"
    );
    let program = program(&gpu, LAUNCH, &[&load]);
    let latency = |statement: &Statement| match statement {
        Statement::Use { latency, occupancy, .. } => latency - occupancy,
        _ => 0,
    };
    let mut sum = 0;
    each(&program.body, 1, &mut |one, times| sum += times * latency(one));
    sum / 64 / 16
}

#[test]
fn what_a_group_has_loaded_in_an_earlier_iteration_lies_in_l2() {
    // Eight neighbours share a sector: one of eight loads waits for DRAM.
    assert_eq!([wait_of("false", 8), wait_of("false", 1)], [400, 400 / 8 + 200 * 7 / 8]);
    assert_eq!(wait_of("false", 0), (400 + 63 * 200) / 64);
    assert_eq!(wait_of("true", 1), 400 / 8 + 40 * 7 / 8, "L1 keeps them");
}
