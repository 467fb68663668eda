//! The headers for numbers of 16 and 8 bits: every function compiles, executes and costs what it should.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, Architecture, Assumptions, BlockId, Callee, Clang, Compiler, Executed, FindingKind, IrText, Kind,
    Maker, Operations, Shape, SourceAccess, SourceKernel, SourceLaunch, SourceMemory, Step, Target,
};

use super::{Written, clang, macros};

/// Debian's versions of clang.
const OF_DEBIAN: [&str; 3] = ["clang-14", "clang-15", "clang-19"];

const FP16: &str = include_str!("headers/cuda_fp16.cu");
const FP8: &str = include_str!("headers/cuda_fp8.cu");
const HIP: &str = include_str!("headers/hip_bfloat16.cu");
const OPENCL: &str = include_str!("headers/opencl.cl");

/// The text for half precision with the names of bfloat16.
fn bf16() -> String {
    let (types, calls) = FP16.split_once("// Words").unwrap();
    let types = types.replace("__half", "__nv_bfloat16").replace("cuda_fp16.h", "cuda_bf16.h");
    let calls = calls.replace("half", "bfloat16").replace("__bfloat16_raw", "__nv_bfloat16_raw");
    format!("{types}// Words{}", calls.replace("__bfloat162_raw", "__nv_bfloat162_raw"))
}

/// The targets: NVIDIA's with 16-bit operations of half precision alone, with those of bfloat16 too, and AMD's.
fn targets() -> [Target; 3] {
    [Target::Nvidia(70), Target::Nvidia(80), Target::Amd(Architecture::new("gfx906").unwrap())]
}

/// The kernels of a text as a clang compiles it for a target.
fn kernels(clang: &Clang, name: &str, text: &str, target: &Target) -> Vec<Arc<SourceKernel>> {
    let written = Written::new(&[(name, text)]);
    let limits = Limits::default();
    let compiler = Compiler::new(clang.clone(), written.source.clone(), target.clone(), None, limits).unwrap();
    let made = compiler.compile(&macros(&[])).unwrap_or_else(|why| panic!("{why} for {target} by {}", clang.says));
    let maker = if matches!(target, Target::Amd(_)) { Maker::Other } else { Maker::Nvidia };
    let split = IrText::split(&made.text).unwrap();
    let names = split.kernels();
    names.iter().map(|name| Arc::new(SourceKernel::read(&made.text, Some(name), maker).unwrap())).collect()
}

/// An execution of a group of 64 work items in warps of 32.
fn executed(kernel: &Arc<SourceKernel>) -> Executed {
    let launch = SourceLaunch { sizes: [64, 1, 1], groups: [8, 1, 1], warp_size: 32, ..SourceLaunch::default() };
    kernel.execute(&launch, &Assumptions::default(), &Limits::default()).unwrap()
}

/// The functions that an execution of a kernel does not know, and the addresses that it does not.
fn unknown(kernel: &Arc<SourceKernel>) -> Vec<FindingKind> {
    let kinds = executed(kernel).findings.into_iter().map(|finding| finding.kind);
    kinds.filter(|kind| matches!(kind, FindingKind::UnknownFunction(_) | FindingKind::AddressOnData(..))).collect()
}

/// The accesses to global memory of a kernel without branches: the kind, the bytes of a work item, and the distances of the
/// second work item and of the second warp's first from the first one.
fn accesses(kernel: &Arc<SourceKernel>) -> Vec<(AccessKind, u64, [i64; 2])> {
    let executed = executed(kernel);
    let [Step::Block(run)] = &executed.trace[..] else { panic!("{:?}", executed.trace) };
    let shape = Shape::new([64, 1, 1]);
    let global = run.accesses.iter().filter(|access| access.memory == SourceMemory::Global);
    let distances = |access: &SourceAccess| {
        let lanes = &access.address.as_ref().unwrap().base;
        [1, 32].map(|lane| lanes.at(lane, &shape) - lanes.at(0, &shape))
    };
    global.map(|access| (access.kind, access.bytes, distances(access))).collect()
}

/// The operations of a line, and its exchanges between lanes.
type Cost = (Operations, u64);

/// The cost of each line of a kernel.
fn by_line(kernel: &SourceKernel) -> BTreeMap<u32, Cost> {
    let mut lines: BTreeMap<u32, Cost> = BTreeMap::new();
    let blocks = (0..).map(BlockId).zip(&kernel.module.kernel.blocks);
    let priced = blocks.flat_map(|(id, block)| block.instructions.iter().zip(kernel.prices.block(id)));
    for (instruction, price) in priced {
        if let Some(place) = instruction.user_place() {
            let (sum, exchanges) = lines.entry(place.line).or_default();
            *sum = sum.plus(*price);
            let called = if let Kind::Call { callee: Callee::Named(name), .. } = &instruction.kind { name } else { "" };
            *exchanges += u64::from(called.starts_with("__shfl"));
        }
    }
    lines
}

/// A cost as a comment says it: `fp16 2, shuffle 1`.
fn cost(said: &str) -> Cost {
    let (mut sum, mut exchanges) = Cost::default();
    for part in said.split(',').map(str::trim).filter(|part| *part != "free") {
        let (kind, count) = part.split_once(' ').unwrap_or_else(|| panic!("`{part}` is not operations"));
        let of = match kind {
            "fp32" => &mut sum.fp32,
            "int32" => &mut sum.int32,
            "fp64" => &mut sum.fp64,
            "fp16" => &mut sum.fp16,
            "special" => &mut sum.special,
            "shuffle" => &mut exchanges,
            _ => panic!("`{kind}` is not a kind of operation"),
        };
        *of = count.parse().unwrap();
    }
    (sum, exchanges)
}

/// Checks the operations behind the lines of a text; of two, separated by a bar, those in this place.
fn check_prices(clang: &Clang, (name, text): (&str, &str), target: &Target, which: usize) {
    let mut found = BTreeMap::new();
    for kernel in kernels(clang, name, text, target) {
        found.extend(by_line(&kernel));
    }
    let mut wrong = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let Some((code, said)) = line.strip_prefix("    ").and_then(|line| line.split_once(" // ")) else { continue };
        let said: Vec<&str> = said.split(" | ").collect();
        let expected = cost(said.get(which).or(said.first()).unwrap());
        let costs = found.get(&number).copied().unwrap_or_default();
        if costs != expected {
            wrong.push(format!("{code}: {costs:?}"));
        }
    }
    assert!(wrong.is_empty(), "for {target} by {}:\n{}", clang.says, wrong.join("\n"));
}

/// Compiles and executes all functions.
fn check_functions(version: &str, target: &Target) {
    let (clang, bf16) = (clang(version), bf16());
    for (name, text) in [("k.cu", FP16), ("k.cu", &*bf16), ("k.cu", FP8), ("k.cu", HIP), ("k.cl", OPENCL)] {
        for kernel in kernels(&clang, name, text, target) {
            assert_eq!(unknown(&kernel), [], "{target} by {version}");
        }
    }
}

#[test]
fn every_function_is_compiled_and_executed_by_old_and_new_clangs() {
    check_functions("clang-14", &Target::Amd(Architecture::new("gfx906").unwrap()));
    check_functions("clang-19", &Target::Nvidia(80));
}

#[test]
#[ignore = "half a minute: all clangs, for all targets"]
fn every_function_is_compiled_and_executed_for_every_target() {
    for version in OF_DEBIAN {
        for target in &targets() {
            check_functions(version, target);
        }
    }
}

#[test]
fn operations_of_16_bits_cost_one_for_a_number_and_for_a_packed_pair() {
    let bf16 = bf16();
    for version in ["clang-14", "clang-19"] {
        let clang = clang(version);
        check_prices(&clang, ("k.cu", FP16), &Target::Nvidia(70), 0);
        check_prices(&clang, ("k.cu", FP16), &Target::Nvidia(80), 0);
        check_prices(&clang, ("k.cu", &bf16), &Target::Nvidia(80), 1);
        check_prices(&clang, ("k.cu", FP8), &Target::Nvidia(89), 0);
        check_prices(&clang, ("k.cl", OPENCL), &Target::Nvidia(80), 0);
    }
}

/// The names of the functions that a text defines behind its headers: those whose type follows the end of an attribute.
fn defined(name: &str, text: &str, options: &str, attribute: &str) -> BTreeSet<String> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/kernel/src/source/headers");
    let written = Written::new(&[(name, text)]);
    let mut command = Command::new("clang-19");
    command.args(["-E", "-P"]).args(options.split_whitespace()).arg("-isystem").arg(&headers);
    command.arg("-include").arg(headers.join(if name == "k.cl" {
        "autotune_opencl_lanes.h"
    } else {
        "autotune_cuda.h"
    }));
    let output = command.arg(written.path(name)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let plain = String::from_utf8(output.stdout).unwrap();
    let after = plain.split(attribute).skip(1).filter_map(|rest| rest.split('(').next());
    let names = after.filter_map(|head| head.rsplit(|c: char| c.is_whitespace() || "*&".contains(c)).next());
    let is_name = |name: &&str| name.starts_with("__") || name.starts_with(|c: char| c.is_ascii_lowercase());
    names.filter(is_name).map(str::to_owned).collect()
}

/// The names of the functions that the headers of a CUDA text define beside those that every source has.
fn defined_in_cuda(includes: &str) -> BTreeSet<String> {
    let options =
        "-x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -nostdinc++ -nostdlibinc -fdeclspec";
    let names = |text: &str| defined("k.cu", text, options, "always_inline))");
    let core = names("");
    names(includes).into_iter().filter(|name| !core.contains(name) && !name.starts_with("autotune_")).collect()
}

/// The words of a text that can be names.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect()
}

#[test]
fn back_ends_see_the_whole_program() {
    let bf16 = bf16();
    let amd = || Target::Amd(Architecture::new("gfx906").unwrap());
    // Sub-groups and halves of OpenCL, without the functions that stay calls for every type.
    let opencl = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global half *h, global float *f, global int *i) {\n\
                  size_t at = get_global_id(0);\n h[at] = (half)(vload_half(at, h) * sub_group_reduce_add(f[at]));\n\
                  vstore4(convert_half4(vload_half4(at, h)) * vload4(at, h), at, h);\n\
                  i[get_sub_group_id()] = sub_group_shuffle_xor(i[at], 3) + sub_group_any(i[at] > 2);\n}\n";
    for version in ["clang-14", "clang-19"] {
        for (name, text) in [("k.cu", FP16), ("k.cu", &*bf16), ("k.cu", FP8), ("k.cl", opencl)] {
            for target in [Target::Nvidia(80), amd()] {
                let written = Written::new(&[(name, text)]);
                let source = written.source.clone();
                let made = Compiler::new(clang(version), source, target.clone(), None, Limits::default()).unwrap();
                let assembly =
                    made.assembly(&macros(&[])).unwrap_or_else(|why| panic!("{why} for {target} by {version}"));
                let calls = ["swappc", "call.uni", "native_", "autotune_floats"];
                let calls: Vec<_> = calls.iter().filter(|call| assembly.contains(**call)).collect();
                assert!(calls.is_empty(), "{calls:?} in {name} for {target} by {version}");
            }
        }
    }
}

#[test]
fn a_packed_pair_is_one_word_and_halves_lie_where_opencl_puts_them() {
    let cuda = "#include <cuda_fp16.h>\n__global__ void k(const __half2 *x, __half2 *y) {\n\
                __half2 one = x[threadIdx.x];\n y[threadIdx.x] = one + one;\n}\n";
    let opencl = "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n\
                  kernel void k(global half *h, global float *f, global int *i) {\n int at = get_local_id(0);\n\
                  f[at] = vloada_half3(at, h).z;\n f[at] = vload_half3(at, h).z;\n vstore_half(1.0f, at, h);\n\
                  i[1000 * get_sub_group_id() + get_sub_group_local_id()] = 1;\n}\n";
    for version in OF_DEBIAN {
        for target in targets() {
            let [kernel] = &kernels(&clang(version), "k.cu", cuda, &target)[..] else { panic!("{version}") };
            let expected = [(AccessKind::Load, 4, [4, 128]), (AccessKind::Store, 4, [4, 128])];
            assert_eq!(accesses(kernel), expected, "{target} by {version}");
            let [kernel] = &kernels(&clang(version), "k.cl", opencl, &target)[..] else { panic!("{version}") };
            let expected = [
                (AccessKind::Load, 6, [8, 256]),
                (AccessKind::Store, 4, [4, 128]),
                (AccessKind::Load, 6, [6, 192]),
                (AccessKind::Store, 4, [4, 128]),
                (AccessKind::Store, 2, [2, 64]),
                (AccessKind::Store, 4, [4, 4000]),
            ];
            assert_eq!(accesses(kernel), expected, "{target} by {version}");
        }
    }
}

#[test]
fn every_function_of_sub_groups_is_called_by_its_test() {
    let options = "-x cl -target nvptx64-nvidia-cuda -cl-std=CL1.2 -Xclang -cl-ext=+cl_khr_fp16";
    let defined = defined("k.cl", "", options, "overloadable))");
    let of_sub_groups: Vec<_> = defined.iter().filter(|name| name.contains("sub_group")).collect();
    assert!(of_sub_groups.len() > 40, "{of_sub_groups:?}");
    let called = words(OPENCL);
    let forgotten: Vec<_> = of_sub_groups.into_iter().filter(|name| !called.contains(&***name)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn every_function_of_a_header_is_called_by_its_test() {
    for (text, least) in [(FP16, 200), (&*bf16(), 200), (FP8, 10), (HIP, 1)] {
        let includes: String =
            text.lines().filter(|line| line.starts_with("#include")).map(|line| line.to_owned() + "\n").collect();
        let called = words(text);
        let defined = defined_in_cuda(&includes);
        assert!(defined.len() >= least, "{defined:?}");
        let of_others =
            |name: &str| text == FP8 && !name.contains("fp8") || text == HIP && !name.contains("hip_bfloat16");
        // A member that converts has the name of its type.
        let types = ["float", "double", "int", "short", "long", "char", "bool", "float2", "float4"];
        let is_called = |name: &str| match name.strip_prefix("operator") {
            Some(sign) => text.contains(sign),
            None => called.contains(name) || types.contains(&name),
        };
        let forgotten: Vec<_> = defined.iter().filter(|name| !is_called(name) && !of_others(name)).collect();
        assert!(forgotten.is_empty(), "{forgotten:?}");
    }
}
