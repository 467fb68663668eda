//! What a user should know of an execution.

use schemars::JsonSchema;
use serde::Serialize;

use crate::lowering::{ListedAccess, Lowering, LoweringError, PrivateArray, TracedKernel};
use crate::source::{AccessKind, FindingKind, SourceFinding, SourceMemory};
use crate::spec::Configuration;
use crate::text::Place;

/// What a user should know, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InspectionWarning {
    /// The kind.
    pub kind: InspectionWarningKind,
    /// The file of the kernel's source; null if no line is meant.
    pub file: Option<String>,
    /// The line, counted from 1; null if no line is meant.
    pub line: Option<u32>,
    /// The message.
    pub message: String,
    /// The way to mend it or to say more; null if there is none.
    pub help: Option<String>,
}

/// The kind of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InspectionWarningKind {
    /// A branch depends on data.
    BranchOnData,
    /// The number of iterations of a loop depends on data.
    TripsOnData,
    /// The address of an access depends on data.
    AddressOnData,
    /// Some work items have returned before a barrier.
    ReturnedBeforeBarrier,
    /// A print, which counts nothing.
    Print,
    /// Inline assembly, whose effect is not known.
    Assembly,
    /// A function that is not known.
    UnknownFunction,
    /// A private array that stays in memory.
    PrivateArray,
    /// A first or last group that touches more sectors than the middle one.
    EdgeGroup,
}

/// The warnings of the execution.
pub(super) fn of_findings(traced: &TracedKernel) -> Vec<InspectionWarning> {
    let mut warnings: Vec<InspectionWarning> = Vec::new();
    for finding in &traced.executed.findings {
        let warning = of_finding(traced, finding).filter(|warning| !warnings.contains(warning));
        warnings.extend(warning);
    }
    warnings.extend(traced.private_arrays().iter().map(|array| in_memory(traced, array)));
    warnings.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    warnings
}

fn in_memory(traced: &TracedKernel, array: &PrivateArray) -> InspectionWarning {
    let place = array.place.as_ref().map_or_else(Place::default, |place| traced.place_of(std::slice::from_ref(place)));
    let file = traced.file(place).map(str::to_owned);
    InspectionWarning {
        kind: InspectionWarningKind::PrivateArray,
        line: file.is_some().then_some(place.line),
        file,
        message: array.message(),
        help: Some(PrivateArray::HELP.to_owned()),
    }
}

/// The warning of a finding; `None` if the finding refuses the configuration.
fn of_finding(traced: &TracedKernel, finding: &SourceFinding) -> Option<InspectionWarning> {
    let place = traced.place_of(&finding.places);
    let assume = |what: &str| Some(format!("state what is usual: `assume: {{ {what} }}`"));
    let line = place.line;
    let (kind, message, help) = match &finding.kind {
        FindingKind::BranchOnData => (
            InspectionWarningKind::BranchOnData,
            "the branch depends on data: both sides are counted".to_owned(),
            assume(&format!("taken@{line}: 0.5")),
        ),
        FindingKind::TripsOnData { counted, assumed } => (
            InspectionWarningKind::TripsOnData,
            match assumed {
                true => format!("the number of iterations depends on data: {counted} are assumed"),
                false => format!("the number of iterations depends on data: {counted} are stated"),
            },
            assumed.then(|| assume(&format!("trip@{line}: {counted}"))).flatten(),
        ),
        FindingKind::AddressOnData(kind) => (
            InspectionWarningKind::AddressOnData,
            format!("the address of the {} depends on data: {}", verb(*kind), counted_as(traced, place)),
            assume(&format!("address@{line}: coalesced")),
        ),
        FindingKind::ReturnedBeforeBarrier => (
            InspectionWarningKind::ReturnedBeforeBarrier,
            "some work items have returned before the barrier, which not all compilers allow".to_owned(),
            Some("let these work items skip the work instead of returning".to_owned()),
        ),
        FindingKind::Print => (
            InspectionWarningKind::Print,
            "`printf` counts nothing, and neither does what only it reads".to_owned(),
            None,
        ),
        FindingKind::Assembly => (
            InspectionWarningKind::Assembly,
            "the effect of inline assembly is not known: it counts as one instruction".to_owned(),
            None,
        ),
        FindingKind::UnknownFunction(name) => (
            InspectionWarningKind::UnknownFunction,
            format!("the function `{name}` is not known: it counts as one instruction"),
            None,
        ),
        FindingKind::OutOfBounds { .. } => return None,
    };
    let file = traced.file(place).map(str::to_owned);
    Some(InspectionWarning { kind, line: file.is_some().then_some(line), file, message, help })
}

/// The way in which accesses on a line count whose addresses depend on data.
fn counted_as(traced: &TracedKernel, place: Place) -> &'static str {
    let listed = traced.listed(false);
    let on_data = |memory: SourceMemory| {
        let is_meant = |one: &ListedAccess<'_>| one.place == place && one.access.address.is_none();
        listed.accesses.iter().any(|one| is_meant(one) && one.access.memory == memory)
    };
    if on_data(SourceMemory::Local) && !on_data(SourceMemory::Global) {
        "no bank conflict is counted"
    } else {
        "each work item counts as a sector"
    }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Store => "store",
        AccessKind::Atomic => "atomic operation",
        AccessKind::Load | AccessKind::Barrier | AccessKind::Shuffle => "load",
    }
}

/// A warning for each first or last group of an axis that touches more sectors than the middle group.
pub(super) fn of_edges(
    lowering: &Lowering<'_>,
    configuration: &Configuration,
) -> Result<Vec<InspectionWarning>, LoweringError> {
    let kind = InspectionWarningKind::EdgeGroup;
    let warning = |message| InspectionWarning { kind, file: None, line: None, message, help: None };
    Ok(lowering.edge_groups(configuration)?.iter().map(|edge| warning(edge.message())).collect())
}
