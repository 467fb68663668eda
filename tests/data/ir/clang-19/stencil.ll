; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@stencil_2d.cell = internal unnamed_addr addrspace(3) global [10 x [10 x float]] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @stencil_2d(ptr addrspace(1) noalias nocapture noundef readonly align 4 %now, ptr addrspace(1) noalias nocapture noundef readonly align 4 %conductivity, ptr addrspace(1) noalias nocapture noundef writeonly align 4 %next) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #4, !dbg !16
  %conv = trunc i64 %call to i32, !dbg !16
  %call1 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 1) #4, !dbg !17
  %call1.tr = trunc i64 %call1 to i32, !dbg !17
  %conv2 = shl i32 %call1.tr, 1, !dbg !17
  %call3 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #4, !dbg !18
  %call3.tr = trunc i64 %call3 to i32, !dbg !18
  %0 = shl i32 %call3.tr, 2, !dbg !18
  %1 = add i32 %conv, 14, !dbg !18
  %conv7 = add i32 %1, %0, !dbg !18
  %call8 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 1) #4, !dbg !19
  %call8.tr = trunc i64 %call8 to i32, !dbg !19
  %2 = shl i32 %call8.tr, 2, !dbg !19
  %3 = add i32 %conv2, 14, !dbg !19
  %conv14 = add i32 %3, %2, !dbg !19
  %cmp16 = icmp slt i32 %conv7, 96
  %cmp19 = icmp slt i32 %conv14, 96, !dbg !20
  %4 = select i1 %cmp16, i1 %cmp19, i1 false, !dbg !20
  br i1 %4, label %cond.true29, label %cond.end36, !dbg !21

cond.true29:                                      ; preds = %entry
  %mul23 = mul nsw i32 %conv14, 96, !dbg !22
  %add24 = add nsw i32 %mul23, %conv7, !dbg !23
  %idxprom = sext i32 %add24 to i64, !dbg !24
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %now, i64 %idxprom, !dbg !24
  %5 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !24, !tbaa !25
  %arrayidx34 = getelementptr inbounds float, ptr addrspace(1) %conductivity, i64 %idxprom, !dbg !29
  %6 = load float, ptr addrspace(1) %arrayidx34, align 4, !dbg !29, !tbaa !25
  br label %cond.end36, !dbg !30

cond.end36:                                       ; preds = %entry, %cond.true29
  %u.sroa.0.0 = phi float [ %5, %cond.true29 ], [ 0.000000e+00, %entry ], !dbg !31
  %cond37 = phi float [ %6, %cond.true29 ], [ 0.000000e+00, %entry ], !dbg !30
  %add18.1 = or disjoint i32 %conv14, 1, !dbg !20
  %cmp19.1 = icmp slt i32 %add18.1, 96, !dbg !20
  %7 = select i1 %cmp16, i1 %cmp19.1, i1 false, !dbg !20
  br i1 %7, label %cond.true29.1, label %cond.end89.1.1, !dbg !21

cond.true29.1:                                    ; preds = %cond.end36
  %mul23.1 = mul nsw i32 %add18.1, 96, !dbg !22
  %add24.1 = add nsw i32 %mul23.1, %conv7, !dbg !23
  %idxprom.1 = sext i32 %add24.1 to i64, !dbg !24
  %arrayidx.1 = getelementptr inbounds float, ptr addrspace(1) %now, i64 %idxprom.1, !dbg !24
  %8 = load float, ptr addrspace(1) %arrayidx.1, align 4, !dbg !24, !tbaa !25
  %arrayidx34.1 = getelementptr inbounds float, ptr addrspace(1) %conductivity, i64 %idxprom.1, !dbg !29
  %9 = load float, ptr addrspace(1) %arrayidx34.1, align 4, !dbg !29, !tbaa !25
  br label %cond.end89.1.1, !dbg !30

cond.end89.1.1:                                   ; preds = %cond.end36, %cond.true29.1
  %u.sroa.11.0 = phi float [ %8, %cond.true29.1 ], [ 0.000000e+00, %cond.end36 ], !dbg !31
  %cond37.1 = phi float [ %9, %cond.true29.1 ], [ 0.000000e+00, %cond.end36 ], !dbg !30
  %conv5 = sext i32 %conv to i64, !dbg !32
  %conv10 = sext i32 %conv2 to i64, !dbg !33
  %add53 = or disjoint i32 %conv2, 1
  %add57 = add nsw i32 %conv, 1
  %idxprom58 = sext i32 %add57 to i64
  %arrayidx67 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %conv10, i64 %idxprom58
  %add105 = add nsw i32 %conv, 2
  %idxprom106 = sext i32 %add105 to i64
  %add83 = add nsw i32 %conv2, 3
  %idxprom84 = sext i32 %add83 to i64
  %arrayidx88 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom84, i64 %idxprom58
  %idxprom55 = sext i32 %add53 to i64, !dbg !34
  %arrayidx59 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55, i64 %idxprom58, !dbg !34
  store float %u.sroa.0.0, ptr addrspace(3) %arrayidx59, align 4, !dbg !35, !tbaa !25
  %add54.1 = add nsw i32 %conv2, 2, !dbg !36
  %idxprom55.1 = sext i32 %add54.1 to i64, !dbg !34
  %arrayidx59.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55.1, i64 %idxprom58, !dbg !34
  store float %u.sroa.11.0, ptr addrspace(3) %arrayidx59.1, align 4, !dbg !35, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !37
  %10 = load float, ptr addrspace(3) %arrayidx67, align 4, !dbg !38, !tbaa !25
  %arrayidx100 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55, i64 %conv5, !dbg !39
  %11 = load float, ptr addrspace(3) %arrayidx100, align 4, !dbg !39, !tbaa !25
  %arrayidx107 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55, i64 %idxprom106, !dbg !40
  %12 = load float, ptr addrspace(3) %arrayidx107, align 4, !dbg !40, !tbaa !25
  %add108 = fadd float %11, %12, !dbg !41
  %add109 = fadd float %10, %add108, !dbg !42
  %add110 = fadd float %u.sroa.11.0, %add109, !dbg !43
  %13 = tail call float @llvm.fmuladd.f32(float %u.sroa.0.0, float -4.000000e+00, float %add110), !dbg !44
  %14 = tail call float @llvm.fmuladd.f32(float %cond37, float %13, float %u.sroa.0.0), !dbg !45
  %15 = load float, ptr addrspace(3) %arrayidx88, align 4, !dbg !46, !tbaa !25
  %arrayidx100.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55.1, i64 %conv5, !dbg !39
  %16 = load float, ptr addrspace(3) %arrayidx100.1, align 4, !dbg !39, !tbaa !25
  %arrayidx107.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @stencil_2d.cell, i64 0, i64 %idxprom55.1, i64 %idxprom106, !dbg !40
  %17 = load float, ptr addrspace(3) %arrayidx107.1, align 4, !dbg !40, !tbaa !25
  %add108.1 = fadd float %16, %17, !dbg !41
  %add109.1 = fadd float %u.sroa.0.0, %add108.1, !dbg !42
  %add110.1 = fadd float %15, %add109.1, !dbg !43
  %18 = tail call float @llvm.fmuladd.f32(float %u.sroa.11.0, float -4.000000e+00, float %add110.1), !dbg !44
  %19 = tail call float @llvm.fmuladd.f32(float %cond37.1, float %18, float %u.sroa.11.0), !dbg !45
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !47
  store float %14, ptr addrspace(3) %arrayidx59, align 4, !dbg !35, !tbaa !25
  store float %19, ptr addrspace(3) %arrayidx59.1, align 4, !dbg !35, !tbaa !25
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !37
  %20 = load float, ptr addrspace(3) %arrayidx67, align 4, !dbg !38, !tbaa !25
  %21 = load float, ptr addrspace(3) %arrayidx100, align 4, !dbg !39, !tbaa !25
  %22 = load float, ptr addrspace(3) %arrayidx107, align 4, !dbg !40, !tbaa !25
  %add108.1225 = fadd float %21, %22, !dbg !41
  %add109.1226 = fadd float %20, %add108.1225, !dbg !42
  %add110.1227 = fadd float %19, %add109.1226, !dbg !43
  %23 = tail call float @llvm.fmuladd.f32(float %14, float -4.000000e+00, float %add110.1227), !dbg !44
  %24 = tail call float @llvm.fmuladd.f32(float %cond37, float %23, float %14), !dbg !45
  %25 = load float, ptr addrspace(3) %arrayidx88, align 4, !dbg !46, !tbaa !25
  %26 = load float, ptr addrspace(3) %arrayidx100.1, align 4, !dbg !39, !tbaa !25
  %27 = load float, ptr addrspace(3) %arrayidx107.1, align 4, !dbg !40, !tbaa !25
  %add108.1.1 = fadd float %26, %27, !dbg !41
  %add109.1.1 = fadd float %14, %add108.1.1, !dbg !42
  %add110.1.1 = fadd float %25, %add109.1.1, !dbg !43
  %28 = tail call float @llvm.fmuladd.f32(float %19, float -4.000000e+00, float %add110.1.1), !dbg !44
  %29 = tail call float @llvm.fmuladd.f32(float %cond37.1, float %28, float %19), !dbg !45
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !47
  %30 = add i32 %conv, -2
  %or.cond = icmp ult i32 %30, 4
  %cmp140 = icmp slt i32 %conv7, 80
  br i1 %or.cond, label %land.lhs.true131, label %for.inc153.1, !dbg !48

land.lhs.true131:                                 ; preds = %cond.end89.1.1
  %31 = add i32 %conv2, -2, !dbg !49
  %32 = icmp ult i32 %31, 4, !dbg !49
  %or.cond216 = and i1 %32, %cmp140, !dbg !49
  %cmp144 = icmp slt i32 %conv14, 80
  %or.cond243 = select i1 %or.cond216, i1 %cmp144, i1 false, !dbg !49
  br i1 %or.cond243, label %if.then, label %land.lhs.true131.1, !dbg !49

if.then:                                          ; preds = %land.lhs.true131
  %mul149 = mul nsw i32 %conv14, 96, !dbg !50
  %add150 = add nsw i32 %mul149, %conv7, !dbg !51
  %idxprom151 = sext i32 %add150 to i64, !dbg !52
  %arrayidx152 = getelementptr inbounds float, ptr addrspace(1) %next, i64 %idxprom151, !dbg !52
  store float %24, ptr addrspace(1) %arrayidx152, align 4, !dbg !53, !tbaa !25
  br label %land.lhs.true131.1, !dbg !52

land.lhs.true131.1:                               ; preds = %land.lhs.true131, %if.then
  %33 = add i32 %conv2, -1, !dbg !49
  %34 = icmp ult i32 %33, 4, !dbg !49
  %or.cond216.1 = and i1 %34, %cmp140, !dbg !49
  %cmp144.1 = icmp slt i32 %add18.1, 80
  %or.cond244 = select i1 %or.cond216.1, i1 %cmp144.1, i1 false, !dbg !49
  br i1 %or.cond244, label %if.then.1, label %for.inc153.1, !dbg !49

if.then.1:                                        ; preds = %land.lhs.true131.1
  %mul149.1 = mul nsw i32 %add18.1, 96, !dbg !50
  %add150.1 = add nsw i32 %mul149.1, %conv7, !dbg !51
  %idxprom151.1 = sext i32 %add150.1 to i64, !dbg !52
  %arrayidx152.1 = getelementptr inbounds float, ptr addrspace(1) %next, i64 %idxprom151.1, !dbg !52
  store float %29, ptr addrspace(1) %arrayidx152.1, align 4, !dbg !53, !tbaa !25
  br label %for.inc153.1, !dbg !52

for.inc153.1:                                     ; preds = %cond.end89.1.1, %if.then.1, %land.lhs.true131.1
  ret void, !dbg !54
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !55 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !56 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !57 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

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
!8 = distinct !DISubprogram(name: "stencil_2d", scope: !9, file: !9, line: 6, type: !10, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "examples/kernels/stencil.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 1, i32 1}
!13 = !{!"none", !"none", !"none"}
!14 = !{!"float*", !"float*", !"float*"}
!15 = !{!"restrict const", !"restrict const", !"restrict"}
!16 = !DILocation(line: 9, column: 20, scope: !8)
!17 = !DILocation(line: 9, column: 43, scope: !8)
!18 = !DILocation(line: 10, column: 19, scope: !8)
!19 = !DILocation(line: 11, column: 19, scope: !8)
!20 = !DILocation(line: 15, column: 39, scope: !8)
!21 = !DILocation(line: 16, column: 16, scope: !8)
!22 = !DILocation(line: 16, column: 37, scope: !8)
!23 = !DILocation(line: 16, column: 45, scope: !8)
!24 = !DILocation(line: 16, column: 25, scope: !8)
!25 = !{!26, !26, i64 0}
!26 = !{!"float", !27, i64 0}
!27 = !{!"omnipotent char", !28, i64 0}
!28 = !{!"Simple C/C++ TBAA"}
!29 = !DILocation(line: 17, column: 25, scope: !8)
!30 = !DILocation(line: 17, column: 16, scope: !8)
!31 = !DILocation(line: 16, column: 14, scope: !8)
!32 = !DILocation(line: 10, column: 61, scope: !8)
!33 = !DILocation(line: 11, column: 60, scope: !8)
!34 = !DILocation(line: 21, column: 40, scope: !8)
!35 = !DILocation(line: 21, column: 66, scope: !8)
!36 = !DILocation(line: 21, column: 53, scope: !8)
!37 = !DILocation(line: 22, column: 9, scope: !8)
!38 = !DILocation(line: 23, column: 23, scope: !8)
!39 = !DILocation(line: 27, column: 29, scope: !8)
!40 = !DILocation(line: 27, column: 53, scope: !8)
!41 = !DILocation(line: 27, column: 51, scope: !8)
!42 = !DILocation(line: 27, column: 79, scope: !8)
!43 = !DILocation(line: 27, column: 87, scope: !8)
!44 = !DILocation(line: 27, column: 95, scope: !8)
!45 = !DILocation(line: 27, column: 18, scope: !8)
!46 = !DILocation(line: 26, column: 59, scope: !8)
!47 = !DILocation(line: 30, column: 9, scope: !8)
!48 = !DILocation(line: 34, column: 25, scope: !8)
!49 = !DILocation(line: 34, column: 69, scope: !8)
!50 = !DILocation(line: 36, column: 26, scope: !8)
!51 = !DILocation(line: 36, column: 34, scope: !8)
!52 = !DILocation(line: 36, column: 13, scope: !8)
!53 = !DILocation(line: 36, column: 39, scope: !8)
!54 = !DILocation(line: 37, column: 1, scope: !8)
!55 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 9, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!56 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 10, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!57 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 22, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
