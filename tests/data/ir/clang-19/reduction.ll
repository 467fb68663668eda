; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@reduction.partial = internal unnamed_addr addrspace(3) global [32 x i32] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @reduction(ptr addrspace(1) noalias nocapture noundef readonly align 16 %numbers, ptr addrspace(1) noalias noundef align 4 %result) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !15 !kernel_arg_type_qual !16 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #3, !dbg !17
  %conv = trunc i64 %call to i32, !dbg !17
  %conv5 = sext i32 %conv to i64
  %invariant.gep = getelementptr <4 x i32>, ptr addrspace(1) %numbers, i64 %conv5, !dbg !18
  %call2 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %.idx = mul i64 %call2, 3584, !dbg !20
  %gep = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %.idx, !dbg !20
  %0 = load <4 x i32>, ptr addrspace(1) %gep, align 16, !dbg !20, !tbaa !21
  %call2.1 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.1 = mul i64 %call2.1, 3584, !dbg !20
  %1 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.1, !dbg !20
  %gep.1 = getelementptr i8, ptr addrspace(1) %1, i64 512, !dbg !20
  %2 = load <4 x i32>, ptr addrspace(1) %gep.1, align 16, !dbg !20, !tbaa !21
  %add7.1 = add <4 x i32> %2, %0, !dbg !24
  %call2.2 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.2 = mul i64 %call2.2, 3584, !dbg !20
  %3 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.2, !dbg !20
  %gep.2 = getelementptr i8, ptr addrspace(1) %3, i64 1024, !dbg !20
  %4 = load <4 x i32>, ptr addrspace(1) %gep.2, align 16, !dbg !20, !tbaa !21
  %add7.2 = add <4 x i32> %4, %add7.1, !dbg !24
  %call2.3 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.3 = mul i64 %call2.3, 3584, !dbg !20
  %5 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.3, !dbg !20
  %gep.3 = getelementptr i8, ptr addrspace(1) %5, i64 1536, !dbg !20
  %6 = load <4 x i32>, ptr addrspace(1) %gep.3, align 16, !dbg !20, !tbaa !21
  %add7.3 = add <4 x i32> %6, %add7.2, !dbg !24
  %call2.4 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.4 = mul i64 %call2.4, 3584, !dbg !20
  %7 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.4, !dbg !20
  %gep.4 = getelementptr i8, ptr addrspace(1) %7, i64 2048, !dbg !20
  %8 = load <4 x i32>, ptr addrspace(1) %gep.4, align 16, !dbg !20, !tbaa !21
  %add7.4 = add <4 x i32> %8, %add7.3, !dbg !24
  %call2.5 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.5 = mul i64 %call2.5, 3584, !dbg !20
  %9 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.5, !dbg !20
  %gep.5 = getelementptr i8, ptr addrspace(1) %9, i64 2560, !dbg !20
  %10 = load <4 x i32>, ptr addrspace(1) %gep.5, align 16, !dbg !20, !tbaa !21
  %add7.5 = add <4 x i32> %10, %add7.4, !dbg !24
  %call2.6 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !19
  %add.6 = mul i64 %call2.6, 3584, !dbg !20
  %11 = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %add.6, !dbg !20
  %gep.6 = getelementptr i8, ptr addrspace(1) %11, i64 3072, !dbg !20
  %12 = load <4 x i32>, ptr addrspace(1) %gep.6, align 16, !dbg !20, !tbaa !21
  %add7.6 = add <4 x i32> %12, %add7.5, !dbg !24
  %shift = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>, !dbg !25
  %13 = add nsw <4 x i32> %add7.6, %shift, !dbg !25
  %shift54 = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 2, i32 poison, i32 poison, i32 poison>, !dbg !25
  %14 = add nsw <4 x i32> %13, %shift54, !dbg !25
  %shift55 = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 3, i32 poison, i32 poison, i32 poison>, !dbg !25
  %15 = add nsw <4 x i32> %14, %shift55, !dbg !25
  %add10 = extractelement <4 x i32> %15, i64 0, !dbg !25
  %arrayidx11 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %conv5, !dbg !26
  store i32 %add10, ptr addrspace(3) %arrayidx11, align 4, !dbg !27, !tbaa !28
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !30
  %cmp17 = icmp slt i32 %conv, 16, !dbg !31
  br i1 %cmp17, label %if.then, label %if.end, !dbg !32

if.then:                                          ; preds = %entry
  %add19 = add nsw i32 %conv, 16, !dbg !33
  %idxprom20 = sext i32 %add19 to i64, !dbg !34
  %arrayidx21 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %idxprom20, !dbg !34
  %16 = load i32, ptr addrspace(3) %arrayidx21, align 4, !dbg !34, !tbaa !28
  %add22 = add nsw i32 %16, %add10, !dbg !35
  store i32 %add22, ptr addrspace(3) %arrayidx11, align 4, !dbg !36, !tbaa !28
  br label %if.end, !dbg !37

if.end:                                           ; preds = %if.then, %entry
  %sum.1 = phi i32 [ %add22, %if.then ], [ %add10, %entry ], !dbg !38
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !39
  %cmp17.1 = icmp slt i32 %conv, 8, !dbg !31
  br i1 %cmp17.1, label %if.then.1, label %if.end.1, !dbg !32

if.then.1:                                        ; preds = %if.end
  %add19.1 = add nsw i32 %conv, 8, !dbg !33
  %idxprom20.1 = sext i32 %add19.1 to i64, !dbg !34
  %arrayidx21.1 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %idxprom20.1, !dbg !34
  %17 = load i32, ptr addrspace(3) %arrayidx21.1, align 4, !dbg !34, !tbaa !28
  %add22.1 = add nsw i32 %17, %sum.1, !dbg !35
  store i32 %add22.1, ptr addrspace(3) %arrayidx11, align 4, !dbg !36, !tbaa !28
  br label %if.end.1, !dbg !37

if.end.1:                                         ; preds = %if.then.1, %if.end
  %sum.1.1 = phi i32 [ %add22.1, %if.then.1 ], [ %sum.1, %if.end ], !dbg !38
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !39
  %cmp17.2 = icmp slt i32 %conv, 4, !dbg !31
  br i1 %cmp17.2, label %if.then.2, label %if.end.2, !dbg !32

if.then.2:                                        ; preds = %if.end.1
  %add19.2 = add nsw i32 %conv, 4, !dbg !33
  %idxprom20.2 = sext i32 %add19.2 to i64, !dbg !34
  %arrayidx21.2 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %idxprom20.2, !dbg !34
  %18 = load i32, ptr addrspace(3) %arrayidx21.2, align 4, !dbg !34, !tbaa !28
  %add22.2 = add nsw i32 %18, %sum.1.1, !dbg !35
  store i32 %add22.2, ptr addrspace(3) %arrayidx11, align 4, !dbg !36, !tbaa !28
  br label %if.end.2, !dbg !37

if.end.2:                                         ; preds = %if.then.2, %if.end.1
  %sum.1.2 = phi i32 [ %add22.2, %if.then.2 ], [ %sum.1.1, %if.end.1 ], !dbg !38
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !39
  %cmp17.3 = icmp slt i32 %conv, 2, !dbg !31
  br i1 %cmp17.3, label %if.then.3, label %if.end.3, !dbg !32

if.then.3:                                        ; preds = %if.end.2
  %add19.3 = add nsw i32 %conv, 2, !dbg !33
  %idxprom20.3 = sext i32 %add19.3 to i64, !dbg !34
  %arrayidx21.3 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %idxprom20.3, !dbg !34
  %19 = load i32, ptr addrspace(3) %arrayidx21.3, align 4, !dbg !34, !tbaa !28
  %add22.3 = add nsw i32 %19, %sum.1.2, !dbg !35
  store i32 %add22.3, ptr addrspace(3) %arrayidx11, align 4, !dbg !36, !tbaa !28
  br label %if.end.3, !dbg !37

if.end.3:                                         ; preds = %if.then.3, %if.end.2
  %sum.1.3 = phi i32 [ %add22.3, %if.then.3 ], [ %sum.1.2, %if.end.2 ], !dbg !38
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !39
  %cmp17.4 = icmp slt i32 %conv, 1, !dbg !31
  br i1 %cmp17.4, label %if.then.4, label %if.end.4, !dbg !32

if.then.4:                                        ; preds = %if.end.3
  %add19.4 = add nsw i32 %conv, 1, !dbg !33
  %idxprom20.4 = sext i32 %add19.4 to i64, !dbg !34
  %arrayidx21.4 = getelementptr inbounds [32 x i32], ptr addrspace(3) @reduction.partial, i64 0, i64 %idxprom20.4, !dbg !34
  %20 = load i32, ptr addrspace(3) %arrayidx21.4, align 4, !dbg !34, !tbaa !28
  %add22.4 = add nsw i32 %20, %sum.1.3, !dbg !35
  store i32 %add22.4, ptr addrspace(3) %arrayidx11, align 4, !dbg !36, !tbaa !28
  br label %if.end.4, !dbg !37

if.end.4:                                         ; preds = %if.then.4, %if.end.3
  %sum.1.4 = phi i32 [ %add22.4, %if.then.4 ], [ %sum.1.3, %if.end.3 ], !dbg !38
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !39
  %cmp27 = icmp eq i32 %conv, 0, !dbg !40
  br i1 %cmp27, label %if.then29, label %if.end31, !dbg !41

if.then29:                                        ; preds = %if.end.4
  %call30 = tail call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %result, i32 noundef %sum.1.4) #4, !dbg !42
  br label %if.end31, !dbg !42

if.end31:                                         ; preds = %if.then29, %if.end.4
  ret void, !dbg !43
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !44 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !45 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !46 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare !dbg !47 dso_local spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef, i32 noundef) local_unnamed_addr #2

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
!8 = distinct !DISubprogram(name: "reduction", scope: !9, file: !9, line: 16, type: !10, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "examples/kernels/reduction.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1}
!13 = !{!"none", !"none"}
!14 = !{!"int4*", !"int*"}
!15 = !{!"int __attribute__((ext_vector_type(4)))*", !"int*"}
!16 = !{!"restrict const", !"restrict"}
!17 = !DILocation(line: 19, column: 19, scope: !8)
!18 = !DILocation(line: 22, column: 10, scope: !8)
!19 = !DILocation(line: 23, column: 26, scope: !8)
!20 = !DILocation(line: 23, column: 17, scope: !8)
!21 = !{!22, !22, i64 0}
!22 = !{!"omnipotent char", !23, i64 0}
!23 = !{!"Simple C/C++ TBAA"}
!24 = !DILocation(line: 23, column: 14, scope: !8)
!25 = !DILocation(line: 24, column: 15, scope: !8)
!26 = !DILocation(line: 25, column: 5, scope: !8)
!27 = !DILocation(line: 25, column: 16, scope: !8)
!28 = !{!29, !29, i64 0}
!29 = !{!"int", !22, i64 0}
!30 = !DILocation(line: 26, column: 5, scope: !8)
!31 = !DILocation(line: 29, column: 15, scope: !8)
!32 = !DILocation(line: 29, column: 13, scope: !8)
!33 = !DILocation(line: 30, column: 30, scope: !8)
!34 = !DILocation(line: 30, column: 20, scope: !8)
!35 = !DILocation(line: 30, column: 17, scope: !8)
!36 = !DILocation(line: 31, column: 24, scope: !8)
!37 = !DILocation(line: 32, column: 9, scope: !8)
!38 = !DILocation(line: 0, scope: !8)
!39 = !DILocation(line: 33, column: 9, scope: !8)
!40 = !DILocation(line: 35, column: 11, scope: !8)
!41 = !DILocation(line: 35, column: 9, scope: !8)
!42 = !DILocation(line: 35, column: 17, scope: !8)
!43 = !DILocation(line: 36, column: 1, scope: !8)
!44 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 19, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!45 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 23, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!46 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 26, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!47 = !DISubprogram(name: "atomic_add", scope: !9, file: !9, line: 35, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
