//! Files of other projects as they lie: host code in the file, headers that are nowhere, names beside macros.

use std::fs;

use super::{Ended, autotune, json};

/// A program as people write it: host code before and behind its kernels, headers of libraries and of its own project.
const PROGRAM: &str = "\
#include <algorithm>
#include <iostream>
#include <vector>
#include \"timer.h\"
#include <vendor/toolkit.hpp>

#define CHECK(call) do { if ((call) != cudaSuccess) std::exit(1); } while (0)
#define TILE 16
#pragma omp declare simd
static double seconds(const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); }

namespace product {
const int LINES = 2;

template <typename T> struct Matrix {
    T* data; int n;
    Matrix(const std::vector<T>& from) : data(0), n(from.size()) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
    __device__ T at(int i, int j) const { return data[i * n + j]; }
};

template <typename T, int BLOCK>
__global__ void square(Matrix<T> a, T* out)
{
    __shared__ T tile[TILE * LINES];
    for (int n = threadIdx.x; n < TILE * LINES; n += BLOCK) tile[n] = a.at(blockIdx.x, n);
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < TILE * LINES; ++k) sum += tile[k] * tile[k];
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

__global__ void other(float* a) { a[threadIdx.x] = undeclared_here; }
} // namespace product

int main(int argc, char** argv)
{
    std::vector<float> numbers(1 << 20);
    product::Matrix<float> a(numbers);
    product::square<float, 128><<<1024, 128>>>(a, 0);
    std::cout << Timer::now() << std::endl;
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.cu"), PROGRAM).unwrap();
    folder
}

fn run(arguments: &[&str]) -> Ended {
    super::run(autotune().args(arguments))
}

/// The number of the program's line that begins with a text.
fn line_of(text: &str) -> usize {
    PROGRAM.lines().position(|line| line.starts_with(text)).unwrap() + 1
}

/// An evaluation of the program's kernel with further options.
fn evaluated(folder: &tempfile::TempDir, options: &[&str]) -> Ended {
    let file = folder.path().join("program.cu");
    let launch = "--gpu a100 --problem n=1024 --parameter BLOCK=32,64 --work-items n*BLOCK --work-group BLOCK";
    let given = ["--kernel", "product::square<float, BLOCK>", "--argument", "a.n=n"];
    let words: Vec<&str> = launch.split(' ').chain(given).chain(options.iter().copied()).collect();
    run(&[&["evaluate", file.to_str().unwrap()], words.as_slice()].concat())
}

#[test]
fn host_code_beside_a_kernel_is_left_out() {
    let folder = folder();
    let ended = evaluated(&folder, &["-v"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("BLOCK=32") && ended.stdout.contains("BLOCK=64"), "{}", ended.stdout);
    for (name, text) in [("seconds", "static double seconds"), ("main", "int main")] {
        let line = line_of(text);
        let said = format!("program.cu:{line}: the host's `{name}` is left out");
        assert_eq!(ended.stderr.matches(&said).count(), 1, "{said}: {}", ended.stderr);
    }
    assert!(!evaluated(&folder, &[]).stderr.contains("left out"));
}

#[test]
fn headers_that_are_nowhere_are_told_and_those_of_hosts_are_not() {
    let folder = folder();
    let said = evaluated(&folder, &[]).stderr;
    let file = folder.path().join("program.cu");
    let note = format!(
        "note: `timer.h` ({file}:4), `vendor/toolkit.hpp` ({file}:5) are not there and taken as empty; if device code \
         needs one, name its folder with `--include DIR`\n",
        file = file.display()
    );
    assert_eq!(said.matches(&note).count(), 1, "{said}");
    assert!(!said.contains("vector"), "{said}");
    let arguments =
        "--gpu a100 --problem n=64 --parameter BLOCK=32 --work-items n*BLOCK --work-group BLOCK --format json";
    let given = ["--kernel", "product::square<float, BLOCK>", "--argument", "a.n=n"];
    let words: Vec<&str> = arguments.split(' ').chain(given).collect();
    let answer = json(&run(&[&[file.to_str().unwrap()], words.as_slice()].concat()), "result.json");
    assert_eq!(answer["source"]["absent"], serde_json::json!(["timer.h", "vendor/toolkit.hpp"]));
    // A kernel that needs something of such a header is refused, and the header is named.
    let broken = PROGRAM.replace("T sum = 0;", "T sum = toolkit::zero<T>();");
    std::fs::write(&file, broken).unwrap();
    let ended = evaluated(&folder, &[]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains(&format!("program.cu:{}:13", line_of("    T sum"))), "{}", ended.stderr);
    let help = "help: these headers are not there, and are empty for the compiler: `timer.h`";
    assert!(ended.stderr.contains(help), "{}", ended.stderr);
    // No header mends an error that is not about a name.
    std::fs::write(&file, PROGRAM.replace("T sum = 0;", "T sum = 0; int twice = 1; double twice = 2;")).unwrap();
    let ended = evaluated(&folder, &[]);
    assert!(ended.stderr.contains("redefinition of 'twice'"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("are not there, and are empty"), "{}", ended.stderr);
    std::fs::write(&file, PROGRAM.replace("T sum = 0;", "T sum = toolkit::zero<T>();")).unwrap();
    // What is there is read.
    std::fs::create_dir_all(folder.path().join("further/vendor")).unwrap();
    let toolkit =
        "namespace toolkit { template <class T> __device__ T zero() { return 0; } void host(std::string); }\n";
    std::fs::write(folder.path().join("further/vendor/toolkit.hpp"), toolkit).unwrap();
    let further = folder.path().join("further");
    let ended = evaluated(&folder, &["--include", further.to_str().unwrap()]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}

#[test]
fn a_header_outside_the_folders_is_named_with_the_option_that_lets_it_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("kernels")).unwrap();
    std::fs::create_dir_all(folder.path().join("common")).unwrap();
    std::fs::write(folder.path().join("common/types.h"), "typedef float real;\n#define HOST std::string\n").unwrap();
    let text = "#include \"../common/types.h\"\n__global__ void k(real* a) { a[threadIdx.x] = 1; }\n";
    let file = folder.path().join("kernels/k.cu");
    std::fs::write(&file, text).unwrap();
    let asked = ["evaluate", file.to_str().unwrap(), "--gpu", "a100", "--work-items", "1024", "--work-group", "128"];
    let ended = run(&asked);
    assert_eq!(ended.status, 2);
    let common = folder.path().join("common");
    let help = format!("help: let it be read: `--include {0}`, or `include: [{0}]` in `source`", common.display());
    assert!(ended.stderr.contains(&help), "{}", ended.stderr);
    let mended = run(&[&asked[..], &["--include", common.to_str().unwrap()]].concat());
    assert_eq!(mended.status, 0, "{}", mended.stderr);
}

#[test]
fn names_of_the_source_hide_macros_and_its_values_give_way() {
    let folder = folder();
    // The local variable `n`, and the parameter BLOCK of the template, are no macros; TILE and LINES are.
    let plain = evaluated(&folder, &["--config", "BLOCK=32"]);
    let tuned = evaluated(&folder, &["--parameter", "TILE=16,32", "--parameter", "LINES=2,4"]);
    assert_eq!((plain.status, tuned.status), (0, 0), "{}{}", plain.stderr, tuned.stderr);
    let ticks = |text: &str, words: &str| -> u64 {
        let line =
            text.lines().find(|line| line.trim().starts_with(words)).unwrap_or_else(|| panic!("{words}: {text}"));
        let number = line.trim()[words.len()..].split_whitespace().next().unwrap();
        number.replace(',', "").parse().unwrap()
    };
    let of = |tile, lines| ticks(&tuned.stdout, &format!("BLOCK=32 TILE={tile} LINES={lines}"));
    assert_eq!(of(16, 2), ticks(&plain.stdout, "BLOCK=32"), "the values of the source");
    assert_eq!(of(16, 4), of(32, 2), "only the product of both matters");
    assert!(of(32, 4) > of(16, 4) && of(16, 4) > of(16, 2));
}

#[test]
fn a_macro_in_the_value_of_a_variable_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = "__kernel void k(__global float *r)\n{\n    int i = get_global_id(0);\n#ifdef PAD\n    int at = i * PAD;\n    \
                r[at] = 1.0f;\n#endif\n    r[i] = 2.0f;\n}\n";
    let file = folder.path().join("k.cl");
    std::fs::write(&file, text).unwrap();
    let launch = "--gpu a100 --work-items 1024 --work-group 128 --parameter PAD=2,3 --config PAD=3 --format json";
    let words: Vec<&str> = launch.split(' ').collect();
    let inspected = json(&run(&[&["inspect", file.to_str().unwrap()], words.as_slice()].concat()), "inspection.json");
    let lines = inspected["files"][0]["lines"].as_array().unwrap().iter();
    let stores = lines.filter(|line| line["stores"].as_f64().unwrap() > 0.0);
    let lines: Vec<u64> = stores.map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [6, 8], "{inspected}");
}

/// A run of `evaluate` for a kernel of two files.
fn of_two_files(kernel: &str, header: &str, more: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), kernel).unwrap();
    fs::write(folder.path().join("k.h"), header).unwrap();
    let asked =
        ["evaluate", "k.cu", "--gpu", "a100", "--work-items", "4096", "--work-group", "64", "--argument", "n=4096"];
    super::run(autotune().current_dir(folder.path()).args(asked).args(more))
}

/// A kernel whose host defines types and numbers when it compiles the source, more of them than a compiler tells at once.
const HOSTS: &str = "#include \"k.h\"\n__global__ void k(FLOAT *a, const real4 *b, int n) {\n    \
                     int i = blockIdx.x * THREADS + threadIdx.x;\n    \
                     if (i < n) a[i] = b[i].x * FACTOR + (FLOAT)WIDTH + scale(i) + OFFSET;\n}\n";

#[test]
fn names_that_only_the_host_gives_are_one_question() {
    let asked = of_two_files(HOSTS, "__device__ inline FLOAT scale(int i) { return i * SCALE; }\n", &[]);
    assert_eq!(asked.status, 2, "{}", asked.stderr);
    assert!(asked.stderr.contains("the source uses names that nothing declares"), "{}", asked.stderr);
    let defined = "--define FLOAT=float --define SCALE=1 --define real4=float4 --define THREADS=1 --define FACTOR=1 \
                   --define OFFSET=1 --define WIDTH=1";
    let (answer, last) = (asked.stderr.trim().lines().last().unwrap(), "--argument n=4096 ");
    let sorted = |words: &str| {
        let mut names: Vec<&str> = words.split(" --define ").map(str::trim).collect();
        names.sort_unstable();
        names.join(" ")
    };
    let options = format!(" {}", answer.split_once(last).unwrap().1);
    assert_eq!(sorted(&options), sorted(&format!(" {defined}")), "{answer}");
    for name in ["FLOAT", "real4", "THREADS", "FACTOR", "WIDTH", "OFFSET", "SCALE"] {
        assert_eq!(asked.stderr.matches(&format!("'{name}'")).count(), 1, "{name}: {}", asked.stderr);
    }
    let words: Vec<&str> = defined.split(' ').collect();
    let given = of_two_files(HOSTS, "__device__ inline FLOAT scale(int i) { return i * SCALE; }\n", &words);
    assert_eq!(given.status, 0, "{}", given.stderr);
}

/// Errors that no macro mends are the compiler's own.
#[test]
fn mistakes_are_no_question_about_macros() {
    let kernel = |body: &str| format!("__global__ void k(float *a, int n) {{\n    a[threadIdx.x] = {body};\n}}\n");
    for body in ["treadIdx.x", "missing(3)", "LIMIT + ;", "LIMIT + a.b"] {
        let asked = of_two_files(&kernel(body), "", &[]);
        assert_eq!(asked.status, 2, "{body}: {}", asked.stderr);
        assert!(
            asked.stderr.contains("clang finds ") && !asked.stderr.contains("--define"),
            "{body}: {}",
            asked.stderr
        );
    }
}

#[test]
fn a_condition_that_leaves_a_declaration_out_is_named() {
    let header = "#ifdef ON_GPU\ntypedef float per_atom;\n#endif\n";
    let kernel = "#include \"k.h\"\n__global__ void k(per_atom *a, int n) { a[threadIdx.x] = n; }\n";
    let asked = of_two_files(kernel, header, &[]);
    let help = "help: `per_atom` is declared at k.h:2, which `#ifdef ON_GPU` leaves out: `--define NAME=VALUE` defines a macro";
    assert!(asked.status == 2 && asked.stderr.contains(help), "{}", asked.stderr);
    assert_eq!(of_two_files(kernel, header, &["--define", "ON_GPU=1"]).status, 0);
}

/// A prototype of the host whose sides end it one by one, before a macro that the kernel needs.
#[test]
fn each_side_of_a_condition_ends_a_prototype_of_the_host() {
    let header = "int wrap(int a,\n#ifdef OTHER\n         other_t b = OTHER_DEFAULT);\n#else\n         \
                  this_t b = THIS_DEFAULT);\n#endif\n#define THREADS 256\n";
    let kernel =
        "#include \"k.h\"\n__global__ void k(float *a, int n) { a[blockIdx.x * THREADS + threadIdx.x] = n; }\n";
    assert_eq!(of_two_files(kernel, header, &[]).status, 0);
}

/// An extension of `PyTorch`: tensors by value, a loop over all elements, a dispatch over types, a module of Python.
const EXTENSION: &str = "\
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAGuard.h>
using namespace torch::indexing;
template <typename T, size_t N> using pta = torch::PackedTensorAccessor32<T, N, torch::RestrictPtrTraits>;
template <typename scalar_t> C10_HOST_DEVICE inline scalar_t gate(scalar_t a, scalar_t b) { return a * b; }

template <typename scalar_t>
C10_LAUNCH_BOUNDS_1(256) __global__ void gated(pta<scalar_t, 3> in, pta<scalar_t, 2> out)
{
    const int n = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < in.size(2)) out[n][c] = in[n][0][c] * in[n][1][c];
}

template <typename scalar_t> __global__ void squared(const int64_t n, scalar_t* a)
{
    CUDA_KERNEL_LOOP(i, n) { a[i] = gate(a[i], a[i]); }
}

at::Tensor forward(const at::Tensor& in)
{
    TORCH_CHECK(in.is_cuda(), \"on a GPU\");
    const at::cuda::OptionalCUDAGuard guard(in.device());
    auto out = at::empty_like(in);
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), \"gated\", [&] {
        gated<scalar_t><<<dim3(4, 64), 256, 0, at::cuda::getCurrentCUDAStream()>>>(
            in.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            out.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
    });
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }
";

/// A twin of the kernel without `PyTorch`.
const PLAIN: &str = "\
__global__ void gated(const float* __restrict__ in, int size, int s0, int s1, int s2, float* out, int t0, int t1)
{
    const int n = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < size) (out + t0 * n)[t1 * c] = (in + s0 * n)[s2 * c] * (in + s0 * n + s1)[s2 * c];
}
";

/// The end of a run on a file of a folder, with the words of a line and further ones.
fn of_file(folder: &tempfile::TempDir, command: &str, file: &str, line: &str, further: &[&str]) -> Ended {
    let file = folder.path().join(file);
    let words: Vec<&str> = line.split_whitespace().chain(further.iter().copied()).collect();
    run(&[&[command, file.to_str().unwrap(), "--gpu", "a100"], words.as_slice()].concat())
}

/// The launch of the extension's kernel.
const LAUNCH: &str = "--work-items 1024,64 --work-group 256,1";
/// The numbers of its tensors that decide a branch or an address.
const OF_TENSORS: [&str; 6] =
    ["in.sizes_[2]", "in.strides_[0]", "in.strides_[1]", "in.strides_[2]", "out.strides_[0]", "out.strides_[1]"];

/// The options for these arguments: 64 rows of two parts of 1,024 elements, and 64 rows of one.
fn given(names: [&str; 6]) -> Vec<String> {
    let both = names.iter().zip([1024, 2048, 1024, 1, 1024, 1]).map(|(name, value)| format!("{name}={value}"));
    both.flat_map(|given| ["--argument".to_owned(), given]).collect()
}

/// An evaluation of the extension's kernel in a file, with its tensors' numbers and further options.
fn gated(folder: &tempfile::TempDir, file: &str, further: &[&str]) -> Ended {
    let options = given(OF_TENSORS);
    let options = options.iter().map(String::as_str).chain(further.iter().copied());
    let words: Vec<&str> = ["--kernel", "gated<float>"].into_iter().chain(options).collect();
    of_file(folder, "evaluate", file, LAUNCH, &words)
}

#[test]
fn an_extension_of_pytorch_needs_the_sizes_and_strides_of_its_tensors_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gated.cu"), EXTENSION).unwrap();
    let asked = of_file(&folder, "evaluate", "gated.cu", LAUNCH, &["--kernel", "gated<float>"]);
    assert_eq!(asked.status, 2, "{}", asked.stderr);
    let question = "this address depends on the arguments `in.strides_[0]` and `in.strides_[2]`, which have no values";
    assert!(asked.stderr.contains(question), "{}", asked.stderr);
    let options = asked.stderr.lines().find(|line| line.starts_with("help: all answers")).unwrap();
    assert_eq!(options.matches("--argument").count(), OF_TENSORS.len(), "{options}");
    assert!(OF_TENSORS.iter().all(|name| options.contains(&format!("--argument {name}=…"))), "{options}");
    assert!(asked.stderr.contains("arguments: { 'in.sizes_[2]': … }"), "a key of YAML: {}", asked.stderr);
    assert!(!asked.stderr.contains("not there"), "{}", asked.stderr);
    let times = gated(&folder, "gated.cu", &[]);
    assert_eq!((times.status, &*times.stderr), (0, ""), "{}", times.stdout);
    // Numbers of 16 bits, on a GPU of AMD, and the loop with its count.
    let halves = ["--kernel", "squared<c10::Half>", "--argument", "n=4096", "--gpu", "mi250x"];
    let file = folder.path().join("gated.cu");
    let launch = ["evaluate", file.to_str().unwrap(), "--work-items", "1024", "--work-group", "256"];
    let ended = run(&[&launch, &halves[..]].concat());
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{}", ended.stdout);
}

#[test]
fn a_kernel_has_the_same_instructions_however_its_tensors_are_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gated.cu"), EXTENSION).unwrap();
    std::fs::write(folder.path().join("plain.cu"), PLAIN).unwrap();
    let counted = |file: &str, kernel: &str, names: [&str; 6]| {
        let options = given(names);
        let words: Vec<&str> = ["--kernel", kernel].into_iter().chain(options.iter().map(String::as_str)).collect();
        let shown = of_file(&folder, "inspect", file, LAUNCH, &words).stdout;
        let line = shown.lines().find(|line| line.contains("1 fp32, 2 loads, 1 store"));
        let line = line.unwrap_or_else(|| panic!("{shown}"));
        line.rsplit_once("  ").unwrap().1.to_owned()
    };
    let plain = counted("plain.cu", "gated", ["size", "s0", "s1", "s2", "t0", "t1"]);
    assert_eq!(counted("gated.cu", "gated<float>", OF_TENSORS), plain);
}

#[test]
fn headers_of_pytorch_itself_are_not_read_and_those_beside_them_are() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("ATen/ATen.h", "#error read\n"),
        ("c10/macros/Macros.h", "#error read\n"),
        ("torch/extension.h", "#error read\n"),
        ("own/scale.cuh", "__device__ inline float scale(float a) { return a; }\n"),
    ] {
        let file = folder.path().join("installed").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let scaled = EXTENSION.replace("out[n][c] = in[n][0][c]", "out[n][c] = scale(in[n][0][c])");
    std::fs::write(folder.path().join("own.cu"), format!("#include <own/scale.cuh>\n{scaled}")).unwrap();
    std::fs::write(folder.path().join("gated.cu"), EXTENSION).unwrap();
    let installed = folder.path().join("installed");
    let [own, plain] =
        [("own.cu", &["--include", installed.to_str().unwrap()][..]), ("gated.cu", &[])].map(|(file, further)| {
            let ended = gated(&folder, file, further);
            assert_eq!((ended.status, &*ended.stderr), (0, ""), "{}", ended.stdout);
            ended.stdout
        });
    assert_eq!(own, plain);
}

#[test]
fn names_among_the_arguments_of_a_kernels_template_are_kept() {
    let text = "#include <string>\nconst int WIDTH = 2;\nstruct Twice { static constexpr int factor = 2; };\n\
                template <typename T> struct Op { __device__ static float of(float x) { return T::factor * x; } };\n\
                __device__ float square(float x) { return x * x; }\n\
                template <float (*F)(float)> __global__ void each(const float* in, float* out)\n\
                { int i = blockIdx.x * 256 + threadIdx.x; out[i] = F(in[i]); }\n\
                template <typename T, typename O, int W> __global__ void scaled(const T* in, T* out)\n\
                { int i = blockIdx.x * 256 + threadIdx.x; out[i] = W * O::of(in[i]); }\n\
                void host() { std::string s; each<square><<<1, 1>>>(0, 0); }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("names.cu"), text).unwrap();
    for kernel in ["each<square>", "scaled<float, Op<Twice>, WIDTH>"] {
        let launch = "--work-items 65536 --work-group 256";
        let ended = of_file(&folder, "evaluate", "names.cu", launch, &["--kernel", kernel]);
        assert_eq!((ended.status, &*ended.stderr), (0, ""), "{kernel}");
    }
}

/// A header in angles that lies beside the source, as a project's build names its own folders.
#[test]
fn a_header_in_angles_may_lie_beside_the_source() {
    let header = "__device__ inline float scale(int i) { return 2.0f * i; }\n";
    let kernel = |name: &str| {
        format!("#include <{name}>\n__global__ void k(float *a, int n) {{ a[threadIdx.x] = scale(n); }}\n")
    };
    assert_eq!(of_two_files(&kernel("k.h"), header, &[]).status, 0);
    let absent = of_two_files(&kernel("l.h"), header, &[]);
    assert!(absent.status == 2 && absent.stderr.contains("`l.h` (k.cu:1)"), "{}", absent.stderr);
}

/// The compilers' own macros, which sources ask for; an option has its say before them.
#[test]
fn the_compilers_name_themselves() {
    let text = "#if defined(__HIP_PLATFORM_AMD__) && !defined(__CUDACC__)\n#define WIDTH 3\n\
                #elif defined(__NVCC__) && __CUDACC_VER_MAJOR__ >= 12 && CUDART_VERSION >= 12000\n#define WIDTH 5\n\
                #elif CUDA_VERSION == 11000\n#define WIDTH 7\n#endif\n\
                __global__ void k(float* a) { for (int i = 0; i < WIDTH; ++i) a[i * 4096 + threadIdx.x] = i; }\n";
    let folder = tempfile::tempdir().unwrap();
    let stores = |file: &str, gpu: &str, further: &[&str]| {
        std::fs::write(folder.path().join(file), text).unwrap();
        let words = [&["--gpu", gpu], further].concat();
        let launch = "--work-items 64 --work-group 64 --format json";
        let file = folder.path().join(file);
        let words: Vec<&str> = launch.split(' ').chain(words).collect();
        let ended = run(&[&["inspect", file.to_str().unwrap()], words.as_slice()].concat());
        let inspected = json(&ended, "inspection.json");
        let lines = inspected["files"][0]["lines"].as_array().unwrap_or_else(|| panic!("{}", ended.stderr));
        lines.iter().map(|line| line["stores"].as_f64().unwrap()).sum::<f64>().to_string()
    };
    assert_eq!([stores("k.cu", "a100", &[]), stores("k.hip", "mi250x", &[])], ["5", "3"]);
    assert_eq!(stores("k.cu", "a100", &["--define", "__CUDACC_VER_MAJOR__=11", "--define", "CUDA_VERSION=11000"]), "7");
}

/// Names of C++ and of libraries that kernels seldom use.
const BEYOND: &str = "\
#include <algorithm>
#include <initializer_list>
#include <glm/glm.hpp>
#include <torch/extension.h>
constexpr unsigned greatest(std::initializer_list<unsigned> all) {
    unsigned found = 0;
    for (auto each : all) found = found < each ? each : found;
    return found;
}
template <int I> struct number : std::integral_constant<int, I> {};
template <class T> struct bits : number<sizeof(T) * 8> {};
__device__ inline at::Half __shfl_down_sync(unsigned lanes, const at::Half word, unsigned by) {
    return __shfl_down_sync(lanes, word.operator __half(), by);
}
template <class T> __global__ void k(T* a, const unsigned n) {
    __shared__ T shared[greatest({64, 32}) * bits<char>::value / 8];
    shared[threadIdx.x] = (T)(pow(2.5f, n) + glm::atan(1.5f, (float)n) + std::max({1, 3, 2}));
    a[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_down_sync(0xffffffff, shared[threadIdx.x], 1);
}
";

#[test]
fn a_kernel_uses_what_is_seldom_used() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("beyond.cu"), BEYOND).unwrap();
    for kernel in ["k<float>", "k<at::Half>"] {
        let launch = "--work-items 4096 --work-group 64 --argument n=4";
        let ended = of_file(&folder, "evaluate", "beyond.cu", launch, &["--kernel", kernel]);
        assert_eq!(ended.status, 0, "{kernel}: {}", ended.stderr);
    }
}

/// A project's instances of its other kernels, which would not compile, do not matter.
#[test]
fn instances_of_other_kernels_are_left_out() {
    let kernel = "#include \"k.h\"\ntemplate <class T> __global__ void k(T *a, int n) { a[threadIdx.x] = n; }\n\
                  template <class T> __global__ void l(T *a, int n) { a[threadIdx.x] = T::missing(n); }\n\
                  MAKE_L(float)\nMAKE_L(int)\nMAKE_K(float)\n";
    let header = "#define MAKE_K(T) template __global__ void k<T>(T *, int);\n\
                  #define MAKE_L(T) \\\n    template __global__ void l<T>( \\\n        T *, int);\n";
    for name in ["k", "k<float>", "k<double>"] {
        let ended = of_two_files(kernel, header, &["--kernel", name]);
        assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
    }
}

/// A program in OpenCL that its host makes a string of.
#[test]
fn a_program_within_a_macro_is_read() {
    let text = "MSTRINGIFY(\n\n\\n#define TWICE(a) (2 * (a))\n\\n\nkernel void k(global float* a)\n{\n    \
                a[get_global_id(0)] = TWICE(get_local_id(0));\n}\n\n)\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cl"), text).unwrap();
    let ended = of_file(&folder, "inspect", "k.cl", "--work-items 64 --work-group 64 --format json", &[]);
    let inspected = json(&ended, "inspection.json");
    let lines = inspected["files"][0]["lines"].as_array().unwrap_or_else(|| panic!("{}", ended.stderr));
    let stores: Vec<_> = lines.iter().filter(|line| !line["accesses"].as_array().unwrap().is_empty()).collect();
    assert!(stores.len() == 1 && stores[0]["line"] == 7, "{inspected}");
}

/// The types of arguments in a list are no names that the kernel declares.
#[test]
fn a_macro_for_a_type_is_one_among_a_kernels_arguments() {
    let kernel = "__global__ void k(const IN_TYPE *a, OUT_TYPE *b, int n) { b[threadIdx.x] = (OUT_TYPE)(a[n]); }\n";
    let ended = of_two_files(kernel, "", &["--define", "IN_TYPE=float", "--define", "OUT_TYPE=double"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}
