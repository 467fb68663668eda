//! The paper's example with its published answers; an oracle that looks at every pair of accesses; strides by hand.

mod oracle;
mod paper;
mod placement;
mod strides;

use super::*;
use crate::gpu::{Profile, find};
use crate::lowering::{Launched, Lowering};
use crate::space::Space;
use crate::spec::{Configuration, Spec};
use autotune_kernel::source::SourceReader;

fn profile(name: &str) -> &'static Profile {
    &find(name).unwrap().profile
}

/// A spec of one configuration on a Fermi.
fn spec(head: &str, body: &str) -> Spec {
    let text = format!("kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{head}\nbody:\n{body}");
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

fn first(spec: &Spec) -> Configuration {
    let space = Space::new(spec, &profile("fermi").names(false)).unwrap();
    Configuration(space.domains().iter().map(|domain| domain[0]).collect())
}

fn identity(size: usize) -> IntegerMatrix {
    IntegerMatrix::from_fn(size, size, |row, column| i64::from(row == column))
}

fn launched(spec: &Spec) -> Launched {
    Lowering::new(spec, profile("fermi"), &SourceReader::default()).launch(&first(spec)).unwrap().feasible().unwrap()
}

fn found(spec: &Spec) -> Vec<AccessFinding> {
    analyse(spec, profile("fermi"), &SourceReader::default(), &first(spec))
        .unwrap_or_else(|error| panic!("{error}"))
        .feasible()
        .unwrap()
}

fn classes(findings: &[AccessFinding]) -> Vec<&[Class]> {
    findings.iter().map(|finding| finding.classes.as_slice()).collect()
}
