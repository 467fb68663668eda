//! The tree of a proof of several variants (`schemas/fleet_tree.json`).

use serde::{Deserialize, Serialize};

use crate::result::values::{Values, values};
use autotune_engine::compare::fleet::{Refutation, UnionSpace};
use autotune_lowering::spec::Spec;

/// The tree of a kept proof of several variants, `tree.json`. It shows that no so few configurations have one for each
/// scenario that may be faster there than the bound. A configuration may be so if it is feasible in the scenario, and the
/// scenario's proofs do not show that it takes at least the bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetTree {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = FleetTree::SCHEMA)))]
    pub schema: String,
    /// The configurations that may be faster than the bound of a scenario that the tree names; branches name one by its
    /// index from 0.
    #[cfg_attr(test, schemars(with = "Vec<crate::result::values::Integers>"))]
    pub configurations: Vec<Values>,
    /// The nodes, each behind the nodes of its branches; the last one is the root.
    pub nodes: Vec<FleetNode>,
}

/// A claim: no `left` configurations have one for each scenario of this node and of all nodes below.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetNode {
    /// The index of the scenario that one of the configurations must serve.
    pub scenario: usize,
    /// The number of configurations.
    pub left: usize,
    /// The branches, one for each configuration that may be faster in the scenario; none if `left` is 0. A branch is the
    /// index of the configuration, and that of the node about one configuration less. The branch's configuration may not be
    /// faster in any scenario of that node and of the nodes below.
    pub branches: Vec<(usize, usize)>,
}

impl FleetTree {
    /// The id of the tree's schema.
    pub const SCHEMA: &'static str = "autotune.fleet_tree/1";

    /// The tree over the configurations of a union.
    #[must_use]
    pub fn new(spec: &Spec, union: &UnionSpace, refutation: &Refutation) -> Self {
        let branches = refutation.nodes.iter().flat_map(|node| &node.branches);
        let mut named: Vec<usize> = branches.map(|(configuration, _)| *configuration).collect();
        named.sort_unstable();
        named.dedup();
        let branch = |(configuration, node): &(usize, usize)| (named.partition_point(|one| one < configuration), *node);
        let nodes = refutation.nodes.iter().map(|node| FleetNode {
            scenario: node.scenario,
            left: node.left,
            branches: node.branches.iter().map(branch).collect(),
        });
        let nodes = nodes.collect();
        let configurations = named.iter().map(|&one| values(spec, &union.configurations[one])).collect();
        Self { schema: Self::SCHEMA.to_owned(), configurations, nodes }
    }
}
