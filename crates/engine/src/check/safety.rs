//! The search for what a kernel does wrong in each configuration, at all edges of its launch.

use rayon::prelude::*;
use serde::Serialize;

use autotune_base::limits::{Limits, Stop};
use autotune_kernel::source::{Hazard, SourceReader};
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Infeasible, Lowering, SearchedEdges, WrongEdge};
use autotune_lowering::space::{SpaceError, allowed};
use autotune_lowering::spec::{Configuration, Spec};

/// The configurations that are compiled before they are executed.
const AT_ONCE: usize = 64;

/// The search for what a kernel does wrong in each configuration that the constraints allow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "SpaceSafetyReport", deny_unknown_fields)
)]
pub struct SpaceSafety {
    /// The configurations with an executed group.
    pub configurations: u64,
    /// The groups at the edges of their launches, and those that a condition sends another way, that were executed too.
    pub edges: u64,
    /// The configurations that were not executed: they do not fit the GPU, or cannot be compiled or executed.
    pub not_executed: u64,
    /// The most accesses of a configuration that depend on data: nothing is claimed of them.
    pub unjudged: u64,
    /// The configurations with groups or accesses that were not looked at, in the space's order.
    pub not_looked_at: Vec<PartlyLookedAt>,
    /// The unsafe configurations, in the space's order.
    pub found: Vec<UnsafeConfiguration>,
    /// The configurations where two groups of the launch touch the same bytes, in the space's order: some kernels mean it.
    pub doubted: Vec<UnsafeConfiguration>,
    /// The limit that ended the search; `None` if all configurations were looked at.
    #[serde(skip)]
    pub stopped: Option<Stop>,
}

/// A configuration whose kernel does something wrong, or may do so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "UnsafeConfigurationReport", deny_unknown_fields)
)]
pub struct UnsafeConfiguration {
    /// The configuration, as `A=1 B=2`.
    pub configuration: String,
    /// The rule, the place and the reason, in a line.
    pub reason: String,
}

/// A configuration with something that was not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "PartlyLookedAtReport", deny_unknown_fields)
)]
pub struct PartlyLookedAt {
    /// The configuration, as `A=1 B=2`.
    pub configuration: String,
    /// The number of groups of the launch that take a way which no executed group takes.
    pub groups: u64,
    /// The number of pairs of volatile accesses that meet without a barrier: they are taken as meant.
    pub volatile: u64,
    /// The number of pairs of accesses that limits of the search for what two groups do to the same bytes left out.
    pub pairs: u64,
}

/// The result of one configuration.
enum Searched {
    Executed {
        /// The groups beside those that stand for all.
        groups: u64,
        not_looked_at: u64,
        unjudged: u64,
        volatile: u64,
        pairs: u64,
        /// The rule, the place and the reason; `None` if no group does something wrong.
        reason: Option<String>,
        doubts: Vec<String>,
    },
    NotExecuted,
}

impl SpaceSafety {
    /// Executes the groups of all configurations up to a limit of the whole work; `None` if the spec has a body. The
    /// configurations behind the limit count as not executed.
    ///
    /// # Errors
    /// If the space cannot be enumerated.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        limits: &Limits,
    ) -> Result<Option<Self>, SpaceError> {
        if spec.kernel_source.is_none() {
            return Ok(None);
        }
        let lowering = Lowering::new(spec, profile, reader);
        let configurations = allowed(spec, profile)?;
        let mut safety = Self::default();
        for some in configurations.chunks(AT_ONCE) {
            safety.stopped = safety.stopped.or_else(|| limits.exceeded());
            if safety.stopped.is_some() {
                safety.not_executed += some.len() as u64;
                continue;
            }
            lowering.prepare(&some.iter().collect::<Vec<_>>());
            let all: Vec<Searched> = some.par_iter().map(|one| searched(&lowering, one)).collect();
            some.iter().zip(all).for_each(|(one, searched)| safety.add(spec, one, searched));
        }
        // A step that the limit ended in the last chunk is an unexecuted configuration, too.
        safety.stopped = safety.stopped.or_else(|| limits.exceeded().filter(|_| safety.not_executed > 0));
        Ok(Some(safety))
    }

    fn add(&mut self, spec: &Spec, configuration: &Configuration, searched: Searched) {
        let Searched::Executed { groups, not_looked_at, unjudged, volatile, pairs, reason, doubts } = searched else {
            self.not_executed += 1;
            return;
        };
        self.configurations += 1;
        self.edges += groups;
        self.unjudged = self.unjudged.max(unjudged);
        if not_looked_at > 0 || volatile > 0 || pairs > 0 {
            let configuration = spec.label(configuration);
            self.not_looked_at.push(PartlyLookedAt { configuration, groups: not_looked_at, volatile, pairs });
        }
        let named = |reason| UnsafeConfiguration { configuration: spec.label(configuration), reason };
        self.found.extend(reason.map(named));
        self.doubted.extend(doubts.into_iter().map(named));
    }
}

/// Executes the groups of a configuration that stand for all, those at the edges and those that a condition sends another way.
fn searched(lowering: &Lowering, configuration: &Configuration) -> Searched {
    let refused = |why: Infeasible| match &why {
        Infeasible::Refused { rule, .. } if rule.is_unsafe() => {
            let (reason, doubts) = (Some(why.to_string()), Vec::new());
            Searched::Executed { groups: 0, not_looked_at: 0, unjudged: 0, volatile: 0, pairs: 0, reason, doubts }
        }
        _ => Searched::NotExecuted,
    };
    match lowering.lower(configuration) {
        Ok(Feasibility::Feasible(_)) => {}
        Ok(Feasibility::Infeasible(why)) => return refused(why),
        Err(why) => return why.refusal().map_or(Searched::NotExecuted, refused),
    }
    let Ok(Some(Feasibility::Feasible(traced))) = lowering.trace(configuration) else { return Searched::NotExecuted };
    let Ok(searched) = lowering.searched_edges(configuration) else { return Searched::NotExecuted };
    let between = searched.between();
    let SearchedEdges { clean, not_looked_at, volatile, wrong, .. } = searched;
    let groups = clean.len() as u64 + u64::from(wrong.is_some());
    let reason = wrong.map(|WrongEdge { group, refusal, .. }| {
        let group = group.map(|id| id.to_string()).join(",");
        format!("group {group}: {refusal}")
    });
    let placed = |hazard: &Hazard| {
        let place = hazard
            .place()
            .map_or_else(String::new, |place| format!("{}:{}:{}: ", place.file, place.line, place.column));
        format!("{place}{hazard}")
    };
    let doubts = between.found.iter().map(placed).collect();
    let (unjudged, volatile) = (traced.safety.unjudged as u64, volatile as u64);
    Searched::Executed { groups, not_looked_at, unjudged, volatile, pairs: between.left_out, reason, doubts }
}
