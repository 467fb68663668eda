//! When work has to stop: a deadline, or a wish of the user.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// A wish to stop, shared with the handler of Ctrl-C. The first stops in order, the second at once.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Asks to stop.
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether somebody has asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Whether somebody has asked twice.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// When work has to stop.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// No work goes on after this.
    pub deadline: Option<Instant>,
    /// Nor after this was raised.
    pub interrupt: Interrupt,
}

impl Limits {
    /// Why work has to stop now, if it has to.
    #[must_use]
    pub fn exceeded(&self) -> Option<Stop> {
        if self.interrupt.is_raised() {
            Some(Stop::Interrupt)
        } else {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Time)
        }
    }
}

/// Why work was stopped.
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
