//! The parameter space of a kernel on a GPU: enumerated, lowered, bounded and evaluated.

mod ask;
mod bound;
mod enumerate;
mod error;
mod estimate;
mod groups;
mod leave_out;
mod orders;
mod progress;
pub mod restrictions;
mod survey;

pub use ask::{Case, allowed, each, only_configuration};
pub use enumerate::{LISTED, MOST_CONFIGURATIONS, Space, Visit};
pub use error::SpaceError;
pub use estimate::Best;
pub use estimate::{Estimates, MOST_EVENTS, Pruning, bounds, estimate, estimate_observed};
pub use leave_out::leave_out;
pub use orders::{MOST_STATES, Orders, orders};
pub use progress::{Observe, Progress, Share};
pub use survey::{
    ConfigurationStatus, Entries, Entry, Programs, Rule, Survey, UniqueProgram, known_survey, survey, survey_observed,
};
