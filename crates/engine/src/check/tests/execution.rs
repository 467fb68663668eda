//! Findings about the execution of kept outputs of the compiler.

use std::sync::Arc;

use super::*;
use autotune_kernel::source::{AnalysisError, Compile, Macros, Registers, SourceReader};
use autotune_lowering::lowering::Lowering;
use autotune_lowering::spec::Configuration;

const LOOKUP: &str = include_str!("../../../../../tests/data/ir/inspect/lookup.ll");
const TRANSPOSE: &str = include_str!("../../../../../tests/data/ir/inspect/transpose_32.ll");

/// A compiler whose output is kept.
#[derive(Debug)]
struct Kept(&'static str);

impl Compile for Kept {
    fn key(&self, _macros: &Macros) -> String {
        String::new()
    }

    fn compile(&self, _macros: &Macros) -> Result<(String, String), AnalysisError> {
        Ok((String::new(), self.0.to_owned()))
    }

    fn registers(&self, _macros: &Macros, _kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(None)
    }
}

fn found(output: &'static str, rest: &str) -> Vec<InspectionWarning> {
    let text = format!("kernel: test\nproblem: {{ size: 1024 }}\nparameters: {{ one: {{ values: [1] }} }}\n{rest}\n");
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let profile = &find("a100").unwrap().profile;
    let reader = SourceReader::with_compiler(Arc::new(Kept(output)));
    let lowering = Lowering::new(&spec, profile, &reader).assuming();
    let found = of_configuration(&spec, &lowering, &Configuration(vec![1])).unwrap_or_else(|error| panic!("{error}"));
    found.iter().filter_map(CheckFinding::inspected).collect()
}

/// The findings of a kernel with a loop on line 5, an address on line 6 and a branch on line 7 that depend on data.
fn lookup(assume: &str) -> Vec<InspectionWarning> {
    let source = format!("source: {{ file: nowhere/lookup.cl, assume: {{ {assume} }} }}");
    found(LOOKUP, &format!("launch: {{ work_items: size, work_group: 64 }}\n{source}"))
}

#[test]
fn a_kernel_without_doubts_has_no_findings() {
    let launch = "launch: { work_items: [size, size / 8], work_group: [32, 4] }";
    assert_eq!(found(TRANSPOSE, &format!("{launch}\nsource: {{ file: examples/kernels/transpose.cl }}")), []);
}

#[test]
fn a_matter_that_depends_on_data_has_its_line() {
    use InspectionWarningKind::{AddressOnData, BranchOnData, TripsOnData};
    let found = lookup("");
    let kinds: Vec<_> = found.iter().map(|warning| (warning.kind, warning.line)).collect();
    assert_eq!(kinds, [(BranchOnData, 5), (BranchOnData, 7), (TripsOnData, 5), (AddressOnData, 6)]);
    let trips = found.iter().find(|warning| warning.kind == TripsOnData).unwrap();
    let words = "the number of iterations of this loop depends on data: 16 are assumed";
    assert_eq!((trips.message.as_str(), trips.file.as_str()), (words, "lookup.cl"));
    assert!(trips.help.contains("`assume: { trip@5: … }`"), "{}", trips.help);
}

/// An assumption that is stated settles a matter for every answer.
#[test]
fn an_assumption_settles_a_matter() {
    use InspectionWarningKind::{AddressOnData, BranchOnData};
    let kinds = |assume| lookup(assume).iter().map(|warning| warning.kind).collect::<Vec<_>>();
    // The loop has a branch around it.
    assert_eq!(kinds("trip@5: 8"), [BranchOnData, BranchOnData, AddressOnData]);
    assert_eq!(kinds("trip@5: 8, taken@7: 0.5"), [BranchOnData, AddressOnData]);
    assert_eq!(kinds("trip@5: 8, taken@7: 0.5, address@6: random"), [BranchOnData]);
}
