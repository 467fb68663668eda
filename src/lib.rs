//! Optimal GPU launch parameters, proved by model checking, without a GPU.
//!
//! A question goes one way through the code. Every stage takes values and returns values:
//!
//! ```text
//! kernel.yaml ─▶ spec ─┐
//!                      ├─▶ lowering ─▶ machine ─▶ model ─▶ spin ─▶ proof ─▶ explain ─▶ result ─▶ render, export
//! GPU profile ─▶ gpu ──┘
//! ```
//!
//! [`session`] leads a question through these stages:
//!
//! ```
//! use autotune::session::{Inputs, Request, Session};
//!
//! let session = Session::open()?;
//! // The session's reader starts clang if the spec names a source.
//! let inputs = Inputs::read("tuning-specs/abstract_kernel.yaml", "abstract-tiny", &session.reader)?;
//! let report = session.prove(&inputs, &Request::default())?.report;
//! let optimum = report.optimum.expect("the optimum is proved");
//! println!("{:?} takes {} ticks", optimum.parameters, optimum.ticks);
//! # Ok::<(), autotune::session::SessionError>(())
//! ```
//!
//! Beside this way, without a model checker: [`compare`] ranks configurations by the machine and by [`models`], and
//! compares the rankings with measurements. [`measuring`] suggests what to measure next; [`correction`] corrects the
//! ranking by what is measured.
//!
//! The rooms below [`result`] lie in crates of their own, `autotune-base` to `autotune-engine`; this library hands them on.
//!
//! Only [`cli`] prints, only [`process`] starts programs, only [`lowering`] knows physics, only [`machine`] knows timing.
//! A test holds the imports against the table of rooms in `docs/dev/architecture.md`.

pub mod campaign;
pub mod certificate;
pub mod cli;
pub mod doubts;
pub mod export;
pub mod measuring;
pub mod render;
pub mod result;
pub mod session;
pub mod tuners;

pub use autotune_base::{files, index, limits, process, text, ticks, user_error};
pub use autotune_engine::{check, compare, difference, explain, model, proof, spin};
pub use autotune_kernel::source;
pub use autotune_lowering::{extraction, gpu, inference, lowering, models, space, spec};
pub use autotune_machine::{correction, machine, search};
