//! The predictors of a kernel's configurations, without a model checker, and the agreement of their rankings.
//!
//! A [`Predictor`] gives each feasible configuration a cost. A lower cost is better, and a higher efficiency; only the
//! order matters. A new predictor needs a variant, its name, and the function that computes its cost from a
//! [`Case`](autotune_lowering::space::Case).

pub mod agreement;
pub mod comparison;
pub mod cross_check;
mod different;
pub mod expected;
mod fastest;
pub mod fleet;
pub mod measured;
pub mod near;
pub mod opinion;
mod predictor;
mod relative;
pub mod sensitivity;
mod term;
pub mod validation;
pub mod versions;
pub mod weights;

pub use different::{different, fastest_ones};
pub use fastest::Fastest;
pub use predictor::{PredictedCost, Prediction, Predictor, Unit};
pub use relative::Relative;
pub use term::Term;
