//! A difference between a kept proof's folder and its claims.

use std::fmt;

use autotune_base::text::words::printable;

/// The most differences that are listed; the rest are only counted.
const MOST: usize = 20;

/// A difference between a folder and its claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The file or folder, as a path from the proof's folder.
    pub place: String,
    /// The fault, as a sentence.
    pub what: String,
}

impl Deviation {
    pub(super) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

/// The first differences, and the number of the others.
pub(super) fn first(differences: impl Iterator<Item = Deviation>) -> Vec<Deviation> {
    let mut differences: Vec<Deviation> = differences.collect();
    let more = differences.len().saturating_sub(MOST);
    differences.truncate(MOST);
    if let (Some(last), 1..) = (differences.last(), more) {
        let what = format!("and {more} more differ");
        differences.push(Deviation::new(last.place.clone(), what));
    }
    differences
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Names and contents may come from a stranger, so their control characters must not reach a terminal.
        write!(f, "{}: {}", printable(&self.place), printable(&self.what))
    }
}
