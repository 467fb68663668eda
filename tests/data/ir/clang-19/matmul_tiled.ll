; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@matmul_tiled.As = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4
@matmul_tiled.Bs = internal unnamed_addr addrspace(3) global [8 x [8 x float]] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @matmul_tiled(ptr addrspace(1) noalias nocapture noundef readonly align 4 %A, ptr addrspace(1) noalias nocapture noundef readonly align 4 %B, ptr addrspace(1) noalias nocapture noundef writeonly align 4 %C) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
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
  %mul20 = shl i32 %conv5, 6, !dbg !23
  %add23 = add i32 %mul20, %conv, !dbg !24
  %idxprom = sext i32 %add23 to i64, !dbg !25
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom, !dbg !25
  %1 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !25, !tbaa !26
  %idxprom26 = sext i32 %conv2 to i64, !dbg !30
  %arrayidx29 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %conv9, !dbg !30
  store float %1, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %mul39 = shl nsw i32 %conv2, 6, !dbg !32
  %add40 = add nsw i32 %mul39, %conv11, !dbg !33
  %idxprom43 = sext i32 %add40 to i64, !dbg !34
  %arrayidx44 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43, !dbg !34
  %2 = load float, ptr addrspace(1) %arrayidx44, align 4, !dbg !34, !tbaa !26
  %arrayidx52 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom26, i64 %conv9, !dbg !35
  store float %2, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add19.1 = shl i32 %conv5, 6, !dbg !23
  %mul20.1 = add i32 %add19.1, 256, !dbg !23
  %add23.1 = add i32 %mul20.1, %conv, !dbg !24
  %idxprom.1 = sext i32 %add23.1 to i64, !dbg !25
  %arrayidx.1 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1, !dbg !25
  %3 = load float, ptr addrspace(1) %arrayidx.1, align 4, !dbg !25, !tbaa !26
  %add25.1 = add nsw i32 %conv2, 4, !dbg !37
  %idxprom26.1 = sext i32 %add25.1 to i64, !dbg !30
  %arrayidx29.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %conv9, !dbg !30
  store float %3, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %mul39.1 = shl nsw i32 %add25.1, 6, !dbg !32
  %add40.1 = add nsw i32 %mul39.1, %conv11, !dbg !33
  %idxprom43.1 = sext i32 %add40.1 to i64, !dbg !34
  %arrayidx44.1 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1, !dbg !34
  %4 = load float, ptr addrspace(1) %arrayidx44.1, align 4, !dbg !34, !tbaa !26
  %arrayidx52.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom26.1, i64 %conv9, !dbg !35
  store float %4, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader, !dbg !39

for.cond62.preheader:                             ; preds = %for.cond62.preheader, %entry
  %sum.sroa.20.0 = phi float [ 0.000000e+00, %entry ], [ %24, %for.cond62.preheader ], !dbg !40
  %sum.sroa.0.0 = phi float [ 0.000000e+00, %entry ], [ %22, %for.cond62.preheader ], !dbg !40
  %k.0170 = phi i32 [ 0, %entry ], [ %inc97.3269, %for.cond62.preheader ]
  %idxprom77 = zext nneg i32 %k.0170 to i64
  %arrayidx84 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77, i64 %conv9
  %5 = load float, ptr addrspace(3) %arrayidx84, align 4, !tbaa !26
  %arrayidx78 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77, !dbg !41
  %6 = load float, ptr addrspace(3) %arrayidx78, align 4, !dbg !41, !tbaa !26
  %7 = tail call float @llvm.fmuladd.f32(float %6, float %5, float %sum.sroa.0.0), !dbg !42
  %arrayidx78.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77, !dbg !41
  %8 = load float, ptr addrspace(3) %arrayidx78.1, align 4, !dbg !41, !tbaa !26
  %9 = tail call float @llvm.fmuladd.f32(float %8, float %5, float %sum.sroa.20.0), !dbg !42
  %inc97 = or disjoint i32 %k.0170, 1, !dbg !43
  %idxprom77.1249 = zext nneg i32 %inc97 to i64
  %arrayidx84.1250 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.1249, i64 %conv9
  %10 = load float, ptr addrspace(3) %arrayidx84.1250, align 4, !tbaa !26
  %arrayidx78.1251 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1249, !dbg !41
  %11 = load float, ptr addrspace(3) %arrayidx78.1251, align 4, !dbg !41, !tbaa !26
  %12 = tail call float @llvm.fmuladd.f32(float %11, float %10, float %7), !dbg !42
  %arrayidx78.1.1252 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1249, !dbg !41
  %13 = load float, ptr addrspace(3) %arrayidx78.1.1252, align 4, !dbg !41, !tbaa !26
  %14 = tail call float @llvm.fmuladd.f32(float %13, float %10, float %9), !dbg !42
  %inc97.1253 = or disjoint i32 %k.0170, 2, !dbg !43
  %idxprom77.2257 = zext nneg i32 %inc97.1253 to i64
  %arrayidx84.2258 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.2257, i64 %conv9
  %15 = load float, ptr addrspace(3) %arrayidx84.2258, align 4, !tbaa !26
  %arrayidx78.2259 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2257, !dbg !41
  %16 = load float, ptr addrspace(3) %arrayidx78.2259, align 4, !dbg !41, !tbaa !26
  %17 = tail call float @llvm.fmuladd.f32(float %16, float %15, float %12), !dbg !42
  %arrayidx78.1.2260 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2257, !dbg !41
  %18 = load float, ptr addrspace(3) %arrayidx78.1.2260, align 4, !dbg !41, !tbaa !26
  %19 = tail call float @llvm.fmuladd.f32(float %18, float %15, float %14), !dbg !42
  %inc97.2261 = or disjoint i32 %k.0170, 3, !dbg !43
  %idxprom77.3265 = zext nneg i32 %inc97.2261 to i64
  %arrayidx84.3266 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.3265, i64 %conv9
  %20 = load float, ptr addrspace(3) %arrayidx84.3266, align 4, !tbaa !26
  %arrayidx78.3267 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3265, !dbg !41
  %21 = load float, ptr addrspace(3) %arrayidx78.3267, align 4, !dbg !41, !tbaa !26
  %22 = tail call float @llvm.fmuladd.f32(float %21, float %20, float %17), !dbg !42
  %arrayidx78.1.3268 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3265, !dbg !41
  %23 = load float, ptr addrspace(3) %arrayidx78.1.3268, align 4, !dbg !41, !tbaa !26
  %24 = tail call float @llvm.fmuladd.f32(float %23, float %20, float %19), !dbg !42
  %inc97.3269 = add nuw nsw i32 %k.0170, 4, !dbg !43
  %cmp57.3270 = icmp ult i32 %inc97.2261, 7, !dbg !44
  br i1 %cmp57.3270, label %for.cond62.preheader, label %for.cond.cleanup59, !dbg !39, !llvm.loop !45

for.cond.cleanup59:                               ; preds = %for.cond62.preheader
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.1 = add i32 %conv, 8
  %add23.1174 = add i32 %add22.1, %mul20, !dbg !24
  %idxprom.1175 = sext i32 %add23.1174 to i64, !dbg !25
  %arrayidx.1176 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1175, !dbg !25
  %25 = load float, ptr addrspace(1) %arrayidx.1176, align 4, !dbg !25, !tbaa !26
  store float %25, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.1179 = shl i32 %conv2, 6, !dbg !32
  %mul39.1180 = add i32 %add38.1179, 512, !dbg !32
  %add40.1181 = add nsw i32 %mul39.1180, %conv11, !dbg !33
  %idxprom43.1182 = sext i32 %add40.1181 to i64, !dbg !34
  %arrayidx44.1183 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1182, !dbg !34
  %26 = load float, ptr addrspace(1) %arrayidx44.1183, align 4, !dbg !34, !tbaa !26
  store float %26, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.1 = add i32 %add22.1, %mul20.1, !dbg !24
  %idxprom.1.1 = sext i32 %add23.1.1 to i64, !dbg !25
  %arrayidx.1.1 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.1, !dbg !25
  %27 = load float, ptr addrspace(1) %arrayidx.1.1, align 4, !dbg !25, !tbaa !26
  store float %27, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.1 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.1 = add i32 %add38.1.1, 768, !dbg !32
  %add40.1.1 = add nsw i32 %mul39.1.1, %conv11, !dbg !33
  %idxprom43.1.1 = sext i32 %add40.1.1 to i64, !dbg !34
  %arrayidx44.1.1 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.1, !dbg !34
  %28 = load float, ptr addrspace(1) %arrayidx44.1.1, align 4, !dbg !34, !tbaa !26
  store float %28, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.1, !dbg !39

for.cond62.preheader.1:                           ; preds = %for.cond62.preheader.1, %for.cond.cleanup59
  %sum.sroa.20.1 = phi float [ %24, %for.cond.cleanup59 ], [ %48, %for.cond62.preheader.1 ], !dbg !42
  %sum.sroa.0.1 = phi float [ %22, %for.cond.cleanup59 ], [ %46, %for.cond62.preheader.1 ], !dbg !42
  %k.0170.1 = phi i32 [ 0, %for.cond.cleanup59 ], [ %inc97.1.3, %for.cond62.preheader.1 ]
  %idxprom77.1 = zext nneg i32 %k.0170.1 to i64
  %arrayidx84.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.1, i64 %conv9
  %29 = load float, ptr addrspace(3) %arrayidx84.1, align 4, !tbaa !26
  %arrayidx78.1186 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1, !dbg !41
  %30 = load float, ptr addrspace(3) %arrayidx78.1186, align 4, !dbg !41, !tbaa !26
  %31 = tail call float @llvm.fmuladd.f32(float %30, float %29, float %sum.sroa.0.1), !dbg !42
  %arrayidx78.1.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1, !dbg !41
  %32 = load float, ptr addrspace(3) %arrayidx78.1.1, align 4, !dbg !41, !tbaa !26
  %33 = tail call float @llvm.fmuladd.f32(float %32, float %29, float %sum.sroa.20.1), !dbg !42
  %inc97.1 = or disjoint i32 %k.0170.1, 1, !dbg !43
  %idxprom77.1.1 = zext nneg i32 %inc97.1 to i64
  %arrayidx84.1.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.1, i64 %conv9
  %34 = load float, ptr addrspace(3) %arrayidx84.1.1, align 4, !tbaa !26
  %arrayidx78.1186.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.1, !dbg !41
  %35 = load float, ptr addrspace(3) %arrayidx78.1186.1, align 4, !dbg !41, !tbaa !26
  %36 = tail call float @llvm.fmuladd.f32(float %35, float %34, float %31), !dbg !42
  %arrayidx78.1.1.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.1, !dbg !41
  %37 = load float, ptr addrspace(3) %arrayidx78.1.1.1, align 4, !dbg !41, !tbaa !26
  %38 = tail call float @llvm.fmuladd.f32(float %37, float %34, float %33), !dbg !42
  %inc97.1.1 = or disjoint i32 %k.0170.1, 2, !dbg !43
  %idxprom77.1.2 = zext nneg i32 %inc97.1.1 to i64
  %arrayidx84.1.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.2, i64 %conv9
  %39 = load float, ptr addrspace(3) %arrayidx84.1.2, align 4, !tbaa !26
  %arrayidx78.1186.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.2, !dbg !41
  %40 = load float, ptr addrspace(3) %arrayidx78.1186.2, align 4, !dbg !41, !tbaa !26
  %41 = tail call float @llvm.fmuladd.f32(float %40, float %39, float %36), !dbg !42
  %arrayidx78.1.1.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.2, !dbg !41
  %42 = load float, ptr addrspace(3) %arrayidx78.1.1.2, align 4, !dbg !41, !tbaa !26
  %43 = tail call float @llvm.fmuladd.f32(float %42, float %39, float %38), !dbg !42
  %inc97.1.2 = or disjoint i32 %k.0170.1, 3, !dbg !43
  %idxprom77.1.3 = zext nneg i32 %inc97.1.2 to i64
  %arrayidx84.1.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.1.3, i64 %conv9
  %44 = load float, ptr addrspace(3) %arrayidx84.1.3, align 4, !tbaa !26
  %arrayidx78.1186.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1.3, !dbg !41
  %45 = load float, ptr addrspace(3) %arrayidx78.1186.3, align 4, !dbg !41, !tbaa !26
  %46 = tail call float @llvm.fmuladd.f32(float %45, float %44, float %41), !dbg !42
  %arrayidx78.1.1.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1.3, !dbg !41
  %47 = load float, ptr addrspace(3) %arrayidx78.1.1.3, align 4, !dbg !41, !tbaa !26
  %48 = tail call float @llvm.fmuladd.f32(float %47, float %44, float %43), !dbg !42
  %inc97.1.3 = add nuw nsw i32 %k.0170.1, 4, !dbg !43
  %cmp57.1.3 = icmp ult i32 %inc97.1.2, 7, !dbg !44
  br i1 %cmp57.1.3, label %for.cond62.preheader.1, label %for.cond.cleanup59.1, !dbg !39, !llvm.loop !49

for.cond.cleanup59.1:                             ; preds = %for.cond62.preheader.1
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.2 = add i32 %conv, 16
  %add23.2 = add i32 %add22.2, %mul20, !dbg !24
  %idxprom.2 = sext i32 %add23.2 to i64, !dbg !25
  %arrayidx.2 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.2, !dbg !25
  %49 = load float, ptr addrspace(1) %arrayidx.2, align 4, !dbg !25, !tbaa !26
  store float %49, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.2 = shl i32 %conv2, 6, !dbg !32
  %mul39.2 = add i32 %add38.2, 1024, !dbg !32
  %add40.2 = add nsw i32 %mul39.2, %conv11, !dbg !33
  %idxprom43.2 = sext i32 %add40.2 to i64, !dbg !34
  %arrayidx44.2 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.2, !dbg !34
  %50 = load float, ptr addrspace(1) %arrayidx44.2, align 4, !dbg !34, !tbaa !26
  store float %50, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.2 = add i32 %add22.2, %mul20.1, !dbg !24
  %idxprom.1.2 = sext i32 %add23.1.2 to i64, !dbg !25
  %arrayidx.1.2 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.2, !dbg !25
  %51 = load float, ptr addrspace(1) %arrayidx.1.2, align 4, !dbg !25, !tbaa !26
  store float %51, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.2 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.2 = add i32 %add38.1.2, 1280, !dbg !32
  %add40.1.2 = add nsw i32 %mul39.1.2, %conv11, !dbg !33
  %idxprom43.1.2 = sext i32 %add40.1.2 to i64, !dbg !34
  %arrayidx44.1.2 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.2, !dbg !34
  %52 = load float, ptr addrspace(1) %arrayidx44.1.2, align 4, !dbg !34, !tbaa !26
  store float %52, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.2, !dbg !39

for.cond62.preheader.2:                           ; preds = %for.cond62.preheader.2, %for.cond.cleanup59.1
  %sum.sroa.20.2 = phi float [ %48, %for.cond.cleanup59.1 ], [ %72, %for.cond62.preheader.2 ], !dbg !42
  %sum.sroa.0.2 = phi float [ %46, %for.cond.cleanup59.1 ], [ %70, %for.cond62.preheader.2 ], !dbg !42
  %k.0170.2 = phi i32 [ 0, %for.cond.cleanup59.1 ], [ %inc97.2.3, %for.cond62.preheader.2 ]
  %idxprom77.2 = zext nneg i32 %k.0170.2 to i64
  %arrayidx84.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.2, i64 %conv9
  %53 = load float, ptr addrspace(3) %arrayidx84.2, align 4, !tbaa !26
  %arrayidx78.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2, !dbg !41
  %54 = load float, ptr addrspace(3) %arrayidx78.2, align 4, !dbg !41, !tbaa !26
  %55 = tail call float @llvm.fmuladd.f32(float %54, float %53, float %sum.sroa.0.2), !dbg !42
  %arrayidx78.1.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2, !dbg !41
  %56 = load float, ptr addrspace(3) %arrayidx78.1.2, align 4, !dbg !41, !tbaa !26
  %57 = tail call float @llvm.fmuladd.f32(float %56, float %53, float %sum.sroa.20.2), !dbg !42
  %inc97.2 = or disjoint i32 %k.0170.2, 1, !dbg !43
  %idxprom77.2.1 = zext nneg i32 %inc97.2 to i64
  %arrayidx84.2.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.1, i64 %conv9
  %58 = load float, ptr addrspace(3) %arrayidx84.2.1, align 4, !tbaa !26
  %arrayidx78.2.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.1, !dbg !41
  %59 = load float, ptr addrspace(3) %arrayidx78.2.1, align 4, !dbg !41, !tbaa !26
  %60 = tail call float @llvm.fmuladd.f32(float %59, float %58, float %55), !dbg !42
  %arrayidx78.1.2.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.1, !dbg !41
  %61 = load float, ptr addrspace(3) %arrayidx78.1.2.1, align 4, !dbg !41, !tbaa !26
  %62 = tail call float @llvm.fmuladd.f32(float %61, float %58, float %57), !dbg !42
  %inc97.2.1 = or disjoint i32 %k.0170.2, 2, !dbg !43
  %idxprom77.2.2 = zext nneg i32 %inc97.2.1 to i64
  %arrayidx84.2.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.2, i64 %conv9
  %63 = load float, ptr addrspace(3) %arrayidx84.2.2, align 4, !tbaa !26
  %arrayidx78.2.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.2, !dbg !41
  %64 = load float, ptr addrspace(3) %arrayidx78.2.2, align 4, !dbg !41, !tbaa !26
  %65 = tail call float @llvm.fmuladd.f32(float %64, float %63, float %60), !dbg !42
  %arrayidx78.1.2.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.2, !dbg !41
  %66 = load float, ptr addrspace(3) %arrayidx78.1.2.2, align 4, !dbg !41, !tbaa !26
  %67 = tail call float @llvm.fmuladd.f32(float %66, float %63, float %62), !dbg !42
  %inc97.2.2 = or disjoint i32 %k.0170.2, 3, !dbg !43
  %idxprom77.2.3 = zext nneg i32 %inc97.2.2 to i64
  %arrayidx84.2.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.2.3, i64 %conv9
  %68 = load float, ptr addrspace(3) %arrayidx84.2.3, align 4, !tbaa !26
  %arrayidx78.2.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2.3, !dbg !41
  %69 = load float, ptr addrspace(3) %arrayidx78.2.3, align 4, !dbg !41, !tbaa !26
  %70 = tail call float @llvm.fmuladd.f32(float %69, float %68, float %65), !dbg !42
  %arrayidx78.1.2.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2.3, !dbg !41
  %71 = load float, ptr addrspace(3) %arrayidx78.1.2.3, align 4, !dbg !41, !tbaa !26
  %72 = tail call float @llvm.fmuladd.f32(float %71, float %68, float %67), !dbg !42
  %inc97.2.3 = add nuw nsw i32 %k.0170.2, 4, !dbg !43
  %cmp57.2.3 = icmp ult i32 %inc97.2.2, 7, !dbg !44
  br i1 %cmp57.2.3, label %for.cond62.preheader.2, label %for.cond.cleanup59.2, !dbg !39, !llvm.loop !50

for.cond.cleanup59.2:                             ; preds = %for.cond62.preheader.2
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.3 = add i32 %conv, 24
  %add23.3 = add i32 %add22.3, %mul20, !dbg !24
  %idxprom.3 = sext i32 %add23.3 to i64, !dbg !25
  %arrayidx.3 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.3, !dbg !25
  %73 = load float, ptr addrspace(1) %arrayidx.3, align 4, !dbg !25, !tbaa !26
  store float %73, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.3 = shl i32 %conv2, 6, !dbg !32
  %mul39.3 = add i32 %add38.3, 1536, !dbg !32
  %add40.3 = add nsw i32 %mul39.3, %conv11, !dbg !33
  %idxprom43.3 = sext i32 %add40.3 to i64, !dbg !34
  %arrayidx44.3 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.3, !dbg !34
  %74 = load float, ptr addrspace(1) %arrayidx44.3, align 4, !dbg !34, !tbaa !26
  store float %74, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.3 = add i32 %add22.3, %mul20.1, !dbg !24
  %idxprom.1.3 = sext i32 %add23.1.3 to i64, !dbg !25
  %arrayidx.1.3 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.3, !dbg !25
  %75 = load float, ptr addrspace(1) %arrayidx.1.3, align 4, !dbg !25, !tbaa !26
  store float %75, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.3 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.3 = add i32 %add38.1.3, 1792, !dbg !32
  %add40.1.3 = add nsw i32 %mul39.1.3, %conv11, !dbg !33
  %idxprom43.1.3 = sext i32 %add40.1.3 to i64, !dbg !34
  %arrayidx44.1.3 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.3, !dbg !34
  %76 = load float, ptr addrspace(1) %arrayidx44.1.3, align 4, !dbg !34, !tbaa !26
  store float %76, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.3, !dbg !39

for.cond62.preheader.3:                           ; preds = %for.cond62.preheader.3, %for.cond.cleanup59.2
  %sum.sroa.20.3 = phi float [ %72, %for.cond.cleanup59.2 ], [ %96, %for.cond62.preheader.3 ], !dbg !42
  %sum.sroa.0.3 = phi float [ %70, %for.cond.cleanup59.2 ], [ %94, %for.cond62.preheader.3 ], !dbg !42
  %k.0170.3 = phi i32 [ 0, %for.cond.cleanup59.2 ], [ %inc97.3.3, %for.cond62.preheader.3 ]
  %idxprom77.3 = zext nneg i32 %k.0170.3 to i64
  %arrayidx84.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.3, i64 %conv9
  %77 = load float, ptr addrspace(3) %arrayidx84.3, align 4, !tbaa !26
  %arrayidx78.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3, !dbg !41
  %78 = load float, ptr addrspace(3) %arrayidx78.3, align 4, !dbg !41, !tbaa !26
  %79 = tail call float @llvm.fmuladd.f32(float %78, float %77, float %sum.sroa.0.3), !dbg !42
  %arrayidx78.1.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3, !dbg !41
  %80 = load float, ptr addrspace(3) %arrayidx78.1.3, align 4, !dbg !41, !tbaa !26
  %81 = tail call float @llvm.fmuladd.f32(float %80, float %77, float %sum.sroa.20.3), !dbg !42
  %inc97.3 = or disjoint i32 %k.0170.3, 1, !dbg !43
  %idxprom77.3.1 = zext nneg i32 %inc97.3 to i64
  %arrayidx84.3.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.1, i64 %conv9
  %82 = load float, ptr addrspace(3) %arrayidx84.3.1, align 4, !tbaa !26
  %arrayidx78.3.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.1, !dbg !41
  %83 = load float, ptr addrspace(3) %arrayidx78.3.1, align 4, !dbg !41, !tbaa !26
  %84 = tail call float @llvm.fmuladd.f32(float %83, float %82, float %79), !dbg !42
  %arrayidx78.1.3.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.1, !dbg !41
  %85 = load float, ptr addrspace(3) %arrayidx78.1.3.1, align 4, !dbg !41, !tbaa !26
  %86 = tail call float @llvm.fmuladd.f32(float %85, float %82, float %81), !dbg !42
  %inc97.3.1 = or disjoint i32 %k.0170.3, 2, !dbg !43
  %idxprom77.3.2 = zext nneg i32 %inc97.3.1 to i64
  %arrayidx84.3.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.2, i64 %conv9
  %87 = load float, ptr addrspace(3) %arrayidx84.3.2, align 4, !tbaa !26
  %arrayidx78.3.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.2, !dbg !41
  %88 = load float, ptr addrspace(3) %arrayidx78.3.2, align 4, !dbg !41, !tbaa !26
  %89 = tail call float @llvm.fmuladd.f32(float %88, float %87, float %84), !dbg !42
  %arrayidx78.1.3.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.2, !dbg !41
  %90 = load float, ptr addrspace(3) %arrayidx78.1.3.2, align 4, !dbg !41, !tbaa !26
  %91 = tail call float @llvm.fmuladd.f32(float %90, float %87, float %86), !dbg !42
  %inc97.3.2 = or disjoint i32 %k.0170.3, 3, !dbg !43
  %idxprom77.3.3 = zext nneg i32 %inc97.3.2 to i64
  %arrayidx84.3.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.3.3, i64 %conv9
  %92 = load float, ptr addrspace(3) %arrayidx84.3.3, align 4, !tbaa !26
  %arrayidx78.3.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3.3, !dbg !41
  %93 = load float, ptr addrspace(3) %arrayidx78.3.3, align 4, !dbg !41, !tbaa !26
  %94 = tail call float @llvm.fmuladd.f32(float %93, float %92, float %89), !dbg !42
  %arrayidx78.1.3.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3.3, !dbg !41
  %95 = load float, ptr addrspace(3) %arrayidx78.1.3.3, align 4, !dbg !41, !tbaa !26
  %96 = tail call float @llvm.fmuladd.f32(float %95, float %92, float %91), !dbg !42
  %inc97.3.3 = add nuw nsw i32 %k.0170.3, 4, !dbg !43
  %cmp57.3.3 = icmp ult i32 %inc97.3.2, 7, !dbg !44
  br i1 %cmp57.3.3, label %for.cond62.preheader.3, label %for.cond.cleanup59.3, !dbg !39, !llvm.loop !51

for.cond.cleanup59.3:                             ; preds = %for.cond62.preheader.3
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.4 = add i32 %conv, 32
  %add23.4 = add i32 %add22.4, %mul20, !dbg !24
  %idxprom.4 = sext i32 %add23.4 to i64, !dbg !25
  %arrayidx.4 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.4, !dbg !25
  %97 = load float, ptr addrspace(1) %arrayidx.4, align 4, !dbg !25, !tbaa !26
  store float %97, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.4 = shl i32 %conv2, 6, !dbg !32
  %mul39.4 = add i32 %add38.4, 2048, !dbg !32
  %add40.4 = add nsw i32 %mul39.4, %conv11, !dbg !33
  %idxprom43.4 = sext i32 %add40.4 to i64, !dbg !34
  %arrayidx44.4 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.4, !dbg !34
  %98 = load float, ptr addrspace(1) %arrayidx44.4, align 4, !dbg !34, !tbaa !26
  store float %98, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.4 = add i32 %add22.4, %mul20.1, !dbg !24
  %idxprom.1.4 = sext i32 %add23.1.4 to i64, !dbg !25
  %arrayidx.1.4 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.4, !dbg !25
  %99 = load float, ptr addrspace(1) %arrayidx.1.4, align 4, !dbg !25, !tbaa !26
  store float %99, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.4 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.4 = add i32 %add38.1.4, 2304, !dbg !32
  %add40.1.4 = add nsw i32 %mul39.1.4, %conv11, !dbg !33
  %idxprom43.1.4 = sext i32 %add40.1.4 to i64, !dbg !34
  %arrayidx44.1.4 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.4, !dbg !34
  %100 = load float, ptr addrspace(1) %arrayidx44.1.4, align 4, !dbg !34, !tbaa !26
  store float %100, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.4, !dbg !39

for.cond62.preheader.4:                           ; preds = %for.cond62.preheader.4, %for.cond.cleanup59.3
  %sum.sroa.20.4 = phi float [ %96, %for.cond.cleanup59.3 ], [ %120, %for.cond62.preheader.4 ], !dbg !42
  %sum.sroa.0.4 = phi float [ %94, %for.cond.cleanup59.3 ], [ %118, %for.cond62.preheader.4 ], !dbg !42
  %k.0170.4 = phi i32 [ 0, %for.cond.cleanup59.3 ], [ %inc97.4.3, %for.cond62.preheader.4 ]
  %idxprom77.4 = zext nneg i32 %k.0170.4 to i64
  %arrayidx84.4 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.4, i64 %conv9
  %101 = load float, ptr addrspace(3) %arrayidx84.4, align 4, !tbaa !26
  %arrayidx78.4 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.4, !dbg !41
  %102 = load float, ptr addrspace(3) %arrayidx78.4, align 4, !dbg !41, !tbaa !26
  %103 = tail call float @llvm.fmuladd.f32(float %102, float %101, float %sum.sroa.0.4), !dbg !42
  %arrayidx78.1.4 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.4, !dbg !41
  %104 = load float, ptr addrspace(3) %arrayidx78.1.4, align 4, !dbg !41, !tbaa !26
  %105 = tail call float @llvm.fmuladd.f32(float %104, float %101, float %sum.sroa.20.4), !dbg !42
  %inc97.4 = or disjoint i32 %k.0170.4, 1, !dbg !43
  %idxprom77.4.1 = zext nneg i32 %inc97.4 to i64
  %arrayidx84.4.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.4.1, i64 %conv9
  %106 = load float, ptr addrspace(3) %arrayidx84.4.1, align 4, !tbaa !26
  %arrayidx78.4.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.4.1, !dbg !41
  %107 = load float, ptr addrspace(3) %arrayidx78.4.1, align 4, !dbg !41, !tbaa !26
  %108 = tail call float @llvm.fmuladd.f32(float %107, float %106, float %103), !dbg !42
  %arrayidx78.1.4.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.4.1, !dbg !41
  %109 = load float, ptr addrspace(3) %arrayidx78.1.4.1, align 4, !dbg !41, !tbaa !26
  %110 = tail call float @llvm.fmuladd.f32(float %109, float %106, float %105), !dbg !42
  %inc97.4.1 = or disjoint i32 %k.0170.4, 2, !dbg !43
  %idxprom77.4.2 = zext nneg i32 %inc97.4.1 to i64
  %arrayidx84.4.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.4.2, i64 %conv9
  %111 = load float, ptr addrspace(3) %arrayidx84.4.2, align 4, !tbaa !26
  %arrayidx78.4.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.4.2, !dbg !41
  %112 = load float, ptr addrspace(3) %arrayidx78.4.2, align 4, !dbg !41, !tbaa !26
  %113 = tail call float @llvm.fmuladd.f32(float %112, float %111, float %108), !dbg !42
  %arrayidx78.1.4.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.4.2, !dbg !41
  %114 = load float, ptr addrspace(3) %arrayidx78.1.4.2, align 4, !dbg !41, !tbaa !26
  %115 = tail call float @llvm.fmuladd.f32(float %114, float %111, float %110), !dbg !42
  %inc97.4.2 = or disjoint i32 %k.0170.4, 3, !dbg !43
  %idxprom77.4.3 = zext nneg i32 %inc97.4.2 to i64
  %arrayidx84.4.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.4.3, i64 %conv9
  %116 = load float, ptr addrspace(3) %arrayidx84.4.3, align 4, !tbaa !26
  %arrayidx78.4.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.4.3, !dbg !41
  %117 = load float, ptr addrspace(3) %arrayidx78.4.3, align 4, !dbg !41, !tbaa !26
  %118 = tail call float @llvm.fmuladd.f32(float %117, float %116, float %113), !dbg !42
  %arrayidx78.1.4.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.4.3, !dbg !41
  %119 = load float, ptr addrspace(3) %arrayidx78.1.4.3, align 4, !dbg !41, !tbaa !26
  %120 = tail call float @llvm.fmuladd.f32(float %119, float %116, float %115), !dbg !42
  %inc97.4.3 = add nuw nsw i32 %k.0170.4, 4, !dbg !43
  %cmp57.4.3 = icmp ult i32 %inc97.4.2, 7, !dbg !44
  br i1 %cmp57.4.3, label %for.cond62.preheader.4, label %for.cond.cleanup59.4, !dbg !39, !llvm.loop !52

for.cond.cleanup59.4:                             ; preds = %for.cond62.preheader.4
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.5 = add i32 %conv, 40
  %add23.5 = add i32 %add22.5, %mul20, !dbg !24
  %idxprom.5 = sext i32 %add23.5 to i64, !dbg !25
  %arrayidx.5 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.5, !dbg !25
  %121 = load float, ptr addrspace(1) %arrayidx.5, align 4, !dbg !25, !tbaa !26
  store float %121, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.5 = shl i32 %conv2, 6, !dbg !32
  %mul39.5 = add i32 %add38.5, 2560, !dbg !32
  %add40.5 = add nsw i32 %mul39.5, %conv11, !dbg !33
  %idxprom43.5 = sext i32 %add40.5 to i64, !dbg !34
  %arrayidx44.5 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.5, !dbg !34
  %122 = load float, ptr addrspace(1) %arrayidx44.5, align 4, !dbg !34, !tbaa !26
  store float %122, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.5 = add i32 %add22.5, %mul20.1, !dbg !24
  %idxprom.1.5 = sext i32 %add23.1.5 to i64, !dbg !25
  %arrayidx.1.5 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.5, !dbg !25
  %123 = load float, ptr addrspace(1) %arrayidx.1.5, align 4, !dbg !25, !tbaa !26
  store float %123, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.5 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.5 = add i32 %add38.1.5, 2816, !dbg !32
  %add40.1.5 = add nsw i32 %mul39.1.5, %conv11, !dbg !33
  %idxprom43.1.5 = sext i32 %add40.1.5 to i64, !dbg !34
  %arrayidx44.1.5 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.5, !dbg !34
  %124 = load float, ptr addrspace(1) %arrayidx44.1.5, align 4, !dbg !34, !tbaa !26
  store float %124, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.5, !dbg !39

for.cond62.preheader.5:                           ; preds = %for.cond62.preheader.5, %for.cond.cleanup59.4
  %sum.sroa.20.5 = phi float [ %120, %for.cond.cleanup59.4 ], [ %144, %for.cond62.preheader.5 ], !dbg !42
  %sum.sroa.0.5 = phi float [ %118, %for.cond.cleanup59.4 ], [ %142, %for.cond62.preheader.5 ], !dbg !42
  %k.0170.5 = phi i32 [ 0, %for.cond.cleanup59.4 ], [ %inc97.5.3, %for.cond62.preheader.5 ]
  %idxprom77.5 = zext nneg i32 %k.0170.5 to i64
  %arrayidx84.5 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.5, i64 %conv9
  %125 = load float, ptr addrspace(3) %arrayidx84.5, align 4, !tbaa !26
  %arrayidx78.5 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.5, !dbg !41
  %126 = load float, ptr addrspace(3) %arrayidx78.5, align 4, !dbg !41, !tbaa !26
  %127 = tail call float @llvm.fmuladd.f32(float %126, float %125, float %sum.sroa.0.5), !dbg !42
  %arrayidx78.1.5 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.5, !dbg !41
  %128 = load float, ptr addrspace(3) %arrayidx78.1.5, align 4, !dbg !41, !tbaa !26
  %129 = tail call float @llvm.fmuladd.f32(float %128, float %125, float %sum.sroa.20.5), !dbg !42
  %inc97.5 = or disjoint i32 %k.0170.5, 1, !dbg !43
  %idxprom77.5.1 = zext nneg i32 %inc97.5 to i64
  %arrayidx84.5.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.5.1, i64 %conv9
  %130 = load float, ptr addrspace(3) %arrayidx84.5.1, align 4, !tbaa !26
  %arrayidx78.5.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.5.1, !dbg !41
  %131 = load float, ptr addrspace(3) %arrayidx78.5.1, align 4, !dbg !41, !tbaa !26
  %132 = tail call float @llvm.fmuladd.f32(float %131, float %130, float %127), !dbg !42
  %arrayidx78.1.5.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.5.1, !dbg !41
  %133 = load float, ptr addrspace(3) %arrayidx78.1.5.1, align 4, !dbg !41, !tbaa !26
  %134 = tail call float @llvm.fmuladd.f32(float %133, float %130, float %129), !dbg !42
  %inc97.5.1 = or disjoint i32 %k.0170.5, 2, !dbg !43
  %idxprom77.5.2 = zext nneg i32 %inc97.5.1 to i64
  %arrayidx84.5.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.5.2, i64 %conv9
  %135 = load float, ptr addrspace(3) %arrayidx84.5.2, align 4, !tbaa !26
  %arrayidx78.5.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.5.2, !dbg !41
  %136 = load float, ptr addrspace(3) %arrayidx78.5.2, align 4, !dbg !41, !tbaa !26
  %137 = tail call float @llvm.fmuladd.f32(float %136, float %135, float %132), !dbg !42
  %arrayidx78.1.5.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.5.2, !dbg !41
  %138 = load float, ptr addrspace(3) %arrayidx78.1.5.2, align 4, !dbg !41, !tbaa !26
  %139 = tail call float @llvm.fmuladd.f32(float %138, float %135, float %134), !dbg !42
  %inc97.5.2 = or disjoint i32 %k.0170.5, 3, !dbg !43
  %idxprom77.5.3 = zext nneg i32 %inc97.5.2 to i64
  %arrayidx84.5.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.5.3, i64 %conv9
  %140 = load float, ptr addrspace(3) %arrayidx84.5.3, align 4, !tbaa !26
  %arrayidx78.5.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.5.3, !dbg !41
  %141 = load float, ptr addrspace(3) %arrayidx78.5.3, align 4, !dbg !41, !tbaa !26
  %142 = tail call float @llvm.fmuladd.f32(float %141, float %140, float %137), !dbg !42
  %arrayidx78.1.5.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.5.3, !dbg !41
  %143 = load float, ptr addrspace(3) %arrayidx78.1.5.3, align 4, !dbg !41, !tbaa !26
  %144 = tail call float @llvm.fmuladd.f32(float %143, float %140, float %139), !dbg !42
  %inc97.5.3 = add nuw nsw i32 %k.0170.5, 4, !dbg !43
  %cmp57.5.3 = icmp ult i32 %inc97.5.2, 7, !dbg !44
  br i1 %cmp57.5.3, label %for.cond62.preheader.5, label %for.cond.cleanup59.5, !dbg !39, !llvm.loop !53

for.cond.cleanup59.5:                             ; preds = %for.cond62.preheader.5
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.6 = add i32 %conv, 48
  %add23.6 = add i32 %add22.6, %mul20, !dbg !24
  %idxprom.6 = sext i32 %add23.6 to i64, !dbg !25
  %arrayidx.6 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.6, !dbg !25
  %145 = load float, ptr addrspace(1) %arrayidx.6, align 4, !dbg !25, !tbaa !26
  store float %145, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.6 = shl i32 %conv2, 6, !dbg !32
  %mul39.6 = add i32 %add38.6, 3072, !dbg !32
  %add40.6 = add nsw i32 %mul39.6, %conv11, !dbg !33
  %idxprom43.6 = sext i32 %add40.6 to i64, !dbg !34
  %arrayidx44.6 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.6, !dbg !34
  %146 = load float, ptr addrspace(1) %arrayidx44.6, align 4, !dbg !34, !tbaa !26
  store float %146, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.6 = add i32 %add22.6, %mul20.1, !dbg !24
  %idxprom.1.6 = sext i32 %add23.1.6 to i64, !dbg !25
  %arrayidx.1.6 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.6, !dbg !25
  %147 = load float, ptr addrspace(1) %arrayidx.1.6, align 4, !dbg !25, !tbaa !26
  store float %147, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.6 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.6 = add i32 %add38.1.6, 3328, !dbg !32
  %add40.1.6 = add nsw i32 %mul39.1.6, %conv11, !dbg !33
  %idxprom43.1.6 = sext i32 %add40.1.6 to i64, !dbg !34
  %arrayidx44.1.6 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.6, !dbg !34
  %148 = load float, ptr addrspace(1) %arrayidx44.1.6, align 4, !dbg !34, !tbaa !26
  store float %148, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.6, !dbg !39

for.cond62.preheader.6:                           ; preds = %for.cond62.preheader.6, %for.cond.cleanup59.5
  %sum.sroa.20.6 = phi float [ %144, %for.cond.cleanup59.5 ], [ %168, %for.cond62.preheader.6 ], !dbg !42
  %sum.sroa.0.6 = phi float [ %142, %for.cond.cleanup59.5 ], [ %166, %for.cond62.preheader.6 ], !dbg !42
  %k.0170.6 = phi i32 [ 0, %for.cond.cleanup59.5 ], [ %inc97.6.3, %for.cond62.preheader.6 ]
  %idxprom77.6 = zext nneg i32 %k.0170.6 to i64
  %arrayidx84.6 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.6, i64 %conv9
  %149 = load float, ptr addrspace(3) %arrayidx84.6, align 4, !tbaa !26
  %arrayidx78.6 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.6, !dbg !41
  %150 = load float, ptr addrspace(3) %arrayidx78.6, align 4, !dbg !41, !tbaa !26
  %151 = tail call float @llvm.fmuladd.f32(float %150, float %149, float %sum.sroa.0.6), !dbg !42
  %arrayidx78.1.6 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.6, !dbg !41
  %152 = load float, ptr addrspace(3) %arrayidx78.1.6, align 4, !dbg !41, !tbaa !26
  %153 = tail call float @llvm.fmuladd.f32(float %152, float %149, float %sum.sroa.20.6), !dbg !42
  %inc97.6 = or disjoint i32 %k.0170.6, 1, !dbg !43
  %idxprom77.6.1 = zext nneg i32 %inc97.6 to i64
  %arrayidx84.6.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.6.1, i64 %conv9
  %154 = load float, ptr addrspace(3) %arrayidx84.6.1, align 4, !tbaa !26
  %arrayidx78.6.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.6.1, !dbg !41
  %155 = load float, ptr addrspace(3) %arrayidx78.6.1, align 4, !dbg !41, !tbaa !26
  %156 = tail call float @llvm.fmuladd.f32(float %155, float %154, float %151), !dbg !42
  %arrayidx78.1.6.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.6.1, !dbg !41
  %157 = load float, ptr addrspace(3) %arrayidx78.1.6.1, align 4, !dbg !41, !tbaa !26
  %158 = tail call float @llvm.fmuladd.f32(float %157, float %154, float %153), !dbg !42
  %inc97.6.1 = or disjoint i32 %k.0170.6, 2, !dbg !43
  %idxprom77.6.2 = zext nneg i32 %inc97.6.1 to i64
  %arrayidx84.6.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.6.2, i64 %conv9
  %159 = load float, ptr addrspace(3) %arrayidx84.6.2, align 4, !tbaa !26
  %arrayidx78.6.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.6.2, !dbg !41
  %160 = load float, ptr addrspace(3) %arrayidx78.6.2, align 4, !dbg !41, !tbaa !26
  %161 = tail call float @llvm.fmuladd.f32(float %160, float %159, float %156), !dbg !42
  %arrayidx78.1.6.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.6.2, !dbg !41
  %162 = load float, ptr addrspace(3) %arrayidx78.1.6.2, align 4, !dbg !41, !tbaa !26
  %163 = tail call float @llvm.fmuladd.f32(float %162, float %159, float %158), !dbg !42
  %inc97.6.2 = or disjoint i32 %k.0170.6, 3, !dbg !43
  %idxprom77.6.3 = zext nneg i32 %inc97.6.2 to i64
  %arrayidx84.6.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.6.3, i64 %conv9
  %164 = load float, ptr addrspace(3) %arrayidx84.6.3, align 4, !tbaa !26
  %arrayidx78.6.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.6.3, !dbg !41
  %165 = load float, ptr addrspace(3) %arrayidx78.6.3, align 4, !dbg !41, !tbaa !26
  %166 = tail call float @llvm.fmuladd.f32(float %165, float %164, float %161), !dbg !42
  %arrayidx78.1.6.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.6.3, !dbg !41
  %167 = load float, ptr addrspace(3) %arrayidx78.1.6.3, align 4, !dbg !41, !tbaa !26
  %168 = tail call float @llvm.fmuladd.f32(float %167, float %164, float %163), !dbg !42
  %inc97.6.3 = add nuw nsw i32 %k.0170.6, 4, !dbg !43
  %cmp57.6.3 = icmp ult i32 %inc97.6.2, 7, !dbg !44
  br i1 %cmp57.6.3, label %for.cond62.preheader.6, label %for.cond.cleanup59.6, !dbg !39, !llvm.loop !54

for.cond.cleanup59.6:                             ; preds = %for.cond62.preheader.6
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %add22.7 = add i32 %conv, 56
  %add23.7 = add i32 %add22.7, %mul20, !dbg !24
  %idxprom.7 = sext i32 %add23.7 to i64, !dbg !25
  %arrayidx.7 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.7, !dbg !25
  %169 = load float, ptr addrspace(1) %arrayidx.7, align 4, !dbg !25, !tbaa !26
  store float %169, ptr addrspace(3) %arrayidx29, align 4, !dbg !31, !tbaa !26
  %add38.7 = shl i32 %conv2, 6, !dbg !32
  %mul39.7 = add i32 %add38.7, 3584, !dbg !32
  %add40.7 = add nsw i32 %mul39.7, %conv11, !dbg !33
  %idxprom43.7 = sext i32 %add40.7 to i64, !dbg !34
  %arrayidx44.7 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.7, !dbg !34
  %170 = load float, ptr addrspace(1) %arrayidx44.7, align 4, !dbg !34, !tbaa !26
  store float %170, ptr addrspace(3) %arrayidx52, align 4, !dbg !36, !tbaa !26
  %add23.1.7 = add i32 %add22.7, %mul20.1, !dbg !24
  %idxprom.1.7 = sext i32 %add23.1.7 to i64, !dbg !25
  %arrayidx.1.7 = getelementptr inbounds float, ptr addrspace(1) %A, i64 %idxprom.1.7, !dbg !25
  %171 = load float, ptr addrspace(1) %arrayidx.1.7, align 4, !dbg !25, !tbaa !26
  store float %171, ptr addrspace(3) %arrayidx29.1, align 4, !dbg !31, !tbaa !26
  %add38.1.7 = shl i32 %conv2, 6, !dbg !32
  %mul39.1.7 = add i32 %add38.1.7, 3840, !dbg !32
  %add40.1.7 = add nsw i32 %mul39.1.7, %conv11, !dbg !33
  %idxprom43.1.7 = sext i32 %add40.1.7 to i64, !dbg !34
  %arrayidx44.1.7 = getelementptr inbounds float, ptr addrspace(1) %B, i64 %idxprom43.1.7, !dbg !34
  %172 = load float, ptr addrspace(1) %arrayidx44.1.7, align 4, !dbg !34, !tbaa !26
  store float %172, ptr addrspace(3) %arrayidx52.1, align 4, !dbg !36, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !38
  br label %for.cond62.preheader.7, !dbg !39

for.cond62.preheader.7:                           ; preds = %for.cond62.preheader.7, %for.cond.cleanup59.6
  %sum.sroa.20.7 = phi float [ %168, %for.cond.cleanup59.6 ], [ %192, %for.cond62.preheader.7 ], !dbg !42
  %sum.sroa.0.7 = phi float [ %166, %for.cond.cleanup59.6 ], [ %190, %for.cond62.preheader.7 ], !dbg !42
  %k.0170.7 = phi i32 [ 0, %for.cond.cleanup59.6 ], [ %inc97.7.3, %for.cond62.preheader.7 ]
  %idxprom77.7 = zext nneg i32 %k.0170.7 to i64
  %arrayidx84.7 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.7, i64 %conv9
  %173 = load float, ptr addrspace(3) %arrayidx84.7, align 4, !tbaa !26
  %arrayidx78.7 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.7, !dbg !41
  %174 = load float, ptr addrspace(3) %arrayidx78.7, align 4, !dbg !41, !tbaa !26
  %175 = tail call float @llvm.fmuladd.f32(float %174, float %173, float %sum.sroa.0.7), !dbg !42
  %arrayidx78.1.7 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.7, !dbg !41
  %176 = load float, ptr addrspace(3) %arrayidx78.1.7, align 4, !dbg !41, !tbaa !26
  %177 = tail call float @llvm.fmuladd.f32(float %176, float %173, float %sum.sroa.20.7), !dbg !42
  %inc97.7 = or disjoint i32 %k.0170.7, 1, !dbg !43
  %idxprom77.7.1 = zext nneg i32 %inc97.7 to i64
  %arrayidx84.7.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.7.1, i64 %conv9
  %178 = load float, ptr addrspace(3) %arrayidx84.7.1, align 4, !tbaa !26
  %arrayidx78.7.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.7.1, !dbg !41
  %179 = load float, ptr addrspace(3) %arrayidx78.7.1, align 4, !dbg !41, !tbaa !26
  %180 = tail call float @llvm.fmuladd.f32(float %179, float %178, float %175), !dbg !42
  %arrayidx78.1.7.1 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.7.1, !dbg !41
  %181 = load float, ptr addrspace(3) %arrayidx78.1.7.1, align 4, !dbg !41, !tbaa !26
  %182 = tail call float @llvm.fmuladd.f32(float %181, float %178, float %177), !dbg !42
  %inc97.7.1 = or disjoint i32 %k.0170.7, 2, !dbg !43
  %idxprom77.7.2 = zext nneg i32 %inc97.7.1 to i64
  %arrayidx84.7.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.7.2, i64 %conv9
  %183 = load float, ptr addrspace(3) %arrayidx84.7.2, align 4, !tbaa !26
  %arrayidx78.7.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.7.2, !dbg !41
  %184 = load float, ptr addrspace(3) %arrayidx78.7.2, align 4, !dbg !41, !tbaa !26
  %185 = tail call float @llvm.fmuladd.f32(float %184, float %183, float %180), !dbg !42
  %arrayidx78.1.7.2 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.7.2, !dbg !41
  %186 = load float, ptr addrspace(3) %arrayidx78.1.7.2, align 4, !dbg !41, !tbaa !26
  %187 = tail call float @llvm.fmuladd.f32(float %186, float %183, float %182), !dbg !42
  %inc97.7.2 = or disjoint i32 %k.0170.7, 3, !dbg !43
  %idxprom77.7.3 = zext nneg i32 %inc97.7.2 to i64
  %arrayidx84.7.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.Bs, i64 0, i64 %idxprom77.7.3, i64 %conv9
  %188 = load float, ptr addrspace(3) %arrayidx84.7.3, align 4, !tbaa !26
  %arrayidx78.7.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.7.3, !dbg !41
  %189 = load float, ptr addrspace(3) %arrayidx78.7.3, align 4, !dbg !41, !tbaa !26
  %190 = tail call float @llvm.fmuladd.f32(float %189, float %188, float %185), !dbg !42
  %arrayidx78.1.7.3 = getelementptr inbounds [8 x [8 x float]], ptr addrspace(3) @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.7.3, !dbg !41
  %191 = load float, ptr addrspace(3) %arrayidx78.1.7.3, align 4, !dbg !41, !tbaa !26
  %192 = tail call float @llvm.fmuladd.f32(float %191, float %188, float %187), !dbg !42
  %inc97.7.3 = add nuw nsw i32 %k.0170.7, 4, !dbg !43
  %cmp57.7.3 = icmp ult i32 %inc97.7.2, 7, !dbg !44
  br i1 %cmp57.7.3, label %for.cond62.preheader.7, label %for.cond.cleanup59.7, !dbg !39, !llvm.loop !55

for.cond.cleanup59.7:                             ; preds = %for.cond62.preheader.7
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !48
  %mul120 = add i32 %conv11, %mul20
  %idxprom124 = sext i32 %mul120 to i64, !dbg !56
  %arrayidx125 = getelementptr inbounds float, ptr addrspace(1) %C, i64 %idxprom124, !dbg !56
  store float %190, ptr addrspace(1) %arrayidx125, align 4, !dbg !57, !tbaa !26
  %add121.1 = add i32 %mul120, 256, !dbg !58
  %idxprom124.1 = sext i32 %add121.1 to i64, !dbg !56
  %arrayidx125.1 = getelementptr inbounds float, ptr addrspace(1) %C, i64 %idxprom124.1, !dbg !56
  store float %192, ptr addrspace(1) %arrayidx125.1, align 4, !dbg !57, !tbaa !26
  ret void, !dbg !59
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !60 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !61 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !62 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind willreturn memory(none) }
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
!8 = distinct !DISubprogram(name: "matmul_tiled", scope: !9, file: !9, line: 5, type: !10, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
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
!23 = !DILocation(line: 14, column: 58, scope: !8)
!24 = !DILocation(line: 14, column: 74, scope: !8)
!25 = !DILocation(line: 14, column: 38, scope: !8)
!26 = !{!27, !27, i64 0}
!27 = !{!"float", !28, i64 0}
!28 = !{!"omnipotent char", !29, i64 0}
!29 = !{!"Simple C/C++ TBAA"}
!30 = !DILocation(line: 14, column: 13, scope: !8)
!31 = !DILocation(line: 14, column: 36, scope: !8)
!32 = !DILocation(line: 17, column: 79, scope: !8)
!33 = !DILocation(line: 17, column: 86, scope: !8)
!34 = !DILocation(line: 17, column: 51, scope: !8)
!35 = !DILocation(line: 17, column: 17, scope: !8)
!36 = !DILocation(line: 17, column: 49, scope: !8)
!37 = !DILocation(line: 14, column: 19, scope: !8)
!38 = !DILocation(line: 19, column: 9, scope: !8)
!39 = !DILocation(line: 21, column: 9, scope: !8)
!40 = !DILocation(line: 0, scope: !8)
!41 = !DILocation(line: 26, column: 34, scope: !8)
!42 = !DILocation(line: 26, column: 31, scope: !8)
!43 = !DILocation(line: 21, column: 33, scope: !8)
!44 = !DILocation(line: 21, column: 27, scope: !8)
!45 = distinct !{!45, !39, !46, !47}
!46 = !DILocation(line: 26, column: 75, scope: !8)
!47 = !{!"llvm.loop.unroll.disable"}
!48 = !DILocation(line: 27, column: 9, scope: !8)
!49 = distinct !{!49, !39, !46, !47}
!50 = distinct !{!50, !39, !46, !47}
!51 = distinct !{!51, !39, !46, !47}
!52 = distinct !{!52, !39, !46, !47}
!53 = distinct !{!53, !39, !46, !47}
!54 = distinct !{!54, !39, !46, !47}
!55 = distinct !{!55, !39, !46, !47}
!56 = !DILocation(line: 33, column: 13, scope: !8)
!57 = !DILocation(line: 33, column: 59, scope: !8)
!58 = !DILocation(line: 33, column: 40, scope: !8)
!59 = !DILocation(line: 34, column: 1, scope: !8)
!60 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 8, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!61 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 9, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!62 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 19, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
