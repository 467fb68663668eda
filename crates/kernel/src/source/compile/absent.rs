//! Headers that are nowhere.

use super::super::ir::SourcePlace;

/// A header that a CUDA source includes and that is nowhere: the compiler gets an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentHeader {
    /// The name in the directive.
    pub name: String,
    /// The place of the name.
    pub place: SourcePlace,
}
