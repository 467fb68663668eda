//! The correction of predictions by a few measured runs: the configurations to measure next.
//!
//! ```text
//! log(time) = log(prediction) + constant + Gaussian process over the parameters
//! ```
//!
//! The prediction is the mean before the first run. Each run corrects it where the run was taken and nearby. The
//! constant has a wide prior, so that the unit of the measured times does not matter. Everything is deterministic: no
//! sum depends on threads or on the order of a hash table.

mod factor;
mod gain;
mod positions;
mod process;
mod repeats;
mod residuals;
mod shortlist;
mod suggester;

pub use factor::Factor;
pub use gain::CorrectedTime;
pub use positions::Positions;
pub use repeats::median;
pub use residuals::{Residuals, ValueResidual};
pub use suggester::{CANDIDATES, CORRECTING_RUNS, Proposal, ProposalReason, Suggester};
