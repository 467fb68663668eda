//! Examples in CUDA, which execute what their twins in OpenCL execute.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Argument, Assumptions, Compiler, KernelSource, Maker, SourceKernel, SourceLaunch, Step, Target, Trace,
};

use super::{VERSIONS, clang, macros};

/// What all work items of a group execute: bytes of each kind of access, barriers, exchanges, and operations of single
/// precision.
type Work = BTreeMap<String, u64>;

/// A kernel with its macros, and its integer arguments by their positions.
struct Source {
    file: &'static str,
    kernel: &'static str,
    macros: String,
    arguments: Vec<(usize, i64)>,
}

/// The work of the middle one of 8 x 8 groups.
fn work(version: &str, source: &Source, sizes: [u32; 3]) -> Work {
    let path = PathBuf::from("examples/kernels").join(source.file);
    let mut named = KernelSource::of_file(&path).unwrap();
    named.kernel = Some(source.kernel.to_owned());
    let compiler = Compiler::new(clang(version), named, Target::Portable, None, Limits::default()).unwrap();
    let pairs: Vec<_> = source.macros.split_whitespace().map(|pair| pair.split_once('=').unwrap()).collect();
    let text = compiler.compile(&macros(&pairs)).unwrap().text;
    let kernel = Arc::new(SourceKernel::read(&text, Some(source.kernel), Maker::Nvidia).unwrap());
    let arguments = source.arguments.iter().map(|(at, value)| (*at, Argument::Integer(*value))).collect();
    let launch = SourceLaunch {
        sizes,
        groups: [8, 8, 1],
        group: [4, 4, 0],
        arguments,
        warp_size: 32,
        ..SourceLaunch::default()
    };
    let executed = kernel.execute(&launch, &Assumptions::default(), &Limits::default()).unwrap();
    let mut work = Work::new();
    add(&kernel, &executed.trace, 1, &mut work);
    work
}

fn add(kernel: &SourceKernel, trace: &Trace, times: u64, work: &mut Work) {
    for step in trace {
        match step {
            Step::Block(run) => {
                let items = times * run.items.count_ones(..) as u64;
                let fp32: u64 = kernel.prices.block(run.block).iter().map(|price| price.fp32).sum();
                *work.entry("fp32".to_owned()).or_default() += items * fp32;
                for access in &run.accesses {
                    let (name, size) = match access.kind {
                        AccessKind::Load | AccessKind::Store => {
                            (format!("{:?} {:?}", access.kind, access.memory), access.bytes)
                        }
                        AccessKind::Atomic | AccessKind::Barrier | AccessKind::Shuffle => {
                            (format!("{:?}", access.kind), 1)
                        }
                        _ => continue,
                    };
                    *work.entry(name).or_default() += items * size;
                }
            }
            Step::Loop(run) => run.rounds.iter().for_each(|round| add(kernel, &round.steps, times * round.times, work)),
            Step::Sides(_, sides) => sides.iter().for_each(|side| add(kernel, &side.steps, times, work)),
        }
    }
}

/// Holds a kernel in CUDA against its twin, with every version of clang.
fn compare(opencl: &Source, cuda: &Source, sizes: [u32; 3]) {
    for version in VERSIONS {
        let expected = work(version, opencl, sizes);
        assert!(expected["Load Global"] > 0 && expected["Store Global"] > 0, "{expected:?}");
        assert_eq!(work(version, cuda, sizes), expected, "{} with {} by {version}", cuda.file, cuda.macros);
    }
}

#[test]
fn vector_add() {
    for vector in [1, 2, 4, 8] {
        let macros = format!("WG=64 ITEMS=4 VEC={vector}");
        let size = 64 * 64 * 4 * vector;
        let opencl = Source {
            file: "vector_add.cl",
            kernel: "vector_add",
            macros: format!("{macros} size={size}"),
            arguments: Vec::new(),
        };
        let cuda = Source {
            file: "vector_add.cu",
            kernel: "vector_add<ITEMS, VEC>",
            macros,
            arguments: vec![(3, size / vector)],
        };
        compare(&opencl, &cuda, [64, 1, 1]);
    }
}

#[test]
fn tiled_matmul() {
    for (tile, rows, columns) in [(16, 1, 1), (16, 4, 2), (32, 8, 4)] {
        let macros = format!("TS={tile} ROWS={rows} COLS={columns}");
        let size = 8 * tile * columns;
        let opencl = Source {
            file: "matmul_tiled.cl",
            kernel: "matmul_tiled",
            macros: format!("{macros} size={size}"),
            arguments: Vec::new(),
        };
        let cuda = Source {
            file: "matmul_tiled.cu",
            kernel: "matmul_tiled<TS, ROWS, COLS>",
            macros,
            arguments: vec![(3, i64::from(size))],
        };
        compare(&opencl, &cuda, [tile, tile / rows, 1]);
    }
}

#[test]
fn transpose() {
    for (tile, rows, pad) in [(16, 1, 0), (32, 4, 1)] {
        let macros = format!("TS={tile} ROWS={rows} PAD={pad}");
        let size = 8 * tile;
        let opencl = Source {
            file: "transpose.cl",
            kernel: "transpose",
            macros: format!("{macros} size={size}"),
            arguments: Vec::new(),
        };
        let cuda = Source {
            file: "transpose.cu",
            kernel: "transpose<TS, ROWS, PAD>",
            macros,
            arguments: vec![(2, i64::from(size))],
        };
        compare(&opencl, &cuda, [tile, tile / rows, 1]);
    }
}

/// The reduction by shuffles has no twin: what it executes follows from its text. A warp's sum takes five exchanges by
/// each lane; the first warp does so twice, and reads a word for each of the eight warps.
#[test]
fn reduction_by_shuffles() {
    let source =
        Source { file: "reduction.cu", kernel: "reduction<TS>", macros: "TS=12".to_owned(), arguments: Vec::new() };
    let expected = [
        ("Atomic", 1),
        ("Barrier", 256),
        ("Load Global", 256 * 12 * 4),
        ("Load Local", 8 * 4),
        ("Shuffle", 256 * 5 + 32 * 5),
        ("Store Local", 8 * 4),
        ("fp32", 0),
    ];
    let expected: Work = expected.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    for version in VERSIONS {
        assert_eq!(work(version, &source, [256, 1, 1]), expected, "by {version}");
    }
}

#[test]
fn micro_benchmarks() {
    for kernel in ["chain", "spread"] {
        let source = |file| Source {
            file,
            kernel,
            macros: String::new(),
            arguments: vec![(2, 1 << 20), (3, 1 << 17), (4, 32), (5, 8)],
        };
        let [opencl, cuda] = ["../measure/profile.cl", "../measure/profile.cu"].map(source);
        compare(&opencl, &cuda, [64, 1, 1]);
        // Eight loads of four bytes by each of 64 work items.
        assert_eq!(work("clang-19", &cuda, [64, 1, 1])["Load Global"], 8 * 4 * 64, "{kernel}");
    }
}
