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

pub mod certificate;
pub mod cli;
pub mod compare;
pub mod diagnosis;
pub mod export;
pub mod files;
pub mod gpu;
pub mod limits;
pub mod lowering;
pub mod machine;
pub mod model;
pub mod models;
pub mod process;
pub mod proof;
pub mod render;
pub mod report;
pub mod result;
pub mod search;
pub mod session;
pub mod space;
pub mod spec;
pub mod spin;
pub mod text;
pub mod user_error;
pub mod warnings;
