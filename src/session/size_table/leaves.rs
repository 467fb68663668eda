//! The leaves of a tree: the variants to try, with the conditions of problem sizes that each needs.

use indexmap::IndexMap;

use super::scenarios::{GpuScenarios, NONE};
use super::times::VariantTimes;
use crate::result::{TableBounds, TableChoice, TableCondition, TableSplit, TableTree};
use autotune_engine::compare::fleet::{Decision, Slowdown, VariantSet};
use autotune_lowering::spec::{SizeCondition, SizeConditions, least_size};

/// A maker of one GPU's leaves.
pub(super) struct Leaves<'a> {
    pub(super) times: &'a VariantTimes,
    /// The values of each size.
    pub(super) sizes: &'a [(String, Vec<i64>)],
    pub(super) gpu: &'a GpuScenarios,
}

/// The decision on a GPU: its tree, the bounds of the sizes, and the variant of each cell, `None` without a feasible one.
pub(super) type Decided = (TableTree, IndexMap<String, TableBounds>, Vec<Option<usize>>);

/// The leaves of a tree as far as they are made.
struct Made {
    /// The conditions of each variant.
    conditions: Vec<Vec<TableCondition>>,
    /// The variant of each cell; `None` without a feasible one.
    variants: Vec<Option<usize>>,
}

impl Leaves<'_> {
    /// The tree with its leaves.
    pub(super) fn made(&self, decision: &Decision) -> Decided {
        let written: Vec<_> = (0..self.times.variants.len()).map(|variant| self.written(variant)).collect();
        let bounds = self.bounds(&written.iter().flatten().flatten());
        let conditions = written.into_iter().enumerate().map(|(variant, written)| self.conditions(variant, written));
        let mut made = Made { conditions: conditions.collect(), variants: vec![None; self.gpu.problems.len()] };
        (self.tree(decision, &mut made), bounds, made.variants)
    }

    /// The bounds of the sizes. Between them all written conditions are the spec's constraints.
    fn bounds<'b>(&self, written: &(impl Iterator<Item = &'b SizeCondition> + Clone)) -> IndexMap<String, TableBounds> {
        let of_size = |(name, values): &(String, Vec<i64>)| {
            let conditions = written.clone().filter(|condition| condition.sizes.contains(name));
            let most = conditions.map(|condition| condition.most).min().filter(|most| *most < i64::MAX);
            (name.clone(), TableBounds { least: least_size(values), most })
        };
        self.sizes.iter().map(of_size).filter(|(_, bounds)| *bounds != TableBounds::USUAL).collect()
    }

    fn tree(&self, decision: &Decision, made: &mut Made) -> TableTree {
        match decision {
            Decision::Leaf { common, cells } => TableTree::Leaf(self.leaf(*common, cells, made)),
            Decision::Split { size, at, below, from } => TableTree::Split(TableSplit {
                size: self.sizes[*size].0.clone(),
                at: *at,
                below: Box::new(self.tree(below, made)),
                from: Box::new(self.tree(from, made)),
            }),
        }
    }

    /// The variants that all cells of a leaf allow, those first that all may take, then in the order of their worst
    /// slowdown here and of their index. One is left out if another before it needs no other conditions.
    fn leaf(&self, common: VariantSet, cells: &[usize], made: &mut Made) -> Vec<TableChoice> {
        if common & NONE != 0 {
            return Vec::new();
        }
        let mut order: Vec<(bool, Slowdown, usize)> = (0..self.times.variants.len())
            .filter_map(|variant| Some((common >> variant & 1 == 0, self.worst(variant, cells)?, variant)))
            .collect();
        order.sort_unstable();
        let first = order.first().map(|(_, _, variant)| *variant);
        for &cell in cells {
            made.variants[cell] = first;
        }
        let mut choices: Vec<TableChoice> = Vec::new();
        for (_, _, variant) in order {
            let conditions = &made.conditions[variant];
            let is_implied = |choice: &TableChoice| choice.conditions.iter().all(|one| conditions.contains(one));
            if !choices.iter().any(is_implied) {
                choices.push(TableChoice { variant, conditions: conditions.clone() });
            }
        }
        choices
    }

    /// The worst slowdown of a variant in some cells; `None` if one of them lacks it.
    fn worst(&self, variant: usize, cells: &[usize]) -> Option<Slowdown> {
        let slowdown = |cell: &usize| {
            let scenario = self.gpu.first + cell;
            Some(Slowdown::new(self.times.time(scenario, variant)?, self.times.optimum(scenario)?))
        };
        cells.iter().map(slowdown).collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The spec's constraints with a variant's values; `None` if one cannot be written.
    fn written(&self, variant: usize) -> Option<Vec<SizeCondition>> {
        let inputs = &self.gpu.inputs;
        let names = inputs.profile.names(inputs.spec.has_dynamic_local_memory());
        SizeConditions::new(&inputs.spec, &names, &self.times.variants[variant], self.sizes).conditions()
    }

    /// The conditions of a variant: those of the spec, or the sizes that allow it where a condition cannot be written.
    fn conditions(&self, variant: usize, written: Option<Vec<SizeCondition>>) -> Vec<TableCondition> {
        let written = written.map(|written| {
            written.into_iter().map(|SizeCondition { c, python, .. }| TableCondition { c, python }).collect()
        });
        written.unwrap_or_else(|| if self.sizes.is_empty() { Vec::new() } else { vec![self.listed(variant)] })
    }

    /// The condition that problem sizes are among the asked ones and allow a variant.
    fn listed(&self, variant: usize) -> TableCondition {
        let is_allowed = |cell: &usize| self.times.time(self.gpu.first + cell, variant).is_some();
        let equal = |cell: usize, and: &str| {
            let problem = self.gpu.problems[cell].iter();
            let sizes: Vec<String> = problem.map(|(name, value)| format!("{name} == {value}")).collect();
            if sizes.len() == 1 { sizes.concat() } else { format!("({})", sizes.join(and)) }
        };
        let cells = || (0..self.gpu.problems.len()).filter(is_allowed);
        let c = cells().map(|cell| equal(cell, " && ")).collect::<Vec<_>>().join(" || ");
        let python = cells().map(|cell| equal(cell, " and ")).collect::<Vec<_>>().join(" or ");
        TableCondition { c, python }
    }
}
