//! The matters of findings, each with its values, its words and its help.

use super::warning::{InspectionWarningKind, WarningKind};
use autotune_base::text::words::{counted, grouped, named};
use autotune_kernel::source::PrivateArray;
use autotune_kernel::source::{Hazard, OpenMatter, OpenQuestion};
use autotune_lowering::gpu::Implausible;
use autotune_lowering::lowering::{Contradiction, EdgeGroup};
use autotune_lowering::spec::{MATRIX, OperationKind};

/// A doubtful matter with its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Matter {
    /// Work that depends on the configuration.
    WorkVaries { work: Work, least: Amount, greatest: Amount, sampled: Option<usize> },
    /// A stated footprint that its subscripts contradict in some of the compared configurations, farthest in `label`.
    FootprintContradicts { worst: Contradiction, label: String, configurations: usize, compared: usize },
    /// A parameter with several values that nothing uses.
    UnusedParameter(String),
    /// Starts in a queue of this name that no statement waits for.
    NobodyWaits(String),
    /// A branch or an address that depends on data.
    Open(OpenQuestion),
    /// A loop whose number of iterations depends on data and is assumed.
    AssumedTrips { question: OpenQuestion, assumed: u64 },
    /// An assumption about a line without what it is about, which `lines` have.
    UnusedAssumption { line: u32, about: &'static str, lines: Vec<u32> },
    /// A barrier before which some work items have returned.
    ReturnedBeforeBarrier,
    /// Work items that touch the same bytes at once, which is not surely wrong, with a configuration.
    Hazard { hazard: Hazard, label: String },
    /// A print.
    Print,
    /// Inline assembly.
    Assembly,
    /// A function that is not known.
    UnknownFunction(String),
    /// An atomic operation.
    Atomic,
    /// An exchange between the lanes of a warp.
    Shuffle,
    /// A private array in memory, of the configuration `label`.
    PrivateArray { array: PrivateArray, label: String },
    /// A group at the edge that touches more than the middle one, and the number of others that do.
    EdgeGroup { edge: EdgeGroup, others: usize },
    /// Groups that do different work: their number, that of their kinds, and the lightest and the heaviest in proportion to
    /// the mean.
    MeanOfGroups { groups: u64, kinds: u64, spread: [f64; 2] },
    /// A value of the profile beyond what is plausible.
    ImplausibleProfile(Implausible),
}

/// Work of a launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Work {
    /// The bytes that the statements of a body store to an array.
    Stored(String),
    /// The bytes that a kernel's source stores to an array.
    StoredBySource(String),
    /// The operations of a kind.
    Operations(OperationKind),
    /// The products of the matrix units.
    Products,
}

/// An amount of work and the label of its configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) amount: String,
    pub(super) label: String,
}

impl Matter {
    /// True if another matter is about the same thing where it has the same place.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::PrivateArray { array, .. }, Self::PrivateArray { array: other, .. }) => array.name == other.name,
            (Self::UnknownFunction(name), Self::UnknownFunction(other)) => name == other,
            (Self::Hazard { hazard, .. }, Self::Hazard { hazard: other, .. }) => {
                (hazard.kind, &hazard.second.place) == (other.kind, &other.second.place)
            }
            (Self::Open(question), Self::Open(other)) => question.matter == other.matter,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    pub(super) fn kind(&self) -> WarningKind {
        match self {
            Self::WorkVaries { .. } => WarningKind::WorkVaries,
            Self::FootprintContradicts { .. } => WarningKind::FootprintContradicts,
            Self::UnusedParameter(_) => WarningKind::UnusedParameter,
            Self::NobodyWaits(_) => WarningKind::NobodyWaits,
            Self::Open(_) | Self::AssumedTrips { .. } => WarningKind::DependsOnData,
            Self::UnusedAssumption { .. } => WarningKind::UnusedAssumption,
            Self::ReturnedBeforeBarrier => WarningKind::UndefinedBarrier,
            Self::Hazard { .. } => WarningKind::Race,
            Self::Print | Self::Assembly | Self::UnknownFunction(_) | Self::Atomic | Self::Shuffle => {
                WarningKind::ApproximateCost
            }
            Self::PrivateArray { .. } => WarningKind::PrivateArray,
            Self::EdgeGroup { .. } => WarningKind::EdgeGroup,
            Self::MeanOfGroups { .. } => WarningKind::MeanOfGroups,
            Self::ImplausibleProfile(_) => WarningKind::ImplausibleProfile,
        }
    }

    /// The kind in an inspection; `None` if the matter is not about one configuration's execution.
    pub(super) fn inspected(&self) -> Option<InspectionWarningKind> {
        Some(match self {
            Self::Open(question) => match question.matter {
                OpenMatter::Trips => InspectionWarningKind::TripsOnData,
                OpenMatter::Branch { .. } => InspectionWarningKind::BranchOnData,
                OpenMatter::Address(..) => InspectionWarningKind::AddressOnData,
            },
            Self::AssumedTrips { .. } => InspectionWarningKind::TripsOnData,
            Self::ReturnedBeforeBarrier => InspectionWarningKind::ReturnedBeforeBarrier,
            Self::Hazard { .. } => InspectionWarningKind::Race,
            Self::Print => InspectionWarningKind::Print,
            Self::Assembly => InspectionWarningKind::Assembly,
            Self::UnknownFunction(_) => InspectionWarningKind::UnknownFunction,
            Self::Atomic => InspectionWarningKind::Atomic,
            Self::Shuffle => InspectionWarningKind::Shuffle,
            Self::PrivateArray { .. } => InspectionWarningKind::PrivateArray,
            Self::EdgeGroup { .. } => InspectionWarningKind::EdgeGroup,
            Self::MeanOfGroups { .. } => InspectionWarningKind::MeanOfGroups,
            Self::WorkVaries { .. }
            | Self::FootprintContradicts { .. }
            | Self::UnusedParameter(_)
            | Self::NobodyWaits(_)
            | Self::UnusedAssumption { .. }
            | Self::ImplausibleProfile(_) => return None,
        })
    }

    /// The matter in one line.
    pub(super) fn message(&self) -> String {
        match self {
            Self::WorkVaries { work, least, greatest, sampled } => {
                let sampled = sampled.map_or_else(String::new, |number| format!(", of {number} compared"));
                let [least, greatest] =
                    [least, greatest].map(|end| format!("{} with {}", end.amount, named(&end.label)));
                format!("{} depend on the configuration{sampled}: {least}, {greatest}", work.words())
            }
            Self::FootprintContradicts { worst, label, configurations, compared } => {
                let Contradiction { key, stated, follows, .. } = worst;
                format!(
                    "`{key}` states {stated} bytes, but the subscripts reach {follows}, in whole sectors, with {}: so in \
                     {configurations} of {compared} configurations",
                    named(label)
                )
            }
            Self::UnusedParameter(name) => format!(
                "no launch, resource, statement or constraint uses the parameter `{name}`: all its values give the same time"
            ),
            Self::NobodyWaits(queue) => {
                format!("no statement waits for the queue `{queue}`: only the end of the kernel does")
            }
            Self::Open(question) => question.counted(),
            Self::AssumedTrips { question, assumed } => format!("{}: {assumed} are assumed", question.counted()),
            Self::UnusedAssumption { line, about, lines } => {
                format!("an assumption is about line {line}, where there is no {about}: {}", at_lines(lines))
            }
            Self::ReturnedBeforeBarrier => {
                "some work items have returned before this barrier, which not all compilers allow".to_owned()
            }
            Self::Hazard { hazard, label } => doubtful(hazard, label),
            Self::Print => "`printf` counts nothing, and neither does what only it reads".to_owned(),
            Self::Assembly => "inline assembly counts as one instruction".to_owned(),
            Self::UnknownFunction(name) => format!("the function `{name}` is not known: it counts as one instruction"),
            Self::Atomic => "the cost of this atomic operation is approximate".to_owned(),
            Self::Shuffle => "the cost of this exchange between lanes is approximate".to_owned(),
            Self::PrivateArray { array: PrivateArray { name, bytes, .. }, label } => {
                let bytes = bytes.map_or_else(String::new, |bytes| format!(" of {bytes} bytes"));
                let label = named(label);
                format!("the private array `{name}`{bytes} stays in memory, and each access to it counts with {label}")
            }
            Self::EdgeGroup { edge, others } => at_edges(edge, *others),
            Self::MeanOfGroups { groups, kinds, spread: [lightest, heaviest] } => format!(
                "the ids of the group decide what it executes: the work is the mean over {} groups, of {}, whose \
                 instructions are {lightest:.2} to {heaviest:.2} times the mean's",
                grouped(*groups),
                counted(*kinds, "kind")
            ),
            Self::ImplausibleProfile(value) => implausible(value),
        }
    }

    /// Advice that corrects the description, or declares it as intended.
    pub(super) fn help(&self) -> String {
        match self {
            Self::WorkVaries { work, .. } => work.help(),
            Self::FootprintContradicts { worst: Contradiction { key, .. }, .. } => format!(
                "leave `{key}` out, then it follows from `index` and `shape`; or correct these, if the kernel reaches other \
                 data; until then, the stated footprint counts"
            ),
            Self::UnusedParameter(name) => {
                format!("use it in the spec, give it one value, or write `unused: [{name}]`")
            }
            Self::NobodyWaits(queue) => {
                format!("write `- wait: {{ queue: {queue} }}` before the statement that uses the data")
            }
            Self::Open(question) | Self::AssumedTrips { question, .. } => question.help(),
            Self::Hazard { hazard, .. } => hazard.kind.help().to_owned(),
            _ => self.advice().to_owned(),
        }
    }

    /// Advice that has no values; empty for the other matters.
    fn advice(&self) -> &'static str {
        match self {
            Self::UnusedAssumption { .. } => "correct the line in `assume`, or leave it out",
            Self::ReturnedBeforeBarrier => "let all work items of a group reach the barrier",
            Self::Print => "leave it out of what is measured",
            Self::Assembly => "leave it out if it matters",
            Self::UnknownFunction(_) => "define it in the source",
            Self::Atomic | Self::Shuffle => "measured runs correct it: `autotune suggest`",
            Self::PrivateArray { .. } => {
                "`#pragma unroll` before the loops that index it puts it into registers; NVIDIA's compiler keeps it there \
                 if all its indices are constants"
            }
            Self::EdgeGroup { .. } => "the answer is that of a launch whose groups all do what the middle one does",
            Self::MeanOfGroups { .. } => {
                "a mean does not show which groups end last; `autotune inspect` names groups of each kind"
            }
            Self::ImplausibleProfile(_) => "check the value, and its unit in the comments of the shipped profiles",
            Self::WorkVaries { .. }
            | Self::FootprintContradicts { .. }
            | Self::UnusedParameter(_)
            | Self::NobodyWaits(_)
            | Self::Open(_)
            | Self::Hazard { .. }
            | Self::AssumedTrips { .. } => "",
        }
    }
}

impl Work {
    fn words(&self) -> String {
        match self {
            Self::Stored(array) | Self::StoredBySource(array) => format!("the bytes stored to `{array}`"),
            Self::Operations(kind) => format!("the operations of kind `{}`", kind.name()),
            Self::Products => "the products of the matrix units".to_owned(),
        }
    }

    fn help(&self) -> String {
        let (mend, name) = match self {
            Self::Stored(array) => ("", array.as_str()),
            Self::StoredBySource(array) => (": correct `work_items`", array.as_str()),
            Self::Operations(kind) => ("", kind.name()),
            Self::Products => ("", MATRIX),
        };
        format!(
            "the same problem should take the same work{mend}; if the difference is intended, write `varies: [{name}]`"
        )
    }
}

/// The lines where a kernel has what an assumption is about.
fn at_lines(lines: &[u32]) -> String {
    let listed: Vec<String> = lines.iter().map(u32::to_string).collect();
    match listed.as_slice() {
        [] => "the kernel has none".to_owned(),
        lines => format!("the kernel has them at line {}", lines.join(", ")),
    }
}

fn implausible(Implausible { key, value, plausible: (least, most), is_odd }: &Implausible) -> String {
    if *is_odd {
        format!("`{key}` is {value}, but a power of two on every GPU so far")
    } else {
        format!("`{key}` is {value}, but GPUs so far have {least} to {most}")
    }
}

fn doubtful(hazard: &Hazard, label: &str) -> String {
    format!("with {}, {hazard}", named(label))
}

fn at_edges(EdgeGroup { group: [x, y, z], sectors, middle }: &EdgeGroup, others: usize) -> String {
    let others = match others {
        0 => String::new(),
        1 => "; so does another group at an edge".to_owned(),
        others => format!("; so do {others} other groups at the edges"),
    };
    format!(
        "group {x},{y},{z} touches {sectors:.0} sectors, more than the {middle:.0} of the middle group, by which all are \
         counted{others}"
    )
}
