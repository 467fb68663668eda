; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64"

@reduction.partial = internal unnamed_addr addrspace(3) global [32 x i32] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @reduction(<4 x i32> addrspace(1)* noalias nocapture noundef readonly %numbers, i32 addrspace(1)* noalias noundef %result) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !15 !kernel_arg_type_qual !16 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #3, !dbg !17
  %conv = trunc i64 %call to i32, !dbg !17
  %conv5 = sext i32 %conv to i64
  %call2 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #3, !dbg !18
  %mul4 = mul i64 %call2, 224, !dbg !19
  %add6 = add i64 %mul4, %conv5, !dbg !20
  %arrayidx = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6, !dbg !21
  %0 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx, align 16, !dbg !21, !tbaa !22
  %add.1 = mul i64 %call2, 224, !dbg !19
  %mul4.1 = add i64 %add.1, 32, !dbg !19
  %add6.1 = add i64 %mul4.1, %conv5, !dbg !20
  %arrayidx.1 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.1, !dbg !21
  %1 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.1, align 16, !dbg !21, !tbaa !22
  %add7.1 = add <4 x i32> %1, %0, !dbg !25
  %add.2 = mul i64 %call2, 224, !dbg !19
  %mul4.2 = add i64 %add.2, 64, !dbg !19
  %add6.2 = add i64 %mul4.2, %conv5, !dbg !20
  %arrayidx.2 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.2, !dbg !21
  %2 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.2, align 16, !dbg !21, !tbaa !22
  %add7.2 = add <4 x i32> %2, %add7.1, !dbg !25
  %add.3 = mul i64 %call2, 224, !dbg !19
  %mul4.3 = add i64 %add.3, 96, !dbg !19
  %add6.3 = add i64 %mul4.3, %conv5, !dbg !20
  %arrayidx.3 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.3, !dbg !21
  %3 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.3, align 16, !dbg !21, !tbaa !22
  %add7.3 = add <4 x i32> %3, %add7.2, !dbg !25
  %add.4 = mul i64 %call2, 224, !dbg !19
  %mul4.4 = add i64 %add.4, 128, !dbg !19
  %add6.4 = add i64 %mul4.4, %conv5, !dbg !20
  %arrayidx.4 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.4, !dbg !21
  %4 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.4, align 16, !dbg !21, !tbaa !22
  %add7.4 = add <4 x i32> %4, %add7.3, !dbg !25
  %add.5 = mul i64 %call2, 224, !dbg !19
  %mul4.5 = add i64 %add.5, 160, !dbg !19
  %add6.5 = add i64 %mul4.5, %conv5, !dbg !20
  %arrayidx.5 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.5, !dbg !21
  %5 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.5, align 16, !dbg !21, !tbaa !22
  %add7.5 = add <4 x i32> %5, %add7.4, !dbg !25
  %add.6 = mul i64 %call2, 224, !dbg !19
  %mul4.6 = add i64 %add.6, 192, !dbg !19
  %add6.6 = add i64 %mul4.6, %conv5, !dbg !20
  %arrayidx.6 = getelementptr inbounds <4 x i32>, <4 x i32> addrspace(1)* %numbers, i64 %add6.6, !dbg !21
  %6 = load <4 x i32>, <4 x i32> addrspace(1)* %arrayidx.6, align 16, !dbg !21, !tbaa !22
  %add7.6 = add <4 x i32> %6, %add7.5, !dbg !25
  %shift = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 1, i32 undef, i32 undef, i32 undef>, !dbg !26
  %7 = add nsw <4 x i32> %add7.6, %shift, !dbg !26
  %shift59 = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 2, i32 undef, i32 undef, i32 undef>, !dbg !26
  %8 = add nsw <4 x i32> %7, %shift59, !dbg !26
  %shift60 = shufflevector <4 x i32> %add7.6, <4 x i32> poison, <4 x i32> <i32 3, i32 undef, i32 undef, i32 undef>, !dbg !26
  %9 = add nsw <4 x i32> %8, %shift60, !dbg !26
  %add10 = extractelement <4 x i32> %9, i64 0, !dbg !26
  %arrayidx11 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %conv5, !dbg !27
  store i32 %add10, i32 addrspace(3)* %arrayidx11, align 4, !dbg !28, !tbaa !29
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !31
  %cmp17 = icmp slt i32 %conv, 16, !dbg !32
  br i1 %cmp17, label %if.then, label %if.end, !dbg !33

if.then:                                          ; preds = %entry
  %add19 = add nsw i32 %conv, 16, !dbg !34
  %idxprom20 = sext i32 %add19 to i64, !dbg !35
  %arrayidx21 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %idxprom20, !dbg !35
  %10 = load i32, i32 addrspace(3)* %arrayidx21, align 4, !dbg !35, !tbaa !29
  %add22 = add nsw i32 %10, %add10, !dbg !36
  store i32 %add22, i32 addrspace(3)* %arrayidx11, align 4, !dbg !37, !tbaa !29
  br label %if.end, !dbg !38

if.end:                                           ; preds = %if.then, %entry
  %sum.1 = phi i32 [ %add22, %if.then ], [ %add10, %entry ], !dbg !39
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !40
  %cmp17.1 = icmp slt i32 %conv, 8, !dbg !32
  br i1 %cmp17.1, label %if.then.1, label %if.end.1, !dbg !33

if.then.1:                                        ; preds = %if.end
  %add19.1 = add nsw i32 %conv, 8, !dbg !34
  %idxprom20.1 = sext i32 %add19.1 to i64, !dbg !35
  %arrayidx21.1 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %idxprom20.1, !dbg !35
  %11 = load i32, i32 addrspace(3)* %arrayidx21.1, align 4, !dbg !35, !tbaa !29
  %add22.1 = add nsw i32 %11, %sum.1, !dbg !36
  store i32 %add22.1, i32 addrspace(3)* %arrayidx11, align 4, !dbg !37, !tbaa !29
  br label %if.end.1, !dbg !38

if.end.1:                                         ; preds = %if.then.1, %if.end
  %sum.1.1 = phi i32 [ %add22.1, %if.then.1 ], [ %sum.1, %if.end ], !dbg !39
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !40
  %cmp17.2 = icmp slt i32 %conv, 4, !dbg !32
  br i1 %cmp17.2, label %if.then.2, label %if.end.2, !dbg !33

if.then.2:                                        ; preds = %if.end.1
  %add19.2 = add nsw i32 %conv, 4, !dbg !34
  %idxprom20.2 = sext i32 %add19.2 to i64, !dbg !35
  %arrayidx21.2 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %idxprom20.2, !dbg !35
  %12 = load i32, i32 addrspace(3)* %arrayidx21.2, align 4, !dbg !35, !tbaa !29
  %add22.2 = add nsw i32 %12, %sum.1.1, !dbg !36
  store i32 %add22.2, i32 addrspace(3)* %arrayidx11, align 4, !dbg !37, !tbaa !29
  br label %if.end.2, !dbg !38

if.end.2:                                         ; preds = %if.then.2, %if.end.1
  %sum.1.2 = phi i32 [ %add22.2, %if.then.2 ], [ %sum.1.1, %if.end.1 ], !dbg !39
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !40
  %cmp17.3 = icmp slt i32 %conv, 2, !dbg !32
  br i1 %cmp17.3, label %if.then.3, label %if.end.3, !dbg !33

if.then.3:                                        ; preds = %if.end.2
  %add19.3 = add nsw i32 %conv, 2, !dbg !34
  %idxprom20.3 = sext i32 %add19.3 to i64, !dbg !35
  %arrayidx21.3 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %idxprom20.3, !dbg !35
  %13 = load i32, i32 addrspace(3)* %arrayidx21.3, align 4, !dbg !35, !tbaa !29
  %add22.3 = add nsw i32 %13, %sum.1.2, !dbg !36
  store i32 %add22.3, i32 addrspace(3)* %arrayidx11, align 4, !dbg !37, !tbaa !29
  br label %if.end.3, !dbg !38

if.end.3:                                         ; preds = %if.then.3, %if.end.2
  %sum.1.3 = phi i32 [ %add22.3, %if.then.3 ], [ %sum.1.2, %if.end.2 ], !dbg !39
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !40
  %cmp17.4 = icmp slt i32 %conv, 1, !dbg !32
  br i1 %cmp17.4, label %if.then.4, label %if.end.4, !dbg !33

if.then.4:                                        ; preds = %if.end.3
  %add19.4 = add nsw i32 %conv, 1, !dbg !34
  %idxprom20.4 = sext i32 %add19.4 to i64, !dbg !35
  %arrayidx21.4 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @reduction.partial, i64 0, i64 %idxprom20.4, !dbg !35
  %14 = load i32, i32 addrspace(3)* %arrayidx21.4, align 4, !dbg !35, !tbaa !29
  %add22.4 = add nsw i32 %14, %sum.1.3, !dbg !36
  store i32 %add22.4, i32 addrspace(3)* %arrayidx11, align 4, !dbg !37, !tbaa !29
  br label %if.end.4, !dbg !38

if.end.4:                                         ; preds = %if.then.4, %if.end.3
  %sum.1.4 = phi i32 [ %add22.4, %if.then.4 ], [ %sum.1.3, %if.end.3 ], !dbg !39
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #4, !dbg !40
  %cmp27 = icmp eq i32 %conv, 0, !dbg !41
  br i1 %cmp27, label %if.then29, label %if.end31, !dbg !42

if.then29:                                        ; preds = %if.end.4
  %call30 = tail call spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* noundef %result, i32 noundef %sum.1.4) #4, !dbg !43
  br label %if.end31, !dbg !43

if.end31:                                         ; preds = %if.then29, %if.end.4
  ret void, !dbg !44
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !45 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !46 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent
declare !dbg !47 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent
declare !dbg !48 dso_local spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent nounwind readnone willreturn }
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
!8 = distinct !DISubprogram(name: "reduction", scope: !9, file: !9, line: 16, type: !10, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!9 = !DIFile(filename: "examples/kernels/reduction.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1}
!13 = !{!"none", !"none"}
!14 = !{!"int4*", !"int*"}
!15 = !{!"int __attribute__((ext_vector_type(4)))*", !"int*"}
!16 = !{!"restrict const", !"restrict"}
!17 = !DILocation(line: 19, column: 19, scope: !8)
!18 = !DILocation(line: 23, column: 26, scope: !8)
!19 = !DILocation(line: 23, column: 52, scope: !8)
!20 = !DILocation(line: 23, column: 57, scope: !8)
!21 = !DILocation(line: 23, column: 17, scope: !8)
!22 = !{!23, !23, i64 0}
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C/C++ TBAA"}
!25 = !DILocation(line: 23, column: 14, scope: !8)
!26 = !DILocation(line: 24, column: 15, scope: !8)
!27 = !DILocation(line: 25, column: 5, scope: !8)
!28 = !DILocation(line: 25, column: 16, scope: !8)
!29 = !{!30, !30, i64 0}
!30 = !{!"int", !23, i64 0}
!31 = !DILocation(line: 26, column: 5, scope: !8)
!32 = !DILocation(line: 29, column: 15, scope: !8)
!33 = !DILocation(line: 29, column: 13, scope: !8)
!34 = !DILocation(line: 30, column: 30, scope: !8)
!35 = !DILocation(line: 30, column: 20, scope: !8)
!36 = !DILocation(line: 30, column: 17, scope: !8)
!37 = !DILocation(line: 31, column: 24, scope: !8)
!38 = !DILocation(line: 32, column: 9, scope: !8)
!39 = !DILocation(line: 0, scope: !8)
!40 = !DILocation(line: 33, column: 9, scope: !8)
!41 = !DILocation(line: 35, column: 11, scope: !8)
!42 = !DILocation(line: 35, column: 9, scope: !8)
!43 = !DILocation(line: 35, column: 17, scope: !8)
!44 = !DILocation(line: 36, column: 1, scope: !8)
!45 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 19, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!46 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 23, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!47 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 26, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!48 = !DISubprogram(name: "atomic_add", scope: !9, file: !9, line: 35, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
