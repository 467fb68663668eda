//! The state of a check.

use std::cell::RefCell;
use std::sync::Arc;

use crate::spec::error::SpecError;
use crate::spec::expression::Names;
use autotune_base::text::Source;

/// The context of the checks of every part of a spec.
#[derive(Clone, Copy)]
pub(super) struct Checker<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) names: &'a Names,
    /// The errors so far that do not keep the rest from being checked.
    pub(super) errors: &'a RefCell<Vec<SpecError>>,
}
