//! The parameter space: all configurations of the domains, and the ones that the constraints exclude.
//!
//! A constraint is evaluated as soon as the parameters that it depends on, directly or through `let`s, have values.
//! Before that, the values that it can still take are bounded: what it excludes whatever the later parameters are is
//! left at once, and values of a parameter are left together if none of them can be met. The configurations that a
//! constraint excludes are therefore never visited one by one.
//!
//! *Each excluded configuration counts for one constraint*: among the constraints that exclude it, the one whose last
//! parameter comes first in the spec; among equals, the one that the spec lists first. In a space of more than
//! [`LISTED`] configurations the search for this constraint is given up after 200,000 steps; the configurations that
//! are left count for another one of those that exclude them.
//!
//! A constraint that cannot be evaluated for a configuration, for example because of a division by zero, is an error
//! only if no other constraint excludes the configuration.

mod halves;
mod open;
mod plan;
mod subject;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use std::ops::ControlFlow;

use crate::spec::{Configuration, GpuNames, Problem, Spec, SpecError, domains, parse_configuration};
use halves::Halves;
use plan::Plan;
use values::Values;
use walk::{MOST_RECOUNTED, Walk};

pub use subject::{Space, Visit};

/// The most configurations of a space whose survey also lists the infeasible ones.
pub const LISTED: u128 = 10_000;
/// The greatest number of configurations that the constraints may leave.
pub const MOST_CONFIGURATIONS: usize = 4_000_000;

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
        let halves = domains.iter().map(|domain| Halves::new(domain)).collect();
        Ok(Self { spec, domains, halves, completions, scope, plan })
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
        self.spec.listed.as_ref().map_or(self.completions[0], |listed| listed.len() as u128)
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

    /// Calls `each` with every configuration that begins with the chosen values and one of the next, in the space's
    /// order.
    pub fn each_completion(&self, chosen: &[i64], next: &[i64], each: &mut dyn FnMut(Configuration)) {
        if chosen.len() == self.domains.len() {
            each(Configuration(chosen.to_vec()));
            return;
        }
        for value in next {
            let further = self.domains.get(chosen.len() + 1).map_or(&[][..], Vec::as_slice);
            self.each_completion(&[chosen, &[*value]].concat(), further, each);
        }
    }

    /// Enumerates the space in its order until `visit` breaks. Configurations that a constraint excludes together are
    /// one visit.
    ///
    /// # Errors
    /// If a constraint cannot be evaluated for a configuration that no other excludes.
    pub fn visit(&self, visit: &mut dyn FnMut(Visit<'_>) -> ControlFlow<()>) -> Result<(), SpecError> {
        if self.size() == 0 {
            return Ok(());
        }
        if let Some(listed) = &self.spec.listed {
            return self.visit_listed(listed, visit);
        }
        let patience = if self.size() > LISTED { MOST_RECOUNTED } else { u64::MAX };
        Walk::new(self, patience, visit).run()
    }

    /// Visits the configurations that the spec lists, one by one.
    fn visit_listed(
        &self,
        listed: &[Configuration],
        visit: &mut dyn FnMut(Visit<'_>) -> ControlFlow<()>,
    ) -> Result<(), SpecError> {
        for configuration in listed {
            let values = &configuration.0;
            let step = match self.excluded_by(configuration)? {
                None => Visit::Feasible(values),
                Some(constraint) => {
                    let (chosen, next) = values.split_at(values.len().saturating_sub(1));
                    Visit::Excluded { chosen, next, constraint, configurations: 1 }
                }
            };
            if visit(step).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the position in the spec of the constraint that excludes a configuration; `None` if the configuration is
    /// allowed.
    ///
    /// # Errors
    /// If a constraint cannot be evaluated and no other excludes the configuration.
    pub fn excluded_by(&self, configuration: &Configuration) -> Result<Option<usize>, SpecError> {
        let mut values = Values::new(self);
        for (parameter, value) in configuration.0.iter().enumerate() {
            values.choose(parameter, *value);
        }
        let mut faulty = Vec::new();
        for &constraint in &self.plan.constraints {
            match self.spec.constraints[constraint].evaluate_with(&mut values) {
                Ok(0) => return Ok(Some(constraint)),
                Ok(_) => {}
                Err(culprit) => faulty.push((constraint, culprit)),
            }
        }
        values.first_error(&faulty).map_or(Ok(None), Err)
    }
}
