//! What is read of the compilers' outputs in `tests/data/ir`, as they are and changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod alike_groups;
#[path = "../shared/changed_text.rs"]
mod changed_text;
mod loop_nests;
mod memories;
mod prices;
mod shared_numbers;
mod triton;
mod triton_counts;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Assumptions, Flow, IrText, SourceLaunch, Step, Trace, estimated_registers, execute,
};
use proptest::prelude::*;

use changed_text::{change, changed};

/// The kept outputs: kernel, work group, and the text of each version.
const KEPT: [(&str, [u32; 3], [&str; 2]); 5] = [
    (
        "matmul_tiled",
        [8, 4, 1],
        [include_str!("../data/ir/clang-14/matmul_tiled.ll"), include_str!("../data/ir/clang-19/matmul_tiled.ll")],
    ),
    (
        "transpose",
        [8, 4, 1],
        [include_str!("../data/ir/clang-14/transpose.ll"), include_str!("../data/ir/clang-19/transpose.ll")],
    ),
    (
        "reduction",
        [32, 1, 1],
        [include_str!("../data/ir/clang-14/reduction.ll"), include_str!("../data/ir/clang-19/reduction.ll")],
    ),
    (
        "stencil",
        [8, 4, 1],
        [include_str!("../data/ir/clang-14/stencil.ll"), include_str!("../data/ir/clang-19/stencil.ll")],
    ),
    (
        "convolution",
        [8, 4, 1],
        [include_str!("../data/ir/clang-14/convolution.ll"), include_str!("../data/ir/clang-19/convolution.ll")],
    ),
];

fn launch(sizes: [u32; 3]) -> SourceLaunch {
    SourceLaunch {
        sizes,
        groups: [8, 8, 1],
        group: [4, 4, 0],
        arguments: BTreeMap::new(),
        warp_size: 32,
        ..SourceLaunch::default()
    }
}

/// The bytes of each kind of access by all work items, and the barriers.
fn bytes(trace: &Trace, times: u64, sums: &mut BTreeMap<String, u64>) {
    for step in trace {
        match step {
            Step::Block(run) => {
                for access in &run.accesses {
                    let count = times * run.items.count_ones(..) as u64;
                    let size = if access.kind == AccessKind::Barrier { 1 } else { access.bytes };
                    *sums.entry(format!("{:?} {:?}", access.kind, access.memory)).or_default() += count * size;
                }
            }
            Step::Loop(run) => run.rounds.iter().for_each(|round| bytes(&round.steps, times * round.times, sums)),
            Step::Sides(_, sides) => sides.iter().for_each(|side| bytes(&side.steps, times, sums)),
        }
    }
}

#[test]
fn both_versions_of_the_compiler_execute_the_same_accesses() {
    for (name, sizes, texts) in KEPT {
        let sums = texts.map(|text| {
            let split = IrText::split(text).unwrap();
            let module = split.module(split.kernels()[0]).unwrap().unwrap();
            let flow = Flow::new(&module.kernel);
            let executed =
                execute(&module, &flow, &launch(sizes), &Assumptions::default(), true, &Limits::default()).unwrap();
            let mut sums = BTreeMap::new();
            bytes(&executed.trace, 1, &mut sums);
            sums
        });
        assert_eq!(sums[0], sums[1], "{name}");
        assert!(sums[0]["Load Global"] > 0 && sums[0]["Barrier Local"] > 0 && sums[0].len() >= 5, "{:?}", sums[0]);
    }
}

/// A walk over a loop ends when a limit is reached.
#[test]
fn an_execution_stops_at_a_limit() {
    let (_, sizes, [text, _]) = KEPT[0];
    let split = IrText::split(text).unwrap();
    let module = split.module(split.kernels()[0]).unwrap().unwrap();
    let flow = Flow::new(&module.kernel);
    let stopped = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    // Without folding there are enough steps for a look at the clock.
    let executed = execute(&module, &flow, &launch(sizes), &Assumptions::default(), false, &stopped);
    assert_eq!(executed.unwrap_err().to_string(), "analysing was stopped: the time limit was reached");
}

/// The error of a text that is a hostile compiler's.
fn refused(text: &str) -> String {
    let read = IrText::split(text).and_then(|split| split.module("k").map(drop));
    read.unwrap_err().to_string()
}

#[test]
fn a_text_ends_at_the_first_limit_of_the_reader() {
    let function = |body: &str| format!("define spir_kernel void @k() {{\n{body}  ret void\n}}\n");
    let deep = |levels: usize| {
        format!("  store {}i32{} zeroinitializer, ptr null\n", "[2 x ".repeat(levels), "]".repeat(levels))
    };
    assert!(refused(&" ".repeat((64 << 20) + 1)).contains("the text is longer than 64 MiB"));
    let many = "  call void @f()\n".repeat(1_000_000);
    assert!(refused(&function(&many)).contains("a function has more than 1000000 instructions"));
    assert!(refused(&function(&deep(65))).contains("it is nested too deeply"));
    let deepest = function(&deep(60));
    assert!(IrText::split(&deepest).unwrap().module("k").is_ok());
}

/// Reads and executes a text that may be nonsense. Returns true if it is executed.
fn is_executed(text: &str, sizes: [u32; 3]) -> bool {
    let Ok(split) = IrText::split(text) else { return false };
    let mut is_executed = false;
    for kernel in split.kernels() {
        let Ok(Some(module)) = split.module(kernel) else { continue };
        let flow = Flow::new(&module.kernel);
        let registers = estimated_registers(&module);
        assert!((8..=255).contains(&registers.value));
        is_executed |=
            execute(&module, &flow, &launch(sizes), &Assumptions::default(), true, &Limits::default()).is_ok();
    }
    is_executed
}

/// Words that a changed text may contain.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let words = KEPT.iter().flat_map(|(_, _, texts)| texts).flat_map(|text| text.split_whitespace());
    let odd =
        ["-1", "0", "9223372036854775807", "-9223372036854775808", "i1", "i64", "undef", "{", "}", "<2 x i32>", "!"];
    words.chain(odd).collect()
});

proptest! {
    #[test]
    fn a_changed_text_neither_panics_nor_runs_for_long(
        kernel in 0..KEPT.len(), version in 0..2_usize, changes in prop::collection::vec(change(), 1..6),
    ) {
        let (_, sizes, texts) = KEPT[kernel];
        let text = changed(texts[version], "define", &changes, &WORDS);
        let began = Instant::now();
        is_executed(&text, sizes);
        prop_assert!(began.elapsed() < Duration::from_secs(120), "{:?}", began.elapsed());
    }
}

#[test]
fn texts_that_are_almost_right_are_still_executed() {
    for (_, sizes, texts) in KEPT {
        for text in texts {
            assert!(is_executed(text, sizes));
            // A word that means nothing to an execution.
            assert!(is_executed(&text.replace("; preds", "; predecessors"), sizes));
        }
    }
}
