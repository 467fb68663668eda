//! What a kernel executes, held against Oclgrind, which executes the same intermediate form instruction by instruction.
//!
//! Both take the output of clang 14, the version that Oclgrind is built with. All groups of a launch are executed; each
//! line of Oclgrind's histogram must be equal.

mod histogram;
mod oclgrind;

use histogram::Launched;
use oclgrind::Argument::{self, Buffer, Float, Integer, Local};

/// A kernel and its launch.
struct Case {
    file: &'static str,
    kernel: &'static str,
    defines: &'static [(&'static str, &'static str)],
    global: [u64; 3],
    local: [u32; 3],
    arguments: Vec<Argument>,
}

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/kernels/");
const LOOPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/with_oclgrind/loops.cl");

/// Holds a kernel against Oclgrind, with its loops folded and walked.
fn compare(case: &Case) {
    let file = if case.file.is_empty() { LOOPS.to_owned() } else { format!("{KERNELS}{}", case.file) };
    let compiled = oclgrind::compile(&file, case.defines);
    let expected = oclgrind::histogram(&compiled, case);
    assert!(expected.values().sum::<u64>() > 100, "Oclgrind counts nothing: {expected:?}");
    for fold in [true, false] {
        let found = histogram::count(
            &compiled.text,
            &Launched { kernel: case.kernel, global: case.global, local: case.local, arguments: &case.arguments, fold },
        );
        assert_eq!(found, expected, "{} of {} with fold = {fold}", case.kernel, case.file);
    }
}

#[test]
fn tiled_matmul() {
    compare(&Case {
        file: "matmul.cl",
        kernel: "matmul_tiled",
        defines: &[("size", "64"), ("TS", "16"), ("ROWS", "2"), ("COLS", "2"), ("LINES", "8")],
        global: [32, 32, 1],
        local: [16, 8, 1],
        arguments: vec![Buffer(4096), Buffer(4096), Buffer(4096)],
    });
}

#[test]
fn transpose() {
    compare(&Case {
        file: "transpose.cl",
        kernel: "transpose",
        defines: &[("size", "64"), ("TS", "16"), ("ROWS", "4"), ("LINES", "4"), ("PAD", "1")],
        global: [64, 16, 1],
        local: [16, 4, 1],
        arguments: vec![Buffer(4096), Buffer(4096)],
    });
}

#[test]
fn reduction() {
    compare(&Case {
        file: "reduction.cl",
        kernel: "reduction",
        defines: &[("TS", "7"), ("WG", "64"), ("VEC", "4")],
        global: [256, 1, 1],
        local: [64, 1, 1],
        arguments: vec![Buffer(7 * 1024 * 4), Buffer(4)],
    });
}

#[test]
fn stencil() {
    compare(&Case {
        file: "stencil.cl",
        kernel: "stencil_2d",
        defines: &[("size", "64"), ("block_x", "16"), ("block_y", "4"), ("ROWS", "4"), ("DEPTH", "3")],
        global: [7 * 16, 7 * 4, 1],
        local: [16, 4, 1],
        arguments: vec![Buffer(96 * 97), Buffer(96 * 97), Buffer(96 * 97)],
    });
}

#[test]
fn convolution() {
    compare(&Case {
        file: "convolution.cl",
        kernel: "convolution_2d",
        defines: &[
            ("width", "60"),
            ("height", "50"),
            ("filter", "5"),
            ("block_x", "16"),
            ("block_y", "4"),
            ("tile_x", "2"),
            ("tile_y", "2"),
            ("IMAGE", "__global const float* restrict"),
        ],
        global: [32, 28, 1],
        local: [16, 4, 1],
        arguments: vec![Buffer(80 * 80), Buffer(25), Buffer(80 * 80)],
    });
}

/// A loop of `loops.cl`, whose first argument is a buffer and whose last one is a count.
fn of_loops(kernel: &'static str, count: i64) -> Case {
    Case {
        file: "",
        kernel,
        defines: &[],
        global: [64, 1, 1],
        local: [16, 1, 1],
        arguments: vec![Buffer(100_000), Integer(count)],
    }
}

#[test]
fn loops_that_fold_and_loops_that_walk() {
    let counts = [
        ("nested", 30),
        ("triangular", 40),
        ("modulo", 100),
        ("mask4", 100),
        ("halving", 1 << 10),
        ("square", 60),
        ("guard", 50),
        ("bounds", 100),
        ("wrap", 60),
        ("divided", 90),
        ("shifted", 90),
        ("private_state", 20),
        ("many_exits", 70),
        ("descending", 50),
    ];
    for (kernel, count) in counts {
        compare(&of_loops(kernel, count));
    }
}

#[test]
fn loops_with_other_arguments() {
    compare(&Case { arguments: vec![Buffer(100_000), Argument::Long(1000)], ..of_loops("strided", 0) });
    compare(&Case { arguments: vec![Buffer(4096), Buffer(4096), Integer(31)], ..of_loops("pingpong", 0) });
    compare(&Case { arguments: vec![Buffer(4096), Local(64), Float(2)], ..of_loops("local_argument", 0) });
}
