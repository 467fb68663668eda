//! Functions of numbers by their names: the value that follows from known arguments.

use super::real;
use super::whole::{self, Form};
use crate::source::value::Number;

/// The value of a function of numbers; `None` where it is not defined or not known.
pub(in crate::source) type Rule = fn(&Form, &[Number]) -> Option<Number>;

/// A function of OpenCL, CUDA or HIP by its name without types.
#[expect(
    clippy::too_many_lines,
    clippy::float_cmp,
    reason = "a table of names, and comparisons that the language defines"
)]
pub(super) fn of_language(name: &str) -> Option<Rule> {
    let rule: Rule = match name {
        "abs_diff" => whole::abs_diff,
        "add_sat" => whole::add_sat,
        "sub_sat" => whole::sub_sat,
        "mad_sat" => whole::mad_sat,
        "hadd" => whole::hadd,
        "rhadd" => whole::rhadd,
        "mul_hi" | "__mul64hi" | "__umul64hi" => whole::mul_hi,
        "mad_hi" => whole::mad_hi,
        "popcount" => whole::popcount,
        "clz" => whole::clz,
        "ctz" => whole::ctz,
        "rotate" => whole::rotate,
        "upsample" => whole::upsample,
        "bitselect" => real::bitselect,
        "__byte_perm" => whole::byte_perm,
        "min" | "fmin" => real::fmin,
        "max" | "fmax" => real::fmax,
        "clamp" => real::clamp,
        "fabs" => real::fabs,
        "sign" => real::sign,
        "floor" => real::floor,
        "ceil" => real::ceil,
        "trunc" => real::trunc,
        "round" => real::round,
        "rint" => real::rint,
        "fmod" => real::fmod,
        "fdim" => real::fdim,
        "fma" => real::fma,
        "mad" => real::multiply_add,
        "step" => real::step,
        "copysign" => real::copysign,
        "ldexp" => real::ldexp,
        "maxmag" => real::maxmag,
        "minmag" => real::minmag,
        "isless" => |form, numbers| real::compared(form, numbers, |left, right| left < right),
        "islessequal" => |form, numbers| real::compared(form, numbers, |left, right| left <= right),
        "isgreater" => |form, numbers| real::compared(form, numbers, |left, right| left > right),
        "isgreaterequal" => |form, numbers| real::compared(form, numbers, |left, right| left >= right),
        "isequal" => |form, numbers| real::compared(form, numbers, |left, right| left == right),
        "isnotequal" => |form, numbers| real::compared(form, numbers, |left, right| left != right),
        "islessgreater" => |form, numbers| real::compared(form, numbers, |left, right| left != right),
        "isordered" => |form, numbers| real::compared(form, numbers, |left, right| !left.is_nan() && !right.is_nan()),
        "isunordered" => |form, numbers| real::compared(form, numbers, |left, right| left.is_nan() || right.is_nan()),
        "isnan" => |form, numbers| real::tested(form, numbers, f64::is_nan),
        "isinf" => |form, numbers| real::tested(form, numbers, f64::is_infinite),
        "isfinite" => |form, numbers| real::tested(form, numbers, f64::is_finite),
        "isnormal" => real::isnormal,
        "signbit" => |form, numbers| real::tested(form, numbers, f64::is_sign_negative),
        _ => return rounded_conversion(name),
    };
    Some(rule)
}

/// CUDA's conversions that round in another way than the language: `__float2int_rn`.
pub(super) fn rounded_conversion(name: &str) -> Option<Rule> {
    let (rest, rounding) = name.strip_prefix("__")?.rsplit_once('_')?;
    let (from, to) = rest.split_once('2')?;
    let is_known = matches!(from, "float" | "double") && matches!(to, "int" | "uint" | "ll" | "ull");
    converted(rounding).filter(|_| is_known)
}

/// A conversion to an integer with a rounding of OpenCL's or CUDA's names; none of OpenCL's rounds towards zero.
pub(super) fn converted(rounding: &str) -> Option<Rule> {
    let rule: Rule = match rounding {
        "" | "rtz" | "rz" => |form, numbers| real::to_whole(form, numbers, f64::trunc),
        "rte" | "rn" => |form, numbers| real::to_whole(form, numbers, f64::round_ties_even),
        "rtp" | "ru" | "rp" => |form, numbers| real::to_whole(form, numbers, f64::ceil),
        "rtn" | "rd" | "rm" => |form, numbers| real::to_whole(form, numbers, f64::floor),
        _ => return None,
    };
    Some(rule)
}

/// A conversion that gives the nearest integer of the type for numbers beyond it.
pub(super) fn converted_within(rounding: &str) -> Option<Rule> {
    let rule: Rule = match rounding {
        "" | "rtz" => |form, numbers| real::to_whole_within(form, numbers, f64::trunc),
        "rte" => |form, numbers| real::to_whole_within(form, numbers, f64::round_ties_even),
        "rtp" => |form, numbers| real::to_whole_within(form, numbers, f64::ceil),
        "rtn" => |form, numbers| real::to_whole_within(form, numbers, f64::floor),
        _ => return None,
    };
    Some(rule)
}

/// A function of LLVM by its name behind `llvm.`, and true if its integers have a sign.
pub(super) fn of_llvm(name: &str) -> Option<(Rule, bool)> {
    if let Some(rest) = name.strip_prefix("nvvm.") {
        return of_nvidia(rest);
    }
    if let Some(rest) = name.strip_prefix("amdgcn.") {
        return of_amd(rest);
    }
    // The types stand behind the last word of a name.
    let words: Vec<&str> = name.split('.').collect();
    let found: (Rule, bool) = match words[..] {
        ["ctpop", ..] => (whole::popcount, false),
        // Where LLVM leaves the value of 0 open, no kernel uses it.
        ["ctlz", ..] => (whole::clz, false),
        ["cttz", ..] => (whole::ctz, false),
        ["bitreverse", ..] => (whole::bitreverse, false),
        ["bswap", ..] => (whole::bswap, false),
        ["fshl", ..] => (whole::fshl, false),
        ["fshr", ..] => (whole::fshr, false),
        ["uadd", "sat", ..] => (whole::add_sat, false),
        ["sadd", "sat", ..] => (whole::add_sat, true),
        ["ssub", "sat", ..] => (whole::sub_sat, true),
        ["ushl", "sat", ..] => (whole::shl_sat, false),
        ["sshl", "sat", ..] => (whole::shl_sat, true),
        ["scmp", ..] => (whole::order, true),
        ["ucmp", ..] => (whole::order, false),
        ["expect" | "annotation" | "canonicalize", ..] | ["ssa", "copy", ..] | ["arithmetic", "fence", ..] => {
            (first, true)
        }
        ["fabs", ..] => (real::fabs, true),
        ["floor", ..] => (real::floor, true),
        ["ceil", ..] => (real::ceil, true),
        ["trunc", ..] => (real::trunc, true),
        ["round", ..] => (real::round, true),
        ["rint" | "nearbyint" | "roundeven", ..] => (real::rint, true),
        ["lround" | "llround", ..] => (|form, numbers| real::to_whole(form, numbers, f64::round), true),
        ["lrint" | "llrint", ..] => (|form, numbers| real::to_whole(form, numbers, f64::round_ties_even), true),
        ["copysign", ..] => (real::copysign, true),
        ["minnum" | "minimumnum", ..] => (real::fmin, true),
        ["maxnum" | "maximumnum", ..] => (real::fmax, true),
        ["minimum", ..] => (real::minimum, true),
        ["maximum", ..] => (real::maximum, true),
        ["fma", ..] => (real::fma, true),
        ["fmuladd", ..] => (real::multiply_add, true),
        ["ldexp", ..] => (real::ldexp, true),
        ["fptosi", "sat", ..] => (|form, numbers| real::to_whole_within(form, numbers, f64::trunc), true),
        ["fptoui", "sat", ..] => (|form, numbers| real::to_whole_within(form, numbers, f64::trunc), false),
        ["is", "fpclass", ..] => (real::is_class, true),
        _ => return None,
    };
    Some(found)
}

/// The overflow of an operation: `sadd.with.overflow`.
pub(in crate::source) fn overflow(name: &str) -> Option<(crate::source::ir::Operator, Rule, bool)> {
    use crate::source::ir::Operator::{Add, Mul, Sub};
    let (operation, rest) = name.split_once('.')?;
    rest.strip_prefix("with.overflow")?;
    Some(match operation {
        "sadd" => (Add, whole::add_overflows, true),
        "uadd" => (Add, whole::add_overflows, false),
        "ssub" => (Sub, whole::sub_overflows, true),
        "usub" => (Sub, whole::sub_overflows, false),
        "smul" => (Mul, whole::mul_overflows, true),
        "umul" => (Mul, whole::mul_overflows, false),
        _ => return None,
    })
}

/// A function of NVIDIA's by its name behind `llvm.nvvm.`.
fn of_nvidia(name: &str) -> Option<(Rule, bool)> {
    let words: Vec<&str> = name.split('.').collect();
    let is_signed = |letters: &str| !letters.starts_with('u');
    let found: (Rule, bool) = match words[..] {
        ["mulhi", of] => (whole::mul_hi, is_signed(of)),
        ["mul24", of] => (whole::mul24, is_signed(of)),
        ["sad", of, ..] => (whole::sad, is_signed(of)),
        ["abs", "i" | "ll" | "s"] => (whole::abs, true),
        ["min", of @ ("i" | "ll" | "s" | "ui" | "ull" | "us")] => (whole::least, is_signed(of)),
        ["max", of @ ("i" | "ll" | "s" | "ui" | "ull" | "us")] => (whole::greatest, is_signed(of)),
        ["popc", ..] => (whole::popcount, false),
        ["clz", ..] => (whole::clz, false),
        ["brev32" | "brev64"] => (whole::bitreverse, false),
        ["prmt"] => (whole::byte_perm, false),
        ["rotate", "b32" | "b64"] => (whole::rotate, false),
        ["rotate", "right", "b64"] => (whole::rotate_right, false),
        ["floor", ..] => (real::floor, true),
        ["ceil", ..] => (real::ceil, true),
        ["trunc", ..] => (real::trunc, true),
        // PTX rounds to the nearest even integer.
        ["round", ..] => (real::rint, true),
        ["fabs", ..] => (real::fabs, true),
        ["fmin", "f" | "d"] | ["fmin", "ftz", "f"] => (real::fmin, true),
        ["fmax", "f" | "d"] | ["fmax", "ftz", "f"] => (real::fmax, true),
        ["saturate", ..] => (real::saturate, true),
        ["fma", "rn", ..] => (real::fma, true),
        ["add", "rn", ..] => (|form, numbers| real::operation(form, numbers, crate::source::ir::Operator::FAdd), true),
        ["mul", "rn", ..] => (|form, numbers| real::operation(form, numbers, crate::source::ir::Operator::FMul), true),
        ["div", "rn", ..] => (|form, numbers| real::operation(form, numbers, crate::source::ir::Operator::FDiv), true),
        ["bitcast", ..] => (real::same_bits, true),
        ["f2i" | "d2i" | "f2ll" | "d2ll", rounding, ..] => (converted(rounding)?, true),
        ["f2ui" | "d2ui" | "f2ull" | "d2ull", rounding, ..] => (converted(rounding)?, false),
        ["i2f" | "i2d" | "ll2f" | "ll2d", "rn"] => (real::of_whole, true),
        ["ui2f" | "ui2d" | "ull2f" | "ull2d", "rn"] => (real::of_whole, false),
        _ => return None,
    };
    Some(found)
}

/// A function of AMD's by its name behind `llvm.amdgcn.`.
fn of_amd(name: &str) -> Option<(Rule, bool)> {
    let words: Vec<&str> = name.split('.').collect();
    let found: (Rule, bool) = match words[..] {
        ["mul", "i24"] => (whole::mul24, true),
        ["mul", "u24"] => (whole::mul24, false),
        ["mulhi", "i24"] => (whole::mul24_hi, true),
        ["mulhi", "u24"] => (whole::mul24_hi, false),
        ["ubfe", ..] => (whole::bit_field, false),
        ["sbfe", ..] => (whole::bit_field, true),
        ["sad", "u16"] => (|form, numbers| whole::sad_of_parts(form, numbers, 16), false),
        ["sad", "u8"] => (|form, numbers| whole::sad_of_parts(form, numbers, 8), false),
        ["sad", "hi", "u8"] => (whole::sad_above, false),
        ["alignbit"] => (whole::fshr, false),
        ["alignbyte"] => (whole::alignbyte, false),
        ["lerp"] => (whole::lerp, false),
        ["perm"] => (whole::permuted, false),
        ["fmed3", ..] => (real::median, true),
        _ => return None,
    };
    Some(found)
}

/// The first argument.
fn first(_: &Form, numbers: &[Number]) -> Option<Number> {
    numbers.first().copied()
}
