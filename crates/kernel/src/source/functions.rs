//! The functions that kernels call, by their names.

mod real;
mod rules;
mod whole;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::amdgcn::{self, Amd};
use super::ir::Operator;
pub(super) use rules::{Rule, overflow};
pub(super) use whole::Form;

/// A function's effect on values and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// A barrier of the group.
    Barrier,
    /// A barrier of all groups of the launch.
    GridBarrier,
    /// A barrier of a warp.
    WarpBarrier,
    /// A number that the compiler knows.
    Constant(i64),
    /// No effect: fences, lifetimes, records of the debugger.
    Nothing,
    /// An exchange between the lanes of a warp.
    Shuffle,
    /// An atomic operation on the first argument's address.
    Atomic,
    /// A load of read-only data.
    CachedLoad,
    /// `vloadN`.
    LoadVector,
    /// `vstoreN`.
    StoreVector,
    /// A copy of memory.
    Copy,
    /// Memory set to a value.
    Fill,
    /// The least of two integers.
    Least {
        /// True for integers with a sign.
        signed: bool,
    },
    /// The greatest of two integers.
    Greatest {
        /// True for integers with a sign.
        signed: bool,
    },
    /// A product of integers, and a sum with it.
    Product,
    /// The value without its sign.
    Absolute {
        /// True for integers with a sign.
        signed: bool,
    },
    /// The integer that an operation makes of all elements of a vector.
    Reduce(Operator),
    /// A number of another type.
    Convert,
    /// An integer that a floating-point number is rounded to, by CUDA's names.
    Rounded,
    /// A value that is computed from the arguments alone.
    Computes,
    /// The answer to whether an address lies in local memory, or else in global memory.
    LiesIn {
        /// True for local memory.
        local: bool,
    },
    /// An instruction of AMD's that accesses memory, multiplies matrices or reads other lanes.
    Amd(Amd),
    /// A print, which counts nothing.
    Print,
    /// An end of the kernel that no launch should reach: a trap or a failed assertion.
    Trap,
    /// A function that the machine cannot say, and the reason.
    Refused(&'static str),
    /// A function that is not known.
    Unknown,
}

/// A function by its name in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<'a> {
    /// The name without the types of its arguments.
    pub(super) name: &'a str,
    /// The letters of its arguments' types; empty if the name does not say them.
    types: &'a str,
    pub(super) does: Function,
}

impl Named<'_> {
    /// True if the arguments' integers have a sign, as far as the name says it.
    pub(super) fn is_signed(&self) -> bool {
        is_signed(self.types)
    }
}

/// A conversion of OpenCL's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversion {
    /// True if an integer that it makes has a sign.
    pub(super) signed: bool,
    /// True if what the type does not hold becomes the nearest number of it.
    pub(super) within: bool,
    /// True if a floating-point number that it makes is the nearest one.
    pub(super) is_nearest: bool,
    /// The integer of a floating-point number; `None` if its rounding is not known.
    pub(super) rule: Option<Rule>,
}

/// The conversion of a name such as `convert_uchar4_sat_rte`; `None` for other names.
pub(super) fn conversion(name: &str) -> Option<Conversion> {
    let mut words = name.strip_prefix("convert_")?.split('_');
    let signed = !words.next()?.starts_with('u');
    let (mut within, mut rounding) = (false, "");
    for word in words {
        if word == "sat" { within = true } else { rounding = word }
    }
    let rule = if within { rules::converted_within(rounding) } else { rules::converted(rounding) };
    Some(Conversion { signed, within, is_nearest: matches!(rounding, "" | "rte"), rule })
}

/// The rule that gives the value of a function of known arguments, and true if its integers have a sign; `None`
/// for functions whose values are not followed.
pub(super) fn rule(whole: &str, function: Named<'_>) -> Option<(Rule, bool)> {
    if let Some(name) = whole.strip_prefix("llvm.") {
        return rules::of_llvm(name);
    }
    let name = function.name.strip_prefix("__nv_").unwrap_or(function.name);
    let rule = rules::of_language(name).or_else(|| rules::of_language(name.strip_suffix('f')?))?;
    // CUDA's names say it themselves.
    let is_unsigned = function.does == Function::Rounded && name.contains("2u") || name.starts_with("__u");
    Some((rule, !is_unsigned && function.is_signed()))
}

/// Functions that compute a value from their arguments.
const COMPUTES: [&str; 116] = [
    "sqrt",
    "rsqrt",
    "cbrt",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sinpi",
    "cospi",
    "pow",
    "pown",
    "powr",
    "rootn",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "rcbrt",
    "logb",
    "erfinv",
    "erfcinv",
    "erfcx",
    "normcdf",
    "normcdfinv",
    "j0",
    "j1",
    "y0",
    "y1",
    "nextafter",
    "divide",
    "recip",
    "fabs",
    "floor",
    "ceil",
    "round",
    "rint",
    "trunc",
    "fmod",
    "remainder",
    "mad",
    "fma",
    "fmin",
    "fmax",
    "dot",
    "cross",
    "length",
    "fast_length",
    "distance",
    "normalize",
    "mix",
    "step",
    "smoothstep",
    "sign",
    "clamp",
    "hypot",
    "ldexp",
    "copysign",
    "isnan",
    "isinf",
    "isfinite",
    "isless",
    "isgreater",
    "isequal",
    "islessequal",
    "isgreaterequal",
    "isnotequal",
    "islessgreater",
    "isordered",
    "isunordered",
    "isnormal",
    "signbit",
    "abs_diff",
    "add_sat",
    "sub_sat",
    "mad_sat",
    "upsample",
    "fdim",
    "maxmag",
    "minmag",
    "shuffle",
    "shuffle2",
    "select",
    "bitselect",
    "popcount",
    "clz",
    "ctz",
    "rotate",
    "hadd",
    "rhadd",
    "mul_hi",
    "mad_hi",
    "any",
    "all",
    "autotune_float_to_bf16",
    "autotune_floats_to_bf16",
    "autotune_bf16_to_float",
    "autotune_bits_to_bf16",
    "autotune_floats_to_fp8",
    "autotune_fp8_to_halves",
];

/// The effect of a function of this name.
pub(super) fn function(name: &str) -> Named<'_> {
    let (plain, types) = plain(name);
    let does =
        if let Some(intrinsic) = name.strip_prefix("llvm.") { of_llvm(intrinsic) } else { of_language(plain, types) };
    Named { name: plain, types, does }
}

/// The name of a mangled function, and the letters of its arguments' types.
fn plain(name: &str) -> (&str, &str) {
    let mangled = name.strip_prefix("_Z").and_then(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        rest[digits..].split_at_checked(length)
    });
    mangled.unwrap_or((name, ""))
}

/// True if no letter of the arguments' types is that of an integer without a sign.
fn is_signed(types: &str) -> bool {
    !types.bytes().any(|letter| b"htjmy".contains(&letter))
}

fn of_language(name: &str, types: &str) -> Function {
    let signed = is_signed(types);
    match name {
        "barrier" | "work_group_barrier" | "__syncthreads" => Function::Barrier,
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" | "prefetch" => Function::Nothing,
        "__autotune_sync_grid" => Function::GridBarrier,
        "__autotune_syncwarp" => Function::WarpBarrier,
        "__nvvm_reflect" => Function::Constant(1),
        "min" => Function::Least { signed },
        "max" => Function::Greatest { signed },
        "mul24" | "mad24" => Function::Product,
        "abs" => Function::Absolute { signed },
        "printf" | "vprintf" | "__printf" => Function::Print,
        "__trap" | "__assert_fail" | "__assertfail" | "abort" => Function::Trap,
        "__dp4a" | "__dp2a" | "__byte_perm" | "__clock" | "__mul64hi" | "__umul64hi" => Function::Computes,
        _ if rules::rounded_conversion(name).is_some() => Function::Rounded,
        _ if name.starts_with("vload") => Function::LoadVector,
        _ if name.starts_with("vstore") => Function::StoreVector,
        _ if name.starts_with("atomic_") || name.starts_with("atom_") => Function::Atomic,
        _ if is_shuffle(name) => Function::Shuffle,
        _ if name.starts_with("convert_") || name.starts_with("as_") => Function::Convert,
        _ if computes(name) => Function::Computes,
        _ => refusal(name).map_or(Function::Unknown, Function::Refused),
    }
}

/// The functions that the machine cannot say, and their reasons: whole names, and beginnings of names.
struct RefusedFunctions {
    whole: HashMap<&'static str, &'static str>,
    beginnings: Vec<(&'static str, &'static str)>,
}

static REFUSED: LazyLock<RefusedFunctions> = LazyLock::new(|| {
    let lines = include_str!("functions/refused.txt").lines().filter(|line| !line.starts_with('#'));
    let mut refused = RefusedFunctions { whole: HashMap::new(), beginnings: Vec::new() };
    for (name, why) in lines.filter_map(|line| line.split_once(": ")) {
        match name.strip_suffix('*') {
            Some(beginning) => refused.beginnings.push((beginning, why)),
            None => drop(refused.whole.insert(name, why)),
        }
    }
    refused
});

/// The reason why the machine cannot say a function; `None` if it is not known.
fn refusal(name: &str) -> Option<&'static str> {
    let of_beginning = || REFUSED.beginnings.iter().find(|(beginning, _)| name.starts_with(beginning));
    REFUSED.whole.get(name).copied().or_else(|| of_beginning().map(|(_, why)| *why))
}

fn is_shuffle(name: &str) -> bool {
    ["sub_group", "intel_sub_group", "work_group_", "__shfl", "at___shfl"].iter().any(|start| name.starts_with(start))
}

/// True for functions of mathematics, also in their fast forms.
fn computes(name: &str) -> bool {
    let name = name.strip_prefix("native_").or_else(|| name.strip_prefix("half_")).unwrap_or(name);
    let name = name.strip_prefix("__nv_").or_else(|| name.strip_prefix("__ocml_")).unwrap_or(name);
    COMPUTES.contains(&name) || name.strip_suffix('f').is_some_and(|name| COMPUTES.contains(&name))
}

/// Functions of LLVM without an effect.
const NOTHING: [&str; 10] = [
    "lifetime",
    "dbg",
    "assume",
    "experimental.noalias",
    "nvvm.membar",
    "nvvm.nanosleep",
    "debugtrap",
    "invariant",
    "prefetch",
    "fence",
];

/// The effect of a function of LLVM; `name` is behind `llvm.`.
fn of_llvm(name: &str) -> Function {
    if let Some(name) = name.strip_prefix("amdgcn.") {
        return of_amd(name);
    }
    let starts = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    if starts(&["nvvm.bar.warp.sync"]) {
        Function::WarpBarrier
    } else if starts(&["nvvm.barrier0", "nvvm.barrier.cta", "nvvm.barrier.sync", "nvvm.barrier.n"])
        || name == "nvvm.barrier"
    {
        Function::Barrier
    } else if starts(&["nvvm.ldg.", "nvvm.ldu."]) {
        Function::CachedLoad
    } else if starts(&["nvvm.shfl", "nvvm.vote", "nvvm.match"]) {
        Function::Shuffle
    } else if starts(&["nvvm.isspacep.shared"]) {
        Function::LiesIn { local: true }
    } else if starts(&["nvvm.isspacep.global"]) {
        Function::LiesIn { local: false }
    } else if name == "trap" {
        Function::Trap
    } else if starts(&["nvvm.atomic"]) {
        Function::Atomic
    } else if starts(&["nvvm.tex", "nvvm.suld", "nvvm.sust"]) {
        Function::Refused("textures have caches of their own")
    } else if starts(&["nvvm.cp.async.", "nvvm.mbarrier", "nvvm.wgmma", "nvvm.tcgen05"]) {
        Function::Refused("this function of LLVM for copies, products and barriers comes in a later version")
    } else if starts(&["memcpy", "memmove"]) {
        Function::Copy
    } else if starts(&["memset"]) {
        Function::Fill
    } else if starts(&["smin."]) {
        Function::Least { signed: true }
    } else if starts(&["smax."]) {
        Function::Greatest { signed: true }
    } else if starts(&["umin."]) {
        Function::Least { signed: false }
    } else if starts(&["umax."]) {
        Function::Greatest { signed: false }
    } else if starts(&["abs."]) {
        Function::Absolute { signed: true }
    } else if let Some(operator) = reduction(name) {
        Function::Reduce(operator)
    } else if starts(&NOTHING) {
        Function::Nothing
    } else {
        Function::Computes
    }
}

/// The operation of a reduction of integers, as `vector.reduce.or.v4i32`; `None` for other names.
fn reduction(name: &str) -> Option<Operator> {
    let (operation, _) = name.strip_prefix("vector.reduce.")?.split_once('.')?;
    match operation {
        "add" => Some(Operator::Add),
        "mul" => Some(Operator::Mul),
        "and" => Some(Operator::And),
        "or" => Some(Operator::Or),
        "xor" => Some(Operator::Xor),
        _ => None,
    }
}

/// The effect of an instruction of AMD's; `name` is behind `llvm.amdgcn.`.
fn of_amd(name: &str) -> Function {
    if name == "is.shared" {
        return Function::LiesIn { local: true };
    }
    match amdgcn::meaning(name) {
        Ok(Amd::Shuffle) => Function::Shuffle,
        Ok(Amd::Barrier) => Function::Barrier,
        Ok(Amd::Atomic) => Function::Atomic,
        Ok(Amd::Nothing) => Function::Nothing,
        Ok(Amd::Computes) => Function::Computes,
        Ok(does) => Function::Amd(does),
        Err(why) => Function::Refused(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_refused_with_their_reasons() {
        assert_eq!(function("malloc").does, Function::Refused("it takes memory while the kernel runs"));
        assert_eq!(function("_Z11read_imagef").does, Function::Refused("images have caches of their own"));
        assert!(matches!(function("wmma::mma_sync").does, Function::Refused(why) if why.ends_with("by these names")));
        assert!(matches!(function("grid_group::sync").does, Function::Refused(why) if why.starts_with("it joins")));
        assert_eq!(function("mallocate").does, Function::Unknown, "a whole name");
        let lines = include_str!("functions/refused.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(REFUSED.whole.len() + REFUSED.beginnings.len(), lines, "each line is understood");
    }
}
