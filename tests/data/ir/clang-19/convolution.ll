; ModuleID = 'autotune_source.cl'
source_filename = "autotune_source.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@convolution_2d.part = internal unnamed_addr addrspace(3) global [10 x [10 x float]] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @convolution_2d(ptr addrspace(1) noalias nocapture noundef readonly align 4 %image, ptr addrspace(2) nocapture noundef readonly align 4 %mask, ptr addrspace(1) nocapture noundef writeonly align 4 %result) local_unnamed_addr #0 !dbg !8 !kernel_arg_addr_space !12 !kernel_arg_access_qual !13 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !15 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !16
  %conv = trunc i64 %call to i32, !dbg !16
  %call1 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 1) #5, !dbg !17
  %conv2 = trunc i64 %call1 to i32, !dbg !17
  %call3 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !18
  %call3.tr = trunc i64 %call3 to i32, !dbg !18
  %conv4 = shl i32 %call3.tr, 3, !dbg !18
  %call5 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 1) #5, !dbg !19
  %call5.tr = trunc i64 %call5 to i32, !dbg !19
  %conv7 = shl i32 %call5.tr, 3, !dbg !19
  %cmp160 = icmp slt i32 %conv2, 10, !dbg !20
  br i1 %cmp160, label %for.cond9.preheader.lr.ph, label %for.inc71.1.3.2, !dbg !21

for.cond9.preheader.lr.ph:                        ; preds = %entry
  %cmp10158 = icmp slt i32 %conv, 10
  %smax = tail call i32 @llvm.smax.i32(i32 %conv, i32 2), !dbg !21
  %0 = add nuw i32 %smax, 7, !dbg !21
  %1 = sub i32 %0, %conv, !dbg !21
  %2 = lshr i32 %1, 3, !dbg !21
  %3 = add nuw nsw i32 %2, 1, !dbg !21
  %xtraiter = and i32 %3, 3
  %lcmp.mod.not = icmp eq i32 %xtraiter, 0
  %4 = icmp ult i32 %1, 24
  br label %for.cond9.preheader, !dbg !21

for.cond9.preheader:                              ; preds = %for.cond9.preheader.lr.ph, %for.cond.cleanup12
  %j.0161 = phi i32 [ %conv2, %for.cond9.preheader.lr.ph ], [ %add23, %for.cond.cleanup12 ]
  br i1 %cmp10158, label %for.body13.lr.ph, label %for.cond.cleanup12, !dbg !22

for.body13.lr.ph:                                 ; preds = %for.cond9.preheader
  %add = add nsw i32 %j.0161, %conv7
  %mul14 = mul nsw i32 %add, 66
  %add15 = add nsw i32 %mul14, %conv4
  %idxprom17 = sext i32 %j.0161 to i64
  br i1 %lcmp.mod.not, label %for.body13.prol.loopexit, label %for.body13.prol, !dbg !22

for.body13.prol:                                  ; preds = %for.body13.lr.ph, %for.body13.prol
  %i.0159.prol = phi i32 [ %add21.prol, %for.body13.prol ], [ %conv, %for.body13.lr.ph ]
  %prol.iter = phi i32 [ %prol.iter.next, %for.body13.prol ], [ 0, %for.body13.lr.ph ]
  %add16.prol = add nsw i32 %add15, %i.0159.prol, !dbg !23
  %idxprom.prol = sext i32 %add16.prol to i64, !dbg !24
  %arrayidx.prol = getelementptr inbounds float, ptr addrspace(1) %image, i64 %idxprom.prol, !dbg !24
  %5 = load float, ptr addrspace(1) %arrayidx.prol, align 4, !dbg !24, !tbaa !25
  %idxprom19.prol = sext i32 %i.0159.prol to i64, !dbg !29
  %arrayidx20.prol = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom17, i64 %idxprom19.prol, !dbg !29
  store float %5, ptr addrspace(3) %arrayidx20.prol, align 4, !dbg !30, !tbaa !25
  %add21.prol = add nsw i32 %i.0159.prol, 8, !dbg !31
  %prol.iter.next = add i32 %prol.iter, 1, !dbg !22
  %prol.iter.cmp.not = icmp eq i32 %prol.iter.next, %xtraiter, !dbg !22
  br i1 %prol.iter.cmp.not, label %for.body13.prol.loopexit, label %for.body13.prol, !dbg !22, !llvm.loop !32

for.body13.prol.loopexit:                         ; preds = %for.body13.prol, %for.body13.lr.ph
  %i.0159.unr = phi i32 [ %conv, %for.body13.lr.ph ], [ %add21.prol, %for.body13.prol ]
  br i1 %4, label %for.cond.cleanup12, label %for.body13, !dbg !22

for.cond.cleanup12:                               ; preds = %for.body13.prol.loopexit, %for.body13, %for.cond9.preheader
  %add23 = add nsw i32 %j.0161, 4, !dbg !34
  %cmp = icmp slt i32 %j.0161, 6, !dbg !20
  br i1 %cmp, label %for.cond9.preheader, label %for.inc71.1.3.2, !dbg !21, !llvm.loop !35

for.body13:                                       ; preds = %for.body13.prol.loopexit, %for.body13
  %i.0159 = phi i32 [ %add21.3, %for.body13 ], [ %i.0159.unr, %for.body13.prol.loopexit ]
  %add16 = add nsw i32 %add15, %i.0159, !dbg !23
  %idxprom = sext i32 %add16 to i64, !dbg !24
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %image, i64 %idxprom, !dbg !24
  %6 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !24, !tbaa !25
  %idxprom19 = sext i32 %i.0159 to i64, !dbg !29
  %arrayidx20 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom17, i64 %idxprom19, !dbg !29
  store float %6, ptr addrspace(3) %arrayidx20, align 4, !dbg !30, !tbaa !25
  %add21 = add nsw i32 %i.0159, 8, !dbg !31
  %add16.1 = add nsw i32 %add15, %add21, !dbg !23
  %idxprom.1 = sext i32 %add16.1 to i64, !dbg !24
  %arrayidx.1 = getelementptr inbounds float, ptr addrspace(1) %image, i64 %idxprom.1, !dbg !24
  %7 = load float, ptr addrspace(1) %arrayidx.1, align 4, !dbg !24, !tbaa !25
  %idxprom19.1 = sext i32 %add21 to i64, !dbg !29
  %arrayidx20.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom17, i64 %idxprom19.1, !dbg !29
  store float %7, ptr addrspace(3) %arrayidx20.1, align 4, !dbg !30, !tbaa !25
  %add21.1 = add nsw i32 %i.0159, 16, !dbg !31
  %add16.2 = add nsw i32 %add15, %add21.1, !dbg !23
  %idxprom.2 = sext i32 %add16.2 to i64, !dbg !24
  %arrayidx.2 = getelementptr inbounds float, ptr addrspace(1) %image, i64 %idxprom.2, !dbg !24
  %8 = load float, ptr addrspace(1) %arrayidx.2, align 4, !dbg !24, !tbaa !25
  %idxprom19.2 = sext i32 %add21.1 to i64, !dbg !29
  %arrayidx20.2 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom17, i64 %idxprom19.2, !dbg !29
  store float %8, ptr addrspace(3) %arrayidx20.2, align 4, !dbg !30, !tbaa !25
  %add21.2 = add nsw i32 %i.0159, 24, !dbg !31
  %add16.3 = add nsw i32 %add15, %add21.2, !dbg !23
  %idxprom.3 = sext i32 %add16.3 to i64, !dbg !24
  %arrayidx.3 = getelementptr inbounds float, ptr addrspace(1) %image, i64 %idxprom.3, !dbg !24
  %9 = load float, ptr addrspace(1) %arrayidx.3, align 4, !dbg !24, !tbaa !25
  %idxprom19.3 = sext i32 %add21.2 to i64, !dbg !29
  %arrayidx20.3 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom17, i64 %idxprom19.3, !dbg !29
  store float %9, ptr addrspace(3) %arrayidx20.3, align 4, !dbg !30, !tbaa !25
  %add21.3 = add nsw i32 %i.0159, 32, !dbg !31
  %cmp10.3 = icmp slt i32 %i.0159, -22, !dbg !37
  br i1 %cmp10.3, label %for.body13, label %for.cond.cleanup12, !dbg !22, !llvm.loop !38

for.inc71.1.3.2:                                  ; preds = %for.cond.cleanup12, %entry
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #6, !dbg !39
  %mul42 = shl nsw i32 %conv2, 1
  %idxprom49 = sext i32 %conv to i64
  %add43.1 = or disjoint i32 %mul42, 1, !dbg !40
  %idxprom44.1 = sext i32 %add43.1 to i64, !dbg !41
  %arrayidx50.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.1, i64 %idxprom49, !dbg !41
  %10 = load float, ptr addrspace(3) %arrayidx50.1, align 4, !dbg !41, !tbaa !25
  %11 = load float, ptr addrspace(2) %mask, align 4, !dbg !42, !tbaa !25
  %12 = tail call float @llvm.fmuladd.f32(float %10, float %11, float 0.000000e+00), !dbg !43
  %add43.2 = add nsw i32 %mul42, 2, !dbg !40
  %idxprom44.2 = sext i32 %add43.2 to i64, !dbg !41
  %arrayidx50.2 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.2, i64 %idxprom49, !dbg !41
  %13 = load float, ptr addrspace(3) %arrayidx50.2, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 12, !dbg !42
  %14 = load float, ptr addrspace(2) %arrayidx65.1.2, align 4, !dbg !42, !tbaa !25
  %15 = tail call float @llvm.fmuladd.f32(float %13, float %14, float %12), !dbg !43
  %add43.3 = add nsw i32 %mul42, 3, !dbg !40
  %idxprom44.3 = sext i32 %add43.3 to i64, !dbg !41
  %arrayidx50.3 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.3, i64 %idxprom49, !dbg !41
  %16 = load float, ptr addrspace(3) %arrayidx50.3, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.3 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 24, !dbg !42
  %17 = load float, ptr addrspace(2) %arrayidx65.1.3, align 4, !dbg !42, !tbaa !25
  %18 = tail call float @llvm.fmuladd.f32(float %16, float %17, float %15), !dbg !43
  %add48.1 = add nsw i32 %conv, 1
  %idxprom49.1 = sext i32 %add48.1 to i64
  %arrayidx50.1.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.1, i64 %idxprom49.1, !dbg !41
  %19 = load float, ptr addrspace(3) %arrayidx50.1.1, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.1.1 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 4, !dbg !42
  %20 = load float, ptr addrspace(2) %arrayidx65.1.1.1, align 4, !dbg !42, !tbaa !25
  %21 = tail call float @llvm.fmuladd.f32(float %19, float %20, float %18), !dbg !43
  %arrayidx50.2.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.2, i64 %idxprom49.1, !dbg !41
  %22 = load float, ptr addrspace(3) %arrayidx50.2.1, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.2.1 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 16, !dbg !42
  %23 = load float, ptr addrspace(2) %arrayidx65.1.2.1, align 4, !dbg !42, !tbaa !25
  %24 = tail call float @llvm.fmuladd.f32(float %22, float %23, float %21), !dbg !43
  %arrayidx50.3.1 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.3, i64 %idxprom49.1, !dbg !41
  %25 = load float, ptr addrspace(3) %arrayidx50.3.1, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.3.1 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 28, !dbg !42
  %26 = load float, ptr addrspace(2) %arrayidx65.1.3.1, align 4, !dbg !42, !tbaa !25
  %27 = tail call float @llvm.fmuladd.f32(float %25, float %26, float %24), !dbg !43
  %add48.2 = add nsw i32 %conv, 2
  %idxprom49.2 = sext i32 %add48.2 to i64
  %arrayidx50.1.2 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.1, i64 %idxprom49.2, !dbg !41
  %28 = load float, ptr addrspace(3) %arrayidx50.1.2, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.1.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 8, !dbg !42
  %29 = load float, ptr addrspace(2) %arrayidx65.1.1.2, align 4, !dbg !42, !tbaa !25
  %30 = tail call float @llvm.fmuladd.f32(float %28, float %29, float %27), !dbg !43
  %arrayidx50.2.2 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.2, i64 %idxprom49.2, !dbg !41
  %31 = load float, ptr addrspace(3) %arrayidx50.2.2, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.2.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 20, !dbg !42
  %32 = load float, ptr addrspace(2) %arrayidx65.1.2.2, align 4, !dbg !42, !tbaa !25
  %33 = tail call float @llvm.fmuladd.f32(float %31, float %32, float %30), !dbg !43
  %arrayidx50.3.2 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44.3, i64 %idxprom49.2, !dbg !41
  %34 = load float, ptr addrspace(3) %arrayidx50.3.2, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1.3.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 32, !dbg !42
  %35 = load float, ptr addrspace(2) %arrayidx65.1.3.2, align 4, !dbg !42, !tbaa !25
  %36 = tail call float @llvm.fmuladd.f32(float %34, float %35, float %33), !dbg !43
  %add94 = add nsw i32 %conv4, %conv
  %add98 = add nsw i32 %conv7, %mul42
  %cmp100 = icmp slt i32 %add94, 64
  %cmp103 = icmp slt i32 %add98, 64
  %or.cond = select i1 %cmp100, i1 %cmp103, i1 false, !dbg !44
  br i1 %or.cond, label %if.then105, label %if.end114, !dbg !44

if.then105:                                       ; preds = %for.inc71.1.3.2
  %arrayidx65.2.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 32, !dbg !42
  %37 = load float, ptr addrspace(2) %arrayidx65.2.2, align 4, !dbg !42, !tbaa !25
  %arrayidx65.1170.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 20, !dbg !42
  %38 = load float, ptr addrspace(2) %arrayidx65.1170.2, align 4, !dbg !42, !tbaa !25
  %idxprom44 = sext i32 %mul42 to i64, !dbg !41
  %arrayidx50.2186 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44, i64 %idxprom49.2, !dbg !41
  %39 = load float, ptr addrspace(3) %arrayidx50.2186, align 4, !dbg !41, !tbaa !25
  %arrayidx65.2189 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 8, !dbg !42
  %40 = load float, ptr addrspace(2) %arrayidx65.2189, align 4, !dbg !42, !tbaa !25
  %arrayidx65.2.1 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 28, !dbg !42
  %41 = load float, ptr addrspace(2) %arrayidx65.2.1, align 4, !dbg !42, !tbaa !25
  %arrayidx65.1170.1 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 16, !dbg !42
  %42 = load float, ptr addrspace(2) %arrayidx65.1170.1, align 4, !dbg !42, !tbaa !25
  %arrayidx50.1174 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44, i64 %idxprom49.1, !dbg !41
  %43 = load float, ptr addrspace(3) %arrayidx50.1174, align 4, !dbg !41, !tbaa !25
  %arrayidx65.1177 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 4, !dbg !42
  %44 = load float, ptr addrspace(2) %arrayidx65.1177, align 4, !dbg !42, !tbaa !25
  %arrayidx65.2 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 24, !dbg !42
  %45 = load float, ptr addrspace(2) %arrayidx65.2, align 4, !dbg !42, !tbaa !25
  %arrayidx65.1170 = getelementptr inbounds i8, ptr addrspace(2) %mask, i64 12, !dbg !42
  %46 = load float, ptr addrspace(2) %arrayidx65.1170, align 4, !dbg !42, !tbaa !25
  %arrayidx50 = getelementptr inbounds [10 x [10 x float]], ptr addrspace(3) @convolution_2d.part, i64 0, i64 %idxprom44, i64 %idxprom49, !dbg !41
  %47 = load float, ptr addrspace(3) %arrayidx50, align 4, !dbg !41, !tbaa !25
  %48 = load float, ptr addrspace(2) %mask, align 4, !dbg !42, !tbaa !25
  %49 = tail call float @llvm.fmuladd.f32(float %47, float %48, float 0.000000e+00), !dbg !43
  %50 = tail call float @llvm.fmuladd.f32(float %10, float %46, float %49), !dbg !43
  %51 = tail call float @llvm.fmuladd.f32(float %13, float %45, float %50), !dbg !43
  %52 = tail call float @llvm.fmuladd.f32(float %43, float %44, float %51), !dbg !43
  %53 = tail call float @llvm.fmuladd.f32(float %19, float %42, float %52), !dbg !43
  %54 = tail call float @llvm.fmuladd.f32(float %22, float %41, float %53), !dbg !43
  %55 = tail call float @llvm.fmuladd.f32(float %39, float %40, float %54), !dbg !43
  %56 = tail call float @llvm.fmuladd.f32(float %28, float %38, float %55), !dbg !43
  %57 = tail call float @llvm.fmuladd.f32(float %31, float %37, float %56), !dbg !43
  %mul110 = shl nsw i32 %add98, 6, !dbg !45
  %add111 = add nsw i32 %mul110, %add94, !dbg !46
  %idxprom112 = sext i32 %add111 to i64, !dbg !47
  %arrayidx113 = getelementptr inbounds float, ptr addrspace(1) %result, i64 %idxprom112, !dbg !47
  store float %57, ptr addrspace(1) %arrayidx113, align 4, !dbg !48, !tbaa !25
  br label %if.end114, !dbg !47

if.end114:                                        ; preds = %if.then105, %for.inc71.1.3.2
  %add99.1 = or disjoint i32 %add98, 1, !dbg !49
  %cmp103.1 = icmp slt i32 %add99.1, 64
  %or.cond.1 = select i1 %cmp100, i1 %cmp103.1, i1 false, !dbg !44
  br i1 %or.cond.1, label %if.then105.1, label %if.end114.1, !dbg !44

if.then105.1:                                     ; preds = %if.end114
  %mul110.1 = shl nsw i32 %add99.1, 6, !dbg !45
  %add111.1 = add nsw i32 %mul110.1, %add94, !dbg !46
  %idxprom112.1 = sext i32 %add111.1 to i64, !dbg !47
  %arrayidx113.1 = getelementptr inbounds float, ptr addrspace(1) %result, i64 %idxprom112.1, !dbg !47
  store float %36, ptr addrspace(1) %arrayidx113.1, align 4, !dbg !48, !tbaa !25
  br label %if.end114.1, !dbg !47

if.end114.1:                                      ; preds = %if.then105.1, %if.end114
  ret void, !dbg !50
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !51 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !52 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !53 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind willreturn memory(none) }
attributes #6 = { convergent nounwind }

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
!8 = distinct !DISubprogram(name: "convolution_2d", scope: !9, file: !9, line: 13, type: !10, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DIFile(filename: "examples/kernels/convolution.cl", directory: "")
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{i32 1, i32 2, i32 1}
!13 = !{!"none", !"none", !"none"}
!14 = !{!"float*", !"float*", !"float*"}
!15 = !{!"restrict const", !"const", !""}
!16 = !DILocation(line: 16, column: 20, scope: !8)
!17 = !DILocation(line: 16, column: 42, scope: !8)
!18 = !DILocation(line: 16, column: 66, scope: !8)
!19 = !DILocation(line: 16, column: 98, scope: !8)
!20 = !DILocation(line: 17, column: 24, scope: !8)
!21 = !DILocation(line: 17, column: 5, scope: !8)
!22 = !DILocation(line: 19, column: 9, scope: !8)
!23 = !DILocation(line: 20, column: 72, scope: !8)
!24 = !DILocation(line: 20, column: 26, scope: !8)
!25 = !{!26, !26, i64 0}
!26 = !{!"float", !27, i64 0}
!27 = !{!"omnipotent char", !28, i64 0}
!28 = !{!"Simple C/C++ TBAA"}
!29 = !DILocation(line: 20, column: 13, scope: !8)
!30 = !DILocation(line: 20, column: 24, scope: !8)
!31 = !DILocation(line: 19, column: 38, scope: !8)
!32 = distinct !{!32, !33}
!33 = !{!"llvm.loop.unroll.disable"}
!34 = !DILocation(line: 17, column: 34, scope: !8)
!35 = distinct !{!35, !21, !36}
!36 = !DILocation(line: 20, column: 75, scope: !8)
!37 = !DILocation(line: 19, column: 28, scope: !8)
!38 = distinct !{!38, !22, !36, !33}
!39 = !DILocation(line: 21, column: 5, scope: !8)
!40 = !DILocation(line: 29, column: 53, scope: !8)
!41 = !DILocation(line: 29, column: 36, scope: !8)
!42 = !DILocation(line: 32, column: 79, scope: !8)
!43 = !DILocation(line: 32, column: 69, scope: !8)
!44 = !DILocation(line: 39, column: 27, scope: !8)
!45 = !DILocation(line: 39, column: 51, scope: !8)
!46 = !DILocation(line: 39, column: 59, scope: !8)
!47 = !DILocation(line: 39, column: 42, scope: !8)
!48 = !DILocation(line: 39, column: 64, scope: !8)
!49 = !DILocation(line: 38, column: 75, scope: !8)
!50 = !DILocation(line: 41, column: 1, scope: !8)
!51 = !DISubprogram(name: "get_local_id", scope: !9, file: !9, line: 16, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!52 = !DISubprogram(name: "get_group_id", scope: !9, file: !9, line: 16, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!53 = !DISubprogram(name: "barrier", scope: !9, file: !9, line: 21, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
