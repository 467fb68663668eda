//! What models predict of a kernel's configurations, without a model checker, and how far rankings agree.
//!
//! A [`Model`] gives each feasible configuration a cost; what is less is better, and only its order matters. A model is added
//! here alone: a variant, its name, and the function that computes its cost from a [`Case`].

pub mod agreement;
pub mod comparison;
pub mod cross_check;
pub mod explain;
pub mod histogram;
pub mod landscape;
pub mod measured;
pub mod near;
mod predictor;
pub mod roofline;
pub mod statements;
mod term;
pub mod validation;

pub use predictor::{Assessment, Prediction, Predictor, assess};
pub use term::Term;
