//! The work of a group between its barriers: phases, and the turns of servers that they become.

pub(super) mod block;
mod body;
pub(super) mod drift;
pub(super) mod line_work;
mod norm;
pub(crate) mod order;
pub(super) mod origin;
pub(super) mod rates;
pub(super) mod run;
pub(super) mod servers;
pub(super) mod spill;
pub(super) mod totals;
pub(super) mod traffic;
pub(super) mod work;
