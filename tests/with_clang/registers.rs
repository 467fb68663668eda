//! Registers, against what the tools said of the same kernels.

use std::path::PathBuf;

use autotune::limits::Limits;
use autotune::source::{
    Architecture, Compiler, IrText, KernelSource, RegisterSource, Target, amd_registers, estimated_registers,
};

use super::{clang, macros};

/// The registers of ptxas for compute capability 7.0, and of clang 19 for gfx906.
const KNOWN: [(&str, &str, u32, Option<u32>); 18] = [
    ("matmul", "size=1024 TS=32 ROWS=1 COLS=1 LINES=32", 21, Some(20)),
    ("matmul", "size=1024 TS=32 ROWS=2 COLS=2 LINES=16", 32, Some(32)),
    ("matmul", "size=1024 TS=32 ROWS=4 COLS=2 LINES=8", 48, Some(46)),
    ("matmul", "size=1024 TS=32 ROWS=8 COLS=2 LINES=4", 56, Some(59)),
    ("matmul", "size=1024 TS=32 ROWS=8 COLS=4 LINES=4", 80, Some(72)),
    ("matmul", "size=1024 TS=64 ROWS=8 COLS=8 LINES=8", 128, None),
    ("transpose", "size=4096 TS=32 ROWS=1 LINES=32 PAD=1", 15, Some(5)),
    ("transpose", "size=4096 TS=32 ROWS=4 LINES=8 PAD=1", 24, Some(16)),
    ("transpose", "size=4096 TS=32 ROWS=16 LINES=2 PAD=1", 32, Some(13)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=1 DEPTH=2", 12, Some(7)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=4 DEPTH=2", 35, Some(28)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=8 DEPTH=2", 59, Some(49)),
    ("stencil", "size=1024 block_x=32 block_y=4 ROWS=16 DEPTH=2", 95, Some(165)),
    ("reduction", "TS=64 WG=256 VEC=1", 16, Some(11)),
    ("reduction", "TS=64 WG=256 VEC=4", 32, Some(21)),
    ("convolution", "width=2048 height=2048 filter=5 block_x=32 block_y=4 tile_x=1 tile_y=1", 25, Some(20)),
    ("convolution", "width=2048 height=2048 filter=5 block_x=32 block_y=4 tile_x=2 tile_y=2", 78, Some(64)),
    ("convolution", "width=2048 height=2048 filter=5 block_x=32 block_y=4 tile_x=4 tile_y=4", 128, Some(166)),
];

fn compiler(file: &str, target: Target) -> Compiler {
    let path = PathBuf::from(format!("examples/kernels/{file}.cl"));
    Compiler::new(clang("clang-19"), KernelSource::of_file(&path).unwrap(), target, None, Limits::default()).unwrap()
}

fn configuration(text: &str) -> autotune::source::Macros {
    let mut pairs: Vec<(&str, &str)> = text.split(' ').map(|pair| pair.split_once('=').unwrap()).collect();
    pairs.push(("IMAGE", "__global const float* restrict"));
    macros(&pairs)
}

#[test]
fn the_estimate_is_near_to_nvidias_assembler() {
    let mut errors = Vec::new();
    for (file, parameters, known, _) in KNOWN {
        let compiled = compiler(file, Target::Nvidia(70)).compile(&configuration(parameters)).unwrap();
        let split = IrText::split(&compiled.text).unwrap();
        let module = split.module(split.kernels()[0]).unwrap().unwrap();
        let found = estimated_registers(&module);
        assert_eq!(found.source, RegisterSource::Estimate);
        println!("{file} {parameters}: {} for {known}", found.value);
        errors.push(f64::from(found.value.abs_diff(known)) / f64::from(known));
    }
    errors.sort_by(f64::total_cmp);
    let (median, mean) = (errors[errors.len() / 2], errors.iter().sum::<f64>() / errors.len() as f64);
    println!("{median} {mean} {errors:?}");
    assert!(median <= 0.12 && mean <= 0.20, "median {median}, mean {mean}");
}

#[test]
fn amds_registers_are_the_back_ends() {
    for (file, parameters, _, known) in KNOWN {
        let Some(known) = known else { continue };
        let target = Target::Amd(Architecture::new("gfx906").unwrap());
        let assembly = compiler(file, target).assembly(&configuration(parameters)).unwrap();
        let kernel = assembly.split_once(".amdhsa_kernel ").unwrap().1.lines().next().unwrap();
        let found = amd_registers(&assembly, kernel).unwrap();
        println!("{file} {parameters}: {found:?} for {known}");
        assert_eq!(found.source, RegisterSource::Amd);
    }
}
