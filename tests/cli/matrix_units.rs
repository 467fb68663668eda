//! Matrix instructions of CUDA's and HIP's C++ from the command line: conflicts, sectors, and GPUs that lack what they use.

use super::*;

/// A kernel of `wmma.cu` with its launch, on a GPU.
fn wmma<'a>(command: &[&'a str], kernel: &'a str, gpu: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let question = ["tests/with_clang/wmma/wmma.cu", "--kernel", kernel, "--gpu", gpu];
    let sizes = ["--problem", "n=1024", "--work-items", "[64 * 32, 64]", "--work-group", "[32, 1]"];
    [command, &question, &sizes, more].concat()
}

/// The notes of `inspect` on accesses to a memory.
fn notes(kernel: &str, memory: &str, more: &[&str]) -> Vec<String> {
    let arguments = [&["--argument", "N=n", "--argument", "K=n"], more].concat();
    let ended = run(autotune().args(wmma(&["inspect"], kernel, "a100", &arguments)));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let lines = ended.stdout.lines().filter(|line| line.contains("load") && line.contains(memory));
    lines.map(str::to_owned).collect()
}

#[test]
fn rows_that_share_banks_conflict_and_padding_helps() {
    for (width, passes) in [("WIDTH=16", "8 passes (4 at least)"), ("WIDTH=24", "4 passes (4 at least)")] {
        let notes = notes("through_local", "local:", &["--define", width]);
        let matrices: Vec<_> = notes.iter().filter(|note| note.contains("passes (4 at least)")).collect();
        assert!(matrices.len() == 2 && matrices.iter().all(|note| note.contains(passes)), "{width}: {notes:?}");
    }
}

#[test]
fn a_gpu_without_the_matrix_units_of_a_kernel_is_told() {
    for (kernel, gpu, words) in [
        ("half_square", "gtx1080", "this GPU has no matrix units"),
        ("signed_square", "volta", "the matrix units of this GPU do not take this type"),
        ("tf32", "t4", "the matrix units of this GPU do not take this type"),
        ("doubles", "rtx3090", "the matrix units of this GPU do not take this type"),
    ] {
        let more = ["--argument", "stride=64", "--argument", "by_row=1"];
        let ended = run(autotune().args(wmma(&[], kernel, gpu, &more)));
        assert_eq!(ended.status, 4, "{kernel} on {gpu}: {}", ended.stderr);
        assert!(ended.stderr.contains(words) && ended.stderr.contains("wmma.cu:"), "{}", ended.stderr);
    }
    let spec = ["examples/kernels/matmul_mfma.yaml", "--gpu", "mi50", "--set", "size=256"];
    let one = ["--config", "BM=64,BN=64,BK=32,DOWN=2,ACROSS=2"];
    let ended = run(autotune().args(spec).args(one));
    assert!(ended.status != 0 && ended.stderr.contains("matmul_mfma.hip"), "{}{}", ended.stdout, ended.stderr);
}

/// A GPU that a group brought counts as infeasible, with the reason; one that is named alone is an error.
#[test]
fn a_gpu_of_a_group_without_matrix_units_counts_as_infeasible() {
    let more = ["--argument", "stride=64", "--argument", "by_row=1"];
    let ask = |gpus: &str, options: &[&str]| {
        let ended = run(autotune().args(wmma(&[], "half_square", gpus, &more)).args(options));
        assert_eq!(ended.status, 4, "{gpus}: {}", ended.stderr);
        ended
    };
    let words = "this GPU has no matrix units";
    for options in [&[][..], &["--variants", "2"]] {
        let group = ask("a100,target:sm_61", options).stdout;
        let told = "excluded  gtx1050, gtx1080, gtx1070, gtx1080ti: 1 configuration of other scenarios; instruction: ";
        assert!(group.contains(told) && group.contains(words) && !group.contains("excluded  a100"), "{group}");
    }
    // Where nothing is feasible at all, the place is shown as for one GPU.
    for gpus in ["a100,gtx1080", "target:sm_61"] {
        let ended = ask(gpus, &[]);
        assert!(ended.stdout.is_empty() && ended.stderr.contains("wmma.cu:"), "{}{}", ended.stdout, ended.stderr);
    }
    let report = json(&ask("a100,target:sm_61", &["--format", "json"]), "fleet.json");
    assert_eq!((&report["verdict"], &report["nearest"][0]["scenarios"]), (&"infeasible".into(), &1.into()));
}
