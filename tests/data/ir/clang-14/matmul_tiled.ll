; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64"

@matmul_tiled.As = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4
@matmul_tiled.Bs = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @matmul_tiled(float addrspace(1)* noalias nocapture noundef readonly %A, float addrspace(1)* noalias nocapture noundef readonly %B, float addrspace(1)* noalias nocapture noundef writeonly %C) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #4, !dbg !16
  %conv = trunc i64 %call to i32, !dbg !16
  %call1 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 1) #4, !dbg !17
  %conv2 = trunc i64 %call1 to i32, !dbg !17
  %call3 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 1) #4, !dbg !18
  %mul = shl i64 %call3, 3, !dbg !19
  %add = add i64 %mul, %call1, !dbg !20
  %conv5 = trunc i64 %add to i32, !dbg !18
  %call6 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #4, !dbg !21
  %conv9 = sext i32 %conv to i64, !dbg !22
  %call6.tr = trunc i64 %call6 to i32, !dbg !21
  %0 = shl i32 %call6.tr, 3, !dbg !21
  %conv11 = add i32 %0, %conv, !dbg !21
  %mul20 = shl nsw i32 %conv5, 6
  %idxprom26 = sext i32 %conv2 to i64
  %arrayidx29 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %conv9
  %arrayidx52 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom26, i64 %conv9
  %add19.1 = shl i32 %conv5, 6
  %mul20.1 = add i32 %add19.1, 256
  %add25.1 = add nsw i32 %conv2, 4
  %idxprom26.1 = sext i32 %add25.1 to i64
  %arrayidx29.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %conv9
  %arrayidx52.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom26.1, i64 %conv9
  %add23 = add i32 %mul20, %conv, !dbg !23
  %idxprom = sext i32 %add23 to i64, !dbg !24
  %arrayidx = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom, !dbg !24
  %1 = load float, float addrspace(1)* %arrayidx, align 4, !dbg !24, !tbaa !25
  store float %1, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %mul39 = shl nsw i32 %conv2, 6, !dbg !30
  %add40 = add nsw i32 %mul39, %conv11, !dbg !31
  %idxprom43 = sext i32 %add40 to i64, !dbg !32
  %arrayidx44 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43, !dbg !32
  %2 = load float, float addrspace(1)* %arrayidx44, align 4, !dbg !32, !tbaa !25
  store float %2, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1 = add i32 %mul20.1, %conv, !dbg !23
  %idxprom.1 = sext i32 %add23.1 to i64, !dbg !24
  %arrayidx.1 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1, !dbg !24
  %3 = load float, float addrspace(1)* %arrayidx.1, align 4, !dbg !24, !tbaa !25
  store float %3, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %mul39.1 = shl nsw i32 %add25.1, 6, !dbg !30
  %add40.1 = add nsw i32 %mul39.1, %conv11, !dbg !31
  %idxprom43.1 = sext i32 %add40.1 to i64, !dbg !32
  %arrayidx44.1 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1, !dbg !32
  %4 = load float, float addrspace(1)* %arrayidx44.1, align 4, !dbg !32, !tbaa !25
  store float %4, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader, !dbg !35

for.cond62.preheader:                             ; preds = %for.cond62.preheader, %entry
  %sum.sroa.12.1 = phi float [ 0.000000e+00, %entry ], [ %24, %for.cond62.preheader ], !dbg !36
  %sum.sroa.0.1 = phi float [ 0.000000e+00, %entry ], [ %22, %for.cond62.preheader ], !dbg !36
  %k.0183 = phi i32 [ 0, %entry ], [ %inc97.3, %for.cond62.preheader ]
  %idxprom77 = zext i32 %k.0183 to i64
  %arrayidx84 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77, i64 %conv9
  %5 = load float, float addrspace(3)* %arrayidx84, align 4, !tbaa !25
  %arrayidx78 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77, !dbg !37
  %6 = load float, float addrspace(3)* %arrayidx78, align 4, !dbg !37, !tbaa !25
  %7 = tail call float @llvm.fmuladd.f32(float %6, float %5, float %sum.sroa.0.1), !dbg !38
  %arrayidx78.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77, !dbg !37
  %8 = load float, float addrspace(3)* %arrayidx78.1, align 4, !dbg !37, !tbaa !25
  %9 = tail call float @llvm.fmuladd.f32(float %8, float %5, float %sum.sroa.12.1), !dbg !38
  %inc97 = or i32 %k.0183, 1, !dbg !39
  %idxprom77.1 = zext i32 %inc97 to i64
  %arrayidx84.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1, i64 %conv9
  %10 = load float, float addrspace(3)* %arrayidx84.1, align 4, !tbaa !25
  %arrayidx78.1186 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1, !dbg !37
  %11 = load float, float addrspace(3)* %arrayidx78.1186, align 4, !dbg !37, !tbaa !25
  %12 = tail call float @llvm.fmuladd.f32(float %11, float %10, float %7), !dbg !38
  %arrayidx78.1.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1, !dbg !37
  %13 = load float, float addrspace(3)* %arrayidx78.1.1, align 4, !dbg !37, !tbaa !25
  %14 = tail call float @llvm.fmuladd.f32(float %13, float %10, float %9), !dbg !38
  %inc97.1 = or i32 %k.0183, 2, !dbg !39
  %idxprom77.2 = zext i32 %inc97.1 to i64
  %arrayidx84.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2, i64 %conv9
  %15 = load float, float addrspace(3)* %arrayidx84.2, align 4, !tbaa !25
  %arrayidx78.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2, !dbg !37
  %16 = load float, float addrspace(3)* %arrayidx78.2, align 4, !dbg !37, !tbaa !25
  %17 = tail call float @llvm.fmuladd.f32(float %16, float %15, float %12), !dbg !38
  %arrayidx78.1.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2, !dbg !37
  %18 = load float, float addrspace(3)* %arrayidx78.1.2, align 4, !dbg !37, !tbaa !25
  %19 = tail call float @llvm.fmuladd.f32(float %18, float %15, float %14), !dbg !38
  %inc97.2 = or i32 %k.0183, 3, !dbg !39
  %idxprom77.3 = zext i32 %inc97.2 to i64
  %arrayidx84.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3, i64 %conv9
  %20 = load float, float addrspace(3)* %arrayidx84.3, align 4, !tbaa !25
  %arrayidx78.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3, !dbg !37
  %21 = load float, float addrspace(3)* %arrayidx78.3, align 4, !dbg !37, !tbaa !25
  %22 = tail call float @llvm.fmuladd.f32(float %21, float %20, float %17), !dbg !38
  %arrayidx78.1.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3, !dbg !37
  %23 = load float, float addrspace(3)* %arrayidx78.1.3, align 4, !dbg !37, !tbaa !25
  %24 = tail call float @llvm.fmuladd.f32(float %23, float %20, float %19), !dbg !38
  %inc97.3 = add nuw nsw i32 %k.0183, 4, !dbg !39
  %cmp57.3 = icmp ult i32 %inc97.2, 7, !dbg !40
  br i1 %cmp57.3, label %for.cond62.preheader, label %for.cond.cleanup59, !dbg !35, !llvm.loop !41

for.cond.cleanup59:                               ; preds = %for.cond62.preheader
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.1 = add i32 %conv, 8
  %add23.1201 = add i32 %add22.1, %mul20, !dbg !23
  %idxprom.1202 = sext i32 %add23.1201 to i64, !dbg !24
  %arrayidx.1203 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1202, !dbg !24
  %25 = load float, float addrspace(1)* %arrayidx.1203, align 4, !dbg !24, !tbaa !25
  store float %25, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.1204 = shl i32 %conv2, 6, !dbg !30
  %mul39.1205 = add i32 %add38.1204, 512, !dbg !30
  %add40.1206 = add nsw i32 %mul39.1205, %conv11, !dbg !31
  %idxprom43.1207 = sext i32 %add40.1206 to i64, !dbg !32
  %arrayidx44.1208 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1207, !dbg !32
  %26 = load float, float addrspace(1)* %arrayidx44.1208, align 4, !dbg !32, !tbaa !25
  store float %26, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.1 = add i32 %add22.1, %mul20.1, !dbg !23
  %idxprom.1.1 = sext i32 %add23.1.1 to i64, !dbg !24
  %arrayidx.1.1 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.1, !dbg !24
  %27 = load float, float addrspace(1)* %arrayidx.1.1, align 4, !dbg !24, !tbaa !25
  store float %27, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.1 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.1 = add i32 %add38.1.1, 768, !dbg !30
  %add40.1.1 = add nsw i32 %mul39.1.1, %conv11, !dbg !31
  %idxprom43.1.1 = sext i32 %add40.1.1 to i64, !dbg !32
  %arrayidx44.1.1 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.1, !dbg !32
  %28 = load float, float addrspace(1)* %arrayidx44.1.1, align 4, !dbg !32, !tbaa !25
  store float %28, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.1, !dbg !35

for.cond62.preheader.1:                           ; preds = %for.cond62.preheader.1, %for.cond.cleanup59
  %sum.sroa.12.1.1 = phi float [ %24, %for.cond.cleanup59 ], [ %48, %for.cond62.preheader.1 ], !dbg !36
  %sum.sroa.0.1.1 = phi float [ %22, %for.cond.cleanup59 ], [ %46, %for.cond62.preheader.1 ], !dbg !36
  %k.0183.1 = phi i32 [ 0, %for.cond.cleanup59 ], [ %inc97.3.1, %for.cond62.preheader.1 ]
  %idxprom77.1209 = zext i32 %k.0183.1 to i64
  %arrayidx84.1210 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1209, i64 %conv9
  %29 = load float, float addrspace(3)* %arrayidx84.1210, align 4, !tbaa !25
  %arrayidx78.1211 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1209, !dbg !37
  %30 = load float, float addrspace(3)* %arrayidx78.1211, align 4, !dbg !37, !tbaa !25
  %31 = tail call float @llvm.fmuladd.f32(float %30, float %29, float %sum.sroa.0.1.1), !dbg !38
  %arrayidx78.1.1212 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1209, !dbg !37
  %32 = load float, float addrspace(3)* %arrayidx78.1.1212, align 4, !dbg !37, !tbaa !25
  %33 = tail call float @llvm.fmuladd.f32(float %32, float %29, float %sum.sroa.12.1.1), !dbg !38
  %inc97.1213 = or i32 %k.0183.1, 1, !dbg !39
  %idxprom77.1.1 = zext i32 %inc97.1213 to i64
  %arrayidx84.1.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.1, i64 %conv9
  %34 = load float, float addrspace(3)* %arrayidx84.1.1, align 4, !tbaa !25
  %arrayidx78.1186.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.1, !dbg !37
  %35 = load float, float addrspace(3)* %arrayidx78.1186.1, align 4, !dbg !37, !tbaa !25
  %36 = tail call float @llvm.fmuladd.f32(float %35, float %34, float %31), !dbg !38
  %arrayidx78.1.1.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.1, !dbg !37
  %37 = load float, float addrspace(3)* %arrayidx78.1.1.1, align 4, !dbg !37, !tbaa !25
  %38 = tail call float @llvm.fmuladd.f32(float %37, float %34, float %33), !dbg !38
  %inc97.1.1 = or i32 %k.0183.1, 2, !dbg !39
  %idxprom77.2.1 = zext i32 %inc97.1.1 to i64
  %arrayidx84.2.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.1, i64 %conv9
  %39 = load float, float addrspace(3)* %arrayidx84.2.1, align 4, !tbaa !25
  %arrayidx78.2.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.1, !dbg !37
  %40 = load float, float addrspace(3)* %arrayidx78.2.1, align 4, !dbg !37, !tbaa !25
  %41 = tail call float @llvm.fmuladd.f32(float %40, float %39, float %36), !dbg !38
  %arrayidx78.1.2.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.1, !dbg !37
  %42 = load float, float addrspace(3)* %arrayidx78.1.2.1, align 4, !dbg !37, !tbaa !25
  %43 = tail call float @llvm.fmuladd.f32(float %42, float %39, float %38), !dbg !38
  %inc97.2.1 = or i32 %k.0183.1, 3, !dbg !39
  %idxprom77.3.1 = zext i32 %inc97.2.1 to i64
  %arrayidx84.3.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.1, i64 %conv9
  %44 = load float, float addrspace(3)* %arrayidx84.3.1, align 4, !tbaa !25
  %arrayidx78.3.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.1, !dbg !37
  %45 = load float, float addrspace(3)* %arrayidx78.3.1, align 4, !dbg !37, !tbaa !25
  %46 = tail call float @llvm.fmuladd.f32(float %45, float %44, float %41), !dbg !38
  %arrayidx78.1.3.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.1, !dbg !37
  %47 = load float, float addrspace(3)* %arrayidx78.1.3.1, align 4, !dbg !37, !tbaa !25
  %48 = tail call float @llvm.fmuladd.f32(float %47, float %44, float %43), !dbg !38
  %inc97.3.1 = add nuw nsw i32 %k.0183.1, 4, !dbg !39
  %cmp57.3.1 = icmp ult i32 %inc97.2.1, 7, !dbg !40
  br i1 %cmp57.3.1, label %for.cond62.preheader.1, label %for.cond.cleanup59.1, !dbg !35, !llvm.loop !41

for.cond.cleanup59.1:                             ; preds = %for.cond62.preheader.1
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.2 = add i32 %conv, 16
  %add23.2 = add i32 %add22.2, %mul20, !dbg !23
  %idxprom.2 = sext i32 %add23.2 to i64, !dbg !24
  %arrayidx.2 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.2, !dbg !24
  %49 = load float, float addrspace(1)* %arrayidx.2, align 4, !dbg !24, !tbaa !25
  store float %49, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.2 = shl i32 %conv2, 6, !dbg !30
  %mul39.2 = add i32 %add38.2, 1024, !dbg !30
  %add40.2 = add nsw i32 %mul39.2, %conv11, !dbg !31
  %idxprom43.2 = sext i32 %add40.2 to i64, !dbg !32
  %arrayidx44.2 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.2, !dbg !32
  %50 = load float, float addrspace(1)* %arrayidx44.2, align 4, !dbg !32, !tbaa !25
  store float %50, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.2 = add i32 %add22.2, %mul20.1, !dbg !23
  %idxprom.1.2 = sext i32 %add23.1.2 to i64, !dbg !24
  %arrayidx.1.2 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.2, !dbg !24
  %51 = load float, float addrspace(1)* %arrayidx.1.2, align 4, !dbg !24, !tbaa !25
  store float %51, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.2 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.2 = add i32 %add38.1.2, 1280, !dbg !30
  %add40.1.2 = add nsw i32 %mul39.1.2, %conv11, !dbg !31
  %idxprom43.1.2 = sext i32 %add40.1.2 to i64, !dbg !32
  %arrayidx44.1.2 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.2, !dbg !32
  %52 = load float, float addrspace(1)* %arrayidx44.1.2, align 4, !dbg !32, !tbaa !25
  store float %52, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.2, !dbg !35

for.cond62.preheader.2:                           ; preds = %for.cond62.preheader.2, %for.cond.cleanup59.1
  %sum.sroa.12.1.2 = phi float [ %48, %for.cond.cleanup59.1 ], [ %72, %for.cond62.preheader.2 ], !dbg !36
  %sum.sroa.0.1.2 = phi float [ %46, %for.cond.cleanup59.1 ], [ %70, %for.cond62.preheader.2 ], !dbg !36
  %k.0183.2 = phi i32 [ 0, %for.cond.cleanup59.1 ], [ %inc97.3.2, %for.cond62.preheader.2 ]
  %idxprom77.2214 = zext i32 %k.0183.2 to i64
  %arrayidx84.2215 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2214, i64 %conv9
  %53 = load float, float addrspace(3)* %arrayidx84.2215, align 4, !tbaa !25
  %arrayidx78.2216 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2214, !dbg !37
  %54 = load float, float addrspace(3)* %arrayidx78.2216, align 4, !dbg !37, !tbaa !25
  %55 = tail call float @llvm.fmuladd.f32(float %54, float %53, float %sum.sroa.0.1.2), !dbg !38
  %arrayidx78.1.2217 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2214, !dbg !37
  %56 = load float, float addrspace(3)* %arrayidx78.1.2217, align 4, !dbg !37, !tbaa !25
  %57 = tail call float @llvm.fmuladd.f32(float %56, float %53, float %sum.sroa.12.1.2), !dbg !38
  %inc97.2218 = or i32 %k.0183.2, 1, !dbg !39
  %idxprom77.1.2 = zext i32 %inc97.2218 to i64
  %arrayidx84.1.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.2, i64 %conv9
  %58 = load float, float addrspace(3)* %arrayidx84.1.2, align 4, !tbaa !25
  %arrayidx78.1186.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.2, !dbg !37
  %59 = load float, float addrspace(3)* %arrayidx78.1186.2, align 4, !dbg !37, !tbaa !25
  %60 = tail call float @llvm.fmuladd.f32(float %59, float %58, float %55), !dbg !38
  %arrayidx78.1.1.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.2, !dbg !37
  %61 = load float, float addrspace(3)* %arrayidx78.1.1.2, align 4, !dbg !37, !tbaa !25
  %62 = tail call float @llvm.fmuladd.f32(float %61, float %58, float %57), !dbg !38
  %inc97.1.2 = or i32 %k.0183.2, 2, !dbg !39
  %idxprom77.2.2 = zext i32 %inc97.1.2 to i64
  %arrayidx84.2.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.2, i64 %conv9
  %63 = load float, float addrspace(3)* %arrayidx84.2.2, align 4, !tbaa !25
  %arrayidx78.2.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.2, !dbg !37
  %64 = load float, float addrspace(3)* %arrayidx78.2.2, align 4, !dbg !37, !tbaa !25
  %65 = tail call float @llvm.fmuladd.f32(float %64, float %63, float %60), !dbg !38
  %arrayidx78.1.2.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.2, !dbg !37
  %66 = load float, float addrspace(3)* %arrayidx78.1.2.2, align 4, !dbg !37, !tbaa !25
  %67 = tail call float @llvm.fmuladd.f32(float %66, float %63, float %62), !dbg !38
  %inc97.2.2 = or i32 %k.0183.2, 3, !dbg !39
  %idxprom77.3.2 = zext i32 %inc97.2.2 to i64
  %arrayidx84.3.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.2, i64 %conv9
  %68 = load float, float addrspace(3)* %arrayidx84.3.2, align 4, !tbaa !25
  %arrayidx78.3.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.2, !dbg !37
  %69 = load float, float addrspace(3)* %arrayidx78.3.2, align 4, !dbg !37, !tbaa !25
  %70 = tail call float @llvm.fmuladd.f32(float %69, float %68, float %65), !dbg !38
  %arrayidx78.1.3.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.2, !dbg !37
  %71 = load float, float addrspace(3)* %arrayidx78.1.3.2, align 4, !dbg !37, !tbaa !25
  %72 = tail call float @llvm.fmuladd.f32(float %71, float %68, float %67), !dbg !38
  %inc97.3.2 = add nuw nsw i32 %k.0183.2, 4, !dbg !39
  %cmp57.3.2 = icmp ult i32 %inc97.2.2, 7, !dbg !40
  br i1 %cmp57.3.2, label %for.cond62.preheader.2, label %for.cond.cleanup59.2, !dbg !35, !llvm.loop !41

for.cond.cleanup59.2:                             ; preds = %for.cond62.preheader.2
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.3 = add i32 %conv, 24
  %add23.3 = add i32 %add22.3, %mul20, !dbg !23
  %idxprom.3 = sext i32 %add23.3 to i64, !dbg !24
  %arrayidx.3 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.3, !dbg !24
  %73 = load float, float addrspace(1)* %arrayidx.3, align 4, !dbg !24, !tbaa !25
  store float %73, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.3 = shl i32 %conv2, 6, !dbg !30
  %mul39.3 = add i32 %add38.3, 1536, !dbg !30
  %add40.3 = add nsw i32 %mul39.3, %conv11, !dbg !31
  %idxprom43.3 = sext i32 %add40.3 to i64, !dbg !32
  %arrayidx44.3 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.3, !dbg !32
  %74 = load float, float addrspace(1)* %arrayidx44.3, align 4, !dbg !32, !tbaa !25
  store float %74, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.3 = add i32 %add22.3, %mul20.1, !dbg !23
  %idxprom.1.3 = sext i32 %add23.1.3 to i64, !dbg !24
  %arrayidx.1.3 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.3, !dbg !24
  %75 = load float, float addrspace(1)* %arrayidx.1.3, align 4, !dbg !24, !tbaa !25
  store float %75, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.3 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.3 = add i32 %add38.1.3, 1792, !dbg !30
  %add40.1.3 = add nsw i32 %mul39.1.3, %conv11, !dbg !31
  %idxprom43.1.3 = sext i32 %add40.1.3 to i64, !dbg !32
  %arrayidx44.1.3 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.3, !dbg !32
  %76 = load float, float addrspace(1)* %arrayidx44.1.3, align 4, !dbg !32, !tbaa !25
  store float %76, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.3, !dbg !35

for.cond62.preheader.3:                           ; preds = %for.cond62.preheader.3, %for.cond.cleanup59.2
  %sum.sroa.12.1.3 = phi float [ %72, %for.cond.cleanup59.2 ], [ %96, %for.cond62.preheader.3 ], !dbg !36
  %sum.sroa.0.1.3 = phi float [ %70, %for.cond.cleanup59.2 ], [ %94, %for.cond62.preheader.3 ], !dbg !36
  %k.0183.3 = phi i32 [ 0, %for.cond.cleanup59.2 ], [ %inc97.3.3, %for.cond62.preheader.3 ]
  %idxprom77.3219 = zext i32 %k.0183.3 to i64
  %arrayidx84.3220 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3219, i64 %conv9
  %77 = load float, float addrspace(3)* %arrayidx84.3220, align 4, !tbaa !25
  %arrayidx78.3221 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3219, !dbg !37
  %78 = load float, float addrspace(3)* %arrayidx78.3221, align 4, !dbg !37, !tbaa !25
  %79 = tail call float @llvm.fmuladd.f32(float %78, float %77, float %sum.sroa.0.1.3), !dbg !38
  %arrayidx78.1.3222 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3219, !dbg !37
  %80 = load float, float addrspace(3)* %arrayidx78.1.3222, align 4, !dbg !37, !tbaa !25
  %81 = tail call float @llvm.fmuladd.f32(float %80, float %77, float %sum.sroa.12.1.3), !dbg !38
  %inc97.3223 = or i32 %k.0183.3, 1, !dbg !39
  %idxprom77.1.3 = zext i32 %inc97.3223 to i64
  %arrayidx84.1.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.3, i64 %conv9
  %82 = load float, float addrspace(3)* %arrayidx84.1.3, align 4, !tbaa !25
  %arrayidx78.1186.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.3, !dbg !37
  %83 = load float, float addrspace(3)* %arrayidx78.1186.3, align 4, !dbg !37, !tbaa !25
  %84 = tail call float @llvm.fmuladd.f32(float %83, float %82, float %79), !dbg !38
  %arrayidx78.1.1.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.3, !dbg !37
  %85 = load float, float addrspace(3)* %arrayidx78.1.1.3, align 4, !dbg !37, !tbaa !25
  %86 = tail call float @llvm.fmuladd.f32(float %85, float %82, float %81), !dbg !38
  %inc97.1.3 = or i32 %k.0183.3, 2, !dbg !39
  %idxprom77.2.3 = zext i32 %inc97.1.3 to i64
  %arrayidx84.2.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.3, i64 %conv9
  %87 = load float, float addrspace(3)* %arrayidx84.2.3, align 4, !tbaa !25
  %arrayidx78.2.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.3, !dbg !37
  %88 = load float, float addrspace(3)* %arrayidx78.2.3, align 4, !dbg !37, !tbaa !25
  %89 = tail call float @llvm.fmuladd.f32(float %88, float %87, float %84), !dbg !38
  %arrayidx78.1.2.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.3, !dbg !37
  %90 = load float, float addrspace(3)* %arrayidx78.1.2.3, align 4, !dbg !37, !tbaa !25
  %91 = tail call float @llvm.fmuladd.f32(float %90, float %87, float %86), !dbg !38
  %inc97.2.3 = or i32 %k.0183.3, 3, !dbg !39
  %idxprom77.3.3 = zext i32 %inc97.2.3 to i64
  %arrayidx84.3.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.3, i64 %conv9
  %92 = load float, float addrspace(3)* %arrayidx84.3.3, align 4, !tbaa !25
  %arrayidx78.3.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.3, !dbg !37
  %93 = load float, float addrspace(3)* %arrayidx78.3.3, align 4, !dbg !37, !tbaa !25
  %94 = tail call float @llvm.fmuladd.f32(float %93, float %92, float %89), !dbg !38
  %arrayidx78.1.3.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.3, !dbg !37
  %95 = load float, float addrspace(3)* %arrayidx78.1.3.3, align 4, !dbg !37, !tbaa !25
  %96 = tail call float @llvm.fmuladd.f32(float %95, float %92, float %91), !dbg !38
  %inc97.3.3 = add nuw nsw i32 %k.0183.3, 4, !dbg !39
  %cmp57.3.3 = icmp ult i32 %inc97.2.3, 7, !dbg !40
  br i1 %cmp57.3.3, label %for.cond62.preheader.3, label %for.cond.cleanup59.3, !dbg !35, !llvm.loop !41

for.cond.cleanup59.3:                             ; preds = %for.cond62.preheader.3
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.4 = add i32 %conv, 32
  %add23.4 = add i32 %add22.4, %mul20, !dbg !23
  %idxprom.4 = sext i32 %add23.4 to i64, !dbg !24
  %arrayidx.4 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.4, !dbg !24
  %97 = load float, float addrspace(1)* %arrayidx.4, align 4, !dbg !24, !tbaa !25
  store float %97, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.4 = shl i32 %conv2, 6, !dbg !30
  %mul39.4 = add i32 %add38.4, 2048, !dbg !30
  %add40.4 = add nsw i32 %mul39.4, %conv11, !dbg !31
  %idxprom43.4 = sext i32 %add40.4 to i64, !dbg !32
  %arrayidx44.4 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.4, !dbg !32
  %98 = load float, float addrspace(1)* %arrayidx44.4, align 4, !dbg !32, !tbaa !25
  store float %98, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.4 = add i32 %add22.4, %mul20.1, !dbg !23
  %idxprom.1.4 = sext i32 %add23.1.4 to i64, !dbg !24
  %arrayidx.1.4 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.4, !dbg !24
  %99 = load float, float addrspace(1)* %arrayidx.1.4, align 4, !dbg !24, !tbaa !25
  store float %99, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.4 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.4 = add i32 %add38.1.4, 2304, !dbg !30
  %add40.1.4 = add nsw i32 %mul39.1.4, %conv11, !dbg !31
  %idxprom43.1.4 = sext i32 %add40.1.4 to i64, !dbg !32
  %arrayidx44.1.4 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.4, !dbg !32
  %100 = load float, float addrspace(1)* %arrayidx44.1.4, align 4, !dbg !32, !tbaa !25
  store float %100, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.4, !dbg !35

for.cond62.preheader.4:                           ; preds = %for.cond62.preheader.4, %for.cond.cleanup59.3
  %sum.sroa.12.1.4 = phi float [ %96, %for.cond.cleanup59.3 ], [ %120, %for.cond62.preheader.4 ], !dbg !36
  %sum.sroa.0.1.4 = phi float [ %94, %for.cond.cleanup59.3 ], [ %118, %for.cond62.preheader.4 ], !dbg !36
  %k.0183.4 = phi i32 [ 0, %for.cond.cleanup59.3 ], [ %inc97.3.4, %for.cond62.preheader.4 ]
  %idxprom77.4 = zext i32 %k.0183.4 to i64
  %arrayidx84.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.4, i64 %conv9
  %101 = load float, float addrspace(3)* %arrayidx84.4, align 4, !tbaa !25
  %arrayidx78.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.4, !dbg !37
  %102 = load float, float addrspace(3)* %arrayidx78.4, align 4, !dbg !37, !tbaa !25
  %103 = tail call float @llvm.fmuladd.f32(float %102, float %101, float %sum.sroa.0.1.4), !dbg !38
  %arrayidx78.1.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.4, !dbg !37
  %104 = load float, float addrspace(3)* %arrayidx78.1.4, align 4, !dbg !37, !tbaa !25
  %105 = tail call float @llvm.fmuladd.f32(float %104, float %101, float %sum.sroa.12.1.4), !dbg !38
  %inc97.4 = or i32 %k.0183.4, 1, !dbg !39
  %idxprom77.1.4 = zext i32 %inc97.4 to i64
  %arrayidx84.1.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.4, i64 %conv9
  %106 = load float, float addrspace(3)* %arrayidx84.1.4, align 4, !tbaa !25
  %arrayidx78.1186.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.4, !dbg !37
  %107 = load float, float addrspace(3)* %arrayidx78.1186.4, align 4, !dbg !37, !tbaa !25
  %108 = tail call float @llvm.fmuladd.f32(float %107, float %106, float %103), !dbg !38
  %arrayidx78.1.1.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.4, !dbg !37
  %109 = load float, float addrspace(3)* %arrayidx78.1.1.4, align 4, !dbg !37, !tbaa !25
  %110 = tail call float @llvm.fmuladd.f32(float %109, float %106, float %105), !dbg !38
  %inc97.1.4 = or i32 %k.0183.4, 2, !dbg !39
  %idxprom77.2.4 = zext i32 %inc97.1.4 to i64
  %arrayidx84.2.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.4, i64 %conv9
  %111 = load float, float addrspace(3)* %arrayidx84.2.4, align 4, !tbaa !25
  %arrayidx78.2.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.4, !dbg !37
  %112 = load float, float addrspace(3)* %arrayidx78.2.4, align 4, !dbg !37, !tbaa !25
  %113 = tail call float @llvm.fmuladd.f32(float %112, float %111, float %108), !dbg !38
  %arrayidx78.1.2.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.4, !dbg !37
  %114 = load float, float addrspace(3)* %arrayidx78.1.2.4, align 4, !dbg !37, !tbaa !25
  %115 = tail call float @llvm.fmuladd.f32(float %114, float %111, float %110), !dbg !38
  %inc97.2.4 = or i32 %k.0183.4, 3, !dbg !39
  %idxprom77.3.4 = zext i32 %inc97.2.4 to i64
  %arrayidx84.3.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.4, i64 %conv9
  %116 = load float, float addrspace(3)* %arrayidx84.3.4, align 4, !tbaa !25
  %arrayidx78.3.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.4, !dbg !37
  %117 = load float, float addrspace(3)* %arrayidx78.3.4, align 4, !dbg !37, !tbaa !25
  %118 = tail call float @llvm.fmuladd.f32(float %117, float %116, float %113), !dbg !38
  %arrayidx78.1.3.4 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.4, !dbg !37
  %119 = load float, float addrspace(3)* %arrayidx78.1.3.4, align 4, !dbg !37, !tbaa !25
  %120 = tail call float @llvm.fmuladd.f32(float %119, float %116, float %115), !dbg !38
  %inc97.3.4 = add nuw nsw i32 %k.0183.4, 4, !dbg !39
  %cmp57.3.4 = icmp ult i32 %inc97.2.4, 7, !dbg !40
  br i1 %cmp57.3.4, label %for.cond62.preheader.4, label %for.cond.cleanup59.4, !dbg !35, !llvm.loop !41

for.cond.cleanup59.4:                             ; preds = %for.cond62.preheader.4
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.5 = add i32 %conv, 40
  %add23.5 = add i32 %add22.5, %mul20, !dbg !23
  %idxprom.5 = sext i32 %add23.5 to i64, !dbg !24
  %arrayidx.5 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.5, !dbg !24
  %121 = load float, float addrspace(1)* %arrayidx.5, align 4, !dbg !24, !tbaa !25
  store float %121, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.5 = shl i32 %conv2, 6, !dbg !30
  %mul39.5 = add i32 %add38.5, 2560, !dbg !30
  %add40.5 = add nsw i32 %mul39.5, %conv11, !dbg !31
  %idxprom43.5 = sext i32 %add40.5 to i64, !dbg !32
  %arrayidx44.5 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.5, !dbg !32
  %122 = load float, float addrspace(1)* %arrayidx44.5, align 4, !dbg !32, !tbaa !25
  store float %122, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.5 = add i32 %add22.5, %mul20.1, !dbg !23
  %idxprom.1.5 = sext i32 %add23.1.5 to i64, !dbg !24
  %arrayidx.1.5 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.5, !dbg !24
  %123 = load float, float addrspace(1)* %arrayidx.1.5, align 4, !dbg !24, !tbaa !25
  store float %123, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.5 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.5 = add i32 %add38.1.5, 2816, !dbg !30
  %add40.1.5 = add nsw i32 %mul39.1.5, %conv11, !dbg !31
  %idxprom43.1.5 = sext i32 %add40.1.5 to i64, !dbg !32
  %arrayidx44.1.5 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.5, !dbg !32
  %124 = load float, float addrspace(1)* %arrayidx44.1.5, align 4, !dbg !32, !tbaa !25
  store float %124, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.5, !dbg !35

for.cond62.preheader.5:                           ; preds = %for.cond62.preheader.5, %for.cond.cleanup59.4
  %sum.sroa.12.1.5 = phi float [ %120, %for.cond.cleanup59.4 ], [ %144, %for.cond62.preheader.5 ], !dbg !36
  %sum.sroa.0.1.5 = phi float [ %118, %for.cond.cleanup59.4 ], [ %142, %for.cond62.preheader.5 ], !dbg !36
  %k.0183.5 = phi i32 [ 0, %for.cond.cleanup59.4 ], [ %inc97.3.5, %for.cond62.preheader.5 ]
  %idxprom77.5 = zext i32 %k.0183.5 to i64
  %arrayidx84.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.5, i64 %conv9
  %125 = load float, float addrspace(3)* %arrayidx84.5, align 4, !tbaa !25
  %arrayidx78.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.5, !dbg !37
  %126 = load float, float addrspace(3)* %arrayidx78.5, align 4, !dbg !37, !tbaa !25
  %127 = tail call float @llvm.fmuladd.f32(float %126, float %125, float %sum.sroa.0.1.5), !dbg !38
  %arrayidx78.1.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.5, !dbg !37
  %128 = load float, float addrspace(3)* %arrayidx78.1.5, align 4, !dbg !37, !tbaa !25
  %129 = tail call float @llvm.fmuladd.f32(float %128, float %125, float %sum.sroa.12.1.5), !dbg !38
  %inc97.5 = or i32 %k.0183.5, 1, !dbg !39
  %idxprom77.1.5 = zext i32 %inc97.5 to i64
  %arrayidx84.1.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.5, i64 %conv9
  %130 = load float, float addrspace(3)* %arrayidx84.1.5, align 4, !tbaa !25
  %arrayidx78.1186.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.5, !dbg !37
  %131 = load float, float addrspace(3)* %arrayidx78.1186.5, align 4, !dbg !37, !tbaa !25
  %132 = tail call float @llvm.fmuladd.f32(float %131, float %130, float %127), !dbg !38
  %arrayidx78.1.1.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.5, !dbg !37
  %133 = load float, float addrspace(3)* %arrayidx78.1.1.5, align 4, !dbg !37, !tbaa !25
  %134 = tail call float @llvm.fmuladd.f32(float %133, float %130, float %129), !dbg !38
  %inc97.1.5 = or i32 %k.0183.5, 2, !dbg !39
  %idxprom77.2.5 = zext i32 %inc97.1.5 to i64
  %arrayidx84.2.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.5, i64 %conv9
  %135 = load float, float addrspace(3)* %arrayidx84.2.5, align 4, !tbaa !25
  %arrayidx78.2.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.5, !dbg !37
  %136 = load float, float addrspace(3)* %arrayidx78.2.5, align 4, !dbg !37, !tbaa !25
  %137 = tail call float @llvm.fmuladd.f32(float %136, float %135, float %132), !dbg !38
  %arrayidx78.1.2.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.5, !dbg !37
  %138 = load float, float addrspace(3)* %arrayidx78.1.2.5, align 4, !dbg !37, !tbaa !25
  %139 = tail call float @llvm.fmuladd.f32(float %138, float %135, float %134), !dbg !38
  %inc97.2.5 = or i32 %k.0183.5, 3, !dbg !39
  %idxprom77.3.5 = zext i32 %inc97.2.5 to i64
  %arrayidx84.3.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.5, i64 %conv9
  %140 = load float, float addrspace(3)* %arrayidx84.3.5, align 4, !tbaa !25
  %arrayidx78.3.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.5, !dbg !37
  %141 = load float, float addrspace(3)* %arrayidx78.3.5, align 4, !dbg !37, !tbaa !25
  %142 = tail call float @llvm.fmuladd.f32(float %141, float %140, float %137), !dbg !38
  %arrayidx78.1.3.5 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.5, !dbg !37
  %143 = load float, float addrspace(3)* %arrayidx78.1.3.5, align 4, !dbg !37, !tbaa !25
  %144 = tail call float @llvm.fmuladd.f32(float %143, float %140, float %139), !dbg !38
  %inc97.3.5 = add nuw nsw i32 %k.0183.5, 4, !dbg !39
  %cmp57.3.5 = icmp ult i32 %inc97.2.5, 7, !dbg !40
  br i1 %cmp57.3.5, label %for.cond62.preheader.5, label %for.cond.cleanup59.5, !dbg !35, !llvm.loop !41

for.cond.cleanup59.5:                             ; preds = %for.cond62.preheader.5
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.6 = add i32 %conv, 48
  %add23.6 = add i32 %add22.6, %mul20, !dbg !23
  %idxprom.6 = sext i32 %add23.6 to i64, !dbg !24
  %arrayidx.6 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.6, !dbg !24
  %145 = load float, float addrspace(1)* %arrayidx.6, align 4, !dbg !24, !tbaa !25
  store float %145, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.6 = shl i32 %conv2, 6, !dbg !30
  %mul39.6 = add i32 %add38.6, 3072, !dbg !30
  %add40.6 = add nsw i32 %mul39.6, %conv11, !dbg !31
  %idxprom43.6 = sext i32 %add40.6 to i64, !dbg !32
  %arrayidx44.6 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.6, !dbg !32
  %146 = load float, float addrspace(1)* %arrayidx44.6, align 4, !dbg !32, !tbaa !25
  store float %146, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.6 = add i32 %add22.6, %mul20.1, !dbg !23
  %idxprom.1.6 = sext i32 %add23.1.6 to i64, !dbg !24
  %arrayidx.1.6 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.6, !dbg !24
  %147 = load float, float addrspace(1)* %arrayidx.1.6, align 4, !dbg !24, !tbaa !25
  store float %147, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.6 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.6 = add i32 %add38.1.6, 3328, !dbg !30
  %add40.1.6 = add nsw i32 %mul39.1.6, %conv11, !dbg !31
  %idxprom43.1.6 = sext i32 %add40.1.6 to i64, !dbg !32
  %arrayidx44.1.6 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.6, !dbg !32
  %148 = load float, float addrspace(1)* %arrayidx44.1.6, align 4, !dbg !32, !tbaa !25
  store float %148, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.6, !dbg !35

for.cond62.preheader.6:                           ; preds = %for.cond62.preheader.6, %for.cond.cleanup59.5
  %sum.sroa.12.1.6 = phi float [ %144, %for.cond.cleanup59.5 ], [ %168, %for.cond62.preheader.6 ], !dbg !36
  %sum.sroa.0.1.6 = phi float [ %142, %for.cond.cleanup59.5 ], [ %166, %for.cond62.preheader.6 ], !dbg !36
  %k.0183.6 = phi i32 [ 0, %for.cond.cleanup59.5 ], [ %inc97.3.6, %for.cond62.preheader.6 ]
  %idxprom77.6 = zext i32 %k.0183.6 to i64
  %arrayidx84.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.6, i64 %conv9
  %149 = load float, float addrspace(3)* %arrayidx84.6, align 4, !tbaa !25
  %arrayidx78.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.6, !dbg !37
  %150 = load float, float addrspace(3)* %arrayidx78.6, align 4, !dbg !37, !tbaa !25
  %151 = tail call float @llvm.fmuladd.f32(float %150, float %149, float %sum.sroa.0.1.6), !dbg !38
  %arrayidx78.1.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.6, !dbg !37
  %152 = load float, float addrspace(3)* %arrayidx78.1.6, align 4, !dbg !37, !tbaa !25
  %153 = tail call float @llvm.fmuladd.f32(float %152, float %149, float %sum.sroa.12.1.6), !dbg !38
  %inc97.6 = or i32 %k.0183.6, 1, !dbg !39
  %idxprom77.1.6 = zext i32 %inc97.6 to i64
  %arrayidx84.1.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.6, i64 %conv9
  %154 = load float, float addrspace(3)* %arrayidx84.1.6, align 4, !tbaa !25
  %arrayidx78.1186.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.6, !dbg !37
  %155 = load float, float addrspace(3)* %arrayidx78.1186.6, align 4, !dbg !37, !tbaa !25
  %156 = tail call float @llvm.fmuladd.f32(float %155, float %154, float %151), !dbg !38
  %arrayidx78.1.1.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.6, !dbg !37
  %157 = load float, float addrspace(3)* %arrayidx78.1.1.6, align 4, !dbg !37, !tbaa !25
  %158 = tail call float @llvm.fmuladd.f32(float %157, float %154, float %153), !dbg !38
  %inc97.1.6 = or i32 %k.0183.6, 2, !dbg !39
  %idxprom77.2.6 = zext i32 %inc97.1.6 to i64
  %arrayidx84.2.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.6, i64 %conv9
  %159 = load float, float addrspace(3)* %arrayidx84.2.6, align 4, !tbaa !25
  %arrayidx78.2.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.6, !dbg !37
  %160 = load float, float addrspace(3)* %arrayidx78.2.6, align 4, !dbg !37, !tbaa !25
  %161 = tail call float @llvm.fmuladd.f32(float %160, float %159, float %156), !dbg !38
  %arrayidx78.1.2.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.6, !dbg !37
  %162 = load float, float addrspace(3)* %arrayidx78.1.2.6, align 4, !dbg !37, !tbaa !25
  %163 = tail call float @llvm.fmuladd.f32(float %162, float %159, float %158), !dbg !38
  %inc97.2.6 = or i32 %k.0183.6, 3, !dbg !39
  %idxprom77.3.6 = zext i32 %inc97.2.6 to i64
  %arrayidx84.3.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.6, i64 %conv9
  %164 = load float, float addrspace(3)* %arrayidx84.3.6, align 4, !tbaa !25
  %arrayidx78.3.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.6, !dbg !37
  %165 = load float, float addrspace(3)* %arrayidx78.3.6, align 4, !dbg !37, !tbaa !25
  %166 = tail call float @llvm.fmuladd.f32(float %165, float %164, float %161), !dbg !38
  %arrayidx78.1.3.6 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.6, !dbg !37
  %167 = load float, float addrspace(3)* %arrayidx78.1.3.6, align 4, !dbg !37, !tbaa !25
  %168 = tail call float @llvm.fmuladd.f32(float %167, float %164, float %163), !dbg !38
  %inc97.3.6 = add nuw nsw i32 %k.0183.6, 4, !dbg !39
  %cmp57.3.6 = icmp ult i32 %inc97.2.6, 7, !dbg !40
  br i1 %cmp57.3.6, label %for.cond62.preheader.6, label %for.cond.cleanup59.6, !dbg !35, !llvm.loop !41

for.cond.cleanup59.6:                             ; preds = %for.cond62.preheader.6
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add22.7 = add i32 %conv, 56
  %add23.7 = add i32 %add22.7, %mul20, !dbg !23
  %idxprom.7 = sext i32 %add23.7 to i64, !dbg !24
  %arrayidx.7 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.7, !dbg !24
  %169 = load float, float addrspace(1)* %arrayidx.7, align 4, !dbg !24, !tbaa !25
  store float %169, float addrspace(3)* %arrayidx29, align 4, !dbg !29, !tbaa !25
  %add38.7 = shl i32 %conv2, 6, !dbg !30
  %mul39.7 = add i32 %add38.7, 3584, !dbg !30
  %add40.7 = add nsw i32 %mul39.7, %conv11, !dbg !31
  %idxprom43.7 = sext i32 %add40.7 to i64, !dbg !32
  %arrayidx44.7 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.7, !dbg !32
  %170 = load float, float addrspace(1)* %arrayidx44.7, align 4, !dbg !32, !tbaa !25
  store float %170, float addrspace(3)* %arrayidx52, align 4, !dbg !33, !tbaa !25
  %add23.1.7 = add i32 %add22.7, %mul20.1, !dbg !23
  %idxprom.1.7 = sext i32 %add23.1.7 to i64, !dbg !24
  %arrayidx.1.7 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1.7, !dbg !24
  %171 = load float, float addrspace(1)* %arrayidx.1.7, align 4, !dbg !24, !tbaa !25
  store float %171, float addrspace(3)* %arrayidx29.1, align 4, !dbg !29, !tbaa !25
  %add38.1.7 = shl i32 %conv2, 6, !dbg !30
  %mul39.1.7 = add i32 %add38.1.7, 3840, !dbg !30
  %add40.1.7 = add nsw i32 %mul39.1.7, %conv11, !dbg !31
  %idxprom43.1.7 = sext i32 %add40.1.7 to i64, !dbg !32
  %arrayidx44.1.7 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1.7, !dbg !32
  %172 = load float, float addrspace(1)* %arrayidx44.1.7, align 4, !dbg !32, !tbaa !25
  store float %172, float addrspace(3)* %arrayidx52.1, align 4, !dbg !33, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !34
  br label %for.cond62.preheader.7, !dbg !35

for.cond62.preheader.7:                           ; preds = %for.cond62.preheader.7, %for.cond.cleanup59.6
  %sum.sroa.12.1.7 = phi float [ %168, %for.cond.cleanup59.6 ], [ %192, %for.cond62.preheader.7 ], !dbg !36
  %sum.sroa.0.1.7 = phi float [ %166, %for.cond.cleanup59.6 ], [ %190, %for.cond62.preheader.7 ], !dbg !36
  %k.0183.7 = phi i32 [ 0, %for.cond.cleanup59.6 ], [ %inc97.3.7, %for.cond62.preheader.7 ]
  %idxprom77.7 = zext i32 %k.0183.7 to i64
  %arrayidx84.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.7, i64 %conv9
  %173 = load float, float addrspace(3)* %arrayidx84.7, align 4, !tbaa !25
  %arrayidx78.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.7, !dbg !37
  %174 = load float, float addrspace(3)* %arrayidx78.7, align 4, !dbg !37, !tbaa !25
  %175 = tail call float @llvm.fmuladd.f32(float %174, float %173, float %sum.sroa.0.1.7), !dbg !38
  %arrayidx78.1.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.7, !dbg !37
  %176 = load float, float addrspace(3)* %arrayidx78.1.7, align 4, !dbg !37, !tbaa !25
  %177 = tail call float @llvm.fmuladd.f32(float %176, float %173, float %sum.sroa.12.1.7), !dbg !38
  %inc97.7 = or i32 %k.0183.7, 1, !dbg !39
  %idxprom77.1.7 = zext i32 %inc97.7 to i64
  %arrayidx84.1.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.7, i64 %conv9
  %178 = load float, float addrspace(3)* %arrayidx84.1.7, align 4, !tbaa !25
  %arrayidx78.1186.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.7, !dbg !37
  %179 = load float, float addrspace(3)* %arrayidx78.1186.7, align 4, !dbg !37, !tbaa !25
  %180 = tail call float @llvm.fmuladd.f32(float %179, float %178, float %175), !dbg !38
  %arrayidx78.1.1.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.7, !dbg !37
  %181 = load float, float addrspace(3)* %arrayidx78.1.1.7, align 4, !dbg !37, !tbaa !25
  %182 = tail call float @llvm.fmuladd.f32(float %181, float %178, float %177), !dbg !38
  %inc97.1.7 = or i32 %k.0183.7, 2, !dbg !39
  %idxprom77.2.7 = zext i32 %inc97.1.7 to i64
  %arrayidx84.2.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.7, i64 %conv9
  %183 = load float, float addrspace(3)* %arrayidx84.2.7, align 4, !tbaa !25
  %arrayidx78.2.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.7, !dbg !37
  %184 = load float, float addrspace(3)* %arrayidx78.2.7, align 4, !dbg !37, !tbaa !25
  %185 = tail call float @llvm.fmuladd.f32(float %184, float %183, float %180), !dbg !38
  %arrayidx78.1.2.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.7, !dbg !37
  %186 = load float, float addrspace(3)* %arrayidx78.1.2.7, align 4, !dbg !37, !tbaa !25
  %187 = tail call float @llvm.fmuladd.f32(float %186, float %183, float %182), !dbg !38
  %inc97.2.7 = or i32 %k.0183.7, 3, !dbg !39
  %idxprom77.3.7 = zext i32 %inc97.2.7 to i64
  %arrayidx84.3.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.7, i64 %conv9
  %188 = load float, float addrspace(3)* %arrayidx84.3.7, align 4, !tbaa !25
  %arrayidx78.3.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.7, !dbg !37
  %189 = load float, float addrspace(3)* %arrayidx78.3.7, align 4, !dbg !37, !tbaa !25
  %190 = tail call float @llvm.fmuladd.f32(float %189, float %188, float %185), !dbg !38
  %arrayidx78.1.3.7 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.7, !dbg !37
  %191 = load float, float addrspace(3)* %arrayidx78.1.3.7, align 4, !dbg !37, !tbaa !25
  %192 = tail call float @llvm.fmuladd.f32(float %191, float %188, float %187), !dbg !38
  %inc97.3.7 = add nuw nsw i32 %k.0183.7, 4, !dbg !39
  %cmp57.3.7 = icmp ult i32 %inc97.2.7, 7, !dbg !40
  br i1 %cmp57.3.7, label %for.cond62.preheader.7, label %for.cond.cleanup59.7, !dbg !35, !llvm.loop !41

for.cond.cleanup59.7:                             ; preds = %for.cond62.preheader.7
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !44
  %add121 = add nsw i32 %mul20, %conv11, !dbg !45
  %idxprom124 = sext i32 %add121 to i64, !dbg !46
  %arrayidx125 = getelementptr inbounds float, float addrspace(1)* %C, i64 %idxprom124, !dbg !46
  store float %190, float addrspace(1)* %arrayidx125, align 4, !dbg !47, !tbaa !25
  %add121.1 = add nsw i32 %mul20.1, %conv11, !dbg !45
  %idxprom124.1 = sext i32 %add121.1 to i64, !dbg !46
  %arrayidx125.1 = getelementptr inbounds float, float addrspace(1)* %C, i64 %idxprom124.1, !dbg !46
  store float %192, float addrspace(1)* %arrayidx125.1, align 4, !dbg !47, !tbaa !25
  ret void, !dbg !48
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !49 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !50 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent
declare !dbg !51 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare float @llvm.fmuladd.f32(float, float, float) #3

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #4 = { convergent nounwind readnone willreturn }
attributes #5 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!opencl.spir.version = !{!6}
!llvm.ident = !{!7}

!1 = !DIFile(filename: "autotune_source.cl", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 1, i32 2}
!8 = distinct !DISubprogram(name: "matmul_tiled", scope: !9, file: !9, line: 5, type: !10, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!9 = !DIFile(filename: "examples/kernels/matmul_tiled.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1, i32 1}
!13 = !{!"none", !"none", !"none"}
!14 = !{!"float*", !"float*", !"float*"}
!15 = !{!"restrict const", !"restrict const", !"restrict"}
!16 = !DILocation(line: 8, column: 20, scope: !8)
!17 = !DILocation(line: 8, column: 42, scope: !8)
!18 = !DILocation(line: 9, column: 21, scope: !8)
!19 = !DILocation(line: 9, column: 37, scope: !8)
!20 = !DILocation(line: 9, column: 42, scope: !8)
!21 = !DILocation(line: 9, column: 57, scope: !8)
!22 = !DILocation(line: 9, column: 87, scope: !8)
!23 = !DILocation(line: 14, column: 74, scope: !8)
!24 = !DILocation(line: 14, column: 38, scope: !8)
!25 = !{!26, !26, i64 0}
!26 = !{!"float", !27, i64 0}
!27 = !{!"omnipotent char", !28, i64 0}
!28 = !{!"Simple C/C++ TBAA"}
!29 = !DILocation(line: 14, column: 36, scope: !8)
!30 = !DILocation(line: 17, column: 79, scope: !8)
!31 = !DILocation(line: 17, column: 86, scope: !8)
!32 = !DILocation(line: 17, column: 51, scope: !8)
!33 = !DILocation(line: 17, column: 49, scope: !8)
!34 = !DILocation(line: 19, column: 9, scope: !8)
!35 = !DILocation(line: 21, column: 9, scope: !8)
!36 = !DILocation(line: 0, scope: !8)
!37 = !DILocation(line: 26, column: 34, scope: !8)
!38 = !DILocation(line: 26, column: 31, scope: !8)
!39 = !DILocation(line: 21, column: 33, scope: !8)
!40 = !DILocation(line: 21, column: 27, scope: !8)
!41 = distinct !{!41, !35, !42, !43}
!42 = !DILocation(line: 26, column: 75, scope: !8)
!43 = !{!"llvm.loop.unroll.disable"}
!44 = !DILocation(line: 27, column: 9, scope: !8)
!45 = !DILocation(line: 33, column: 40, scope: !8)
!46 = !DILocation(line: 33, column: 13, scope: !8)
!47 = !DILocation(line: 33, column: 59, scope: !8)
!48 = !DILocation(line: 34, column: 1, scope: !8)
!49 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 8, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!50 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 9, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!51 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 19, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
