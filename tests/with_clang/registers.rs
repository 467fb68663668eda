//! Registers, against what the tools said of the same kernels.

use std::path::PathBuf;

use autotune::limits::Limits;
use autotune::source::{
    Architecture, Compiler, IrText, KernelSource, RegisterSource, Target, amd_registers, estimated_registers,
};

use super::{VERSIONS, Written, clang, macros};

/// Kernels with the registers of ptxas 12.9 for compute capability 7.0, and of clang 19 for gfx906.
const KNOWN: [(&str, &str, u32, Option<u32>); 15] = [
    ("matmul_tiled", "size=1024 TS=32 ROWS=1 COLS=1", 21, Some(20)),
    ("matmul_tiled", "size=1024 TS=32 ROWS=2 COLS=2", 32, Some(32)),
    ("matmul_tiled", "size=1024 TS=32 ROWS=4 COLS=2", 48, Some(46)),
    ("matmul_tiled", "size=1024 TS=32 ROWS=8 COLS=2", 56, Some(59)),
    ("matmul_tiled", "size=1024 TS=32 ROWS=8 COLS=4", 80, Some(72)),
    ("matmul_tiled", "size=1024 TS=64 ROWS=8 COLS=8", 128, None),
    ("transpose", "size=4096 TS=32 ROWS=1 PAD=1", 15, Some(5)),
    ("transpose", "size=4096 TS=32 ROWS=4 PAD=1", 24, Some(16)),
    ("transpose", "size=4096 TS=32 ROWS=16 PAD=1", 32, Some(13)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=1 DEPTH=2", 12, Some(7)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=4 DEPTH=2", 35, Some(28)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=8 DEPTH=2", 59, Some(49)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=16 DEPTH=2", 95, Some(165)),
    ("reduction", "TS=64 WG=256 VEC=1", 16, Some(11)),
    ("reduction", "TS=64 WG=256 VEC=4", 32, Some(21)),
];

/// Choices of `matmul_mma.cu` with the registers of nvcc 13.0 for compute capability 9.0, from the shipped measurement.
const PRODUCTS: [(&str, u32); 6] = [
    ("BM=64 BN=128 BK=32 STAGES=5 WARPS_M=2 WARPS_N=4", 73),
    ("BM=128 BN=64 BK=64 STAGES=4 WARPS_M=4 WARPS_N=2", 98),
    ("BM=64 BN=128 BK=32 STAGES=2 WARPS_M=2 WARPS_N=2", 128),
    ("BM=128 BN=128 BK=64 STAGES=2 WARPS_M=2 WARPS_N=4", 165),
    ("BM=128 BN=256 BK=32 STAGES=4 WARPS_M=4 WARPS_N=2", 248),
    ("BM=128 BN=256 BK=64 STAGES=3 WARPS_M=4 WARPS_N=2", 255),
];

fn compiler(file: &str, target: Target) -> Compiler {
    let path = PathBuf::from(format!("examples/kernels/{file}"));
    Compiler::new(clang("clang-19"), KernelSource::of_file(&path).unwrap(), target, None, Limits::default()).unwrap()
}

fn configuration(text: &str) -> autotune::source::Macros {
    macros(&text.split(' ').map(|pair| pair.split_once('=').unwrap()).collect::<Vec<_>>())
}

fn estimate(file: &str, target: Target, parameters: &str) -> u32 {
    let compiled = compiler(file, target).compile(&configuration(parameters)).unwrap();
    let split = IrText::split(&compiled.text).unwrap();
    let module = split.module(split.kernels()[0]).unwrap().unwrap();
    let found = estimated_registers(&module);
    assert_eq!(found.source, RegisterSource::Estimate);
    found.value
}

/// The assembler loads all parts of factors between two barriers at once, until no register is free.
#[test]
fn the_estimate_counts_parts_of_factors_that_are_loaded_early() {
    for (parameters, known) in PRODUCTS {
        let found = estimate("matmul_mma.cu", Target::Nvidia(80), &format!("{parameters} GROUP_M=8 SWIZZLE=1"));
        assert!(found.abs_diff(known) * 100 <= known * 13, "{parameters}: {found} for {known}");
    }
}

#[test]
fn the_estimate_is_near_to_nvidias_assembler() {
    let mut errors = Vec::new();
    for (file, parameters, known, _) in KNOWN {
        let found = estimate(&format!("{file}.cl"), Target::Nvidia(70), parameters);
        errors.push(f64::from(found.abs_diff(known)) / f64::from(known));
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / 15.0;
    assert!(errors[7] <= 0.12 && mean <= 0.20, "median {}, mean {mean}", errors[7]);
}

#[test]
fn amds_registers_are_the_back_ends() {
    for (file, parameters, _, known) in KNOWN {
        let Some(known) = known else { continue };
        let target = Target::Amd(Architecture::new("gfx906").unwrap());
        let assembly = compiler(&format!("{file}.cl"), target).assembly(&configuration(parameters)).unwrap();
        let kernel = assembly.split_once(".amdhsa_kernel ").unwrap().1.lines().next().unwrap();
        let found = amd_registers(&assembly, kernel).unwrap();
        assert_eq!((found.source, found.spilled_bytes), (RegisterSource::Amd, Some(0)));
        // How barriers and atomics are spelled moves one register.
        assert!(found.value.abs_diff(known) <= 1, "{file} with {parameters}: {} for {known}", found.value);
        let tiles = match file {
            "transpose" => 4 * 32 * 33,
            "reduction" => 4 * 256,
            _ => found.local_bytes.unwrap(),
        };
        assert_eq!(found.local_bytes, Some(tiles), "{file} with {parameters}");
    }
}

#[test]
fn a_whole_program_has_no_calls() {
    let text = "__kernel void k(__global float* a, __global int* b, __local float* l)\n{\n    size_t i = get_global_id(0);\n    \
        float4 v = vload4(i, a);\n    l[get_local_id(0)] = exp(v.x);\n    barrier(CLK_LOCAL_MEM_FENCE);\n    \
        vstore4(v * l[get_local_id(0) ^ 1], i, a);\n    atomic_add(b, 3);\n    atomic_cmpxchg(b, 2, 3);\n    \
        a[get_num_groups(1)] = pow(clamp(a[0], 1.f, 2.f), min(a[1], a[2])) + mad(a[3], 2, 3) + max((int)i, 2);\n}\n";
    for version in VERSIONS {
        let written = Written::new(&[("k.cl", text)]);
        let source = || written.source.clone();
        let made = |target| Compiler::new(clang(version), source(), target, None, Limits::default()).unwrap();
        let amd = made(Target::Amd(Architecture::new("gfx1030").unwrap())).assembly(&macros(&[])).unwrap();
        let registers = amd_registers(&amd, "k").unwrap().value;
        assert!((8..=20).contains(&registers) && !amd.contains("swappc"), "{registers} by {version}");
        let nvidia = made(Target::Nvidia(70)).assembly(&macros(&[])).unwrap();
        assert!(nvidia.contains(".target sm_70") && nvidia.contains("bar.sync"), "{version}");
        assert!(!nvidia.contains("get_") && !nvidia.contains("vload"), "{version}");
    }
}
