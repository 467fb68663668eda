//! The abstract GPU of autotune: its timing, its schedules, the search for an optimum.

pub mod correction;
pub mod machine;
pub mod search;
