//! The meanings of PTX's operations in inline assembly.

mod fragment;
mod products;

use super::ir::Assembly;
use super::prices::Operations;
use super::trace::Asynchronous;
pub(super) use fragment::Fragment;
pub(super) use products::{MovedFragment, Product};
use products::{fragments_product, moved_fragment, part_of_warp, product};

/// The effect of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ptx {
    /// `cp.async`: work items copy from global to local memory and go on.
    Copy,
    /// The end of a group of copies, or of products of four warps.
    Commit(Asynchronous),
    /// A wait for all such groups but the last ones: their number is the operand, or 0.
    Wait(Asynchronous),
    /// A wait for all copies, also for copies of no group.
    WaitAll,
    /// `ldmatrix` of this many matrices of 8 rows of 16 bytes.
    LoadMatrices(u64),
    /// `stmatrix`.
    StoreMatrices(u64),
    /// `mma` and `wmma.mma`: products of a warp.
    Multiply(Product),
    /// `wgmma`: a warp's part of a product of four warps.
    MultiplyTogether(Product),
    /// `wmma.load` and `wmma.store`.
    MoveFragment(MovedFragment),
    /// A load of this many bytes from global memory.
    Load(u64),
    /// A store of this many bytes to global memory.
    Store(u64),
    /// A load of this many bytes from local memory.
    LoadLocal(u64),
    /// A store of this many bytes to local memory.
    StoreLocal(u64),
    /// A comparison with a predicate as its result.
    Compare {
        /// True if equal operands make the predicate true.
        equal: bool,
    },
    /// The address of local memory that a generic address is.
    ToLocal,
    /// The same value under another type.
    Same,
    /// An exchange between lanes.
    Shuffle,
    /// A barrier of the group.
    Barrier,
    /// Operations on registers.
    Computes(Operations),
}

/// The reason why a matrix instruction has no meaning here.
const NO_PRODUCT: Untold = Untold::Refused("matrix instructions of this shape or type are not known");

/// The effect of an operation; `Err` with the reason if the machine cannot say it, or it is not known.
pub(super) fn meaning(operation: &str) -> Result<Ptx, Untold> {
    let parts: Vec<&str> = operation.split('.').collect();
    let slot = || Ok(Ptx::Computes(Operations { any: 1, ..Operations::NONE }));
    match parts[..] {
        ["cp", "async", "commit_group"] => Ok(Ptx::Commit(Asynchronous::Copies)),
        ["cp", "async", "wait_group"] => Ok(Ptx::Wait(Asynchronous::Copies)),
        ["cp", "async", "wait_all"] => Ok(Ptx::WaitAll),
        ["cp", "async", "ca" | "cg", "shared" | "shared::cta", "global", ..] => Ok(Ptx::Copy),
        ["cp", "async", "bulk", ..] => {
            Err(Untold::Refused("copies by one work item for the group (TMA) come in a later version"))
        }
        ["mbarrier", ..] => Err(Untold::Refused("barriers in local memory come in a later version")),
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
        ["mma", "sync", "aligned", shape, _, _, _, of, ..] => product(shape, of).map(Ptx::Multiply).ok_or(NO_PRODUCT),
        ["wmma", "mma", ref rest @ ..] => fragments_product(rest).map(Ptx::Multiply).ok_or(NO_PRODUCT),
        ["wmma", direction @ ("load" | "store"), letter, ref rest @ ..] => {
            moved_fragment(direction == "store", letter, rest).map(Ptx::MoveFragment).ok_or(NO_PRODUCT)
        }
        ["ld", "global", ..] => bytes(&parts).map(Ptx::Load).ok_or(Untold::Unknown),
        ["st", "global", ..] => bytes(&parts).map(Ptx::Store).ok_or(Untold::Unknown),
        ["ld", "shared" | "shared::cta", ..] => bytes(&parts).map(Ptx::LoadLocal).ok_or(Untold::Unknown),
        ["st", "shared" | "shared::cta", ..] => bytes(&parts).map(Ptx::StoreLocal).ok_or(Untold::Unknown),
        ["setp", "ne", _] => Ok(Ptx::Compare { equal: false }),
        ["setp", "eq", _] => Ok(Ptx::Compare { equal: true }),
        ["cvta", "to", "shared" | "shared::cta", _] => Ok(Ptx::ToLocal),
        ["mov", _] | ["cvt", "u32" | "s32" | "u64" | "s64" | "b32" | "b64", _] => Ok(Ptx::Same),
        ["shfl" | "vote" | "redux" | "match" | "activemask", ..] => Ok(Ptx::Shuffle),
        ["bar" | "barrier", "sync" | "cta", ..] => Ok(Ptx::Barrier),
        ["bar", "warp", ..]
        | ["wgmma", "fence", ..]
        | ["fence" | "membar" | "prefetch" | "nanosleep" | "griddepcontrol", ..] => slot(),
        ["ex2" | "lg2" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "tanh", ..] => {
            Ok(Ptx::Computes(Operations::special(1)))
        }
        [name, ..] if COMPUTES.contains(&name) => Ok(Ptx::Computes(computed(name, &parts))),
        _ => Err(Untold::Unknown),
    }
}

/// The operations of a text beside its accesses. A text that is not understood counts as one instruction.
pub(super) fn price(text: &Assembly) -> Operations {
    let one = Operations { any: 1, ..Operations::NONE };
    let Some(statements) = &text.statements else { return one };
    statements.iter().fold(Operations::NONE, |sum, statement| {
        sum.plus(match meaning(&statement.operation) {
            Ok(Ptx::Computes(operations)) => operations,
            Ok(Ptx::Compare { .. }) => Operations::int32(1),
            Ok(_) => Operations::NONE,
            Err(_) => one,
        })
    })
}

/// The reason why an operation has no meaning here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Untold {
    /// The operation is not in the table.
    Unknown,
    /// The machine cannot say it, for this reason.
    Refused(&'static str),
}

impl Untold {
    pub(super) fn is_unknown(self) -> bool {
        self == Self::Unknown
    }

    /// The reason in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Unknown => "this instruction of inline assembly is not known",
            Self::Refused(why) => why,
        }
    }
}

/// Operations on registers of which each is one instruction.
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
    let bits: u64 = parts.last()?.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok()?;
    let elements = match parts.iter().find(|part| matches!(**part, "v2" | "v4" | "v8")) {
        Some(vector) => vector[1..].parse().ok()?,
        None => 1,
    };
    Some(bits / 8 * elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::matrix_type::{MatrixShape, MatrixType};

    fn assert_rows(rows: &[(&str, Ptx)]) {
        for (operation, expected) in rows {
            assert_eq!(meaning(operation), Ok(*expected), "{operation}");
        }
    }

    /// Every row of the table, but for matrix instructions.
    #[test]
    fn each_operation_has_its_meaning() {
        assert_rows(&[
            ("cp.async.cg.shared.global", Ptx::Copy),
            ("cp.async.ca.shared::cta.global.L2::128B", Ptx::Copy),
            ("cp.async.commit_group", Ptx::Commit(Asynchronous::Copies)),
            ("cp.async.wait_group", Ptx::Wait(Asynchronous::Copies)),
            ("cp.async.wait_all", Ptx::WaitAll),
            ("wgmma.commit_group.sync.aligned", Ptx::Commit(Asynchronous::Products)),
            ("wgmma.wait_group.sync.aligned", Ptx::Wait(Asynchronous::Products)),
            ("wgmma.fence.sync.aligned", Ptx::Computes(Operations { any: 1, ..Operations::NONE })),
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", Ptx::LoadMatrices(4)),
            ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", Ptx::LoadMatrices(2)),
            ("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16", Ptx::LoadMatrices(1)),
            ("stmatrix.sync.aligned.m8n8.x4.shared.b16", Ptx::StoreMatrices(4)),
            ("ld.global.nc.L1::no_allocate.v4.f32", Ptx::Load(16)),
            ("st.global.cs.b64", Ptx::Store(8)),
            ("ld.shared.v2.u32", Ptx::LoadLocal(8)),
            ("st.shared::cta.v4.b32", Ptx::StoreLocal(16)),
            ("st.shared.b16", Ptx::StoreLocal(2)),
            ("setp.ne.b32", Ptx::Compare { equal: false }),
            ("setp.eq.s32", Ptx::Compare { equal: true }),
            ("cvta.to.shared.u64", Ptx::ToLocal),
            ("cvt.u32.u64", Ptx::Same),
            ("mov.u32", Ptx::Same),
            ("shfl.sync.bfly.b32", Ptx::Shuffle),
            ("redux.sync.add.s32", Ptx::Shuffle),
            ("bar.sync", Ptx::Barrier),
            ("barrier.sync.aligned", Ptx::Barrier),
            ("bar.warp.sync", Ptx::Computes(Operations { any: 1, ..Operations::NONE })),
            ("fence.proxy.async", Ptx::Computes(Operations { any: 1, ..Operations::NONE })),
            ("ex2.approx.ftz.f32", Ptx::Computes(Operations::special(1))),
            ("fma.rn.f32", Ptx::Computes(Operations::fp32(1))),
            ("fma.rn.f16x2", Ptx::Computes(Operations::fp16(1))),
            ("cvt.rn.bf16x2.f32", Ptx::Computes(Operations::fp16(1))),
            ("cvt.rna.tf32.f32", Ptx::Computes(Operations::special(1))),
            ("add.f64", Ptx::Computes(Operations::fp64(1))),
            ("lop3.b32", Ptx::Computes(Operations::int32(1))),
            ("add.u64", Ptx::Computes(Operations::int32(2))),
        ]);
    }

    #[test]
    fn matrix_instructions_have_their_shapes_and_types() {
        let fragments = |times, shape, of| Ptx::Multiply(Product { times, shape: MatrixShape(shape), of });
        let multiply = |shape, of| fragments(1, shape, of);
        let moved = |is_store, (letter, layout, shape, of), space| {
            let part = Fragment::new(letter, layout, shape, of).unwrap_or_else(|| panic!("{letter} {of}"));
            Ptx::MoveFragment(MovedFragment { part, space, is_store })
        };
        assert_rows(&[
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", multiply([16, 8, 16], MatrixType::Fp16)),
            ("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", multiply([16, 8, 8], MatrixType::Bf16)),
            ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", multiply([16, 8, 4], MatrixType::Tf32)),
            ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", multiply([8, 8, 4], MatrixType::Fp64)),
            ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", multiply([16, 8, 32], MatrixType::Int8)),
            ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", multiply([16, 8, 32], MatrixType::Fp8)),
            ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", fragments(2, [16, 8, 16], MatrixType::Fp16)),
            ("wmma.mma.sync.row.row.m32n8k16.f16.f16.satfinite", fragments(2, [16, 8, 16], MatrixType::Fp16)),
            ("wmma.mma.sync.aligned.col.row.m8n32k16.f32.bf16.bf16.f32", fragments(2, [16, 8, 16], MatrixType::Bf16)),
            ("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", fragments(4, [16, 8, 4], MatrixType::Tf32)),
            (
                "wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32.satfinite",
                fragments(2, [16, 8, 16], MatrixType::Int8),
            ),
            ("wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64", multiply([8, 8, 4], MatrixType::Fp64)),
            ("wmma.load.a.sync.aligned.row.m16n16k16.f16", moved(false, ("a", "row", [16, 16, 16], "f16"), 0)),
            ("wmma.load.b.sync.aligned.col.m8n32k16.global.s8", moved(false, ("b", "col", [8, 32, 16], "s8"), 1)),
            ("wmma.load.c.sync.aligned.row.m16n16k8.shared.f32", moved(false, ("c", "row", [16, 16, 8], "f32"), 3)),
            ("wmma.store.d.sync.aligned.col.m8n8k4.shared::cta.f64", moved(true, ("d", "col", [8, 8, 4], "f64"), 3)),
        ]);
    }

    #[test]
    fn each_of_four_warps_multiplies_a_quarter_of_the_rows() {
        let part = |shape, of| Ptx::MultiplyTogether(Product { times: 1, shape: MatrixShape(shape), of });
        assert_rows(&[
            ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", part([16, 128, 16], MatrixType::Fp16)),
            ("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", part([16, 8, 16], MatrixType::Fp16)),
            ("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", part([16, 256, 16], MatrixType::Bf16)),
            ("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32", part([16, 64, 8], MatrixType::Tf32)),
            ("wgmma.mma_async.sync.aligned.m64n96k32.f32.e4m3.e5m2", part([16, 96, 32], MatrixType::Fp8)),
            ("wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.u8", part([16, 32, 32], MatrixType::Int8)),
            ("wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8.satfinite", part([16, 32, 32], MatrixType::Int8)),
            ("wgmma.mma_async.sync.aligned.m64n32k32.satfinite.s32.s8.s8", part([16, 32, 32], MatrixType::Int8)),
        ]);
        for unknown in
            ["m32n8k16.f32.f16.f16", "m64n12k16.f32.f16.f16", "m64n264k16.f32.f16.f16", "m64n0k16.f32.f16.f16"]
        {
            let operation = format!("wgmma.mma_async.sync.aligned.{unknown}");
            assert_eq!(meaning(&operation), Err(NO_PRODUCT), "{unknown}");
        }
    }

    #[test]
    fn what_the_machine_cannot_say_is_refused_with_its_reason() {
        for (operation, why) in [
            ("cp.async.bulk.tensor.2d.shared::cluster.global.tile", "TMA"),
            ("mbarrier.try_wait.parity.shared::cta.b64", "barriers in local memory"),
            ("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", "sparse"),
            ("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", "shape or type"),
            ("wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16", "shape or type"),
            ("wgmma.mma_async.sync.aligned", "not known"),
            ("tcgen05.mma.cta_group::1.kind::f16", "tensor memory"),
            ("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sparse"),
            ("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "shape or type"),
            ("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32", "shape or type"),
            ("wmma.mma.sync.aligned.row.col", "shape or type"),
            ("wmma.load.a.sync.aligned.row.m8n8k128.b1", "shape or type"),
            ("wmma.store.d.sync.aligned.row.m16n16k16.global.global.f32", "shape or type"),
            ("wmma.load.a", "shape or type"),
            ("wmma.frob.a", "not known"),
            ("ldmatrix.sync.aligned.m8n8.x8.shared.b16", "not known"),
            ("frob.b32", "not known"),
            ("", "not known"),
        ] {
            let refused = meaning(operation).expect_err(operation);
            assert!(refused.words().contains(why), "{operation}: {refused:?}");
        }
    }
}
