//! Max-plus algebra and the kernel models over it: the time of a configuration by a formula.
//!
//! The method is that of V. A. Antonyuk, N. G. Mikheev, *A parallel program model for execution time estimation*, 2022,
//! doi 10.26089/NumMet.v23r102. A kernel is a graph of data states, and an arc's weight is the time from one state to
//! the other. The time of one executor is an entry of a power of the graph's matrix, with (max, +) in place of (+, ·):
//! sections 4 to 9 of the paper, one file for each step.
//!
//! ```text
//! spec's body ─▶ body ─┐                   ┌─▶ times
//!                      ├─▶ kernel: parts ──┤
//! program ─▶ phases ───┘                   └─▶ picture ─▶ graph ─▶ reduction ─▶ matrix ─▶ the same times
//! ```
//!
//! This module only computes: it neither reads, prints nor runs anything.

mod algebra;
mod body;
mod bound;
mod closed_form;
mod executed;
mod graph;
mod kernel;
mod lockstep;
mod matrix;
mod parts;
mod phases;
mod picture;
mod reduction;
mod scalar;
mod stores;
mod variant;

pub use algebra::{Algebra, Powers};
pub use bound::serialized_is_a_bound;
pub use closed_form::ClosedForm;
pub use graph::{Arc, Graph, GraphError};
pub use matrix::{Matrix, Vector};
pub use parts::{Kernel, KernelError, Operation, Part, Read, Write};
pub use picture::{GraphPicture, Node, NodeKind, PictureArc, PicturedKernel, Repeat};
pub use scalar::{Overflow, Scalar};
pub use variant::{Times, Variant};
