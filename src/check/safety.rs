//! The search for what a kernel does wrong in each configuration, at all edges of its launch.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::gpu::Profile;
use crate::lowering::{Feasibility, Infeasible, Lowering, SearchedEdges, WrongEdge};
use crate::source::SourceReader;
use crate::space::{SpaceError, allowed};
use crate::spec::{Configuration, Spec};

/// The configurations that are compiled before they are executed.
const AT_ONCE: usize = 64;

/// The search for what a kernel does wrong in each configuration that the constraints allow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SpaceSafetyReport", deny_unknown_fields)]
pub struct SpaceSafety {
    /// The configurations with an executed group.
    pub configurations: u64,
    /// The groups at the edges of their launches that were executed too.
    pub edges: u64,
    /// The configurations that were not executed: they do not fit the GPU, or cannot be compiled or executed.
    pub not_executed: u64,
    /// The most accesses of a configuration that depend on data: nothing is claimed of them.
    pub unjudged: u64,
    /// The unsafe configurations, in the space's order.
    pub found: Vec<UnsafeConfiguration>,
}

/// A configuration whose kernel does something wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "UnsafeConfigurationReport", deny_unknown_fields)]
pub struct UnsafeConfiguration {
    /// The configuration, as `A=1 B=2`.
    pub configuration: String,
    /// The rule, the place and the reason, in a line.
    pub reason: String,
}

/// The result of one configuration.
enum Searched {
    Clean { edges: u64, unjudged: u64 },
    Unsafe { edges: u64, reason: String },
    NotExecuted,
}

impl SpaceSafety {
    /// Executes the groups of all configurations; `None` if the spec has a body.
    ///
    /// # Errors
    /// If the space cannot be enumerated.
    pub fn new(spec: &Spec, profile: &Profile, reader: &SourceReader) -> Result<Option<Self>, SpaceError> {
        if spec.kernel_source.is_none() {
            return Ok(None);
        }
        let lowering = Lowering::new(spec, profile, reader);
        let configurations = allowed(spec, profile)?;
        let mut safety = Self::default();
        for some in configurations.chunks(AT_ONCE) {
            lowering.prepare(&some.iter().collect::<Vec<_>>());
            let all: Vec<Searched> = some.par_iter().map(|one| searched(&lowering, one)).collect();
            some.iter().zip(all).for_each(|(one, searched)| safety.add(spec, one, searched));
        }
        Ok(Some(safety))
    }

    fn add(&mut self, spec: &Spec, configuration: &Configuration, searched: Searched) {
        match searched {
            Searched::NotExecuted => self.not_executed += 1,
            Searched::Clean { edges, unjudged } => {
                self.configurations += 1;
                self.edges += edges;
                self.unjudged = self.unjudged.max(unjudged);
            }
            Searched::Unsafe { edges, reason } => {
                self.configurations += 1;
                self.edges += edges;
                self.found.push(UnsafeConfiguration { configuration: spec.label(configuration), reason });
            }
        }
    }
}

/// Executes the groups of a configuration that stand for all and those at the edges.
fn searched(lowering: &Lowering, configuration: &Configuration) -> Searched {
    let refused = |why: Infeasible| match &why {
        Infeasible::Refused { rule, .. } if rule.is_unsafe() => Searched::Unsafe { edges: 0, reason: why.to_string() },
        _ => Searched::NotExecuted,
    };
    match lowering.lower(configuration) {
        Ok(Feasibility::Feasible(_)) => {}
        Ok(Feasibility::Infeasible(why)) => return refused(why),
        Err(why) => return why.refusal().map_or(Searched::NotExecuted, refused),
    }
    let Ok(Some(Feasibility::Feasible(traced))) = lowering.trace(configuration) else { return Searched::NotExecuted };
    match lowering.searched_edges(configuration) {
        Ok(SearchedEdges { clean, wrong }) => match wrong {
            None => Searched::Clean { edges: clean.len() as u64, unjudged: traced.safety.unjudged as u64 },
            Some(WrongEdge { group, refusal, .. }) => {
                let group = group.map(|id| id.to_string()).join(",");
                Searched::Unsafe { edges: clean.len() as u64 + 1, reason: format!("group {group}: {refusal}") }
            }
        },
        Err(_) => Searched::NotExecuted,
    }
}
