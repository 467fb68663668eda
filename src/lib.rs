//! Optimal GPU launch parameters, proved by model checking, without a GPU.
//!
//! A question goes one way through the crate, every stage takes values and returns values:
//!
//! ```text
//! kernel.yaml ─▶ spec ─┐
//!                      ├─▶ lowering ─▶ machine ─▶ model ─▶ spin ─▶ search ─▶ report ─▶ cli
//! GPU profile ─▶ gpu ──┘
//! ```
//!
//! Beside it, without a model checker: [`analysis`] ranks configurations by models, [`validation`] compares these with what was [`measured`].
//!
//! Only [`cli`] prints, only [`spin`] starts processes, only [`lowering`] knows physics, only [`machine`] knows timing.

pub mod analysis;
pub mod batch;
pub mod cache;
pub mod certificate;
mod checksum;
pub mod cli;
pub mod diagnosis;
pub mod efficiency;
mod files;
pub mod gpu;
pub mod locality;
pub mod lowering;
pub mod machine;
pub mod maxplus;
pub mod measured;
pub mod model;
mod own_folder;
pub mod predict;
pub mod report;
mod scratch;
pub mod search;
pub mod spec;
pub mod spin;
pub mod tuning;
pub mod validation;
pub mod views;
pub mod warnings;
