//! Headers that are nowhere in the user's folders, or nowhere at all.

use std::collections::BTreeSet;

use super::super::ir::SourcePlace;

/// A header that a CUDA source includes and that is nowhere: the compiler gets an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentHeader {
    /// The name in the directive.
    pub name: String,
    /// The place of the name.
    pub place: SourcePlace,
}

/// The names of headers that no folder of the user has.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// The names in directives.
    pub(super) names: BTreeSet<String>,
    /// True if only the preprocessor knows some more.
    pub(super) may_lack: bool,
}
