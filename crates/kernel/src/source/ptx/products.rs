//! The shapes and types of matrix instructions, by their names in PTX.

use super::fragment::Fragment;
use crate::source::matrix_type::{MatrixShape, MatrixType};

/// Matrix instructions of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) struct Product {
    /// The number of instructions.
    pub(in crate::source) times: u64,
    /// M, N and K of each.
    pub(in crate::source) shape: MatrixShape,
    /// The type of the factors.
    pub(in crate::source) of: MatrixType,
}

/// A part of a matrix on its way between registers and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) struct MovedFragment {
    pub(in crate::source) part: Fragment,
    /// The space of the memory; 0 is any.
    pub(in crate::source) space: u32,
    pub(in crate::source) is_store: bool,
}

/// M, N and K of a shape such as `m16n8k16`.
fn extents(shape: &str) -> Option<[u16; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// The type of the factors of a product, by its name in PTX.
fn factor(of: &str) -> Option<MatrixType> {
    Some(match of {
        "f16" => MatrixType::Fp16,
        "bf16" => MatrixType::Bf16,
        "tf32" => MatrixType::Tf32,
        "f64" => MatrixType::Fp64,
        "s8" | "u8" => MatrixType::Int8,
        "e4m3" | "e5m2" => MatrixType::Fp8,
        _ => return None,
    })
}

/// The type of a product's factors, by the types of the sum and the factors. `satfinite` among them limits a sum of integers, at
/// the same rate.
fn factors(types: &[&str]) -> Option<MatrixType> {
    factor(types.iter().filter(|part| **part != "satfinite").nth(1)?)
}

/// `mma`: a product of a shape such as `m16n8k16`, by the types of the sum and the factors.
pub(super) fn product(shape: &str, types: &[&str]) -> Option<Product> {
    Some(Product { times: 1, shape: MatrixShape(extents(shape)?), of: factors(types)? })
}

/// Warps that execute a `wgmma` together, each for its part of the rows.
const WARPS_TOGETHER: u16 = 4;

/// Rows of a `wgmma`.
const ROWS_TOGETHER: u16 = 64;

/// The most columns of a `wgmma`.
const MOST_COLUMNS: u16 = 256;

/// Bytes along K that a `wgmma` multiplies.
const BYTES_ALONG_K: u64 = 32;

/// `wgmma.mma_async`: a warp's part of a shape such as `m64n128k16`, of the types of the sum and the factors. `None` if there
/// is no such instruction.
pub(super) fn part_of_warp(shape: &str, types: &[&str]) -> Option<Product> {
    let [m, n, k] = extents(shape)?;
    let of = factors(types)?;
    let is_known = m == ROWS_TOGETHER
        && (1..=MOST_COLUMNS).contains(&n)
        && n.is_multiple_of(8)
        && u64::from(k) * of.bytes() == BYTES_ALONG_K
        && of != MatrixType::Fp64;
    is_known.then_some(Product { times: 1, shape: MatrixShape([m / WARPS_TOGETHER, n, k]), of })
}

/// `wmma.mma` as NVIDIA's assembler makes it for `sm_80`: two instructions of half the product each, four of tf32 and one
/// of double precision. The types are those of the sum, the factors and what is added, or those of the sums alone if the
/// factors are fp16.
pub(super) fn fragments_product(rest: &[&str]) -> Option<Product> {
    let rest: Vec<&str> = rest.iter().copied().filter(|part| !matches!(*part, "sync" | "aligned" | "rn")).collect();
    let ["row" | "col", "row" | "col", shape, ref types @ ..] = rest[..] else { return None };
    let of = match types {
        ["f16" | "f32", "f16" | "f32", ..] => MatrixType::Fp16,
        [_, of, ..] => factor(of)?,
        _ => return None,
    };
    let each = match of {
        MatrixType::Fp64 => MatrixShape([8, 8, 4]),
        MatrixType::Tf32 => MatrixShape([16, 8, 4]),
        _ => MatrixShape([16, 8, 16]),
    };
    let all = MatrixShape(extents(shape)?).products();
    (all.is_multiple_of(each.products())).then_some(Product { times: all / each.products(), shape: each, of })
}

/// The fragment of `wmma.load` or `wmma.store`.
pub(super) fn moved_fragment(is_store: bool, letter: &str, rest: &[&str]) -> Option<MovedFragment> {
    let rest: Vec<&str> = rest.iter().copied().filter(|part| !matches!(*part, "sync" | "aligned")).collect();
    let (layout, shape, space, of) = match rest[..] {
        [layout, shape, of] => (layout, shape, 0, of),
        [layout, shape, "global", of] => (layout, shape, 1, of),
        [layout, shape, "shared" | "shared::cta", of] => (layout, shape, 3, of),
        _ => return None,
    };
    Some(MovedFragment { part: Fragment::new(letter, layout, extents(shape)?.map(u64::from), of)?, space, is_store })
}
