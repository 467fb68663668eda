//! Searches of the property that have been made before, so that a question that was cut short goes on where it was.

use std::{fmt, io};

use serde::{Deserialize, Serialize};

use super::pan_output::{End, Statistics};

/// A search of the property: the very same model with the same bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SearchKey {
    /// SHA-256 of the model's text, in hexadecimal digits.
    pub model: String,
    /// The same of its tables, where they are in a file.
    pub tables: Option<String>,
    /// MT.
    pub bound: u64,
}

/// What a search has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The runs that its counterexamples show, replayed; none if the property holds.
    pub witnesses: Option<Vec<End>>,
    /// Its size.
    pub statistics: Statistics,
}

/// Remembers searches, so that they are made once.
pub trait Record: fmt::Debug + Send + Sync {
    /// What this search has shown, if it was made before.
    fn recall(&self, key: &SearchKey) -> Option<SearchResult>;

    /// Keeps what it has shown; returns when that cannot be lost any more.
    ///
    /// # Errors
    /// It cannot be kept.
    fn keep(&self, key: &SearchKey, result: &SearchResult) -> io::Result<()>;
}
