//! Domains that depend on problem sizes, as conditions of parameters.

use super::super::super::Spec;
use super::super::Expression;
use super::super::names::{GPU_NAMES, Slot};
use super::super::operators::Binary;
use super::super::tree::{Kind, Tree};
use crate::spec::Domain;

/// The conditions that parameters have values of their domains, for domains that name a size; `None` if one cannot be written.
/// `first` is the slot of the first parameter. A value has a place among the steps of a range for some size, and so for each
/// one if the steps begin at the same value.
pub(super) fn conditions(spec: &Spec, first: Slot) -> Option<Vec<Tree>> {
    let mut found = Vec::new();
    for (position, parameter) in spec.parameters.iter().enumerate() {
        let value = || leaf(Kind::Name(first + position));
        let ends = |from: &Expression, to: &Expression| {
            let least = names(from).then(|| both(Binary::AtMost, from.tree().clone(), value()));
            let greatest = names(to).then(|| both(Binary::AtMost, value(), to.tree().clone()));
            least.into_iter().chain(greatest)
        };
        match &parameter.domain {
            Domain::Values(list) if list.iter().any(names) => {
                let equal = list.iter().map(|one| both(Binary::Equal, value(), one.tree().clone()));
                found.extend(equal.reduce(|one, other| both(Binary::Or, one, other)));
            }
            Domain::Values(_) => {}
            // The steps begin at a value that is another for each size.
            Domain::Range { from, step, .. } if names(from) || names(step) => return None,
            Domain::PowersOfTwo { from, to } | Domain::Range { from, to, .. } => found.extend(ends(from, to)),
        }
    }
    Some(found)
}

/// True if an expression names a problem size.
fn names(expression: &Expression) -> bool {
    expression.slots().iter().any(|slot| *slot >= GPU_NAMES.len())
}

fn leaf(kind: Kind) -> Tree {
    Tree::new(kind, 0..0)
}

fn both(operator: Binary, left: Tree, right: Tree) -> Tree {
    leaf(Kind::Binary(operator, Box::new([left, right])))
}
