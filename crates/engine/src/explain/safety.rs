//! The errors that were looked for in an executed work group, and the refused configurations that would be faster.

use serde::{Deserialize, Serialize};

use crate::proof::Question;
use autotune_base::index::EntryId;
use autotune_base::ticks::Ticks;
use autotune_lowering::lowering::{Feasibility, Lowering, SearchedEdges};
use autotune_lowering::space::Survey;
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::machine::evaluate;

/// The most configurations that are evaluated though they are refused.
const MOST_TRIED: usize = 64;

/// The most configurations whose groups at the edges were not executed that are listed.
const MOST_LISTED: usize = 16;

/// The most events of an evaluation.
const MOST_EVENTS: u64 = 1_000_000;

/// The search for errors in the work group that stands for all: it has neither a barrier that some work items miss, nor a
/// race in local memory, nor a wrong mask of a warp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "SafetyReport"))]
pub struct ExecutedSafety {
    /// The ids of the group along x, y and z.
    pub group: [u64; 3],
    /// The number of accesses to local memory and operations of warps that depend on data: nothing is claimed of them.
    pub unjudged: usize,
    /// The groups of the launch that were executed too and have no such error: the first and the last along each axis, those in
    /// the corners, and those that a condition sends another way.
    pub edges: Vec<[u64; 3]>,
    /// The number of groups of the launch that take a way which no executed group takes; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_not_looked_at: Option<u64>,
    /// The number of pairs of volatile accesses that meet without a barrier: they are taken as meant. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile: Option<u64>,
    /// A group at the edge that does something wrong; absent if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsafe_edge: Option<UnsafeEdge>,
    /// The other configurations whose groups at the edges may do what no executed group does; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges_not_executed: Option<EdgesNotExecuted>,
    /// The fastest configuration that is refused for what its kernel does wrong, if it would be faster than the optimum;
    /// else absent. A configuration that cannot be executed has no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faster: Option<UnsafeFaster>,
}

/// A group at the edge of a launch that does something wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "UnsafeEdgeReport"))]
pub struct UnsafeEdge {
    /// The ids of the group along x, y and z.
    pub group: [u64; 3],
    /// The rule, the place and the reason in a line.
    pub reason: String,
}

/// Configurations whose groups at the edges of the launch were not executed: only those of the fastest ones are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "EdgesNotExecutedReport"))]
pub struct EdgesNotExecuted {
    /// The number of configurations.
    pub count: usize,
    /// The first of the configurations in the order of the space, at most 16, as `A=1 B=2`.
    pub configurations: Vec<String>,
}

/// A configuration that is refused though it would be faster than the optimum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "UnsafeFasterReport"))]
pub struct UnsafeFaster {
    /// The configuration, as `A=1 B=2`.
    pub configuration: String,
    /// Its time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// The name of the rule that refuses it.
    pub rule: String,
}

impl ExecutedSafety {
    /// The search in the groups of a configuration that stand for all and at the edges; `None` if it cannot be executed.
    pub(super) fn new(
        lowering: &Lowering,
        configuration: &Configuration,
        group: [u64; 3],
        unjudged: usize,
    ) -> Option<Self> {
        let SearchedEdges { clean, not_looked_at, volatile, wrong, .. } =
            lowering.searched_edges(configuration).ok()?;
        let unsafe_edge = wrong.map(|wrong| UnsafeEdge { group: wrong.group, reason: wrong.refusal.to_string() });
        Some(Self {
            group,
            unjudged,
            edges: clean,
            groups_not_looked_at: Some(not_looked_at).filter(|number| *number > 0),
            volatile: Some(volatile as u64).filter(|number| *number > 0),
            unsafe_edge,
            edges_not_executed: None,
            faster: None,
        })
    }
}

/// The configurations of a survey whose groups at the edges were not executed; `None` if there are none.
pub(super) fn edges_not_executed(spec: &Spec, survey: &Survey) -> Option<EdgesNotExecuted> {
    let label = |entry: &EntryId| spec.label(&survey.entries.get(*entry).configuration);
    let configurations: Vec<String> = survey.open_edges.iter().take(MOST_LISTED).map(label).collect();
    (!configurations.is_empty()).then_some(EdgesNotExecuted { count: survey.open_edges.len(), configurations })
}

/// The fastest configuration that is refused for what its kernel does wrong and would take less than the optimum's ticks;
/// `None` if there is none among the first that can be executed.
pub(super) fn unsafe_but_faster(question: &Question, survey: &Survey, optimum: Ticks) -> Option<UnsafeFaster> {
    let lowering = Lowering::new(question.spec, question.profile, question.reader).of_unsafe();
    let refused = survey.entries.iter().filter_map(|entry| {
        let (rule, _) = entry.refusal()?;
        rule.is_unsafe().then(|| (entry.configuration.clone(), rule))
    });
    let timed = refused.take(MOST_TRIED).filter_map(|(configuration, rule)| -> Option<(Ticks, String, _)> {
        let Feasibility::Feasible(lowered) = lowering.lower(&configuration).ok()? else { return None };
        let ticks = evaluate(&lowered.program, MOST_EVENTS).ok()?.ticks.into();
        Some((ticks, question.spec.label(&configuration), rule))
    });
    let (ticks, configuration, rule) = timed.min_by_key(|(ticks, ..)| *ticks)?;
    (ticks < optimum).then(|| UnsafeFaster { configuration, ticks, rule: rule.name().to_owned() })
}
