//! Targets that a clang does not know, and the launches for which it compiles.

use autotune::limits::Limits;
use autotune::source::{Architecture, Clang, Compiler, IrModule, IrText, LaunchBounds, StandIn, Target};

use super::{Written, clang, macros};

/// Debian's versions of clang: the oldest that is understood, the other one of Debian 12, and a new one.
const OF_DEBIAN: [&str; 3] = ["clang-14", "clang-15", "clang-19"];

fn amd(name: &str) -> Target {
    Target::Amd(Architecture::new(name).unwrap())
}

/// The kernel `k` of a source as a clang compiles it for a target.
fn module(clang: &Clang, written: &Written, target: &Target) -> IrModule {
    let limits = Limits::default();
    let compiler = Compiler::new(clang.clone(), written.source.clone(), target.clone(), None, limits).unwrap();
    let made = compiler.compile(&macros(&[])).unwrap_or_else(|why| panic!("{why} for {target} by {}", clang.says));
    let split = IrText::split(&made.text).unwrap();
    split.module(split.kernels()[0]).unwrap().unwrap()
}

#[test]
fn a_gpu_that_clang_does_not_know_gets_the_newest_target_that_it_knows() {
    let taken = |version: &str, wanted: &Target| {
        let stand_in = StandIn::find(&clang(version), wanted, &Limits::default(), None).unwrap();
        stand_in.map(|stand_in| stand_in.taken)
    };
    for version in ["clang-14", "clang-15"] {
        for newer in [87, 89, 90, 100, 103, 120, 121] {
            assert_eq!(taken(version, &Target::Nvidia(newer)), Some(Target::Nvidia(86)), "{version} sm_{newer}");
        }
    }
    assert_eq!(taken("clang-14", &amd("gfx942")), Some(amd("gfx90a")));
    assert_eq!(taken("clang-15", &amd("gfx942")), Some(amd("gfx940")));
    assert_eq!(taken("clang-14", &amd("gfx1100")), Some(amd("gfx1035")));
    assert_eq!(taken("clang-14", &amd("gfx950")), Some(amd("gfx90a")));
    for newer in [100, 103, 120, 121] {
        assert_eq!(taken("clang-19", &Target::Nvidia(newer)), Some(Target::Nvidia(90)), "sm_{newer}");
    }
    assert_eq!(taken("clang-19", &amd("gfx950")), Some(amd("gfx942")));
    for known in [Target::Nvidia(90), amd("gfx942"), amd("gfx1101"), amd("gfx1151"), amd("gfx1201"), Target::Portable] {
        assert_eq!(taken("clang-19", &known), None, "{known}");
    }
    for version in OF_DEBIAN {
        assert_eq!(taken(version, &Target::Nvidia(11)), Some(Target::Nvidia(20)), "{version}");
        assert_eq!(taken(version, &Target::Nvidia(86)), None, "{version}");
    }
}

#[test]
fn every_clang_compiles_for_every_gpu_and_the_source_sees_the_gpus_own_capability() {
    let opencl = Written::new(&[("k.cl", "kernel void k(global int *x) { x[get_global_id(0)] = 1; }\n")]);
    let text = "#if __CUDA_ARCH__ != 1200\n#error another capability\n#endif\n__global__ void k(int *x) { *x = 1; }\n";
    let cuda = Written::new(&[("k.cu", text)]);
    for version in OF_DEBIAN {
        let clang = clang(version);
        assert!(module(&clang, &cuda, &Target::Nvidia(120)).processor.is_some_and(|name| name.starts_with("sm_")));
        let newest = ["gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201"].map(amd);
        for target in newest.into_iter().chain([90, 100, 103, 121].map(Target::Nvidia)) {
            let name = module(&clang, &opencl, &target).processor.unwrap();
            assert_eq!(name.starts_with("gfx"), matches!(target, Target::Amd(_)), "{name} for {target}");
        }
    }
}

#[test]
fn the_bounds_of_a_launch_are_read_for_every_target() {
    let bounds = |name: &str, head: &str, target: &Target| {
        let text = format!("{head} k({} int *x) {{ *x = 1; }}\n", if name == "k.cl" { "global" } else { "" });
        let written = Written::new(&[(name, &text)]);
        let found = ["clang-14", "clang-19"].map(|version| module(&clang(version), &written, target).bounds);
        assert_eq!(found[0], found[1], "{head} for {target}");
        found[0]
    };
    let (gfx906, sm_70) = (amd("gfx906"), Target::Nvidia(70));
    let items = |most_items, least_groups| LaunchBounds { most_items, least_groups, required: None };
    let kernel = "kernel void";
    assert_eq!(bounds("k.cl", kernel, &gfx906), items(Some(256), None));
    assert_eq!(bounds("k.cl", kernel, &sm_70), items(None, None));
    let required = "__attribute__((reqd_work_group_size(16, 4, 2))) kernel void";
    for target in [&gfx906, &sm_70, &Target::Portable] {
        let found = bounds("k.cl", required, target);
        assert_eq!((found.most_items, found.required), (Some(128), Some([16, 4, 2])), "{target}");
    }
    let flat = "__attribute__((amdgpu_flat_work_group_size(1, 512))) kernel void";
    assert_eq!(bounds("k.cl", flat, &gfx906), items(Some(512), None));
    assert_eq!(bounds("k.cu", "__global__ void", &gfx906), items(Some(1024), None));
    assert_eq!(bounds("k.cu", "__global__ void", &sm_70), items(None, None));
    let bounded = "__global__ void __launch_bounds__(256, 2)";
    assert_eq!(bounds("k.cu", bounded, &gfx906), items(Some(256), None));
    assert_eq!(bounds("k.cu", bounded, &sm_70), items(Some(256), Some(2)));
    let twice = "template <int N> __global__ void __launch_bounds__(2 * N) k(int *x) { *x = N; }\n\
                 template __global__ void k<64>(int *x);\n";
    let written = Written::new(&[("k.cu", twice)]);
    assert_eq!(module(&clang("clang-14"), &written, &gfx906).bounds, items(Some(128), None));
}
