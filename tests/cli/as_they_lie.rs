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
