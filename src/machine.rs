//! The abstract machine: programs and their timing.
//!
//! One multiprocessor runs a *wave* of resident groups; their warps share servers and meet at barriers. All times are
//! ticks. Nothing here knows kernels, GPUs or SPIN.

pub mod program;

pub use program::{Program, ProgramError, Server, Statement};
