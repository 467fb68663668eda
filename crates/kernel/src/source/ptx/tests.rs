//! The table of operations.

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
        ("setp.lt.s32", Ptx::Computes(Operations::int32(1))),
        ("createpolicy.fractional.L2::evict_last.b64", Ptx::Computes(Operations::int32(1))),
        ("div.full.f32", Ptx::Computes(FAST)),
        ("atom.global.gpu.acq_rel.add.u32", Ptx::Atomic(4)),
        ("atom.global.acq_rel.gpu.cas.b64", Ptx::Atomic(8)),
        ("red.global.gpu.relaxed.add.noftz.f16x2", Ptx::Atomic(4)),
        ("red.global.gpu.relaxed.add.noftz.bf16", Ptx::Atomic(2)),
        ("atom.shared::cta.add.u32", Ptx::AtomicLocal(4)),
        ("cvta.to.shared.u64", Ptx::ToLocal),
        ("cvt.u32.u64", Ptx::Same),
        ("mov.u32", Ptx::Same),
        ("shfl.sync.bfly.b32", Ptx::Shuffle),
        ("redux.sync.add.s32", Ptx::Shuffle),
        ("bar.sync", Ptx::Barrier),
        ("barrier.sync.aligned", Ptx::Barrier),
        ("barrier.cta.sync.aligned", Ptx::Barrier),
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
        ("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", multiply([16, 8, 32], MatrixType::Int8)),
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
fn tiles_barriers_and_descriptions_have_their_meanings() {
    assert_rows(&[
        ("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes", Ptx::LoadTile { is_tensor: true }),
        (
            "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint",
            Ptx::LoadTile { is_tensor: true },
        ),
        ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", Ptx::LoadTile { is_tensor: false }),
        ("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", Ptx::StoreTile { is_tensor: true }),
        ("cp.async.bulk.global.shared::cta.bulk_group", Ptx::StoreTile { is_tensor: false }),
        ("cp.async.bulk.commit_group", SLOT),
        ("cp.async.bulk.wait_group.read", SLOT),
        ("mbarrier.init.shared::cta.b64", SLOT),
        ("mbarrier.inval.shared::cta.b64", SLOT),
        ("mbarrier.arrive.shared::cta.b64", SLOT),
        ("mbarrier.arrive.expect_tx.shared::cta.b64", Ptx::ExpectBytes),
        ("mbarrier.try_wait.parity.shared::cta.b64", Ptx::AwaitTiles),
        ("mbarrier.test_wait.shared.b64", Ptx::AwaitTiles),
        ("tensormap.replace.tile.global_address.shared::cta.b1024.b64", Ptx::DescribeTensor(TensorField::Address)),
        ("tensormap.replace.tile.box_dim.shared::cta.b1024.b32", Ptx::DescribeTensor(TensorField::Box)),
        ("tensormap.replace.tile.global_stride.shared::cta.b1024.b64", Ptx::DescribeTensor(TensorField::Stride)),
        ("tensormap.replace.tile.elemtype.shared::cta.b1024.b32", Ptx::DescribeTensor(TensorField::Type)),
        ("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32", Ptx::DescribeTensor(TensorField::Other)),
        (
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
            Ptx::CopyDescription,
        ),
        ("fence.proxy.tensormap::generic.acquire.gpu", SLOT),
        ("elect.sync", Ptx::Elect),
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
    for unknown in ["m32n8k16.f32.f16.f16", "m64n12k16.f32.f16.f16", "m64n264k16.f32.f16.f16", "m64n0k16.f32.f16.f16"] {
        let operation = format!("wgmma.mma_async.sync.aligned.{unknown}");
        assert_eq!(meaning(&operation), Err(NO_PRODUCT), "{unknown}");
    }
}

#[test]
fn what_the_machine_cannot_say_is_refused_with_its_reason() {
    for (operation, why) in [
        ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", "cluster"),
        ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "cluster"),
        ("cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes", "boxes"),
        ("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes", "boxes"),
        ("cp.async.bulk.frob", "not known"),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "add to memory"),
        ("cp.async.mbarrier.arrive.noinc.shared.b64", "barriers in local memory"),
        ("mbarrier.frob", "not known"),
        ("tensormap.frob", "not known"),
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
