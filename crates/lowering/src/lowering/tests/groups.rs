//! Work that depends on the ids of the group: the mean over the groups, and the conditions that need none.
#![expect(clippy::float_cmp, reason = "both sides are the nearest binary fractions of the same quotient")]

use super::traced::{kernel, lowered, stub, trace};
use super::*;
use crate::lowering::phases::totals::GroupWork;
use autotune_kernel::source::SourceReader;

/// The spec of that many groups of 64.
fn of_groups(groups: u64) -> Spec {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\nlaunch: {{ work_items: {}, work_group: 64 }}\nsource: {{ \
         file: k.cl, kernel: k }}\n",
        groups * 64
    );
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// A kernel whose groups store 256 bytes, and another time where a condition `%c` on their id `%w` holds.
fn guarded(condition: &str) -> String {
    let body = format!(
        "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  \
         {condition}\n  br i1 %c, label %then, label %end, !dbg !10\nthen:\n  store float 2.0, ptr addrspace(1) %q, \
         align 4\n  br label %end\nend:\n  %p = getelementptr float, ptr addrspace(1) %a, i64 %g\n  \
         store float 1.0, ptr addrspace(1) %p, align 4"
    );
    kernel("", &body)
}

fn work(groups: u64, condition: &str) -> GroupWork {
    *lowered(&of_groups(groups), guarded(condition)).work.unwrap()
}

/// The share of groups that store twice.
fn share(groups: u64, condition: &str) -> f64 {
    work(groups, condition).stored.asked / 256.0 - 1.0
}

#[test]
fn groups_that_do_other_work_count_by_their_number() {
    assert_eq!(share(64, "%r = urem i64 %w, 4\n  %c = icmp eq i64 %r, 3"), 0.25, "the middle one is among them");
    assert_eq!(share(64, "%r = urem i64 %w, 4\n  %c = icmp eq i64 %r, 1"), 0.25, "the middle one is not");
    assert_eq!(share(64, "%r = and i64 %w, 1\n  %c = icmp eq i64 %r, 0"), 0.5);
    assert_eq!(share(64, "%c = icmp ult i64 %w, 16"), 0.25, "the first quarter");
    assert_eq!(share(64, "%c = icmp eq i64 %w, 7"), 1.0 / 64.0, "one far from the middle");
    assert_eq!(share(64, "%c = icmp ne i64 %w, 7"), 63.0 / 64.0);
    assert_eq!(share(1 << 16, "%r = urem i64 %w, 4\n  %c = icmp eq i64 %r, 3"), 0.25, "1,024 of 65,536");
}

/// If only the numbers of the first and the last group differ, the middle one counts, as it does if none differs.
#[test]
fn first_and_last_groups_count_as_the_middle_one() {
    for (condition, expected) in [
        ("%c = icmp eq i64 %w, 0", 0.0),
        ("%c = icmp ne i64 %w, 63", 1.0),
        ("%c = icmp ult i64 %g, 4096", 1.0),
        ("%c = icmp ult i64 %g, 4050", 1.0),
        ("%m = sub i64 %g, 3\n  %c = icmp sge i64 %m, 0", 1.0),
        ("%d = udiv i64 %w, 64\n  %c = icmp eq i64 %d, 0", 1.0),
    ] {
        assert_eq!(share(64, condition), expected, "{condition}");
    }
    let beyond = share(64, "%c = icmp ult i64 %g, 3000") - (46.0 / 64.0 + 56.0 / 64.0 / 64.0);
    assert!(beyond.abs() < 1e-5, "groups beyond the end: {beyond}");
}

/// A loop of `%n` iterations with a barrier in each.
fn looped(count: &str) -> String {
    let body = format!(
        "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  \
         {count}\n  br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n  call spir_func void \
         @_Z7barrierj(i32 1)\n  store float 2.0, ptr addrspace(1) %q, align 4\n  %next = add nuw i64 %k, 1\n  %is = icmp \
         eq i64 %next, %n\n  br i1 %is, label %end, label %loop\nend:"
    );
    kernel("", &body)
}

#[test]
fn a_loop_has_the_mean_of_its_iterations_and_as_many_barriers() {
    let of = |count: &str| *lowered(&of_groups(64), looped(count)).work.unwrap();
    let triangle = of("%n = add i64 %w, 1");
    // 1 to 64 iterations: 32.5 in the mean, of which half an iteration keeps its barrier.
    assert_eq!((triangle.stored.asked, triangle.barriers), (256.0 * 32.5, 33.0));
    let two = of("%r = and i64 %w, 1\n  %s = shl i64 %r, 4\n  %n = add i64 %s, 4");
    assert_eq!((two.stored.asked, two.barriers), (256.0 * 12.0, 12.0), "4 and 20 iterations");
}

/// Each iteration of a loop with a stride of the launch is executed by all groups, or by some in the last one.
#[test]
fn loops_with_the_strides_of_the_launch_are_decided_without_other_groups() {
    let of = |end: u64| {
        let body = format!(
            "br label %loop\nloop:\n  %k = phi i64 [ %g, %entry ], [ %next, %loop ]\n  %q = getelementptr float, ptr \
             addrspace(1) %b, i64 %k\n  store float 2.0, ptr addrspace(1) %q, align 4\n  %next = add nuw i64 %k, 4096\n  \
             %is = icmp ult i64 %next, {end}\n  br i1 %is, label %loop, label %end\nend:"
        );
        lowered(&of_groups(64), kernel("", &body)).work.unwrap().stored.asked / 256.0
    };
    assert_eq!(of(4096 * 10), 10.0);
    assert_eq!(of(4096 * 10 + 2048), 10.5, "half of the groups have another one");
}

/// `id / 8` and `id % 8` move addresses, and all groups do the same.
#[test]
fn a_swizzle_counts_as_the_middle_group() {
    let body = "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %x = urem i64 %w, 8\n  %y = udiv i64 %w, 8\n  %r = shl \
                i64 %x, 3\n  %t = add i64 %r, %y\n  %f = shl i64 %t, 6\n  %i = add i64 %f, %l\n  %q = getelementptr float, \
                ptr addrspace(1) %b, i64 %i\n  store float 2.0, ptr addrspace(1) %q, align 4";
    let spec = of_groups(64);
    let gpu = plain();
    let traced = trace(&spec, &gpu, kernel("", body));
    assert_eq!((traced.sample.averaged(), traced.sample.compared.len()), (0, 3), "two neighbours and one at a third");
    assert_eq!(lowered(&spec, kernel("", body)).work.unwrap().stored.moved, 256.0);
}

/// The distance between work items depends on the group.
#[test]
fn accesses_whose_lanes_part_count_by_their_sectors() {
    let body = "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %s = and i64 %w, 1\n  %i = shl i64 %g, %s\n  %q = \
                getelementptr float, ptr addrspace(1) %b, i64 %i\n  store float 2.0, ptr addrspace(1) %q, align 4";
    let stored = lowered(&of_groups(64), kernel("", body)).work.unwrap().stored;
    assert_eq!((stored.asked, stored.moved), (256.0, 384.0), "each second group stores every other word");
}

/// A branch on data has its share in the groups that reach it.
#[test]
fn sides_within_sides_multiply() {
    let body = "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %q = getelementptr float, ptr addrspace(1) %b, i64 \
                %g\n  %p = getelementptr i32, ptr addrspace(1) %a, i64 %g\n  %r = urem i64 %w, 4\n  %c = icmp eq i64 %r, \
                1\n  br i1 %c, label %then, label %end\nthen:\n  %v = load i32, ptr addrspace(1) %p, align 4\n  %d = icmp \
                eq i32 %v, 0\n  br i1 %d, label %rare, label %end, !dbg !10\nrare:\n  store float 2.0, ptr addrspace(1) \
                %q, align 4\n  br label %end\nend:";
    let text = "kernel: test\nparameters: { one: { values: [1] } }\nlaunch: { work_items: 4096, work_group: 64 }\nsource: \
                { file: k.cl, kernel: k, assume: { taken@7: 0.5 } }\n";
    let work = *lowered(&Spec::parse(text, "test.yaml").unwrap(), kernel("", body)).work.unwrap();
    assert_eq!((work.loaded.asked, work.stored.asked), (64.0, 32.0));
    assert_eq!(work.sides, [1], "groups are not sides that a warp runs one after the other");
}

#[test]
fn the_abstract_processor_takes_the_mean_of_ticks() {
    let text = "name: grid\nexecution: lockstep\nmultiprocessors: 2\nprocessing_elements: 64\ndispatchers: 2\n\
                global_memory_ticks: 100\nlocal_memory_ticks: 2\nlaunch_ticks: 7\n";
    let profile = Profile::parse(text, "grid.yaml").unwrap();
    let ticks = |condition: &str| {
        let spec = of_groups(64);
        let reader = SourceReader::with_compiler(stub(guarded(condition)));
        let lowering = Lowering::new(&spec, &profile, &reader);
        let lowered = lowering.lower(&Configuration(vec![1])).unwrap().feasible().unwrap();
        let of = |one: &Statement| if let Statement::Use { occupancy, .. } = one { *occupancy } else { 0 };
        lowered.program.body.iter().map(of).sum::<u64>()
    };
    let [never, quarter, always] = ["ugt i64 %w, 99", "ult i64 %w, 16", "ult i64 %w, 99"]
        .map(|condition| ticks(&format!("%c = icmp {condition}")));
    assert!(always > never + 4, "{never} and {always}");
    assert!((never + (always - never) / 4).abs_diff(quarter) <= 1, "{never}, {quarter}, {always}");
}

/// The same question has the same answer: the groups are not drawn by chance.
#[test]
fn a_mean_is_the_same_each_time() {
    let of = || lowered(&of_groups(100_003), guarded("%r = urem i64 %w, 7\n  %c = icmp eq i64 %r, 3")).program;
    assert_eq!(of(), of());
    let third = share(100_003, "%r = urem i64 %w, 7\n  %c = icmp eq i64 %r, 3");
    assert!((third - 1.0 / 7.0).abs() < 0.01, "{third}");
}

#[test]
fn a_trace_names_the_groups_and_the_line() {
    let gpu = plain();
    let spec = of_groups(64);
    let traced = trace(&spec, &gpu, guarded("%c = icmp ult i64 %w, 16, !dbg !10"));
    assert_eq!(traced.sample.places.iter().map(|place| place.line).collect::<Vec<_>>(), [7]);
    let kinds: Vec<(u64, u64)> = traced.sample.kinds.iter().map(|kind| (kind.groups, kind.group[0])).collect();
    assert_eq!(kinds, [(48, 16), (16, 0)]);
    assert!(traced.sample.spread()[0] < 1.0 && traced.sample.spread()[1] > 1.0);
}
