//! The parameter space: every configuration that the domains allow, and which of them the constraints exclude.
//!
//! A constraint is tried as soon as the parameters that it depends on have values, through `let`s too, so that what it
//! excludes is never visited one by one. *Each excluded configuration counts for one constraint*: of those that exclude
//! it, the one whose last parameter comes first in the spec, and of these the one that the spec lists first.
//!
//! A constraint that has no value for a configuration (a division by zero, say) is an error only if no other excludes it.

use std::ops::ControlFlow;

use crate::spec::{Configuration, GpuNames, Problem, Scope, Spec, SpecError, domains, parse_configuration};

mod walk;

use walk::{Plan, Walk};

/// Of a space of at most so many configurations, a survey lists the infeasible ones too.
pub const LISTED: u128 = 10_000;

/// The configurations of a spec on a GPU, in the order of the spec's parameters, the last varying fastest.
#[derive(Debug, Clone)]
pub struct Space<'a> {
    spec: &'a Spec,
    domains: Vec<Vec<i64>>,
    /// How many configurations have the same first values, by how many of these there are.
    completions: Vec<u128>,
    /// Knows the GPU and the problem.
    scope: Scope,
    plan: Plan,
}

/// What an enumeration meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit<'a> {
    /// A configuration that the constraints allow.
    Feasible(&'a [i64]),
    /// Values of the first parameters that a constraint excludes, whatever the others are.
    Excluded {
        /// These values.
        chosen: &'a [i64],
        /// The constraint, as a position in the spec.
        constraint: usize,
        /// How many configurations begin so.
        configurations: u128,
    },
}

/// The whole space in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// What the constraints allow, in the space's order.
    pub feasible: Vec<Configuration>,
    /// How many configurations count for each constraint of the spec.
    pub excluded: Vec<u128>,
    /// What is infeasible, in the space's order, with the constraint that it counts for; none if the space is large.
    pub infeasible: Option<Vec<(Configuration, usize)>>,
}

impl<'a> Space<'a> {
    /// Evaluates the domains.
    ///
    /// # Errors
    /// When one cannot be evaluated or names a value twice, or when there are too many values or configurations.
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

    /// The values of each parameter, in the order of the spec.
    #[must_use]
    pub fn domains(&self) -> &[Vec<i64>] {
        &self.domains
    }

    /// The values of a parameter, if the spec has it.
    #[must_use]
    pub fn domain(&self, name: &str) -> Option<&[i64]> {
        let position = self.spec.parameters.iter().position(|parameter| parameter.name == name)?;
        self.domains.get(position).map(Vec::as_slice)
    }

    /// How many configurations there are, whatever the constraints.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.completions[0]
    }

    /// Reads a configuration, `WG=64,TS=16`; constraints may exclude it.
    ///
    /// # Errors
    /// When a parameter is missing, unknown or named twice, or its value is not in its domain.
    pub fn configuration(&self, text: &str) -> Result<Configuration, SpecError> {
        let names = self.spec.parameters.iter().map(|parameter| parameter.name.as_str());
        let parameters: Vec<_> = names.zip(self.domains.iter().map(Vec::as_slice)).collect();
        Ok(parse_configuration(text, &parameters)?)
    }

    /// The constraint that excludes a configuration, as a position in the spec, or none.
    ///
    /// # Errors
    /// When a constraint cannot be evaluated and no other excludes the configuration.
    pub fn excluded_by(&self, configuration: &Configuration) -> Result<Option<usize>, SpecError> {
        let domains: Vec<_> = configuration.0.iter().map(|value| vec![*value]).collect();
        let mut excluded_by = None;
        let mut visit = |visit: Visit<'_>| {
            if let Visit::Excluded { constraint, .. } = visit {
                excluded_by = Some(constraint);
            }
            ControlFlow::Break(())
        };
        Walk::new(self, &domains, &mut visit).run()?;
        Ok(excluded_by)
    }

    /// Goes through the space in its order until `visit` breaks. What is excluded is told as a whole.
    ///
    /// # Errors
    /// When a constraint cannot be evaluated for a configuration that no other excludes.
    pub fn visit(&self, visit: &mut dyn FnMut(Visit<'_>) -> ControlFlow<()>) -> Result<(), SpecError> {
        if self.size() == 0 {
            return Ok(());
        }
        Walk::new(self, &self.domains, visit).run()
    }

    /// Goes through the whole space and lists it.
    ///
    /// # Errors
    /// As `visit`.
    pub fn survey(&self) -> Result<Survey, SpecError> {
        let mut feasible = Vec::new();
        let mut excluded = vec![0; self.spec.constraints.len()];
        let mut infeasible = (self.size() <= LISTED).then(Vec::new);
        self.visit(&mut |visit| {
            match visit {
                Visit::Feasible(values) => feasible.push(Configuration(values.to_vec())),
                Visit::Excluded { chosen, constraint, configurations } => {
                    excluded[constraint] += configurations;
                    if let Some(list) = &mut infeasible {
                        self.each_completion(chosen, &mut |configuration| {
                            list.push((configuration, constraint));
                        });
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(Survey { feasible, excluded, infeasible })
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
