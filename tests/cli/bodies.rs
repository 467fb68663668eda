//! `autotune extract`: the body of every example takes its source's time, within half a per cent.

use std::path::Path;

use super::{autotune, evaluated_ticks, run};

/// An example, and its configuration.
type Case = (&'static str, &'static str);

/// The thousandths of its source's time that a body may take more or less: sums of fractions are rounded in another order.
const NEAR: u64 = 5;

/// A fast and a middle configuration of each example on a lockstep GPU, where every body takes its source's time.
const LOCKSTEP: [Case; 38] = [
    ("convolution", "block_x=16,block_y=8,tile_x=2,tile_y=4,read_only=0"),
    ("convolution", "block_x=32,block_y=8,tile_x=1,tile_y=2,read_only=0"),
    ("dedispersion", "block_x=128,block_y=2,tile_x=2,tile_y=2"),
    ("dedispersion", "block_x=32,block_y=1,tile_x=4,tile_y=4"),
    ("floyd_warshall", "TS=32,ROWS=4,DOWN=1,KEEP=1,STAGED=0"),
    ("floyd_warshall", "TS=32,ROWS=8,DOWN=1,KEEP=0,STAGED=1"),
    ("histogram", "WG=256,TS=256,COPIES=1"),
    ("histogram", "WG=512,TS=8,COPIES=4"),
    ("matmul", "WG=32,TS=8"),
    ("matmul", "WG=64,TS=32"),
    ("matmul_tiled", "TS=16,ROWS=1,COLS=8"),
    ("matmul_tiled", "TS=64,ROWS=32,COLS=2"),
    ("matmul_tiled_cuda", "TS=16,ROWS=1,COLS=8"),
    ("matmul_tiled_cuda", "TS=64,ROWS=32,COLS=2"),
    ("minimum", "WG=1024,TS=16"),
    ("minimum", "WG=32,TS=2048"),
    ("nbody", "WG=512,BODIES=4,STAGED=0"),
    ("nbody", "WG=512,BODIES=4,STAGED=1"),
    ("point_in_polygon", "WG=32,POINTS=4,SKIP=1"),
    ("point_in_polygon", "WG=32,POINTS=8,SKIP=0"),
    ("reduction", "WG=128,TS=4,VEC=8"),
    ("reduction", "WG=32,TS=256,VEC=8"),
    ("reduction_cuda", "block_size_x=256,TS=16"),
    ("reduction_cuda", "block_size_x=32,TS=256"),
    ("rms_norm", "THREADS=256"),
    ("rms_norm", "THREADS=32"),
    ("stencil", "block_x=32,block_y=4,ROWS=4,DEPTH=3"),
    ("stencil", "block_x=64,block_y=8,ROWS=16,DEPTH=12"),
    ("transpose", "TS=16,ROWS=2,PAD=0"),
    ("transpose", "TS=32,ROWS=32,PAD=0"),
    ("transpose_cuda", "TS=16,ROWS=2,PAD=0"),
    ("transpose_cuda", "TS=32,ROWS=32,PAD=0"),
    ("transpose_naive", "block_x=1,block_y=32"),
    ("transpose_naive", "block_x=32,block_y=1"),
    ("vector_add", "WG=32,ITEMS=16,VEC=2"),
    ("vector_add", "WG=32,ITEMS=16,VEC=8"),
    ("vector_add_cuda", "block_size_x=32,ITEMS=16,VEC=2"),
    ("vector_add_cuda", "block_size_x=32,ITEMS=16,VEC=8"),
];

/// A fast and a middle configuration of each example on an NVIDIA GPU.
const NVIDIA: [Case; 38] = [
    ("convolution", "block_x=32,block_y=4,tile_x=1,tile_y=2,read_only=0"),
    ("convolution", "block_x=32,block_y=4,tile_x=4,tile_y=2,read_only=0"),
    ("dedispersion", "block_x=16,block_y=1,tile_x=4,tile_y=4"),
    ("dedispersion", "block_x=16,block_y=8,tile_x=4,tile_y=4"),
    ("floyd_warshall", "TS=32,ROWS=8,DOWN=0,KEEP=1,STAGED=0"),
    ("floyd_warshall", "TS=8,ROWS=1,DOWN=1,KEEP=0,STAGED=1"),
    ("histogram", "WG=512,TS=128,COPIES=4"),
    ("histogram", "WG=64,TS=32,COPIES=1"),
    ("matmul", "WG=256,TS=32"),
    ("matmul", "WG=64,TS=32"),
    ("matmul_tiled", "TS=32,ROWS=4,COLS=4"),
    ("matmul_tiled", "TS=64,ROWS=8,COLS=1"),
    ("matmul_tiled_cuda", "TS=32,ROWS=4,COLS=4"),
    ("matmul_tiled_cuda", "TS=64,ROWS=8,COLS=1"),
    ("minimum", "WG=2,TS=16"),
    ("minimum", "WG=8,TS=64"),
    ("nbody", "WG=128,BODIES=2,STAGED=1"),
    ("nbody", "WG=64,BODIES=4,STAGED=1"),
    ("point_in_polygon", "WG=32,POINTS=8,SKIP=0"),
    ("point_in_polygon", "WG=32,POINTS=8,SKIP=1"),
    ("reduction", "WG=256,TS=64,VEC=4"),
    ("reduction", "WG=512,TS=8,VEC=4"),
    ("reduction_cuda", "block_size_x=1024,TS=64"),
    ("reduction_cuda", "block_size_x=512,TS=32"),
    ("rms_norm", "THREADS=128"),
    ("rms_norm", "THREADS=512"),
    ("stencil", "block_x=32,block_y=8,ROWS=4,DEPTH=2"),
    ("stencil", "block_x=64,block_y=4,ROWS=16,DEPTH=8"),
    ("transpose", "TS=32,ROWS=8,PAD=1"),
    ("transpose", "TS=8,ROWS=1,PAD=0"),
    ("transpose_cuda", "TS=32,ROWS=8,PAD=1"),
    ("transpose_cuda", "TS=8,ROWS=1,PAD=0"),
    ("transpose_naive", "block_x=2,block_y=16"),
    ("transpose_naive", "block_x=2,block_y=32"),
    ("vector_add", "WG=64,ITEMS=4,VEC=4"),
    ("vector_add", "WG=64,ITEMS=8,VEC=4"),
    ("vector_add_cuda", "block_size_x=64,ITEMS=4,VEC=8"),
    ("vector_add_cuda", "block_size_x=64,ITEMS=8,VEC=4"),
];

/// A fast and a middle configuration of each example on an AMD GPU.
const AMD: [Case; 38] = [
    ("convolution", "block_x=32,block_y=8,tile_x=1,tile_y=1,read_only=0"),
    ("convolution", "block_x=64,block_y=2,tile_x=4,tile_y=2,read_only=0"),
    ("dedispersion", "block_x=16,block_y=8,tile_x=4,tile_y=4"),
    ("dedispersion", "block_x=64,block_y=2,tile_x=1,tile_y=2"),
    ("floyd_warshall", "TS=32,ROWS=4,DOWN=1,KEEP=0,STAGED=1"),
    ("floyd_warshall", "TS=32,ROWS=8,DOWN=0,KEEP=1,STAGED=0"),
    ("histogram", "WG=128,TS=64,COPIES=1"),
    ("histogram", "WG=64,TS=8,COPIES=1"),
    ("matmul", "WG=128,TS=8"),
    ("matmul", "WG=64,TS=32"),
    ("matmul_tiled", "TS=32,ROWS=4,COLS=4"),
    ("matmul_tiled", "TS=8,ROWS=2,COLS=8"),
    ("matmul_tiled_cuda", "TS=32,ROWS=4,COLS=4"),
    ("matmul_tiled_cuda", "TS=8,ROWS=1,COLS=1"),
    ("minimum", "WG=16,TS=2"),
    ("minimum", "WG=32,TS=64"),
    ("nbody", "WG=256,BODIES=1,STAGED=0"),
    ("nbody", "WG=256,BODIES=4,STAGED=1"),
    ("point_in_polygon", "WG=128,POINTS=4,SKIP=0"),
    ("point_in_polygon", "WG=256,POINTS=4,SKIP=1"),
    ("reduction", "WG=256,TS=64,VEC=8"),
    ("reduction", "WG=64,TS=128,VEC=2"),
    ("reduction_cuda", "block_size_x=1024,TS=128"),
    ("reduction_cuda", "block_size_x=1024,TS=16"),
    ("rms_norm", "THREADS=128"),
    ("rms_norm", "THREADS=512"),
    ("stencil", "block_x=32,block_y=8,ROWS=16,DEPTH=4"),
    ("stencil", "block_x=32,block_y=8,ROWS=8,DEPTH=8"),
    ("transpose", "TS=16,ROWS=2,PAD=1"),
    ("transpose", "TS=32,ROWS=16,PAD=0"),
    ("transpose_cuda", "TS=16,ROWS=2,PAD=1"),
    ("transpose_cuda", "TS=64,ROWS=8,PAD=0"),
    ("transpose_naive", "block_x=128,block_y=1"),
    ("transpose_naive", "block_x=4,block_y=32"),
    ("vector_add", "WG=128,ITEMS=4,VEC=2"),
    ("vector_add", "WG=64,ITEMS=8,VEC=8"),
    ("vector_add_cuda", "block_size_x=128,ITEMS=1,VEC=2"),
    ("vector_add_cuda", "block_size_x=32,ITEMS=4,VEC=8"),
];

/// The times of an example's source and of its extracted body.
fn times(folder: &Path, example: &str, gpu: &str, configuration: &str) -> [u64; 2] {
    let source = format!("examples/kernels/{example}.yaml");
    let question = ["--gpu", gpu, "--quiet", "--config", configuration];
    let text = run(autotune().args(["extract", &source]).args(question));
    assert_eq!(text.status, 0, "{example}: {}", text.stderr);
    let body = folder.join(format!("{example}.yaml"));
    std::fs::write(&body, &text.stdout).unwrap();
    [source.as_str(), body.to_str().unwrap()].map(|spec| evaluated_ticks(&[&[spec], &question[..]].concat()))
}

/// The configurations whose body takes more or less than its source by over `near` thousandths.
fn surprises(gpu: &str, cases: &[Case], near: u64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let surprise = |&(example, configuration): &Case| {
        let [source, body] = times(folder.path(), example, gpu, configuration);
        let is_far = body.abs_diff(source) * 1000 > source * near;
        is_far.then(|| format!("{example} {configuration}: {body} ticks for {source}"))
    };
    cases.iter().filter_map(surprise).collect()
}

/// One configuration of each example.
fn one_each(cases: &[Case]) -> Vec<Case> {
    cases.iter().copied().step_by(2).collect()
}

#[test]
fn a_body_takes_its_sources_time_to_the_tick_on_a_lockstep_gpu() {
    assert_eq!(surprises("abstract-fermi", &one_each(&LOCKSTEP), 0), [""; 0]);
}

#[test]
fn a_body_takes_its_sources_time_on_nvidias_gpus() {
    assert_eq!(surprises("a100", &one_each(&NVIDIA), NEAR), [""; 0]);
}

#[test]
fn a_body_takes_its_sources_time_on_amds_gpus() {
    assert_eq!(surprises("mi50", &one_each(&AMD), NEAR), [""; 0]);
    // Warps of 32, where the loads of a short loop wait together.
    let matmul: Vec<Case> = AMD.into_iter().filter(|(example, _)| *example == "matmul").collect();
    assert_eq!(surprises("w7800", &matmul, NEAR), [""; 0]);
}

#[test]
#[ignore = "it compiles for two minutes"]
fn all_bodies_take_their_sources_times() {
    assert_eq!(surprises("abstract-fermi", &LOCKSTEP, 0), [""; 0]);
    for (gpu, cases) in [("a100", NVIDIA), ("v100", NVIDIA), ("mi50", AMD), ("w7800", AMD)] {
        assert_eq!(surprises(gpu, &cases, NEAR), [""; 0], "{gpu}");
    }
}
