//! Who plays the machine of granularity `warp`.

use serde::Serialize;

use super::Candidate;
use super::warp::fits_processes;

/// A run longer than this would make SPIN's stack deep in the form of roles.
const EVENTS_OF_A_RUN: u64 = 200_000;
/// More than these take the form of roles much longer than the other.
const EVENTS_OF_ALL_RUNS: u64 = 2_000_000;

/// Who plays the machine: the same steps, in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A process for each part: host, multiprocessor, clock, servers, barriers and warps. For people.
    Roles,
    /// The multiprocessor runs a wave in one indivisible step. For long runs, and for more warps than SPIN has processes.
    Wave,
}

impl Form {
    /// The form in which these candidates are best checked.
    #[must_use]
    pub fn suited_to(candidates: &[Candidate]) -> Self {
        let of_all = candidates.iter().fold(0u64, |sum, candidate| sum.saturating_add(candidate.events));
        let few = of_all <= EVENTS_OF_ALL_RUNS && candidates.iter().all(|it| it.events <= EVENTS_OF_A_RUN);
        if few && candidates.iter().all(|candidate| fits_processes(candidate.program)) {
            Self::Roles
        } else {
            Self::Wave
        }
    }

    /// As on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Roles => "roles",
            Self::Wave => "wave",
        }
    }
}
