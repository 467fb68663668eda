//! Compiled sources: the GPU's target, the bounds of a launch, arrays that stay in memory.

use std::fs;
use std::path::Path;

use super::*;

/// Options of a question about the kernel `k` in one configuration.
const ASKED: [&str; 10] =
    ["--kernel", "k", "--problem", "n=4096", "--parameter", "WG=64", "--work-items", "n", "--work-group", "WG"];

/// A kernel that keeps that many words for reuse across a barrier.
fn greedy(words: u32, head: &str, item: &str, barrier: &str, global: &str) -> String {
    let last = words - 1;
    format!(
        "{head} k({global} float *x) {{ float kept[{words}]; int i = {item};\n#pragma unroll\nfor (int j = 0; j < {words}; j++) \
         kept[j] = x[i + j * 4096];\n{barrier};\n#pragma unroll\nfor (int j = 0; j < {words}; j++) x[i + j * 4096] = kept[j] * \
         kept[{last} - j]; }}\n"
    )
}

/// The resources of the kernel in a file.
fn resources(folder: &Path, name: &str, text: &str, gpu: &str) -> Value {
    fs::write(folder.join(name), text).unwrap();
    let mut command = autotune();
    command.current_dir(folder).args(["inspect", name, "--gpu", gpu, "--format", "json"]).args(ASKED);
    let ended = run(&mut command);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    json(&ended, "inspection.json")["resources"].clone()
}

#[test]
fn amds_compiler_leaves_registers_for_the_groups_that_a_launch_may_have() {
    let folder = tempfile::tempdir().unwrap();
    let found = |name: &str, text: &str| {
        let resources = resources(folder.path(), name, text, "mi50");
        (resources["registers"].as_u64().unwrap(), resources["spilled"].as_u64().unwrap())
    };
    let opencl = |head: &str| greedy(60, head, "get_global_id(0)", "barrier(CLK_GLOBAL_MEM_FENCE)", "global");
    let hip = |head: &str| greedy(60, head, "blockIdx.x * blockDim.x + threadIdx.x", "__syncthreads()", "");
    let (registers, spilled) = found("k.cl", &opencl("kernel void"));
    assert!(registers > 64 && spilled == 0, "{registers} {spilled}");
    let (registers, spilled) =
        found("large.cl", &opencl("__attribute__((amdgpu_flat_work_group_size(1, 1024))) kernel void"));
    assert!(registers == 64 && spilled > 0, "{registers} {spilled}");
    let (registers, spilled) = found("k.cu", &hip("__global__ void"));
    assert!(registers == 64 && spilled > 0, "{registers} {spilled}");
    let (registers, spilled) = found("bounded.cu", &hip("__global__ void __launch_bounds__(256)"));
    assert!(registers > 64 && spilled == 0, "{registers} {spilled}");
}

#[test]
fn bounds_of_a_launch_limit_the_estimate_too() {
    let folder = tempfile::tempdir().unwrap();
    let spilled = |head: &str| {
        let text = greedy(150, head, "blockIdx.x * blockDim.x + threadIdx.x", "__syncthreads()", "");
        resources(folder.path(), "k.cu", &text, "a100")["spilled"].as_u64().unwrap()
    };
    assert_eq!(spilled("__global__ void"), 0);
    assert!(spilled("__global__ void __launch_bounds__(1024)") > 50);
    assert!(spilled("__global__ void __launch_bounds__(64, 16)") > 50);
}

#[test]
fn a_work_group_for_which_the_kernel_is_not_compiled_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, head: &str, gpu: &str, groups: &str| {
        let item = if name == "k.cl" { ("global", "get_global_id(0)") } else { ("", "threadIdx.x") };
        fs::write(folder.path().join(name), format!("{head} k({} float *x) {{ x[{}] = 1; }}\n", item.0, item.1))
            .unwrap();
        let mut command = autotune();
        command.current_dir(folder.path()).args(["evaluate", name, "--gpu", gpu, "--format", "json", "--kernel", "k"]);
        command.args([
            "--problem",
            "n=4096",
            "--parameter",
            &format!("WG={groups}"),
            "--work-items",
            "n",
            "--work-group",
            "WG",
        ]);
        let ended = run(&mut command);
        let report = json(&ended, "evaluation.json");
        let reason = |one: &Value| Some((one["parameters"]["WG"].as_u64()?, one["reason"].as_str()?.to_owned()));
        report["configurations"].as_array().unwrap().iter().filter_map(reason).collect::<Vec<_>>()
    };
    let required = "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void";
    let why = "launch_bounds: the kernel is compiled for groups of";
    for gpu in ["a100", "mi50", "abstract-fermi"] {
        let expected = vec![(32, format!("{why} 64 work items, and the launch has groups of 32"))];
        assert_eq!(refused("k.cl", required, gpu, "32,64"), expected, "{gpu}");
    }
    let beyond = |most: u64| vec![(512, format!("{why} at most {most} work items, and the launch has groups of 512"))];
    assert_eq!(refused("k.cu", "__global__ void __launch_bounds__(256)", "a100", "256,512"), beyond(256));
    assert_eq!(refused("k.cu", "__global__ void", "a100", "256,512"), []);
    assert_eq!(refused("k.cl", "kernel void", "mi50", "256,512"), beyond(256));
    assert_eq!(refused("k.cu", "__global__ void", "mi50", "256,512"), []);
}

/// A product of matrices in tiles of `TILE` x `TILE` registers, without a word about unrolling.
const TILES: &str = "__global__ void k(const float *a, const float *b, float *c, int n) {
  float sum[TILE * TILE] = {0.0f}, left[TILE], right[TILE];
  for (int i = 0; i < n; i++) {
    for (int y = 0; y < TILE; y++) left[y] = a[threadIdx.x + y + i * n];
    for (int x = 0; x < TILE; x++) right[x] = b[threadIdx.x + x + i * n];
    for (int y = 0; y < TILE; y++)
      for (int x = 0; x < TILE; x++) sum[y * TILE + x] += left[y] * right[x];
  }
  for (int y = 0; y < TILE; y++)
    for (int x = 0; x < TILE; x++) c[(threadIdx.x * TILE + y) * n + x] = sum[y * TILE + x];
}
";

#[test]
fn tiles_of_8_x_8_registers_are_kept_in_registers_without_being_unrolled_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), TILES).unwrap();
    for (clang, tile, is_in_memory) in [("clang-14", 8, false), ("clang-19", 8, false), ("clang-19", 32, true)] {
        let mut command = autotune();
        command.current_dir(folder.path()).env("AUTOTUNE_CLANG", clang).args([
            "evaluate",
            "k.cu",
            "--gpu",
            "rtx-a6000",
        ]);
        let ended = run(command.args(ASKED).args(["--parameter", &format!("TILE={tile}")]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let warned =
            "the private array `sum` of 4096 bytes stays in memory, and each access to it counts with WG=64 TILE=32";
        assert_eq!(ended.stderr.contains(warned), is_in_memory, "{clang} {tile}: {}", ended.stderr);
        assert_eq!(ended.stderr.contains("stays in memory"), is_in_memory, "{clang} {tile}: {}", ended.stderr);
    }
}

#[test]
fn an_array_that_only_great_configurations_leave_in_memory_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), TILES).unwrap();
    let mut command = autotune();
    command.current_dir(folder.path()).args(["evaluate", "k.cu", "--gpu", "a100"]).args(ASKED);
    let ended = run(command.args(["--parameter", "TILE=2,4,32"]));
    assert!(
        ended.stderr.contains("`sum` of 4096 bytes stays in memory, and each access to it counts with WG=64 TILE=32")
    );
    assert!(ended.stderr.contains("--> k.cu:"), "{}", ended.stderr);
}

#[test]
fn a_gpu_that_clang_does_not_know_is_answered_with_a_note() {
    let ask = |clang: &str, gpu: &str, spec: &str| {
        let mut command = autotune();
        command.env("AUTOTUNE_CLANG", clang).args([spec, "--gpu", gpu, "--format", "json", "--no-cost"]);
        let ended = run(command.args(["--config", "TS=16,ROWS=4,PAD=1", "--set", "size=512"]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        (ended.stderr.clone(), json(&ended, "result.json")["source"]["target"].as_str().map(str::to_owned))
    };
    let note = |known: &str| format!("note: clang {known}; what depends on the GPU comes from its profile\n");
    let (told, target) = ask("clang-14", "h100", "examples/kernels/transpose_cuda.yaml");
    assert!(told.contains(&note("14 does not know sm_90: it compiles the source for sm_86")), "{told}");
    assert_eq!(target.as_deref(), Some("sm_86"));
    let (told, target) = ask("clang-14", "mi300x", "examples/kernels/transpose.yaml");
    assert!(told.contains(&note("14 does not know gfx942: it compiles the source for gfx90a")), "{told}");
    assert_eq!(target.as_deref(), Some("gfx90a"));
    let (told, target) = ask("clang-19", "h100", "examples/kernels/transpose_cuda.yaml");
    assert_eq!((told.contains("does not know"), target), (false, None), "{told}");
}

#[test]
fn the_doctor_lists_the_profiles_by_what_clang_compiles_for() {
    // What compiles the proof is of no matter here.
    let doctor = |clang: &str| {
        let mut doctor = autotune();
        doctor.arg("doctor").env("AUTOTUNE_CLANG", clang).env("AUTOTUNE_CC", "tcc");
        doctor
    };
    let targets = |clang: &str| {
        let ended = run(doctor(clang).args(["--format", "json"]));
        let report = json(&ended, "doctor.json");
        let checks = report["checks"].as_array().unwrap().clone();
        checks.into_iter().find_map(|check| check["targets"].as_array().cloned()).unwrap()
    };
    let taken = |all: &[Value], target: &str| {
        all.iter().find(|one| one["target"] == target).unwrap()["taken"].as_str().map(str::to_owned)
    };
    let (old, new) = (targets("clang-14"), targets("clang-19"));
    assert_eq!(
        ["sm_86", "sm_90", "gfx942"].map(|one| taken(&old, one)),
        [None, Some("sm_86".into()), Some("gfx90a".into())]
    );
    assert_eq!(["sm_86", "sm_90", "gfx942"].map(|one| taken(&new, one)), [None, None, None]);
    let text = run(&mut doctor("clang-14")).stdout;
    assert!(text.contains("compiles for sm_86 in place of sm_90: h100-sxm, h100-pcie, h200, gh200\n"), "{text}");
    assert!(text.contains("compiles natively for "), "{text}");
}

/// A name without a meaning is there in every configuration, unless a parameter decides whether its line is compiled.
#[test]
fn an_error_that_all_configurations_have_ends_a_space_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let counts = folder.path().join("counts");
    let clang =
        script(folder.path(), "clang", &format!("#!/bin/sh\necho >> {}\nexec clang-19 \"$@\"", counts.display()));
    let compilations = |text: &str, sizes: &str| {
        fs::write(folder.path().join("k.cl"), text).unwrap();
        fs::write(&counts, "").unwrap();
        let mut command = autotune();
        command.current_dir(folder.path()).env("AUTOTUNE_CLANG", &clang).args(["k.cl", "--gpu", "a100", "--no-cache"]);
        command.args(["--problem", "n=4096", "--work-items", "n", "--work-group", "WG", "--parameter"]);
        let ended = run(command.arg(format!("WG={sizes}")));
        assert_eq!(ended.status, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains("nobody"), "{}", ended.stderr);
        fs::read_to_string(&counts).unwrap().lines().count()
    };
    let kernel = |head: &str| format!("{head}kernel void k(global int *x) {{ x[get_global_id(0)] = nobody(WG); }}\n");
    let (two, eight) = ("32,64", "32,64,96,128,160,192,224,256");
    let at_once = kernel("");
    assert_eq!(compilations(&at_once, eight), compilations(&at_once, two));
    let decided = kernel("#if WG > 64\n#endif\n");
    assert!(compilations(&decided, eight) >= compilations(&decided, two) + 6);
}
