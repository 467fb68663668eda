//! Counting of what the warps of a work group execute.

mod body;
mod traced;

pub(super) use body::of_body;
pub(super) use traced::of_trace;
