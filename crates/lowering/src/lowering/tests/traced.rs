//! Kernels from their source: what a trace costs. The compiler is a stub that returns a kernel in LLVM's text.
#![expect(clippy::float_cmp, reason = "both sides are the nearest binary fractions of the same quotient")]

use std::sync::Arc;

use super::*;
use crate::lowering::phases::totals::GroupWork;
use Server::{Local, Memory};
use autotune_kernel::source::{AnalysisError, Compile, Macros, Registers, SourceReader};

/// A compiler that knows one kernel.
#[derive(Debug)]
pub(super) struct Stub(pub(super) String);

impl Compile for Stub {
    fn key(&self, _: &Macros) -> String {
        self.0.clone()
    }

    fn compile(&self, _: &Macros) -> Result<(String, String), AnalysisError> {
        Ok((self.0.clone(), self.0.clone()))
    }

    fn registers(&self, _: &Macros, _: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(None)
    }
}

/// A kernel of two arrays and its ids: `%l` in the group, `%g` in the launch.
pub(super) fn kernel(globals: &str, body: &str) -> String {
    format!(
        "{globals}\ndefine spir_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {{\nentry:\n  \
         %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n  %g = call spir_func i64 @_Z13get_global_idj(i32 0)\n  \
         {}\n  ret void\n}}\n{NOTES}",
        body.trim()
    )
}

/// The places of lines: `!10` is line 7 of the source.
const NOTES: &str = "!5 = distinct !DISubprogram(name: \"k\", file: !6, line: 1)\n!6 = !DIFile(filename: \"k.cl\", \
                     directory: \"/w\")\n!10 = !DILocation(line: 7, column: 3, scope: !5)\n";

/// The spec of 1,024 groups of 64.
pub(super) fn sourced(more: &str) -> Spec {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{LAUNCH}\nsource: {{ file: k.cl, kernel: k{more} }}\n"
    );
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// A compiler that knows one kernel.
pub(super) fn stub(kernel: String) -> Arc<dyn Compile> {
    Arc::new(Stub(kernel))
}

/// Execution that stands for all groups of the only configuration.
pub(super) fn trace(spec: &Spec, gpu: &Profile, kernel: String) -> Arc<TracedKernel> {
    let reader = SourceReader::with_compiler(stub(kernel));
    let lowering = Lowering::new(spec, gpu, &reader);
    lowering.trace(&Configuration(vec![1])).unwrap().unwrap().feasible().unwrap()
}

/// The only configuration of a spec of this kernel, on the plain GPU.
fn lowering_of(spec: &Spec, kernel: String) -> Feasibility<Lowered> {
    let gpu = plain();
    let reader = SourceReader::with_compiler(Arc::new(Stub(kernel)));
    let lowering = Lowering::new(spec, &gpu, &reader);
    lowering.lower(&Configuration(vec![1])).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn lowered(spec: &Spec, kernel: String) -> Lowered {
    match lowering_of(spec, kernel) {
        Feasibility::Feasible(lowered) => lowered,
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

fn work(body: &str) -> GroupWork {
    *lowered(&sourced(""), kernel("", body)).work.unwrap()
}

/// The ticks of a warp in a server.
fn ticks(of: Server, lowered: &Lowered) -> u64 {
    fn sum(of: Server, body: &[Statement]) -> u64 {
        let one = |statement: &Statement| match statement {
            Statement::Use { server, occupancy, .. } if *server == of => *occupancy,
            Statement::Loop { count, body } => count * sum(of, body),
            _ => 0,
        };
        body.iter().map(one).sum()
    }
    sum(of, &lowered.program.body)
}

/// A load of `a` at an index of `g`, and its store to `b[g]`.
fn copy(index: &str) -> String {
    format!(
        "{index}\n  %p = getelementptr float, ptr addrspace(1) %a, i64 %i\n  %v = load float, ptr addrspace(1) %p, \
         align 4\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  store float %v, ptr addrspace(1) %q, align 4"
    )
}

#[test]
fn sectors_follow_from_the_addresses() {
    let of = |index: &str| {
        let GroupWork { loaded, stored, .. } = work(&copy(index));
        assert_eq!([stored.asked, stored.moved, stored.beyond_l2], [256.0; 3], "b is written in order");
        (loaded.moved, loaded.beyond_l1, loaded.uncoalesced)
    };
    assert_eq!(of("%i = add i64 %g, 0"), (256.0, 256.0, 0.0), "4 sectors of each warp");
    assert_eq!(of("%i = shl i64 %g, 1"), (512.0, 512.0, 512.0), "every other word: twice the sectors");
    // 32 words from the second one touch 5 sectors of a warp; the group's 64 touch 9.
    assert_eq!(of("%i = add i64 %g, 1"), (320.0, 288.0, 0.0));
    assert_eq!(of("%i = shl i64 %g, 3"), (2048.0, 2048.0, 2048.0), "a sector of each work item");
}

#[test]
fn groups_that_run_together_share_what_they_read() {
    let shared = work(&copy("%i = add i64 %l, 0")).loaded;
    assert_eq!(shared.beyond_l1, 256.0);
    assert_eq!(shared.beyond_l2, 256.0 / 1024.0, "all 1,024 groups run together and read the same");
    // Two loads of a group, 64 words apart: the second is the first of the next group.
    let halo = work(&format!(
        "{}\n  %j = add i64 %g, 64\n  %s = getelementptr float, ptr addrspace(1) %a, i64 %j\n  %w = load float, \
         ptr addrspace(1) %s, align 4\n  store float %w, ptr addrspace(1) %q, align 4",
        copy("%i = add i64 %g, 0")
    ));
    assert_eq!(halo.loaded.beyond_l1, 512.0);
    assert_eq!(halo.loaded.beyond_l2, 256.0 * 1025.0 / 1024.0, "each word once, and those behind the last group");
}

/// In each iteration of a loop a group reads a row of its own, and some of its work items the beginning of the next one's.
#[test]
fn groups_share_what_a_part_of_their_work_items_reads_in_a_loop() {
    let body = "%few = icmp slt i64 %l, 16\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  br label %head\n\
                head:\n  %i = phi i64 [ 0, %entry ], [ %n, %latch ]\n  %row = shl i64 %i, 20\n  %at = add i64 %row, %g\n  \
                %p = getelementptr float, ptr addrspace(1) %a, i64 %at\n  \
                %v = load float, ptr addrspace(1) %p, align 4\n  store float %v, ptr addrspace(1) %q, align 4\n  \
                br i1 %few, label %then, label %latch\nthen:\n  %behind = add i64 %at, 64\n  \
                %r = getelementptr float, ptr addrspace(1) %a, i64 %behind\n  \
                %w = load float, ptr addrspace(1) %r, align 4\n  store float %w, ptr addrspace(1) %q, align 4\n  \
                br label %latch\nlatch:\n  %n = add i64 %i, 1\n  %c = icmp ult i64 %n, 20\n  \
                br i1 %c, label %head, label %out\nout:";
    let loaded = work(body).loaded;
    assert_eq!(loaded.beyond_l1, 20.0 * (256.0 + 64.0));
    assert_eq!(loaded.beyond_l2, 20.0 * (256.0 + 64.0 / 1024.0), "each word once, and those behind the last group");
}

#[test]
fn equal_loads_are_one_unless_a_store_is_between() {
    let twice = |between: &str| {
        let body = format!(
            "%p = getelementptr float, ptr addrspace(1) %a, i64 %g\n  %q = getelementptr float, ptr addrspace(1) %b, \
             i64 %g\n  %v = load float, ptr addrspace(1) %p, align 4\n  {between}\n  %w = load float, ptr addrspace(1) \
             %p, align 4\n  %s = fadd float %v, %w\n  store float %s, ptr addrspace(1) %q, align 4"
        );
        work(&body).loaded.asked
    };
    assert_eq!(twice(""), 256.0);
    assert_eq!(twice("br label %next\nnext:"), 256.0, "the next block of the stretch too");
    assert_eq!(twice("store float 1.0, ptr addrspace(1) %q, align 4"), 256.0, "b is not a");
    assert_eq!(twice("store float 1.0, ptr addrspace(1) %p, align 4"), 512.0);
    assert_eq!(twice("call spir_func void @_Z7barrierj(i32 1)"), 512.0);
    assert_eq!(twice("call spir_func void @_Z9mem_fencej(i32 1)"), 512.0);
    assert_eq!(twice("fence seq_cst"), 512.0);
    assert_eq!(
        twice("%x = load volatile float, ptr addrspace(1) %p, align 4"),
        512.0,
        "a volatile load is made, and no other"
    );
}

/// Compilers end no block at a barrier.
#[test]
fn what_a_block_computes_behind_its_barrier_is_part_of_the_next_phase() {
    let sums = |from: &str, to: &str| {
        let sum = |at: usize| {
            let last = if at == 0 { "1.0".to_owned() } else { format!("%{from}{}", at - 1) };
            format!("%{from}{at} = fadd float {last}, 2.0\n  ")
        };
        (0..40).map(sum).collect::<String>() + to
    };
    let barrier = "call spir_func void @_Z7barrierj(i32 1)\n  ";
    let store =
        "%q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  store float 1.0, ptr addrspace(1) %q, align 4";
    let body = sums("x", barrier) + &sums("y", "") + store;
    let program = lowered(&sourced(""), kernel("", &body)).program;
    let computed = |statements: &[Statement]| {
        let of = |one: &Statement| match one {
            Statement::Use { server: Server::Dispatcher, occupancy, .. } => *occupancy,
            _ => 0,
        };
        statements.iter().map(of).sum::<u64>()
    };
    let barrier = program.body.iter().position(|statement| matches!(statement, Statement::Barrier { .. })).unwrap();
    let (before, behind) = program.body.split_at(barrier);
    // The store and its address are behind the barrier, too.
    assert!(computed(before) > 0 && computed(behind) >= computed(before), "{:?}", program.body);
    assert!(computed(behind) < 2 * computed(before), "{:?}", program.body);
}

#[test]
fn neighbours_become_one_access() {
    let two = |second: u64, align: u64| {
        let body = format!(
            "%i = shl i64 %g, 1\n  %p = getelementptr float, ptr addrspace(1) %a, i64 %i\n  %v = load float, \
             ptr addrspace(1) %p, align {align}\n  %n = getelementptr float, ptr addrspace(1) %p, i64 {second}\n  %w = load \
             float, ptr addrspace(1) %n, align 4\n  %s = fadd float %v, %w\n  %q = getelementptr float, \
             ptr addrspace(1) %b, i64 %g\n  store float %s, ptr addrspace(1) %q, align 4"
        );
        work(&body).issued.accesses
    };
    assert_eq!(two(1, 8), 4.0, "a load of two words and a store by two warps");
    assert_eq!(two(2, 8), 6.0);
    assert_eq!(two(1, 4), 6.0, "the compiler does not know where the array begins");
}

#[test]
fn lanes_meet_in_the_banks_of_local_memory() {
    let passes = |shift: u64| {
        let tile = "@k.tile = internal addrspace(3) global [4096 x float] undef, align 4";
        let body = format!(
            "%i = shl i64 %l, {shift}\n  %p = getelementptr float, ptr addrspace(3) @k.tile, i64 %i\n  store float 0.0, \
             ptr addrspace(3) %p, align 4"
        );
        ticks(Local, &lowered(&sourced(""), kernel(tile, &body)))
    };
    let once = passes(0);
    assert!(once > 0);
    for shift in [1, 3, 5] {
        assert_eq!(passes(shift), once << shift, "lanes 2^{shift} words apart: as many words in a bank");
    }
}

/// The address of a word of one local array in some work items, and of another array in the others.
fn chosen(condition: &str, one: &str, other: &str) -> (String, String) {
    let arrays =
        "@k.one = internal addrspace(3) global [64 x float] undef, align 4\n@k.two = internal addrspace(3) global \
                  [32 x float] undef, align 4"
            .to_owned();
    let body = format!(
        "%c = icmp {condition}\n  {one}\n  {other}\n  %o = getelementptr float, ptr addrspace(3) @k.one, i64 %i\n  %t = \
         getelementptr float, ptr addrspace(3) @k.two, i64 %j\n  %p = select i1 %c, ptr addrspace(3) %o, ptr addrspace(3) \
         %t\n  %v = load float, ptr addrspace(3) %p, align 4\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  \
         store float %v, ptr addrspace(1) %q, align 4"
    );
    (arrays, body)
}

#[test]
fn work_items_may_reach_different_arrays() {
    let of = |condition: &str, one: &str, other: &str| {
        let (arrays, body) = chosen(condition, one, other);
        let (gpu, spec) = (plain(), sourced(""));
        let reader = SourceReader::with_compiler(stub(kernel(&arrays, &body)));
        let lowering = Lowering::new(&spec, &gpu, &reader);
        lowering.lower(&Configuration(vec![1])).map(|lowered| lowered.feasible().unwrap())
    };
    // The words of one array in the first warp, those of the other in the second; or of both in each warp.
    for condition in ["ult i64 %l, 32", "ult i64 %g, 32800"] {
        let both = of(condition, "%i = add i64 %l, 0", "%j = and i64 %l, 31").unwrap();
        assert_eq!(both.work.as_ref().unwrap().issued.accesses, 4.0, "a load and a store by two warps");
        assert_eq!(
            ticks(Local, &both),
            ticks(Local, &of("ult i64 %l, 64", "%i = add i64 %l, 0", "%j = add i64 %l, 0").unwrap())
        );
    }
    let odd = "%m = and i64 %l, 1\n  %c = icmp eq i64 %m, 0";
    let (arrays, body) = chosen("eq i64 %l, %l", "%i = add i64 %l, 0", "%j = and i64 %l, 31");
    let mixed = lowered(&sourced(""), kernel(&arrays, &body.replace("%c = icmp eq i64 %l, %l", odd)));
    assert_eq!(mixed.work.unwrap().issued.accesses, 4.0);
}

#[test]
fn each_array_has_bounds_of_its_own() {
    let refusal = |one: &str, other: &str| {
        let (arrays, body) = chosen("ult i64 %l, 32", one, other);
        let (gpu, spec) = (plain(), sourced(""));
        let reader = SourceReader::with_compiler(stub(kernel(&arrays, &body)));
        let lowering = Lowering::new(&spec, &gpu, &reader);
        lowering.lower(&Configuration(vec![1])).unwrap().infeasible().map(|why| why.to_string())
    };
    let inside = "%j = sub i64 %l, 32";
    assert_eq!(refusal("%i = shl i64 %l, 1", inside), None);
    let found = refusal("%i = shl i64 %l, 2", inside).unwrap();
    assert!(found.contains("of the local array `one`, which has 256"), "{found}");
    let found = refusal("%i = add i64 %l, 0", "%j = add i64 %l, 0").unwrap();
    assert!(found.contains("reaches byte 128 of the local array `two`, which has 128"), "{found}");
    let found = refusal("%i = add i64 %l, 0", "%j = sub i64 %l, 33").unwrap();
    assert!(found.contains("reaches byte -4 of the local array `two`, which has 128"), "{found}");
}

/// The sectors of both arrays count, each for the work items that reach it.
#[test]
fn a_pointer_to_one_of_two_arrays_of_global_memory_touches_both() {
    let body = "%m = and i64 %l, 1\n  %c = icmp eq i64 %m, 0\n  %o = getelementptr float, ptr addrspace(1) %a, i64 %g\n  \
                %t = getelementptr float, ptr addrspace(1) %b, i64 %g\n  %p = select i1 %c, ptr addrspace(1) %o, ptr \
                addrspace(1) %t\n  %v = load float, ptr addrspace(1) %p, align 4\n  store float %v, ptr addrspace(1) %t, \
                align 4";
    let work = work(body);
    assert_eq!((work.loaded.asked, work.loaded.moved), (256.0, 512.0));
}

#[test]
fn loads_that_depend_on_loads_wait_for_them() {
    let chain = "%p = getelementptr i64, ptr addrspace(1) %a, i64 %g\n  %v = load i64, ptr addrspace(1) %p, align 8\n  \
                 %q = getelementptr i64, ptr addrspace(1) %b, i64 INDEX\n  %w = load i64, ptr addrspace(1) %q, align 8\n  \
                 %s = add i64 %v, %w\n  %r = getelementptr i64, ptr addrspace(1) %b, i64 %g\n  store i64 %s, \
                 ptr addrspace(1) %r, align 8";
    assert_eq!(work(&chain.replace("INDEX", "%v")).round_trips, 2.0);
    assert_eq!(work(&chain.replace("INDEX", "%l")).round_trips, 1.0, "under way together");
}

/// A loop of that many loads of `a`, each added to a sum.
fn summed(times: u64) -> String {
    format!(
        "br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n  %sum = phi float [ 0.0, %entry ], [ \
         %more, %loop ]\n  %far = shl i64 %k, 16\n  %i = add i64 %far, %g\n  %p = getelementptr float, ptr addrspace(1) \
         %a, i64 %i\n  %v = load float, ptr addrspace(1) %p, align 4\n  %more = fadd float %sum, %v\n  %next = add nuw \
         i64 %k, 1\n  %is = icmp eq i64 %next, {times}\n  br i1 %is, label %end, label %loop\nend:\n  %q = getelementptr \
         float, ptr addrspace(1) %b, i64 %g\n  store float %more, ptr addrspace(1) %q, align 4"
    )
}

#[test]
fn short_loops_are_unrolled_by_four() {
    assert_eq!(work(&summed(3)).round_trips, 3.0);
    assert_eq!(work(&summed(10)).round_trips, 4.0, "two rounds of four and two single iterations");
    assert_eq!(work(&summed(4000)).round_trips, 1000.0);
}

#[test]
fn loads_that_fill_the_free_registers_wait_once_for_each_filling() {
    let load = |name: &str, of: &str| {
        format!(
            "%p{name} = getelementptr i64, ptr addrspace(1) {of}, i64 %g\n  %{name} = load i64, ptr addrspace(1) %p{name}, \
             align 8\n  "
        )
    };
    let sum = "%s = add i64 %v, %w\n  store i64 %s, ptr addrspace(1) %pw, align 8";
    let body = kernel("", &[load("v", "%a"), load("w", "%b"), sum.to_owned()].concat());
    let round_trips = |registers: u64| {
        let spec = sourced(&format!(" }}\nresources: {{ registers: {registers}"));
        lowered(&spec, body.clone()).work.unwrap().round_trips
    };
    assert_eq!(round_trips(128), 1.0);
    assert_eq!(round_trips(253), 2.0, "four words, and two registers of 255 are free");
}

#[test]
fn a_warp_waits_behind_a_block_that_uses_what_it_loads() {
    let body = |used: &str, later: &str| {
        format!(
            "%p = getelementptr float, ptr addrspace(1) %a, i64 %g\n  %v = load float, ptr addrspace(1) %p, align 4\n  \
             {used}\n  br label %next\nnext:\n  %q = getelementptr float, ptr addrspace(1) %b, i64 %g\n  %w = load float, \
             ptr addrspace(1) %q, align 4\n  {later}\n  %t = fadd float %s, %w\n  store float %t, ptr addrspace(1) %q, \
             align 4"
        )
    };
    let sum = "%s = fadd float %v, %v";
    assert_eq!(work(&body(sum, "")).round_trips, 2.0);
    assert_eq!(work(&body("", sum)).round_trips, 1.0, "under way together");
}

#[test]
fn spilled_words_are_used_where_most_is_computed() {
    let (gpu, spec) = (plain(), sourced(""));
    let reader = SourceReader::with_compiler(Arc::new(Stub(kernel("", &summed(40)))));
    let lowering = Lowering::new(&spec, &gpu, &reader);
    match lowering.trace(&Configuration(vec![1])).unwrap().unwrap() {
        Feasibility::Feasible(traced) => assert_eq!(traced.spill_uses(), 40),
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

#[test]
fn local_arrays_are_aligned_and_added_up() {
    let arrays = "@k.one = internal addrspace(3) global [5 x float] undef, align 4\n@k.two = internal addrspace(3) global \
                  [3 x i8] undef, align 1";
    let body = "store float 0.0, ptr addrspace(3) @k.one, align 4\n  store i8 0, ptr addrspace(3) @k.two, align 1";
    let (gpu, spec) = (plain(), sourced(""));
    let reader = SourceReader::with_compiler(Arc::new(Stub(kernel(arrays, body))));
    let lowering = Lowering::new(&spec, &gpu, &reader);
    match lowering.trace(&Configuration(vec![1])).unwrap().unwrap() {
        Feasibility::Feasible(traced) => assert_eq!(traced.local_memory(), 32 + 16),
        Feasibility::Infeasible(why) => panic!("{why}"),
    }
}

#[test]
fn a_branch_on_data_counts_by_its_share() {
    let body = "%p = getelementptr i32, ptr addrspace(1) %a, i64 %g\n  %v = load i32, ptr addrspace(1) %p, align 4\n  %is \
                = icmp eq i32 %v, 0\n  br i1 %is, label %then, label %end, !dbg !10\nthen:\n  %q = getelementptr i32, \
                ptr addrspace(1) %b, i64 %g\n  store i32 1, ptr addrspace(1) %q, align 4\n  br label %end\nend:";
    let stored = |more: &str| lowered(&sourced(more), kernel("", body)).work.unwrap().stored.asked;
    assert_eq!(stored(""), 256.0, "both sides");
    assert_eq!(stored(", assume: { taken@7: 0.25 }"), 64.0);
    assert_eq!(stored(", assume: { taken@7: 0 }"), 0.0);
}

#[test]
fn addresses_on_data_are_what_the_user_assumes() {
    let body = "%p = getelementptr i64, ptr addrspace(1) %a, i64 %g\n  %v = load i64, ptr addrspace(1) %p, align 8\n  %q = \
                getelementptr float, ptr addrspace(1) %b, i64 %v\n  store float 1.0, ptr addrspace(1) %q, align 4, !dbg !10";
    let stored = |more: &str| {
        let stored = lowered(&sourced(more), kernel("", body)).work.unwrap().stored;
        (stored.moved, stored.beyond_l2)
    };
    assert_eq!(stored(""), (2048.0, 2048.0), "a sector of each work item");
    assert_eq!(stored(", assume: { address@7: random }"), (2048.0, 2048.0));
    assert_eq!(stored(", assume: { address@7: coalesced }"), (256.0, 256.0));
    assert_eq!(stored(", assume: { address@7: same }"), (64.0, 64.0 / 1024.0), "one sector of each warp");
}

/// Elements of `b` by the numbers in `a`, which the user assumes.
#[test]
fn addresses_follow_from_what_arrays_are_assumed_to_hold() {
    let body = "%p = getelementptr i64, ptr addrspace(1) %a, i64 %g\n  %v = load i64, ptr addrspace(1) %p, align 8\n  %q = \
                getelementptr float, ptr addrspace(1) %b, i64 %v\n  store float 1.0, ptr addrspace(1) %q, align 4, !dbg !10";
    let stored = |contents: &str| {
        let spec = sourced(&format!(", contents: {{ {contents} }}"));
        let stored = lowered(&spec, kernel("", body)).work.unwrap().stored;
        (stored.moved, stored.beyond_l2)
    };
    for neighbours in ["a: identity", "0: identity", "a: i", "a: 65535 - i"] {
        assert_eq!(stored(neighbours).0, 256.0, "{neighbours}");
    }
    assert_eq!(stored("a: identity"), (256.0, 256.0), "each group its own sectors");
    assert_eq!(stored("a: i + one").0, 320.0, "each warp reaches a sector more");
    assert_eq!(stored("a: i * 8"), (2048.0, 2048.0), "a sector of each work item");
    assert_eq!(stored("a: one * 64").0, 64.0, "one sector of each warp");
    assert_eq!(stored("a: i / 4").0, 64.0, "16 numbers of a group, a sector of each 8 of them and of each warp");
    let refused = |contents: &str| {
        let (spec, gpu) = (sourced(&format!(", contents: {{ {contents} }}")), plain());
        let reader = SourceReader::with_compiler(stub(kernel("", body)));
        Lowering::new(&spec, &gpu, &reader).lower(&Configuration(vec![1])).unwrap_err().to_string()
    };
    assert!(refused("c: 0").contains("no parameter `c`"), "{}", refused("c: 0"));
    assert!(refused("a: 64 / i").contains("division by zero"), "{}", refused("a: 64 / i"));
}

#[test]
fn atomic_operations_on_one_address_wait_for_each_other() {
    let add = |index: &str| {
        let body = format!(
            "%p = getelementptr i32, ptr addrspace(1) %a, i64 {index}\n  %old = atomicrmw add ptr addrspace(1) %p, i32 1 \
             monotonic, align 4"
        );
        lowered(&sourced(""), kernel("", &body))
    };
    // 64 operations of each group, for 64 multiprocessors, a cycle each, by two warps.
    assert_eq!(ticks(Memory, &add("0")), 64 * 64 * 16 / 2);
    assert_eq!(add("0").work.unwrap().round_trips, 0.0, "no one waits for a result that is not used");
    assert!(ticks(Memory, &add("%g")) < 64 * 16, "each work item its own");
}

/// NVIDIA's compiler fits the registers to a launch that the source states, and to no other.
#[test]
fn estimated_registers_spill_and_an_unbounded_group_may_not_launch() {
    let count = 120;
    let lines = |line: &dyn Fn(u64) -> String| (0..count).map(line).collect::<Vec<_>>().join("\n  ");
    let load = lines(&|n| {
        format!(
            "%i{n} = add i64 %g, {}\n  %p{n} = getelementptr float, ptr addrspace(1) %a, i64 %i{n}\n  %v{n} = load float, \
             ptr addrspace(1) %p{n}, align 4",
            n * 100_000
        )
    });
    let store = lines(&|n| format!("store float %v{n}, ptr addrspace(1) %p{}, align 4", count - 1 - n));
    let kernel = kernel("", &format!("{load}\n  {store}"));
    let registers = lowered(&sourced(""), kernel.clone()).work.unwrap().registers;
    assert!((64..=255).contains(&registers), "{registers}: a group of 64 can have them, one of 1,024 cannot");
    let text = "kernel: test\nparameters: { one: { values: [1] } }\nlaunch: { work_items: 65536, work_group: 1024 }\n\
                source: { file: k.cl, kernel: k }\n";
    let large = Spec::parse(text, "test.yaml").unwrap();
    let unbounded = lowered(&large, kernel.clone());
    let work = unbounded.work.unwrap();
    assert_eq!((unbounded.occupancy.unwrap().groups, work.held_registers, work.may_not_launch), (1, 64, true));
    assert!(work.stored.beyond_l1 > 1024.0 * 4.0 * 120.0, "what does not fit counts as spilled");
    let bounded = kernel.replace("noalias %b) {", "noalias %b) !reqd_work_group_size !7 {");
    let bounded = lowered(&large, bounded + "!7 = !{i32 1024, i32 1, i32 1}\n");
    assert_eq!(bounded.occupancy.unwrap().groups, 1);
    assert!(!bounded.work.as_ref().unwrap().may_not_launch, "the compiler knows the launch");
    assert!(bounded.work.unwrap().stored.beyond_l1 > 1024.0 * 4.0 * 120.0, "what does not fit is spilled");
}
