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
  br label %for.cond13.preheader, !dbg !23

for.cond13.preheader:                             ; preds = %entry, %for.cond.cleanup59
  %sum.sroa.12.0 = phi float [ 0.000000e+00, %entry ], [ %24, %for.cond.cleanup59 ], !dbg !24
  %sum.sroa.0.0 = phi float [ 0.000000e+00, %entry ], [ %22, %for.cond.cleanup59 ], !dbg !24
  %t.0184 = phi i32 [ 0, %entry ], [ %inc100, %for.cond.cleanup59 ]
  %mul21 = shl nuw nsw i32 %t.0184, 3
  %add22 = add i32 %mul21, %conv
  %add23 = add i32 %add22, %mul20, !dbg !25
  %idxprom = sext i32 %add23 to i64, !dbg !26
  %arrayidx = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom, !dbg !26
  %1 = load float, float addrspace(1)* %arrayidx, align 4, !dbg !26, !tbaa !27
  store float %1, float addrspace(3)* %arrayidx29, align 4, !dbg !31, !tbaa !27
  %add38 = add i32 %mul21, %conv2, !dbg !32
  %mul39 = shl nsw i32 %add38, 6, !dbg !33
  %add40 = add nsw i32 %mul39, %conv11, !dbg !34
  %idxprom43 = sext i32 %add40 to i64, !dbg !35
  %arrayidx44 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43, !dbg !35
  %2 = load float, float addrspace(1)* %arrayidx44, align 4, !dbg !35, !tbaa !27
  store float %2, float addrspace(3)* %arrayidx52, align 4, !dbg !36, !tbaa !27
  %add23.1 = add i32 %add22, %mul20.1, !dbg !25
  %idxprom.1 = sext i32 %add23.1 to i64, !dbg !26
  %arrayidx.1 = getelementptr inbounds float, float addrspace(1)* %A, i64 %idxprom.1, !dbg !26
  %3 = load float, float addrspace(1)* %arrayidx.1, align 4, !dbg !26, !tbaa !27
  store float %3, float addrspace(3)* %arrayidx29.1, align 4, !dbg !31, !tbaa !27
  %add38.1 = add i32 %add25.1, %mul21, !dbg !32
  %mul39.1 = shl nsw i32 %add38.1, 6, !dbg !33
  %add40.1 = add nsw i32 %mul39.1, %conv11, !dbg !34
  %idxprom43.1 = sext i32 %add40.1 to i64, !dbg !35
  %arrayidx44.1 = getelementptr inbounds float, float addrspace(1)* %B, i64 %idxprom43.1, !dbg !35
  %4 = load float, float addrspace(1)* %arrayidx44.1, align 4, !dbg !35, !tbaa !27
  store float %4, float addrspace(3)* %arrayidx52.1, align 4, !dbg !36, !tbaa !27
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !37
  br label %for.cond62.preheader, !dbg !38

for.cond62.preheader:                             ; preds = %for.cond62.preheader, %for.cond13.preheader
  %sum.sroa.12.1 = phi float [ %sum.sroa.12.0, %for.cond13.preheader ], [ %24, %for.cond62.preheader ], !dbg !24
  %sum.sroa.0.1 = phi float [ %sum.sroa.0.0, %for.cond13.preheader ], [ %22, %for.cond62.preheader ], !dbg !24
  %k.0183 = phi i32 [ 0, %for.cond13.preheader ], [ %inc97.3, %for.cond62.preheader ]
  %idxprom77 = zext i32 %k.0183 to i64
  %arrayidx84 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77, i64 %conv9
  %5 = load float, float addrspace(3)* %arrayidx84, align 4, !tbaa !27
  %arrayidx78 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77, !dbg !39
  %6 = load float, float addrspace(3)* %arrayidx78, align 4, !dbg !39, !tbaa !27
  %7 = tail call float @llvm.fmuladd.f32(float %6, float %5, float %sum.sroa.0.1), !dbg !40
  %arrayidx78.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77, !dbg !39
  %8 = load float, float addrspace(3)* %arrayidx78.1, align 4, !dbg !39, !tbaa !27
  %9 = tail call float @llvm.fmuladd.f32(float %8, float %5, float %sum.sroa.12.1), !dbg !40
  %inc97 = or i32 %k.0183, 1, !dbg !41
  %idxprom77.1 = zext i32 %inc97 to i64
  %arrayidx84.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.1, i64 %conv9
  %10 = load float, float addrspace(3)* %arrayidx84.1, align 4, !tbaa !27
  %arrayidx78.1186 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.1, !dbg !39
  %11 = load float, float addrspace(3)* %arrayidx78.1186, align 4, !dbg !39, !tbaa !27
  %12 = tail call float @llvm.fmuladd.f32(float %11, float %10, float %7), !dbg !40
  %arrayidx78.1.1 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.1, !dbg !39
  %13 = load float, float addrspace(3)* %arrayidx78.1.1, align 4, !dbg !39, !tbaa !27
  %14 = tail call float @llvm.fmuladd.f32(float %13, float %10, float %9), !dbg !40
  %inc97.1 = or i32 %k.0183, 2, !dbg !41
  %idxprom77.2 = zext i32 %inc97.1 to i64
  %arrayidx84.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.2, i64 %conv9
  %15 = load float, float addrspace(3)* %arrayidx84.2, align 4, !tbaa !27
  %arrayidx78.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.2, !dbg !39
  %16 = load float, float addrspace(3)* %arrayidx78.2, align 4, !dbg !39, !tbaa !27
  %17 = tail call float @llvm.fmuladd.f32(float %16, float %15, float %12), !dbg !40
  %arrayidx78.1.2 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.2, !dbg !39
  %18 = load float, float addrspace(3)* %arrayidx78.1.2, align 4, !dbg !39, !tbaa !27
  %19 = tail call float @llvm.fmuladd.f32(float %18, float %15, float %14), !dbg !40
  %inc97.2 = or i32 %k.0183, 3, !dbg !41
  %idxprom77.3 = zext i32 %inc97.2 to i64
  %arrayidx84.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.Bs, i64 0, i64 %idxprom77.3, i64 %conv9
  %20 = load float, float addrspace(3)* %arrayidx84.3, align 4, !tbaa !27
  %arrayidx78.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26, i64 %idxprom77.3, !dbg !39
  %21 = load float, float addrspace(3)* %arrayidx78.3, align 4, !dbg !39, !tbaa !27
  %22 = tail call float @llvm.fmuladd.f32(float %21, float %20, float %17), !dbg !40
  %arrayidx78.1.3 = getelementptr inbounds [8 x [8 x float]], [8 x [8 x float]] addrspace(3)* @matmul_tiled.As, i64 0, i64 %idxprom26.1, i64 %idxprom77.3, !dbg !39
  %23 = load float, float addrspace(3)* %arrayidx78.1.3, align 4, !dbg !39, !tbaa !27
  %24 = tail call float @llvm.fmuladd.f32(float %23, float %20, float %19), !dbg !40
  %inc97.3 = add nuw nsw i32 %k.0183, 4, !dbg !41
  %cmp57.3 = icmp ult i32 %inc97.2, 7, !dbg !42
  br i1 %cmp57.3, label %for.cond62.preheader, label %for.cond.cleanup59, !dbg !38, !llvm.loop !43

for.cond.cleanup59:                               ; preds = %for.cond62.preheader
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !46
  %inc100 = add nuw nsw i32 %t.0184, 1, !dbg !47
  %cmp = icmp ult i32 %t.0184, 7, !dbg !48
  br i1 %cmp, label %for.cond13.preheader, label %for.body113.preheader, !dbg !23, !llvm.loop !49

for.body113.preheader:                            ; preds = %for.cond.cleanup59
  %add121 = add nsw i32 %mul20, %conv11, !dbg !51
  %idxprom124 = sext i32 %add121 to i64, !dbg !52
  %arrayidx125 = getelementptr inbounds float, float addrspace(1)* %C, i64 %idxprom124, !dbg !52
  store float %22, float addrspace(1)* %arrayidx125, align 4, !dbg !53, !tbaa !27
  %add121.1 = add nsw i32 %mul20.1, %conv11, !dbg !51
  %idxprom124.1 = sext i32 %add121.1 to i64, !dbg !52
  %arrayidx125.1 = getelementptr inbounds float, float addrspace(1)* %C, i64 %idxprom124.1, !dbg !52
  store float %24, float addrspace(1)* %arrayidx125.1, align 4, !dbg !53, !tbaa !27
  ret void, !dbg !54
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !55 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !56 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent
declare !dbg !57 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

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
!23 = !DILocation(line: 11, column: 5, scope: !8)
!24 = !DILocation(line: 0, scope: !8)
!25 = !DILocation(line: 14, column: 74, scope: !8)
!26 = !DILocation(line: 14, column: 38, scope: !8)
!27 = !{!28, !28, i64 0}
!28 = !{!"float", !29, i64 0}
!29 = !{!"omnipotent char", !30, i64 0}
!30 = !{!"Simple C/C++ TBAA"}
!31 = !DILocation(line: 14, column: 36, scope: !8)
!32 = !DILocation(line: 17, column: 66, scope: !8)
!33 = !DILocation(line: 17, column: 79, scope: !8)
!34 = !DILocation(line: 17, column: 86, scope: !8)
!35 = !DILocation(line: 17, column: 51, scope: !8)
!36 = !DILocation(line: 17, column: 49, scope: !8)
!37 = !DILocation(line: 19, column: 9, scope: !8)
!38 = !DILocation(line: 21, column: 9, scope: !8)
!39 = !DILocation(line: 26, column: 34, scope: !8)
!40 = !DILocation(line: 26, column: 31, scope: !8)
!41 = !DILocation(line: 21, column: 33, scope: !8)
!42 = !DILocation(line: 21, column: 27, scope: !8)
!43 = distinct !{!43, !38, !44, !45}
!44 = !DILocation(line: 26, column: 75, scope: !8)
!45 = !{!"llvm.loop.unroll.disable"}
!46 = !DILocation(line: 27, column: 9, scope: !8)
!47 = !DILocation(line: 11, column: 36, scope: !8)
!48 = !DILocation(line: 11, column: 23, scope: !8)
!49 = distinct !{!49, !23, !50}
!50 = !DILocation(line: 28, column: 5, scope: !8)
!51 = !DILocation(line: 33, column: 40, scope: !8)
!52 = !DILocation(line: 33, column: 13, scope: !8)
!53 = !DILocation(line: 33, column: 59, scope: !8)
!54 = !DILocation(line: 34, column: 1, scope: !8)
!55 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 8, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!56 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 9, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!57 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 19, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
