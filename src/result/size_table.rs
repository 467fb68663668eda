//! The decision for a variant by GPU and problem sizes (`schemas/size_table.json`).

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::values::Values;
use autotune_base::ticks::Ticks;
use autotune_engine::proof::Percent;

/// The result of `autotune table SPEC --gpu LIST --format json`: a few configurations, the *variants*, that together have
/// the least worst slowdown, and the variant of each GPU and problem size. A slowdown is a time over the optimum of the
/// same GPU and sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SizeTable {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = SizeTable::SCHEMA)))]
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
    /// The state of the knowledge.
    pub verdict: TableVerdict,
    /// The command that made the table.
    pub command: String,
    /// The asked values of each problem size, ascending; the spec's of a size that the command does not name.
    pub problem: IndexMap<String, Vec<i64>>,
    /// The variants; others name one by its index from 0.
    #[cfg_attr(test, schemars(with = "Vec<crate::result::values::Integers>"))]
    pub variants: Vec<Values>,
    /// The worst slowdown by the trees.
    pub worst: TableWorst,
    /// True if no other choice of as many variants has a lesser worst slowdown; false if the search ended before that was
    /// shown.
    pub is_least: bool,
    /// The percentage that a tree's variant may be slower than the fastest one, so that a tree has at most 5 splits on
    /// the way to a leaf. Absent if each GPU and size gets its fastest variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Percent>,
    /// The decision on each GPU.
    pub gpus: IndexMap<String, TableGpu>,
}

/// The state of the knowledge of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableVerdict {
    /// Proved are the times of the variants, the optima, and that no other variants have a lesser worst slowdown.
    Proved,
    /// All times are the native evaluator's.
    Evaluated,
}

/// The worst slowdown of a table, in lowest terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableWorst {
    /// The numerator.
    pub numerator: u64,
    /// The denominator.
    pub denominator: u64,
    /// The quotient, rounded up to 6 digits behind the point.
    pub slowdown: f64,
    /// The first GPU that has it.
    pub gpu: String,
    /// The first problem sizes that have it.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
}

/// The decision on a GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableGpu {
    /// The variant of each asked combination of problem sizes; a key is such as `n=1024` or `m=64 n=128`.
    pub sizes: IndexMap<String, TableEntry>,
    /// The variant of any problem sizes. Between two asked values the lower one decides; below the least
    /// value, that one.
    pub tree: TableTree,
    /// The bounds of problem sizes: beyond them no variant is allowed. A size that is absent is at least 1.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub bounds: IndexMap<String, TableBounds>,
    /// The variants of the tree whose launch may fail. Absent if each surely launches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_not_launch: Vec<TableLaunch>,
}

/// A launch that may fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableLaunch {
    /// The index of the variant.
    pub variant: usize,
    /// The reason and the remedy, in words.
    pub reason: String,
}

/// The bounds of a problem size. Between them the conditions are the spec's constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableBounds {
    /// The least value: 1, or the least of the question.
    pub least: i64,
    /// The greatest value: beyond it a constraint may not fit 64 bits. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
}

/// The variant of some problem sizes on a GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableEntry {
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The index of the variant; null if no configuration is feasible.
    pub variant: Option<usize>,
    /// The variant's time in ticks; null without a variant.
    pub ticks: Option<Ticks>,
    /// The time over the optimum of these sizes on this GPU, rounded up to 6 digits behind the point; null without a variant.
    pub slowdown: Option<f64>,
}

/// A tree over problem sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TableTree {
    /// Two trees.
    Split(TableSplit),
    /// The variants to try in this order, the first of them that a problem size allows; none if nothing is feasible.
    Leaf(Vec<TableChoice>),
}

/// A decision by one problem size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableSplit {
    /// The problem size.
    pub size: String,
    /// The least value of the upper tree.
    pub at: i64,
    /// The tree below the value.
    pub below: Box<TableTree>,
    /// The tree from the value on.
    pub from: Box<TableTree>,
}

/// A variant of a leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableChoice {
    /// The index of the variant.
    pub variant: usize,
    /// The conditions of problem sizes that the variant needs, all of them; empty if it needs none.
    pub conditions: Vec<TableCondition>,
}

/// A condition of problem sizes that are within the bounds of the GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TableCondition {
    /// The condition in C.
    pub c: String,
    /// The condition in Python.
    pub python: String,
}

impl TableTree {
    /// The variants of the leaves.
    #[must_use]
    pub fn variants(&self) -> BTreeSet<usize> {
        match self {
            Self::Split(split) => split.below.variants().into_iter().chain(split.from.variants()).collect(),
            Self::Leaf(choices) => choices.iter().map(|choice| choice.variant).collect(),
        }
    }
}

impl TableBounds {
    /// The bounds of a size that states none.
    pub const USUAL: Self = Self { least: 1, most: None };
}

impl SizeTable {
    /// The id of the result's schema.
    pub const SCHEMA: &'static str = "autotune.size_table/1";
}
