//! The exit status of several jobs.

use super::super::Status;

/// Returns the first of 1, 2, 4 and 3 that occurred, else 0.
pub(super) fn worst(statuses: impl Iterator<Item = u8>) -> Status {
    let order = [Status::Failure, Status::Unusable, Status::Infeasible, Status::BestEffort];
    let occurred: Vec<u8> = statuses.collect();
    order.into_iter().find(|status| occurred.contains(&(*status as u8))).unwrap_or(Status::Success)
}
