//! Marks on the conditions and loops that a user's assumptions speak of: calls of functions that no source has.
//!
//! They are set before the optimiser moves, inverts and joins branches, so that what it leaves still says which side is the
//! one of the source where the condition is true, and where an iteration of the source's loop begins.

use std::collections::BTreeSet;
use std::fmt;

/// The lines whose conditions and loops get marks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AssumedLines {
    /// The lines of conditions.
    pub taken: BTreeSet<u32>,
    /// The lines of loops' ends.
    pub trips: BTreeSet<u32>,
}

impl AssumedLines {
    /// True if no line is assumed anything of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty() && self.trips.is_empty()
    }

    /// The text that tells these lines from others; empty without lines.
    pub(in crate::source) fn text(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let shown = |lines: &BTreeSet<u32>| lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        format!("taken {}, trips {}", shown(&self.taken), shown(&self.trips))
    }
}

/// The beginnings of the functions' names.
const CONDITION: &str = "autotune_condition.";
const ITERATION: &str = "autotune_iteration.";
const ENTRY: &str = "autotune_entry.";
const EXIT: &str = "autotune_exit.";

/// A mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::source) enum Mark {
    /// A function from a condition to itself, where true is the side of the source's true condition.
    Condition {
        /// The line in the source.
        line: u32,
        /// The number of the statement, which has several conditions where its text has `&&` or `||`.
        statement: u32,
        /// The truth of the whole if a condition before this one has decided it; `None` for the first.
        follows: Option<bool>,
    },
    /// The beginning of an iteration of a loop.
    Iteration(CountedLoop),
    /// The way into a loop.
    Entry(CountedLoop),
    /// A function from a condition within a loop's iterations to itself, where true is the side that leaves the loop.
    Exit(CountedLoop),
}

/// A loop of the source whose iterations have marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::source) struct CountedLoop {
    /// The line where it ends.
    pub(in crate::source) line: u32,
    /// The number that tells it from other loops.
    pub(in crate::source) number: u32,
}

impl Mark {
    /// The mark of a function's name; `None` for another function.
    pub(in crate::source) fn of(name: &str) -> Option<Self> {
        if let Some(of) = name.strip_prefix(ITERATION) {
            return CountedLoop::of(of).map(Self::Iteration);
        }
        if let Some(of) = name.strip_prefix(ENTRY) {
            return CountedLoop::of(of).map(Self::Entry);
        }
        if let Some(of) = name.strip_prefix(EXIT) {
            return CountedLoop::of(of).map(Self::Exit);
        }
        let mut parts = name.strip_prefix(CONDITION)?.split('.');
        let line = parts.next()?.parse().ok()?;
        let statement = parts.next()?.parse().ok()?;
        let follows = match parts.next()? {
            "first" => None,
            "true" => Some(true),
            "false" => Some(false),
            _ => return None,
        };
        Some(Self::Condition { line, statement, follows })
    }
}

impl CountedLoop {
    /// The loop of the end of a function's name.
    fn of(text: &str) -> Option<Self> {
        let (line, number) = text.split_once('.')?;
        Some(Self { line: line.parse().ok()?, number: number.parse().ok()? })
    }
}

impl fmt::Display for CountedLoop {
    /// Prints the end of a function's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.line, self.number)
    }
}

/// The beginning of a part of a loop's execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Begin {
    /// The loop is entered.
    Entry,
    /// An iteration begins.
    Iteration,
}

impl fmt::Display for Mark {
    /// Prints the function's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition { line, statement, follows } => {
                let follows = follows.map_or_else(|| "first".to_owned(), |truth| truth.to_string());
                write!(formatter, "{CONDITION}{line}.{statement}.{follows}")
            }
            Self::Iteration(counted) => write!(formatter, "{ITERATION}{counted}"),
            Self::Entry(counted) => write!(formatter, "{ENTRY}{counted}"),
            Self::Exit(counted) => write!(formatter, "{EXIT}{counted}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_from_its_name() {
        for mark in [
            Mark::Iteration(CountedLoop { line: 12, number: 2 }),
            Mark::Entry(CountedLoop { line: 3, number: 1 }),
            Mark::Exit(CountedLoop { line: 4, number: 1 }),
            Mark::Condition { line: 7, statement: 3, follows: None },
            Mark::Condition { line: 7, statement: 3, follows: Some(false) },
        ] {
            assert_eq!(Mark::of(&mark.to_string()), Some(mark));
        }
        assert_eq!(Mark::of("autotune_condition.x.1.first"), None);
        assert_eq!(Mark::of("autotune_cuda"), None);
    }
}
