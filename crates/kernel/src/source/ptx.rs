//! The meanings of PTX's operations in inline assembly.

mod fragment;
mod meant;
mod products;
mod tiles;

use super::ir::{Assembly, AssemblyStatement};
use super::prices::{FAST, Operations};
use super::trace::Asynchronous;
pub(super) use fragment::Fragment;
use meant::SLOT;
pub(super) use meant::{Ptx, TensorField, Untold};
pub(super) use products::{MovedFragment, Product};
use products::{fragments_product, moved_fragment, part_of_warp, product};
pub(super) use tiles::element_bytes;

/// The reason why a matrix instruction has no meaning here.
const NO_PRODUCT: Untold = Untold::Refused("matrix instructions of this shape or type are not known");

/// The reason why an arrival at a barrier has no meaning here: others wait at it.
const OF_A_PART: Untold = Untold::Refused("barriers of a part of the group come in a later version");

/// The effect of an operation; `Err` with the reason if the machine cannot say it, or it is not known.
pub(super) fn meaning(operation: &str) -> Result<Ptx, Untold> {
    let parts: Vec<&str> = operation.split('.').collect();
    if let Some(meant) = tiles::meaning(&parts) {
        return meant;
    }
    match parts[..] {
        ["cp", "async", "commit_group"] => Ok(Ptx::Commit(Asynchronous::Copies)),
        ["cp", "async", "wait_group"] => Ok(Ptx::Wait(Asynchronous::Copies)),
        ["cp", "async", "wait_all"] => Ok(Ptx::WaitAll),
        ["cp", "async", "ca" | "cg", "shared" | "shared::cta", "global", ..] => Ok(Ptx::Copy),
        ["wgmma", "mma_async", "sp", ..] | ["mma", "sp", ..] => {
            Err(Untold::Refused("products of sparse matrices come in a later version"))
        }
        ["wgmma", "mma_async", "sync", "aligned", shape, ref types @ ..] => {
            part_of_warp(shape, types).map(Ptx::MultiplyTogether).ok_or(NO_PRODUCT)
        }
        ["wgmma", "commit_group", ..] => Ok(Ptx::Commit(Asynchronous::Products)),
        ["wgmma", "wait_group", ..] => Ok(Ptx::Wait(Asynchronous::Products)),
        ["tcgen05", ..] => Err(Untold::Refused("tensor memory comes in a later version")),
        ["ldmatrix", "sync", "aligned", "m8n8", ..] => matrices(&parts).map(Ptx::LoadMatrices).ok_or(Untold::Unknown),
        ["stmatrix", "sync", "aligned", "m8n8", ..] => matrices(&parts).map(Ptx::StoreMatrices).ok_or(Untold::Unknown),
        ["mma", "sync", "aligned", shape, _, _, ref of @ ..] => product(shape, of).map(Ptx::Multiply).ok_or(NO_PRODUCT),
        ["wmma", "mma", ref rest @ ..] => fragments_product(rest).map(Ptx::Multiply).ok_or(NO_PRODUCT),
        ["wmma", direction @ ("load" | "store"), letter, ref rest @ ..] => {
            moved_fragment(direction == "store", letter, rest).map(Ptx::MoveFragment).ok_or(NO_PRODUCT)
        }
        ["ld", "global", ..] => bytes(&parts).map(Ptx::Load).ok_or(Untold::Unknown),
        ["st", "global", ..] => bytes(&parts).map(Ptx::Store).ok_or(Untold::Unknown),
        ["ld", "shared" | "shared::cta", ..] => bytes(&parts).map(Ptx::LoadLocal).ok_or(Untold::Unknown),
        ["st", "shared" | "shared::cta", ..] => bytes(&parts).map(Ptx::StoreLocal).ok_or(Untold::Unknown),
        ["atom" | "red", "global", ..] => bytes(&parts).map(Ptx::Atomic).ok_or(Untold::Unknown),
        ["atom" | "red", "shared" | "shared::cta", ..] => bytes(&parts).map(Ptx::AtomicLocal).ok_or(Untold::Unknown),
        ["setp", "ne", _] => Ok(Ptx::Compare { equal: false }),
        ["setp", "eq", _] => Ok(Ptx::Compare { equal: true }),
        // Predicates of other comparisons are not followed.
        // Nor is a policy of caches, which a load takes as an operand: lines are replaced by age here.
        ["setp" | "createpolicy", ..] => Ok(Ptx::Computes(Operations::int32(1))),
        ["div", "full" | "approx", ..] => Ok(Ptx::Computes(FAST)),
        ["cvta", "to", "shared" | "shared::cta", _] => Ok(Ptx::ToLocal),
        ["mov", _] | ["cvt", "u32" | "s32" | "u64" | "s64" | "b32" | "b64", _] => Ok(Ptx::Same),
        ["shfl" | "vote" | "redux" | "match" | "activemask", ..] => Ok(Ptx::Shuffle),
        ["bar" | "barrier", "arrive", ..] | ["barrier", "cta", "arrive", ..] => Err(OF_A_PART),
        ["bar" | "barrier", "sync", ..] | ["barrier", "cta", "sync", ..] => Ok(Ptx::Barrier),
        ["bar", "warp", ..]
        | ["wgmma", "fence", ..]
        | ["fence" | "membar" | "prefetch" | "nanosleep" | "griddepcontrol", ..] => Ok(SLOT),
        ["ex2" | "lg2" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "tanh", ..] => {
            Ok(Ptx::Computes(Operations::special(1)))
        }
        [name, ..] if COMPUTES.contains(&name) => Ok(Ptx::Computes(computed(name, &parts))),
        _ => Err(Untold::Unknown),
    }
}

/// The operations of a text beside its accesses. What is not understood counts as one instruction: the text, or an operation
/// in it.
pub(super) fn price(text: &Assembly) -> Operations {
    let unknown = text.statements.as_ref().map_or(1, |all| all.iter().filter(|one| !is_known(one)).count());
    price_of_known(text).plus(Operations { any: unknown as u64, ..Operations::NONE })
}

/// The operations of those statements of a text that are understood.
pub(super) fn price_of_known(text: &Assembly) -> Operations {
    let price = |statement: &AssemblyStatement| match meaning(&statement.operation) {
        Ok(Ptx::Computes(operations)) => operations,
        Ok(Ptx::Compare { .. }) => Operations::int32(1),
        Ok(Ptx::ExpectBytes | Ptx::AwaitTiles | Ptx::DescribeTensor(_) | Ptx::CopyDescription | Ptx::Elect) => {
            Operations { any: 1, ..Operations::NONE }
        }
        Ok(_) | Err(_) => Operations::NONE,
    };
    text.statements.iter().flatten().fold(Operations::NONE, |sum, statement| sum.plus(price(statement)))
}

/// True if the text and each operation in it are understood: an assumption about its operations says nothing.
#[must_use]
pub fn is_understood(text: &Assembly) -> bool {
    text.statements.as_ref().is_some_and(|all| all.iter().all(is_known))
}

fn is_known(statement: &AssemblyStatement) -> bool {
    meaning(&statement.operation).is_ok()
}

/// Operations on registers, each one instruction.
const COMPUTES: [&str; 31] = [
    "add", "sub", "mul", "mul24", "mad", "mad24", "fma", "min", "max", "neg", "abs", "and", "or", "xor", "not", "shl",
    "shr", "shf", "lop3", "prmt", "bfe", "bfi", "bfind", "brev", "cvt", "selp", "slct", "popc", "clz", "dp4a", "dp2a",
];

/// The operation on the lanes of its type.
fn computed(name: &str, parts: &[&str]) -> Operations {
    let types = || parts.iter().rev();
    let is = |all: &[&str]| types().any(|part| all.contains(part));
    if is(&["f64"]) {
        Operations::fp64(1)
    } else if is(&["f16", "f16x2", "bf16", "bf16x2"]) {
        Operations::fp16(1)
    } else if is(&["f32", "f32x2"]) && name != "cvt" {
        Operations::fp32(1)
    } else if name == "cvt" {
        Operations::special(1)
    } else {
        let wide = is(&["u64", "s64", "b64"]);
        Operations::int32(if wide { 2 } else { 1 })
    }
}

/// The matrices of `.x1`, `.x2`, `.x4`.
fn matrices(parts: &[&str]) -> Option<u64> {
    let number = parts.iter().find_map(|part| part.strip_prefix('x'))?.parse().ok()?;
    [1, 2, 4].contains(&number).then_some(number)
}

/// The bytes of a load or store: of its type, and of the elements of its vector.
fn bytes(parts: &[&str]) -> Option<u64> {
    let of = parts.last()?;
    let (of, packed) = of.strip_suffix("x2").map_or((*of, 1), |of| (of, 2));
    let digits = of.strip_prefix("bf").or_else(|| of.strip_prefix(['b', 'u', 's', 'f']))?;
    let bits: u64 = packed * digits.parse::<u64>().ok()?;
    let elements = match parts.iter().find(|part| matches!(**part, "v2" | "v4" | "v8")) {
        Some(vector) => vector[1..].parse().ok()?,
        None => 1,
    };
    Some(bits / 8 * elements)
}

#[cfg(test)]
mod tests;
