//! The values of an audited expression's names.

use crate::spec::{Expression, Scope};

/// The names in an expression and their values: `TS = 16, size = 1024`.
pub(in crate::lowering) fn values(expression: &Expression, scope: &Scope) -> String {
    let named = scope.values_in(expression).into_iter().map(|(name, value)| format!("{name} = {value}"));
    named.collect::<Vec<_>>().join(", ")
}
