//! The limits of work: a deadline, and a request of the user to stop.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// A request to stop, shared with the handler of Ctrl-C. The first request stops in order, the second at once.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Requests a stop.
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns true after the first request.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Returns true after the second request.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// The limits at which work stops.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The moment after which work stops; `None` without a time limit.
    pub deadline: Option<Instant>,
    /// The interrupt after which work stops.
    pub interrupt: Interrupt,
}

impl Limits {
    /// The limit that is exceeded now; `None` if work may go on.
    #[must_use]
    pub fn exceeded(&self) -> Option<Stop> {
        if self.interrupt.is_raised() {
            Some(Stop::Interrupt)
        } else {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Time)
        }
    }
}

/// A reason for stopping work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Ctrl-C, or a request to terminate.
    Interrupt,
    /// The deadline.
    Time,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Interrupt => "it was interrupted",
            Self::Time => "the time limit was reached",
        })
    }
}
