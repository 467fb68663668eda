//! A model's checker, and the searches that it has built.

use std::path::PathBuf;

use super::outcome::{Settings, SpinCost};
use crate::model::Model;
use autotune_base::files::cache::Key;

/// The work of the C compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The quick compiler, if there is one.
    Quick,
    /// The compiler with its optimiser: a hundred times slower than the quick one, and its searches up to five times
    /// faster.
    Optimised,
}

/// The searches that a checker uses.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) level: Level,
    pub(super) keys: [Key; 2],
    /// The SHA-256 of each search.
    pub(super) hashes: [String; 2],
}

/// A model in a folder of its own, ready to be searched.
#[derive(Debug)]
pub struct ModelChecker {
    pub(super) model: Model,
    pub(super) folder: PathBuf,
    pub(super) settings: Settings,
    pub(super) built: Option<Built>,
    pub(super) searches: usize,
    /// The time and memory that this model has cost until now.
    pub cost: SpinCost,
}
