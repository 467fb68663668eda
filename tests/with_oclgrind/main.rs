//! What a kernel executes, held against Oclgrind, which executes the same intermediate form instruction by instruction.
//!
//! Both take the output of clang 14, the version that Oclgrind is built with. All groups of a launch are executed; each
//! line of Oclgrind's histogram must be equal.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod histogram;
mod oclgrind;

use histogram::Launched;
use oclgrind::Argument::{self, Buffer, Float, Floats, Integer, Local};

/// A kernel and its launch.
struct Case {
    file: &'static str,
    kernel: &'static str,
    defines: Vec<(&'static str, &'static str)>,
    global: [u64; 3],
    local: [u32; 3],
    arguments: Vec<Argument>,
    /// The share of executions that take a branch on data, and the line of the branch.
    taken: Option<(u32, f64)>,
}

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/kernels/");
const LOOPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/with_oclgrind/loops.cl");
const GROUPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/with_oclgrind/groups.cl");

/// Holds a kernel against Oclgrind, with its loops folded and walked.
fn compare(case: &Case) {
    let file = if case.file.is_empty() { LOOPS.to_owned() } else { format!("{KERNELS}{}", case.file) };
    let compiled = oclgrind::compile(&file, &case.defines);
    let expected = oclgrind::histogram(&compiled, case);
    assert!(expected.values().sum::<u64>() > 100, "Oclgrind counts nothing: {expected:?}");
    for fold in [true, false] {
        let found = histogram::count(
            &compiled.text,
            &Launched {
                kernel: case.kernel,
                global: case.global,
                local: case.local,
                arguments: &case.arguments,
                taken: case.taken,
                fold,
            },
        );
        assert_eq!(found, expected, "{} of {} with fold = {fold}", case.kernel, case.file);
    }
}

/// A case of an example: its definitions as `A=1 B=2`.
fn example(name: &'static str, kernel: &'static str, defines: &'static str, sizes: Sizes, arguments: Vec<Argument>) {
    compare(&of_example(name, kernel, defines, sizes, arguments));
}

/// The work items of a launch, and those of a group.
type Sizes = ([u64; 3], [u32; 3]);

fn of_example(
    file: &'static str,
    kernel: &'static str,
    defines: &'static str,
    (global, local): Sizes,
    arguments: Vec<Argument>,
) -> Case {
    let defines = defines.split_whitespace().map(|pair| pair.split_once('=').unwrap()).collect();
    Case { file, kernel, defines, global, local, arguments, taken: None }
}

#[test]
fn vector_add() {
    let buffers = || vec![Buffer(4096), Buffer(4096), Buffer(4096)];
    for vector in ["1", "2", "4", "8"] {
        // The last group has less than its work.
        let mut case =
            of_example("vector_add.cl", "vector_add", "size=4000 WG=32 ITEMS=2", ([512, 1, 1], [32, 1, 1]), buffers());
        case.defines.push(("VEC", vector));
        compare(&case);
    }
}

#[test]
fn matmul() {
    let mut arguments = vec![Buffer(4096), Buffer(4096), Buffer(4096)];
    arguments.push(Integer(64));
    example("matmul.cl", "matmul", "WG=32 TS=8", ([64, 1, 1], [32, 1, 1]), arguments);
}

#[test]
fn tiled_matmul() {
    let sizes = ([32, 32, 1], [16, 8, 1]);
    let arguments = || vec![Buffer(4096), Buffer(4096), Buffer(4096)];
    example("matmul_tiled.cl", "matmul_tiled", "size=64 TS=16 ROWS=2 COLS=2", sizes, arguments());
    let sizes = ([64, 64, 1], [16, 16, 1]);
    example("matmul_tiled.cl", "matmul_tiled", "size=64 TS=16 ROWS=1 COLS=1", sizes, arguments());
}

#[test]
fn transposes() {
    let arguments = || vec![Buffer(4096), Buffer(4096)];
    example("transpose.cl", "transpose", "size=64 TS=16 ROWS=4 PAD=1", ([64, 16, 1], [16, 4, 1]), arguments());
    example("transpose_naive.cl", "transpose_naive", "size=64", ([64, 64, 1], [16, 4, 1]), arguments());
}

#[test]
fn reduction() {
    let arguments = vec![Buffer(7 * 1024 * 4), Buffer(4)];
    example("reduction.cl", "reduction", "TS=7 WG=64 VEC=4", ([256, 1, 1], [64, 1, 1]), arguments);
}

#[test]
fn minimum() {
    let arguments = vec![Buffer(7 * 256), Buffer(4)];
    example("minimum.cl", "minimum", "TS=7 WG=64", ([256, 1, 1], [64, 1, 1]), arguments);
}

#[test]
fn stencil() {
    let arguments = vec![Buffer(96 * 97), Buffer(96 * 97), Buffer(96 * 97)];
    let sizes = ([7 * 16, 7 * 4, 1], [16, 4, 1]);
    example("stencil.cl", "stencil_2d", "size=64 block_x=16 block_y=4 ROWS=4 DEPTH=3", sizes, arguments);
}

#[test]
fn convolution() {
    for read_only in ["0", "1"] {
        let mut case = of_example(
            "convolution.cl",
            "convolution_2d",
            "width=60 height=50 filter=5 block_x=16 block_y=4 tile_x=2 tile_y=2",
            ([32, 28, 1], [16, 4, 1]),
            vec![Buffer(80 * 80), Buffer(25), Buffer(80 * 80)],
        );
        case.defines.push(("read_only", read_only));
        compare(&case);
    }
}

#[test]
fn floyd_warshall() {
    for (down, keep, staged) in [("0", "0", "0"), ("1", "0", "1"), ("0", "1", "0"), ("1", "1", "1")] {
        let mut case = of_example(
            "floyd_warshall.cl",
            "floyd_warshall",
            "size=64 TS=16 ROWS=4",
            ([64, 16, 1], [16, 4, 1]),
            vec![Buffer(4096), Integer(1)],
        );
        case.defines.extend([("DOWN", down), ("KEEP", keep), ("STAGED", staged)]);
        compare(&case);
    }
}

#[test]
fn fft() {
    for table in ["0", "1"] {
        let arguments = vec![Buffer(4 * 128), Buffer(128), Buffer(4 * 128)];
        let mut case = of_example("fft.cl", "fft", "N=64 WG=16", ([64, 1, 1], [16, 1, 1]), arguments);
        case.defines.push(("TABLE", table));
        compare(&case);
    }
}

#[test]
fn back_propagation() {
    let mut arguments = vec![Buffer(8 * 100), Buffer(8 * 100), Buffer(8), Buffer(100), Buffer(8)];
    arguments.extend([Float(1), Float(2)]);
    let sizes = ([4 * 32, 1, 1], [32, 1, 1]);
    example("back_propagation.cl", "back_propagation", "outputs=100 WG=32 ROWS=2", sizes, arguments);
}

#[test]
fn nbody() {
    for staged in ["0", "1"] {
        let mut arguments = vec![Buffer(1024), Buffer(1024), Buffer(1024)];
        arguments.extend([Float(2), Integer(256)]);
        let mut case = of_example("nbody.cl", "nbody", "WG=32 BODIES=2", ([128, 1, 1], [32, 1, 1]), arguments);
        case.defines.push(("STAGED", staged));
        compare(&case);
    }
}

#[test]
fn dedispersion() {
    let defines = "samples=128 channels=20 pitch=160 block_x=16 block_y=2 tile_x=2 tile_y=2";
    let arguments = vec![Buffer(20 * 160), Buffer(20), Buffer(128 * 16)];
    example("dedispersion.cl", "dedispersion", defines, ([64, 8, 1], [16, 2, 1]), arguments);
}

#[test]
fn histogram() {
    let arguments = vec![Buffer(4096), Buffer(256)];
    example("histogram.cl", "histogram", "WG=64 TS=16 COPIES=2", ([256, 1, 1], [64, 1, 1]), arguments);
}

/// The points of `point_in_polygon` and a polygon whose corners lie above and below each of them in turn, or all above:
/// rays cross all edges or none.
#[test]
fn point_in_polygon() {
    for (low, share) in [(0.0, 1.0), (2.0, 0.0)] {
        let corners = (0..10_u8).flat_map(|corner| [f32::from(corner), if corner % 2 == 0 { low } else { 3.0 }]);
        let points = (0..512_u16).flat_map(|point| [f32::from(point), 1.0]);
        let mut case = of_example(
            "point_in_polygon.cl",
            "point_in_polygon",
            "edges=10 WG=64 POINTS=2 SKIP=1",
            ([256, 1, 1], [64, 1, 1]),
            vec![Floats(points.collect()), Floats(corners.collect()), Buffer(10), Buffer(512)],
        );
        case.taken = Some((21, share));
        compare(&case);
        case.defines.pop();
        case.defines.push(("SKIP", "0"));
        case.taken = None;
        compare(&case);
    }
}

/// A loop of `loops.cl`, whose first argument is a buffer and whose last one is a count.
fn of_loops(kernel: &'static str, count: i64) -> Case {
    Case {
        file: "",
        kernel,
        defines: Vec::new(),
        global: [64, 1, 1],
        local: [16, 1, 1],
        arguments: vec![Buffer(100_000), Integer(count)],
        taken: None,
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

/// Holds the mean over the groups of a launch of 64 groups, times their number, against Oclgrind.
fn compare_mean(kernel: &'static str, number: i64, expected_groups: u64) {
    let case = Case { global: [1024, 1, 1], ..of_loops(kernel, number) };
    let compiled = oclgrind::compile(GROUPS, &case.defines);
    let expected = oclgrind::histogram(&compiled, &case);
    let Case { kernel, global, local, arguments, taken, .. } = &case;
    let launched = Launched { kernel, global: *global, local: *local, arguments, taken: *taken, fold: true };
    assert_eq!(histogram::count(&compiled.text, &launched), expected, "all groups of {kernel}");
    assert_eq!(
        histogram::count_by_mean(&compiled.text, &launched),
        (expected, expected_groups),
        "the mean of {kernel}"
    );
}

#[test]
fn the_mean_over_groups_that_do_different_work() {
    for remainder in 0..4 {
        compare_mean("remainder", remainder, 64);
    }
    compare_mean("one", 7, 64);
    compare_mean("triangle", 1, 64);
    compare_mean("triangle", 3, 64);
    compare_mean("tail", 5000, 64);
    compare_mean("ways", 5, 64);
    compare_mean("staged", 3, 64);
    compare_mean("late", 40, 64);
}

#[test]
fn groups_that_do_the_same_are_not_executed_all() {
    compare_mean("remainder", 4, 0);
    compare_mean("triangle", 0, 0);
    compare_mean("tail", 8192, 0);
    compare_mean("staged", 0, 0);
}

/// Work items of one instruction read one local array or another.
#[test]
fn pointers_to_two_local_arrays() {
    compare_mean("chosen", 8, 0);
}

#[test]
fn loops_with_other_arguments() {
    compare(&Case { arguments: vec![Buffer(100_000), Argument::Long(1000)], ..of_loops("strided", 0) });
    compare(&Case { arguments: vec![Buffer(4096), Buffer(4096), Integer(31)], ..of_loops("pingpong", 0) });
    compare(&Case { arguments: vec![Buffer(4096), Local(64), Float(2)], ..of_loops("local_argument", 0) });
}
