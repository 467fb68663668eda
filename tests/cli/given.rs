//! Values given of a launch: sizes of local memory and arguments, of small kernels in OpenCL and CUDA.

use std::fs;
use std::path::Path;

use super::{Ended, autotune, json, run};

const OPENCL: &str = "\
typedef struct { int dims[2]; float scale; struct { uchar flag; long pad; } inner; } info_t;
__kernel void turn(__global float *out, __local float *tile)
{
    const int l = get_local_id(0);
    tile[l] = out[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[get_local_size(0) - 1 - l];
}
__kernel void sums(__global float *y, __global const float *a, const float beta, const info_t info, uchar u, int m)
{
    const int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < info.dims[1]; j++) sum += a[i + j * info.dims[0]];
    if (beta == 0.0f) y[i] = sum;
    else y[i] = sum + beta * y[i];
    if (info.inner.flag) y[i / m] = u;
}
";

const CUDA: &str = "\
extern __shared__ float tile[];
__global__ void turn(float *out)
{
    const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
    tile[l] = out[i];
    __syncthreads();
    out[i] = tile[blockDim.x - 1 - l];
}
__global__ void fixed(float *out)
{
    __shared__ float tile[512];
    const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
    tile[l] = out[i];
    __syncthreads();
    out[i] = tile[blockDim.x - 1 - l];
}
template <int D> struct Info { int dims[D]; int strides[D]; int used; };
__device__ int offset(Info<4> info, int i)
{
    int sum = 0;
    for (int d = 0; d < info.used; d++) {
        sum += i % info.dims[d] * info.strides[d];
        i /= info.dims[d];
    }
    return sum;
}
__global__ void gather(float *out, const float *in, const Info<4> info, bool add)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[offset(info, i)];
    if (add) out[i] += 1;
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("kernels.cl"), OPENCL).unwrap();
    fs::write(folder.path().join("kernels.cu"), CUDA).unwrap();
    folder
}

/// A command about a kernel of 256 groups of 256 work items.
fn asked(folder: &Path, command: &str, file: &str, kernel: &str, words: &[&str]) -> Ended {
    let launch = ["--kernel", kernel, "--parameter", "WG=256", "--work-items", "65536", "--work-group", "WG"];
    let gpu = if words.contains(&"--gpu") { &[][..] } else { &["--gpu", "a100"] };
    run(autotune().current_dir(folder).arg(command).arg(file).args(launch).args(gpu).args(words))
}

/// The groups that are resident.
fn resident(folder: &Path, file: &str, kernel: &str, words: &[&str]) -> String {
    let ended = asked(folder, "evaluate", file, kernel, words);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let line = ended.stdout.lines().last().unwrap();
    line.split_whitespace().skip(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn local_memory_without_a_size_is_asked_for() {
    let folder = folder();
    for (file, place) in [("kernels.cl", " --> kernels.cl:2:"), ("kernels.cu", " --> kernels.cu:5:")] {
        for command in ["evaluate", "inspect"] {
            let ended = asked(folder.path(), command, file, "turn", &[]);
            assert_eq!(ended.status, 2, "{}", ended.stderr);
            assert!(
                ended.stderr.contains("the size of the local memory `tile` is given at launch"),
                "{}",
                ended.stderr
            );
            assert!(ended.stderr.contains(place), "{}", ended.stderr);
            for way in ["`--argument 'tile=local 4096'`", "`--shared 4096`", "`shared: 4096` in `launch`"] {
                assert!(ended.stderr.contains(way), "{}", ended.stderr);
            }
        }
    }
}

/// An A100 has 164 KiB of local memory for groups, of which the system takes 1 KiB of each.
#[test]
fn the_given_size_decides_how_many_groups_are_resident() {
    let folder = folder();
    let of = |file: &str, words: &[&str]| resident(folder.path(), file, "turn", words);
    for file in ["kernels.cl", "kernels.cu"] {
        assert!(of(file, &["--argument", "tile=local 4 * WG"]).contains("(warps)"));
        let many = of(file, &["--shared", "40 * 1024"]);
        assert_eq!(many, of(file, &["--argument", "tile=local 40960"]));
        assert!(many.ends_with("4 groups, 32 warps (local_memory)") || many.contains("(local_memory)"), "{many}");
        // More than the 48 KiB of arrays with a fixed size.
        assert!(of(file, &["--shared", "65536"]).contains("2 groups, 16 warps (local_memory)"));
    }
    let beyond = asked(folder.path(), "evaluate", "kernels.cu", "turn", &["--shared", "200000"]);
    assert!(beyond.stdout.contains("local_memory: 200000 > "), "{}", beyond.stdout);
    let short = asked(folder.path(), "evaluate", "kernels.cu", "turn", &["--shared", "512"]);
    assert!(short.stderr.contains("this reaches byte 512 of the local array `tile`"), "{}", short.stderr);
}

#[test]
fn a_kernel_with_fixed_arrays_alone_stays_fixed() {
    let folder = folder();
    let printed = asked(folder.path(), "extract", "kernels.cu", "fixed", &[]);
    assert!(
        printed.stdout.contains("local_memory: 2048\n") && !printed.stdout.contains("dynamic"),
        "{}",
        printed.stdout
    );
    let printed = asked(folder.path(), "extract", "kernels.cu", "turn", &["--shared", "4 * WG"]);
    assert!(printed.stdout.contains("  shared: 1024\n"), "{}", printed.stdout);
    assert!(printed.stdout.contains("local_memory: 1024\n") && printed.stdout.contains("dynamic: true"));
    fs::write(folder.path().join("body.yaml"), &printed.stdout).unwrap();
    let again = run(autotune().current_dir(folder.path()).args(["extract", "--check", "body.yaml", "--gpu", "a100"]));
    assert_eq!(again.status, 0, "{}{}", again.stdout, again.stderr);
}

#[test]
fn the_spec_of_the_options_has_what_is_given() {
    let folder = folder();
    let launch = ["--kernel", "turn", "--parameter", "WG=256", "--work-items", "65536", "--work-group", "WG"];
    let given = ["--gpu", "a100", "--shared", "4 * WG", "--print-spec"];
    let printed = run(autotune().current_dir(folder.path()).arg("kernels.cu").args(launch).args(given));
    assert!(printed.stdout.contains("  shared: 4 * WG\n"), "{}", printed.stdout);
    fs::write(folder.path().join("turn.yaml"), &printed.stdout).unwrap();
    let of_spec = ["evaluate", "turn.yaml", "--gpu", "a100"];
    let of_spec = run(autotune().current_dir(folder.path()).args(of_spec));
    assert_eq!(of_spec.stdout, asked(folder.path(), "evaluate", "kernels.cu", "turn", &["--shared", "4 * WG"]).stdout);
}

/// The numbers of a structure that decide the loop of `sums`.
const DIMS: [&str; 4] = ["--argument", "info.dims[0]=65536", "--argument", "info.dims[1]=64"];

#[test]
fn a_number_decides_a_branch_on_every_target() {
    let folder = folder();
    let stored = |gpu: &str, beta: &str| {
        let given = ["--argument", "info.inner.flag=0", "--argument", beta, "--gpu", gpu, "--format", "json"];
        let ended = asked(folder.path(), "inspect", "kernels.cl", "sums", &[&DIMS[..], &given].concat());
        let result = json(&ended, "inspection.json");
        assert_eq!(result["warnings"].as_array().map(Vec::len), Some(0), "{result}");
        ended.stdout.matches("\"load\"").count()
    };
    for gpu in ["a100", "mi250x", "fermi"] {
        assert!(stored(gpu, "beta=0") < stored(gpu, "beta=1.5"), "{gpu}");
    }
}

#[test]
fn numbers_of_structures_decide_addresses() {
    let folder = folder();
    let transposed =
        ["info.dims[0]=256", "info.dims[1]=256", "info.strides[0]=256", "info.strides[1]=1", "info.used=2"];
    let straight = ["info.dims[0]=65536", "info.strides[0]=1", "info.used=1"];
    for gpu in ["a100", "mi250x"] {
        let shown = |numbers: &[&str]| {
            let mut words: Vec<&str> = numbers.iter().flat_map(|number| ["--argument", number]).collect();
            words.extend(["--argument", "add=false", "--gpu", gpu]);
            let ended = asked(folder.path(), "inspect", "kernels.cu", "gather", &words);
            assert_eq!(ended.status, 0, "{}", ended.stderr);
            assert!(!ended.stdout.contains("depends on data"), "{}", ended.stdout);
            ended.stdout.lines().find(|line| line.contains("load in, global")).unwrap().to_owned()
        };
        assert!(shown(&transposed).contains("lanes 1,024 bytes apart"), "{gpu}");
        assert!(shown(&straight).contains("lanes 4 bytes apart"), "{gpu}");
    }
}

#[test]
fn what_cannot_be_given_is_refused_with_its_place() {
    let folder = folder();
    let told = |given: &str, gpu: &str| {
        let words = [&DIMS[..], &["--argument", given, "--gpu", gpu]].concat();
        let ended = asked(folder.path(), "evaluate", "kernels.cl", "sums", &words);
        // A division by 0 is the configuration's, the others are the user's.
        assert_eq!(ended.status, if given == "m=0" { 4 } else { 2 }, "{given}: {}", ended.stderr);
        ended.stderr
    };
    for (given, why, place) in [
        ("u=300", "`u` holds 0 to 255, not 300", "  | --argument "),
        ("m=3000000000", "`m` holds -2147483648 to 2147483647", "  | --argument "),
        ("m=2.5", "`m` is an integer, and `2.5` is not one", "  | --argument "),
        ("a=5", "`a` is a pointer", "leave the argument out"),
        ("info.inner.flag=256", "`info.inner.flag` holds 0 to 255", "  | --argument "),
        ("info.dims[2]=1", "`info.dims[2]` is not a number", "`info.dims[1]`, `info.scale`, `info.inner.flag`"),
        ("m=0", "this divides by the argument `m`, which is 0", " --> kernels.cl:16:"),
    ] {
        let told = told(given, "a100");
        assert!(told.contains(why) && told.contains(place), "{given}: {told}");
    }
    for gpu in ["a100", "mi250x"] {
        let told =
            asked(folder.path(), "evaluate", "kernels.cu", "gather", &["--argument", "info=5", "--gpu", gpu]).stderr;
        assert!(told.contains("`info` has several numbers"), "{told}");
        assert!(told.contains("`info.dims[0]`, `info.dims[3]`, `info.strides[0]`"), "{told}");
    }
}

/// On GPUs of AMD, CUDA's pointers are passed as another type, and the compiler marks their names.
#[test]
fn arrays_have_the_names_of_the_source_on_every_target() {
    let folder = folder();
    for gpu in ["a100", "mi250x"] {
        let printed = asked(folder.path(), "extract", "kernels.cu", "fixed", &["--gpu", gpu]);
        assert!(printed.stdout.contains("array: out\n") && !printed.stdout.contains("coerce"), "{}", printed.stdout);
        fs::write(folder.path().join("body.yaml"), &printed.stdout).unwrap();
        let again = ["extract", "--check", "body.yaml", "--gpu", gpu];
        let again = run(autotune().current_dir(folder.path()).args(again));
        assert_eq!(again.status, 0, "{}{}", again.stdout, again.stderr);
    }
}
