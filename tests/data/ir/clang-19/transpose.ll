; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@transpose.tile = internal unnamed_addr addrspace(3) global [8 x [9 x float]] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @transpose(ptr addrspace(1) noalias nocapture noundef readonly align 4 %in, ptr addrspace(1) noalias nocapture noundef writeonly align 4 %out) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #3, !dbg !16
  %call1 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 1) #3, !dbg !17
  %conv2 = trunc i64 %call1 to i32, !dbg !17
  %call3 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !18
  %mul = shl i64 %call3, 3, !dbg !19
  %0 = shl i64 %call, 32, !dbg !20
  %conv4 = ashr exact i64 %0, 32, !dbg !20
  %add = add i64 %mul, %call, !dbg !21
  %conv5 = trunc i64 %add to i32, !dbg !18
  %call6 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 1) #3, !dbg !22
  %call6.tr = trunc i64 %call6 to i32, !dbg !22
  %1 = shl i32 %call6.tr, 3, !dbg !22
  %conv10 = add i32 %1, %conv2, !dbg !22
  %mul14 = shl nsw i32 %conv10, 6, !dbg !23
  %add15 = add nsw i32 %mul14, %conv5, !dbg !24
  %idxprom = sext i32 %add15 to i64, !dbg !25
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %in, i64 %idxprom, !dbg !25
  %2 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !25, !tbaa !26
  %idxprom18 = sext i32 %conv2 to i64, !dbg !30
  %arrayidx21 = getelementptr inbounds [8 x [9 x float]], ptr addrspace(3) @transpose.tile, i64 0, i64 %idxprom18, i64 %conv4, !dbg !30
  store float %2, ptr addrspace(3) %arrayidx21, align 4, !dbg !31, !tbaa !26
  %add13.1 = shl i32 %conv10, 6, !dbg !23
  %mul14.1 = add i32 %add13.1, 256, !dbg !23
  %add15.1 = add nsw i32 %mul14.1, %conv5, !dbg !24
  %idxprom.1 = sext i32 %add15.1 to i64, !dbg !25
  %arrayidx.1 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %idxprom.1, !dbg !25
  %3 = load float, ptr addrspace(1) %arrayidx.1, align 4, !dbg !25, !tbaa !26
  %add17.1 = add nsw i32 %conv2, 4, !dbg !32
  %idxprom18.1 = sext i32 %add17.1 to i64, !dbg !30
  %arrayidx21.1 = getelementptr inbounds [8 x [9 x float]], ptr addrspace(3) @transpose.tile, i64 0, i64 %idxprom18.1, i64 %conv4, !dbg !30
  store float %3, ptr addrspace(3) %arrayidx21.1, align 4, !dbg !31, !tbaa !26
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !33
  %call22 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 1) #3, !dbg !34
  %mul23 = shl i64 %call22, 3, !dbg !35
  %add25 = add i64 %mul23, %call, !dbg !36
  %conv26 = trunc i64 %add25 to i32, !dbg !34
  %call27 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !37
  %mul28 = shl i64 %call27, 3, !dbg !38
  %add30 = add i64 %mul28, %call1, !dbg !39
  %conv31 = trunc i64 %add30 to i32, !dbg !37
  %arrayidx43 = getelementptr inbounds [8 x [9 x float]], ptr addrspace(3) @transpose.tile, i64 0, i64 %conv4, i64 %idxprom18, !dbg !40
  %4 = load float, ptr addrspace(3) %arrayidx43, align 4, !dbg !40, !tbaa !26
  %mul46 = shl nsw i32 %conv31, 6, !dbg !41
  %add47 = add nsw i32 %mul46, %conv26, !dbg !42
  %idxprom48 = sext i32 %add47 to i64, !dbg !43
  %arrayidx49 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom48, !dbg !43
  store float %4, ptr addrspace(1) %arrayidx49, align 4, !dbg !44, !tbaa !26
  %arrayidx43.1 = getelementptr inbounds [8 x [9 x float]], ptr addrspace(3) @transpose.tile, i64 0, i64 %conv4, i64 %idxprom18.1, !dbg !40
  %5 = load float, ptr addrspace(3) %arrayidx43.1, align 4, !dbg !40, !tbaa !26
  %add45.1 = shl i32 %conv31, 6, !dbg !41
  %mul46.1 = add i32 %add45.1, 256, !dbg !41
  %add47.1 = add nsw i32 %mul46.1, %conv26, !dbg !42
  %idxprom48.1 = sext i32 %add47.1 to i64, !dbg !43
  %arrayidx49.1 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom48.1, !dbg !43
  store float %5, ptr addrspace(1) %arrayidx49.1, align 4, !dbg !44, !tbaa !26
  ret void, !dbg !45
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !46 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !47 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !48 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind willreturn memory(none) }
attributes #4 = { convergent nounwind }

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
!8 = distinct !DISubprogram(name: "transpose", scope: !9, file: !9, line: 4, type: !10, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "examples/kernels/transpose.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1}
!13 = !{!"none", !"none"}
!14 = !{!"float*", !"float*"}
!15 = !{!"restrict const", !"restrict"}
!16 = !DILocation(line: 7, column: 20, scope: !8)
!17 = !DILocation(line: 7, column: 42, scope: !8)
!18 = !DILocation(line: 8, column: 19, scope: !8)
!19 = !DILocation(line: 8, column: 35, scope: !8)
!20 = !DILocation(line: 8, column: 42, scope: !8)
!21 = !DILocation(line: 8, column: 40, scope: !8)
!22 = !DILocation(line: 8, column: 50, scope: !8)
!23 = !DILocation(line: 10, column: 82, scope: !8)
!24 = !DILocation(line: 10, column: 89, scope: !8)
!25 = !DILocation(line: 10, column: 63, scope: !8)
!26 = !{!27, !27, i64 0}
!27 = !{!"float", !28, i64 0}
!28 = !{!"omnipotent char", !29, i64 0}
!29 = !{!"Simple C/C++ TBAA"}
!30 = !DILocation(line: 10, column: 36, scope: !8)
!31 = !DILocation(line: 10, column: 61, scope: !8)
!32 = !DILocation(line: 10, column: 44, scope: !8)
!33 = !DILocation(line: 11, column: 5, scope: !8)
!34 = !DILocation(line: 12, column: 20, scope: !8)
!35 = !DILocation(line: 12, column: 36, scope: !8)
!36 = !DILocation(line: 12, column: 41, scope: !8)
!37 = !DILocation(line: 12, column: 52, scope: !8)
!38 = !DILocation(line: 12, column: 68, scope: !8)
!39 = !DILocation(line: 12, column: 73, scope: !8)
!40 = !DILocation(line: 14, column: 72, scope: !8)
!41 = !DILocation(line: 14, column: 57, scope: !8)
!42 = !DILocation(line: 14, column: 64, scope: !8)
!43 = !DILocation(line: 14, column: 36, scope: !8)
!44 = !DILocation(line: 14, column: 70, scope: !8)
!45 = !DILocation(line: 15, column: 1, scope: !8)
!46 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 7, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!47 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 8, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!48 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 11, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
