//! Inspections of kept outputs of the compiler: numbers by hand, and the lines of the source.

use std::sync::Arc;

use super::*;
use crate::explain::{WaitCause, account};
use autotune_kernel::source::{AnalysisError, Compile, Macros, Registers, SourceReader};
use autotune_lowering::gpu::find;
use autotune_lowering::lowering::Lowering;
use autotune_lowering::models::locality::{AccessFinding, Class, Dependence, Home, Keyword, analyse_with};

const TRANSPOSE: &str = include_str!("../../../../../tests/data/ir/inspect/transpose_32.ll");
const NAIVE: &str = include_str!("../../../../../tests/data/ir/inspect/transpose_naive.ll");
const LOOKUP: &str = include_str!("../../../../../tests/data/ir/inspect/lookup.ll");

/// A compiler whose output is kept.
#[derive(Debug)]
struct Kept(&'static str);

impl Compile for Kept {
    fn key(&self, _macros: &Macros) -> String {
        String::new()
    }

    fn compile(&self, _macros: &Macros) -> Result<(String, String), AnalysisError> {
        // A test runs in the folder of its crate.
        Ok((String::new(), self.0.replace("\"examples/kernels", "\"../../examples/kernels")))
    }

    fn registers(&self, _macros: &Macros, _kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(None)
    }
}

fn spec(file: &str, launch: &str) -> Spec {
    let text = format!(
        "kernel: test\nproblem: {{ size: 1024 }}\nparameters: {{ one: {{ values: [1] }} }}\nlaunch: {launch}\n\
         source: {{ file: {file} }}\n"
    );
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

fn inspected(output: &'static str, gpu: &str, file: &str, launch: &str) -> Inspection {
    let (spec, profile) = (spec(file, launch), &find(gpu).unwrap().profile);
    let reader = SourceReader::with_compiler(Arc::new(Kept(output)));
    let lowering = Lowering::new(&spec, profile, &reader).assuming();
    let found = inspect(&spec, &lowering, &Configuration(vec![1])).unwrap_or_else(|error| panic!("{error}"));
    found.unwrap().feasible().unwrap()
}

fn transpose(gpu: &str) -> Inspection {
    inspected(
        TRANSPOSE,
        gpu,
        "../../examples/kernels/transpose.cl",
        "{ work_items: [size, size / 8], work_group: [32, 4] }",
    )
}

fn naive(gpu: &str) -> Inspection {
    inspected(
        NAIVE,
        gpu,
        "../../examples/kernels/transpose_naive.cl",
        "{ work_items: [size, size], work_group: [32, 4] }",
    )
}

fn lookup(gpu: &str) -> Inspection {
    inspected(LOOKUP, gpu, "nowhere/lookup.cl", "{ work_items: size, work_group: 64 }")
}

/// The accesses of a line.
fn notes(inspection: &Inspection, line: u32) -> &[AccessNote] {
    &inspection.files[0].lines.iter().find(|shown| shown.line == line).unwrap().accesses
}

#[track_caller]
fn assert_near(one: Option<f64>, other: f64) {
    assert!(one.is_some_and(|one| (one - other).abs() < 1e-9), "{one:?} is not {other}");
}

/// 32 floats side by side are 128 bytes, 4 sectors; a column of a square tile without padding lies in one bank.
#[test]
fn a_tile_without_padding_has_the_conflicts_that_are_known() {
    let inspection = transpose("a100");
    let [load, store] = notes(&inspection, 10) else { panic!("{inspection:?}") };
    assert_eq!((load.access, load.memory, load.array.as_deref()), (AccessVerb::Load, MemoryKind::Global, Some("in")));
    assert_eq!((load.bytes, load.elements, load.lane_stride), (4, 1, Some(4)));
    assert_near(load.sectors, 4.0);
    assert_near(load.least_sectors, 4.0);
    assert_near(Some(load.executions), 8.0);
    assert_eq!(store.array.as_deref(), Some("tile"));
    assert_near(store.passes, 1.0);
    let [column, out] = notes(&inspection, 14) else { panic!("{inspection:?}") };
    assert_eq!((column.access, column.lane_stride), (AccessVerb::Load, Some(128)));
    assert_near(column.passes, 32.0);
    assert_near(column.least_passes, 1.0);
    assert_near(Some(column.excess()), 32.0);
    assert_near(out.sectors, 4.0);
    assert_eq!(out.classes.as_deref(), Some(&[Class::Spatial, Class::Private][..]));
    assert_eq!(inspection.resources.local_memory, 32 * 32 * 4);
    assert_eq!(inspection.resources.registers_from, RegisterOrigin::Estimate);
    assert_eq!(
        (inspection.launch.groups, inspection.launch.group, inspection.launch.warps),
        ([32, 32, 1], [15, 15, 0], 4)
    );
}

#[test]
fn each_lane_of_a_column_writes_a_sector_of_its_own() {
    let inspection = naive("a100");
    let [load, store] = notes(&inspection, 6) else { panic!("{inspection:?}") };
    assert_near(load.sectors, 4.0);
    assert_eq!(store.lane_stride, Some(4096));
    assert_near(store.sectors, 32.0);
    assert_near(store.least_sectors, 4.0);
    assert!(!store.classes.as_ref().unwrap().contains(&Class::Spatial));
}

#[test]
fn totals_of_a_line_are_of_a_warp() {
    let inspection = transpose("a100");
    let line = |number: u32| inspection.files[0].lines.iter().find(|line| line.line == number).unwrap();
    assert_eq!((line(10).loads, line(10).stores, line(10).local), (8.0, 0.0, 8.0));
    assert_eq!((line(14).loads, line(14).stores, line(14).local), (0.0, 8.0, 8.0));
    assert_eq!((line(11).barriers, line(10).barriers), (1.0, 0.0));
    assert!(line(10).text.contains("tile[ly + r * LINES][lx] = in["), "{}", line(10).text);
    assert!(!line(5).is_executed() && line(10).is_executed());
    let all: f64 = inspection.files[0].lines.iter().map(|line| line.instructions).sum();
    assert!((32.0..200.0).contains(&all), "{all}");
}

/// A lockstep GPU has warps of 16, whose row is 2 sectors, and no banks.
#[test]
fn a_lockstep_gpu_has_no_passes() {
    let inspection = transpose("abstract-fermi");
    let column = &notes(&inspection, 14)[0];
    assert_eq!((column.passes, column.least_passes), (None, None));
    let load = &notes(&inspection, 10)[0];
    let row = f64::from(u32::try_from(inspection.launch.warp_size.min(32)).unwrap()) * 4.0 / 32.0;
    assert_near(load.sectors, row);
}

#[test]
fn an_access_whose_address_depends_on_data_has_a_note() {
    let inspection = lookup("a100");
    // The file cannot be read: its executed lines are there without their text.
    let random = notes(&inspection, 6).iter().find(|note| note.on_data).unwrap();
    assert_eq!((random.array.as_deref(), random.lane_stride, random.classes.as_ref()), (Some("in"), None, None));
    assert_near(random.sectors, 32.0);
    assert_near(Some(random.executions), 16.0);
}

#[test]
fn a_body_has_no_lines_to_inspect() {
    let text = "kernel: test\nparameters: { one: { values: [1] } }\nlaunch: { work_items: 64, work_group: 64 }\n\
                body:\n  - compute: { per_item: 1, kind: fp32 }\n";
    let spec = Spec::parse(text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let profile = &find("a100").unwrap().profile;
    assert!(
        inspect(&spec, &Lowering::new(&spec, profile, &SourceReader::default()), &Configuration(vec![1]))
            .unwrap()
            .is_none()
    );
}

fn found(output: &'static str, gpu: &str) -> Vec<AccessFinding> {
    let spec = spec("../../examples/kernels/transpose.cl", "{ work_items: [size, size / 8], work_group: [32, 4] }");
    let profile = &find(gpu).unwrap().profile;
    let reader = SourceReader::with_compiler(Arc::new(Kept(output)));
    let lowering = Lowering::new(&spec, profile, &reader);
    analyse_with(&spec, &lowering, &Configuration(vec![1]))
        .unwrap_or_else(|error| panic!("{error}"))
        .feasible()
        .unwrap()
}

/// F of `tile[lx][ly + r * LINES]` is one row: 32 elements for lx, one for ly.
#[test]
fn the_theorems_take_their_matrices_from_addresses() {
    let findings = found(TRANSPOSE, "a100");
    let shown: Vec<_> =
        findings.iter().map(|finding| (finding.keyword, finding.array.as_deref(), finding.place.line)).collect();
    let expected = [
        (Keyword::Load, Some("in"), 10),
        (Keyword::Local, Some("tile"), 10),
        (Keyword::Local, Some("tile"), 14),
        (Keyword::Store, Some("out"), 14),
    ];
    assert_eq!(shown, expected);
    let [load, stored, column, _] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(load.file.as_deref(), Some("../../examples/kernels/transpose.cl"));
    assert_eq!((load.classes.as_slice(), load.stride), (&[Class::Spatial, Class::Private][..], Some(1)));
    assert_eq!(load.advice.unwrap().home, Home::Texture);
    assert_eq!((stored.classes.as_slice(), stored.stride), (&[Class::Spatial][..], Some(1)));
    assert_eq!((column.classes.as_slice(), column.stride, column.conflict), (&[][..], Some(32), Some(32.0)));
    let matrices = column.matrices.as_ref().unwrap();
    assert_eq!((matrices.subscripts.rows(), matrices.lane), (&[vec![32, 1]][..], 0));
    assert!(!matches!(matrices.dependence, Dependence::Unknown | Dependence::None), "the tile was written before");
}

/// Between the launch and the end, the path waits at the user's lines, all of it.
#[test]
fn a_critical_path_is_told_in_lines_of_the_source() {
    for gpu in ["a100", "abstract-fermi"] {
        let spec = spec("../../examples/kernels/transpose.cl", "{ work_items: [size, size / 8], work_group: [32, 4] }");
        let profile = &find(gpu).unwrap().profile;
        let reader = SourceReader::with_compiler(Arc::new(Kept(TRANSPOSE)));
        let lowering = Lowering::new(&spec, profile, &reader);
        let configuration = Configuration(vec![1]);
        let lowered = lowering.lower(&configuration).unwrap_or_else(|error| panic!("{error}")).feasible().unwrap();
        let account = account(&spec, profile, &lowering, &configuration, &lowered).unwrap();
        let path = account.path.unwrap();
        let all: f64 = path.iter().map(|share| share.ticks).sum();
        assert!((all + context::real(account.launch) - account.ticks.to_f64()).abs() < 1.0, "{gpu}: {path:?}");
        for share in &path {
            assert_eq!(share.file.as_deref(), Some("../../examples/kernels/transpose.cl"), "{gpu}: {share:?}");
            assert!(share.line.is_some_and(|line| (7..=14).contains(&line)), "{gpu}: {share:?}");
        }
        let first = &path[0];
        assert_eq!(first.line, Some(if gpu == "a100" { 14 } else { 10 }), "{gpu}: {path:?}");
        assert_eq!(first.waits_for, if gpu == "a100" { WaitCause::Local } else { WaitCause::Dispatcher });
        assert!(first.statement.starts_with("for (int r = 0; r < ROWS; ++r)"), "{}", first.statement);
    }
}

/// A loop of 16 iterations whose pointer moves by 4,096 bytes.
const WALK: &str = "target triple = \"spir64\"\n\
    define spir_kernel void @walk(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) !dbg !4 {\nentry:\n  \
    %g = call spir_func i64 @_Z13get_global_idj(i32 0)\n  br label %loop\nloop:\n  %p = phi ptr addrspace(1) [ %in, %entry ], [ \
    %q, %loop ]\n  %k = phi i32 [ 0, %entry ], [ %n, %loop ]\n  %s = phi float [ 0.0, %entry ], [ %m, %loop ]\n  %at = \
    getelementptr float, ptr addrspace(1) %p, i64 %g\n  %v = load float, ptr addrspace(1) %at, align 4\n  %m = fadd float \
    %s, %v\n  %q = getelementptr i8, ptr addrspace(1) %p, i64 4096, !dbg !5\n  %n = add i32 %k, 1\n  %is = icmp eq i32 %n, 16\n  \
    br i1 %is, label %end, label %loop\nend:\n  %to = getelementptr float, ptr addrspace(1) %out, i64 %g\n  store float %m, \
    ptr addrspace(1) %to, align 4\n  ret void\n}\ndeclare spir_func i64 @_Z13get_global_idj(i32)\n\
    !1 = !DIFile(filename: \"walk.cl\", directory: \"nowhere\")\n!4 = distinct !DISubprogram(name: \"walk\", scope: !1, file: !1, \
    line: 1)\n!5 = !DILocation(line: 3, column: 5, scope: !4)\n";

/// Each iteration has a load, a sum, a counter, a comparison and a branch, and two instructions for the pointer.
#[test]
fn a_pointer_that_moves_costs_an_instruction_for_each_half() {
    let inspection = inspected(WALK, "a100", "nowhere/walk.cl", "{ work_items: size, work_group: 64 }");
    let all: f64 = inspection.files[0].lines.iter().map(|line| line.instructions).sum();
    let still = WALK.replace(
        "%p = phi ptr addrspace(1) [ %in, %entry ], [ %q, %loop ]",
        "%p = phi ptr addrspace(1) [ %in, %entry ], [ %in, %loop ]",
    );
    let unmoved = inspected(still.leak(), "a100", "nowhere/walk.cl", "{ work_items: size, work_group: 64 }");
    let rest: f64 = unmoved.files[0].lines.iter().map(|line| line.instructions).sum();
    assert_near(Some(all - rest), 2.0 * 16.0);
}
