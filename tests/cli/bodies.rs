//! `autotune extract`: the body of every example beside its source. They take the same time, or the test says by which part
//! they differ.

use std::collections::BTreeSet;
use std::path::Path;

use super::{autotune, evaluated_ticks, run};

/// An example, its configuration, and the part of the source's time that the body takes, in 10,000ths.
type Known = (&'static str, &'static str, u64);

/// The body takes the source's time to the tick.
const EQUAL: u64 = 0;

/// A fast and a middle configuration of each example on a lockstep GPU, where every body takes its source's time.
const LOCKSTEP: [(&str, &str); 38] = [
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

/// A fast and a middle configuration of each example on an NVIDIA GPU, with the part of the source's time that the body
/// takes, in 10,000ths.
const NVIDIA: [(&str, &str, u64); 38] = [
    ("convolution", "block_x=32,block_y=4,tile_x=1,tile_y=2,read_only=0", 8_163),
    ("convolution", "block_x=32,block_y=4,tile_x=4,tile_y=2,read_only=0", 9_776),
    ("dedispersion", "block_x=16,block_y=1,tile_x=4,tile_y=4", EQUAL),
    ("dedispersion", "block_x=16,block_y=8,tile_x=4,tile_y=4", EQUAL),
    ("floyd_warshall", "TS=32,ROWS=8,DOWN=0,KEEP=1,STAGED=0", 9_982),
    ("floyd_warshall", "TS=8,ROWS=1,DOWN=1,KEEP=0,STAGED=1", 10_124),
    ("histogram", "WG=512,TS=128,COPIES=4", EQUAL),
    ("histogram", "WG=64,TS=32,COPIES=1", EQUAL),
    ("matmul", "WG=256,TS=32", 9_972),
    ("matmul", "WG=64,TS=32", 9_908),
    ("matmul_tiled", "TS=32,ROWS=4,COLS=4", 10_320),
    ("matmul_tiled", "TS=64,ROWS=8,COLS=1", 9_735),
    ("matmul_tiled_cuda", "TS=32,ROWS=4,COLS=4", 10_323),
    ("matmul_tiled_cuda", "TS=64,ROWS=8,COLS=1", 9_735),
    ("minimum", "WG=2,TS=16", 10_742),
    ("minimum", "WG=8,TS=64", EQUAL),
    ("nbody", "WG=128,BODIES=2,STAGED=1", 10_041),
    ("nbody", "WG=64,BODIES=4,STAGED=1", 10_003),
    ("point_in_polygon", "WG=32,POINTS=8,SKIP=0", EQUAL),
    ("point_in_polygon", "WG=32,POINTS=8,SKIP=1", EQUAL),
    ("reduction", "WG=256,TS=64,VEC=4", EQUAL),
    ("reduction", "WG=512,TS=8,VEC=4", EQUAL),
    ("reduction_cuda", "block_size_x=1024,TS=64", EQUAL),
    ("reduction_cuda", "block_size_x=512,TS=32", EQUAL),
    ("rms_norm", "THREADS=128", EQUAL),
    ("rms_norm", "THREADS=512", EQUAL),
    ("stencil", "block_x=32,block_y=8,ROWS=4,DEPTH=2", 10_026),
    ("stencil", "block_x=64,block_y=4,ROWS=16,DEPTH=8", 9_481),
    ("transpose", "TS=32,ROWS=8,PAD=1", EQUAL),
    ("transpose", "TS=8,ROWS=1,PAD=0", EQUAL),
    ("transpose_cuda", "TS=32,ROWS=8,PAD=1", EQUAL),
    ("transpose_cuda", "TS=8,ROWS=1,PAD=0", EQUAL),
    ("transpose_naive", "block_x=2,block_y=16", EQUAL),
    ("transpose_naive", "block_x=2,block_y=32", EQUAL),
    ("vector_add", "WG=64,ITEMS=4,VEC=4", 10_020),
    ("vector_add", "WG=64,ITEMS=8,VEC=4", 9_449),
    ("vector_add_cuda", "block_size_x=64,ITEMS=4,VEC=8", 10_077),
    ("vector_add_cuda", "block_size_x=64,ITEMS=8,VEC=4", 9_450),
];

/// A fast and a middle configuration of each example on an AMD GPU, with the part of the source's time that the body
/// takes, in 10,000ths.
const AMD: [(&str, &str, u64); 38] = [
    ("convolution", "block_x=32,block_y=8,tile_x=1,tile_y=1,read_only=0", 9_312),
    ("convolution", "block_x=64,block_y=2,tile_x=4,tile_y=2,read_only=0", 8_018),
    ("dedispersion", "block_x=16,block_y=8,tile_x=4,tile_y=4", EQUAL),
    ("dedispersion", "block_x=64,block_y=2,tile_x=1,tile_y=2", EQUAL),
    ("floyd_warshall", "TS=32,ROWS=4,DOWN=1,KEEP=0,STAGED=1", 10_004),
    ("floyd_warshall", "TS=32,ROWS=8,DOWN=0,KEEP=1,STAGED=0", 9_963),
    ("histogram", "WG=128,TS=64,COPIES=1", 10_014),
    ("histogram", "WG=64,TS=8,COPIES=1", EQUAL),
    ("matmul", "WG=128,TS=8", 9_826),
    ("matmul", "WG=64,TS=32", 9_932),
    ("matmul_tiled", "TS=32,ROWS=4,COLS=4", 9_647),
    ("matmul_tiled", "TS=8,ROWS=2,COLS=8", 9_719),
    ("matmul_tiled_cuda", "TS=32,ROWS=4,COLS=4", 7_830),
    ("matmul_tiled_cuda", "TS=8,ROWS=1,COLS=1", 8_737),
    ("minimum", "WG=16,TS=2", EQUAL),
    ("minimum", "WG=32,TS=64", EQUAL),
    ("nbody", "WG=256,BODIES=1,STAGED=0", 10_000),
    ("nbody", "WG=256,BODIES=4,STAGED=1", 10_052),
    ("point_in_polygon", "WG=128,POINTS=4,SKIP=0", EQUAL),
    ("point_in_polygon", "WG=256,POINTS=4,SKIP=1", EQUAL),
    ("reduction", "WG=256,TS=64,VEC=8", EQUAL),
    ("reduction", "WG=64,TS=128,VEC=2", EQUAL),
    ("reduction_cuda", "block_size_x=1024,TS=128", EQUAL),
    ("reduction_cuda", "block_size_x=1024,TS=16", 9_704),
    ("rms_norm", "THREADS=128", EQUAL),
    ("rms_norm", "THREADS=512", EQUAL),
    ("stencil", "block_x=32,block_y=8,ROWS=16,DEPTH=4", 5_929),
    ("stencil", "block_x=32,block_y=8,ROWS=8,DEPTH=8", 9_393),
    ("transpose", "TS=16,ROWS=2,PAD=1", EQUAL),
    ("transpose", "TS=32,ROWS=16,PAD=0", EQUAL),
    ("transpose_cuda", "TS=16,ROWS=2,PAD=1", EQUAL),
    ("transpose_cuda", "TS=64,ROWS=8,PAD=0", EQUAL),
    ("transpose_naive", "block_x=128,block_y=1", EQUAL),
    ("transpose_naive", "block_x=4,block_y=32", EQUAL),
    ("vector_add", "WG=128,ITEMS=4,VEC=2", 10_052),
    ("vector_add", "WG=64,ITEMS=8,VEC=8", 10_024),
    ("vector_add_cuda", "block_size_x=128,ITEMS=1,VEC=2", EQUAL),
    ("vector_add_cuda", "block_size_x=32,ITEMS=4,VEC=8", EQUAL),
];

/// The statements of the examples' sources that take another time in a body, by the line of the source. A body states how many
/// loads are in flight on average, as a whole number, and has one order of phases. The source says of each iteration when a warp
/// waits.
const REASONS: [(&str, &str); 12] = [
    ("convolution", "line 20: the loads of the copy wait together"),
    ("floyd_warshall", "lines 28 and 29: the loads of a tile wait together"),
    (
        "histogram",
        "line 22: the additions to global memory; lines 10 and 11: operations of two lines are one statement",
    ),
    ("matmul", "line 14: the load of B waits once for each load in flight"),
    ("matmul_tiled", "lines 26 and 33: accesses to local memory and stores, of which some wait together"),
    ("matmul_tiled_cuda", "lines 13 and 25: the loads wait together, and accesses to local memory take their place"),
    ("minimum", "line 9: the load of the loop waits once for each load in flight"),
    ("nbody", "lines 31 to 34: operations of the loop are one statement"),
    ("reduction_cuda", "lines 9 and 11: rounds of the tree that few warps execute are a mean over all warps"),
    ("stencil", "line 16: the loads of the copy wait together"),
    ("vector_add", "line 17: the loads wait together"),
    ("vector_add_cuda", "line 9: the loads of a sum wait together; line 16: its operations"),
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

/// The configurations whose body takes another part of the source's time than it is known to take.
fn surprises(gpu: &str, known: &[Known]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let surprise = |&(example, configuration, part): &Known| {
        let [source, body] = times(folder.path(), example, gpu, configuration);
        let found = (body * 10_000 + source / 2) / source;
        let is_known = if part == EQUAL { body == source } else { body != source && found == part };
        (!is_known).then(|| format!("{example} {configuration}: {body} ticks for {source}, {found} in 10,000"))
    };
    known.iter().filter_map(surprise).collect()
}

/// One configuration of each example.
fn one_each(known: &[Known]) -> Vec<Known> {
    known.iter().copied().step_by(2).collect()
}

fn on_a_lockstep_gpu() -> [Known; 38] {
    LOCKSTEP.map(|(example, configuration)| (example, configuration, EQUAL))
}

#[test]
fn a_body_takes_its_sources_time_on_a_lockstep_gpu() {
    assert_eq!(surprises("abstract-fermi", &one_each(&on_a_lockstep_gpu())), [""; 0]);
}

/// A body states some waits as means: `in_flight` is a whole number, and rounds that wait one after the other wait together.
#[test]
fn a_body_takes_its_sources_time_on_nvidias_gpus_or_differs_as_listed() {
    assert_eq!(surprises("a100", &one_each(&NVIDIA)), [""; 0]);
}

#[test]
fn a_body_takes_its_sources_time_on_amds_gpus_or_differs_as_listed() {
    assert_eq!(surprises("mi50", &one_each(&AMD)), [""; 0]);
}

#[test]
#[ignore = "it compiles for a minute"]
fn all_bodies_take_their_sources_times_or_differ_as_listed() {
    assert_eq!(surprises("abstract-fermi", &on_a_lockstep_gpu()), [""; 0]);
    assert_eq!(surprises("a100", &NVIDIA), [""; 0]);
    assert_eq!(surprises("mi50", &AMD), [""; 0]);
}

#[test]
fn each_difference_has_its_statement() {
    let differing = |&(example, _, part): &Known| (part != EQUAL).then_some(example);
    let differing: BTreeSet<_> = NVIDIA.iter().chain(&AMD).filter_map(differing).collect();
    assert_eq!(differing, REASONS.map(|(example, _)| example).into());
}
