; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local spir_kernel void @transpose_naive(ptr addrspace(1) noalias nocapture noundef readonly align 4 %in, ptr addrspace(1) noalias nocapture noundef writeonly align 4 %out) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #2, !dbg !16
  %conv = trunc i64 %call to i32, !dbg !16
  %call1 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #2, !dbg !17
  %conv2 = trunc i64 %call1 to i32, !dbg !17
  %mul = shl nsw i32 %conv2, 10, !dbg !18
  %add = add nsw i32 %mul, %conv, !dbg !19
  %idxprom = sext i32 %add to i64, !dbg !20
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %in, i64 %idxprom, !dbg !20
  %0 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !20, !tbaa !21
  %mul3 = shl nsw i32 %conv, 10, !dbg !25
  %add4 = add nsw i32 %mul3, %conv2, !dbg !26
  %idxprom5 = sext i32 %add4 to i64, !dbg !27
  %arrayidx6 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom5, !dbg !27
  store float %0, ptr addrspace(1) %arrayidx6, align 4, !dbg !28, !tbaa !21
  ret void, !dbg !29
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !30 dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!opencl.ocl.version = !{!6}
!opencl.spir.version = !{!6}
!llvm.ident = !{!7}

!1 = !DIFile(filename: "autotune_source.cl", directory: "", checksumkind: CSK_MD5, checksum: "7208a762cf37fa66e8ebbf7f299a8a1d")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 1, i32 2}
!8 = distinct !DISubprogram(name: "transpose_naive", scope: !9, file: !9, line: 3, type: !10, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "examples/kernels/transpose_naive.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1}
!13 = !{!"none", !"none"}
!14 = !{!"float*", !"float*"}
!15 = !{!"restrict const", !"restrict"}
!16 = !DILocation(line: 5, column: 19, scope: !8)
!17 = !DILocation(line: 5, column: 41, scope: !8)
!18 = !DILocation(line: 6, column: 30, scope: !8)
!19 = !DILocation(line: 6, column: 37, scope: !8)
!20 = !DILocation(line: 6, column: 25, scope: !8)
!21 = !{!22, !22, i64 0}
!22 = !{!"float", !23, i64 0}
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C/C++ TBAA"}
!25 = !DILocation(line: 6, column: 11, scope: !8)
!26 = !DILocation(line: 6, column: 18, scope: !8)
!27 = !DILocation(line: 6, column: 5, scope: !8)
!28 = !DILocation(line: 6, column: 23, scope: !8)
!29 = !DILocation(line: 7, column: 1, scope: !8)
!30 = !DISubprogram(name: "get_global_id", scope: !9, file: !9, line: 5, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
