//! Clang 22 as the Python package `ziglang` brings it: its counts of examples in OpenCL, CUDA and HIP are those of clang 19 but
//! for the arithmetic of indices, which it shares more of.

use super::*;

/// The folder where `ci/all` installs the package, which is 400 MB.
const ZIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/zig/bin/python");

/// An `inspect` of an example by a clang, without what compilers choose: registers, instructions, and times that follow.
fn inspected(example: &[&str], compiler: (&str, &str)) -> Value {
    let mut command = autotune();
    command.arg("inspect").args(example).args(["--format", "json"]).env(compiler.0, compiler.1);
    if compiler.0 == "AUTOTUNE_PYTHON" {
        // Without a search path, Zig is the only compiler.
        command.env("PATH", "/nowhere");
    }
    let ended = run(&mut command);
    assert_eq!(ended.status, 0, "{example:?}: {}", ended.stderr);
    let mut report = json(&ended, "inspection.json");
    without(&mut report, &["registers", "instructions", "next"]);
    report
}

/// Removes these keys of all objects.
fn without(value: &mut Value, keys: &[&str]) {
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !keys.contains(&key.as_str()));
        for inner in object.values_mut() {
            without(inner, keys);
        }
    } else if let Some(array) = value.as_array_mut() {
        for inner in array {
            without(inner, keys);
        }
    }
}

#[test]
#[ignore = "it needs the package `ziglang`, which `ci/all` installs"]
fn clang_22_counts_as_clang_19_in_opencl_cuda_and_hip() {
    for example in [
        ["examples/kernels/transpose.yaml", "--gpu", "a100", "--config", "TS=32,ROWS=4,PAD=1"],
        ["examples/kernels/transpose.yaml", "--gpu", "fermi", "--config", "TS=32,ROWS=4,PAD=1"],
        ["examples/kernels/transpose.yaml", "--gpu", "mi250x", "--config", "TS=32,ROWS=4,PAD=1"],
        ["examples/kernels/transpose_cuda.yaml", "--gpu", "a100", "--config", "TS=32,ROWS=4,PAD=1"],
        ["examples/kernels/transpose_cuda.yaml", "--gpu", "mi250x", "--config", "TS=32,ROWS=4,PAD=1"],
        ["examples/kernels/matmul_mma.yaml", "--gpu", "a100", "--config", MMA],
        ["examples/kernels/matmul_mfma.yaml", "--gpu", "mi250x", "--config", MFMA],
    ] {
        let by_zig = inspected(&example, ("AUTOTUNE_PYTHON", ZIG));
        assert_eq!(by_zig, inspected(&example, ("AUTOTUNE_CLANG", "clang-19")), "{example:?}");
    }
}

/// A configuration of each matrix product. Clang 22 takes its line from a statement in an unrolled loop of one iteration, so that
/// no loop of them has one.
const MMA: &str = "BM=64,BN=64,BK=32,STAGES=3,WARPS_M=2,WARPS_N=2";
const MFMA: &str = "BM=128,BN=128,BK=32,DOWN=2,ACROSS=2";
