//! Which accesses of a source are joined, split and loaded once: by `inspect`, and against the back ends of clang itself.

use std::collections::BTreeMap;

use super::*;

/// The loads and stores of a kernel of 4,096 work items in groups of 64: memory, kind and bytes, with their executions.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of executions")]
fn counted(file: &str, kernel: &str, gpu: &str, clang: &str) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, kernel).unwrap();
    let launch = ["--kernel", "k", "--work-items", "4096", "--work-group", "64", "--format", "json"];
    let ended = run(autotune().arg("inspect").arg(&path).args(["--gpu", gpu, "--clang", clang]).args(launch));
    assert_eq!(ended.status, 0, "{kernel}\n{}", ended.stderr);
    let inspection = json(&ended, "inspection.json");
    let mut counted = BTreeMap::new();
    let lines = inspection["files"][0]["lines"].as_array().unwrap();
    for access in lines.iter().flat_map(|line| line["accesses"].as_array().unwrap()) {
        let [memory, kind] = ["memory", "access"].map(|name| access[name].as_str().unwrap());
        let name = format!("{memory} {kind} {}", access["bytes"]);
        *counted.entry(name).or_default() += access["executions"].as_f64().unwrap().round() as u64;
    }
    counted
}

/// Each clang counts the same on an A100.
fn assert_counts(file: &str, kernel: &str, expected: &[(&str, u64)]) {
    for clang in ["clang-14", "clang-19"] {
        let found = counted(file, kernel, "a100", clang);
        for (name, number) in expected {
            assert_eq!(found.get(*name).copied().unwrap_or(0), *number, "{name} by {clang}: {found:?}\n{kernel}");
        }
    }
}

/// A kernel in CUDA of two arrays of floats that may be one.
fn cuda(body: &str) -> String {
    format!(
        "extern \"C\" __global__ void k(const float* w, float* o) {{\n  int t = threadIdx.x, i = blockIdx.x * 64 + t;\n  {body}\n}}\n"
    )
}

#[test]
fn what_must_happen_is_counted_each_time() {
    let volatile = "__kernel void k(volatile __global const float* w, __global float* o) {\n  int i = get_global_id(0);\n  \
                    o[i] = w[i] * w[i] * w[i];\n}\n";
    assert_counts("k.cl", volatile, &[("global load 4", 3)]);
    let spin = "volatile const float* v = w; float s = 0;\n  #pragma unroll\n  for (int j = 0; j < 64; ++j) s += v[8 * i];\n  o[i] = s;";
    assert_counts("k.cu", &cuda(spin), &[("global load 4", 64)]);
    assert_counts("k.cu", &cuda("o[i] = __ldcv(w + i) + __ldcv(w + i) + __ldlu(w + i);"), &[("global load 4", 3)]);
    let assembly = "float a, b;\n  asm volatile(\"ld.global.f32 %0, [%1];\" : \"=f\"(a) : \"l\"(w + i));\n  \
                    asm volatile(\"ld.global.f32 %0, [%1];\" : \"=f\"(b) : \"l\"(w + i));\n  o[i] = a + b;";
    assert_counts("k.cu", &cuda(assembly), &[("global load 4", 2)]);
    let atomic = "float a = __atomic_load_n((int*)w + i, __ATOMIC_RELAXED);\n  o[i] = a + __atomic_load_n((int*)w + i, __ATOMIC_RELAXED);";
    assert_counts("k.cu", &cuda(atomic), &[("global load 4", 2)]);
}

#[test]
fn a_fence_lets_nothing_across() {
    for fence in ["__threadfence();", "__threadfence_block();", "__threadfence_system();", "__syncwarp();"] {
        let body = format!("float a = w[i];\n  {fence}\n  o[i] = a + w[i];");
        assert_counts("k.cu", &cuda(&body), &[("global load 4", 2)]);
    }
    for fence in ["mem_fence(CLK_GLOBAL_MEM_FENCE)", "read_mem_fence(CLK_LOCAL_MEM_FENCE)"] {
        let kernel = format!(
            "__kernel void k(__global const float* w, __global float* o) {{\n  int i = get_global_id(0);\n  float a = w[i];\n  \
             {fence};\n  o[i] = a + w[i];\n}}\n"
        );
        assert_counts("k.cl", &kernel, &[("global load 4", 2)]);
    }
}

#[test]
fn a_store_through_a_pointer_that_may_alias_lies_between() {
    let body = "o[4 * i] = w[4 * i] + 1; o[4 * i + 1] = w[4 * i] + 2; o[4 * i + 2] = w[4 * i] + 3;";
    assert_counts("k.cu", &cuda(body), &[("global load 4", 3), ("global store 4", 3)]);
    let restrict = cuda(body).replace("* w", "* __restrict__ w").replace("* o", "* __restrict__ o");
    assert_counts("k.cu", &restrict, &[("global load 4", 1), ("global store 4", 3)]);
}

/// Clang goes by the array's declaration, and copies two bytes at a time; NVIDIA's compiler believes the cast.
#[test]
fn an_object_that_is_assigned_through_a_cast_is_one_access() {
    let staged = "__shared__ short s[512];\n  *(uint4*)&s[8 * t] = ((const uint4*)w)[i];\n  __syncthreads();\n  \
                  o[i] = s[8 * (63 - t)];";
    assert_counts("k.cu", &cuda(staged), &[("global load 16", 1), ("local store 16", 1)]);
}

/// An array of floats begins at any multiple of 4 bytes, as far as a compiler knows.
#[test]
fn global_memory_is_joined_by_the_alignment_that_is_known() {
    let sum = "o[i] = w[4 * i] + w[4 * i + 1] + w[4 * i + 2] + w[4 * i + 3];";
    assert_counts("k.cu", &cuda(sum), &[("global load 4", 4)]);
    let vector = "float4 v = ((const float4*)w)[i]; o[i] = v.x + v.y + v.z + v.w;";
    assert_counts("k.cu", &cuda(vector), &[("global load 16", 1)]);
    let opencl = |sum: &str| {
        format!(
            "__kernel void k(__global const float* w, __global float* o) {{\n  int i = get_global_id(0);\n  {sum}\n}}\n"
        )
    };
    let three = opencl("float3 v = vload3(i, w); o[i] = v.x + v.y + v.z;");
    let apart = opencl("o[i] = w[3 * i] + w[3 * i + 1] + w[3 * i + 2];");
    for kernel in [&three, &apart] {
        assert_counts("k.cl", kernel, &[("global load 4", 3)]);
        assert_eq!(counted("k.cl", kernel, "mi250x", "clang-19")["global load 12"], 1, "AMD's GPUs load 12 bytes");
    }
}

#[test]
fn local_memory_is_joined_as_nvidias_assembler_does() {
    let of = |array: &str, sum: &str| {
        let body = format!(
            "__shared__ {array};\n  ((float*)s)[t] = w[i];\n  __syncthreads();\n  float sum = 0;\n  {sum}\n  o[i] = sum;"
        );
        cuda(&body)
    };
    let four = "sum = s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3];";
    assert_counts("k.cu", &of("float s[256]", four), &[("local load 16", 1), ("local load 4", 0)]);
    let row = "for (int j = 0; j < 32; ++j) sum += s[t % 32][j];";
    assert_counts("k.cu", &of("float s[32][32]", row), &[("local load 16", 8), ("local load 4", 0)]);
    assert_counts("k.cu", &of("float s[32][33]", row), &[("local load 4", 32)]);
    let vectors = "for (int j = 0; j < 64; ++j) { float4 v = s[j]; sum += v.x * v.y + v.z * v.w; }";
    assert_counts("k.cu", &of("float4 s[64]", vectors), &[("local load 16", 64), ("local load 4", 0)]);
}

/// Runs the comparison with clang's back ends; the kernels are drawn by a seed.
fn compare(arguments: &[&str]) {
    let mut command = Command::new("python3");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("ci/widths")).args(["--clang", "clang-19", "--show"]);
    command.args(arguments).env("AUTOTUNE", assert_cmd::cargo::cargo_bin("autotune")).envs(isolated());
    let ended = run(&mut command);
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn drawn_kernels_have_the_widths_of_clangs_ptx() {
    compare(&["--kernels", "40"]);
}

#[test]
#[ignore = "takes a minute"]
fn many_drawn_kernels_have_the_widths_of_clangs_back_ends() {
    compare(&["--kernels", "200", "--seed", "2"]);
    compare(&["--kernels", "200", "--seed", "3", "--target", "amd"]);
}
