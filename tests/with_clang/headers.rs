//! The headers that stand for those of others: each of their functions compiles everywhere, is executed, and counts what
//! its documentation says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, AnalysisError, Architecture, Assumptions, BlockId, Clang, Compiler, ExecuteProblem, Executed,
    FindingKind, Instruction, IrText, KernelSource, Maker, Operations, SourceKernel, SourceLaunch, SourceMemory,
    SourcePlace, Step, Target,
};
use autotune::user_error::UserError;

use super::{Written, clang, macros};

const FOLDER: &str = "crates/kernel/src/source/headers";

/// The files of this test's folder, and the headers whose functions they call.
const CALLED: [(&str, &[&str]); 13] = [
    ("math.cu", &["autotune_cuda_math.h"]),
    ("lanes.cu", &["autotune_cuda.h", "autotune_cuda_lanes.h", "autotune_cuda_paths.h"]),
    ("bytes.cu", &["autotune_cuda_bytes.h"]),
    ("std.cu", &["autotune_cuda_std.h", "array", "complex", "functional", "tuple", "thrust/complex.h"]),
    ("cooperative_groups.cu", &["cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h"]),
    (
        "cub.cu",
        &["cub/autotune_operators.cuh", "cub/autotune_warp.cuh", "cub/autotune_block.cuh", "cub/autotune_exchange.cuh"],
    ),
    ("helper_math.cu", &["helper_math.h"]),
    ("others.cu", &["cuComplex.h", "cuda/atomic", "cuda_pipeline.h", "curand_kernel.h"]),
    ("torch.cu", &["torch/autotune_numbers.h", "torch/autotune_accessors.h", "torch/autotune_lanes.h"]),
    ("glm.cu", &["glm/glm.hpp"]),
    ("rocprim.cu", &["rocprim/rocprim.hpp"]),
    ("refused.cu", &["mma.h", "cub/autotune_refused.cuh"]),
    (
        "../copies_ahead/copies.cu",
        &["autotune_copies.h", "cuda/pipeline", "cuda/barrier", "cooperative_groups/memcpy_async.h"],
    ),
];

const CLANGS: [&str; 3] = ["clang-14", "clang-15", "clang-19"];

fn amd(name: &str) -> Target {
    Target::Amd(Architecture::new(name).unwrap())
}

fn targets() -> [Target; 4] {
    [Target::Nvidia(80), amd("gfx906"), Target::Nvidia(70), amd("gfx1030")]
}

fn path(file: &str) -> PathBuf {
    Path::new("tests/with_clang/headers").join(file)
}

fn compiler(clang: &Clang, file: &Path, target: &Target) -> Compiler {
    let source = KernelSource::of_file(file).unwrap();
    Compiler::new(clang.clone(), source, target.clone(), None, Limits::default()).unwrap()
}

/// The kernels of a file as a clang compiles them for a target, by their names in the source.
fn kernels(clang: &Clang, file: &Path, target: &Target) -> BTreeMap<String, Arc<SourceKernel>> {
    let compiled = compiler(clang, file, target).compile(&macros(&[]));
    let text = compiled.unwrap_or_else(|why| panic!("{why}\nfor {target} by {}", clang.says)).text;
    let maker = if matches!(target, Target::Amd(_)) { Maker::Other } else { Maker::Nvidia };
    let split = IrText::split(&text).unwrap();
    let read = |name: &str| SourceKernel::read(&text, Some(name), maker).unwrap();
    let plain = |name: &str| {
        let rest = name.strip_prefix("_Z").unwrap_or(name);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[digits..][..rest[..digits].parse().unwrap()].to_owned()
    };
    split.kernels().into_iter().map(|name| (plain(name), Arc::new(read(name)))).collect()
}

/// The middle one of 9 groups of 256 work items.
fn execute(kernel: &Arc<SourceKernel>, warp_size: u32) -> Result<Executed, AnalysisError> {
    let launch =
        SourceLaunch { sizes: [256, 1, 1], groups: [9, 1, 1], group: [4, 0, 0], warp_size, ..SourceLaunch::default() };
    kernel.execute(&launch, &Assumptions::default(), &Limits::default())
}

/// The functions and methods that a header defines, by the words before their parentheses in what the preprocessor makes.
fn defined() -> BTreeMap<String, BTreeSet<String>> {
    let included: Vec<String> =
        CALLED.iter().flat_map(|(_, headers)| *headers).map(|name| format!("#include \"{name}\"\n")).collect();
    let written = Written::new(&[("all.cu", &included.concat())]);
    let mut command = Command::new("clang-19");
    command.args(["-E", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib"]);
    command.args(["-nostdinc++", "-nostdlibinc", "-include", "autotune_cuda.h", "-isystem", FOLDER, "-I", FOLDER]);
    let output = command.arg(written.path("all.cu")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut file = String::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        match line.strip_prefix("# ").and_then(|rest| rest.split('"').nth(1)) {
            Some(name) => name.rsplit_once("headers/").map_or("", |(_, name)| name).clone_into(&mut file),
            None => texts.entry(file.clone()).or_default().extend([line, "\n"]),
        }
    }
    texts.into_iter().map(|(file, text)| (file, functions(&text))).collect()
}

/// The words before the parentheses behind `always_inline))`, and before `__asm__("…")`.
fn functions(text: &str) -> BTreeSet<String> {
    let word = |head: &str| {
        let is_part = |one: char| one.is_alphanumeric() || one == '_';
        let name = head.trim_end().rsplit(|one| !is_part(one)).next().unwrap_or_default();
        let is_conversion =
            head.trim_end().strip_suffix(name).is_some_and(|rest| rest.trim_end().ends_with("operator"));
        if is_conversion { String::new() } else { name.to_owned() }
    };
    let inline = text.split("always_inline))").skip(1).filter_map(|rest| Some(word(rest.split_once('(')?.0)));
    let declared = text.match_indices("__asm__(").filter_map(|(at, _)| {
        let (before, _) = text[..at].rsplit_once(')')?;
        Some(word(before.rsplit_once('(')?.0))
    });
    let all = inline.chain(declared);
    let is_own = |name: &String| name.is_empty() || name.starts_with("autotune_") || name == "operator" || name == "on";
    all.filter(|name| !is_own(name)).collect()
}

/// The words of a text outside of its comments.
fn words(text: &str) -> BTreeSet<&str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|one: char| !(one.is_alphanumeric() || one == '_'))).collect()
}

#[test]
fn every_function_of_a_header_is_called_by_a_kernel_of_these_tests() {
    let defined = defined();
    // What is refused is called there, whatever its header.
    let refused = std::fs::read_to_string(path("refused.cu")).unwrap();
    for (file, headers) in CALLED {
        let text = std::fs::read_to_string(path(file)).unwrap() + &refused;
        let words = words(&text);
        for header in headers {
            let functions = defined.get(*header).unwrap_or_else(|| panic!("{header} defines nothing"));
            let missing: Vec<&String> = functions.iter().filter(|name| !words.contains(name.as_str())).collect();
            assert!(missing.is_empty(), "{file} does not call {missing:?} of {header}");
        }
    }
    let sizes = |header: &str| defined[header].len();
    assert!(sizes("autotune_cuda_math.h") > 250 && sizes("cub/autotune_exchange.cuh") > 15 && sizes("mma.h") == 6);
}

/// Compiles and executes the functions of a file.
fn check_functions(version: &str, file: &str, target: &Target) {
    let warp_size = if *target == amd("gfx906") { 64 } else { 32 };
    for (name, kernel) in kernels(&clang(version), &path(file), target) {
        let at = format!("{name} in {file} for {target} by {version}");
        let executed = execute(&kernel, warp_size).unwrap_or_else(|why| panic!("{why} in {at}"));
        let unknown = executed
            .findings
            .iter()
            .find(|finding| matches!(finding.kind, FindingKind::UnknownFunction(_) | FindingKind::OutOfBounds { .. }));
        assert_eq!(unknown, None, "{at}");
    }
}

/// The files whose functions can be called.
fn files() -> impl Iterator<Item = &'static str> {
    CALLED.into_iter().map(|(file, _)| file).filter(|file| *file != "refused.cu")
}

#[test]
fn every_function_is_compiled_and_executed_by_old_and_new_clangs() {
    for file in files() {
        check_functions("clang-14", file, &amd("gfx906"));
        check_functions("clang-19", file, &Target::Nvidia(80));
    }
}

#[test]
#[ignore = "a minute: all clangs, for all targets"]
fn every_function_is_compiled_and_executed_by_every_clang_for_every_target() {
    for version in CLANGS {
        for file in files() {
            // The width of a warp and the capability decide in these files alone.
            let depends = ["lanes.cu", "cub.cu", "cooperative_groups.cu", "torch.cu"].contains(&file);
            for target in targets().iter().take(if depends && version != "clang-15" { 4 } else { 2 }) {
                check_functions(version, file, target);
            }
        }
        // For registers, a back end sees the whole program.
        for (file, _) in CALLED.iter().filter(|_| version != "clang-15") {
            let assembly = compiler(&clang(version), &path(file), &amd("gfx906")).assembly(&macros(&[]));
            assert!(assembly.is_ok(), "{file} by {version}: {}", assembly.unwrap_err());
        }
    }
}

/// The accesses of a group: those of each kind to local memory by all work items together, loads and stores of global memory,
/// and the bytes of local memory.
#[derive(Debug, PartialEq, Eq, Default)]
struct Counted {
    exchanges: usize,
    barriers: usize,
    grid_barriers: usize,
    local_loads: usize,
    local_stores: usize,
    global_loads: usize,
    global_stores: usize,
    local_bytes: u64,
}

impl Counted {
    fn of(executed: &Executed) -> Self {
        let mut counted = Self::default();
        counted.add(&executed.trace);
        let local = executed.regions.iter().filter(|region| region.memory == SourceMemory::Local);
        counted.local_bytes = local.filter_map(|region| region.bytes).sum();
        counted
    }

    fn add(&mut self, steps: &[Step]) {
        for step in steps {
            let Step::Block(run) = step else {
                panic!("these kernels have neither loops nor branches on data: {step:?}")
            };
            let items = run.items.count_ones(..);
            for access in &run.accesses {
                let counter = match (access.kind, access.memory) {
                    (AccessKind::Shuffle, _) => &mut self.exchanges,
                    (AccessKind::Barrier, _) => &mut self.barriers,
                    (AccessKind::GridBarrier, _) => &mut self.grid_barriers,
                    (AccessKind::Load, SourceMemory::Local) => &mut self.local_loads,
                    (AccessKind::Store, SourceMemory::Local) => &mut self.local_stores,
                    (AccessKind::Load, SourceMemory::Global) => &mut self.global_loads,
                    (AccessKind::Store, SourceMemory::Global) => &mut self.global_stores,
                    other => panic!("no such access is expected: {other:?}"),
                };
                *counter += items;
            }
        }
    }
}

#[test]
fn groups_and_cub_count_what_their_documentation_says() {
    let cub = |name: &str| ("cub.cu", name.to_owned());
    let group = |name: &str| ("cooperative_groups.cu", name.to_owned());
    let torch = |name: &str| ("torch.cu", name.to_owned());
    let rocprim = |name: &str| ("rocprim.cu", name.to_owned());
    let one = Counted { global_loads: 256, global_stores: 256, ..Counted::default() };
    let local = |exchanges, barriers, local_loads, local_stores, words: u64| Counted {
        exchanges,
        barriers,
        local_loads,
        local_stores,
        local_bytes: 4 * words,
        ..one
    };
    let times =
        |many: Counted, factor: usize| Counted { global_loads: 256 * factor, global_stores: 256 * factor, ..many };
    let first = |many: Counted| Counted { global_stores: 1, ..many };
    for version in CLANGS {
        for capability in [70, 80] {
            // Integers have an instruction from 8.0 on.
            let integers = if capability == 80 { 1 } else { 3 };
            let known = [
                (group("reduce_floats"), local(5 * 256, 0, 0, 0, 0)),
                (group("reduce_integers"), local(integers * 256, 0, 0, 0, 0)),
                (group("scan"), local(5 * 256, 0, 0, 0, 0)),
                (group("wait"), local(0, 256, 256, 256, 256)),
                (group("grid"), Counted { grid_barriers: 256, global_stores: 512, ..one }),
                (cub("reduce_by_warps"), first(local(5 * 256, 256, 7, 8, 8))),
                (cub("reduce_by_raking"), first(local(5 * 32, 256, 32 * 8, 256, 32 * 9))),
                (cub("scan_by_warps"), local(6 * 256, 256, 7 * 256, 8, 8 + 1)),
                (cub("scan_by_raking"), local(6 * 32, 2 * 256, 2 * 256, 2 * 256 + 1, 32 * 9 + 1)),
                (cub("load_transposed"), times(local(0, 256, 8 * 256, 8 * 256, 2048 + 64), 8)),
                (cub("load_by_warps"), times(local(0, 0, 4 * 256, 4 * 256, 1024), 4)),
                (cub("load_vectors"), local(0, 0, 0, 0, 0)),
                (rocprim("reduce_by_warps"), first(local(5 * 256, 256, 7, 8, 8))),
                (rocprim("reduce_by_raking"), first(local(5 * 32, 256, 32 * 8, 256, 32 * 9))),
                // All warps reduce, and the first one reduces their 8 words.
                (torch("sum_of_group"), first(local(5 * 256 + 5 * 32, 2 * 256, 8, 8, 32))),
            ];
            let clang = clang(version);
            let target = Target::Nvidia(capability);
            let files = ["cub.cu", "cooperative_groups.cu", "torch.cu", "rocprim.cu"]
                .map(|file| (file, kernels(&clang, &path(file), &target)));
            for ((file, name), expected) in known {
                let kernel = &files.iter().find(|(one, _)| *one == file).unwrap().1[&name];
                let found = Counted::of(&execute(kernel, 32).unwrap());
                assert_eq!(found, expected, "{name} in {file} for {target} by {version}");
            }
        }
    }
}

/// The operations of all instructions of a kernel.
fn operations(kernel: &SourceKernel) -> Operations {
    let blocks = (0..kernel.module.kernel.blocks.len()).map(|block| BlockId(u32::try_from(block).unwrap()));
    blocks.flat_map(|id| kernel.prices.block(id)).fold(Operations::default(), |sum, price| sum.plus(*price))
}

#[test]
fn numbers_of_pytorch_and_products_of_matrices_have_their_prices() {
    for version in CLANGS {
        let files = ["torch.cu", "glm.cu"].map(|file| kernels(&clang(version), &path(file), &Target::Nvidia(80)));
        for (file, name, fp16, fp32) in [
            // A conversion and a product in single precision.
            (0, "widened", 1, 1),
            (0, "narrowed", 1, 1),
            (0, "brain_narrowed", 1, 1),
            // A conversion on each side of two products and a sum, which goes with the second product.
            (0, "chained", 2, 2),
            // Three rows: a product and two sums of products.
            (1, "product", 0, 9),
        ] {
            let found = operations(&files[file][name]);
            assert_eq!((found.fp16, found.fp32, found.special), (fp16, fp32, 0), "{name} by {version}");
        }
    }
}

#[test]
fn packed_integers_and_dot_products_have_their_prices() {
    for version in CLANGS {
        let files = ["bytes.cu", "lanes.cu"].map(|file| kernels(&clang(version), &path(file), &Target::Nvidia(80)));
        let product = &files[0]["product"];
        let called: Vec<_> = product.module.kernel.blocks.iter().enumerate().collect();
        let dots = called.iter().flat_map(|(block, body)| {
            let id = BlockId(u32::try_from(*block).unwrap());
            product.prices.block(id).iter().zip(&body.instructions)
        });
        let is_dot = |one: &Instruction| format!("{:?}", one.kind).contains("__dp4a");
        let prices: Vec<_> = dots.filter(|(_, one)| is_dot(one)).map(|(price, _)| *price).collect();
        let one = Operations { int32: 1, fp16: 0, fp32: 0, fp64: 0, special: 0, any: 0 };
        assert!(!prices.is_empty() && prices.iter().all(|price| *price == one), "{prices:?} by {version}");
        let counted = Counted::of(&execute(&files[1]["words"], 32).unwrap());
        assert_eq!(counted.exchanges, 256 * (2 + 2 + 3 + 1), "two words are two exchanges, by {version}");
    }
}

/// The problem of a kernel that cannot be executed, and its first place in the user's file.
fn problem(kernel: &Arc<SourceKernel>) -> (ExecuteProblem, SourcePlace) {
    let why = execute(kernel, 32).unwrap_err();
    let AnalysisError::Execute(error) = why else { panic!("{why}") };
    let place = error.places.iter().find(|place| place.is_users()).unwrap_or_else(|| panic!("no place: {error:?}"));
    (error.problem.clone(), place.clone())
}

#[test]
fn what_the_machine_lacks_is_refused_by_its_name_and_line() {
    let text = std::fs::read_to_string(path("refused.cu")).unwrap();
    for version in CLANGS {
        for target in [Target::Nvidia(80), amd("gfx1030")] {
            let kernels = kernels(&clang(version), &path("refused.cu"), &target);
            assert_eq!(kernels.len(), text.lines().filter(|line| line.starts_with("KERNEL(")).count());
            for (name, kernel) in kernels {
                let (problem, place) = problem(&kernel);
                let line = text.lines().nth(place.line as usize - 1).unwrap();
                let expected = line.split_once("} // ").unwrap().1;
                assert!(line.starts_with(&format!("KERNEL({name})")), "{name} is refused at {place:?}");
                let ExecuteProblem::Unmodelled { name: refused, why } = problem else { panic!("{name}: {problem}") };
                assert_eq!((&*refused, why.is_empty()), (expected, false), "{name} for {target} by {version}");
            }
        }
    }
}

const PATHS: &str = r#"
#include <cassert>
#include <cstdio>
__global__ void passes(float *y, const int *x)
{
    int i = x[threadIdx.x];
    assert(i >= 0 && i < 100);
    if (i == 7) __trap();
    __shared__ float kept[256];
    kept[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = kept[255 - threadIdx.x];
    printf("%d is %f\n", i, y[threadIdx.x]);
}
__global__ void fails(float *y)
{
    assert(blockDim.x == 128 && "the group has 128 work items");
    y[threadIdx.x] = 1;
}
__global__ void ends(float *y)
{
    if (threadIdx.x >= 250) __trap();
    y[threadIdx.x] = 1;
}
#define NDEBUG
#include <assert.h>
__global__ void unchecked(float *y, const int *x)
{
    assert(x[threadIdx.x] > 0);
    y[threadIdx.x] = 1;
}
"#;

#[test]
fn no_launch_takes_a_path_to_a_trap_and_a_print_counts_nothing() {
    let written = Written::new(&[("k.cu", PATHS)]);
    for version in CLANGS {
        for target in targets() {
            let kernels = kernels(&clang(version), &written.path("k.cu"), &target);
            let at = format!("for {target} by {version}");
            let executed = execute(&kernels["passes"], 32).unwrap();
            let found: Vec<_> =
                executed.findings.iter().map(|one| (&one.kind, one.places.last().unwrap().line)).collect();
            assert_eq!(found, [(&FindingKind::Print, 13)], "{at}");
            let expected = Counted {
                grid_barriers: 0,
                barriers: 256,
                local_loads: 256,
                local_stores: 256,
                global_loads: 2 * 256,
                global_stores: 256,
                local_bytes: 1024,
                exchanges: 0,
            };
            assert_eq!(Counted::of(&executed), expected, "{at}");
            for (name, items, line) in [("fails", 256, 17), ("ends", 6, 22)] {
                let (why, place) = problem(&kernels[name]);
                assert_eq!((why, place.line), (ExecuteProblem::Trap { items }, line), "{name} {at}");
            }
            let unchecked = Counted::of(&execute(&kernels["unchecked"], 32).unwrap());
            assert_eq!((unchecked.global_loads, unchecked.global_stores), (0, 256), "{at}");
        }
    }
}

#[test]
fn hosts_headers_are_found_and_libraries_of_tensor_cores_are_refused_with_the_reason() {
    let list = std::fs::read_to_string(Path::new(FOLDER).join("empty.txt")).unwrap();
    let same = std::fs::read_to_string(Path::new(FOLDER).join("same.txt")).unwrap();
    let names = list.lines().chain(same.lines().filter_map(|line| Some(line.split_once(": ")?.0)));
    let plain = names.filter(|name| !name.is_empty() && !name.starts_with('#') && !name.ends_with('/'));
    let included =
        plain.chain(["ATen/ops/empty.h", "c10/util/Half.h", "torch/csrc/autograd/variable.h", "glm/gtc/type_ptr.hpp"]);
    let text: String = included.flat_map(|name| ["#include <", name, ">\n"]).collect();
    let kernel = "__global__ void k(std::uint8_t *x) { x[threadIdx.x] = std::max(1, 2); }\n";
    let all = Written::new(&[("k.cu", &(text.clone() + kernel))]);
    assert!(text.lines().count() > 250);
    let cutlass = Written::new(&[("k.cu", &format!("\n#include <cutlass/gemm/gemm.h>\n{kernel}"))]);
    for version in CLANGS {
        assert_eq!(kernels(&clang(version), &all.path("k.cu"), &Target::Nvidia(80)).len(), 1);
        let why = cutlass.compiler(&clang(version)).compile(&macros(&[])).unwrap_err();
        assert!(why.to_string().contains("k.cu:2:10"), "{why}");
        assert!(why.help().unwrap().contains("write the instructions by `wmma` or inline PTX"), "{why}");
    }
}

#[test]
fn no_macro_of_a_configuration_replaces_a_word_of_a_header() {
    let headers: Vec<&str> = CALLED.iter().flat_map(|(_, headers)| *headers).copied().collect();
    let texts: Vec<String> =
        headers.iter().map(|name| std::fs::read_to_string(Path::new(FOLDER).join(name)).unwrap()).collect();
    let kernel = "__global__ void kernel(float *out) { out[0] = 1; }\n";
    let is_free = |word: &&str| {
        let starts = |start: &str| word.starts_with(start);
        let is_name = word.starts_with(char::is_alphabetic) && !starts("AUTOTUNE");
        is_name
            && word.len() < 12
            && !words(kernel).contains(word)
            && !["global", "include", "and", "or", "not", "xor"].contains(word)
    };
    let included: String = headers
        .iter()
        .filter(|name| !name.contains("autotune_"))
        .chain(&["cub/cub.cuh", "torch/extension.h"])
        .flat_map(|name| ["#include <", name, ">\n"])
        .collect();
    let written = Written::new(&[("k.cu", "#include \"own.h\"\n"), ("own.h", &(included + kernel))]);
    let mut macros = macros(&[]);
    let defined: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).filter(is_free).collect();
    for word in &defined {
        macros.parameter(word, 7).unwrap();
    }
    assert!(defined.len() > 400 && ["n", "k", "size", "items", "T"].iter().all(|word| defined.contains(word)));
    for version in CLANGS {
        let compiled = written.compiler(&clang(version)).compile(&macros);
        assert!(compiled.is_ok(), "{}", compiled.unwrap_err());
    }
}
