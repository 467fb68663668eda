//! One choice of a value for every parameter.

/// A value for every parameter, in the order in which the spec lists them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration(pub Vec<i64>);
