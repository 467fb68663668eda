//! A space and one step of its enumeration.

use super::halves::Halves;
use super::plan::Plan;
use crate::spec::{Scope, Spec};

/// The configurations of a spec on a GPU, in the order of the spec's parameters, the last varying fastest.
#[derive(Debug, Clone)]
pub struct Space<'a> {
    pub(super) spec: &'a Spec,
    pub(super) domains: Vec<Vec<i64>>,
    pub(super) halves: Vec<Halves>,
    /// By depth: the number of configurations that share the values of that many first parameters.
    pub(super) completions: Vec<u128>,
    /// The values of the GPU and the problem.
    pub(super) scope: Scope,
    pub(super) plan: Plan,
}

/// One step of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit<'a> {
    /// A configuration that the constraints allow.
    Feasible(&'a [i64]),
    /// Values of the first parameters that a constraint excludes, whatever the others are.
    Excluded {
        /// The values of the first parameters.
        chosen: &'a [i64],
        /// The values of the next parameter; empty if the spec has no parameters.
        next: &'a [i64],
        /// The position of the constraint in the spec, from 0.
        constraint: usize,
        /// The number of configurations that begin with the chosen values and one of the next.
        configurations: u128,
    },
}
