//! The statements of a spec's body for one configuration.

pub(super) mod amounts;
pub(super) mod around;
pub(super) mod audit;
pub(super) mod contradiction;
mod queued;
pub(super) mod shared;
mod stated;
pub(super) mod statement;
pub(super) mod subject;
mod subscripted;
pub(super) mod walk;
