//! The record of earlier searches of the property: an interrupted proof continues from it.

use std::{fmt, io};

use serde::{Deserialize, Serialize};

use super::pan_output::{End, Statistics};

/// The identity of a search of the property: its model and its bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SearchKey {
    /// The SHA-256 of the model's text, in hexadecimal digits.
    pub model: String,
    /// The SHA-256 of its tables; `None` if they are part of the text.
    pub tables: Option<String>,
    /// MT, in ticks.
    pub bound: u64,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The runs of its counterexamples, replayed; `None` if the property holds.
    pub witnesses: Option<Vec<End>>,
    /// The size of the search.
    pub statistics: Statistics,
}

/// A store of search results, so that each search is made only once.
pub trait Record: fmt::Debug + Send + Sync {
    /// Returns the result of an earlier search; `None` if it was not made.
    fn recall(&self, key: &SearchKey) -> Option<SearchResult>;

    /// Stores a result, and returns once it is durable.
    ///
    /// # Errors
    /// If the result cannot be stored.
    fn keep(&self, key: &SearchKey, result: &SearchResult) -> io::Result<()>;
}
