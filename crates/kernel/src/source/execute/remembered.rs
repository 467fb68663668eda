//! The numbers that loads from memory have brought.

use super::super::trace::{AccessKind, SourceAccess};
use super::super::value::{Known, Value};

/// The numbers that were loaded since memory was changed, or since the last head of a loop: address, bytes and number.
#[derive(Debug, Default)]
pub(super) struct LoadedNumbers(pub(super) Vec<(Known, u64, Value)>);

impl LoadedNumbers {
    /// Forgets all: what is loaded next may be another number.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// Forgets all if accesses may change memory, or if others may have changed it.
    pub(super) fn pass(&mut self, accesses: &[SourceAccess]) {
        let is_harmless = |kind| matches!(kind, AccessKind::Load | AccessKind::Shuffle | AccessKind::Product { .. });
        if accesses.iter().any(|access| !is_harmless(access.kind)) {
            self.forget();
        }
    }
}
