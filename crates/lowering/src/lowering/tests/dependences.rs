//! Dependences of a source: independent operations overlap, dependent ones wait. On the plain GPU an operation of single
//! precision or of integers keeps a warp for 2 cycles, an access for 4, and a result of single precision can be used after 6.

#![expect(clippy::float_cmp, reason = "all numbers of cycles are whole")]

use std::fmt::Write;

use proptest::prelude::*;

use super::traced::{kernel, sourced, stub};
use super::*;
use crate::lowering::InstructionCycles;

/// The GPU whose results of single precision can be used after 6 cycles.
fn gpu() -> Profile {
    plain_but(&[("latency_fp32_fma_cycles", "6")])
}

/// The time of a warp of a kernel, and of all its instructions one after the other.
fn cycles(body: &str) -> (f64, f64) {
    let spec = sourced("");
    let gpu = gpu();
    let reader = SourceReader::with_compiler(stub(kernel("", body)));
    let lowering = Lowering::new(&spec, &gpu, &reader);
    let work = lowering.lower(&Configuration(vec![1])).unwrap().feasible().unwrap().work.unwrap();
    let dependent = work.dependent.unwrap();
    assert_eq!(dependent.counted, work.first_warp, "each instruction counts once");
    let Profile::Pipelined(gpu) = gpu else { panic!("a real GPU") };
    (dependent.cycles, work.first_warp.cycles(&InstructionCycles::new(&gpu).latency))
}

/// `length` sums in a row for each of `chains` values, the chains by turns, and a store of each.
fn chains(chains: usize, length: usize) -> String {
    let mut text = String::new();
    for link in 0..length {
        for chain in 0..chains {
            let before = if link == 0 { "1.0".to_owned() } else { format!("%v{chain}x{}", link - 1) };
            let _ = writeln!(text, "  %v{chain}x{link} = fadd float {before}, 2.0");
        }
    }
    for chain in 0..chains {
        let _ = writeln!(
            text,
            "  %p{chain} = getelementptr float, ptr addrspace(1) %a, i64 {}\n  \
             store float %v{chain}x{}, ptr addrspace(1) %p{chain}, align 4",
            1024 * chain,
            length - 1
        );
    }
    text
}

#[test]
fn four_independent_chains_are_not_one_of_four_times_the_length() {
    // The first operation of a link starts when its operand can be used, 6 cycles after the one before; then the store.
    assert_eq!(cycles(&chains(1, 256)), (256.0 * 6.0 + 4.0, 256.0 * 6.0 + 4.0));
    // Four operations keep the warp for 8 cycles, longer than the 6 that a result takes.
    let (dependent, in_a_row) = cycles(&chains(4, 64));
    assert_eq!(dependent, 64.0 * 4.0 * 2.0 + 4.0 * 4.0);
    assert_eq!(in_a_row, 256.0 * 6.0 + 4.0 * 4.0);
    // Two operations keep it for 4: the chain decides, and the second one begins 2 cycles later.
    assert_eq!(cycles(&chains(2, 64)).0, 64.0 * 6.0 + 2.0 * 4.0);
}

/// A loop of `times` iterations of two sums; `carried` needs those of the iteration before.
fn summed(times: u64, carried: bool) -> String {
    let start = if carried { "%sum" } else { "1.0" };
    format!(
        "br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %sum = phi float [ 0.0, %entry ], [ \
         %more, %loop ]\n  %x = fadd float {start}, 2.0\n  %next = add nuw i32 %k, 1\n  %is = icmp eq i32 %next, \
         {times}\n  %more = fadd float %x, 3.0\n  br i1 %is, label %end, label %loop\nend:\n  %q = getelementptr \
         float, ptr addrspace(1) %b, i64 %g\n  store float %more, ptr addrspace(1) %q, align 4"
    )
}

#[test]
fn an_iteration_takes_its_delays_or_what_it_needs_of_the_one_before() {
    for (carried, iteration) in [
        // The second sum starts 6 cycles after the first, which starts 6 after the second of the iteration before.
        (true, 12.0),
        // The first sum at 0, two operations on integers at 2 and 4, the second sum at 6, the branch at 8 for 1 cycle.
        (false, 9.0),
    ] {
        let of = |times| cycles(&summed(times, carried)).0;
        assert_eq!(of(3) - of(2), iteration);
        assert_eq!(of(1001) - of(1000), iteration);
        assert_eq!(of(1_000_000) - of(1000), 999_000.0 * iteration);
    }
}

/// The starts of operations in order, each with the positions of those that it needs: by definition, pair by pair.
fn starts(needs: &[Vec<usize>], [delay, latency]: [f64; 2]) -> Vec<f64> {
    let mut starts: Vec<f64> = Vec::new();
    for needed in needs {
        let mut start = 0.0_f64;
        for (earlier, began) in starts.iter().enumerate() {
            start = start.max(began + if needed.contains(&earlier) { latency } else { delay });
        }
        starts.push(start);
    }
    starts
}

/// The positions of the earlier operations that operations need: the remainder of a number by one more than the earlier
/// ones, where the last one stands for a constant.
fn needed(numbers: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let of = |(at, (left, right)): (usize, &(usize, usize))| {
        [left, right].into_iter().map(|number| number % (at + 1)).filter(|number| *number < at).collect()
    };
    numbers.iter().enumerate().map(of).collect()
}

proptest! {
    /// Straight lines of sums that need any earlier ones, and a store of the last.
    #[test]
    fn a_straight_line_takes_what_its_definition_says(numbers in prop::collection::vec(any::<(usize, usize)>(), 1..40)) {
        let needs = needed(&numbers);
        let mut text = String::new();
        for (number, needed) in needs.iter().enumerate() {
            let name = |at: usize| needed.get(at).map_or("1.0".to_owned(), |one| format!("%v{one}"));
            let _ = writeln!(text, "  %v{number} = fadd float {}, {}", name(0), name(1));
        }
        let last = needs.len() - 1;
        let (dependent, in_a_row) = cycles(&format!("{text}  store float %v{last}, ptr addrspace(1) %a, align 4\n"));
        let starts = starts(&needs, [2.0, 6.0]);
        let all = starts.iter().map(|start| start + 6.0).fold(0.0, f64::max);
        prop_assert_eq!(dependent, all.max(starts[last] + 6.0 + 4.0));
        prop_assert!(dependent <= in_a_row);
    }
}
