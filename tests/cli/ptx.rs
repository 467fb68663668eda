//! Kernels with inline PTX from the command line: bank conflicts, proofs, and GPUs that lack what they use.

use std::fs;
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

/// The product of four warps with its launch, on a GPU.
fn of_four_warps<'a>(command: &[&'a str], gpu: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let question = ["tests/with_clang/ptx/warp_group.cu", "--kernel", "product", "--gpu", gpu, "--problem", "N=1024"];
    let sizes = ["--problem", "K=1024", "--work-items", "[64 * 128, 64]", "--work-group", "[128, 1]"];
    [command, &question, &sizes, &["--argument", "N=N", "--argument", "K=K"], more].concat()
}

#[test]
fn products_of_four_warps_are_counted_and_run_beside_copies() {
    let report =
        json(&run(autotune().args(of_four_warps(&["inspect", "--format", "json"], "h100", &[]))), "inspection.json");
    let of_all = |key: &str| {
        let lines = report["files"][0]["lines"].as_array().unwrap();
        lines.iter().map(|line| line[key].as_f64().unwrap()).sum::<f64>().to_string()
    };
    // 16 pieces along k of four products each; each piece waits once for copies and once for products
    assert_eq!(["matrix", "copies", "waits", "barriers"].map(of_all), ["64", "80", "32", "32"]);
    let ticks = |more: &[&str]| {
        let ended = run(autotune().args(of_four_warps(&["evaluate", "--format", "json"], "h100", more)));
        let printed: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        printed["configurations"][0]["ticks"].as_u64().unwrap()
    };
    let (meanwhile, at_once) = (ticks(&[]), ticks(&["--define", "AT_ONCE=1"]));
    assert!(
        meanwhile < at_once,
        "the next copies start {meanwhile} before the products are done, {at_once} behind them"
    );
}

#[test]
fn products_of_four_warps_are_hoppers_alone() {
    for gpu in ["a100", "b200"] {
        let ended = run(autotune().args(of_four_warps(&[], gpu, &[])));
        assert_eq!(ended.status, 4, "{gpu}: {}", ended.stderr);
        let words = "`wgmma` is not part of the machine: this GPU has no matrix instructions of four warps";
        assert!(ended.stderr.contains(words) && ended.stderr.contains("warp_group.cu:14:"), "{}", ended.stderr);
    }
}

/// Pieces that one work item copies ahead, on a GPU.
fn ahead<'a>(command: &[&'a str], gpu: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let question = ["tests/with_clang/ptx/tiles.cu", "--kernel", "ahead", "--gpu", gpu, "--problem", "n=100"];
    let sizes = ["--work-items", "4096 * 128", "--work-group", "128", "--argument", "n=n"];
    [command, &question, &sizes, more].concat()
}

#[test]
fn tiles_that_one_work_item_copies_ahead_save_time() {
    let report = json(&run(autotune().args(ahead(&["inspect", "--format", "json"], "h100", &[]))), "inspection.json");
    let of_all = |key: &str| {
        let lines = report["files"][0]["lines"].as_array().unwrap();
        lines.iter().map(|line| line[key].as_f64().unwrap()).sum::<f64>().to_string()
    };
    // a copy by one of four warps; all wait
    assert_eq!(["copies", "waits", "barriers"].map(of_all), ["25", "100", "101"]);
    let ticks = |more: &[&str]| {
        let ended = run(autotune().args(ahead(&["evaluate", "--format", "json"], "h100", more)));
        let printed: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        printed["configurations"][0]["ticks"].as_u64().unwrap()
    };
    let (two, none) = (ticks(&[]), ticks(&["--define", "AHEAD=0"]));
    assert!(two < none, "two pieces ahead {two}, none {none}");
    let ended = run(autotune().args(ahead(&[], "a100", &[])));
    let words = "`cp.async.bulk` is not part of the machine: this GPU has no copies of a work item for its group";
    assert!(
        ended.status == 4 && ended.stderr.contains(words) && ended.stderr.contains("tiles.cu:"),
        "{}",
        ended.stderr
    );
}

/// The extracted spec is proved with the time of its source, which it is checked against.
#[test]
fn an_extracted_product_is_proved_with_the_time_of_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let of_a_warp = ("product.cu", "[64 * 32, 128]", "[32, 1]");
    let of_four_warps = ("warp_group.cu", "[64 * 128, 64]", "[128, 1]");
    for (gpu, (file, items, group)) in [("a100", of_a_warp), ("h100", of_a_warp), ("h100", of_four_warps)] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/with_clang/ptx").join(file);
        let text = std::fs::read_to_string(root).unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
        let ask = |command: &mut Command| run(command.current_dir(folder.path()).args(["--gpu", gpu, "--quiet"]));
        let sizes = ["--problem", "N=1024", "--problem", "K=1024", "--argument", "N=N", "--argument", "K=K"];
        let launch = ["--kernel", "product", "--work-items", items, "--work-group", group];
        let source = [&[file][..], &sizes, &launch].concat();
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

/// The time of a kernel of a file, in ticks.
fn ticks(folder: &Path, kernel: &str, more: &[&str]) -> u64 {
    let launch = ["--problem", "n=65536", "--work-items", "n", "--work-group", "128", "--format", "json"];
    let asked = [&["evaluate", "k.cu", "--gpu", "a100", "--kernel", kernel], &launch[..], more].concat();
    let ended = run(autotune().current_dir(folder).args(asked));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let printed: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    printed["configurations"][0]["ticks"].as_u64().unwrap()
}

/// A folder with `k.cu`.
fn source(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), text).unwrap();
    folder
}

#[test]
fn groups_in_a_swizzled_order_share_what_they_read() {
    let kernel = |name: &str, tile: &str| {
        format!(
            "extern \"C\" __global__ void {name}(const float* in, float* out) {{\n\
             float sum = 0;\nconst float* from = in + ({tile}) * 65536 + threadIdx.x;\n\
             for (int i = 0; i < 256; i++) sum += from[i * 128];\n\
             out[blockIdx.x * 128 + threadIdx.x] = sum;\n}}\n"
        )
    };
    let text = [
        kernel("own", "blockIdx.x"),
        kernel("columns", "blockIdx.x % 8"),
        kernel("rows", "blockIdx.x / 64"),
        kernel("permuted", "(blockIdx.x % 8) * 64 + blockIdx.x / 8"),
    ];
    let folder = source(&text.concat());
    let [own, columns, rows, permuted] =
        ["own", "columns", "rows", "permuted"].map(|name| ticks(folder.path(), name, &[]));
    assert!(columns * 3 < own * 2 && rows.abs_diff(columns) * 20 < own, "{columns} and {rows} of {own}");
    assert!(permuted.abs_diff(own) * 50 < own, "each group has a tile of its own: {permuted} of {own}");
}

#[test]
fn an_instruction_waits_for_all_that_it_needs() {
    let text = "extern \"C\" __global__ void KERNEL(const float* in, float* out) {\n\
        __shared__ float tile[128];\n\
        tile[threadIdx.x] = 1;\n\
        asm volatile(\"cp.async.commit_group;\\ncp.async.wait_all;\");\n\
        __syncthreads();\n\
        const int i = blockIdx.x * 128 + threadIdx.x;\n\
        const float far = in[i], near = tile[127 - threadIdx.x];\n\
        out[i] = SUM;\n}\n";
    let sums = [("first", "far - near"), ("last", "near - far"), ("far", "far - 1"), ("near", "near - 1")];
    let all: String = sums.map(|(name, sum)| text.replace("KERNEL", name).replace("SUM", sum)).concat();
    let folder = source(&all);
    let [first, last, far, near] = sums.map(|(name, _)| ticks(folder.path(), name, &[]));
    assert_eq!(first, last, "the order of the operands is of no matter");
    assert!(first >= far && first > near, "{first}: {far} with the far one alone, {near} with the near one");
}

#[test]
fn the_operations_of_unknown_assembly_can_be_given() {
    let text = "extern \"C\" __global__ void k(const int* in, int* out) {\n\
        int x = in[blockIdx.x * 128 + threadIdx.x];\n\
        for (int i = 0; i < 64; i++) { asm volatile(\"frob.u32 %0, %1;\" : \"=r\"(x) : \"r\"(x)); }\n\
        out[blockIdx.x * 128 + threadIdx.x] = x;\n}\n";
    let folder = source(text);
    let launch = ["--problem", "n=65536", "--work-items", "n", "--work-group", "128"];
    let asked = [&["evaluate", "k.cu", "--gpu", "a100"], &launch[..]].concat();
    let refused = run(autotune().current_dir(folder.path()).args(&asked));
    let line = "k.cu:3";
    for words in ["`frob.u32` is not part of the machine", line, "`--assume asm@3=int32:2`"] {
        assert!(refused.stderr.contains(words), "{words}: {}", refused.stderr);
    }
    let with = |operations: &str| ticks(folder.path(), "k", &["--assume", &format!("asm@3={operations}")]);
    let [few, many] = [with("int32: 2"), with("int32: 200, special: 8")];
    assert!(few * 2 < many, "{few} and {many}");
    let unused = run(autotune().current_dir(folder.path()).args(&asked).args(["--assume", "asm@2=any:1"]));
    assert!(unused.stderr.contains("frob.u32"), "{}", unused.stderr);
    for wrong in ["int32", "int32: -1", "int31: 2", "2", "bf16: 1"] {
        let ended =
            run(autotune().current_dir(folder.path()).args(&asked).args(["--assume", &format!("asm@3={wrong}")]));
        assert!(ended.stderr.contains("such as `{ int32: 2, special: 1 }`"), "{wrong}: {}", ended.stderr);
    }
}

/// What is known of a line with unknown assembly stays: in a text of its own, and in one text with it.
#[test]
fn operations_that_are_given_for_a_line_leave_its_loads_and_stores() {
    let apart = "asm volatile(\"ld.global.b32 %0, [%1];\" : \"=r\"(x) : \"l\"(in + i)); \
                 asm volatile(\"frob.u32 %0, %1;\" : \"=r\"(y) : \"r\"(x)); \
                 asm volatile(\"st.global.b32 [%0], %1;\" :: \"l\"(out + i), \"r\"(y));";
    let together = "asm volatile(\"{ .reg .b32 a; ld.global.b32 a, [%1]; frob.u32 %0, a; st.global.b32 [%2], %0; }\" \
                    : \"=r\"(y) : \"l\"(in + i), \"l\"(out + i));";
    for line in [apart, together] {
        let folder = source(&format!(
            "extern \"C\" __global__ void k(const int* in, int* out) {{\n\
             int i = blockIdx.x * 128 + threadIdx.x, x, y;\n{line}\n}}\n"
        ));
        let asked =
            ["inspect", "k.cu", "--gpu", "a100", "--problem", "n=65536", "--work-items", "n", "--work-group", "128"];
        let ended = run(autotune().current_dir(folder.path()).args(asked).args(["--assume", "asm@3=int32:2"]));
        let shown = ended.stdout.lines().find(|line| line.starts_with("3 |")).unwrap_or_default();
        assert!(shown.ends_with("1 load, 1 store"), "{}{}", ended.stdout, ended.stderr);
    }
}

/// The example with some words of its spec replaced.
fn example(folder: &Path, replaced: &[(&str, &str)]) -> String {
    let mut spec = fs::read_to_string("examples/kernels/matmul_mma.yaml").unwrap();
    for (from, to) in replaced {
        assert!(spec.contains(from), "{from}");
        spec = spec.replace(from, to);
    }
    let source = fs::canonicalize("examples/kernels/matmul_mma.cu").unwrap();
    fs::copy(source, folder.join("matmul_mma.cu")).unwrap();
    let path = folder.join("matmul_mma.yaml");
    fs::write(&path, spec).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The notes of the accesses of a line of the example, by its text.
fn notes(report: &serde_json::Value, text: &str) -> Vec<serde_json::Value> {
    let lines = report["files"][0]["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["text"].as_str().unwrap().contains(text)).unwrap();
    line["accesses"].as_array().unwrap().clone()
}

#[test]
fn the_products_fragments_have_no_conflicts_where_the_tiles_are_swizzled() {
    let folder = tempfile::tempdir().unwrap();
    for (swizzle, passes) in [("SWIZZLE: 1", [4.0, 4.0]), ("SWIZZLE: 0", [16.0, 32.0])] {
        let spec = example(folder.path(), &[("SWIZZLE: 1", swizzle)]);
        let config = "BM=128,BN=128,BK=32,STAGES=4,WARPS_M=2,WARPS_N=2";
        let ended = run(autotune().args(["inspect", &spec, "--gpu", "a100", "--config", config, "--format", "json"]));
        let report = json(&ended, "inspection.json");
        let of_a = notes(&report, "ldmatrix.sync.aligned.m8n8.x4.shared");
        let of_b = notes(&report, "ldmatrix.sync.aligned.m8n8.x4.trans");
        assert_eq!(
            [&of_a[0]["passes"], &of_b[0]["passes"]],
            passes.map(serde_json::Value::from).each_ref(),
            "{swizzle}"
        );
        for copy in notes(&report, "__pipeline_memcpy_async") {
            assert_eq!((&copy["access"], &copy["sectors"]), (&"copy".into(), &16.0.into()), "bytes / 32");
        }
    }
}

#[test]
fn configurations_that_libraries_use_are_near_the_optimum() {
    let folder = tempfile::tempdir().unwrap();
    let few = [
        ("BM: { values: [64, 128, 256] }", "BM: { values: [128] }"),
        ("BN: { values: [64, 128, 256] }", "BN: { values: [128, 256] }"),
        ("WARPS_M: { values: [1, 2, 4] }", "WARPS_M: { values: [2] }"),
        ("WARPS_N: { values: [1, 2, 4] }", "WARPS_N: { values: [2, 4] }"),
        ("STAGES: { values: [2, 3, 4, 5] }", "STAGES: { values: [2, 3, 4] }"),
    ];
    let spec = example(folder.path(), &few);
    let result = json(&run(autotune().args([&spec, "--gpu", "a100", "--format", "json", "--no-cost"])), "result.json");
    assert_eq!(result["verdict"], "proved");
    let best = result["optimum"]["ticks"].as_u64().unwrap();
    for config in
        ["BM=128,BN=128,BK=32,STAGES=4,WARPS_M=2,WARPS_N=2", "BM=128,BN=256,BK=64,STAGES=3,WARPS_M=2,WARPS_N=4"]
    {
        let ticks = evaluated_ticks(&[&spec, "--gpu", "a100", "--config", config]);
        assert!(ticks * 100 < best * 110, "{config}: {ticks}, the optimum {best}");
    }
    let path = run(autotune().args([
        "explain",
        &spec,
        "--gpu",
        "a100",
        "--config",
        "BM=128,BN=128,BK=32,STAGES=2,WARPS_M=2,WARPS_N=2",
    ]));
    assert!(path.stdout.contains("what was started at line 26"), "{}{}", path.stdout, path.stderr);
    let suggested = run(autotune().args(["suggest", &spec, "--gpu", "a100"]));
    assert!(suggested.status == 0 && suggested.stdout.contains("BM="), "{}{}", suggested.stdout, suggested.stderr);
}
