//! The prices of mathematical functions.

use super::super::ir::{Type, Typed};
use super::operations::{Maker, Operations, bits};

/// An approximation by a special function, with the scaling of its argument.
pub(in crate::source) const FAST: Operations = Operations { special: 1, fp32: 2, int32: 1, ..Operations::NONE };

/// The conversions around a function of a 16-bit number, which is computed in single precision.
pub(super) const TO_SINGLE_AND_BACK: Operations = Operations { fp16: 2, ..Operations::NONE };

/// The precise functions of single precision: special functions, operations of single precision, integer operations.
const PRECISE: [(&str, [u64; 3]); 27] = [
    ("sqrt", [1, 4, 10]),
    ("exp", [1, 5, 3]),
    ("exp2", [1, 2, 1]),
    ("exp10", [1, 5, 3]),
    ("expm1", [1, 9, 6]),
    ("log", [0, 15, 13]),
    ("log2", [0, 15, 13]),
    ("log10", [0, 15, 13]),
    ("log1p", [0, 15, 13]),
    ("tanh", [2, 9, 6]),
    ("sinh", [1, 9, 6]),
    ("cosh", [1, 9, 6]),
    ("erf", [1, 9, 20]),
    ("erfc", [1, 9, 20]),
    ("pow", [1, 43, 50]),
    ("pown", [1, 43, 50]),
    ("powr", [1, 43, 50]),
    ("sin", [1, 12, 20]),
    ("cos", [1, 12, 20]),
    ("tan", [2, 24, 40]),
    ("asin", [1, 12, 20]),
    ("acos", [1, 12, 20]),
    ("atan", [1, 12, 20]),
    ("atan2", [1, 16, 27]),
    ("fmod", [2, 22, 49]),
    ("remainder", [2, 22, 49]),
    ("hypot", [1, 6, 10]),
];

/// Functions that are one operation on each element.
const SUMS: [&str; 4] = ["mad", "fma", "fmuladd", "fdim"];

/// Functions that are part of the operation that uses their value.
const FREE: [&str; 8] = ["fabs", "copysign", "select", "as_float", "as_int", "as_uint", "any", "all"];

/// Functions that round.
const ROUNDINGS: [&str; 8] = ["floor", "ceil", "round", "rint", "trunc", "nearbyint", "roundeven", "sign"];

/// Conversions of the headers for numbers of 16 and 8 bits: two numbers become a packed pair by one operation, and the bits
/// of bfloat16 become a float by a shift. The high half of a product of 128 bits is four products and two moves.
const CONVERSIONS: [(&str, Operations); 8] = [
    ("autotune_float_to_bf16", Operations { fp16: 1, ..Operations::NONE }),
    ("autotune_floats_to_bf16", Operations { fp16: 1, ..Operations::NONE }),
    ("autotune_bf16_to_float", Operations { int32: 1, ..Operations::NONE }),
    ("autotune_bits_to_bf16", Operations::NONE),
    ("autotune_floats_to_fp8", Operations { fp16: 1, ..Operations::NONE }),
    ("__mul64hi", Operations { int32: 6, ..Operations::NONE }),
    ("__umul64hi", Operations { int32: 6, ..Operations::NONE }),
    ("autotune_fp8_to_halves", Operations { fp16: 1, ..Operations::NONE }),
];

/// The operations of a function. `whole` is the name in the module, `plain` the name without types.
pub(super) fn price(whole: &str, plain: &str, returns: &Type, arguments: &[Typed], maker: Maker) -> Operations {
    let of = bits(returns);
    let name = base(plain);
    let count = returns.elements();
    if let Some((_, price)) = CONVERSIONS.iter().find(|(known, _)| *known == plain) {
        return *price;
    }
    if SUMS.contains(&name) {
        return Operations::elementwise(returns);
    }
    if FREE.contains(&name) {
        return Operations::NONE;
    }
    if ["fmin", "fmax", "minnum", "maxnum", "minimum", "maximum"].contains(&name) {
        return extreme(returns, maker);
    }
    if ROUNDINGS.contains(&name) || !returns.is_float() {
        return Operations::int32(1).times(count);
    }
    if name == "clamp" {
        return extreme(returns, maker).times(2);
    }
    if ["dot", "length", "distance", "normalize"].contains(&name) {
        let sums = arguments.first().map_or(Operations::NONE, |argument| Operations::elementwise(&argument.of));
        let root = if name == "dot" { Operations::NONE } else { precise("sqrt", of) };
        return sums.plus(root);
    }
    let around = if of == 16 { TO_SINGLE_AND_BACK } else { Operations::NONE };
    if ["rsqrt", "recip"].contains(&name) {
        return Operations::special(1).plus(around).times(count);
    }
    let is_fast = ["native_", "half_", "__"].iter().any(|start| plain.starts_with(start))
        || [".approx", ".div.full"].iter().any(|part| whole.contains(part));
    if is_fast { FAST.plus(around).times(count) } else { precise(name, of).times(count) }
}

/// A precise function of an element of that many bits. One that is not known costs as much as a root.
fn precise(name: &str, bits: u32) -> Operations {
    let known = PRECISE.iter().find(|(known, _)| *known == name).map_or([1, 4, 10], |(_, price)| *price);
    let [special, single, int32] = known;
    match bits {
        // The approximation is as precise as 16 bits.
        16 => FAST.plus(TO_SINGLE_AND_BACK),
        64 => Operations { int32, special, ..Operations::fp64(2 * single) },
        _ => Operations { int32, special, ..Operations::fp32(single) },
    }
}

/// A comparison of each two elements of a type, or the lesser or the greater of them.
pub(super) fn extreme(of: &Type, maker: Maker) -> Operations {
    match (bits(of), maker) {
        (16 | 64, _) | (_, Maker::Other) => Operations::elementwise(of),
        (_, Maker::Nvidia) => Operations::int32(of.elements()),
    }
}

/// A function's name without the marks of languages and compilers.
fn base(plain: &str) -> &str {
    let name = plain.strip_prefix("llvm.").map_or(plain, |rest| {
        let rest = rest.strip_prefix("nvvm.").or_else(|| rest.strip_prefix("amdgcn.")).unwrap_or(rest);
        rest.split('.').next().unwrap_or(rest)
    });
    let marks = ["native_", "half_", "__nv_fast_", "__nv_", "__ocml_", "__"];
    let name = marks.iter().find_map(|mark| name.strip_prefix(mark)).unwrap_or(name);
    match name {
        "ex2" => "exp2",
        "lg2" => "log2",
        "rsq" => "rsqrt",
        "rcp" => "recip",
        _ => name.strip_suffix('f').filter(|short| !["er", "el"].contains(short)).unwrap_or(name),
    }
}
