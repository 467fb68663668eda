//! The parameter space: all configurations of the domains, and the ones that the constraints exclude.
//!
//! A constraint is tried as soon as the parameters that it depends on, directly or through `let`s, have values. The
//! configurations that it excludes are therefore never visited one by one. *Each excluded configuration counts for one
//! constraint*: among the constraints that exclude it, the one whose last parameter comes first in the spec; among
//! equals, the one that the spec lists first.
//!
//! A constraint that cannot be evaluated for a configuration, for example because of a division by zero, is an error
//! only if no other constraint excludes the configuration.

mod plan;
mod walk;

use crate::spec::{Configuration, GpuNames, Problem, Scope, Spec, SpecError, domains, parse_configuration};
use plan::Plan;

/// The most configurations of a space whose survey also lists the infeasible ones.
pub const LISTED: u128 = 10_000;
/// The greatest number of configurations that the constraints may leave.
pub const MOST_CONFIGURATIONS: usize = 4_000_000;

/// The configurations of a spec on a GPU, in the order of the spec's parameters, the last varying fastest.
#[derive(Debug, Clone)]
pub struct Space<'a> {
    spec: &'a Spec,
    domains: Vec<Vec<i64>>,
    /// By depth: the number of configurations that share the values of that many first parameters.
    completions: Vec<u128>,
    /// The values of the GPU and the problem.
    scope: Scope,
    plan: Plan,
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
        /// The position of the constraint in the spec, from 0.
        constraint: usize,
        /// The number of configurations that begin with these values.
        configurations: u128,
    },
}

impl<'a> Space<'a> {
    /// Evaluates the domains of a spec.
    ///
    /// # Errors
    /// If a domain cannot be evaluated or lists a value twice, or if there are too many values or configurations.
    pub fn new(spec: &'a Spec, gpu: &GpuNames) -> Result<Self, SpecError> {
        let scope = spec.base_scope(gpu);
        let domains = domains(&spec.parameters, &scope)?;
        let mut completions = vec![1_u128];
        for (domain, parameter) in domains.iter().zip(&spec.parameters).rev() {
            let more = completions[completions.len() - 1].checked_mul(domain.len() as u128);
            let overflow = || parameter.problem(Problem::SpaceTooLarge);
            completions.push(more.ok_or_else(overflow)?);
        }
        completions.reverse();
        let plan = Plan::new(spec, &scope.names);
        Ok(Self { spec, domains, completions, scope, plan })
    }

    /// Returns the values of each parameter, in the order of the spec.
    #[must_use]
    pub fn domains(&self) -> &[Vec<i64>] {
        &self.domains
    }

    /// Returns the values of a parameter; `None` if the spec does not have the parameter.
    #[must_use]
    pub fn domain(&self, name: &str) -> Option<&[i64]> {
        let position = self.spec.parameters.iter().position(|parameter| parameter.name == name)?;
        self.domains.get(position).map(Vec::as_slice)
    }

    /// Returns the number of configurations, the excluded ones included.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.completions[0]
    }

    /// Reads a configuration such as `WG=64,TS=16`. Constraints are not checked.
    ///
    /// # Errors
    /// If a parameter is missing, unknown or named twice, or its value is not in its domain.
    pub fn configuration(&self, text: &str) -> Result<Configuration, SpecError> {
        let names = self.spec.parameters.iter().map(|parameter| parameter.name.as_str());
        let parameters: Vec<_> = names.zip(self.domains.iter().map(Vec::as_slice)).collect();
        Ok(parse_configuration(text, &parameters)?)
    }

    /// Calls `each` with every configuration that begins with the chosen values, in the space's order.
    pub fn each_completion(&self, chosen: &[i64], each: &mut dyn FnMut(Configuration)) {
        let Some(domain) = self.domains.get(chosen.len()) else {
            each(Configuration(chosen.to_vec()));
            return;
        };
        for value in domain {
            self.each_completion(&[chosen, &[*value]].concat(), each);
        }
    }
}
