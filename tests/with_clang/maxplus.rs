//! Max-plus of sources on lockstep GPUs: the models' times stay below the machine's, and memory is never forgotten.

use std::path::Path;

use autotune::gpu;
use autotune::lowering::{Feasibility, Lowering};
use autotune::machine::evaluate;
use autotune::models::maxplus::Kernel;
use autotune::source::{SourceReader, Tools};
use autotune::spec::{Configuration, Spec};

/// Specs of sources, each with a configuration: loops, barriers, branches, local memory and shared reads.
const KERNELS: [(&str, &[i64]); 5] = [
    ("examples/kernels/minimum.yaml", &[64, 64]),
    ("examples/kernels/reduction.yaml", &[64, 8, 2]),
    ("examples/kernels/nbody.yaml", &[64, 2, 1]),
    ("examples/kernels/transpose_naive.yaml", &[16, 16]),
    ("examples/papers/vadd_source.yaml", &[64]),
];

#[test]
fn models_of_a_source_on_lockstep_gpus_are_bounds() {
    let tools = Tools { clang: Some(Path::new("clang-19").to_owned()), no_cache: true, ..Tools::default() };
    let reader = SourceReader::new(tools);
    for (path, values) in KERNELS {
        let spec = Spec::load(path.as_ref()).unwrap();
        for gpu in ["abstract-tiny", "abstract-fermi"] {
            let profile = &gpu::find(gpu).unwrap().profile;
            let lowering = Lowering::new(&spec, profile, &reader);
            let configuration = Configuration(values.to_vec());
            let lowered = match lowering.lower(&configuration) {
                Ok(Feasibility::Feasible(lowered)) => lowered,
                Ok(Feasibility::Infeasible(_)) if gpu == "abstract-tiny" => continue,
                refused => panic!("{path}: {refused:?}"),
            };
            let scope = spec.scope(lowering.names(), &configuration).unwrap();
            let kernel = Kernel::new(&spec, profile, &scope, lowered.program_and_parts()).unwrap();
            let times = kernel.times().unwrap();
            let ticks = u128::from(evaluate(&lowered.program, u64::MAX).unwrap().ticks);
            assert!(
                0 < times.naive && times.naive < times.operations && times.operations <= ticks,
                "{path}: {times:?}"
            );
            assert_eq!(times.serialized, times.operations, "{path}");
        }
    }
}
