//! Merges the parameters of a separate space into those of a spec.

use std::sync::Arc;

use super::super::load::place_of;
use super::super::t1::OuterSpace;
use crate::spec::domain::{Domain, Parameter};
use crate::spec::expression::Expression;

impl OuterSpace {
    /// Replaces the domains of parameters of the same name and appends the other parameters.
    pub(super) fn replace(&self, parameters: &mut Vec<Parameter>) {
        for outer in &self.parameters {
            let values = outer.values.iter().map(|value| Expression::number(&self.source, outer.at, *value)).collect();
            let (name, domain) = (outer.name.value.clone(), Domain::Values(values));
            let new = Parameter { name, domain, place: place_of(&outer.name), source: Arc::clone(&self.source) };
            match parameters.iter_mut().find(|parameter| parameter.name == new.name) {
                Some(known) => *known = new,
                None => parameters.push(new),
            }
        }
    }
}
