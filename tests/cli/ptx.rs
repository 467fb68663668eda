//! Kernels with inline PTX from the command line: bank conflicts, proofs, and GPUs that lack what they use.

use std::path::Path;

use super::*;

/// The product with its launch, on a GPU.
fn product<'a>(command: &[&'a str], gpu: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let question = ["tests/with_clang/ptx/product.cu", "--kernel", "product", "--gpu", gpu, "--problem", "N=1024"];
    let sizes = ["--problem", "K=1024", "--work-items", "[64 * 32, 128]", "--work-group", "[32, 1]"];
    [command, &question, &sizes, &["--argument", "N=N", "--argument", "K=K"], more].concat()
}

/// The passes of each access to local memory by `ldmatrix`, as `inspect` shows them.
fn passes(more: &[&str]) -> Vec<String> {
    let ended = run(autotune().args(product(&["inspect"], "a100", more)));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let loads = ended.stdout.lines().filter(|line| line.contains("load") && line.contains("local:"));
    loads.map(|line| line.split(", ").find(|part| part.contains("passes")).unwrap().to_owned()).collect()
}

#[test]
fn bank_conflicts_of_matrices_are_found_and_a_swizzle_removes_them() {
    assert_eq!(passes(&[]), ["8 passes (4 at least)", "4 passes (2 at least)"]);
    assert_eq!(passes(&["--define", "SWIZZLE=1"]), ["4 passes (4 at least)", "2 passes (2 at least)"]);
}

#[test]
fn a_product_from_source_is_proved() {
    let ended = run(autotune().args(product(&[], "a100", &["--format", "json"])));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let result = json(&ended, "result.json");
    assert_eq!(result["verdict"], "proved");
    let explained = run(autotune().args(product(&["explain"], "a100", &["--config", ""])));
    assert!(explained.stdout.contains("what was started at line 26"), "{}{}", explained.stdout, explained.stderr);
}

#[test]
fn a_gpu_without_what_the_kernel_uses_is_told() {
    for (gpu, words) in [
        ("gtx1080", "`cp.async` is not part of the machine: this GPU has no asynchronous copies"),
        ("rtx2080ti", "`cp.async` is not part of the machine: this GPU has no asynchronous copies"),
    ] {
        let ended = run(autotune().args(product(&[], gpu, &[])));
        assert_eq!(ended.status, 4, "{gpu}: {}", ended.stderr);
        assert!(ended.stderr.contains(words) && ended.stderr.contains("product.cu:"), "{}", ended.stderr);
    }
}

/// The extracted spec is proved with the time of its source, which it is checked against.
#[test]
fn an_extracted_product_is_proved_with_the_time_of_its_source() {
    let folder = tempfile::tempdir().unwrap();
    for gpu in ["a100", "h100"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/with_clang/ptx/product.cu");
        let text = std::fs::read_to_string(root).unwrap();
        std::fs::write(folder.path().join("product.cu"), text).unwrap();
        let ask = |command: &mut Command| run(command.current_dir(folder.path()).args(["--gpu", gpu, "--quiet"]));
        let sizes = ["--problem", "N=1024", "--problem", "K=1024", "--argument", "N=N", "--argument", "K=K"];
        let launch = ["--kernel", "product", "--work-items", "[64 * 32, 128]", "--work-group", "[32, 1]"];
        let source = [&["product.cu"][..], &sizes, &launch].concat();
        let body = ask(autotune().arg("extract").args(&source));
        assert_eq!(body.status, 0, "{}", body.stderr);
        std::fs::write(folder.path().join("body.yaml"), &body.stdout).unwrap();
        let proved = json(&ask(autotune().args(["body.yaml", "--format", "json"])), "result.json");
        let timed = json(&ask(autotune().arg("evaluate").args(&source).args(["--format", "json"])), "evaluation.json");
        assert_eq!(proved["verdict"], "proved");
        assert_eq!(proved["optimum"]["ticks"], timed["configurations"][0]["ticks"], "{}", body.stdout);
        let checked = ask(autotune().args(["extract", "--check", "body.yaml"]));
        assert_eq!(checked.status, 0, "{}", checked.stdout);
    }
}
