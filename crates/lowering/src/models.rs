//! Analytical models of a kernel, without a model checker.

/// Advice for a formula that needs latencies and bandwidths.
const REAL_GPUS: &str = "`autotune gpus` lists real ones: those whose execution is pipelined";

pub mod efficiency;
pub mod locality;
pub mod maxplus;
pub mod predict;
