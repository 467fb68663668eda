//! Numbers of a source that are known: passes and sectors by `inspect`, numbers of a vector argument, and divisions by 0 whose
//! result is not used.

use std::fs;

use super::{Ended, Value, autotune, json, run};

/// Runs a command for a kernel that is written into a folder.
fn of_kernel(command: &str, file: &str, text: &str, options: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let launch = ["--gpu", "a100", "--work-items", "4096", "--work-group", "64"];
    run(autotune().current_dir(folder.path()).args([command, file]).args(launch).args(options))
}

/// The accesses of a line of an inspected kernel.
fn accesses(file: &str, text: &str, line: u64, options: &[&str]) -> Vec<Value> {
    let options = [options, &["--format", "json"]].concat();
    let inspection = json(&of_kernel("inspect", file, text, &options), "inspection.json");
    let lines = inspection["files"][0]["lines"].as_array().unwrap();
    let line = lines.iter().find(|one| one["line"] == line).unwrap();
    line["accesses"].as_array().unwrap().clone()
}

/// Clang 19 makes `usub.sat` of the choice.
#[test]
fn a_subtraction_that_saturates_has_a_known_address() {
    const CLAMPED: &str = "extern \"C\" __global__ void clampu(const float *in, float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i > 0 ? i - 1 : 0] + in[i];
}
";
    let accesses = accesses("clamp.cu", CLAMPED, 3, &["--clang", "clang-19"]);
    let load = accesses.iter().find(|access| access["array"] == "in").unwrap();
    // A warp's 128 bytes begin a word before a sector, or with one.
    assert_eq!((load["executions"].as_f64(), load["sectors"].as_f64()), (Some(2.0), Some(4.5)), "{load}");
    assert_eq!(load["on_data"], false);
}

/// Every second number, so that no two reads are joined.
#[test]
fn a_number_of_8_bytes_that_all_lanes_read_takes_a_pass_and_no_more() {
    const SAME: &str = "extern \"C\" __global__ void same(const double *in, double *out) {
    __shared__ double s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 128; k += STEP) sum += s[k];
    out[blockIdx.x * 64 + t] = sum;
}
";
    let passes = |step: &str| {
        let read = accesses("same.cu", SAME, 7, &["--define", step]);
        (read[0]["passes"].as_f64(), read[0]["least_passes"].as_f64())
    };
    assert_eq!(passes("STEP=2"), (Some(1.0), Some(1.0)));
    let (passes, least) = passes("STEP=1");
    assert!(least <= passes, "two numbers in one read: {passes:?} passes, {least:?} at least");
}

#[test]
fn an_argument_of_two_numbers_is_given_number_by_number() {
    const SHIFTED: &str = "kernel void shift(global const float *in, global float *out, int2 by, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = in[(y + by.y) * width + x + by.x];
}
";
    let options = |by: &'static str| ["--argument", by, "--argument", "by.y=0", "--argument", "width=64"];
    let at = |by| {
        let ended = accesses("shift.cl", SHIFTED, 3, &options(by));
        ended.iter().find(|access| access["array"] == "in").unwrap()["sectors"].as_f64()
    };
    assert_eq!((at("by.x=8"), at("by.x=1")), (Some(4.0), Some(5.0)), "a shift by a sector, and by a word");
}

/// The last iteration divides by 0, and nothing reads the quotient.
#[test]
fn a_division_by_0_whose_result_is_not_used_is_no_refusal() {
    let kernel = |used: &str| {
        format!(
            "__kernel void k(__global int* x, int n) {{
    int l = get_global_id(0), q = l;
    for (int t = 0; t < n; ++t) {{
        x[t * 4096 + q % 4096] = t;
        q = l / (n - 1 - t);
    }}
    {used}
}}
"
        )
    };
    let evaluated = |text: &str| of_kernel("evaluate", "k.cl", text, &["--argument", "n=4"]);
    let unused = evaluated(&kernel(""));
    assert_eq!(unused.status, 0, "{}", unused.stderr);
    let used = evaluated(&kernel("x[q] = 1;"));
    assert!(used.status != 0 && used.stderr.contains("this divides by 0"), "{}{}", used.stdout, used.stderr);
}
