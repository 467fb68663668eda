//! The question whether a device that failed is still there.

use super::pick::Pick;

/// Failed runs in a row after which the device is doubted, though none of their configurations ran before.
const DOUBTED: usize = 2;
/// Failed runs in a row after which the device is believed gone where no configuration that runs is known.
const GONE: usize = 5;

/// What the last runs say of the device.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Device {
    /// Nothing against it.
    Fine,
    /// It may be gone: this pick, of a configuration that runs, will show it.
    Doubtful(Pick),
    /// A configuration that runs has failed, too.
    Gone,
}

impl Device {
    /// What a failed run says. `ran` is true if its configuration ran before and is not given up. `probe` is a configuration
    /// that runs; `None` if none is known.
    pub(super) fn after_failure(ran: bool, failed_in_a_row: usize, probe: Option<Pick>) -> Self {
        match probe {
            Some(probe) if ran || failed_in_a_row >= DOUBTED => Self::Doubtful(probe),
            None if failed_in_a_row >= GONE => Self::Gone,
            _ => Self::Fine,
        }
    }
}
