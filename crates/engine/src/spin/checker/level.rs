//! The work of the C compiler on a search: little for a short one, much where one search is long or many are the same.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::state::{Level, ModelChecker};
use crate::model::EVENTS_WORTH_OPTIMISING;
use crate::spin::toolchain::Tool;

/// The searches of one model's text by this process.
#[derive(Debug, Default)]
struct Searched {
    /// The events of all runs of the models so far.
    events: u64,
    /// True once a checker has taken it upon itself to compile the optimised search.
    is_claimed: bool,
}

impl Searched {
    /// Adds a model's events; returns true for the model whose events make the optimiser pay for all that follow.
    fn claims(&mut self, events: u64) -> bool {
        self.events = self.events.saturating_add(events);
        let claims = self.events > EVENTS_WORTH_OPTIMISING && !self.is_claimed;
        self.is_claimed |= claims;
        claims
    }
}

/// The searches of this process, by the SHA-256 of the model's text.
static SEARCHED: LazyLock<Mutex<HashMap<String, Searched>>> = LazyLock::new(Mutex::default);

impl ModelChecker {
    /// The level that the searches are compiled with, unless the cache has them. In a folder that is kept it depends on
    /// the model alone.
    pub(super) fn level(&self) -> Level {
        if self.model.is_worth_optimising() || (!self.settings.replays_all && self.claims()) {
            Level::Optimised
        } else {
            Level::Quick
        }
    }

    fn claims(&self) -> bool {
        let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
        searched.entry(self.model.sha256().0).or_default().claims(self.model.events)
    }

    /// The compiler of a level, and its option.
    pub(super) fn compiler(&self, level: Level) -> (&Tool, &'static str) {
        let toolchain = &self.settings.toolchain;
        match level {
            Level::Quick => (toolchain.quick_compiler.as_ref().unwrap_or(&toolchain.compiler), "-O0"),
            Level::Optimised => (&toolchain.compiler, "-O2"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimiser_is_claimed_once_when_the_events_of_all_are_worth_it() {
        let mut searched = Searched::default();
        let half = EVENTS_WORTH_OPTIMISING / 2;
        assert_eq!(
            [half, half, 1, 1, u64::MAX].map(|events| searched.claims(events)),
            [false, false, true, false, false]
        );
    }
}
