//! The micro-benchmarks of `autotune measure --profile` in CUDA: their host compiles, and runs with a runtime whose launches do
//! nothing. Their kernels are those in OpenCL (`twins.rs`).

use std::path::Path;
use std::process::{Command, Output};

fn run(program: &Path, words: &str, variable: &str) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(program).args(words.split_whitespace()).env(variable, "1").output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn the_host_in_cuda_compiles_and_prints_the_time_of_a_launch() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("profile");
    let mut clang = Command::new("clang-19");
    clang.args(["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=12.0"]);
    clang.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"]);
    clang.args(["-include", "tests/with_clang/profile/runtime.h"]);
    let built = clang.args(["examples/measure/profile.cu", "-lstdc++", "-o"]).arg(&program).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for (kernel, launch) in
        [("empty", "7 groups of 64\n"), ("chain", "7 groups of 64\n"), ("spread", "7 groups of 64\n")]
    {
        let (status, printed, told) = run(&program, &format!("{kernel} 64 7 32 8"), "SOME");
        assert_eq!((status, told.as_str()), (Some(0), launch), "{kernel}");
        let (time, rest) = printed.split_once(' ').unwrap();
        assert!(time.parse::<f64>().unwrap() >= 0.0, "{printed}");
        assert_eq!(rest, "us, the least mean of 5 times\n");
    }
    let refused = [("spread 64 7 32", "usage: "), ("copy 64 7 32 8", "there is no kernel copy\n")];
    for (words, message) in refused {
        let (status, printed, told) = run(&program, words, "SOME");
        assert!(told.starts_with(message), "{told}");
        assert_eq!((status, printed.as_str()), (Some(2), ""));
    }
    let (status, _, told) = run(&program, "chain 64 7 32 8", "NO_MEMORY");
    assert_eq!((status, told.as_str()), (Some(1), "the data failed: out of memory\n"));
}
