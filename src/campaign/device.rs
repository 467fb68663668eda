//! The question whether a device that failed is still there.

use super::pick::Pick;

/// Failed runs in a row after which the device is doubted, though none of their configurations ran before.
const DOUBTED: usize = 2;
/// Failed runs in a row after which the device is believed gone where no configuration that runs is known.
const GONE: usize = 5;

/// The verdict of the last runs on a device.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Device {
    /// Nothing against it.
    Fine,
    /// Perhaps gone: this pick, of a configuration that runs, will show it.
    Doubtful(Pick),
    /// A configuration that runs has failed, too.
    Gone,
}

impl Device {
    /// The verdict of a failed run. `may_run` is true if its configuration ran before and is not given up. `probe` is a configuration
    /// that runs; `None` if none is known.
    pub(super) fn after_failure(may_run: bool, failed_in_a_row: usize, probe: Option<Pick>) -> Self {
        match probe {
            Some(probe) if may_run || failed_in_a_row >= DOUBTED => Self::Doubtful(probe),
            None if failed_in_a_row >= GONE => Self::Gone,
            _ => Self::Fine,
        }
    }
}
