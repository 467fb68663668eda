//! Sources that are changed at random: the compiler refuses them or not, and nothing panics or runs for long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use autotune::limits::Limits;
use autotune::source::{Assumptions, Maker, SourceKernel, SourceLaunch};
use proptest::prelude::*;

use super::changed_text::{change, changed};
use super::{VERSIONS, Written, clang, macros};

/// Sources with the values of their macros.
const SOURCES: [(&str, &str); 5] = [
    (include_str!("../../examples/kernels/matmul_tiled.cl"), "size=1024 TS=16 ROWS=4 COLS=2"),
    (include_str!("../../examples/kernels/reduction.cl"), "TS=16 WG=64 VEC=4"),
    (include_str!("../../examples/kernels/histogram.cl"), "WG=64 TS=16 COPIES=2"),
    (include_str!("../../examples/kernels/point_in_polygon.cl"), "edges=60 WG=64 POINTS=2 SKIP=1"),
    (include_str!("../../examples/kernels/nbody.cl"), "WG=64 BODIES=2 STAGED=1"),
];

/// Words of kernels, some of them far off.
const WORDS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "i",
    "n",
    "size",
    "for",
    "while",
    "if",
    "else",
    "return",
    "barrier(1)",
    "{",
    "}",
    ";",
    "+",
    "/",
    "%",
    "<",
    "float4",
    "__local",
    "goto",
    "asm(\"nop\");",
];

/// Compiles, reads and executes a source. Returns true if it is executed.
fn is_executed(version: &str, text: &str, configuration: &str) -> bool {
    let pairs: Vec<_> = configuration.split(' ').map(|pair| pair.split_once('=').unwrap()).collect();
    let written = Written::new(&[("kernel.cl", text)]);
    let Ok(compiled) = written.compiler(&clang(version)).compile(&macros(&pairs)) else { return false };
    let Ok(kernel) = SourceKernel::read(&compiled.text, None, Maker::Nvidia) else { return false };
    let arguments = (0..8).map(|at| (at, autotune::source::Argument::Integer(256))).collect();
    let launch = SourceLaunch {
        sizes: [16, 4, 1],
        groups: [8, 8, 1],
        group: [4, 4, 0],
        arguments,
        warp_size: 32,
        ..SourceLaunch::default()
    };
    Arc::new(kernel).execute(&launch, &Assumptions::default(), &Limits::default()).is_ok()
}

#[test]
fn sources_without_a_change_are_executed() {
    for (text, configuration) in SOURCES {
        assert!(is_executed(VERSIONS[0], text, configuration), "{configuration}");
    }
}

proptest! {
    // Each case is a run of the compiler.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]
    #[test]
    fn a_changed_source_neither_panics_nor_runs_for_long(
        source in 0..SOURCES.len(), version in 0..VERSIONS.len(), changes in prop::collection::vec(change(), 1..4),
    ) {
        let (text, configuration) = SOURCES[source];
        let began = Instant::now();
        is_executed(VERSIONS[version], &changed(text, "{", &changes, &WORDS), configuration);
        // The compiler may take 20 s, an execution 10 s.
        prop_assert!(began.elapsed() < Duration::from_secs(120), "{:?}", began.elapsed());
    }
}
