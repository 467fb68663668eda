; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent nofree norecurse nounwind memory(argmem: readwrite)
define dso_local spir_kernel void @lookup(ptr addrspace(1) noalias nocapture noundef readonly align 4 %index, ptr addrspace(1) noalias nocapture noundef readonly align 4 %in, ptr addrspace(1) noalias nocapture noundef writeonly align 4 %out) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #2, !dbg !16
  %0 = shl i64 %call, 32
  %idxprom = ashr exact i64 %0, 32
  %arrayidx = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %idxprom
  %1 = load i32, ptr addrspace(1) %arrayidx, align 4, !tbaa !17
  %cmp17 = icmp sgt i32 %1, 0, !dbg !21
  br i1 %cmp17, label %for.body, label %if.end, !dbg !22

for.cond.cleanup:                                 ; preds = %for.body
  %cmp7 = fcmp ogt float %add6, 0.000000e+00, !dbg !23
  br i1 %cmp7, label %if.then, label %if.end, !dbg !24

for.body:                                         ; preds = %entry, %for.body
  %k.019 = phi i32 [ %add, %for.body ], [ 0, %entry ]
  %sum.018 = phi float [ %add6, %for.body ], [ 0.000000e+00, %entry ]
  %add = add nuw nsw i32 %k.019, 1, !dbg !25
  %idxprom2 = zext nneg i32 %add to i64, !dbg !26
  %own = add nsw i64 %idxprom2, %idxprom, !dbg !26
  %arrayidx3 = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %own, !dbg !26
  %2 = load i32, ptr addrspace(1) %arrayidx3, align 4, !dbg !26, !tbaa !17
  %idxprom4 = sext i32 %2 to i64, !dbg !27
  %arrayidx5 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %idxprom4, !dbg !27
  %3 = load float, ptr addrspace(1) %arrayidx5, align 4, !dbg !27, !tbaa !28
  %add6 = fadd float %sum.018, %3, !dbg !30
  %cmp = icmp slt i32 %add, %1, !dbg !21
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !22, !llvm.loop !31

if.then:                                          ; preds = %for.cond.cleanup
  %arrayidx10 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom, !dbg !33
  store float %add6, ptr addrspace(1) %arrayidx10, align 4, !dbg !34, !tbaa !28
  br label %if.end, !dbg !33

if.end:                                           ; preds = %entry, %if.then, %for.cond.cleanup
  ret void, !dbg !35
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !36 dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

attributes #0 = { convergent nofree norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!opencl.spir.version = !{!6}
!llvm.ident = !{!7}

!1 = !DIFile(filename: "autotune_source.cl", directory: "", checksumkind: CSK_MD5, checksum: "0818864302d9c34f96dde0b051fa6a3f")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 1, i32 2}
!8 = distinct !DISubprogram(name: "lookup", scope: !9, file: !9, line: 1, type: !10, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "lookup.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1, i32 1}
!13 = !{!"none", !"none", !"none"}
!14 = !{!"int*", !"float*", !"float*"}
!15 = !{!"restrict const", !"restrict const", !"restrict"}
!16 = !DILocation(line: 3, column: 19, scope: !8)
!17 = !{!18, !18, i64 0}
!18 = !{!"int", !19, i64 0}
!19 = !{!"omnipotent char", !20, i64 0}
!20 = !{!"Simple C/C++ TBAA"}
!21 = !DILocation(line: 5, column: 23, scope: !8)
!22 = !DILocation(line: 5, column: 5, scope: !8)
!23 = !DILocation(line: 7, column: 13, scope: !8)
!24 = !DILocation(line: 7, column: 9, scope: !8)
!25 = !DILocation(line: 6, column: 27, scope: !8)
!26 = !DILocation(line: 6, column: 19, scope: !8)
!27 = !DILocation(line: 6, column: 16, scope: !8)
!28 = !{!29, !29, i64 0}
!29 = !{!"float", !19, i64 0}
!30 = !DILocation(line: 6, column: 13, scope: !8)
!31 = distinct !{!31, !22, !32}
!32 = !DILocation(line: 6, column: 31, scope: !8)
!33 = !DILocation(line: 8, column: 9, scope: !8)
!34 = !DILocation(line: 8, column: 16, scope: !8)
!35 = !DILocation(line: 9, column: 1, scope: !8)
!36 = !DISubprogram(name: "get_global_id", scope: !9, file: !9, line: 3, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
