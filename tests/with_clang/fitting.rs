//! GPUs that sources fit: the answer for many GPUs is that of one GPU after the other, with fewer compilations.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use autotune::check::Fits;
use autotune::gpu::{self, Profile, Selected};
use autotune::limits::Limits;
use autotune::lowering::{Feasibility, Lowering};
use autotune::source::{SourceReader, Tools};
use autotune::space::{Space, Visit};
use autotune::spec::{Configuration, GpuNames, Spec};

use super::Written;
use super::once::Counted;

/// GPUs with other targets; some of these a source cannot tell apart.
const GPUS: &str = "tesla-k20,p100,v100,a100-40gb,h100-sxm,vega-fe,mi50,mi250x-gcd,pro-w6600";

/// The configurations of a space on a GPU that can run, that may not launch, that are not known, and that each rule refuses.
#[derive(Debug, PartialEq, Default)]
struct Numbers {
    feasible: u128,
    may_not_launch: u128,
    not_known: u128,
    refused: BTreeMap<String, u128>,
}

/// A clang that writes a line for each configuration that it compiles together with others.
fn counted() -> Counted {
    Counted::by("for word; do case $word in */autotune_source.c*) echo x >>LOG;; esac; done")
}

fn reader(clang: &Path) -> SourceReader {
    SourceReader::new(Tools { clang: Some(clang.to_owned()), no_cache: true, no_ptxas: true, ..Tools::default() })
}

/// The configurations that the constraints allow.
fn allowed(spec: &Spec, names: &GpuNames) -> Vec<Configuration> {
    let mut allowed = Vec::new();
    let visited = Space::new(spec, names).unwrap().visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            allowed.push(Configuration(values.to_vec()));
        }
        ControlFlow::Continue(())
    });
    visited.unwrap();
    allowed
}

/// Each configuration that the constraints allow, lowered for one GPU alone.
fn alone(spec: &Spec, profile: &Profile, clang: &Path) -> Numbers {
    let reader = reader(clang);
    let lowering = Lowering::new(spec, profile, &reader);
    let allowed = allowed(spec, lowering.names());
    let mut numbers = Numbers::default();
    for some in allowed.chunks(16) {
        lowering.prepare(&some.iter().collect::<Vec<_>>());
        for configuration in some {
            match lowering.lower(configuration) {
                Err(_) => numbers.not_known += 1,
                Ok(Feasibility::Infeasible(why)) => *numbers.refused.entry(why.rule().to_owned()).or_default() += 1,
                Ok(Feasibility::Feasible(lowered)) => {
                    numbers.feasible += 1;
                    numbers.may_not_launch += u128::from(lowered.work.is_some_and(|work| work.may_not_launch));
                }
            }
        }
    }
    numbers
}

/// The numbers of all GPUs by one question; constraints are left out.
fn together(spec: &Spec, gpus: &[Selected], clang: &Path) -> Vec<Numbers> {
    let profiles: Vec<&Profile> = gpus.iter().map(|gpu| &gpu.profile).collect();
    let fits = Fits::new(spec, &profiles, &reader(clang), None, &Limits::default(), &|_| {}).unwrap();
    let constraints: Vec<&str> = spec.constraints.iter().map(autotune::spec::Expression::text).collect();
    let of = |fit: autotune::check::GpuFit| {
        let refused = fit.refused.into_iter().filter(|removed| !constraints.contains(&removed.rule.as_str()));
        Numbers {
            feasible: fit.feasible,
            may_not_launch: fit.may_not_launch,
            not_known: fit.not_known,
            refused: refused.map(|removed| (removed.rule, removed.configurations)).collect(),
        }
    };
    fits.gpus.into_iter().map(of).collect()
}

/// Compares both ways to the numbers. Returns the numbers by GPU, and the compilations by one question and one by one.
fn compared(spec: &Path, gpus: &str) -> (BTreeMap<String, Numbers>, [usize; 2]) {
    let spec = Spec::load(spec).unwrap();
    let gpus = gpu::select(gpus).unwrap();
    let (many, single) = (counted(), counted());
    let all = together(&spec, &gpus, &many.clang.path);
    let mut numbers = BTreeMap::new();
    for (gpu, found) in gpus.iter().zip(all) {
        let name = gpu.profile.name();
        assert_eq!(found, alone(&spec, &gpu.profile, &single.clang.path), "{} on {name}", spec.kernel);
        numbers.insert(name.to_owned(), found);
    }
    (numbers, [many.count(), single.count()])
}

fn written(kernel: (&str, &str), others: &[(&str, &str)], spec: &str) -> (Written, PathBuf) {
    let files: Vec<(&str, &str)> = [kernel, ("k.yaml", spec)].into_iter().chain(others.iter().copied()).collect();
    let written = Written::new(&files);
    let spec = written.folder.path().join("k.yaml");
    (written, spec)
}

/// 64 floats for each work item: 1,024 of them are beyond every GPU's local memory, and 256 beyond some.
const LOCAL: &str = "__kernel void k(__global float *a)\n{\n    __local float tile[WG * ROWS];\n    \
    int i = get_local_id(0);\n    for (int j = 0; j < ROWS; j++) tile[i * ROWS + j] = a[get_global_id(0) + j];\n    \
    barrier(CLK_LOCAL_MEM_FENCE);\n    a[get_global_id(0)] = tile[(i * ROWS + 1) % (WG * ROWS)];\n}\n";

#[test]
fn a_source_that_asks_for_no_target_is_compiled_once_for_alike_ones() {
    let spec = "kernel: k\nproblem: { n: 65536 }\nparameters: { WG: { values: [64, 256, 1024] }, ROWS: { values: [1, 16, 64] } }\n\
                launch: { work_items: n, work_group: WG }\nsource: { file: k.cl }\n";
    let (_written, spec) = written(("k.cl", LOCAL), &[], spec);
    let (numbers, [many, single]) = compared(&spec, GPUS);
    assert_eq!(numbers["v100"].feasible + numbers["v100"].refused.values().sum::<u128>(), 9);
    assert!(numbers["mi50"].refused.contains_key("launch_bounds"), "{numbers:?}");
    assert!(3 * many < 2 * single, "{many} compilations, {single} one by one");
}

/// A header of one configuration asks for the architecture.
#[test]
fn a_source_that_asks_for_its_target_in_a_header_of_one_configuration_is_compiled_for_each() {
    let kernel = "#if WG == 64\n#include \"arch.h\"\n#else\n#define WORDS 64\n#endif\n\
                  __global__ void k(float* a)\n{\n    __shared__ float tile[WORDS];\n    \
                  tile[threadIdx.x % 64] = a[blockIdx.x * blockDim.x + threadIdx.x];\n    __syncthreads();\n    \
                  a[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x % 64 ^ 1];\n}\n";
    let header = "#if __CUDA_ARCH__ >= 700\n#define WORDS 100000\n#else\n#define WORDS 64\n#endif\n";
    let spec = "kernel: k\nproblem: { n: 65536 }\nparameters: { WG: { values: [32, 64] } }\n\
                launch: { work_items: n, work_group: WG }\nsource: { file: k.cu }\n";
    let (_written, spec) = written(("k.cu", kernel), &[("arch.h", header)], spec);
    let (numbers, _) = compared(&spec, "tesla-k20,p100,v100,a100-40gb,h100-sxm");
    let too_large = |gpu: &str| numbers[gpu].refused.get("local_memory").copied().unwrap_or(0);
    let found = ["tesla-k20", "p100", "v100", "a100-40gb", "h100-sxm"].map(too_large);
    assert_eq!(found, [0, 0, 1, 1, 1], "{numbers:?}");
}

/// The answer of a back end matters: it alone refuses a register that no GPU has.
#[test]
fn what_a_back_end_alone_refuses_is_refused() {
    let kernel = "__global__ void k(float* a)\n{\n#if WG == 64\n    asm volatile(\"; %0\" :: \"{v999}\"(1));\n#endif\n    \
                  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n";
    let spec = "kernel: k\nproblem: { n: 65536 }\nparameters: { WG: { values: [64, 128] } }\n\
                launch: { work_items: n, work_group: WG }\nsource: { file: k.hip }\n";
    let (_written, spec) = written(("k.hip", kernel), &[], spec);
    let (numbers, _) = compared(&spec, "vega-fe,mi50");
    assert!(numbers.values().all(|numbers| numbers.feasible == 1), "{numbers:?}");
}

/// Some configurations of examples on GPUs of many targets, one question each and all together. Another seed takes others.
#[test]
fn what_fits_some_gpus_is_what_fits_each_of_them_for_random_configurations() {
    let seed = std::env::var("AUTOTUNE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(3_usize);
    for (place, name) in ["transpose", "vector_add_cuda", "reduction_cuda"].iter().enumerate() {
        let spec = Spec::load(&Path::new("examples/kernels").join(format!("{name}.yaml"))).unwrap();
        let all = gpu::select("all").unwrap();
        let some: Vec<&Profile> =
            all.iter().skip((seed + 5 * place) % 13).step_by(13).map(|gpu| &gpu.profile).collect();
        let new_reader = || SourceReader::new(Tools { no_cache: true, no_ptxas: true, ..Tools::default() });
        let allowed = allowed(&spec, &some[0].names(false));
        let configuration = &allowed[(31 * seed + 7 * place) % allowed.len()];
        let label = spec.label(configuration).replace(' ', ",");
        let fits = Fits::new(&spec, &some, &new_reader(), Some(&label), &Limits::default(), &|_| {}).unwrap();
        for (fit, profile) in fits.gpus.iter().zip(&some) {
            let reader = new_reader();
            let lowered = Lowering::new(&spec, profile, &reader).lower(configuration);
            let expected = match lowered {
                Err(_) => (0, 0, 1, None),
                Ok(Feasibility::Infeasible(why)) => (0, 0, 0, Some(why.rule().to_owned())),
                Ok(Feasibility::Feasible(one)) => {
                    (1, u128::from(one.work.is_some_and(|work| work.may_not_launch)), 0, None)
                }
            };
            let rule = fit.refused.first().map(|removed| removed.rule.clone());
            let found = (fit.feasible, fit.may_not_launch, fit.not_known, rule);
            assert_eq!(found, expected, "{name} {label} on {}", fit.gpu);
        }
    }
}

/// All examples on all GPUs: takes about an hour.
#[test]
#[ignore = "takes about an hour"]
fn what_fits_all_gpus_is_what_fits_each_of_them_for_all_examples() {
    let mut looked_at = 0;
    for entry in Path::new("examples/kernels").read_dir().unwrap() {
        let path = entry.unwrap().path();
        let is_spec = path.extension().is_some_and(|ending| ending == "yaml");
        if is_spec && !path.ends_with("matmul_triton.yaml") {
            compared(&path, "all");
            looked_at += 1;
        }
    }
    assert!(looked_at >= 24, "{looked_at} examples");
}
