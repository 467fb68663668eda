//! Sources that compile, and what is read of them.

use std::path::PathBuf;

use autotune::limits::Limits;
use autotune::source::{
    Architecture, Callee, Compiler, Flow, IrText, KernelSource, Kind, SourcePlace, Target, kernel_name,
};

use super::{VERSIONS, Written, clang, macros};

/// The own kernels: file, kernel, and a configuration as `A=1 B=2`.
const EXAMPLES: [(&str, &str, &str); 22] = [
    ("vector_add.cl", "vector_add", "size=4096 WG=64 ITEMS=2 VEC=4"),
    ("vector_add.cu", "vector_add<ITEMS, VEC>", "ITEMS=2 VEC=4"),
    ("matmul.cl", "matmul", "WG=64 TS=8"),
    ("matmul_tiled.cl", "matmul_tiled", "size=1024 TS=32 ROWS=4 COLS=2"),
    ("matmul_tiled.cu", "matmul_tiled<TS, ROWS, COLS>", "TS=32 ROWS=4 COLS=2"),
    ("matmul_wmma.cu", "matmul_wmma<BM, BN, BK, DOWN, ACROSS>", "BM=64 BN=64 BK=32 DOWN=2 ACROSS=2"),
    ("transpose_naive.cl", "transpose_naive", "size=4096"),
    ("transpose.cl", "transpose", "size=4096 TS=32 ROWS=4 PAD=1"),
    ("transpose.cu", "transpose<TS, ROWS, PAD>", "TS=32 ROWS=4 PAD=1"),
    ("reduction.cl", "reduction", "TS=64 WG=256 VEC=4"),
    ("reduction.cu", "reduction<TS>", "TS=64"),
    ("rms_norm.cu", "layer::rms_norm<THREADS>", "THREADS=256"),
    ("minimum.cl", "minimum", "TS=64 WG=256"),
    ("stencil.cl", "stencil_2d", "size=1024 block_x=32 block_y=4 ROWS=4 DEPTH=2"),
    (
        "convolution.cl",
        "convolution_2d",
        "width=2048 height=2048 filter=5 block_x=32 block_y=4 tile_x=2 tile_y=2 read_only=1",
    ),
    ("floyd_warshall.cl", "floyd_warshall", "size=1024 TS=16 ROWS=4 DOWN=0 KEEP=1 STAGED=1"),
    ("fft.cl", "fft", "N=1024 WG=128 TABLE=1"),
    ("back_propagation.cl", "back_propagation", "outputs=2048 WG=128 ROWS=2"),
    ("nbody.cl", "nbody", "WG=64 BODIES=2 STAGED=1"),
    ("dedispersion.cl", "dedispersion", "samples=1024 channels=64 pitch=1280 block_x=32 block_y=4 tile_x=2 tile_y=2"),
    ("histogram.cl", "histogram", "WG=64 TS=16 COPIES=2"),
    ("point_in_polygon.cl", "point_in_polygon", "edges=60 WG=64 POINTS=2 SKIP=1"),
];

/// The macros of a configuration that is written as `A=1 B=2`.
fn configuration(text: &str) -> autotune::source::Macros {
    macros(&text.split(' ').map(|pair| pair.split_once('=').unwrap()).collect::<Vec<_>>())
}

/// The names of the macros of a configuration.
fn names(text: &str) -> Vec<String> {
    text.split(' ').map(|pair| pair.split_once('=').unwrap().0.to_owned()).collect()
}

fn targets() -> [Target; 3] {
    [Target::Nvidia(70), Target::Amd(Architecture::new("gfx906").unwrap()), Target::Portable]
}

#[test]
fn every_example_is_compiled_and_read_for_every_target() {
    for version in VERSIONS {
        for (file, kernel, parameters) in EXAMPLES {
            let path = PathBuf::from("examples/kernels").join(file);
            for target in targets() {
                let mut source = KernelSource::of_file(&path).unwrap();
                source.kernel = Some(kernel.to_owned());
                source.macros = names(parameters);
                let made = Compiler::new(clang(version), source, target.clone(), None, Limits::default()).unwrap();
                let compiled = made.compile(&configuration(parameters)).unwrap();
                let split = IrText::split(&compiled.text).unwrap();
                let name = kernel_name(&compiled.text, &split, Some(kernel)).unwrap();
                let is_template = name.starts_with("_Z") && kernel.contains('<');
                assert!(is_template || name == kernel, "{name} in {file} for {target:?}");
                let module = split.module(name).unwrap().unwrap();
                let branches = usize::from(!file.starts_with("transpose"));
                assert!(Flow::new(&module.kernel).end() > branches, "{file} for {target:?}");
                let places = module.kernel.blocks.iter().flat_map(|block| &block.instructions);
                let mut files: Vec<_> = places.filter_map(|one| one.user_place()).map(|place| &*place.file).collect();
                files.sort_unstable();
                files.dedup();
                assert_eq!(files, [path.to_str().unwrap()], "{file} for {target:?} by {version}");
            }
        }
    }
}

const CUDA: &str = r"
#include <cuda_runtime.h>
#include <math.h>
template <int WIDTH, class Word> __global__ void smooth(Word* out, const Word* in, int n)
{
    __shared__ Word tile[WIDTH];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = sqrtf(in[i]) + __expf(in[i + 1]) + min(in[i], (Word)2) + make_float4(1, 2, 3, in[i]).w;
    __syncthreads();
    Word word = tile[threadIdx.x ^ 1];
    word += __shfl_down_sync(~0u, word, 16) + (Word)__shfl_xor((double)word, 1);
    if (word > 1) atomicAdd(&out[0], word);
    out[i < n ? i : max(i, 3u)] = rsqrt(word) + __ldg(in) + atomicExch(out, 1.0f) + atomicCAS((int*)out, 1, 2);
}
";

#[test]
fn a_template_is_compiled_without_a_toolkit_and_found_by_its_arguments() {
    for version in VERSIONS {
        for target in targets() {
            let mut written = Written::new(&[("smooth.cu", CUDA)]);
            written.source.kernel = Some("smooth<WG, float>".to_owned());
            let source = written.source.clone();
            let made = Compiler::new(clang(version), source, target.clone(), None, Limits::default()).unwrap();
            for width in ["64", "128"] {
                let compiled = made.compile(&macros(&[("WG", width)])).unwrap();
                let split = IrText::split(&compiled.text).unwrap();
                let name = kernel_name(&compiled.text, &split, Some("smooth<WG, float>")).unwrap();
                assert_eq!(name, format!("_Z6smoothILi{width}EfEvPT0_PKS0_i"));
                assert_eq!(kernel_name(&compiled.text, &split, Some("smooth")), Ok(name));
                let module = split.module(name).unwrap().unwrap();
                let all = || module.kernel.blocks.iter().flat_map(|block| &block.instructions);
                let mut called: Vec<&str> = all()
                    .filter_map(|one| match &one.kind {
                        Kind::Call { callee: Callee::Named(name), .. } => Some(&**name),
                        _ => None,
                    })
                    .filter(|name| !name.starts_with("llvm."))
                    .collect();
                called.sort_unstable();
                called.dedup();
                let expected = ["__shfl_down", "__shfl_xor", "native_exp", "rsqrtf", "sqrtf"];
                assert!(expected.iter().all(|name| called.contains(name)), "{called:?} for {target:?} by {version}");
                assert!(called.len() == 5 || called.contains(&"get_local_size"), "{called:?}");
            }
        }
    }
}

#[test]
fn joined_files_keep_their_places() {
    let mut written = Written::new(&[
        ("one.cl", "// of a host program\nR\"(\n#define TWICE(x) (2 * (x))\n)\"\n"),
        ("two.cl", "__kernel void k(__global int* a, int n)\n{\n    a[get_global_id(0)] = TWICE(n);\n}\n"),
    ]);
    let files = [written.path("one.cl"), written.path("two.cl")];
    written.source.files = files.to_vec();
    for version in VERSIONS {
        // The argument `n` is no macro, although the problem has a size of this name.
        let mut macros = macros(&[]);
        macros.define("n", "1024").unwrap();
        let compiled = written.compiler(&clang(version)).compile(&macros).unwrap();
        let module = IrText::split(&compiled.text).unwrap().module("k").unwrap().unwrap();
        let all = module.kernel.blocks.iter().flat_map(|block| &block.instructions);
        let store = all.into_iter().find(|one| matches!(one.kind, Kind::Store { .. })).unwrap();
        let SourcePlace { file, line, .. } = &store.places[0];
        assert_eq!((&**file, *line), (files[1].to_str().unwrap(), 3));
    }
}

#[test]
fn a_kernel_that_is_not_there_is_answered_by_those_that_are() {
    let text = "namespace a { __global__ void one(float* x) { *x = 1; } }\n__global__ void two(int* x) { *x = 2; }\n\
                __global__ void two(float* x) { *x = 2; }";
    let compiled = Written::new(&[("k.cu", text)]).compiler(&clang("clang-19")).compile(&macros(&[])).unwrap();
    let split = IrText::split(&compiled.text).unwrap();
    let name = |wanted| kernel_name(&compiled.text, &split, wanted);
    assert_eq!(name(Some("a::one")), Ok("_ZN1a3oneEPf"));
    assert_eq!(name(Some("_Z3twoPi")), Ok("_Z3twoPi"));
    let help = |wanted| autotune::user_error::UserError::help(&name(wanted).unwrap_err()).unwrap();
    let listed = |kernels| format!("name one of these with `kernel:` of `source`, or with `--kernel`: {kernels}");
    assert_eq!(help(Some("three")), listed("`a::one`, `two(int*)`, `two(float*)`"));
    assert_eq!(help(Some("two")), listed("`two(int*)`, `two(float*)`"));
    assert_eq!(help(None), listed("`a::one`, `two(int*)`, `two(float*)`"));
}
