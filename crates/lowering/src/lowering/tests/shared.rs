//! Statements whose blocks configurations share.

use super::*;
use crate::lowering::body::shared::{Shared, SharedBlocks};

/// Three parameters. No statement but the last uses `c`; `a` reaches the statements only through a `let` and the launch.
const SPEC: &str = "kernel: test
problem: { n: 4096 }
parameters: { a: { values: [32, 64, 100] }, b: { values: [1, 2, 3] }, c: { values: [1, 2, 5] } }
let: { tile: a * b }
launch: { work_items: 'ceil_div(n, tile) * a', work_group: a }
resources: { local_memory: 4 * tile }
body:
  - load: { array: x, per_item: b, index: [gx * tile + lx], shape: [n], guarded: true, footprint: { together: 4 * tile * concurrent } }
  - local: { writes: part, per_item: b, stride: b }
  - barrier
  - loop:
      count: b
      var: t
      body:
        - local: { reads: part, index: [lx], shape: [tile] }
        - compute: { per_item: 3 * tile }
        - branch: { divergent: b % 2, then: [ compute: { per_item: 7 } ], else: [ compute: { per_item: 5 } ] }
  - compute: { kind: any, per_item: 11 * c }
  - store: { array: y, index: [gx * a + lx], shape: [n], items: 'min(a, 99 - c)', guarded: true }
";

fn configurations() -> impl Iterator<Item = Configuration> {
    let two = |a| [1, 2, 3].map(move |b| (a, b));
    [32, 64, 100].into_iter().flat_map(two).flat_map(|(a, b)| [1, 2, 5].map(move |c| Configuration(vec![a, b, c])))
}

#[test]
fn programs_are_those_of_each_configuration_alone() {
    let (gpu, reader) = (plain(), SourceReader::default());
    let spec = Spec::parse(SPEC, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let together = Lowering::new(&spec, &gpu, &reader);
    let mut programs = Vec::new();
    // Twice: from the second time on, all is known.
    for configuration in configurations().chain(configurations()) {
        let alone = Lowering::new(&spec, &gpu, &reader).lower(&configuration).unwrap();
        let shared = together.lower(&configuration).unwrap();
        assert_eq!(format!("{shared:?}"), format!("{alone:?}"), "{configuration:?}");
        programs.push(format!("{alone:?}"));
    }
    programs.sort();
    programs.dedup();
    assert_eq!(programs.len(), 27, "the parameters matter");
}

/// A statement that fails once must fail again, and one that passed must not hide the failure of another.
#[test]
fn errors_are_found_as_often_as_they_occur() {
    let (gpu, reader) = (plain(), SourceReader::default());
    let text = SPEC.replace("stride: b }", "stride: b, items: 97 }");
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let lowering = Lowering::new(&spec, &gpu, &reader);
    for configuration in configurations().chain(configurations()) {
        let result = lowering.lower(&configuration);
        assert_eq!(result.is_err(), configuration.0[0] < 100, "{configuration:?}: {result:?}");
    }
}

#[test]
fn only_what_leaves_a_parameter_out_is_shared() {
    let gpu = plain();
    let spec = Spec::parse(SPEC, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let Profile::Pipelined(pipelined) = &gpu else { panic!("{gpu:?}") };
    let lowering = Lowering::new(&spec, &gpu, &SourceReader::default()).launch(&Configuration(vec![32, 1, 1]));
    let Feasibility::Feasible(launched) = lowering.unwrap() else { panic!("it fits {}", pipelined.multiprocessors) };
    let shared = SharedBlocks::new(&spec).of(&launched);
    let is_open: Vec<bool> = shared.iter().map(|shared| matches!(shared, Shared::Open(_))).collect();
    assert_eq!(is_open, [true, true, false, true, false, false]);
}
