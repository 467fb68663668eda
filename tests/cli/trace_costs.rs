//! Costs of a kernel's source that `docs/theory/source.md` states: scopes that L2 keeps, private arrays, constant memory,
//! and loops that end by a number of floating point.

use std::path::Path;

use serde_json::Value;

use super::{Ended, autotune, json, run};

/// A folder with `kernel.cl` and a spec of 64 groups of 64 work items, whose parameter `N` has some values.
fn folder(kernel: &str, values: &str, arguments: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!(
        "kernel: k\nparameters: {{ N: {{ values: [{values}] }} }}\nlaunch: {{ work_items: 4096, work_group: 64 }}\n\
         source: {{ file: kernel.cl, arguments: {{ {arguments} }} }}\n"
    );
    std::fs::write(folder.path().join("kernel.cl"), kernel).unwrap();
    std::fs::write(folder.path().join("spec.yaml"), spec).unwrap();
    folder
}

fn ended(folder: &Path, command: &str, more: &[&str]) -> Ended {
    run(autotune().arg(command).arg(folder.join("spec.yaml")).args(["--gpu", "volta", "--quiet"]).args(more))
}

/// The ticks of a warp in a server; 0 if it does not use the server.
fn ticks(folder: &Path, configuration: &str, server: &str) -> u64 {
    let ended = ended(folder, "model", &["--config", configuration, "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let program = json(&ended, "program.json");
    let uses = program["body"].as_array().unwrap().iter().map(|statement| &statement["use"]);
    uses.filter(|of| of["server"] == server).map(|of| of["occupancy"].as_u64().unwrap()).sum()
}

/// The bytes of L2 and DRAM that a group moves, for two values of `N`.
fn bytes(folder: &Path, values: [u64; 2]) -> [[u64; 2]; 2] {
    let [runs, rows] = ["runs.csv", "rows.csv"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let [one, other] = values;
    std::fs::write(&runs, format!("N,time_ms\n{one},1\n{other},1\n")).unwrap();
    let validated = ended(folder, "validate", &["--measured", &runs, "--rows", &rows]);
    assert_eq!(validated.status, 0, "{}", validated.stderr);
    let bytes = |row: csv::StringRecord| -> [u64; 2] {
        let mut last = row.iter().rev().map(|cell| cell.parse().unwrap());
        let [dram, l2] = [last.next().unwrap(), last.next().unwrap()];
        [l2, dram]
    };
    let found: Vec<_> = csv::Reader::from_path(&rows).unwrap().records().map(|row| bytes(row.unwrap())).collect();
    found.try_into().unwrap()
}

/// A kernel whose groups all read the same N rows of 64 words twice.
const READS_TWICE: &str = "__kernel void k(__global const float* restrict a, __global float* restrict out)\n{\n    \
    int l = get_local_id(0);\n    float s = 0;\n    for (int i = 0; i < N; ++i) s += a[i * 64 + l];\n    \
    for (int i = 0; i < N; ++i) s *= a[i * 64 + l];\n    out[WHERE] = s;\n}\n";

/// Up to 128 KiB the second loop finds in L2 what the first one brought. The groups' stores lie so far apart that not all
/// arrays fit L2.
#[test]
fn l2_keeps_128_kib_of_an_array_for_the_accesses_of_a_scope() {
    let folder = folder(&READS_TWICE.replace("WHERE", "get_group_id(0) * 1000000 + l"), "512, 513", "");
    let found = bytes(folder.path(), [512, 513]);
    // Each of the 64 groups stores 256 bytes.
    let [kept, lost] = [512 * 256, 513 * 256];
    assert_eq!(found, [[2 * kept + 256, kept / 64 + 256], [2 * lost + 256, 2 * lost / 64 + 256]]);
}

/// The arrays fit the 6 MiB of a V100's L2: the second loop finds there what the first one brought, and each group what the
/// others did, however many bytes a group touches.
#[test]
fn arrays_that_fit_l2_are_brought_once() {
    let folder = folder(&READS_TWICE.replace("WHERE", "get_global_id(0)"), "2048, 32768", "");
    let [fit, do_not] = [2048 * 256, 32768 * 256];
    let found = bytes(folder.path(), [2048, 32768]);
    assert_eq!(found, [[2 * fit + 256, fit / 64 + 256], [2 * do_not + 256, 2 * do_not / 64 + 256]]);
}

/// Each group reads N rows of its own, between barriers: the scope is an iteration, and each brings its own row.
#[test]
fn each_execution_of_a_scope_brings_its_own_bytes() {
    let kernel = "__kernel void k(__global const float* restrict a, __global float* restrict out)\n{\n    \
                  __local float row[64];\n    int l = get_local_id(0);\n    float s = 0;\n    \
                  for (int i = 0; i < N; ++i) {\n        row[l] = a[(get_group_id(0) * N + i) * 64 + l];\n        \
                  barrier(CLK_LOCAL_MEM_FENCE);\n        s += row[63 - l];\n        \
                  barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    out[get_global_id(0)] = s;\n}\n";
    let folder = folder(kernel, "100, 1000", "");
    let found = bytes(folder.path(), [100, 1000]);
    assert_eq!(found, [100, 1000].map(|rows| [rows * 256 + 256; 2]));
}

/// 2,560 of 16,384 groups run together on a V100. Each reads N rows of its own before and behind a barrier. With 8 rows, L2 has
/// room for all that these groups touch, and the second scope finds the rows there; with 16 it has not.
#[test]
fn a_scope_finds_in_l2_what_an_earlier_one_brought_if_there_is_room() {
    let kernel = "__kernel void k(__global const float* restrict a, __global float* restrict out)\n{\n    \
                  __local float sums[64];\n    int l = get_local_id(0);\n    float s = 0;\n    \
                  for (int i = 0; i < N; ++i) s += a[(get_group_id(0) * N + i) * 64 + l];\n    sums[l] = s;\n    \
                  barrier(CLK_LOCAL_MEM_FENCE);\n    s = sums[63 - l];\n    \
                  for (int i = 0; i < N; ++i) s += a[(get_group_id(0) * N + i) * 64 + l] * s;\n    \
                  out[get_global_id(0)] = s;\n}\n";
    let folder = folder(kernel, "8, 16", "");
    let spec = folder.path().join("spec.yaml");
    let many = std::fs::read_to_string(&spec).unwrap().replace("4096", "1048576");
    std::fs::write(spec, many).unwrap();
    let [fit, do_not] = [8 * 256, 16 * 256];
    assert_eq!(bytes(folder.path(), [8, 16]), [[2 * fit + 256, fit + 256], [2 * do_not + 256, 2 * do_not + 256]]);
}

/// A warp's access of a word for each lane takes a line of 128 bytes. L1 moves 125.5 bytes a cycle, and L2 64.
#[test]
fn a_private_array_lies_in_l1_a_word_of_each_lane_beside_the_next() {
    let kernel = "__kernel void k(__global float* restrict out)\n{\n    int x = get_global_id(0);\n    \
                  volatile float kept[64];\n    for (int i = 0; i < 64; ++i) kept[i] = x;\n    float s = 0;\n\
                  #pragma unroll 1\n    for (int i = 0; i < N; ++i) s += kept[i & 63];\n    out[x] = s;\n}\n";
    let folder = folder(kernel, "1024, 2048", "");
    for loads in [1024_u64, 2048] {
        let of = |server: &str| ticks(folder.path(), &format!("N={loads}"), server);
        assert_eq!(of("local"), ((loads + 64) * 128 * 16 * 2).div_ceil(251), "{loads} loads and 64 stores");
        assert_eq!(of("memory"), (64 + 1) * 128 * 16 / 64, "64 stores, and that to global memory");
    }
}

#[test]
fn constant_memory_takes_no_access() {
    let kernel = "__constant float mask[4] = {1, 2, 3, 4};\n__kernel void k(__global float* restrict out)\n{\n    \
                  float s = 0;\n#pragma unroll 1\n    for (int i = 0; i < N; ++i) s += mask[i & 3];\n    \
                  out[get_global_id(0)] = s;\n}\n";
    let folder = folder(kernel, "1024, 2048", "");
    let of = |server: &str| [1024, 2048].map(|loads| ticks(folder.path(), &format!("N={loads}"), server));
    assert_eq!(of("local"), [16; 2], "the address of the store");
    let [few, many] = of("memory");
    assert_eq!(few, many, "the store");
    let [few, many] = of("dispatcher");
    assert!(few < many, "the sums are issued");
}

#[test]
fn a_loop_that_ends_by_a_computed_number_of_floating_point_ends_by_data() {
    let kernel = "__kernel void k(float rest, __global float* restrict out)\n{\n    \
                  for (int n = 0; rest > 1.0f; ++n) { rest *= 0.75f; out[get_global_id(0) + 64 * n] = rest; }\n}\n";
    let asked = ended(folder(kernel, "1", "rest: 64.0").path(), "evaluate", &[]);
    assert_eq!(asked.status, 2);
    assert!(asked.stderr.contains("the number of iterations of this loop depends on data"), "{}", asked.stderr);
    let evaluate = ended(folder(kernel, "1", "rest: 0.5").path(), "evaluate", &["--format", "json"]);
    let answer: Value = json(&evaluate, "evaluation.json");
    assert_eq!(evaluate.status, 0, "the given number ends the loop before its first iteration: {answer}");
}
